"""Random draws for text: many small choices from numbers that are drawn in bulk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Generic, TypeVar

import numpy as np

T = TypeVar("T")
_BUFFER = 256


class Draws:
    """A stream of uniform numbers in [0, 1) that is settled by its integer key alone."""

    def __init__(self, *key: int) -> None:
        self._generator = np.random.default_rng(key)
        self._numbers: list[float] = []

    def uniform(self) -> float:
        """Return the next number of the stream."""
        if not self._numbers:
            self._numbers = self._generator.random(_BUFFER).tolist()
        return self._numbers.pop()

    def chance(self, probability: float) -> bool:
        """Return true with ``probability``."""
        return self.uniform() < probability

    def between(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included."""
        return low + int(self.uniform() * (high - low + 1))

    def pick(self, items: Sequence[T]) -> T:
        """Return one of ``items``, each as likely as any other."""
        return items[int(self.uniform() * len(items))]


@dataclass(frozen=True, slots=True)
class Weighted(Generic[T]):
    """Things to draw with unequal probabilities.

    Attributes:
        items: the things.
        bounds: cumulative weights, the last one is their sum.
    """

    items: tuple[T, ...]
    bounds: tuple[float, ...]

    @classmethod
    def of(cls, weights: Mapping[T, float]) -> Weighted[T]:
        """Return the distribution over the keys of ``weights``, in proportion to its values."""
        return cls(tuple(weights), tuple(accumulate(weights.values())))

    def draw(self, draws: Draws) -> T:
        """Return one item."""
        place = bisect_right(self.bounds, draws.uniform() * self.bounds[-1])
        return self.items[min(place, len(self.items) - 1)]
