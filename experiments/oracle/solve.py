"""The value of the best policy for a group of shoppers, between a policy that reaches it and a bound.

Showing a product twice is useless, so each shopper is hit once at most. Without that rule the nodes of the
graph are independent, and dynamic programming solves them. Lagrangian relaxation (Held and Karp 1970; Fisher
1981) puts a price on each hit in its place: for any prices p >= 0, one for each shopper,

    V <= L(p) = sum(p) + max over policies that may show a product again of (score - prices of the hits).

Subgradient steps look for the prices of the least L. On the way, each best policy of L, kept from showing a
product again, is a policy that an agent can play: its expected score is at most V.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from experiments.oracle.shoppers import Group
from experiments.oracle.tree import Graph, Horizon, slot_value

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to look for better prices.

    Attributes:
        steps: subgradient steps at most.
        gap: stop where bound and policy are this near, in score.
        relaxation: first length of a step, as a share of Polyak's.
        patience: steps without a better bound after which the length is halved.
    """

    steps: int = 150
    gap: float = 1e-5
    relaxation: float = 1.0
    patience: int = 8


@dataclass(frozen=True, slots=True)
class Step:
    """What a policy does where it knows as much as in one node.

    Attributes:
        turn: the turn of the node.
        asked: the question, ``None`` for none.
        pages: the rows to show, best first; at an end, where nothing more can be learnt, for each turn left.
        next: the step after each message; empty at an end.
    """

    turn: int
    asked: str | None
    pages: tuple[tuple[int, ...], ...]
    next: Mapping[str, Step]


@dataclass(frozen=True, slots=True)
class Solution:
    """What was found for the shoppers of an opening.

    Attributes:
        reached: expected score of the policy.
        bound: no agent's expected score is higher.
        first: the policy's step after the opening.
    """

    reached: float
    bound: float
    first: Step


@dataclass(frozen=True, slots=True)
class _Flat:
    """A graph as arrays for the kernels.

    Attributes:
        turns: (M,) the turn of each node.
        starts: (M + 1,) where each node's entries begin.
        shoppers: (E,) the shopper of each entry.
        products: (E,) the product of each entry.
        options: (M + 1,) where each node's options begin.
        children: (O + 1,) where each option's children begin.
        nodes: (C,) the node of each child.
        page_slots: (T + 1, K) value of each rank of a page by turn.
        end_slots: (T + 1, K * T) values of the slots left by turn, highest first.
        end_counts: (T + 1,) how many those are.
    """

    turns: Ints
    starts: Ints
    shoppers: Ints
    products: Ints
    options: Ints
    children: Ints
    nodes: Ints
    page_slots: Floats
    end_slots: Floats
    end_counts: Ints

    @classmethod
    def of(cls, group: Group, graph: Graph, horizon: Horizon) -> _Flat:
        options = [option for node in graph.options for option in node]
        page_slots = np.zeros((horizon.turns + 1, horizon.page))
        end_slots = np.zeros((horizon.turns + 1, horizon.page * horizon.turns))
        end_counts = np.zeros(horizon.turns + 1, dtype=np.int64)
        for turn in range(1, horizon.turns + 1):
            page_slots[turn] = [slot_value(turn, rank) for rank in range(1, horizon.page + 1)]
            left = [slot_value(*slot) for slot in slots_from(turn, horizon)]
            end_slots[turn, : len(left)] = left
            end_counts[turn] = len(left)
        return cls(
            turns=graph.turns,
            starts=graph.starts,
            shoppers=graph.shoppers,
            products=np.array(group.products, dtype=np.int64)[graph.shoppers],
            options=_starts([len(node) for node in graph.options]),
            children=_starts([len(option.children) for option in options]),
            nodes=np.array([node for option in options for _, node in option.children], dtype=np.int64),
            page_slots=page_slots,
            end_slots=end_slots,
            end_counts=end_counts,
        )

    def arrays(self) -> tuple[Any, ...]:
        """Return the arrays in the order in which the kernels take them."""
        return tuple(getattr(self, field.name) for field in fields(self))


def slots_from(turn: int, horizon: Horizon) -> list[tuple[int, int]]:
    """Return the slots (turn, rank) left in ``turn``, most valuable first, the earlier of equal ones."""
    slots = [(t, r) for t in range(turn, horizon.turns + 1) for r in range(1, horizon.page + 1)]
    return sorted(slots, key=lambda slot: (-round(slot_value(*slot), 9), slot))


def solve(group: Group, graph: Graph, horizon: Horizon, effort: Effort | None = None) -> Solution:
    """Return the policy found, its expected score, and the bound."""
    effort = effort or Effort()
    flat = _Flat.of(group, graph, horizon).arrays()
    weights = group.weights
    prices = _first_prices(flat, weights, graph.root)
    best_prices, bound, reached = prices, np.inf, -np.inf
    policy: tuple[Ints, NDArray[np.bool_]]
    relaxation, stale = effort.relaxation, 0
    for _ in range(effort.steps):
        value, choice, hits = _relax(*flat, weights, prices, prices, graph.root)
        shown, score, _ = _play(*flat, weights, prices, choice, graph.root)
        if score > reached:
            reached, policy = score, (choice, shown)
        stale += 1
        if value + prices.sum() < bound:
            bound, best_prices, stale = value + prices.sum(), prices, 0
        slope = 1.0 - hits
        slope[(prices <= 0) & (slope > 0)] = 0.0
        length = (weights * slope**2).sum()
        if bound - reached <= effort.gap or length <= 0:
            break
        if stale >= effort.patience:
            relaxation, stale, prices = relaxation / 2, 0, best_prices
            continue
        step = relaxation * max(value + prices.sum() - reached, effort.gap) / length
        prices = np.maximum(prices - step * weights * slope, 0.0)
    return Solution(float(reached), float(bound), _step(group, graph, horizon, graph.root, *policy))


def _step(
    group: Group, graph: Graph, horizon: Horizon, node: int, choice: Ints, shown: NDArray[np.bool_]
) -> Step:
    """Return what the policy does from a node on; ``shown`` marks the entries that it shows."""
    turn = int(graph.turns[node])
    entries = slice(graph.starts[node], graph.starts[node + 1])
    rows = tuple(
        dict.fromkeys(group.products[shopper] for shopper in graph.shoppers[entries][shown[entries]])
    )
    if graph.options[node]:
        option = graph.options[node][choice[node]]
        after = {
            group.messages[message]: _step(group, graph, horizon, child, choice, shown)
            for message, child in option.children
        }
        return Step(turn, option.asked, (rows,), after)
    pages: list[tuple[int, ...]] = [()] * (horizon.turns + 1 - turn)
    for row, (slot_turn, _) in zip(rows, slots_from(turn, horizon), strict=False):
        pages[slot_turn - turn] += (row,)
    return Step(turn, None, tuple(pages), {})


def _first_prices(flat: tuple[Any, ...], weights: Floats, root: int) -> Floats:
    """Return each shopper's worth where the questions are best without pages, and pages show one product."""
    never = np.full(len(weights), np.inf)
    _, choice, _ = _relax(*flat, weights, never, np.zeros(len(weights)), root)
    _, _, worth = _play(*flat, weights, never, choice, root)
    return weights * worth


def _starts(lengths: list[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@njit(cache=True)
def _deal(weights: Floats, prices: Floats, slots: Floats, taken: NDArray[np.bool_]) -> float:
    """Return the most that items (P,) in slots (K,) are worth less their prices; mark those dealt.

    Both come highest first, so that the items dealt, in order, take the first slots. Dynamic programming over
    items and slots.
    """
    places = min(len(slots), len(weights))
    best = np.full(places + 1, -np.inf)
    best[0] = 0.0
    choice = np.zeros((len(weights), places + 1), dtype=np.bool_)
    for i in range(len(weights)):
        for k in range(min(i + 1, places), 0, -1):
            value = best[k - 1] + weights[i] * slots[k - 1] - prices[i]
            if value >= best[k]:
                best[k] = value
                choice[i, k] = True
    k = int(np.argmax(best))
    value = best[k]
    for i in range(len(weights) - 1, -1, -1):
        taken[i] = k > 0 and choice[i, k]
        if taken[i]:
            k -= 1
    return value


@njit(cache=True)
def _items(
    first: int,
    last: int,
    shoppers: Ints,
    products: Ints,
    weights: Floats,
    prices: Floats,
    shown: NDArray[np.bool_],
) -> tuple[Floats, Floats, Ints]:
    """Return weight and price of each product of a node that was not shown, and the item of each entry."""
    item_weights = np.zeros(last - first)
    item_prices = np.zeros(last - first)
    item_of = np.full(last - first, -1)
    count = 0
    for entry in range(first, last):
        shopper = shoppers[entry]
        if shown[shopper]:
            continue
        if count == 0 or products[entry] != products[entry - 1]:
            count += 1
        item_weights[count - 1] += weights[shopper]
        item_prices[count - 1] += prices[shopper]
        item_of[entry - first] = count - 1
    return item_weights[:count], item_prices[:count], item_of


@njit(cache=True)
def _relax(
    turns: Ints,
    starts: Ints,
    shoppers: Ints,
    products: Ints,
    options: Ints,
    children: Ints,
    nodes: Ints,
    page_slots: Floats,
    end_slots: Floats,
    end_counts: Ints,
    weights: Floats,
    prices: Floats,
    end_prices: Floats,
    root: int,
) -> tuple[float, Ints, Ints]:
    """Return value, choices and hits by shopper of the best policy that may show a product again."""
    count = len(turns)
    values = np.zeros(count)
    choice = np.full(count, -1)
    taken = np.zeros(len(shoppers), dtype=np.bool_)
    nothing = np.zeros(len(weights), dtype=np.bool_)
    for node in range(count):
        first, last, turn = starts[node], starts[node + 1], turns[node]
        ends = options[node] == options[node + 1]
        charged = end_prices if ends else prices
        slots = end_slots[turn, : end_counts[turn]] if ends else page_slots[turn]
        item_weights, item_prices, item_of = _items(
            first, last, shoppers, products, weights, charged, nothing
        )
        dealt = np.zeros(len(item_weights), dtype=np.bool_)
        values[node] = _deal(item_weights, item_prices, slots, dealt)
        for entry in range(first, last):
            taken[entry] = dealt[item_of[entry - first]]
        best = -np.inf
        for option in range(options[node], options[node + 1]):
            value = 0.0
            for child in range(children[option], children[option + 1]):
                value += values[nodes[child]]
            if value > best:
                best = value
                choice[node] = option - options[node]
        if not ends:
            values[node] += best
    hits = np.zeros(len(weights), dtype=np.int64)
    reached = [root]
    while len(reached) > 0:
        node = reached.pop()
        for entry in range(starts[node], starts[node + 1]):
            hits[shoppers[entry]] += taken[entry]
        if choice[node] >= 0:
            option = options[node] + choice[node]
            for child in range(children[option], children[option + 1]):
                reached.append(nodes[child])
    return values[root], choice, hits


@njit(cache=True)
def _play(
    turns: Ints,
    starts: Ints,
    shoppers: Ints,
    products: Ints,
    options: Ints,
    children: Ints,
    nodes: Ints,
    page_slots: Floats,
    end_slots: Floats,
    end_counts: Ints,
    weights: Floats,
    prices: Floats,
    choice: Ints,
    root: int,
) -> tuple[NDArray[np.bool_], float, Floats]:
    """Return which entries a policy shows that never shows a product again, its score, and that by shopper.

    Before an end the page is the best at these prices among what was not shown, or the most probable product
    where none is worth its price; at an end everything left is dealt out.
    """
    shown = np.zeros(len(weights), dtype=np.bool_)
    taken = np.zeros(len(shoppers), dtype=np.bool_)
    worth = np.zeros(len(weights))
    free = np.zeros(len(weights))
    score = 0.0
    reached = [root]
    while len(reached) > 0:
        node = reached.pop()
        first, last, turn = starts[node], starts[node + 1], turns[node]
        ends = choice[node] < 0
        slots = end_slots[turn, : end_counts[turn]] if ends else page_slots[turn]
        item_weights, item_prices, item_of = _items(
            first, last, shoppers, products, weights, free if ends else prices, shown
        )
        dealt = np.zeros(len(item_weights), dtype=np.bool_)
        _deal(item_weights, item_prices, slots, dealt)
        if len(dealt) > 0 and not dealt.any():
            dealt[0] = True
        place = -1
        previous = -1
        for entry in range(first, last):
            item = item_of[entry - first]
            if item < 0 or not dealt[item]:
                continue
            if item != previous:
                place += 1
                previous = item
            shopper = shoppers[entry]
            taken[entry] = True
            shown[shopper] = True
            worth[shopper] = slots[place]
            score += weights[shopper] * slots[place]
        if not ends:
            option = options[node] + choice[node]
            for child in range(children[option], children[option + 1]):
                reached.append(nodes[child])
    return taken, score, worth
