"""Which products state a quantity, in whatever unit and notation.

Nothing is indexed for it: the few lines and titles that hold a number in reach are parsed when it is asked
for.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import cached_property
from math import floor

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from index.catalog import Catalog
from index.postings import Postings
from index.quantities import FRACTIONS, PACKAGE, UNITS, Quantity, quantities

_TEXTS_PARSED = 2_000
"""Lines, and titles, at most that are parsed for one quantity: those of the most rated products."""
_TEXTS_TAKEN = 8192
"""Texts at most that are copied at a time to be searched."""
_WITHOUT_END = 4.0
"""How far above its lower end a range without an upper one is looked for, as a factor."""
_WHOLES = 400
"""Whole numbers at most that are looked for in one unit."""
_DENOMINATORS = (2, 3, 4, 8, 16, 32)
_LETTERS = r"^(?:[1-6]?x{0,4}(?:s|m|l|small|medium|large)|[1-6]?x{1,4}|extra)$"
"""The words of a size in letters."""
_WHOLE_FIRST = r"^(?P<whole>\d{1,6})(?:\D|$)"
"""The words that begin with a whole number (RE2)."""
_LETTER_SIGNS = r"(?i)x[\s-]?[ls]|extra|sizes?\b\W{0,3}(?:s|m|l)|(?:small|medium|\bs|\bm)\s?(?:-|–|to|/)"
_CUT_SIGNS = r"(?i)\d\d\s?w?\s?[x×/]\s?\d\d|waist|inseam"
_SIDES = r"(?:[\s\d.,x×*()\"″”'/–-]|by|to|and|or|[lwhd]\b)*?"
"""What may stand between a number and its unit, where several numbers share one (RE2)."""
_PACKAGE_FIRST = rf"(?i)^\W*{PACKAGE.pattern}"
_INCH_ENTITIES = ("&quot;", "&#34;")


class QuantityFinder:
    """Finds the products of one catalog whose title or lines state a quantity; descriptions are not read."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def rows(self, wanted: Quantity, tolerance: float) -> NDArray[np.int64]:
        """Return the rows of the products that state what is ``wanted``, ascending.

        Args:
            wanted: a quantity, or a range of it.
            tolerance: what rounding may change a measure by, as a share.
        """
        if wanted.kind == "letter":
            words, signs = self._letters, _LETTER_SIGNS
        else:
            ranges = _ranges(wanted, tolerance)
            wholes = {whole for bounds in ranges.values() for whole in _wholes(*bounds)}
            words, signs = np.flatnonzero(np.isin(self._numbers, sorted(wholes))), _signs(wanted, ranges)

        def stating(texts: pa.LargeStringArray, places: NDArray[np.int64]) -> NDArray[np.int64]:
            near = places[:0]
            for first in range(0, len(places), _TEXTS_TAKEN):
                some = places[first : first + _TEXTS_TAKEN]
                taken = texts.take(pa.array(some))
                packed = pc.match_substring_regex(taken, pattern=_PACKAGE_FIRST)
                held = pc.and_not(pc.match_substring_regex(taken, pattern=signs), packed)
                near = np.concatenate([near, some[np.flatnonzero(held.to_numpy(zero_copy_only=False))]])
                if len(near) >= _TEXTS_PARSED:
                    break
            near = near[:_TEXTS_PARSED]
            parsed = (quantities(html.unescape(text)) for text in texts.take(pa.array(near)).to_pylist())
            said = [any(one.meets(wanted, tolerance) for one in found) for found in parsed]
            return near[np.array(said, dtype=bool)]

        catalog = self._catalog
        ranks = np.empty(len(catalog), dtype=np.int64)
        ranks[catalog.popular] = np.arange(len(catalog))
        lines = _holders(catalog.line_words.postings, words, len(catalog.lines))
        first = catalog.lines.postings.values[catalog.lines.postings.starts[lines]]
        lines = stating(catalog.lines.texts, lines[np.argsort(ranks[first], kind="stable")])
        titled = _holders(catalog.lexical.postings, words, len(catalog))
        titled = stating(catalog.titles, titled[np.argsort(ranks[titled], kind="stable")])
        said = [catalog.lines.postings[int(line)] for line in lines]
        pa.default_memory_pool().release_unused()  # Arrow would keep room for all that was copied
        return np.unique(np.concatenate([*said, titled])).astype(np.int64)

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        """Return (V,) the whole number with which each word of the vocabulary begins, -1 for none."""
        begins = pc.extract_regex(self._catalog.lexical.vocabulary, pattern=_WHOLE_FIRST).field("whole")
        whole = pc.if_else(pc.equal(begins, ""), "-1", begins).cast(pa.int64())
        return whole.to_numpy(zero_copy_only=False)

    @cached_property
    def _letters(self) -> NDArray[np.int64]:
        held = pc.match_substring_regex(self._catalog.lexical.vocabulary, pattern=_LETTERS)
        return np.flatnonzero(held.to_numpy(zero_copy_only=False))


def _holders(postings: Postings, words: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """Return which of ``total`` texts hold any of the words, ascending."""
    marked = np.zeros(total, dtype=bool)
    for number in words:
        marked[postings[int(number)]] = True
    return np.flatnonzero(marked)


def _ranges(wanted: Quantity, tolerance: float) -> dict[tuple[str, ...], tuple[float, float]]:
    """Return by the names of a unit the range in that unit, widened by what rounding allows."""
    least = wanted.least
    most = min(wanted.most, least * _WITHOUT_END) if least > 0.0 else wanted.most
    if wanted.kind not in UNITS:
        return {(): (least, most)}
    units: dict[float, tuple[str, ...]] = {}
    for name, scale in UNITS[wanted.kind].items():
        units[scale] = (*units.get(scale, ()), name)
    return {
        names: (least * (1.0 - tolerance) / scale, most * (1.0 + tolerance) / scale)
        for scale, names in units.items()
    }


def _wholes(least: float, most: float) -> set[int]:
    """Return the whole numbers that stand as words where a number from ``least`` to ``most`` is written."""
    wholes = set(range(floor(least), min(floor(most), floor(least) + _WHOLES) + 1))
    return wholes | set(_DENOMINATORS) if least < 1.0 else wholes


def _signs(wanted: Quantity, ranges: Mapping[tuple[str, ...], tuple[float, float]]) -> str:
    """Return a pattern (RE2) of what a text has that states what is ``wanted``; it may find too much."""
    if wanted.kind in ("waist", "inseam"):
        return _CUT_SIGNS
    if wanted.kind == "size":
        number = _written(*ranges[()])
        width = r"\s?(?:extra )?(?:wide|narrow|ee|[24]e)"
        return rf"(?i)(?:^|[^\d.])(?:{number}){width}|\bsizes?\b.*(?:{number})"
    ways = []
    for names, bounds in ranges.items():
        units = [*map(re.escape, names), *(_INCH_ENTITIES if '"' in names else ())]
        ways.append(rf"(?:{_written(*bounds)}){_SIDES}(?:{'|'.join(units)})")
    return rf"(?i)(?:^|[^\d.])(?:{'|'.join(ways)})"


def _written(least: float, most: float) -> str:
    """Return a pattern (RE2) of the numbers from ``least`` to ``most``, and few others."""
    ways: list[str] = []
    signs = "".join(FRACTIONS)
    for whole in range(floor(least), min(floor(most), floor(least) + _WHOLES) + 1):
        tenths = [d for d in range(10) if whole + d / 10 <= most and whole + (d + 1) / 10 > least]
        digits = "".join(map(str, tenths))
        if 0 in tenths:
            ways.append(f"{whole}")
        if digits:
            ways.append(rf"{whole or '0?'}\.[{digits}]\d*")
        mixed = rf"{whole}(?:[ -]\d{{1,2}}/\d{{1,2}}|\s?[{signs}])"
        ways.append(mixed if whole else rf"\d{{1,2}}/\d{{1,2}}|[{signs}]")
    return "|".join(ways)
