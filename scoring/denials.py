"""What a product's text says that the product has not: "no zipper", "not wool", "lace-free", "sleeveless".

A word of such a text says nothing for the product, and something for it where the shopper does not want it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from index.cards import COLORS, MATERIALS
from index.catalog import Catalog
from index.fingerprint import UNKNOWN
from index.text import words as split_words
from scoring.evidence import Words

_NEGATORS = frozenset(("no", "not", "non", "without", "never", "nor", "zero"))
_NOT_OF_THINGS = frozenset(("only", "just", "need", "more", "longer", "matter", "limited"))
"""Words after a negator with which it denies nothing that follows: "not only wool"."""
_ORDERS = frozenset(("do", "don", "should", "must", "can", "will", "cannot"))
"""Words before "not" with which it forbids something to be done: "do not wash wool warm"."""
_REACH = 3
"""Words after a negator that it denies: "no metal zipper", "no zipper or buttons"."""
_CLAUSE_END = re.compile(r"[.;,:!?()\n•|]|\s[-–—]\s|\bbut\b")
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Denial:
    """Where a word is denied.

    Attributes:
        lines: the lines in which every mention of it is denied, ascending.
        rows: the products that deny it in a line or their title, and mention it in none otherwise, ascending.
    """

    lines: NDArray[np.int64]
    rows: NDArray[np.int64]


def denies_itself(words: Words) -> bool:
    """Return whether words heard deny something themselves, as one does who quotes such a text."""
    return any(word.text in _NEGATORS for word in words)


class Denials:
    """Finds what the products of one catalog deny to have. Stateless but for a memory of words."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._remembered = lru_cache(_REMEMBERED)(self._of)

    def of(self, forms: tuple[str, ...]) -> Denial:
        """Return where a word is denied, given with the other forms of it and its synonyms."""
        return self._remembered(forms)

    def _of(self, forms: tuple[str, ...]) -> Denial:
        catalog = self._catalog
        numbers = [catalog.lexical.numbers[form] for form in forms if form in catalog.lexical.numbers]
        mentioned = [catalog.line_words.postings[number] for number in numbers]
        lines = _either([some[self._negated[some]] for some in mentioned])
        lines = self._denying(catalog.lines.texts, lines, forms)
        holders = [catalog.lexical.postings[number] for number in numbers]
        titles = _either([some[self._negated_titles[some]] for some in holders])
        titles = self._denying(catalog.titles, titles, forms)
        lacking = [catalog.lexical.rows(f"{form}less") for form in forms]
        rows = _either([*lacking, *(catalog.lines.postings[int(line)] for line in lines), titles])
        if len(rows):
            affirming = np.zeros(len(catalog.lines), dtype=bool)
            for some in mentioned:
                affirming[some] = True
            affirming[lines] = affirming[self._derived] = False
            records = catalog.lines.of_product
            rows = rows[[not affirming[records[int(row)]].any() for row in rows]]
            named = frozenset(forms)
            titles_of = catalog.titles.take(pa.array(rows)).to_pylist()
            titled = np.array([not named.isdisjoint(split_words(title)) for title in titles_of], dtype=bool)
            rows = rows[~titled | np.isin(rows, titles)]
        pa.default_memory_pool().release_unused()  # Arrow would keep room for all that was copied
        return Denial(lines, rows)

    @cached_property
    def _derived(self) -> NDArray[np.int32]:
        """Return the lines that a card has from a word of the product's text, denied or not."""
        found = self._catalog.lines.find([*MATERIALS, *(f"color: {color}" for color in COLORS)])
        return found[found != UNKNOWN]

    @cached_property
    def _negated(self) -> NDArray[np.bool_]:
        """Return (L,) which lines hold a negator, or "free"."""
        marked = np.zeros(len(self._catalog.lines), dtype=bool)
        for word in (*_NEGATORS, "free"):
            if (number := self._catalog.lexical.numbers.get(word)) is not None:
                marked[self._catalog.line_words.postings[number]] = True
        return marked

    @cached_property
    def _negated_titles(self) -> NDArray[np.bool_]:
        """Return (N,) which titles hold a negator, or "free"."""
        signs = rf"(?i)\b(?:{'|'.join(sorted(_NEGATORS))}|free)\b"
        return pc.match_substring_regex(self._catalog.titles, pattern=signs).to_numpy(zero_copy_only=False)

    def _denying(
        self, texts: pa.LargeStringArray, places: NDArray[np.int64], forms: Sequence[str]
    ) -> NDArray[np.int64]:
        """Return those of ``places`` whose texts deny every mention of the forms."""
        if len(places) == 0 or not forms:
            return places[:0]
        names = "|".join(map(re.escape, forms))
        signs = rf"(?i)\b(?:{'|'.join(sorted(_NEGATORS))})\b.{{0,60}}\b(?:{names})\b|\b(?:{names})[ -]free\b"
        near = pc.match_substring_regex(texts.take(pa.array(places)), pattern=signs)
        places = places[np.flatnonzero(near.to_numpy(zero_copy_only=False))]
        said = [denies(text, forms) for text in texts.take(pa.array(places)).to_pylist()]
        return places[np.array(said, dtype=bool)]


def _either(lists: Sequence[NDArray[np.integer[Any]]]) -> NDArray[np.int64]:
    """Return what any of ``lists`` holds, each once, ascending."""
    return np.unique(np.concatenate(lists)).astype(np.int64) if lists else np.empty(0, dtype=np.int64)


def denies(text: str, forms: Sequence[str]) -> bool:
    """Return whether ``text`` mentions any of the words ``forms``, and denies every mention."""
    mentions = [
        _denied(clause, place)
        for clause in map(split_words, _CLAUSE_END.split(html.unescape(text).lower()))
        for place, word in enumerate(clause)
        if word in forms
    ]
    return bool(mentions) and all(mentions)


def _denied(clause: Sequence[str], place: int) -> bool:
    """Return whether the word at ``place`` of a clause is denied."""
    if clause[place + 1 : place + 2] == ["free"]:
        return True
    for at in range(place - 1, max(-1, place - 1 - _REACH), -1):
        if clause[at] == "and":
            return False
        if clause[at] in _NEGATORS:
            forbids = clause[at] == "not" and at > 0 and clause[at - 1] in _ORDERS
            return not forbids and _NOT_OF_THINGS.isdisjoint(clause[at + 1 : place])
    return False
