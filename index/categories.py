"""Category phrases: the words by which shoppers name a kind of product, kept whole."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from index.postings import Postings
from index.text import normalise


@dataclass(frozen=True, slots=True)
class CategoryIndex:
    """The distinct category phrases of a catalog of N products.

    Attributes:
        phrases: the K normalised phrases, in order of first use.
        of_product: (N,) int32, the phrase of each product.
        postings: per phrase, its products, most rated first.
    """

    phrases: tuple[str, ...]
    of_product: NDArray[np.int32]
    postings: Postings
    _numbers: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the phrases."""
        numbers = {phrase: number for number, phrase in enumerate(self.phrases)}
        object.__setattr__(self, "_numbers", numbers)

    @classmethod
    def build(cls, names: pa.DictionaryArray, popularity: NDArray[np.int64]) -> CategoryIndex:
        """Return the index of the products' category words (N texts, those used first first)."""
        phrases = [normalise(name) for name in names.dictionary.to_pylist()]
        numbers = {phrase: number for number, phrase in enumerate(dict.fromkeys(phrases))}
        of_product = np.array([numbers[phrase] for phrase in phrases], dtype=np.int32)[names.indices]
        single = Postings.from_lengths(np.ones(len(names), dtype=np.int64), of_product)
        return cls(tuple(numbers), of_product, single.inverted(len(numbers), popularity))

    def exact(self, text: str) -> int | None:
        """Return the number of the phrase that ``text`` is, or ``None``."""
        return self._numbers.get(normalise(text))

    def similarity(self, text: str) -> NDArray[np.float32]:
        """Return (K,) the similarity of ``text`` to each phrase in [0, 1]; 1 is the phrase itself.

        Near names are compared as sets of words, so that order, plurals and dropped words cost little
        (rapidfuzz ``token_sort_ratio`` and ``token_set_ratio``, averaged).
        """
        wanted = normalise(text)
        if (number := self._numbers.get(wanted)) is not None:
            similarity = np.zeros(len(self.phrases), dtype=np.float32)
            similarity[number] = 1.0
            return similarity
        ratios = [
            process.cdist([wanted], self.phrases, scorer=scorer, dtype=np.float32)[0]
            for scorer in (fuzz.token_sort_ratio, fuzz.token_set_ratio)
        ]
        return (ratios[0] + ratios[1]) / 200.0
