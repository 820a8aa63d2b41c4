"""How far a figure could be off: percentile bootstrap intervals over sessions (Efron 1979)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_TOGETHER = 250
"""Resamples taken at once; a matter of speed alone."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Settings of the bootstrap: the interval's level, the number of resamples, and the seed."""

    level: float = 0.95
    resamples: int = 5_000
    seed: int = 0

    def intervals(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (columns, 2) bounds of the mean of each column of ``values`` (sessions, columns).

        Rows are resampled whole. For two systems on the same sessions pass the difference of their values:
        that is the paired bootstrap.
        """
        rng = np.random.default_rng(self.seed)
        count = len(values)
        means = np.empty((self.resamples, values.shape[1]))
        for first in range(0, self.resamples, _TOGETHER):
            block = means[first : first + _TOGETHER]
            drawn = rng.integers(count, size=(len(block), count))
            drawn += count * np.arange(len(block))[:, None]
            times = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
            block[:] = times @ values / count
        tail = (1 - self.level) / 2
        return np.quantile(means, [tail, 1 - tail], axis=0).T
