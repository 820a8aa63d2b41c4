"""What a shopper can say about a product: its intent card.

A shopper who has a product in mind speaks of it in lines taken from its own record. The rules that pick and
order the lines are those of the shopping protocol ("The intent card of a target product"). The planner builds
the card of every product to know what each candidate would answer; the simulated customer builds one card, of
the product that it wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from index.products import Product

ATTRIBUTES = (
    "category",
    "material",
    "color",
    "size",
    "style",
    "brand",
    "budget",
    "feature",
    "use_case",
    "other",
)
"""The attributes that an agent may ask about."""

LINE_LENGTH = 180
CARD_SLOTS = 4

MATERIALS = ("cotton", "polyester", "nylon", "leather", "wool", "spandex", "silk", "rayon", "fabric")
COLORS = (
    "black",
    "white",
    "blue",
    "red",
    "pink",
    "green",
    "brown",
    "gray",
    "grey",
    "purple",
    "yellow",
    "orange",
)


def _standing(words: tuple[str, ...], ending: str = "") -> re.Pattern[str]:
    r"""Return the pattern of a whole word, ``\b(?:words)ending\b``.

    The left boundary is looked at last: a pattern that starts with letters is searched several times faster.
    """
    return re.compile("(?:" + "|".join(rf"{word}(?<!\w{word})" for word in words) + rf"){ending}\b")


_MATERIAL = _standing(MATERIALS)
_COLOR = _standing(COLORS)
AMOUNT_SIGNS = ("$", "<=", "under")
_AMOUNT = rf"(?:{'|'.join(map(re.escape, AMOUNT_SIGNS))})\s*\d"
CLASS_STEMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("material", MATERIALS),
    ("color", ("color", "black", "white", "blue", "red", "pink", "green")),
    ("size", ("size", "sizing", "width", "wide", "narrow")),
    ("style", ("department", "style", "fit", "sleeve", "neck")),
    ("use_case", ("hiking", "running", "gym", "winter", "outdoor", "work")),
)
_CLASSES = (
    ("budget", re.compile("budget|" + _AMOUNT), re.compile(r"\bbudgets?\b|(?<!\w)" + _AMOUNT)),
    *((name, re.compile("|".join(stems)), _standing(stems, ending="s?")) for name, stems in CLASS_STEMS),
)
"""Each class with its pattern by substrings and its pattern by whole words, which implies the other."""

_DROPPED_CATEGORIES = frozenset({"clothing", "clothing shoes & jewelry"})


@dataclass(frozen=True, slots=True)
class IntentCard:
    """The constraints that a shopper holds about one product.

    Attributes:
        hard: one or two constraints, most important first.
        soft: one or two preferences; the first hard constraint again where the record has no third line.
    """

    hard: tuple[str, ...]
    soft: tuple[str, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        """Hard constraints, then soft ones, repeats left out: the order in which they are disclosed."""
        return tuple(dict.fromkeys((*self.hard, *self.soft)))


def clean_line(text: str) -> str:
    """Return ``text`` as a shopper says it: single spaces, bare ends, at most 180 characters."""
    return cut_line(bare_line(text))


def bare_line(text: str) -> str:
    """Return ``text`` with single spaces and bare ends, however long."""
    if "  " in text or not text.isprintable():  # of all white space the space alone is printable
        text = " ".join(text.split())
    return text.strip(" -;,.\t\n")


def cut_line(bare: str) -> str:
    """Return the line that a :func:`bare_line` is said as."""
    return bare[:LINE_LENGTH].rstrip()


def detail_lines(product: Product) -> list[str]:
    """Return each detail that has a value as ``key: value``."""
    return [
        f"{key}: {value}" for key, value in product.details.items() if value not in (None, "", [], {}, ())
    ]


def search_text(product: Product) -> str:
    """Return the text in which the card's material and color words are looked for."""
    return " ".join(
        (
            product.title,
            *product.features,
            *(f"{key} {value}" for key, value in product.details.items()),
            *product.description,
            *product.categories,
            product.store or "",
        )
    )


def first_material(lowered: str) -> str:
    """Return the first material word of a lowercased text, empty where there is none."""
    return match[0] if (match := _MATERIAL.search(lowered)) else ""


def first_color(lowered: str) -> str:
    """Return the first color word of a lowercased text, empty where there is none."""
    return match[0] if (match := _COLOR.search(lowered)) else ""


def card_lines(product: Product) -> list[str]:
    """Return all cleaned constraint lines of ``product`` in card order (the card holds the first four)."""
    lowered = search_text(product).lower()
    lines = raw_lines(product, first_material(lowered), first_color(lowered))
    cleaned = dict.fromkeys(filter(None, map(clean_line, lines)))
    return list(cleaned) or [clean_line(product.title)]


def raw_lines(product: Product, material: str, color: str) -> list[str]:
    """Return the lines of ``product`` in card order before they are cleaned.

    ``material`` and ``color`` are the first such words of its search text, empty where there is none.
    """
    lines = [line for line in product.features if line] + detail_lines(product)
    if material:
        lines.insert(0, material)
    if color:
        lines.insert(1, f"color: {color}")
    if product.price is not None:
        lines.append(f"budget around ${product.price}")
    return lines


def intent_card(product: Product) -> IntentCard:
    """Return the intent card of ``product``: the first two lines are hard, the next two soft."""
    lines = card_lines(product)
    return IntentCard(hard=tuple(lines[:2]), soft=tuple(lines[2:CARD_SLOTS]) or (lines[0],))


def constraint_class(text: str, *, whole_words: bool = False) -> str:
    """Return the attribute under which a constraint is disclosed.

    By the protocol's letter a class is found by substrings, so that "covered" is a color ("red"). With
    ``whole_words`` the same vocabulary must stand as words of its own (a plural s allowed), which is what a
    person would mean; nothing then rests on an accident of spelling.
    """
    lowered = text.lower()
    for name, parts, whole in _CLASSES:
        if parts.search(lowered) and (not whole_words or whole.search(lowered)):
            return name
    return "feature"


def category_words(categories: Iterable[str]) -> str:
    """Return the words by which a shopper names the kind of product (``clothing item`` where unknown)."""
    parts = [part.strip() for category in categories for part in category.split(",")]
    kept = [part for part in parts if part and part.lower() not in _DROPPED_CATEGORIES]
    return " ".join(kept[-2:]) or "clothing item"
