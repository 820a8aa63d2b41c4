"""Which lines hold which words: the way from words that are no line to the lines that they may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from index.postings import Postings
from index.text import FUNCTION_WORDS

if TYPE_CHECKING:
    from index.chunks import LineChunk

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
            dtype=np.int32,
        )[lines.words.values]
        held = numbers >= 0
        ends = np.concatenate([[0], np.cumsum(held)])[lines.words.starts]
        places = np.arange(ends[-1])
        places -= np.repeat(ends[:-1], np.diff(ends))
        keys = numbers[held].astype(np.int64)
        keys *= len(lines.hashes)  # by word, then by line, then by place
        keys += lines.words.owners()[held]
        keys *= LAST_PLACE + 1
        keys += np.minimum(places, LAST_PLACE)
        keys.sort()
        places = (keys % (LAST_PLACE + 1)).astype(np.uint8)
        keys //= LAST_PLACE + 1
        first = np.ones(len(keys), dtype=bool)
        np.not_equal(keys[1:], keys[:-1], out=first[1:])
        postings = Postings.of_pairs(keys[first], len(vocabulary), len(lines.hashes))
        lengths = np.bincount(postings.values, minlength=len(lines.hashes)).astype(np.int32)
        return cls(postings, places[first], lengths)

    def placed(self, word: int) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return the lines that hold a word, ascending, and its place in each."""
        return self.postings[word], self.places[self.postings.starts[word] : self.postings.starts[word + 1]]
