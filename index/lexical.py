"""Lexical search over the whole text of the products (BM25, Robertson and Zaragoza 2009).

Each score is worked out when the index is built. They are those of the library bm25s, to the last bit; here
they come from whole arrays, and no start waits for the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from index.postings import Postings
from index.text import words

if TYPE_CHECKING:
    from index.chunks import WordChunk

K1, B = 1.5, 0.75
"""How soon the count of a word stops to matter, and how much the length of a text does (usual values)."""
_RUN = 1 << 18
"""Scores that are worked out at a time."""


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """A BM25 index over N products; title and category words count twice.

    Attributes:
        vocabulary: the V words.
        postings: per word, the products whose text has it, in catalog order.
        weights: for each value of ``postings`` float32, the word's BM25 score in that product.
        lengths: (N,) int32, the number of words of each text.
    """

    vocabulary: pa.LargeStringArray
    postings: Postings
    weights: NDArray[np.float32]
    lengths: NDArray[np.int32]
    _numbers: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the words."""
        object.__setattr__(
            self, "_numbers", {word: number for number, word in enumerate(self.vocabulary.to_pylist())}
        )

    def __reduce__(self) -> tuple[type[LexicalIndex], tuple[object, ...]]:
        """Copy what is declared; the rest is made from it."""
        return LexicalIndex, (self.vocabulary, self.postings, self.weights, self.lengths)

    @classmethod
    def build(cls, chunk: WordChunk) -> LexicalIndex:
        """Return the index of a whole catalog's texts."""
        return cls(chunk.vocabulary, chunk.postings, _weights(chunk), chunk.lengths)

    @property
    def numbers(self) -> Mapping[str, int]:
        """Return the number of every word in the catalog."""
        return self._numbers

    def frequency(self, word: str) -> int:
        """Return the number of products whose text has the normalised ``word``."""
        return len(self.rows(word))

    def rows(self, word: str) -> NDArray[np.int32]:
        """Return the rows of the products whose text has the normalised ``word``, in catalog order."""
        number = self._numbers.get(word)
        return np.empty(0, dtype=np.int32) if number is None else self.postings[number]

    def scores(self, text: str) -> NDArray[np.float32]:
        """Return (N,) the BM25 score of every product for ``text``; zeros where no word is known."""
        scores = np.zeros(len(self.lengths), dtype=np.float32)
        for word in dict.fromkeys(words(text)):
            if (number := self._numbers.get(word)) is not None:
                run = slice(self.postings.starts[number], self.postings.starts[number + 1])
                scores[self.postings.values[run]] += self.weights[run]
        return scores

    def top(self, text: str, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return rows and scores of the at most ``k`` best products with a score above zero.

        Best first; equal scores stand in catalog order.
        """
        scores = self.scores(text)
        rows = best_rows(scores, k)
        return rows, scores[rows]


def best_rows(scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the rows of the at most ``k`` best of ``scores`` (N,) above zero, best first, ties by row."""
    k = min(k, int(np.count_nonzero(scores > 0)))
    if k == 0:
        return np.empty(0, dtype=np.int64)
    least = np.partition(scores, -k)[-k]
    rows = np.flatnonzero(scores >= least)
    return rows[np.argsort(-scores[rows], kind="stable")][:k]


def _weights(chunk: WordChunk) -> NDArray[np.float32]:
    """Return the score of each word in each text that has it (Lucene's variant; Kamphuis et al. 2020).

    The scores are aligned with the counts.
    """
    frequency, lengths = np.diff(chunk.postings.starts), chunk.lengths
    idf = np.log(1 + (len(lengths) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    norms = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-9))
    weights = np.empty(len(chunk.counts), dtype=np.float32)
    owners = chunk.postings.owners()
    for start in range(0, len(weights), _RUN):
        run = slice(start, start + _RUN)
        shares = norms[chunk.postings.values[run]]
        shares += chunk.counts[run]
        np.divide(chunk.counts[run], shares, out=shares)
        shares *= idf[owners[run]]
        weights[run] = shares
    return weights
