"""Quantities that a text states: lengths, weights, volumes and sizes, however they are written.

Each is brought to one unit, so that ``1/2 inch``, ``0.5"`` and ``12.7 mm`` are the same length, and ``XL``
and ``extra large`` the same size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Literal

Kind = Literal["length", "weight", "volume", "size", "letter", "waist", "inseam"]
"""What is measured: in millimetres, grams or millilitres, or by the numbers or letters of sizes."""

UNITS: dict[Kind, dict[str, float]] = {
    "length": {
        "mm": 1.0, "millimeter": 1.0, "millimetre": 1.0, "cm": 10.0, "centimeter": 10.0, "centimetre": 10.0,
        "in": 25.4, "inch": 25.4, "inche": 25.4, '"': 25.4, "″": 25.4, "”": 25.4, "''": 25.4,
        "ft": 304.8, "foot": 304.8, "feet": 304.8, "yard": 914.4, "meter": 1000.0, "metre": 1000.0,
    },
    "weight": {
        "g": 1.0, "gram": 1.0, "kg": 1000.0, "kilogram": 1000.0,
        "oz": 28.349523, "ounce": 28.349523, "lb": 453.59237, "pound": 453.59237,
    },
    "volume": {
        "ml": 1.0, "milliliter": 1.0, "millilitre": 1.0, "liter": 1000.0, "litre": 1000.0,
        "fl oz": 29.57353, "fl. oz": 29.57353, "fluid ounce": 29.57353,
    },
}  # fmt: skip
"""By kind, the units in their singular, and how many of the kind's own unit each is."""

FRACTIONS = {
    "½": 0.5,
    "¼": 0.25,
    "¾": 0.75,
    "⅓": 1 / 3,
    "⅔": 2 / 3,
    "⅛": 0.125,
    "⅜": 0.375,
    "⅝": 0.625,
    "⅞": 0.875,
}
"""Fractions that are one sign."""
_SIGNS = "".join(FRACTIONS)
_SHORT_UNITS = frozenset(("in", "g"))
"""Units that are words or letters of other use too."""
_WORD_UNITS = "|".join(
    rf"{re.escape(unit)}s?\.?"
    for units in UNITS.values()
    for unit in sorted(units.keys() - _SHORT_UNITS, key=lambda unit: (-len(unit), unit))
    if unit[0].isalpha()
)
# "8 in" may go on as "8 in black": there it is a unit only before what is measured.
_AFTER_IN = (
    "x|by|or|to|and|long|wide|tall|high|deep|thick|length|width|height|diameter|inseam|waist|heel|brim|drop|"
    "strap"
)
_UNIT = (
    rf"[ -]?(?:{_WORD_UNITS})(?!\w)|\s?(?:\"|″|”|'')|-?in(?!\w)|\s?g(?!\w)"
    rf"|\sin(?!\w)(?=\.?\s*(?:$|[^\w\s]|(?:{_AFTER_IN})\b))"
)
# The first sign is one of a set, which is what a search is fast with.
_PART = re.compile(
    rf"(?P<number>[\d.{_SIGNS}]\d*(?:[.,/]\d+)*(?:[ -]\d{{1,2}}/\d{{1,2}}|\s?[{_SIGNS}])?)(?P<unit>{_UNIT})?"
)
_INSIDE = re.compile(r"(?:[^\W\dx]|(?<!\d)x|[\d.,/$£€#])$")
"""What stands right before a number that is a part of something else."""
_NUMBER = re.compile(
    rf"(?P<whole>\d{{1,3}}(?:,\d{{3}})+|\d{{0,4}}(?:\.\d{{1,3}})?)?"
    rf"(?:(?:^|[ -])(?P<above>\d{{1,2}})/(?P<below>\d{{1,2}})|\s?(?P<sign>[{_SIGNS}]))?"
)
PACKAGE = re.compile(r"(?i)\b(?:package|packaging|parcel|shipping)\b")
"""Words of what a product comes in."""
_TIMES = re.compile(r"\s?(?:\(?[lwhd]\)?)?\s?(?:x|×|\*|by)\s?")
_TO = re.compile(r"\s?(?:-|–|to)\s?")
_AND = re.compile(r"\s?and\s?")
_BETWEEN = re.compile(r"between\s$")
_AT_MOST = re.compile(
    r"(?:under|below|less than|no more than|not more than|at most|up to|max(?:imum)?(?: of)?|within|"
    r"shorter than|<=?)\s*$"
)
_AT_LEAST = re.compile(
    r"(?:over|above|(?<!no )(?<!not )more than|at least|no less than|min(?:imum)?(?: of)?|"
    r"longer than|>=?)\s*$"
)
_UP = re.compile(r"\s(?:or (?:more|over|longer|larger)|and up|minimum)")
_DOWN = re.compile(r"\s(?:or (?:less|under|shorter|smaller)|max(?:imum)?)")
_LIMIT_LENGTH = 16
"""Characters before a number in which a limit is looked for."""

_SIZE_BEFORE = re.compile(r"\bsizes?\b\s*[:#]?\s*(?:(?:is|of|us|a)\s)*$")
_WIDTH_AFTER = re.compile(r"\s?(?:extra )?(?:wide|narrow|ee|2e|4e)\b")
_LARGEST_SIZE = 60
_WAIST_AND_INSEAM = range(20, 61)
"""Inches within which two numbers such as ``32x30`` are a waist and an inseam."""
_CUT = re.compile(r"\s?w?\s?[x×/]\s?")
_NAMED_CUT = re.compile(
    r"\b(?P<name>waist|inseam)\W{0,3}(?:size |of |is )?(?P<number>\d{2}(?:\.5)?)(?!\d)"
    r"|(?<!\d)(?P<before>\d{2}(?:\.5)?)\s?(?:\"|″|”|-?in(?:ch(?:es)?)?)?[ -](?P<after>waist|inseam)\b"
)
_PLAIN_LETTER = r"small|medium|large|s|m|l"
_FAR_LETTER = r"(?:[1-6]\s?x|x{1,4})[\s-]?(?:large|small|l|s)|extra[\s-](?:extra[\s-])?(?:large|small)"
_LETTER = rf"(?:{_FAR_LETTER}|{_PLAIN_LETTER})"
_LETTERS = re.compile(
    rf"(?<![\w'])(?P<least>{_LETTER})\s?(?:-|–|to|/)\s?(?P<most>{_LETTER})(?!\w)"
    rf"|\bsizes?\b\s*[:#]?\s*(?P<named>{_LETTER})(?!\w)|(?<![\w'])(?P<far>{_FAR_LETTER})(?!\w)"
)
_CUT_KINDS: tuple[Kind, Kind] = ("waist", "inseam")
_CUT_SIDES, _MOST_SIDES = 2, 3
_LETTER_SIGNS = re.compile(r"x[\s-]?[ls]|extra|size|(?:small|medium|s|m)\s?(?:-|–|to|/)")
"""What a text with a size in letters has."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """From ``least`` to ``most`` of a kind, in its own unit; they are one where no range is stated.

    ``start`` and ``end`` are its characters.
    """

    kind: Kind
    least: float
    most: float
    start: int = 0
    end: int = 0

    def meets(self, wanted: Quantity, tolerance: float) -> bool:
        """Return whether a part of it is ``wanted``.

        Measures are rounded when they are written: ``tolerance``, a share, is allowed. Sizes are exact.
        """
        slack = tolerance if self.kind in UNITS else 0.0
        least, most = wanted.least * (1.0 - slack), wanted.most * (1.0 + slack)
        return self.kind == wanted.kind and self.least <= most and self.most >= least


@dataclass(frozen=True, slots=True)
class _Part:
    """A number in a text, its unit where it has one."""

    value: float
    unit: tuple[Kind, float] | None
    start: int
    end: int


def quantities(text: str) -> list[Quantity]:
    """Return the quantities that ``text`` states, in order. One that is read in two ways stands twice.

    What is said of a package is nothing of the product: all after such a word is left out.
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        return []  # letters that change their length: places would be wrong
    found: list[Quantity] = []
    parts = list(_parts(lowered))
    place = 0
    while place < len(parts):
        place = _read(lowered, parts, place, found)
    if _LETTER_SIGNS.search(lowered):
        found += _letters(lowered)
    if "waist" in lowered or "inseam" in lowered:
        found += _named_cuts(lowered)
    package = PACKAGE.search(lowered)
    if package is not None:
        found = [quantity for quantity in found if quantity.end <= package.start()]
    return sorted(found, key=lambda quantity: (quantity.start, quantity.end, quantity.kind, quantity.least))


def _parts(text: str) -> Iterator[_Part]:
    for match in _PART.finditer(text):
        if _INSIDE.search(text, max(0, match.start() - 2), match.start()):
            continue
        value = _value(match["number"])
        if value is not None:
            yield _Part(value, _unit(match["unit"] or ""), match.start(), match.end())


def _value(number: str) -> float | None:
    """Return the number that ``number`` spells: ``8``, ``8.5``, ``1,200``, ``1/2``, ``8 1/2``, ``8½``."""
    match = _NUMBER.fullmatch(number)
    if match is None or not any(match.groups()):
        return None
    total = float(match["whole"].replace(",", "")) if match["whole"] else 0.0
    if match["sign"]:
        total += FRACTIONS[match["sign"]]
    if match["above"]:
        if int(match["below"]) == 0:
            return None
        total += int(match["above"]) / int(match["below"])
    return total


def _unit(text: str) -> tuple[Kind, float] | None:
    name = text.strip(" -.").lower()
    for kind, units in UNITS.items():
        for unit in (name, name.removesuffix("s")):
            if unit in units:
                return kind, units[unit]
    return None


def _read(text: str, parts: list[_Part], place: int, found: list[Quantity]) -> int:
    """Add to ``found`` the quantities of the part at ``place``, and return the place of the next."""
    run = [parts[place]]
    while place + len(run) < len(parts) and len(run) < _MOST_SIDES:
        side = parts[place + len(run)]
        if not _TIMES.fullmatch(text, run[-1].end, side.start):
            break
        run.append(side)
    first = run[0]
    if len(run) > 1:
        common = next((part.unit for part in reversed(run) if part.unit), None)
        for part in run:
            if unit := part.unit or common:
                size = part.value * unit[1]
                found.append(Quantity(unit[0], size, size, first.start, run[-1].end))
    following = parts[place + 1] if place + 1 < len(parts) else None
    if len(run) <= _CUT_SIDES and following and _is_cut(text, first, following):
        for kind, part in zip(_CUT_KINDS, (first, following), strict=True):
            found.append(Quantity(kind, part.value, part.value, first.start, following.end))
        return place + 2
    if len(run) > 1:
        return place + len(run)
    sized = "size" in text and _SIZE_BEFORE.search(text, 0, first.start) is not None
    if following and _joined(text, first, following):
        kind, scale = following.unit or ("size", 1.0)
        least = first.value * (first.unit[1] if first.unit else scale)
        most = following.value * scale
        if (following.unit or sized) and (first.unit is None or first.unit[0] == kind) and least <= most:
            found.append(Quantity(kind, least, most, first.start, following.end))
            return place + 2
    if first.unit is not None:
        found.append(_limited(text, first, first.unit))
    elif first.value <= _LARGEST_SIZE and (sized or _WIDTH_AFTER.match(text, first.end)):
        found.append(Quantity("size", first.value, first.value, first.start, first.end))
    return place + 1


def _is_cut(text: str, first: _Part, following: _Part) -> bool:
    """Return whether two numbers are a waist and an inseam: ``32x30``, ``32W x 30L``."""
    if not _CUT.fullmatch(text, first.end, following.start):
        return False
    return first.value in _WAIST_AND_INSEAM and following.value in _WAIST_AND_INSEAM


def _joined(text: str, first: _Part, following: _Part) -> bool:
    """Return whether two numbers are the ends of a range."""
    if _TO.fullmatch(text, first.end, following.start):
        return True
    between = _BETWEEN.search(text, max(0, first.start - _LIMIT_LENGTH), first.start)
    return between is not None and _AND.fullmatch(text, first.end, following.start) is not None


def _limited(text: str, part: _Part, unit: tuple[Kind, float]) -> Quantity:
    """Return a measure, or all below or above it where it is a limit."""
    size = part.value * unit[1]
    before = max(0, part.start - _LIMIT_LENGTH), part.start
    if (limit := _AT_MOST.search(text, *before)) or _DOWN.match(text, part.end):
        return Quantity(unit[0], 0.0, size, limit.start() if limit else part.start, part.end)
    if (limit := _AT_LEAST.search(text, *before)) or _UP.match(text, part.end):
        return Quantity(unit[0], size, inf, limit.start() if limit else part.start, part.end)
    return Quantity(unit[0], size, size, part.start, part.end)


def _letters(text: str) -> Iterator[Quantity]:
    for match in _LETTERS.finditer(text):
        least = _letter(match["least"] or match["named"] or match["far"])
        most = _letter(match["most"]) if match["most"] else least
        if least <= most:
            yield Quantity("letter", least, most, match.start(), match.end())


def _letter(name: str) -> float:
    """Return the place of a size among S, M, L, which are 1 to 3: XL is 4, 2XL 5, XS 0."""
    plain = name.replace("extra", "x")
    far = re.match(r"\s*(\d)", plain)
    steps = int(far[1]) if far else plain.count("x")
    if plain.endswith(("small", "s")):
        return 1.0 - steps
    return 2.0 if plain in ("m", "medium") else 3.0 + steps


def _named_cuts(text: str) -> Iterator[Quantity]:
    """Yield waists and inseams that are called so, in inches."""
    for match in _NAMED_CUT.finditer(text):
        size = float(match["number"] or match["before"])
        kind = _CUT_KINDS[(match["name"] or match["after"]) == "inseam"]
        yield Quantity(kind, size, size, match.start(), match.end())
