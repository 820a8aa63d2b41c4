"""Lexical search over the whole text of the products (BM25, Robertson and Zaragoza 2009, through bm25s)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

import bm25s
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from index.postings import Postings
from index.text import plain_texts, words


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
    _bm25: bm25s.BM25 = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the words, and hand the arrays to the library."""
        object.__setattr__(
            self, "_numbers", {word: number for number, word in enumerate(self.vocabulary.to_pylist())}
        )
        bm25 = bm25s.BM25()
        bm25.scores = {
            "data": self.weights,
            "indices": self.postings.values,
            "indptr": self.postings.starts,
            "num_docs": len(self.lengths),
        }
        bm25.nonoccurrence_array = None
        object.__setattr__(self, "_bm25", bm25)

    def __reduce__(self) -> tuple[type[LexicalIndex], tuple[object, ...]]:
        """Copy what is declared; the rest is made from it."""
        return LexicalIndex, (self.vocabulary, self.postings, self.weights, self.lengths)

    @classmethod
    def build(cls, chunks: Sequence[WordChunk]) -> LexicalIndex:
        """Return the index of the texts of all chunks; a new word has the next number."""
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        columns = [
            np.array([numbers[word] for word in chunk.vocabulary.to_pylist()], dtype=np.int32)[
                chunk.counts.indices
            ]
            for chunk in chunks
        ]
        lengths = np.concatenate([chunk.lengths for chunk in chunks])
        sizes = np.concatenate([np.diff(chunk.counts.indptr) for chunk in chunks])
        counts = sparse.csr_array(
            (
                np.concatenate([chunk.counts.data for chunk in chunks]),
                np.concatenate(columns),
                np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
            ),
            shape=(len(lengths), len(numbers)),
        ).tocsc()
        return cls(
            vocabulary=pa.array(list(numbers), type=pa.large_string()),
            postings=Postings(counts.indptr.astype(np.int64), counts.indices.astype(np.int32, copy=False)),
            weights=_weighed(counts, lengths),
            lengths=lengths,
        )

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
        known = [self._numbers[word] for word in dict.fromkeys(words(text)) if word in self._numbers]
        if not known:
            return np.zeros(len(self.lengths), dtype=np.float32)
        return np.asarray(self._bm25.get_scores_from_ids(known), dtype=np.float32)

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
        counts: (n, V) uint16, how often each text has each word.
        lengths: (n,) int32, the number of words of each text.
    """

    vocabulary: pa.LargeStringArray
    counts: sparse.csr_array
    lengths: NDArray[np.int32]

    @classmethod
    def of(cls, texts: Sequence[str]) -> WordChunk:
        """Return the chunk of ``texts``."""
        split = pc.ascii_split_whitespace(
            pc.ascii_trim_whitespace(pa.array(plain_texts(texts), type=pa.large_string()))
        )
        encoded = split.flatten().dictionary_encode()
        vocabulary, numbers = encoded.dictionary, np.array(encoded.indices)
        lengths = pc.list_value_length(split).to_numpy().astype(np.int32)
        empty = vocabulary.index(pa.scalar("", pa.large_string())).as_py()
        if empty >= 0:
            # A text without a word is split into one empty word.
            vocabulary = pa.concat_arrays([vocabulary[:empty], vocabulary[empty + 1 :]])
            lengths[np.repeat(np.arange(len(lengths)), lengths)[numbers == empty]] = 0
            numbers = numbers[numbers != empty]
            numbers = numbers - (numbers > empty)
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        counts = sparse.csr_array(
            (np.ones(len(numbers), dtype=np.uint16), numbers, starts), shape=(len(texts), len(vocabulary))
        )
        counts.sum_duplicates()
        return cls(vocabulary, counts, lengths)


def _weighed(counts: sparse.csc_array, lengths: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return the score of each word in each text that holds it (Lucene's variant; Kamphuis et al. 2020).

    The library goes text by text; these are whole arrays. ``counts`` is (N, V), ``lengths`` (N,) the number
    of words of each text; the result is aligned with the counts' data.
    """
    settings = bm25s.BM25()
    frequency = np.diff(counts.indptr)
    idf = np.log(1 + (len(lengths) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    norms = settings.k1 * (1 - settings.b + settings.b * lengths / max(lengths.mean(), 1e-9))
    weights = norms[counts.indices]
    weights += counts.data
    np.divide(counts.data, weights, out=weights)
    weights *= np.repeat(idf, frequency)
    return weights.astype(np.float32)
