"""What a shopper can say about a product: its intent card.

A shopper who has a product in mind speaks of it in lines taken from its own record. The rules that pick and
order the lines are those of the shopping protocol ("The intent card of a target product"). The planner builds
the card of every product to know what each candidate would answer; the simulated customer builds one card, of
the product that it wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

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
_AMOUNT_SIGNS = r"\$|<=|under"
_AMOUNT = rf"(?:{_AMOUNT_SIGNS})\s*\d"
_CLASS_STEMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("material", MATERIALS),
    ("color", ("color", "black", "white", "blue", "red", "pink", "green")),
    ("size", ("size", "sizing", "width", "wide", "narrow")),
    ("style", ("department", "style", "fit", "sleeve", "neck")),
    ("use_case", ("hiking", "running", "gym", "winter", "outdoor", "work")),
)
_CLASSES = (
    ("budget", re.compile("budget|" + _AMOUNT), re.compile(r"\bbudgets?\b|(?<!\w)" + _AMOUNT)),
    *((name, re.compile("|".join(stems)), _standing(stems, ending="s?")) for name, stems in _CLASS_STEMS),
)
"""Each class with its pattern by substrings and its pattern by whole words, which implies the other."""

# The same patterns for RE2, which goes through a column of texts many times faster. It knows neither
# lookbehind nor words of other than ASCII letters, so the signs beside a word are named.
_NO_WORD_SIGN = r"[^\pL\pN_]"
_SPACES = r"[\s\x0b\x1c-\x1f\x85\pZ]*"
_AMOUNT_RE2 = rf"(?:{_AMOUNT_SIGNS}){_SPACES}\p{{Nd}}"


def _standing_re2(words: Iterable[str], ending: str = "") -> str:
    return rf"(?:^|{_NO_WORD_SIGN})(?P<word>{'|'.join(words)}){ending}(?:$|{_NO_WORD_SIGN})"


_CARD_WORDS_RE2 = (_standing_re2(MATERIALS), _standing_re2(COLORS))
_CLASSES_RE2 = (
    (
        "budget",
        f"budget|{_AMOUNT_RE2}",
        f"{_standing_re2(['budgets?'])}|(?:^|{_NO_WORD_SIGN}){_AMOUNT_RE2}",
    ),
    *((name, "|".join(stems), _standing_re2(stems, ending="s?")) for name, stems in _CLASS_STEMS),
)
_CLASS_SIGNS_RE2 = "|".join(("budget", _AMOUNT_SIGNS, *(stem for _, stems in _CLASS_STEMS for stem in stems)))
"""A lowercased text without a match is of class ``feature``."""

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
    return " ".join(text.split()).strip(" -;,.\t\n")[:LINE_LENGTH].rstrip()


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


def card_words(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the first material and color word of each search text, empty where there is none."""
    lowered = _lowered(texts)
    found = [pc.extract_regex(lowered, pattern=pattern).field(0).to_pylist() for pattern in _CARD_WORDS_RE2]
    return list(zip(*found, strict=True))


def _lowered(texts: Iterable[str]) -> pa.LargeStringArray:
    # Not by Arrow, which lowers some letters otherwise.
    return pa.array([text.lower() for text in texts], type=pa.large_string())


def _first_word(pattern: re.Pattern[str], lowered: str) -> str:
    match = pattern.search(lowered)
    return match[0] if match else ""


def card_lines(product: Product, words: tuple[str, str] | None = None) -> list[str]:
    """Return all cleaned constraint lines of ``product`` in card order (the card holds the first four).

    ``words`` are the :func:`card_words` of the product's search text, where the caller has them.
    """
    lines = [line for line in product.features if line] + detail_lines(product)
    if words is None:
        lowered = search_text(product).lower()
        words = _first_word(_MATERIAL, lowered), _first_word(_COLOR, lowered)
    material, color = words
    if material:
        lines.insert(0, material)
    if color:
        lines.insert(1, f"color: {color}")
    if product.price is not None:
        lines.append(f"budget around ${product.price}")
    cleaned = dict.fromkeys(filter(None, map(clean_line, lines)))
    return list(cleaned) or [clean_line(product.title)]


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


def constraint_classes(texts: Sequence[str]) -> NDArray[np.int8]:
    """Return (2, n) the attribute code of each text: by substrings, and by whole words."""
    codes = {name: code for code, name in enumerate(ATTRIBUTES)}
    classes = np.full((2, len(texts)), codes["feature"], dtype=np.int8)
    lowered = _lowered(texts)
    places = _matching(lowered, _CLASS_SIGNS_RE2)
    lowered = lowered.take(pa.array(places))
    for name, *patterns in reversed(_CLASSES_RE2):  # the first that applies is written last
        for row, pattern in zip(classes, patterns, strict=True):
            row[places[_matching(lowered, pattern)]] = codes[name]
    return classes


def _matching(texts: pa.LargeStringArray, pattern: str) -> NDArray[np.int64]:
    return np.flatnonzero(pc.match_substring_regex(texts, pattern=pattern).to_numpy(zero_copy_only=False))


def category_words(categories: Iterable[str]) -> str:
    """Return the words by which a shopper names the kind of product (``clothing item`` where unknown)."""
    parts = [part.strip() for category in categories for part in category.split(",")]
    kept = [part for part in parts if part and part.lower() not in _DROPPED_CATEGORIES]
    return " ".join(kept[-2:]) or "clothing item"
