"""Lexical search over the whole text of the products (BM25, Robertson and Zaragoza 2009, through bm25s)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import bm25s
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from index.text import plain, words

_BATCH = 4096
"""Texts whose words are numbered at a time."""


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """A BM25 index over N products; title and category words count twice."""

    bm25: bm25s.BM25

    def rows(self, word: str) -> NDArray[np.int32]:
        """Return the rows of the products whose text has the normalised ``word``, in catalog order."""
        number = self.bm25.vocab_dict.get(word)
        if number is None:
            return np.empty(0, dtype=np.int32)
        scores = self.bm25.scores
        rows: NDArray[np.int32] = scores["indices"][scores["indptr"][number] : scores["indptr"][number + 1]]
        return rows

    def scores(self, text: str) -> NDArray[np.float32]:
        """Return (N,) the BM25 score of every product for ``text``; zeros where no word is known."""
        vocabulary = self.bm25.vocab_dict
        known = [vocabulary[word] for word in dict.fromkeys(words(text)) if word in vocabulary]
        if not known:
            return np.zeros(self.bm25.scores["num_docs"], dtype=np.float32)
        return np.asarray(self.bm25.get_scores_from_ids(known), dtype=np.float32)

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
        bm25 = _BM25()
        bm25.index((self._documents, dict(self._vocabulary)), create_empty_token=False)
        return LexicalIndex(bm25)

    def _number_words(self) -> None:
        """Turn the texts at hand into arrays of word numbers; a new word has the next number."""
        texts = pc.ascii_trim_whitespace(pa.array(self._texts, type=pa.large_string()))
        split = pc.ascii_split_whitespace(texts)
        encoded = split.flatten().dictionary_encode()
        numbers = np.array([self._vocabulary[word] for word in encoded.dictionary.to_pylist()], np.int32)
        ends = np.cumsum(pc.list_value_length(split))
        self._documents += np.split(numbers[encoded.indices], ends[:-1])
        self._texts.clear()


class _BM25(bm25s.BM25):
    """The library's BM25, built in whole arrays where the library goes text by text."""

    def build_index_from_ids(
        self, unique_token_ids: Sequence[int], corpus_token_ids: Sequence[NDArray[np.int32]], **_: bool
    ) -> dict[str, object]:
        """Return the score of each word in each text, by word (Lucene's variant; Kamphuis et al. 2020)."""
        self.nonoccurrence_array = None
        lengths = np.array([len(numbers) for numbers in corpus_token_ids])
        numbers = np.concatenate(corpus_token_ids)
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(self.int_dtype)
        counts = sparse.csr_array(
            (np.ones(len(numbers), dtype=self.dtype), numbers, starts),
            shape=(len(lengths), len(unique_token_ids)),
        ).tocsc()
        counts.sum_duplicates()
        frequency = np.diff(counts.indptr)
        idf = np.log(1 + (len(lengths) - frequency + 0.5) / (frequency + 0.5)).astype(self.dtype)
        norms = self.k1 * (1 - self.b + self.b * lengths / lengths.mean())
        weights = norms[counts.indices]
        weights += counts.data
        np.divide(counts.data, weights, out=weights)
        weights *= np.repeat(idf, frequency)
        return {
            "data": weights.astype(self.dtype),
            "indices": counts.indices,
            "indptr": counts.indptr,
            "num_docs": len(lengths),
        }
