"""All conversations with a group of shoppers: an AND-OR graph of questions and answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.customers.conversation import MAX_TURNS, PAGE_SIZE
from experiments.metrics.scorer import EFFICIENCY_WEIGHT, HIT_WEIGHT, MISS_TURN, RANK_WEIGHT
from experiments.oracle.shoppers import Group


@dataclass(frozen=True, slots=True)
class Horizon:
    """How long a session is, and how many products a page holds."""

    turns: int = MAX_TURNS
    page: int = PAGE_SIZE


def slot_value(turn: int, rank: int) -> float:
    """Return the score of a session that ends with a hit in ``turn`` at ``rank``."""
    return HIT_WEIGHT + RANK_WEIGHT / rank + EFFICIENCY_WEIGHT * (MISS_TURN - turn) / MAX_TURNS


@dataclass(frozen=True, slots=True)
class Option:
    """A question and where its answers lead: ``children`` are pairs of message and node."""

    asked: str | None
    children: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """The conversations of a group of H shoppers, as M nodes; a node's children come before it.

    A node is what the agent knows in a turn: the shoppers that are left, and what each has disclosed. What it
    has shown is not part of a node. A node without options is an end: nothing that could be asked tells its
    shoppers apart, so that all that remains is to deal them out to the slots (turn, rank) that are left.

    Attributes:
        turns: (M,) the turn of each node.
        options: the questions of each node.
        starts: (M + 1,) where each node's shoppers begin in ``shoppers``.
        shoppers: shoppers that a page could hit, those of one product together, the most probable product
            first.
        root: the node of the opening.
    """

    turns: NDArray[np.int64]
    options: tuple[tuple[Option, ...], ...]
    starts: NDArray[np.int64]
    shoppers: NDArray[np.int64]
    root: int


_Cell = tuple[tuple[int, ...], tuple[int, ...]]
"""Shoppers that have said the same, and the state of each."""


class GraphBuilder:
    """Builds the graph of one group.

    Not asking is left out: a question tells as much when it is asked earlier, and a shopper about to refuse
    or to change its mind does so whatever is asked. Where one question tells everything apart that can be
    told apart, the others are left out too: none could be better.

    Args:
        group: the shoppers.
        questions: the attributes that may be asked about.
        horizon: length of session and page.
    """

    def __init__(self, group: Group, questions: Sequence[str], horizon: Horizon) -> None:
        self._group = group
        self._questions = [name for name in questions if name in group.questions]
        self._horizon = horizon
        self._numbers: dict[tuple[int, _Cell], int] = {}
        self._turns: list[int] = []
        self._options: list[tuple[Option, ...]] = []
        self._pages: list[list[int]] = []

    def build(self) -> Graph:
        """Return the graph."""
        root = self._node(1, (tuple(range(len(self._group))), tuple(self._group.start)))
        lengths = [len(page) for page in self._pages]
        return Graph(
            turns=np.array(self._turns),
            options=tuple(self._options),
            starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            shoppers=np.array([shopper for page in self._pages for shopper in page], dtype=np.int64),
            root=root,
        )

    def _node(self, turn: int, cell: _Cell) -> int:
        key = turn, cell
        if (number := self._numbers.get(key)) is None:
            options = () if turn == self._horizon.turns or self._settled(cell) else self._ask(turn, cell)
            number = self._numbers[key] = len(self._turns)
            self._turns.append(turn)
            self._options.append(options)
            self._pages.append(self._by_product(cell))
        return number

    def _ask(self, turn: int, cell: _Cell) -> tuple[Option, ...]:
        """Return the questions that could tell shoppers apart, now or later."""
        group = self._group
        asked: list[str | None] = []
        if not self._alike(cell):
            asked = [
                name
                for name in self._questions
                if any(group.has_answer(shopper, state, name) for shopper, state in zip(*cell, strict=True))
            ]
        if not asked:
            if self._all_count(cell):
                return ()
            asked = [None]
        parted = {name: self._part(cell, name, turn + 1) for name in asked}
        for name, cells in parted.items():
            if all(self._settled(part) for part in cells.values()):
                parted = {name: cells}
                break
        distinct = {tuple(cells.values()): (name, cells) for name, cells in reversed(parted.items())}
        return tuple(
            Option(name, tuple((message, self._node(turn + 1, part)) for message, part in cells.items()))
            for name, cells in reversed(distinct.values())
        )

    def _part(self, cell: _Cell, asked: str | None, turn: int) -> dict[int, _Cell]:
        """Return the cells into which the messages of ``turn`` part a cell, by message."""
        parts: dict[int, tuple[list[int], list[int]]] = {}
        for shopper, state in zip(*cell, strict=True):
            message, after = self._group.step(shopper, state, asked, turn)
            part = parts.setdefault(message, ([], []))
            part[0].append(shopper)
            part[1].append(after)
        return {message: (tuple(part[0]), tuple(part[1])) for message, part in parts.items()}

    def _settled(self, cell: _Cell) -> bool:
        """Return whether nothing will ever tell the shoppers apart, and every page counts."""
        return self._alike(cell) and self._all_count(cell)

    def _alike(self, cell: _Cell) -> bool:
        cards = map(self._group.card, cell[0])
        first = next(cards)
        return all(card == first for card in cards)

    def _all_count(self, cell: _Cell) -> bool:
        return all(map(self._group.counts, *cell))

    def _by_product(self, cell: _Cell) -> list[int]:
        """Return the shoppers whom a page can hit, by product, the most probable first."""
        group = self._group
        by_product: dict[int, list[int]] = {}
        for shopper, state in zip(*cell, strict=True):
            if group.counts(shopper, state):
                by_product.setdefault(group.products[shopper], []).append(shopper)
        order = sorted(by_product.items(), key=lambda item: (-group.weights[item[1]].sum(), item[0]))
        return [shopper for _, shoppers in order for shopper in shoppers]
