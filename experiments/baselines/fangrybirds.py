"""The FangryBirds agent: a record of what was said, tiers over a small pool, a gate on the page's length."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.baselines.common import (
    Heard,
    Move,
    ProductTexts,
    SessionAgent,
    popularity_places,
    readings,
    tally,
    unexplained,
)
from index.cards import COLORS, MATERIALS
from index.catalog import MATRIX_COLUMNS, Catalog
from index.fingerprint import UNKNOWN
from index.text import normalise, words

Rows = NDArray[np.int32]

QUESTION = "other"
LINES_PER_ANSWER = 2
LAST_TURN = 10
RANK_VALUE, TURN_COST = 0.30, 0.02
"""What a hit at rank 1 is worth beyond the hit itself, and what a turn costs."""

POOL_OF_CATEGORY, POOL_OF_LINE, POOL_OF_WORDS, POOL_OF_POPULAR = 2000, 500, 300, 100
BUDGET_TOLERANCE = 0.2
"""How far a price may lie from the amount that it should be around."""

_FIRST = ("requirement", "override")
"""Forms of a sentence that says the first line of the card."""
_SPOKEN = (*_FIRST, "preference", "answer", "silence")
"""Forms that a product's card decides."""
_KEYWORDS = frozenset((*MATERIALS, *COLORS))
_PIECES = re.compile(r"[:;.,!?]\s+")
_AMOUNT = re.compile(
    r"(\bunder |\bbelow |\bless than |<= ?|\bbudget around )\$?(\d+(?:\.\d+)?)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Observed:
    """A message that only some products could have led to.

    Attributes:
        form: the form of the sentence, which decides the slots of the card that it draws.
        lines: ids of the lines that it said.
        disclosed: ids of the lines that had been disclosed before.
    """

    form: str
    lines: frozenset[int]
    disclosed: frozenset[int]


@dataclass(slots=True)
class Conversation:
    """What is known in a session; ``disclosed`` mirrors what the customer holds for said."""

    category: str = ""
    hard: list[str] = field(default_factory=list)
    soft: list[str] = field(default_factory=list)
    prices: tuple[float, float] | None = None
    disclosed: set[str] = field(default_factory=set)
    observed: list[Observed] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    free: list[str] = field(default_factory=list)

    @property
    def constraints(self) -> list[str]:
        """All constraints, hard ones first, each once."""
        return list(dict.fromkeys((*self.hard, *self.soft)))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The pool in order.

    Attributes:
        rows: (n,) products, best first.
        tied: how many at the head are alike in every tier but "not shown yet" and popularity.
    """

    rows: Rows
    tied: int


class FangryBirds(SessionAgent[Conversation]):
    """Asks ``other`` every turn; shows its best guess, or ten once waiting promises nothing better."""

    def __init__(self, catalog: Catalog, *, gated: bool = True) -> None:
        """Recommend from ``catalog``; without the gate every page is full, as in the report's ablation."""
        super().__init__(catalog)
        self._gated = gated
        self._places = popularity_places(catalog)
        self._texts = ProductTexts(catalog)

    def open(self, profile: dict[str, Any]) -> Conversation:
        """Return an empty record; the profile says nothing of the target."""
        return Conversation()

    def move(self, state: Conversation, heard: Heard, turn: int, top_k: int) -> Move:
        """Take in a message, rank the pool, and show as many as the gate lets through."""
        self.listen(state, heard)
        ranking = self.rank(state)
        full = turn >= LAST_TURN or not self._gated
        length = top_k if full else self.gate(state, ranking, top_k)
        page = ranking.rows[:length].tolist()
        state.shown.update(page)
        return Move(QUESTION, page, [1 / rank for rank in range(1, len(page) + 1)])

    def listen(self, state: Conversation, heard: Heard) -> None:
        """Enter a message into the record."""
        state.category = heard.category or state.category
        if heard.form == "free":
            self._listen_freely(state, heard.text)
        elif heard.form in _SPOKEN:
            said = self.read_answer(state, heard.text) if heard.form == "answer" else _only(heard.text)
            (state.hard if heard.form in _FIRST else state.soft).extend(said)
            self._observe(state, heard.form, said)
            if heard.form != "preference":
                state.disclosed.update(said)
            if heard.form == "override":
                state.shown.clear()
            for text in said:
                _note_budget(state, text)

    def _listen_freely(self, state: Conversation, text: str) -> None:
        state.free.append(text)
        if not state.category:
            state.category = self._category_within(text)
        pieces = _PIECES.split(text)
        known = self.catalog.lines.find(pieces) != UNKNOWN
        state.soft.extend(piece for piece, found in zip(pieces, known, strict=True) if found)
        state.soft.extend(word for word in words(text) if word in _KEYWORDS)
        _note_budget(state, text)

    def _category_within(self, text: str) -> str:
        """Return the longest category phrase that stands in ``text``."""
        spoken = f" {normalise(text)} "
        phrases = [phrase for phrase in self.catalog.categories.phrases if f" {phrase} " in spoken]
        return max(phrases, key=len, default="")

    def read_answer(self, state: Conversation, answer: str) -> tuple[str, ...]:
        """Return the constraints in ``answer``: the reading that a real product could best have produced.

        Readings that leave no word unexplained come first, then those that a product of the category could
        have produced, then those that any product could have.
        """

        def fitness(constraints: tuple[str, ...]) -> tuple[int, bool, bool]:
            lines = self._ids(constraints)
            holders = [self.catalog.lines.postings[line] for line in lines]
            rows = reduce(np.intersect1d, holders) if holders else np.empty(0, dtype=np.int32)
            observed = Observed("answer", frozenset(lines), frozenset(self._ids(state.disclosed)))
            rows = rows[self._produced(rows, observed)]
            inside = bool(self._in_category(state, rows).any())
            return -unexplained(self.catalog, constraints), inside, len(rows) > 0

        return max(readings(answer), key=fitness)

    def _ids(self, texts: Iterable[str]) -> list[int]:
        found = self.catalog.lines.find(sorted(texts)).tolist()
        return [line for line in found if line != UNKNOWN]

    def _observe(self, state: Conversation, form: str, said: Sequence[str]) -> None:
        lines = self._ids(said)
        if len(lines) == len(said):
            state.observed.append(Observed(form, frozenset(lines), frozenset(self._ids(state.disclosed))))

    def would_say(self, rows: Rows, form: str, disclosed: Iterable[int]) -> NDArray[np.int32]:
        """Return (n, 4) the lines that each product would disclose in a message of ``form``, -1 elsewhere."""
        cards = self.catalog.lines.cards[rows]
        filled = cards != UNKNOWN
        slots = np.arange(cards.shape[1])
        if form in _FIRST:
            drawn = filled & (slots == 0)
        elif form == "preference":
            count = filled.sum(axis=1, keepdims=True)
            drawn = slots == np.where(count > 2, count - 1, 0)
        else:
            still = filled & ~np.isin(cards, list(disclosed))
            drawn = still & (np.cumsum(still, axis=1) <= LINES_PER_ANSWER)
        return np.where(drawn, cards, UNKNOWN)

    def _produced(self, rows: Rows, observed: Observed) -> NDArray[np.bool_]:
        """Return for each row whether the product would have led to what was observed."""
        lines = self.would_say(rows, observed.form, observed.disclosed)
        right = np.isin(lines, list(observed.lines)) | (lines == UNKNOWN)
        return right.all(axis=1) & ((lines != UNKNOWN).sum(axis=1) == len(observed.lines))

    def _in_category(self, state: Conversation, rows: Rows) -> NDArray[np.bool_]:
        number = self.catalog.categories.exact(state.category)
        return self.catalog.categories.of_product[rows] == (-1 if number is None else number)

    def _pool(self, state: Conversation) -> Rows:
        catalog = self.catalog
        number = catalog.categories.exact(state.category)
        query = " ".join((state.category, *state.constraints, *state.free))
        sources: list[NDArray[Any]] = [
            catalog.popular[:POOL_OF_POPULAR],
            catalog.lexical.top(query, POOL_OF_WORDS)[0],
        ]
        if number is not None:
            sources.append(catalog.categories.postings[number][:POOL_OF_CATEGORY])
        sources += [catalog.lines.postings[line][:POOL_OF_LINE] for line in self._ids(state.constraints)]
        return np.unique(np.concatenate(sources)).astype(np.int32)

    def rank(self, state: Conversation) -> Ranking:
        """Order the pool by tiers: none of them removes a product."""
        rows = self._pool(state)
        cards = self.catalog.lines.cards[rows]

        def in_card(constraints: Sequence[str]) -> NDArray[np.int64]:
            lines = self._ids(dict.fromkeys(constraints))
            return (cards[:, :, None] == np.array(lines, dtype=np.int32)).any(axis=1).sum(axis=1)

        tiers = np.stack(
            [
                self._in_category(state, rows),
                in_card(state.hard),
                in_card(state.constraints),
                tally([self._produced(rows, seen) for seen in state.observed], len(rows)),
                tally([self._texts.hold(rows, text) for text in state.constraints], len(rows)),
                self._within_budget(state, rows),
            ]
        )
        fresh = ~np.isin(rows, list(state.shown))
        order = np.lexsort((self._places[rows], ~fresh, *-tiers[::-1]))
        alike = (tiers == tiers[:, order[:1]]).all(axis=0)
        return Ranking(rows[order], int(alike.sum()))

    def _within_budget(self, state: Conversation, rows: Rows) -> NDArray[np.bool_]:
        if state.prices is None:
            return np.ones(len(rows), dtype=bool)
        matrix = self.catalog.matrix[rows]
        prices = np.round(np.expm1(matrix[:, MATRIX_COLUMNS.index("log_price")]), 2)
        known = matrix[:, MATRIX_COLUMNS.index("has_price")] > 0
        return known & (prices >= state.prices[0]) & (prices <= state.prices[1])

    def gate(self, state: Conversation, ranking: Ranking, top_k: int) -> int:
        """Return how many products to show: each rank must be worth more now than waiting is.

        Waiting is worth ``RANK_VALUE`` times the reciprocal rank expected after one more question, less
        ``TURN_COST``. Where nothing is left to tell apart it promises nothing.
        """
        waiting = RANK_VALUE * self.expected_reciprocal_rank(state, ranking) - TURN_COST
        worth = [rank for rank in range(2, top_k + 1) if RANK_VALUE / rank >= waiting]
        return max(worth, default=1)

    def expected_reciprocal_rank(self, state: Conversation, ranking: Ranking) -> float:
        """Return the reciprocal rank expected after the next answer, should the best guess be wrong.

        The target is taken for one of the other tied products that were not shown, each as probable as it is
        often rated (plus one); it will stand among those that would give the same answer. 0 without any.
        """
        rivals = ranking.rows[1 : ranking.tied]
        rivals = rivals[~np.isin(rivals, list(state.shown))]
        if not len(rivals):
            return 0.0
        weights = np.exp(self.catalog.matrix[rivals, MATRIX_COLUMNS.index("log_reviews")].astype(np.float64))
        answers = np.sort(self.would_say(rivals, "answer", self._ids(state.disclosed)), axis=1)
        ahead: Counter[bytes] = Counter()
        total = 0.0
        for answer, weight in zip(answers, weights.tolist(), strict=True):
            ahead[answer.tobytes()] += 1
            total += weight / ahead[answer.tobytes()]
        return total / float(weights.sum())


def _only(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _note_budget(state: Conversation, text: str) -> None:
    if match := _AMOUNT.search(text):
        amount = float(match[2])
        around = match[1].lower().startswith("budget")
        low, high = (1 - BUDGET_TOLERANCE, 1 + BUDGET_TOLERANCE) if around else (0.0, 1.0)
        state.prices = (low * amount, high * amount)
