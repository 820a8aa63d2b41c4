"""Fitting the value at the horizon: what beliefs came to be worth in simulated play, against its bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.customers.conversation import SessionResult
from experiments.metrics.scorer import session_values
from experiments.running.replay import replay
from planner.planner import Planner
from planner.questions import worthwhile_questions
from rollouts.horizon import HORIZON_TERMS

_PENDING = 0.02
"""Beliefs that expect a change of mind more than this are left out: their sessions cannot end yet."""


@dataclass(frozen=True, slots=True)
class HorizonData:
    """B beliefs of finished sessions and what they came to.

    Attributes:
        terms: (B, 5) see ``rollouts.horizon.HORIZON_TERMS``.
        low: (B,) lower bound of the value.
        high: (B,) upper bound of the value.
        reward: (B,) score of the session.
    """

    terms: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    reward: NDArray[np.float64]


def observe_horizon(
    planner: Planner, results: Sequence[SessionResult], rows: Mapping[str, int]
) -> HorizonData:
    """Return the beliefs before each reply of finished sessions, with what the session scored."""
    scores = session_values(results)[:, -1]
    terms, low, high, reward = [], [], [], []
    for result, score in zip(results, scores, strict=True):
        for turn in replay(planner, result, rows):
            if turn.belief.scenario.override_pending > _PENDING:
                continue
            questions = worthwhile_questions(
                turn.belief, turn.state, planner.catalog.attributes, planner.config.questions
            )
            found = planner.engine.horizon(turn.belief, turn.turn, questions)
            terms.append(found[0])
            low.append(found[1])
            high.append(found[2])
            reward.append(score)
    return HorizonData(np.array(terms), np.array(low), np.array(high), np.array(reward))


def fit_horizon(data: HorizonData, ridge: float) -> dict[str, float]:
    """Return the weight of each term by which the share of the way from low to high fits the rewards best.

    Ridge regression of ``reward - low`` on ``terms * (high - low)`` (Hoerl and Kennard 1970): minimises the
    mean squared error plus ``ridge |w|^2``.
    """
    gap = data.high - data.low
    design = data.terms * gap[:, None]
    normal = design.T @ design / len(gap) + ridge * np.eye(len(HORIZON_TERMS))
    weights = np.linalg.solve(normal, design.T @ (data.reward - data.low) / len(gap))
    return dict(zip(HORIZON_TERMS, map(float, weights), strict=True))


def horizon_errors(data: HorizonData, weights: Mapping[str, float]) -> dict[str, float]:
    """Return bias and root mean squared error of the value under ``weights``, and of both bounds."""
    share = np.clip(data.terms @ np.array([weights[term] for term in HORIZON_TERMS]), 0.0, 1.0)
    values = {"low": data.low, "high": data.high, "value": data.low + share * (data.high - data.low)}
    errors: dict[str, float] = {}
    for name, value in values.items():
        errors[f"{name}_bias"] = float((value - data.reward).mean())
        errors[f"{name}_rmse"] = float(np.sqrt(((value - data.reward) ** 2).mean()))
    return errors
