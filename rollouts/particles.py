"""Particles: hypotheses of the target and of the scenario, drawn from a belief."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollouts.config import RolloutConfig
from scoring.posterior import Belief
from scoring.scenario import OVERRIDE_TURNS

_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True, slots=True)
class Particles:
    """P equally weighted hypotheses.

    Attributes:
        targets: (P,) int64, places among the belief's candidates.
        override_turns: (P,) int64, the turn in which the shopper will change its mind, 0 where it will not.
        refuses: (P,) bool, whether the shopper refuses the next question.
        noise: (P, depth + 1) uniform numbers, one for each answer, shared by all actions.
    """

    targets: NDArray[np.int64]
    override_turns: NDArray[np.int64]
    refuses: NDArray[np.bool_]
    noise: NDArray[np.float64]


def draw_particles(belief: Belief, turn: int, config: RolloutConfig) -> Particles:
    """Draw particles from ``belief`` after the message of ``turn``.

    Targets come by systematic resampling (Kitagawa 1996), scenarios by a golden-ratio sequence, so that
    both follow their probabilities closely with few particles.
    """
    probabilities = belief.probabilities[: config.candidates]
    generator = np.random.default_rng([config.seed, turn])
    places = np.arange(config.particles)
    edges = np.cumsum(probabilities / probabilities.sum())
    targets = np.searchsorted(edges, (places + generator.random()) / config.particles, side="right")
    spread = np.mod(generator.random() + places * _GOLDEN, 1.0)
    pending, refusal = belief.scenario.override_pending, belief.scenario.refusal_pending
    to_come = [later for later in OVERRIDE_TURNS if later > turn] or [0]
    return Particles(
        targets=np.minimum(targets, len(probabilities) - 1).astype(np.int64),
        override_turns=np.where(spread < pending, np.resize(to_come, len(places)), 0).astype(np.int64),
        refuses=(spread >= pending) & (spread < pending + refusal),
        noise=generator.random((config.particles, config.depth + 1)),
    )
