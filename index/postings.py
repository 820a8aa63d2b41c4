"""Lists of integers of varied length in two flat arrays (compressed sparse rows)."""

from __future__ import annotations

from dataclasses import dataclass

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
        return cls(np.concatenate([[0], np.cumsum(lengths)]), values.astype(np.int32))

    def __getitem__(self, number: int) -> NDArray[np.int32]:
        """Return list ``number`` (a view)."""
        return self.values[self.starts[number] : self.starts[number + 1]]

    def owners(self) -> NDArray[np.int32]:
        """Return for each value the number of the list that holds it."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))

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
