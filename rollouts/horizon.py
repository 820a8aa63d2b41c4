"""The value of a belief at the horizon: a plan that hears no more, and a share of what answers can add."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rollouts.reward import LAST_TURN, reward, singles_first
from scoring.compiled import compiled

HORIZON_TERMS = ("constant", "confidence", "answerable", "spread", "turn")
"""The terms of the learned share; each has its weight in :class:`rollouts.config.HorizonConfig`."""


@compiled()
def horizon_bounds(weights: NDArray[np.float64], turn: int) -> tuple[float, float]:
    """Return a lower and an upper bound of the value of a belief before the reply of ``turn``.

    Args:
        weights: (M,) probabilities of the candidates, largest first, summing to 1.
        turn: the turn whose page comes next.

    The lower one is the best plan that needs no answers; the upper one shows the likeliest product alone and
    is told everything by the next message.
    """
    _, plan = singles_first(weights, turn)
    if turn >= LAST_TURN:
        return plan, plan
    told = weights[0] * reward(turn, 1) + (1.0 - weights[0]) * reward(turn + 1, 1)
    return plan, max(plan, told)


@compiled()
def horizon_terms(
    weights: NDArray[np.float64], answerable: float, turn: int
) -> tuple[float, float, float, float, float]:
    """Return the terms ``HORIZON_TERMS`` of a belief.

    ``answerable`` is the largest probability that the target has something to say on an open question; the
    spread is the Gini-Simpson index, the probability that two draws from the belief differ.
    """
    agree = 0.0
    for weight in weights:
        agree += weight * weight
    return 1.0, weights[0], answerable, 1.0 - agree, turn / LAST_TURN


@compiled()
def horizon_value(
    weights: NDArray[np.float64], answerable: float, turn: int, coefficients: NDArray[np.float64]
) -> float:
    """Return the value of a belief: between :func:`horizon_bounds`, at the learned share of the way."""
    low, high = horizon_bounds(weights, turn)
    if high <= low:
        return low
    share = 0.0
    for place, term in enumerate(horizon_terms(weights, answerable, turn)):
        share += coefficients[place] * term
    return low + min(1.0, max(0.0, share)) * (high - low)
