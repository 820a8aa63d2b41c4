"""Does a probability of 0.7 come true seven times in ten? Measures of calibration, and a fit to better it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logit

from scoring.config import PosteriorConfig

BINS = 15
"""Bins of equal width, as in Guo et al. 2017."""

RANGE = (0.1, 10.0)
"""Bounds of a fitted temperature and prior strength: where all is certain, the loss has no minimum."""

_TINY = np.finfo(np.float64).tiny
_PARAMETER_TOLERANCE = 1e-3
_LOSS_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Reliability:
    """What probabilities said and what came true, in B bins of equal width.

    Attributes:
        counts: (B,) statements in each bin.
        confidence: (B,) their mean probability; NaN in an empty bin.
        frequency: (B,) the share of them that came true; NaN in an empty bin.
    """

    counts: NDArray[np.int64]
    confidence: NDArray[np.float64]
    frequency: NDArray[np.float64]

    @property
    def expected_calibration_error(self) -> float:
        """Return the mean distance of confidence and frequency, weighted by count (Naeini et al. 2015)."""
        filled = self.counts > 0
        gaps = np.abs(self.confidence[filled] - self.frequency[filled])
        return float((self.counts[filled] * gaps).sum() / self.counts.sum())


def reliability(
    probabilities: NDArray[np.float64], truth: NDArray[np.bool_], bins: int = BINS
) -> Reliability:
    """Return the reliability of (T,) probabilities of which (T,) came true."""
    places = np.minimum((probabilities * bins).astype(np.int64), bins - 1)
    counts = np.bincount(places, minlength=bins)
    with np.errstate(invalid="ignore"):
        confidence = np.bincount(places, probabilities, minlength=bins) / counts
        frequency = np.bincount(places, truth.astype(np.float64), minlength=bins) / counts
    return Reliability(counts, confidence, frequency)


def brier_score(probabilities: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """Return the mean squared distance of (T,) probabilities from what came true (Brier 1950)."""
    return float(np.mean((probabilities - truth) ** 2))


def log_loss(probabilities: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """Return the mean negative log-likelihood (nats) of what came true under (T,) probabilities."""
    of_truth = np.where(truth, probabilities, 1.0 - probabilities)
    return float(-np.log(np.maximum(of_truth, _TINY)).mean())


@dataclass(frozen=True, slots=True)
class BeliefTable:
    """T beliefs with what was true, each padded to K candidates.

    Attributes:
        rows: (T, K) int64 catalog rows, -1 beyond the candidates.
        evidence: (T, K) log-posterior without the prior (nats), minus infinity beyond the candidates.
        truth: (T,) int64 the place of the product wanted, -1 where it is no candidate.
    """

    rows: NDArray[np.int64]
    evidence: NDArray[np.float64]
    truth: NDArray[np.int64]

    def probabilities(
        self, log_prior: NDArray[np.float64], posterior: PosteriorConfig
    ) -> NDArray[np.float64]:
        """Return (T, K) what the tempered posterior makes of them under a prior (N,)."""
        scores = self.evidence + np.where(self.rows >= 0, log_prior[self.rows], 0.0)
        candidates = self.rows >= 0
        evenly = posterior.floor * candidates / candidates.sum(axis=1, keepdims=True)
        return (1.0 - posterior.floor) * np.exp(log_softmax(scores / posterior.temperature, axis=1)) + evenly

    def loss(self, log_prior: NDArray[np.float64], posterior: PosteriorConfig) -> float:
        """Return the mean negative log-probability (nats) of the product wanted, where it is a candidate."""
        present = self.truth >= 0
        probabilities = self.probabilities(log_prior, posterior)[present, self.truth[present]]
        return float(-np.log(np.maximum(probabilities, _TINY)).mean())


@dataclass(frozen=True, slots=True)
class PosteriorFit:
    """Settings of the posterior and of the prior's strength, and their loss (nats) where they were fitted."""

    posterior: PosteriorConfig
    strength: float
    loss: float


def fit_posterior(
    table: BeliefTable,
    log_prior: Callable[[float], NDArray[np.float64]],
    posterior: PosteriorConfig,
    strength: float,
    least_floor: float,
) -> PosteriorFit:
    """Fit temperature, floor and prior strength by log loss (Nelder and Mead 1965).

    Args:
        table: beliefs with what was true.
        log_prior: the prior (N,) at a strength.
        posterior: where the fit starts.
        strength: where the fit starts.
        least_floor: lower bound of the floor. Shoppers who keep to the model want none; those who do not
            need one, and a fit sees the former only.
    """
    start = np.array(
        [
            np.log(posterior.temperature),
            logit(max(posterior.floor, 2 * least_floor) - least_floor),
            np.log(strength),
        ]
    )

    def settings(point: NDArray[np.float64]) -> tuple[PosteriorConfig, float]:
        temperature, floor, power = point
        return (
            PosteriorConfig(
                temperature=float(np.exp(temperature)),
                floor=float(least_floor + (1.0 - least_floor) * expit(floor)),
            ),
            float(np.exp(power)),
        )

    def loss(point: NDArray[np.float64]) -> float:
        config, power = settings(point)
        return table.loss(log_prior(power), config)

    found = minimize(
        loss,
        start,
        method="Nelder-Mead",
        bounds=[tuple(np.log(RANGE)), (None, None), tuple(np.log(RANGE))],
        options={"xatol": _PARAMETER_TOLERANCE, "fatol": _LOSS_TOLERANCE},
    )
    config, power = settings(found.x)
    return PosteriorFit(config, power, float(found.fun))
