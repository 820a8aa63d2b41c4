"""Particles: hypotheses of the target and of the scenario, drawn from a belief."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollouts.config import RolloutConfig
from scoring.posterior import Belief
from scoring.scenario import OVERRIDE_TURNS

_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
_SCENARIO_BITS = 16
"""Bits of a scenario: at most ten silences, a refusal, and the turn of a change of mind."""


class Particles(NamedTuple):
    """P hypotheses.

    Attributes:
        targets: (P,) int64, places among the belief's candidates.
        override_turns: (P,) int64, the turn in which the shopper will change its mind, 0 where it will not.
        refuses: (P,) bool, whether the shopper refuses the next question.
        silences: (P,) int64, bit i is set where the i-th answer fails to come; shared by all actions.
    """

    targets: NDArray[np.int64]
    override_turns: NDArray[np.int64]
    refuses: NDArray[np.bool_]
    silences: NDArray[np.int64]


def overrides_to_come(turn: int) -> NDArray[np.int64]:
    """Return the turns after ``turn`` in which a shopper may change its mind; 0 alone where none is left."""
    return np.array([later for later in OVERRIDE_TURNS if later > turn] or [0], dtype=np.int64)


def draw_particles(
    belief: Belief, turn: int, batch: int, count: int, config: RolloutConfig, noise: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw ``count`` particles from ``belief`` after the message of ``turn``.

    An answer fails to come with probability ``noise``.

    Targets come by systematic resampling (Kitagawa 1996), scenarios by a golden-ratio sequence, so that
    both follow their probabilities closely with few particles. Each batch is a draw of its own.

    Returns:
        The (D,) codes of the distinct particles, ascending (see :func:`decoded`), and how often each was
        drawn (D,).
    """
    first, shift, silences = _random_numbers((config.seed, turn, batch), count, config.depth + 1, noise)
    places = np.arange(count)
    edges = np.cumsum(belief.probabilities[: config.candidates])
    targets = np.searchsorted(edges, edges[-1] * (places + first) / count, side="right")
    targets = np.minimum(targets, len(edges) - 1)
    spread = (shift + places * _GOLDEN) % 1.0
    pending, refusal = belief.scenario.override_pending, belief.scenario.refusal_pending
    to_come = overrides_to_come(turn)
    override_turns = np.where(spread < pending, to_come[places % len(to_come)], 0)
    refuses = (spread >= pending) & (spread < pending + refusal)
    scenario = (override_turns << 1 | refuses) << (config.depth + 1) | silences
    return np.unique(targets << _SCENARIO_BITS | scenario, return_counts=True)


def decoded(codes: NDArray[np.int64], depth: int) -> Particles:
    """Return the particles that (P,) codes by :func:`draw_particles` stand for."""
    silences = codes & ((1 << (depth + 1)) - 1)
    scenario = (codes & ((1 << _SCENARIO_BITS) - 1)) >> (depth + 1)
    return Particles(codes >> _SCENARIO_BITS, scenario >> 1, (scenario & 1).astype(bool), silences)


@lru_cache(maxsize=1024)
def _random_numbers(
    key: tuple[int, ...], count: int, answers: int, noise: float
) -> tuple[float, float, NDArray[np.int64]]:
    """Return the random numbers behind a draw, which no belief changes: two offsets and (count,) silences."""
    generator = np.random.default_rng(key)
    silent = generator.random((count, answers)) < noise
    return generator.random(), generator.random(), silent @ (1 << np.arange(answers, dtype=np.int64))
