"""What the planner thought in a turn."""

from __future__ import annotations

from dataclasses import dataclass

from planner.dialogue import DialogueState
from planner.understanding.reading import Span
from rollouts.engine import ActionValues
from scoring.evidence import Evidence
from scoring.posterior import Belief


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done in a turn.

    Attributes:
        question: code of the attribute to ask, ``None`` for none.
        rows: catalog rows to show, best first.
        scores: the probability of each row.
    """

    question: int | None
    rows: tuple[int, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Fallback:
    """A stage that failed and what happened: counted and shown, never silent."""

    stage: str
    error: str

    def __str__(self) -> str:
        """Return one line for a report."""
        return f"{self.stage}: {self.error}"


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """One turn as the planner saw it; parts that a fault took away are ``None``.

    So are belief and values of turns and sessions further back than are traced whole (``sessions.traced``).

    Attributes:
        turn: from 1.
        message: the shopper's words.
        evidence: what the message was understood to show.
        spans: which of the message's characters gave which of the evidence, and how sure that is.
        state: the dialogue state after the message.
        belief: what was believed then.
        values: what each action was worth; ``None`` too where there was nothing to choose.
        decision: what was done.
        fallbacks: the stages that failed.
    """

    turn: int
    message: str
    evidence: Evidence
    spans: tuple[Span, ...]
    state: DialogueState
    belief: Belief | None
    values: ActionValues | None
    decision: Decision
    fallbacks: tuple[Fallback, ...]
