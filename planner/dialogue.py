"""The state of one conversation: what has been said, asked and shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from scoring.evidence import (
    CategoryNamed,
    Evidence,
    Refusal,
    Retraction,
    Shown,
    Silence,
    Switch,
    since_switch,
)


@dataclass(frozen=True, slots=True)
class DialogueState:
    """An immutable state; :meth:`heard` and :meth:`replied` give the next one.

    Attributes:
        evidence: all that the conversation has shown, in order.
        questions: codes of the attributes asked, in order; ``None`` where nothing was asked. They are counted
            anew when the shopper turns to another product.
        messages: how many messages have been heard; the turn of the last one.
    """

    evidence: Evidence = ()
    questions: tuple[int | None, ...] = ()
    messages: int = 0

    @property
    def last_question(self) -> int | None:
        """Return the attribute asked last, ``None`` for none."""
        return self.questions[-1] if self.questions else None

    @property
    def times_asked(self) -> Counter[int]:
        """Return how often each attribute has been asked."""
        return Counter(question for question in self.questions if question is not None)

    @property
    def retired(self) -> frozenset[int]:
        """Return the attributes on which the shopper has nothing more to say."""
        return frozenset(item.asked for item in since_switch(self.evidence) if isinstance(item, Silence))

    @property
    def refused(self) -> frozenset[int]:
        """Return the attributes that the shopper left to the agent, or on which it took back what it said."""
        found: set[int] = set()
        for item in since_switch(self.evidence):
            if isinstance(item, Refusal):
                found.add(item.asked)
            elif isinstance(item, Retraction) and item.attribute is not None:
                found.add(item.attribute)
        return frozenset(found)

    @property
    def category(self) -> CategoryNamed | None:
        """Return the kind of product named last, ``None`` for none."""
        return next((item for item in reversed(self.evidence) if isinstance(item, CategoryNamed)), None)

    def at(self, turn: int) -> DialogueState:
        """Return the state before the message of ``turn``, where earlier ones may have been missed."""
        return replace(self, messages=max(self.messages, turn - 1))

    def heard(self, evidence: Evidence) -> DialogueState:
        """Return the state after a message that shows ``evidence``."""
        switched = any(isinstance(item, Switch) for item in evidence)
        questions = () if switched else self.questions
        return DialogueState(self.evidence + evidence, questions, self.messages + 1)

    def replied(self, question: int | None, rows: tuple[int, ...]) -> DialogueState:
        """Return the state after a reply that asks ``question`` and shows ``rows``."""
        shown = (Shown(rows),) if rows else ()
        return replace(self, evidence=self.evidence + shown, questions=(*self.questions, question))
