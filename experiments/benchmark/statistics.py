"""Figures of a catalog and of the targets that shoppers would have in it, and how they compare.

Every figure that is published of the reference catalog (:mod:`experiments.generator.reference`) is measured
here under the same name, so that a generated catalog can be laid beside it line by line. Targets are not
drawn: their figures are expectations under :func:`experiments.customers.sessions.target_weights`, which need
no seed and have no sampling error of their own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.customers.sessions import target_weights
from experiments.generator.reference import reference_figures
from index.cards import CARD_SLOTS, MATERIALS, card_lines, category_words, constraint_class, detail_lines
from index.products import Product
from index.text import fingerprints

Weights = NDArray[np.float64]

PUBLIC_TARGETS = 200
SCENARIO_SHARES: Mapping[str, float] = {"buying": 0.40, "browsing": 0.45, "intent_override": 0.15}
"""Share of the openings; a boundary session opens as a browsing one does."""

_COLOR_LINE = "color: "
_SIZE = re.compile(r"\b(?:size|sizes|sizing|width|wide|narrow)\b", re.IGNORECASE)
_STYLE = re.compile(r"\b(?:style|styles|fit|fits|sleeve|sleeves|neck)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure beside its reference.

    Attributes:
        name: place of the figure, keys joined by dots.
        published: the reference.
        measured: the figure of the catalog at hand.
        tolerance: the largest difference that passes, in the unit of the figure.
        ok: whether the difference is within the tolerance.
    """

    name: str
    published: float
    measured: float
    tolerance: float
    ok: bool


@dataclass(frozen=True, slots=True)
class _Catalog:
    """Products (N,) with what all figures are counted from.

    Attributes:
        rows: the products.
        weights: (N,) probability of each to be a target.
        lines: all lines that could be on each card.
        cards: the lines that are on it, in order.
        words: category words.
    """

    rows: Sequence[Product]
    weights: Weights
    lines: Sequence[tuple[str, ...]]
    cards: Sequence[tuple[str, ...]]
    words: Sequence[str]


def measure(products: Iterable[Product]) -> dict[str, Any]:
    """Return the figures of a catalog under the keys of :func:`reference_figures`; shares are fractions.

    Raises:
        ValueError: the catalog is empty.
    """
    rows = list(products)
    if not rows:
        raise ValueError("an empty catalog has no figures")
    lines = [tuple(card_lines(row)) for row in rows]
    catalog = _Catalog(
        rows=rows,
        weights=target_weights(rows),
        lines=lines,
        cards=[line[:CARD_SLOTS] for line in lines],
        words=[category_words(row.categories) for row in rows],
    )
    return {
        "products": len(rows),
        "missing": _missing(rows),
        **_number_figures(rows, catalog.weights),
        **_card_figures(catalog),
        **_feature_figures(catalog),
        **_spec_figures(rows),
        **_category_figures(catalog),
        "target_constraint_frequency_in_catalog": _constraint_frequency(catalog),
        "targets_identified_by_category_and_four_constraints": _identified(catalog),
        "targets_first_at_turn_1_at_best": _first_at_best(catalog),
        "known_attribute_coverage": {
            "size": _share(_says(row, "Size", _SIZE) for row in rows),
            "style": _share(_says(row, "Style", _STYLE) for row in rows),
        },
    }


def _share(flags: Iterable[bool]) -> float:
    values = np.fromiter(flags, dtype=float)
    return float(values.mean()) if len(values) else 0.0


def _weighted_median(values: NDArray[Any], weights: Weights) -> float:
    order = np.argsort(values, kind="stable")
    place = int(np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2.0))
    return float(values[order[min(place, len(order) - 1)]])


def _missing(rows: Sequence[Product]) -> dict[str, float]:
    return {
        "price": _share(row.price is None for row in rows),
        "description": _share(not any(row.description) for row in rows),
        "features": _share(not any(row.features) for row in rows),
        "details": _share(not row.details for row in rows),
        "store": _share(not row.store for row in rows),
    }


def _number_figures(rows: Sequence[Product], weights: Weights) -> dict[str, Any]:
    even = np.full(len(rows), 1.0 / len(rows))
    figures: dict[str, Any] = {}
    columns: dict[str, list[float | None]] = {
        "rating_number": [row.rating_number for row in rows],
        "price": [row.price for row in rows],
        "average_rating": [row.average_rating for row in rows],
    }
    for field, values in columns.items():
        edges = reference_figures()[f"{field}_bands"]["edges"]
        numbers = np.array([np.nan if value is None else value for value in values], dtype=float)
        bands = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, len(edges) - 1)
        bands[np.isnan(numbers)] = len(edges)
        figures[f"{field}_bands"] = {"edges": edges}
        for name, by in (("catalog", even), ("targets", weights)):
            shares = np.bincount(bands, by, minlength=len(edges) + 1).tolist()
            figures[f"{field}_bands"] |= {name: shares[:-1], f"missing_{name}": shares[-1]}
    reviews = np.array([row.rating_number for row in rows])
    figures["rating_number_median"] = {
        "catalog": float(np.median(reviews)),
        "targets": _weighted_median(reviews, weights),
    }
    return figures


def _card_figures(catalog: _Catalog) -> dict[str, Any]:
    reference = reference_figures()
    weights = catalog.weights
    class_of = {slot: constraint_class(slot) for slot in dict.fromkeys(chain.from_iterable(catalog.cards))}
    classes = [[class_of[slot] for slot in card] for card in catalog.cards]
    patterns = [" ".join(found) for found in classes]
    of_targets: Counter[str] = Counter()
    for found, weight in zip(classes, weights.tolist(), strict=True):
        for name in found:
            of_targets[name] += PUBLIC_TARGETS * weight
    sharing = Counter(catalog.cards)
    return {
        "card_material": _catalog_and_targets([_material(card) for card in catalog.cards], weights),
        "card_color": _catalog_and_targets([_color(card) for card in catalog.cards], weights),
        "card_length_4_share": _share(len(card) == CARD_SLOTS for card in catalog.cards),
        "card_class_patterns": {
            name: {
                "catalog": _share(pattern == name for pattern in patterns),
                "targets": float(weights[[pattern == name for pattern in patterns]].sum()),
            }
            for name in reference["card_class_patterns"]
        },
        "target_constraint_classes_of_800": {
            name: of_targets[name] for name in reference["target_constraint_classes_of_800"]
        },
        "products_that_share_their_card": _share(sharing[card] > 1 for card in catalog.cards),
        "largest_shared_card_class": max(sharing.values()),
    }


def _material(card: Sequence[str]) -> str:
    return card[0] if card and card[0] in MATERIALS else "none"


def _color(card: Sequence[str]) -> str:
    return next((slot.removeprefix(_COLOR_LINE) for slot in card[:2] if slot.startswith(_COLOR_LINE)), "none")


def _catalog_and_targets(values: Sequence[str], weights: Weights) -> dict[str, dict[str, float]]:
    even: Counter[str] = Counter()
    weighted: Counter[str] = Counter()
    for value, weight in zip(values, weights.tolist(), strict=True):
        even[value] += 1
        weighted[value] += weight
    return {
        "catalog": {name: count / len(values) for name, count in even.most_common()},
        "targets": dict(weighted.most_common()),
    }


def _feature_figures(catalog: _Catalog) -> dict[str, Any]:
    """Return how many features there are and which are frequent; the card's material counts as a line."""
    reference = reference_figures()
    rows = catalog.rows
    holders: Counter[str] = Counter()
    keys: Counter[str] = Counter()
    for row, lines in zip(rows, catalog.lines, strict=True):
        holders.update({line.strip().lower() for line in (*row.features, *lines[:1])})
        keys.update(row.details.keys())
    return {
        "four_or_more_features_share": _share(len(row.features) >= 4 for row in rows),
        "frequent_features_rows": {name: holders[name] for name in reference["frequent_features_rows"]},
        "detail_keys": {
            "distinct": len(keys),
            "share_of_rows": {
                name: keys[name] / len(rows) for name in reference["detail_keys"]["share_of_rows"]
            },
        },
    }


def _spec_figures(rows: Sequence[Product]) -> dict[str, Any]:
    """Return how rare the spec lines (features and details, by fingerprint) are."""
    prints = _fingerprints([(*row.features, *detail_lines(row)) for row in rows])
    specs = [set(filter(None, own)) for own in prints]
    holders: Counter[str] = Counter()
    for own in specs:
        holders.update(own)
    return {
        "distinct_spec_strings": {
            "count": len(holders),
            "share_in_one_product_only": _share(count == 1 for count in holders.values()),
            "distinct_over_all_features": len(holders) / max(1, sum(map(len, prints))),
            "products_with_a_unique_spec": _share(any(holders[spec] == 1 for spec in own) for own in specs),
        }
    }


def _fingerprints(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the fingerprints of each product's ``lines``."""
    different = list(dict.fromkeys(chain.from_iterable(lines)))
    keys = dict(zip(different, fingerprints(different), strict=True))
    return [[keys[line] for line in own] for own in lines]


def _constraint_frequency(catalog: _Catalog) -> dict[str, float]:
    """Return in how many products a constraint of a target stands among the lines of the card."""
    prints = _fingerprints(catalog.lines)
    holders: Counter[str] = Counter()
    for own in prints:
        holders.update(set(own))
    frequency = np.array([holders[line] for own in prints for line in own[:CARD_SLOTS]])
    weights = np.repeat(catalog.weights, [len(card) for card in catalog.cards])
    weights = weights / weights.sum()
    return {
        "unique": float(weights[frequency <= 1].sum()),
        "at_most_10_rows": float(weights[frequency <= 10].sum()),
        "median_rows": _weighted_median(frequency, weights),
        "over_1000_rows": float(weights[frequency > 1000].sum()),
    }


def _category_figures(catalog: _Catalog) -> dict[str, Any]:
    sizes = Counter(catalog.words)
    ordered = np.array(sorted(sizes.values(), reverse=True))
    leaves = Counter(row.categories[-1].lower() for row in catalog.rows if row.categories)
    (name, size), *_ = sizes.most_common(1)
    buckets = np.array([sizes[words] for words in catalog.words])
    return {
        "coarse_categories": {
            "count": len(sizes),
            "singletons": int((ordered == 1).sum()),
            "median_size": float(np.median(ordered)),
            "mean_size": float(ordered.mean()),
            "largest": {"name": name, "size": size},
            "buckets_that_hold_half": int(np.searchsorted(np.cumsum(ordered), len(catalog.rows) / 2) + 1),
            "median_bucket_of_a_target": _weighted_median(buckets, catalog.weights),
        },
        "leaf_category_shares": {
            leaf: leaves[leaf] / len(catalog.rows) for leaf in reference_figures()["leaf_category_shares"]
        },
    }


def _identified(catalog: _Catalog) -> float:
    """Return the share of targets of whose category no other product can say all that their card says."""
    holders: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, (words, card) in enumerate(zip(catalog.words, catalog.cards, strict=True)):
        for slot in card:
            holders[words, slot].append(place)
    alone = []
    for words, card in zip(catalog.words, catalog.cards, strict=True):
        rarest = min((holders[words, slot] for slot in card), key=len, default=[])
        alone.append(sum(set(card) <= set(catalog.cards[other]) for other in rarest) <= 1)
    return float(catalog.weights[alone].sum())


def _first_at_best(catalog: _Catalog) -> float:
    """Return the share of sessions whose target can lead the first page.

    It can if it has the most reviews among the products that fit the opening: those of its category, for a
    buying session with its first constraint on the card. After an intent override's opening no target is
    accepted at the first turn.
    """
    leaders: dict[tuple[str, ...], int] = {}
    openings = [
        ((words,), (words, card[0])) for words, card in zip(catalog.words, catalog.cards, strict=True)
    ]
    for place, (words, card) in enumerate(zip(catalog.words, catalog.cards, strict=True)):
        for key in ((words,), *((words, slot) for slot in card)):
            best = leaders.setdefault(key, place)
            if catalog.rows[place].rating_number > catalog.rows[best].rating_number:
                leaders[key] = place
    browsing = [leaders[opening] == place for place, (opening, _) in enumerate(openings)]
    buying = [leaders[opening] == place for place, (_, opening) in enumerate(openings)]
    share = SCENARIO_SHARES["browsing"] * catalog.weights[browsing].sum()
    return float(share + SCENARIO_SHARES["buying"] * catalog.weights[buying].sum())


def _says(row: Product, key: str, words: re.Pattern[str]) -> bool:
    """Return whether a feature or a detail of ``row`` speaks of an attribute by ``words``."""
    return key in row.details or any(words.search(line) for line in row.features)


# figure (or the beginning of its name) | tolerance | whether it is a part of the published figure
_TOLERANCES: Mapping[str, tuple[float, bool]] = {
    "missing": (0.01, False),
    "rating_number_bands": (0.012, False),
    "rating_number_median.catalog": (1.5, False),
    "rating_number_median.targets": (0.15, True),
    "price_bands": (0.012, False),
    "average_rating_bands": (0.02, False),
    "card_material.catalog": (0.012, False),
    "card_material.targets": (0.07, False),
    "card_color.catalog": (0.012, False),
    "card_color.targets": (0.05, False),
    "card_length_4_share": (0.02, False),
    "card_class_patterns": (0.03, False),
    "card_class_patterns.material material feature feature.targets": (0.06, False),
    "target_constraint_classes_of_800": (0.20, True),
    "target_constraint_classes_of_800.color": (0.40, True),
    "target_constraint_classes_of_800.style": (0.60, True),
    "target_constraint_classes_of_800.size": (0.60, True),
    "target_constraint_classes_of_800.use_case": (8.0, False),
    "four_or_more_features_share": (0.02, False),
    "frequent_features_rows": (0.15, True),
    "frequent_features_rows.cotton": (0.20, True),  # published: more than the cards that say cotton
    "detail_keys.distinct": (0.05, True),
    "detail_keys.share_of_rows": (0.01, False),
    "distinct_spec_strings.count": (0.05, True),
    "distinct_spec_strings": (0.03, False),
    "products_that_share_their_card": (0.03, False),
    "largest_shared_card_class": (0.35, True),
    "coarse_categories": (0.15, True),
    "coarse_categories.median_size": (2.0, False),
    "coarse_categories.median_bucket_of_a_target": (0.30, True),
    "leaf_category_shares": (0.003, False),
    "target_constraint_frequency_in_catalog": (0.04, False),
    "target_constraint_frequency_in_catalog.median_rows": (0.5, True),
    "targets_identified_by_category_and_four_constraints": (0.05, False),
    "targets_first_at_turn_1_at_best": (0.06, False),
    "known_attribute_coverage": (0.08, False),
}
_SIZED = (
    "frequent_features_rows",
    "distinct_spec_strings",
    "detail_keys.distinct",
    "coarse_categories",
    "products_that_share_their_card",
    "largest_shared_card_class",
    "target_constraint_frequency_in_catalog",
    "targets_identified",
    "targets_first",
    "rating_number_median.targets",
)
"""Figures that grow or shrink with the catalog, and compare only at the size of the reference."""

_UNCOMPARED = ("products", "source")


def compare(measured: Mapping[str, Any], published: Mapping[str, Any] | None = None) -> Iterator[Comparison]:
    """Yield each published figure beside the measured one.

    Counts that grow with the catalog are left out where ``measured`` is of another size than ``published``
    (:func:`reference_figures` if not given). A published figure that the measured tree lacks counts as 0.
    """
    published = published or reference_figures()
    figures = dict(_flatten(measured))
    same_size = measured.get("products") == published.get("products")
    for name, figure in _flatten(published):
        if name in _UNCOMPARED or ".edges" in name or (not same_size and name.startswith(_SIZED)):
            continue
        size, relative = _tolerance(name)
        found = figures.get(name, 0.0)
        tolerance = size * abs(figure) if relative else size
        yield Comparison(name, figure, found, tolerance, abs(found - figure) <= tolerance + 1e-12)


def _tolerance(name: str) -> tuple[float, bool]:
    """Return the tolerance of the longest entry that ``name`` begins with."""
    return _TOLERANCES[max((key for key in _TOLERANCES if name.startswith(key)), key=len)]


def _flatten(tree: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of a tree with their places."""
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from _flatten(value, f"{name}.{key}" if name else str(key))
    elif isinstance(tree, list | tuple):
        for place, value in enumerate(tree):
            yield from _flatten(value, f"{name}.{place}")
    elif isinstance(tree, int | float):
        yield name, float(tree)
