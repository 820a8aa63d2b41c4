"""Lexical search over the whole text of the products (BM25, Robertson and Zaragoza 2009, through bm25s)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bm25s
import numpy as np
from numpy.typing import NDArray

from index.text import words


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """A BM25 index over N products; title and category words count twice."""

    bm25: bm25s.BM25

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
        k = min(k, int(np.count_nonzero(scores > 0)))
        if k == 0:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
        least = np.partition(scores, -k)[-k]
        rows = np.flatnonzero(scores >= least)
        rows = rows[np.argsort(-scores[rows], kind="stable")][:k]
        return rows, scores[rows]


class LexicalBuilder:
    """Collects the words of products one by one, then makes the index."""

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._documents: list[NDArray[np.int32]] = []

    def add(self, text: Sequence[str]) -> None:
        """Add one product by the words of its text."""
        vocabulary = self._vocabulary
        numbers = [vocabulary.setdefault(word, len(vocabulary)) for word in text]
        self._documents.append(np.array(numbers, dtype=np.int32))

    def build(self) -> LexicalIndex:
        """Return the index."""
        bm25 = bm25s.BM25()
        bm25.index((self._documents, self._vocabulary), create_empty_token=True, show_progress=False)
        return LexicalIndex(bm25)
