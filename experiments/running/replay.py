"""Finished sessions gone through again: what the planner believed in each turn, without playing them anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from experiments.customers.conversation import SessionResult
from index.cards import ATTRIBUTES
from index.catalog import Catalog
from planner.dialogue import DialogueState
from planner.planner import Planner
from scoring.posterior import Belief


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """One turn of a finished session.

    Attributes:
        turn: from 1.
        state: the dialogue after the shopper's message.
        belief: what the planner believes then.
        shown: the catalog rows that were shown in reply.
    """

    turn: int
    state: DialogueState
    belief: Belief
    shown: tuple[int, ...]


def rows_by_id(catalog: Catalog) -> dict[str, int]:
    """Return the row of each product's id."""
    return {str(identifier): row for row, identifier in enumerate(catalog.ids.to_pylist())}


def replay(planner: Planner, result: SessionResult, rows: Mapping[str, int]) -> Iterator[ReplayedTurn]:
    """Yield the turns of a session as ``planner`` sees them, with the questions and pages that were played.

    A belief depends on nothing but what was said, asked and shown, so that one played session serves to see
    what other settings of the scorer would have believed in it.

    Args:
        planner: whose beliefs they are; need not be the one that played.
        result: the session.
        rows: the row of each id (see :func:`rows_by_id`).
    """
    state = DialogueState()
    for number, turn in enumerate(result.turns, 1):
        state = state.heard(planner.understand(turn.message, state).evidence)
        shown = tuple(rows[identifier] for identifier in turn.shown)
        yield ReplayedTurn(number, state, planner.belief(state), shown)
        state = state.replied(None if turn.asked is None else ATTRIBUTES.index(turn.asked), shown)
