"""Attribute words of products, and how often each attribute can be answered at all."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.cards import ATTRIBUTES, COLORS, MATERIALS
from index.fingerprint import FingerprintIndex
from index.lexical import LexicalIndex

_MORE_MATERIALS = "linen denim suede rubber canvas velvet satin lace fleece cashmere acrylic viscose mesh"
MATERIAL_WORDS = (*MATERIALS, *_MORE_MATERIALS.split(), "silver", "gold", "steel")
COLOR_WORDS = (*COLORS, "navy", "beige", "tan", "ivory", "burgundy", "teal", "turquoise", "khaki", "maroon")
VALUE_WORDS = MATERIAL_WORDS + COLOR_WORDS
"""Words that state an attribute's value wherever they stand; at most 64."""

_BITS = {word: np.uint64(1 << place) for place, word in enumerate(VALUE_WORDS)}


def value_bits(words: Collection[str]) -> np.uint64:
    """Return the attribute values that stand among ``words``, one bit for each of :data:`VALUE_WORDS`."""
    bits = np.uint64(0)
    for word in _BITS.keys() & words:
        bits |= _BITS[word]
    return bits


@dataclass(frozen=True, slots=True)
class AttributeIndex:
    """What is recorded of the products' attributes.

    Attributes:
        values: (N,) uint64, the attribute values that stand in each product's text (:func:`value_bits`).
        coverage: (10,) share of products whose intent card can answer a question about each attribute.
        fragmentation: (10,) share of distinct ones among all answers in the cards, in [0, 1]: 1 where each
            answer names one product.
    """

    values: NDArray[np.uint64]
    coverage: NDArray[np.float64]
    fragmentation: NDArray[np.float64]

    @classmethod
    def build(cls, lexical: LexicalIndex, lines: FingerprintIndex) -> AttributeIndex:
        """Return the index; coverage and fragmentation are counted by whole words over the cards."""
        values = np.zeros(len(lines.cards), dtype=np.uint64)
        for word, bit in _BITS.items():
            values[lexical.rows(word)] |= bit
        filled = lines.cards >= 0
        classes = np.where(filled, lines.classes[1][lines.cards], -1)
        coverage = np.zeros(len(ATTRIBUTES))
        fragmentation = np.zeros(len(ATTRIBUTES))
        for code, name in enumerate(ATTRIBUTES):
            answers = filled if name == "other" else classes == code
            products = int(answers.any(axis=1).sum())
            coverage[code] = products / len(values)
            fragmentation[code] = len(np.unique(lines.cards[answers])) / max(int(answers.sum()), 1)
        return cls(values, coverage, fragmentation)
