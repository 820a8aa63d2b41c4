"""The words of a category name: which kinds of product they may name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from index.categories import CategoryIndex
from index.text import FUNCTION_WORDS
from scoring.config import HearingConfig
from scoring.evidence import Words
from scoring.hearing import lost_words


class CategoryNames:
    """The K category phrases of a catalog by their words."""

    def __init__(self, categories: CategoryIndex) -> None:
        self._lengths = np.zeros(len(categories.phrases), dtype=np.int64)
        held: dict[str, list[int]] = {}
        for number, phrase in enumerate(categories.phrases):
            distinct = dict.fromkeys(word for word in phrase.split() if word not in FUNCTION_WORDS)
            self._lengths[number] = len(distinct)
            for word in distinct:
                held.setdefault(word, []).append(number)
        self._phrases = {word: np.array(numbers) for word, numbers in held.items()}
        sizes = np.diff(categories.postings.starts)
        self._products = len(categories.of_product)
        self._frequencies = {word: int(sizes[numbers].sum()) for word, numbers in self._phrases.items()}

    def nats(self, words: Words, config: HearingConfig) -> NDArray[np.float64]:
        """Return (K,) the log-likelihood ratio of each phrase, by the channel of :mod:`scoring.hearing`.

        The best phrase is the reference: it has 0. All have 0 where no word is that of a category.
        """
        total = np.zeros(len(self._lengths))
        count = np.zeros(len(self._lengths), dtype=np.int64)
        for word in words:
            own, frequency = self._holders(word.stands_for)
            both, frequency_of_all = self._holders((*word.stands_for, *word.synonyms))
            worth = word.strength * np.log(self._products / (frequency or frequency_of_all or self._products))
            share = config.synonym if word.synonyms else 1.0
            total[both] += worth * share
            total[own] += worth * (1.0 - share)
            count[both] += 1
        if not count.any():
            return np.zeros(len(self._lengths))
        lost = lost_words(config.lost, config.kept)
        lengths = np.minimum(self._lengths, len(lost) - 1)
        nats = np.where(count > 0, np.maximum(total + lost[lengths, np.minimum(count, lengths)], 0.0), 0.0)
        return nats - nats.max()

    def _holders(self, words: tuple[str, ...]) -> tuple[NDArray[np.int64], int]:
        """Return the phrases that hold any of ``words``, and the number of their products."""
        known = [word for word in dict.fromkeys(words) if word in self._phrases]
        if not known:
            return np.empty(0, dtype=np.int64), 0
        frequency = sum(self._frequencies[word] for word in known)
        return np.unique(np.concatenate([self._phrases[word] for word in known])), min(
            frequency, self._products
        )
