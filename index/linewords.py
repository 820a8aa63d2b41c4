"""Which lines hold which words: the way from words that are no line to the lines that they may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.fingerprint import LineChunk
from index.postings import Postings
from index.text import FUNCTION_WORDS

LAST_PLACE = 254
"""The last place that is told from others."""


@dataclass(frozen=True, slots=True)
class LineWords:
    """The words of the L lines that a catalog can say, function words left out.

    Attributes:
        postings: per word (numbers of the catalog's vocabulary) the lines that hold it, ascending.
        places: for each entry of the postings, how many words of the line stand before the word's first
            place; at most :data:`LAST_PLACE`.
        lengths: (L,) int32, how many different words each line holds.
    """

    postings: Postings
    places: NDArray[np.uint8]
    lengths: NDArray[np.int32]

    @classmethod
    def build(cls, lines: LineChunk, vocabulary: Mapping[str, int]) -> LineWords:
        """Return the index of the lines; words outside ``vocabulary`` are left out."""
        numbers = np.array(
            [
                -1 if word in FUNCTION_WORDS else vocabulary.get(word, -1)
                for word in lines.vocabulary.to_pylist()
            ],
            dtype=np.int64,
        )[lines.words.values]
        held = numbers >= 0
        ends = np.concatenate([[0], np.cumsum(held)])[lines.words.starts]
        places = np.arange(ends[-1]) - np.repeat(ends[:-1], np.diff(ends))
        keys = numbers[held] * len(lines.hashes)  # by word, then by line, then by place
        keys += lines.words.owners()[held]
        keys = keys * (LAST_PLACE + 1) + np.minimum(places, LAST_PLACE)
        keys.sort()
        entries, places = np.divmod(keys, LAST_PLACE + 1)
        first = np.flatnonzero(np.diff(entries, prepend=-1))
        words, found = np.divmod(entries[first], len(lines.hashes))
        return cls(
            Postings.from_lengths(np.bincount(words, minlength=len(vocabulary)), found),
            places[first].astype(np.uint8),
            np.bincount(found, minlength=len(lines.hashes)).astype(np.int32),
        )

    def placed(self, word: int) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return the lines that hold a word, ascending, and its place in each."""
        return self.postings[word], self.places[self.postings.starts[word] : self.postings.starts[word + 1]]
