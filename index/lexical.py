"""Lexical search over the whole text of the products (BM25, Robertson and Zaragoza 2009, through bm25s)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count

import bm25s
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from index.postings import Postings
from index.text import plain, words

_BATCH = 4096
"""Texts whose words are numbered at a time."""


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


class LexicalBuilder:
    """Collects the texts of products one by one, then makes the index."""

    def __init__(self) -> None:
        self._vocabulary: defaultdict[str, int] = defaultdict(count().__next__)
        self._texts: list[str] = []
        self._documents: list[NDArray[np.int32]] = []

    def add(self, text: str) -> None:
        """Add one product by its text."""
        self._texts.append(plain(text))
        if len(self._texts) == _BATCH:
            self._number_words()

    def build(self) -> LexicalIndex:
        """Return the index."""
        self._number_words()
        lengths = np.array([len(numbers) for numbers in self._documents], dtype=np.int32)
        postings, weights = _weighed(np.concatenate(self._documents), lengths, len(self._vocabulary))
        vocabulary = pa.array(list(self._vocabulary), type=pa.large_string())
        return LexicalIndex(vocabulary, postings, weights, lengths)

    def _number_words(self) -> None:
        """Turn the texts at hand into arrays of word numbers; a new word has the next number."""
        texts = pc.ascii_trim_whitespace(pa.array(self._texts, type=pa.large_string()))
        split = pc.ascii_split_whitespace(texts)
        encoded = split.flatten().dictionary_encode()
        numbers = np.array([self._vocabulary[word] for word in encoded.dictionary.to_pylist()], np.int32)
        ends = np.cumsum(pc.list_value_length(split))
        self._documents += np.split(numbers[encoded.indices], ends[:-1])
        self._texts.clear()


def _weighed(
    numbers: NDArray[np.int32], lengths: NDArray[np.int32], size: int
) -> tuple[Postings, NDArray[np.float32]]:
    """Return by word the texts that hold it, and its score in each (Lucene's variant; Kamphuis et al. 2020).

    The library goes text by text; these are whole arrays. ``numbers`` are the words of all texts, one text
    after the other, ``lengths`` (N,) the number of words of each, ``size`` that of the vocabulary.
    """
    settings = bm25s.BM25()
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    counts = sparse.csr_array(
        (np.ones(len(numbers), dtype=np.float32), numbers, starts), shape=(len(lengths), size)
    ).tocsc()
    counts.sum_duplicates()
    frequency = np.diff(counts.indptr)
    idf = np.log(1 + (len(lengths) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    norms = settings.k1 * (1 - settings.b + settings.b * lengths / lengths.mean())
    weights = norms[counts.indices]
    weights += counts.data
    np.divide(counts.data, weights, out=weights)
    weights *= np.repeat(idf, frequency)
    return Postings(counts.indptr.astype(np.int64), counts.indices), weights.astype(np.float32)
