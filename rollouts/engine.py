"""From a belief to the value of every action, by simulated conversations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.cards import ATTRIBUTES
from index.fingerprint import FingerprintIndex
from rollouts.config import RolloutConfig
from rollouts.kernels import NO_QUESTION, play_all
from rollouts.particles import draw_particles
from rollouts.reward import LAST_TURN, PAGE_LIMIT
from scoring.config import ShopperConfig
from scoring.posterior import Belief
from scoring.shopper import weights


@dataclass(frozen=True, slots=True)
class ActionValues:
    """The value of A actions over P particles.

    Attributes:
        questions: (A,) attribute codes, -1 for no question.
        pages: (A,) numbers of products shown.
        rewards: (A, P) reward of each particle's conversation; columns share their random numbers.
    """

    questions: NDArray[np.int64]
    pages: NDArray[np.int64]
    rewards: NDArray[np.float64]

    @property
    def means(self) -> NDArray[np.float64]:
        """Return (A,) the expected session score of each action."""
        return self.rewards.mean(axis=1)

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """Return (A,) the standard error of each mean; 0 for a single particle."""
        particles = self.rewards.shape[1]
        if particles == 1:
            return np.zeros(len(self.rewards))
        return self.rewards.std(axis=1, ddof=1) / np.sqrt(particles)

    @property
    def best(self) -> int:
        """Return the action of the largest mean; the first listed among equals."""
        return int(np.argmax(np.round(self.means, 12)))


class RolloutEngine:
    """Values actions on the products of one catalog under one configuration. Stateless between calls."""

    def __init__(self, lines: FingerprintIndex, config: RolloutConfig, shopper: ShopperConfig) -> None:
        self.config = config
        self._rarity = lines.rarity
        self._shopper = weights(shopper)

    def action_values(self, belief: Belief, turn: int, questions: Sequence[int]) -> ActionValues:
        """Return the value of each question with each page size, after the message of ``turn``.

        Args:
            belief: what is believed now.
            turn: 1 to 10; in the last turn only the full page is played.
            questions: codes that may be asked (place in ``ATTRIBUTES``); none means no question.
        """
        asked = list(questions) or [NO_QUESTION]
        sizes = list(self.config.pages) if turn < LAST_TURN else [PAGE_LIMIT]
        actions = np.array([(question, page) for question in asked for page in sizes], dtype=np.int64)
        open_questions = np.zeros(len(ATTRIBUTES), dtype=bool)
        open_questions[list(questions)] = True
        particles = draw_particles(belief, turn, self.config)
        kept = slice(self.config.candidates)
        rewards = play_all(
            particles.targets,
            particles.override_turns,
            particles.refuses,
            particles.noise,
            turn,
            actions[:, 0].copy(),
            actions[:, 1].copy(),
            belief.probabilities[kept],
            belief.cards[kept],
            belief.masks[kept],
            belief.disclosed[kept],
            self._rarity,
            open_questions,
            self.config.answer_noise,
            self._shopper,
        )
        return ActionValues(actions[:, 0], actions[:, 1], rewards)
