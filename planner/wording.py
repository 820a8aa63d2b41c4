"""What the agent says: what it understood, what it shows, one question. Short and natural."""

from __future__ import annotations

import html

from index.cards import ATTRIBUTES
from index.fingerprint import FingerprintIndex
from planner.trace import Decision
from scoring.evidence import (
    CategoryNamed,
    Evidence,
    LinesSaid,
    Override,
    PriceWanted,
    Refusal,
    Retraction,
    Silence,
    Switch,
    Unwanted,
    Words,
    WordsSaid,
)

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
_NAMES = {"use_case": "its use", "budget": "the price", "feature": "features", "other": "that"}
PLAIN = "Here is what I found."
_QUOTE_LENGTH = 60
_TITLE_LENGTH = 80


def attribute_name(code: int) -> str:
    """Return how an attribute is spoken of within a sentence."""
    name = ATTRIBUTES[code] if 0 <= code < len(ATTRIBUTES) else "other"
    return _NAMES.get(name, name)


def shortened(text: str, length: int) -> str:
    """Return ``text`` on one line, without control characters, cut after a word to at most ``length``."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in html.unescape(text)).split())
    if len(line) <= length:
        return line
    head = line[: length - 1]
    cut = head if line[length - 1] == " " else head.rpartition(" ")[0] or head
    return cut.rstrip(" ,;:.-") + "…"


def quoted(text: str, length: int = _QUOTE_LENGTH) -> str:
    """Return ``text`` shortened, in quotation marks."""
    return f"“{shortened(text, length)}”"


def listed(parts: list[str], word: str = "and") -> str:
    """Return the parts as one phrase: ``a``, ``a and b``, ``a, b and c``."""
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def understood_text(evidence: Evidence, lines: FingerprintIndex) -> str:
    """Return one sentence that names what a message was understood as; empty where there is nothing to name.

    Args:
        evidence: what that one message showed.
        lines: the catalog's spec lines.
    """
    category = next((item.text for item in evidence if isinstance(item, CategoryNamed)), "")
    kind = shortened(category, _QUOTE_LENGTH)
    limits = _limits(evidence)
    said = listed(
        [quoted(lines.text(line)) for item in evidence if isinstance(item, LinesSaid) for line in item.lines]
    )
    if kind and any(isinstance(item, Switch) for item in evidence):
        return f"Understood, {kind} instead, with {said}." if said else f"Understood, {kind} instead."
    if any(isinstance(item, Override) for item in evidence):
        return f"Understood, now {said} counts." if said else "Understood, forget what came before."
    if limits:
        free = [
            quoted(text) for item in evidence if isinstance(item, WordsSaid) if (text := _text(item.words))
        ]
        return f"Noted: {listed([*filter(None, (kind, said)), *free, *limits])}."
    if kind:
        return f"{kind} with {said}, noted." if said else f"You are looking for {kind}."
    if said:
        return f"Noted: {said}."
    for item in evidence:
        match item:
            case Silence(asked=asked):
                return f"Nothing more about {attribute_name(asked)}, then."
            case Refusal(asked=asked):
                return f"Then I will use my judgment on {attribute_name(asked)}."
            case Retraction(attribute=attribute, words=heard):
                named = " ".join(word.text for word in heard)
                about = quoted(named) if named or attribute is None else attribute_name(attribute)
                return f"Understood, {about} no longer counts."
            case WordsSaid(words=heard) if text := shortened(
                " ".join(word.text for word in heard), _QUOTE_LENGTH
            ):
                return f"I searched for “{text}”."
    return ""


def _limits(evidence: Evidence) -> list[str]:
    """Return what must not be, and what it may cost, each in a few words."""
    found = []
    for item in evidence:
        match item:
            case Unwanted(words=heard) if text := _text(heard):
                found.append(f"not {quoted(text)}")
            case PriceWanted(least=least, most=most):
                if least == most:
                    found.append(f"a price of {most:,.6g}")
                elif least <= 0.0:
                    found.append(f"at most {most:,.6g}")
                elif most == float("inf"):
                    found.append(f"at least {least:,.6g}")
                else:
                    found.append(f"from {least:,.6g} to {most:,.6g}")
    return found


def _text(heard: Words) -> str:
    return shortened(" ".join(word.text for word in heard), _QUOTE_LENGTH)


def reply_text(decision: Decision, title: str, understood: str = "") -> str:
    """Return the reply for a decision.

    Args:
        decision: what is shown and asked.
        title: that of the first product shown.
        understood: a sentence on what the message was understood as (:func:`understood_text`).
    """
    count = len(decision.rows)
    name = shortened(title, _TITLE_LENGTH)
    if count == 0:
        found = "I have not found it yet."
    elif count == 1:
        end = "" if name.endswith("…") else "."
        found = f"My best guess is {name.rstrip('.')}{end}" if name else "Here is my best guess."
    else:
        found = f"Here are {count} that could be it."
    question = "" if decision.question is None else _QUESTIONS[ATTRIBUTES[decision.question]]
    return " ".join(filter(None, (understood, found, question)))
