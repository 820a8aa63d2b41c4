"""Lists of integers of varied length in two flat arrays (compressed sparse rows)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Postings:
    """M lists: list m is ``values[starts[m]:starts[m + 1]]``.

    Attributes:
        starts: (M + 1,) int64.
        values: (total,) int32.
    """

    starts: NDArray[np.int64]
    values: NDArray[np.int32]

    @classmethod
    def from_lengths(cls, lengths: NDArray[np.int64], values: NDArray[np.int32]) -> Postings:
        """Return lists of the given lengths over the concatenated values."""
        return cls(np.concatenate([[0], np.cumsum(lengths)]), values.astype(np.int32, copy=False))

    @classmethod
    def of_pairs(cls, keys: NDArray[np.integer[Any]], lists: int, size: int) -> Postings:
        """Return ``lists`` lists of the sorted pairs of a list and a value below ``size``.

        A pair is given as ``list * size + value``; ``keys`` is used up.
        """
        starts = np.searchsorted(keys, np.arange(lists + 1, dtype=np.int64) * size)
        keys -= np.repeat((np.arange(lists) * size).astype(keys.dtype), np.diff(starts))
        return cls(starts, keys.astype(np.int32))

    @classmethod
    def joined(cls, parts: Sequence[Postings]) -> Postings:
        """Return the lists of all ``parts``, one part after the other."""
        lengths = np.concatenate([np.diff(part.starts) for part in parts])
        return cls.from_lengths(lengths, np.concatenate([part.values for part in parts]))

    def __getitem__(self, number: int) -> NDArray[np.int32]:
        """Return list ``number`` (a view)."""
        return self.values[self.starts[number] : self.starts[number + 1]]

    def owners(self) -> NDArray[np.int32]:
        """Return for each value the number of the list that holds it."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))

    def take(self, numbers: NDArray[np.integer[Any]]) -> Postings:
        """Return the lists ``numbers``, in that order."""
        starts = np.concatenate([[0], np.cumsum(np.diff(self.starts)[numbers])])
        return Postings(starts, self.values[moved(starts, self.starts[numbers])])

    def of_each(self, lists: Postings) -> Postings:
        """Return for each of ``lists``, whose values are numbers of lists, those lists joined."""
        taken = self.take(lists.values)
        return Postings(taken.starts[lists.starts], taken.values)

    def first_marks(self, marks: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return (M,) the mark of the first value of each list that has one other than 0, else 0.

        ``marks`` are by value.
        """
        places = np.flatnonzero(marks[self.values])
        owners = np.searchsorted(self.starts, places, side="right") - 1
        found = np.zeros(len(self.starts) - 1, dtype=np.int8)
        found[owners[::-1]] = marks[self.values[places[::-1]]]  # the first is written last
        return found

    def inverted(self, size: int, popularity: NDArray[np.int64]) -> Postings:
        """Return for each of ``size`` values the lists that hold it, each once, most popular first.

        ``popularity`` is (M,); equal ones keep their order.
        """
        owners = self.owners()
        order = np.lexsort((owners, -popularity[owners], self.values))
        values, owners = self.values[order], owners[order]
        first = np.ones(len(values), dtype=bool)
        first[1:] = (values[1:] != values[:-1]) | (owners[1:] != owners[:-1])
        return Postings.from_lengths(np.bincount(values[first], minlength=size), owners[first])


def moved(starts: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each value of lists bounded by ``starts`` stands if list m begins at ``targets[m]``."""
    places = np.arange(starts[-1])
    places += np.repeat(targets - starts[:-1], np.diff(starts))
    return places
