"""Changes of what a shopper wants and knows."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from experiments.customers.customer import OVERRIDE_TURNS, Customer, Shopper
from experiments.perturbations.perturbation import Scene
from index.cards import CARD_SLOTS, COLORS, MATERIALS, IntentCard, card_lines, clean_line
from index.products import Product

EARLY_AND_LATE_TURNS = range(2, 7)

_COLOR_LINES = frozenset(f"color: {color}" for color in COLORS)
_CLAUSES = re.compile(r"[.;!?•|★☆✔✈●♥❤☀【】\[\]&]+|\s[-–—]\s|:\s|：|,\s(?=and\b)")
_FEWEST_WORDS, _MOST_WORDS = 2, 12
_TITLE_WORDS = 5
_UNSPOKEN_DETAIL = re.compile(r"date|dimension|weight|model|rank|batter|discontinued", re.IGNORECASE)
_PRICE_STEP = 5


def hard_and_soft_swapped(shopper: Shopper, scene: Scene) -> Shopper:
    """Let the soft preferences be the hard constraints, and the other way round."""
    card = shopper.card
    return replace(shopper, card=IntentCard(hard=card.soft, soft=card.hard))


def no_material_or_color_line(shopper: Shopper, scene: Scene) -> Shopper:
    """Build the card of features, details and price alone."""
    lines = card_lines(scene.product)
    kept = [line for line in lines if line not in MATERIALS and line not in _COLOR_LINES]
    return replace(shopper, card=_card(kept or [clean_line(scene.product.title)]))


def override_early_or_late(shopper: Shopper, scene: Scene) -> Shopper:
    """Change the mind in any turn from 2 to 6."""
    if shopper.override_turn is None:
        return shopper
    return replace(shopper, override_turn=scene.draw.rng.choice(EARLY_AND_LATE_TURNS))


def foreign_card(shopper: Shopper, scene: Scene) -> Shopper:
    """Draw the constraints by another rule: clauses, details, some of the title, the store, a price limit."""
    return replace(shopper, card=_card(_foreign_lines(scene)))


def wrong_category(shopper: Shopper, scene: Scene) -> Shopper:
    """Name the kind of product that another shopper wants."""
    categories = sorted({other.category for other in scene.others} - {shopper.category})
    return replace(shopper, category=scene.draw.rng.choice(categories)) if categories else shopper


def product_switched(shopper: Shopper, scene: Scene) -> Shopper:
    """Ask for another shopper's product first, and for one's own from turn 3 or 4."""
    others = [other for other in scene.others if other.category != shopper.category]
    if not others:
        return shopper
    before = replace(scene.draw.rng.choice(others), voice=shopper.voice, override_turn=None)
    turn = scene.draw.rng.choice(OVERRIDE_TURNS)
    return SwitchingShopper(
        shopper.session, shopper.category, shopper.card, turn, shopper.voice, before=before
    )


@dataclass(frozen=True, slots=True)
class SwitchingShopper(Shopper):
    """A shopper who wants one product before ``override_turn`` and another one from then on.

    Attributes:
        before: the shopper of the first product.
    """

    before: Shopper | None = None

    def customer(self) -> Customer:
        """Return the shopper at the start of its conversation."""
        return _SwitchingCustomer(self)


class _SwitchingCustomer(Customer):
    """Speaks for the first product, then takes it back and opens anew, as a buyer does, for the second."""

    def __init__(self, shopper: SwitchingShopper) -> None:
        assert shopper.before is not None
        assert shopper.override_turn is not None
        super().__init__(shopper)
        self._turn = shopper.override_turn
        self._before = shopper.before.customer()
        buyer = replace(shopper.session, scenario="buying")
        self._after = Customer(Shopper(buyer, shopper.category, shopper.card, voice=shopper.voice))

    def opening(self) -> str:
        return self._before.opening()

    def message(self, turn: int, asked: str | None) -> str:
        if turn < self._turn:
            return self._before.message(turn, asked)
        if turn == self._turn:
            return f"Actually, ignore my earlier preference. {self._after.opening()}"
        return self._after.message(turn, asked)


def _card(lines: Sequence[str]) -> IntentCard:
    return IntentCard(hard=tuple(lines[:2]), soft=tuple(lines[2:CARD_SLOTS]) or (lines[0],))


def _foreign_lines(scene: Scene) -> list[str]:
    """Return two facts of the product that lead and two that follow, each drawn from its own pool."""
    product, rng = scene.product, scene.draw.rng
    title = _title_part(product)
    clauses = [clause for feature in product.features for clause in _clauses(feature)]
    details = [
        f"{key} is {value}"
        for key, value in product.details.items()
        if isinstance(value, str) and not _UNSPOKEN_DETAIL.search(key)
    ]
    hard = list(dict.fromkeys((*clauses, *details)))
    rng.shuffle(hard)
    hard = hard[:2]
    soft = [title, *(clause for text in product.description for clause in _clauses(text))]
    if product.store:
        soft.append(f"made by {product.store}")
    if product.price:
        soft.append(f"under ${math.ceil(product.price / _PRICE_STEP) * _PRICE_STEP}")
    rng.shuffle(soft)
    lines = list(dict.fromkeys(clean_line(line) for line in (*hard, *soft)))
    return [line for line in lines if line] or [clean_line(product.title)]


def _title_part(product: Product) -> str:
    title = product.title
    if product.store and title.lower().startswith(product.store.lower()):
        title = title[len(product.store) :]
    return " ".join(title.split()[:_TITLE_WORDS])


def _clauses(text: str) -> list[str]:
    parts = (clean_line(part) for part in _CLAUSES.split(text))
    return [part for part in parts if _FEWEST_WORDS <= len(part.split()) <= _MOST_WORDS]
