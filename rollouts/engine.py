"""From a belief to the value of every action: by simulated conversations, or by the exact first ply alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from index.cards import ATTRIBUTES
from index.fingerprint import FingerprintIndex
from rollouts.config import RolloutConfig
from rollouts.horizon import HORIZON_TERMS, horizon_bounds, horizon_terms
from rollouts.kernels import NO_QUESTION, PLANNED, Situation, most_answered, play_all
from rollouts.particles import decoded, draw_particles, overrides_to_come
from rollouts.plies import first_plies
from rollouts.reward import LAST_TURN, PAGE_LIMIT
from scoring.config import ShopperConfig, StrayingConfig
from scoring.posterior import Belief
from scoring.shopper import weights

_SMALLEST_GAP = 1e-12
"""Values closer than this are equal; the action listed first is taken."""


@dataclass(frozen=True, slots=True)
class ActionValues:
    """The value of A actions.

    Attributes:
        questions: (A,) attribute codes, -1 for no question.
        pages: (A,) numbers of products shown.
        rewards: (A, P) reward of each particle's conversation, NaN where an action had been given up; columns
            share their random numbers. Without rollouts P is 0.
        first_ply: (A,) values by the exact first ply, ``None`` where actions are valued by rollouts.
    """

    questions: NDArray[np.int64]
    pages: NDArray[np.int64]
    rewards: NDArray[np.float64]
    first_ply: NDArray[np.float64] | None = None

    @property
    def rollouts(self) -> NDArray[np.int64]:
        """Return (A,) how many conversations each action was played in."""
        return (~np.isnan(self.rewards)).sum(axis=1)

    @property
    def means(self) -> NDArray[np.float64]:
        """Return (A,) the expected session score of each action."""
        if self.first_ply is not None:
            return self.first_ply
        return np.nansum(self.rewards, axis=1) / self.rollouts

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """Return (A,) the standard error of each mean; 0 where fewer than two particles were played."""
        played = self.rollouts
        spread = np.nansum((self.rewards - self.means[:, None]) ** 2, axis=1)
        return np.where(played > 1, np.sqrt(spread / np.maximum(played - 1, 1) / np.maximum(played, 1)), 0.0)

    @property
    def best(self) -> int:
        """Return the action of the largest mean among those played most; the first listed among equals."""
        played = self.rollouts
        means = np.where(played == played.max(), self.means, -np.inf)
        return int(np.argmax(means >= means.max() - _SMALLEST_GAP))


class RolloutEngine:
    """Values actions on the products of one catalog under one configuration. Stateless between calls."""

    def __init__(
        self,
        lines: FingerprintIndex,
        config: RolloutConfig,
        shopper: ShopperConfig,
        straying: StrayingConfig,
    ) -> None:
        self.config = config
        self._rarity = lines.rarity
        self._keeping = weights(shopper)
        self._straying = weights(straying)
        self._horizon = np.array([getattr(config.horizon, term) for term in HORIZON_TERMS])

    def action_values(self, belief: Belief, turn: int, questions: Sequence[int]) -> ActionValues:
        """Return the value of each question with each page size, after the message of ``turn``.

        Args:
            belief: what is believed now.
            turn: 1 to 10; in the last turn only the full page is played.
            questions: codes that may be asked (place in ``ATTRIBUTES``); none means no question.
        """
        asked = list(questions) or [NO_QUESTION]
        sizes = list(self.config.pages) if turn < LAST_TURN else [PAGE_LIMIT]
        pairs = np.array([(question, page) for question in asked for page in sizes], dtype=np.int64)
        actions = (np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]))
        situation = self._situation(belief, turn, questions)
        if self.config.method == "rollouts":
            return ActionValues(*actions, self._play(belief, turn, *actions, situation))
        scenario = belief.scenario
        exact = first_plies(
            situation, *actions, scenario.override_pending, scenario.refusal_pending, overrides_to_come(turn)
        )
        return ActionValues(*actions, np.empty((len(pairs), 0)), exact)

    def horizon(
        self, belief: Belief, turn: int, questions: Sequence[int]
    ) -> tuple[NDArray[np.float64], float, float]:
        """Return the terms (5,) of a belief's value at the horizon, and its lower and upper bound.

        The arguments are those of :meth:`action_values`; see :mod:`rollouts.horizon`.
        """
        situation = self._situation(belief, turn, questions)
        weights = situation.probabilities
        _, answerable = most_answered(
            np.arange(len(weights)),
            weights,
            situation.masks,
            situation.disclosed,
            situation.open_questions,
        )
        terms = horizon_terms(weights[:PLANNED], answerable, turn)
        return np.array(terms), *horizon_bounds(weights[:PLANNED], turn)

    def _situation(self, belief: Belief, turn: int, questions: Sequence[int]) -> Situation:
        kept = slice(self.config.candidates)
        open_questions = np.zeros(len(ATTRIBUTES), dtype=bool)
        open_questions[list(questions)] = True
        probabilities = belief.probabilities[kept]
        return Situation(
            turn,
            probabilities / probabilities.sum(),
            belief.cards[kept],
            belief.masks[kept],
            belief.disclosed[kept],
            self._rarity,
            open_questions,
            self._noise(belief),
            self._straying if belief.straying > 0.5 else self._keeping,
            self._horizon,
        )

    def _noise(self, belief: Belief) -> float:
        """Return the probability that an imagined answer fails to come."""
        return self.config.answer_noise_off_letter if belief.off_letter else self.config.answer_noise

    def _play(
        self,
        belief: Belief,
        turn: int,
        questions: NDArray[np.int64],
        pages: NDArray[np.int64],
        situation: Situation,
    ) -> NDArray[np.float64]:
        """Return (A, P) the rewards of rollouts, on common random numbers.

        By sequential halving (Karnin, Koren and Somekh 2013) the budget is shared alike by the rounds; in
        each, the actions left share alike, and the better half goes on. Then the two best go on until their
        difference is ``separation`` standard errors, or the limit is reached.

        A conversation is determined by its particle: equal ones are played once, whatever batch they are of.
        """
        actions = len(questions)
        rounds = max(1, ceil(log2(actions))) if self.config.halving else 1
        left = np.arange(actions)
        columns: list[NDArray[np.float64]] = []
        known = np.empty((actions, 0))
        places: dict[int, int] = {}
        spent = 0

        def play(particles: int) -> None:
            nonlocal known, spent
            distinct, times = draw_particles(
                belief, turn, len(columns), particles, self.config, situation.answer_noise
            )
            codes = distinct.tolist()
            unknown = [code for code in codes if code not in places]
            places.update(zip(unknown, range(len(places), len(places) + len(unknown)), strict=True))
            rewards = np.full((actions, len(unknown)), np.nan)
            rewards[left] = play_all(
                decoded(np.array(unknown, dtype=np.int64), self.config.depth),
                self.config.depth,
                questions[left],
                pages[left],
                situation,
            )
            known = np.hstack((known, rewards))
            batch = np.full((actions, particles), np.nan)
            batch[left] = np.repeat(known[left][:, [places[code] for code in codes]], times, axis=1)
            columns.append(batch)
            spent += particles * len(left)

        for number in range(rounds):
            play(max(1, self.config.budget // (rounds * len(left))))
            if number < rounds - 1:
                means = np.hstack(columns)[left].mean(axis=1)
                best = np.argsort(-np.round(means, 12), kind="stable")[: max(2, ceil(len(left) / 2))]
                left = np.sort(left[best])
        while len(left) == 2 and spent < self.config.limit:
            first, second = np.hstack(columns)[left]
            gap = first - second
            error = gap.std(ddof=1) / np.sqrt(len(gap)) if len(gap) > 1 else np.inf
            if error == 0.0 or abs(gap.mean()) >= self.config.separation * error:
                break
            play(max(1, min(len(gap), (self.config.limit - spent) // 2)))
        return np.hstack(columns)
