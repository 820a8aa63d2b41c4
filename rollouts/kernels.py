"""The rollout engine's inner loop: one imagined conversation on integer tables, compiled by numba."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rollouts.horizon import horizon_value
from rollouts.reward import LAST_TURN, PAGE_LIMIT, reward, singles_first
from scoring.evidence import REQUIREMENT
from scoring.shopper import LINES_PER_REPLY, Weights, expected_slots, reply_log_likelihood

NO_QUESTION = -1
PLANNED = LAST_TURN * PAGE_LIMIT
"""As many products can be shown in a session."""
_NEGLIGIBLE = 1e-6
"""Candidates below this share of the likeliest one leave an imagined belief."""


class Situation(NamedTuple):
    """What every imagined conversation starts from.

    Attributes:
        turn: the turn of the message heard last.
        probabilities: (K,) the belief, largest first.
        cards: (K, 4) line ids.
        masks: (K, 10) slots that answer each attribute.
        disclosed: (K,) slots disclosed so far.
        rarity: of every line, in nats.
        open_questions: (10,) whether each attribute may be asked.
        answer_noise: probability that an answer fails to come.
        shopper: see :func:`scoring.shopper.weights`.
        horizon: (5,) the weights of ``rollouts.horizon.HORIZON_TERMS``.
    """

    turn: int
    probabilities: NDArray[np.float64]
    cards: NDArray[np.int32]
    masks: NDArray[np.int8]
    disclosed: NDArray[np.int8]
    rarity: NDArray[np.float32]
    open_questions: NDArray[np.bool_]
    answer_noise: float
    shopper: Weights
    horizon: NDArray[np.float64]


@njit(cache=True)
def _imagined_answer(card: NDArray[np.int32], slots: int, said: NDArray[np.int32]) -> None:
    """Write the lines in ``slots`` of ``card`` into ``said``."""
    said[:] = -1
    heard = 0
    for slot in range(len(card)):
        if slots & (1 << slot) and heard < len(said):
            said[heard] = card[slot]
            heard += 1


@njit(cache=True)
def most_answered(
    active: NDArray[np.int64],
    weights: NDArray[np.float64],
    masks: NDArray[np.int8],
    disclosed: NDArray[np.int8],
    open_questions: NDArray[np.bool_],
) -> tuple[int, float]:
    """Return the open question that most of the belief's mass has an answer to, and that mass."""
    best, most = NO_QUESTION, 0.0
    for question in range(len(open_questions)):
        if not open_questions[question]:
            continue
        mass = 0.0
        for k in active:
            if masks[k, question] & ~disclosed[k]:
                mass += weights[k]
        if mass > most:
            best, most = question, mass
    return best, most


@njit(cache=True, nogil=True)
def rollout(
    target: int, override_turn: int, refuses: bool, silences: int, depth: int, question: int, page: int,
    situation: Situation,
) -> float:  # fmt: skip
    """Play one conversation and return its reward.

    The first action is given; later pages follow the best plan that needs no answers and later questions
    the mass of candidates that can answer (:mod:`rollouts.reward` and :func:`most_answered`). After ``depth``
    more turns the horizon's value stands for the rest.

    Args:
        target: the shopper's product, a place among the candidates.
        override_turn: the turn in which it changes its mind, 0 for never.
        refuses: whether it refuses the next question.
        silences: bit i is set where its i-th answer fails to come.
        depth: turns after the first one.
        question: attribute code, or ``NO_QUESTION``.
        page: number of products shown first.
        situation: what it starts from.
    """
    turn, cards, masks, shopper = situation.turn, situation.cards, situation.masks, situation.shopper
    weights = situation.probabilities.copy()
    disclosed = situation.disclosed.copy()
    open_questions = situation.open_questions.copy()
    active = np.arange(len(weights))
    said = np.empty(LINES_PER_REPLY, dtype=np.int32)
    background = np.empty(LINES_PER_REPLY)
    for step in range(depth + 2):
        order = active[np.argsort(-weights[active], kind="mergesort")[:PLANNED]] if step else active
        if step > 0:
            start = max(turn, override_turn)
            total = weights[active].sum()
            question, mass = most_answered(active, weights, masks, disclosed, open_questions)
            if step > depth:
                return horizon_value(weights[order] / total, mass / total, start, situation.horizon)
            singles, _ = singles_first(weights[order], start)
            page = 1 if singles > 0 else PAGE_LIMIT
        takes = override_turn <= turn
        for place in range(min(page, len(order))):
            if takes and order[place] == target:
                return reward(turn, place + 1)
        if turn == LAST_TURN:
            return 0.0
        if takes:
            for place in range(min(page, len(order))):
                weights[order[place]] = 0.0
        turn += 1
        if override_turn == turn:
            asked = REQUIREMENT
        elif question == NO_QUESTION or refuses:
            refuses = refuses and question == NO_QUESTION
            if question != NO_QUESTION:
                open_questions[question] = False
            continue
        else:
            asked = question
        if asked >= 0 and silences & (1 << step):
            said[:] = -1
        else:
            _imagined_answer(
                cards[target], expected_slots(masks[target], int(disclosed[target]), asked), said
            )
        if asked >= 0 and said[0] < 0:
            open_questions[asked] = False
        for i in range(len(said)):
            background[i] = -situation.rarity[said[i]] if said[i] >= 0 else 0.0
        heaviest = 0.0
        for k in active:
            if weights[k] > 0.0:
                nats, done = reply_log_likelihood(
                    cards[k], masks[k], int(disclosed[k]), asked, said, 0, background, shopper
                )
                weights[k] *= np.exp(nats)
                disclosed[k] = done
                heaviest = max(heaviest, weights[k])
        if weights[target] <= 0.0:
            return 0.0
        kept = 0
        for k in active:
            if weights[k] > _NEGLIGIBLE * heaviest or k == target:
                active[kept] = k
                kept += 1
        active = active[:kept].copy()
    return 0.0


@njit(cache=True, nogil=True)
def play_all(
    targets: NDArray[np.int64],
    override_turns: NDArray[np.int64],
    refuses: NDArray[np.bool_],
    silences: NDArray[np.int64],
    depth: int,
    questions: NDArray[np.int64],
    pages: NDArray[np.int64],
    situation: Situation,
) -> NDArray[np.float64]:
    """Return (A, P) the reward of every action (question, page) for every particle.

    A conversation is determined by its particle: neighbours that are equal are played once.
    """
    rewards = np.empty((len(questions), len(targets)))
    for a in range(len(questions)):
        for p in range(len(targets)):
            if (
                p > 0
                and targets[p] == targets[p - 1]
                and override_turns[p] == override_turns[p - 1]
                and refuses[p] == refuses[p - 1]
                and silences[p] == silences[p - 1]
            ):
                rewards[a, p] = rewards[a, p - 1]
                continue
            rewards[a, p] = rollout(
                targets[p],
                override_turns[p],
                refuses[p],
                silences[p],
                depth,
                questions[a],
                pages[a],
                situation,
            )
    return rewards
