"""The rules of :mod:`index.cards` over many texts at once, by their words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from index.cards import (
    AMOUNT_SIGNS,
    ATTRIBUTES,
    CLASS_STEMS,
    COLORS,
    MATERIALS,
    constraint_class,
    first_color,
    first_material,
)
from index.postings import Postings
from index.tokens import Tokens

_STEMS = (("budget", ("budget",)), *CLASS_STEMS)
_FEATURE = len(_STEMS)
"""The rank of the class that applies where no other does; the first that applies has rank 0."""
_CODES = np.array([ATTRIBUTES.index(name) for name in (*(name for name, _ in _STEMS), "feature")], np.int8)
"""Attribute code by rank."""
_STANDING = {
    f"{stem}{end}": rank for rank, (_, stems) in enumerate(_STEMS) for stem in stems for end in ("", "s")
}
"""The rank of words that say their class as whole words."""
_MAYBE_AMOUNT = rf"(?i:{'|'.join(map(re.escape, AMOUNT_SIGNS))})[^a-zA-Z]*\pN"


def card_words(texts: Sequence[str], tokens: Tokens, products: Postings) -> list[list[str]]:
    """Return each product's first material word, and its first color word, empty where there is none.

    Args:
        texts: what search texts consist of, joined by spaces.
        tokens: the words of ``texts``.
        products: per product, the places of its texts.
    """
    vocabulary = tokens.vocabulary.to_pylist()
    odd = np.flatnonzero(tokens.odd)
    columns = []
    for words, first in ((MATERIALS, first_material), (COLORS, first_color)):
        codes = {word: code for code, word in enumerate(("", *words))}
        marks = tokens.words.first_marks(np.array([codes.get(word, 0) for word in vocabulary], np.int8))
        marks[odd] = [codes[first(texts[place].lower())] for place in odd.tolist()]
        columns.append([("", *words)[code] for code in products.first_marks(marks).tolist()])
    return columns


def line_classes(lines: pa.LargeStringArray, tokens: Tokens) -> NDArray[np.int8]:
    """Return (2, n) the attribute code of each line: by substrings, and by whole words.

    The class of a line is the first of those of its words, but for odd lines and those with an amount.
    """
    words = tokens.vocabulary
    of_words = np.full((2, len(words)), _FEATURE, dtype=np.int8)
    for rank, (_, stems) in reversed(list(enumerate(_STEMS))):  # the first that applies is written last
        of_words[0, _matching(words, "|".join(stems))] = rank
    of_words[1] = [_STANDING.get(word, _FEATURE) for word in words.to_pylist()]
    ranks = np.full((2, len(lines)), _FEATURE, dtype=np.int8)
    for row, of_word in zip(ranks, of_words, strict=True):
        places = np.flatnonzero(of_word[tokens.words.values] < _FEATURE)
        np.minimum.at(row, tokens.words.owners()[places], of_word[tokens.words.values[places]])
    classes = _CODES[ranks]
    amounts = _matching(lines, _MAYBE_AMOUNT)
    for place in (*np.flatnonzero(tokens.odd), *amounts[ranks[1, amounts] > 0]):
        text = lines[place].as_py()
        classes[:, place] = [
            ATTRIBUTES.index(constraint_class(text, whole_words=whole)) for whole in (False, True)
        ]
    return classes


def _matching(texts: pa.LargeStringArray, pattern: str) -> NDArray[np.int64]:
    return np.flatnonzero(pc.match_substring_regex(texts, pattern=pattern).to_numpy(zero_copy_only=False))
