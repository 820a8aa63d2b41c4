"""Lexical search over the whole text of the products (BM25, Robertson and Zaragoza 2009).

Each score is worked out when the index is built. They are those of the library bm25s, to the last bit; here
they come from whole arrays, and no start waits for the library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from index.postings import Postings
from index.text import words as words_of
from index.tokens import joined_vocabulary

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
    def build(cls, chunks: Sequence[WordChunk]) -> LexicalIndex:
        """Return the index of the texts of all chunks; a new word has the next number."""
        chunk = WordChunk.joined(chunks)
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
        for word in dict.fromkeys(words_of(text)):
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


@dataclass(frozen=True, slots=True)
class WordChunk:
    """The words of a run of n texts.

    Attributes:
        vocabulary: the V distinct words, in order of first use.
        postings: per word, the texts that have it, ascending.
        counts: for each value of ``postings`` uint16, how often the text has the word.
        lengths: (n,) int32, the number of words of each text.
    """

    vocabulary: pa.LargeStringArray
    postings: Postings
    counts: NDArray[np.uint16]
    lengths: NDArray[np.int32]

    @classmethod
    def of(cls, vocabulary: pa.LargeStringArray, texts: Postings) -> WordChunk:
        """Return the chunk of texts that are given by their words' numbers."""
        lengths = np.diff(texts.starts)
        kind = np.int32 if len(vocabulary) * len(lengths) < 1 << 31 else np.int64
        keys = texts.values * kind(len(lengths))  # by word, then by text
        keys += texts.owners()
        keys.sort()
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        words, rows = np.divmod(keys[first], max(len(lengths), 1))
        return cls(
            vocabulary=vocabulary,
            postings=Postings.from_lengths(np.bincount(words, minlength=len(vocabulary)), rows),
            counts=np.diff(first, append=len(keys)).astype(np.uint16),
            lengths=lengths.astype(np.int32),
        )

    @classmethod
    def joined(cls, chunks: Sequence[WordChunk]) -> WordChunk:
        """Return the words of all chunks' texts."""
        vocabulary, numbers = joined_vocabulary([chunk.vocabulary for chunk in chunks])
        sizes = [np.diff(chunk.postings.starts) for chunk in chunks]
        total = np.zeros(len(vocabulary), dtype=np.int64)
        for words, size in zip(numbers, sizes, strict=True):
            total[words] += size
        starts = np.concatenate([[0], np.cumsum(total)])
        rows, counts = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1], dtype=np.uint16)
        ends, before = starts[:-1].copy(), 0
        for chunk, words, size in zip(chunks, numbers, sizes, strict=True):
            places = np.arange(len(chunk.counts))
            places += np.repeat(ends[words] - chunk.postings.starts[:-1], size)
            rows[places] = chunk.postings.values + before
            counts[places] = chunk.counts
            ends[words] += size
            before += len(chunk.lengths)
        lengths = np.concatenate([chunk.lengths for chunk in chunks])
        return cls(vocabulary, Postings(starts, rows), counts, lengths)


def _weights(chunk: WordChunk) -> NDArray[np.float32]:
    """Return the score of each word in each text that has it (Lucene's variant; Kamphuis et al. 2020).

    The scores are aligned with the chunk's counts.
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
