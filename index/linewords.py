"""Which lines hold which words: the way from words that are no line to the lines that they may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.fingerprint import LineChunk
from index.postings import Postings
from index.text import FUNCTION_WORDS


@dataclass(frozen=True, slots=True)
class LineWords:
    """The words of the L lines that a catalog can say, function words left out.

    Attributes:
        postings: per word (numbers of the catalog's vocabulary) the lines that hold it, ascending.
        lengths: (L,) int32, how many different words each line holds.
    """

    postings: Postings
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
        keys = numbers[held] * len(lines.hashes)  # by word, then by line
        keys += lines.words.owners()[held]
        keys.sort()
        words, found = np.divmod(keys[np.flatnonzero(np.diff(keys, prepend=-1))], len(lines.hashes))
        lengths = np.bincount(found, minlength=len(lines.hashes)).astype(np.int32)
        return cls(Postings.from_lengths(np.bincount(words, minlength=len(vocabulary)), found), lengths)
