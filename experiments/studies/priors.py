"""Fitting the prior's weights to sessions: a conditional logit by maximum likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from scoring.priors import PRIOR_COLUMNS


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted in one catalog.

    Attributes:
        features: (N, C) the columns ``PRIOR_COLUMNS`` of its products.
        targets: (S,) the rows of the sessions' targets.
    """

    features: NDArray[np.float64]
    targets: NDArray[np.int64]


def fit_prior(samples: Sequence[Wanted], ridge: float) -> dict[str, float]:
    """Return the weight of each column that makes the targets most likely.

    Minimises the mean of ``-log softmax(X w)[target]`` over all sessions plus ``ridge |w|^2`` (McFadden 1974,
    with a Gaussian prior on the weights); convex, solved by L-BFGS. A column that says nothing gets 0.
    """
    sessions = sum(len(sample.targets) for sample in samples)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total, gradient = ridge * float(weights @ weights), 2 * ridge * weights
        for sample in samples:
            scores = sample.features @ weights
            wanted = sample.features[sample.targets]
            share = len(sample.targets) / sessions
            total -= share * float(log_softmax(scores)[sample.targets].mean())
            gradient = gradient - share * (wanted.mean(axis=0) - softmax(scores) @ sample.features)
        return total, gradient

    fitted = minimize(loss, np.zeros(len(PRIOR_COLUMNS)), jac=True, method="L-BFGS-B")
    return dict(zip(PRIOR_COLUMNS, map(float, fitted.x), strict=True))


def log_loss(log_prior: NDArray[np.float64], targets: NDArray[np.int64]) -> float:
    """Return the mean surprise in nats of ``targets`` under (N,) log-probabilities."""
    return float(-log_prior[targets].mean())
