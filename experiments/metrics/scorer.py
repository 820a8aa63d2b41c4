"""The score of a run, by the formulas of the shopping protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from experiments.customers.conversation import MAX_TURNS

METRICS = ("hit_rate_at_10", "mrr", "mttc", "efficiency", "score")
"""The columns of :func:`session_values`."""

HIT_WEIGHT, RANK_WEIGHT, EFFICIENCY_WEIGHT = 0.5, 0.3, 0.2
MISS_TURN = MAX_TURNS + 1
DIGITS = 6


class Outcome(Protocol):
    """The end of a session: turn and rank of the hit, both ``None`` for a miss."""

    @property
    def turn(self) -> int | None:
        """The turn of the hit."""

    @property
    def rank(self) -> int | None:
        """The target's place at the hit."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of a set of sessions, to six digits.

    Attributes:
        sample_count: number of sessions.
        hit_rate_at_10: share of sessions with a hit.
        mrr: mean of 1/rank at the hit, 0 for a miss.
        mttc: mean turn of the hit, 11 for a miss.
        efficiency: (11 - mttc) / 10 within 0 and 1.
        score: 0.5 hit rate + 0.3 mrr + 0.2 efficiency.
    """

    sample_count: int
    hit_rate_at_10: float
    mrr: float
    mttc: float
    efficiency: float
    score: float


def session_values(outcomes: Sequence[Outcome]) -> NDArray[np.float64]:
    """Return (sessions, 5) the metrics of each session alone, columns ``METRICS``.

    The metrics of a run are the means over its sessions: a turn lies between 1 and 11, so that the efficiency
    is never clipped and both it and the score are linear in the sessions.
    """
    turns = np.array([MISS_TURN if o.turn is None else o.turn for o in outcomes], dtype=np.float64)
    ranks = np.array([np.inf if o.rank is None else o.rank for o in outcomes], dtype=np.float64)
    hits, reciprocal = np.isfinite(ranks).astype(np.float64), 1 / ranks
    efficiency = np.clip((MISS_TURN - turns) / MAX_TURNS, 0, 1)
    score = HIT_WEIGHT * hits + RANK_WEIGHT * reciprocal + EFFICIENCY_WEIGHT * efficiency
    return np.column_stack([hits, reciprocal, turns, efficiency, score])


def hits_by_turn(outcomes: Sequence[Outcome]) -> list[float]:
    """Return the share of at least one session that is hit by the end of each turn, from turn 1."""
    turns = np.array([outcome.turn or MISS_TURN for outcome in outcomes])
    return [round(float((turns <= turn).mean()), DIGITS) for turn in range(1, MAX_TURNS + 1)]


def metrics(outcomes: Sequence[Outcome]) -> Metrics:
    """Return the metrics of at least one session."""
    means = session_values(outcomes).mean(axis=0)
    return Metrics(len(outcomes), *(round(float(mean), DIGITS) for mean in means))
