"""Every shopper that there could be: which openings they share, and what each would say next."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from experiments.customers.customer import CONSTRAINTS_PER_REPLY, OTHER, OVERRIDE_TURNS
from index.cards import ATTRIBUTES, CARD_SLOTS, category_words, constraint_class, intent_card
from index.products import Product
from planner import sentences

REFUSED = 1 << CARD_SLOTS
"""Bit of a shopper's state, next to those of the slots disclosed: it has refused a question (boundary)."""
OVERRIDDEN = REFUSED << 1
"""Bit: it has changed its mind (intent override)."""

_LEAST_WEIGHT = 1e-9
"""Prior probability of a product that the target distribution leaves out, before normalisation."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A scenario as a shopper plays it: ``override_turn`` is 0 where it does not change its mind."""

    scenario: str
    override_turn: int = 0


def kinds(mix: Mapping[str, float]) -> dict[Kind, float]:
    """Return the kinds of shopper with their probabilities, in proportion to ``mix`` by scenario."""
    total = sum(mix.values())
    found: dict[Kind, float] = {}
    for scenario, share in mix.items():
        turns = OVERRIDE_TURNS if scenario == "intent_override" else (0,)
        found |= {Kind(scenario, turn): share / total / len(turns) for turn in turns}
    return found


class Population:
    """All shoppers: each product as the target, in each scenario, with the probability of both.

    Args:
        products: the catalog.
        weights: (N,) the probability of each product to be the target, positive sum.
        mix: the share of each scenario.
    """

    def __init__(
        self, products: Sequence[Product], weights: NDArray[np.float64], mix: Mapping[str, float]
    ) -> None:
        self.ids = [product.parent_asin for product in products]
        self.weights = np.maximum(weights / weights.sum(), _LEAST_WEIGHT)
        self.kinds = kinds(mix)
        self.cards: list[tuple[str, ...]] = []
        self.classes: list[tuple[str, ...]] = []
        self._openings: list[tuple[str, str, str]] = []
        for product in products:
            card = intent_card(product)
            self.cards.append(card.slots)
            self.classes.append(tuple(map(constraint_class, card.slots)))
            self._openings.append((category_words(product.categories), card.hard[0], card.soft[-1]))

    def __repr__(self) -> str:
        """Return a name that stands for the content."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(repr((self.ids, self._openings, self.cards, self.kinds)).encode(errors="replace"))
        digest.update(self.weights.tobytes())
        return f"Population({digest.hexdigest()})"

    def opening(self, product: int, kind: Kind) -> str:
        """Return the first message of a shopper."""
        category, first, last = self._openings[product]
        wish = f"{sentences.OPENING}{category}"
        match kind.scenario:
            case "buying":
                return f"{wish}{sentences.REQUIREMENT_FOLLOWS}{first}."
            case "intent_override":
                return f"{wish}. {last}"
            case _:
                return f"{wish}{sentences.EXPLORING}"

    @cached_property
    def by_opening(self) -> dict[str, list[tuple[int, Kind]]]:
        """The shoppers of each opening, as product and kind."""
        found: dict[str, list[tuple[int, Kind]]] = {}
        for kind in self.kinds:
            for product in range(len(self.ids)):
                found.setdefault(self.opening(product, kind), []).append((product, kind))
        return found

    def group(self, opening: str) -> Group:
        """Return the shoppers who open with ``opening``; there may be none."""
        return Group(self, self.by_opening.get(opening, []))


class Group:
    """The shoppers who open with the same message: from here on the agent has to tell them apart.

    Attributes:
        products: the row of each shopper's product.
        kinds: the kind of each.
        weights: (H,) the posterior probability of each.
        start: the state of each after its opening.
        share: the prior probability of the group.
        questions: the attributes about which any of them has something to say.
        messages: the text of each message, by the number that :meth:`step` gives it.
    """

    def __init__(self, population: Population, shoppers: Sequence[tuple[int, Kind]]) -> None:
        self.products = [product for product, _ in shoppers]
        self.kinds = [kind for _, kind in shoppers]
        weights = np.array([population.weights[p] * population.kinds[kind] for p, kind in shoppers])
        self.share = float(weights.sum())
        self.weights = weights / self.share if len(weights) else weights
        self.start = [1 if kind.scenario == "buying" else 0 for kind in self.kinds]
        self.messages: list[str] = []
        self._numbers: dict[str, int] = {}
        self._cards = [population.cards[p] for p in self.products]
        self._slots = [_slots_by_question(population.classes[p]) for p in self.products]
        self.questions = frozenset(name for slots in self._slots for name in slots)
        self._steps: dict[tuple[int, int, str], tuple[int, int]] = {}

    def __len__(self) -> int:
        """Return the number of shoppers."""
        return len(self.products)

    def card(self, shopper: int) -> tuple[str, ...]:
        """Return what a shopper has to say; shoppers with the same card say the same."""
        return self._cards[shopper]

    def counts(self, shopper: int, state: int) -> bool:
        """Return whether a page shown in this state can be a hit."""
        return bool(state & OVERRIDDEN) or not self.kinds[shopper].override_turn

    def step(self, shopper: int, state: int, asked: str | None, turn: int) -> tuple[int, int]:
        """Return message and state of a shopper in ``turn``, after a reply that asked for ``asked``."""
        kind = self.kinds[shopper]
        if kind.override_turn == turn:
            return self._number(f"{sentences.OVERRIDE}{self._cards[shopper][0]}."), state | OVERRIDDEN | 1
        if asked is None:
            return self._number(sentences.NOTHING_ASKED), state
        if kind.scenario == "boundary" and not state & REFUSED:
            refusal = f"I don't have a preference for {asked}; please use your judgment."
            return self._number(refusal), state | REFUSED
        key = shopper, state, asked
        if (found := self._steps.get(key)) is None:
            found = self._steps[key] = self._answer(*key)
        return found

    def has_answer(self, shopper: int, state: int, asked: str) -> bool:
        """Return whether a shopper has anything left to say about ``asked``."""
        return bool(self._slots[shopper].get(asked, 0) & ~state)

    def _answer(self, shopper: int, state: int, asked: str) -> tuple[int, int]:
        left = self._slots[shopper].get(asked, 0) & ~state
        slots = [slot for slot in range(CARD_SLOTS) if left >> slot & 1][:CONSTRAINTS_PER_REPLY]
        if not slots:
            return self._number(f"I don't have an additional preference for {asked}."), state
        said = "; ".join(self._cards[shopper][slot] for slot in slots)
        return self._number(f"{sentences.ANSWER}{said}."), state | sum(1 << slot for slot in slots)

    def _number(self, message: str) -> int:
        if message not in self._numbers:
            self._numbers[message] = len(self.messages)
            self.messages.append(message)
        return self._numbers[message]


def _slots_by_question(classes: Sequence[str]) -> dict[str, int]:
    """Return by attribute the slots that answer a question about it, as bits."""
    slots = {OTHER: (1 << len(classes)) - 1}
    for slot, name in enumerate(classes):
        slots[name] = slots.get(name, 0) | 1 << slot
    return slots


def questions(track: str) -> tuple[str, ...]:
    """Return the attributes that an agent may ask about on ``track``."""
    return tuple(name for name in ATTRIBUTES if name != OTHER or track == "wildcard")
