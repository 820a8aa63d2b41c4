"""The Lab Rats agent without its language model: a ledger of requirements, found literally, and one pick."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.baselines.common import (
    Heard,
    Move,
    ProductTexts,
    SessionAgent,
    likeliest_reading,
    popularity_places,
    tally,
)
from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.fingerprint import UNKNOWN

Rows = NDArray[np.int64]

POOL = 2000
LINES_PER_ANSWER = 2
WIDE_TIE = 10
"""A tie of more products than this is wide: no page can hold it."""


@dataclass(slots=True)
class Ledger:
    """What was said in a session; nothing is ever taken out.

    Attributes:
        category: the words for the kind of product.
        requirements: every requirement as said.
        free: sentences outside the protocol.
        spent: attributes about which the shopper has nothing left to say.
        last_page: the rows shown in the turn before, which the next page leaves out.
    """

    category: str = ""
    requirements: list[str] = field(default_factory=list)
    free: list[str] = field(default_factory=list)
    spent: set[str] = field(default_factory=set)
    last_page: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The pool in order.

    Attributes:
        rows: (n,) products, best first.
        tied: how many at the head hold as many requirements, in the same standing to the category.
    """

    rows: Rows
    tied: int


class LabRats(SessionAgent[Ledger]):
    """Commits to one pick while many candidates tie, and asks the question that splits the tie."""

    def __init__(self, catalog: Catalog) -> None:
        """Recommend from ``catalog``."""
        super().__init__(catalog)
        self._places = popularity_places(catalog)
        self._texts = ProductTexts(catalog)

    def open(self, profile: dict[str, Any]) -> Ledger:
        """Return an empty ledger."""
        return Ledger()

    def move(self, state: Ledger, heard: Heard, turn: int, top_k: int) -> Move:
        """Enter a message, rank without what the last page showed, and ask what splits the tie."""
        self.enter(state, heard)
        ranking = self.rank(state)
        page = ranking.rows[: 1 if ranking.tied > WIDE_TIE else top_k].tolist()
        state.last_page = page
        question = self.question(state, ranking.rows[: ranking.tied])
        return Move(question, page, [1 / rank for rank in range(1, len(page) + 1)])

    def enter(self, state: Ledger, heard: Heard) -> None:
        """Enter a message into the ledger."""
        state.category = heard.category or state.category
        match heard.form:
            case "answer":
                state.requirements.extend(likeliest_reading(self.catalog, heard.text))
            case "requirement" | "preference" | "override":
                state.requirements.append(heard.text)
            case "silence":
                state.spent.add(heard.attribute)
            case "free":
                state.free.append(heard.text)

    def rank(self, state: Ledger) -> Ranking:
        """Order the pool by requirements held, category and popularity, without the last page."""
        requirements = list(dict.fromkeys(state.requirements))
        query = " ".join((state.category, *requirements, *state.free))
        rows = self.catalog.lexical.top(query, POOL)[0]
        if not len(rows):
            rows = self.catalog.popular[:POOL].astype(np.int64)
        rows = rows[~np.isin(rows, state.last_page)]
        held = tally([self._texts.hold(rows, text) for text in requirements], len(rows))
        number = self.catalog.categories.exact(state.category)
        fits = self.catalog.categories.of_product[rows] == (UNKNOWN if number is None else number)
        order = np.lexsort((self._places[rows], ~fits, -held))
        alike = (held == held[order[:1]]) & (fits == fits[order[:1]])
        return Ranking(rows[order], int(alike.sum()))

    def question(self, state: Ledger, tie: Rows) -> str | None:
        """Return the attribute whose answers split the ``tie`` best, ``None`` where nothing is left to say.

        Best is what leaves the fewest products in expectation, each being as probable as the others; of
        equal ones the first in the protocol's order.
        """
        said = self.catalog.lines.find(state.requirements)
        cards = self.catalog.lines.cards[tie]
        classes = self.catalog.lines.classes[0][cards]
        open_slots = (cards != UNKNOWN) & ~np.isin(cards, said)
        left: dict[str, int] = {}
        for code, attribute in enumerate(ATTRIBUTES):
            drawn = open_slots & ((classes == code) | (attribute == "other"))
            drawn &= np.cumsum(drawn, axis=1) <= LINES_PER_ANSWER
            if attribute not in state.spent and drawn.any():
                answers = Counter(
                    answer.tobytes() for answer in np.sort(np.where(drawn, cards, UNKNOWN), axis=1)
                )
                left[attribute] = sum(size**2 for size in answers.values())
        return min(left, key=left.__getitem__, default=None)
