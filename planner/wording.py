"""What the agent says: short, natural, one question."""

from __future__ import annotations

from index.cards import ATTRIBUTES
from planner.trace import Decision

_QUESTIONS = {
    "category": "What kind of product is it?",
    "material": "Is there a material you want?",
    "color": "Which color do you have in mind?",
    "size": "Is there something about size or width that matters?",
    "style": "Is there a style or fit you prefer?",
    "brand": "Is there a brand you like?",
    "budget": "What would you like to spend?",
    "feature": "Which features matter to you?",
    "use_case": "What will you use it for?",
    "other": "Is there anything else that matters to you?",
}
PLAIN = "Here is what I found."


def reply_text(decision: Decision, title: str) -> str:
    """Return the reply for a decision; ``title`` is that of the first product shown."""
    count = len(decision.rows)
    if count == 0:
        found = "I have not found it yet."
    elif count == 1:
        found = f"My best guess is {title}." if title else "Here is my best guess."
    else:
        found = f"Here are {count} that could be it."
    if decision.question is None:
        return found
    return f"{found} {_QUESTIONS[ATTRIBUTES[decision.question]]}"
