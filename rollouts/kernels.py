"""The rollout engine's inner loop: one imagined conversation on integer tables, compiled by numba."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rollouts.reward import LAST_TURN, PAGE_LIMIT, plan_place, reward, singles_first
from scoring.evidence import REQUIREMENT
from scoring.shopper import LINES_PER_REPLY, Weights, expected_slots, reply_log_likelihood

NO_QUESTION = -1
_PLANNED = LAST_TURN * PAGE_LIMIT
_NEGLIGIBLE = 1e-6
"""Candidates below this share of the likeliest one leave an imagined belief."""


@njit(cache=True)
def _imagined_answer(
    card: NDArray[np.int32], slots: int, said: NDArray[np.int32], noise: float, answer_noise: float
) -> None:
    """Write the lines in ``slots`` of ``card`` into ``said``; none where the noise swallows the answer."""
    said[:] = -1
    if noise < answer_noise:
        return
    heard = 0
    for slot in range(len(card)):
        if slots & (1 << slot) and heard < len(said):
            said[heard] = card[slot]
            heard += 1


@njit(cache=True)
def _most_answered(
    active: NDArray[np.int64],
    weights: NDArray[np.float64],
    masks: NDArray[np.int8],
    disclosed: NDArray[np.int8],
    open_questions: NDArray[np.bool_],
) -> int:
    """Return the open question that most of the imagined belief has an answer to."""
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
    return best


@njit(cache=True)
def _by_weight(active: NDArray[np.int64], weights: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    """Return at most ``limit`` of the active candidates, heaviest first, equal ones in their order."""
    order = active[np.argsort(-weights[active], kind="mergesort")]
    return order[:limit]


@njit(cache=True)
def _planned_reward(order: NDArray[np.int64], target: int, singles: int, start: int) -> float:
    """Return the reward of showing the candidates in ``order`` by a plan that starts in turn ``start``."""
    for place in range(len(order)):
        if order[place] == target:
            turn, rank = plan_place(place, singles, start)
            return reward(turn, rank) if turn <= LAST_TURN else 0.0
    return 0.0


@njit(cache=True, nogil=True)
def rollout(
    target: int,
    override_turn: int,
    refuses: bool,
    noise: NDArray[np.float64],
    turn: int,
    question: int,
    page: int,
    probabilities: NDArray[np.float64],
    cards: NDArray[np.int32],
    masks: NDArray[np.int8],
    disclosed: NDArray[np.int8],
    rarity: NDArray[np.float32],
    open_questions: NDArray[np.bool_],
    answer_noise: float,
    shopper: Weights,
) -> float:
    """Play one conversation from ``turn`` on and return its reward.

    The first action is given; later pages follow the best plan that needs no answers and later questions
    the mass of candidates that can answer (both :mod:`rollouts.reward` and here). When the noise (one
    number a turn) is used up, the plan is carried to its end.
    """
    weights = probabilities.copy()
    disclosed = disclosed.copy()
    open_questions = open_questions.copy()
    active = np.arange(len(weights))
    said = np.empty(LINES_PER_REPLY, dtype=np.int32)
    background = np.empty(LINES_PER_REPLY)
    for step in range(len(noise) + 1):
        order = _by_weight(active, weights, _PLANNED)
        if step > 0:
            start = max(turn, override_turn)
            singles, _ = singles_first(weights[order], start)
            page = 1 if singles > 0 else PAGE_LIMIT
            if step == len(noise):
                return _planned_reward(order, target, singles, start)
            question = _most_answered(active, weights, masks, disclosed, open_questions)
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
        slots = expected_slots(masks[target], int(disclosed[target]), asked)
        _imagined_answer(cards[target], slots, said, noise[step], answer_noise if asked >= 0 else 0.0)
        if asked >= 0 and said[0] < 0:
            open_questions[asked] = False
        for i in range(len(said)):
            background[i] = -rarity[said[i]] if said[i] >= 0 else 0.0
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
    noise: NDArray[np.float64],
    turn: int,
    questions: NDArray[np.int64],
    pages: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    cards: NDArray[np.int32],
    masks: NDArray[np.int8],
    disclosed: NDArray[np.int8],
    rarity: NDArray[np.float32],
    open_questions: NDArray[np.bool_],
    answer_noise: float,
    shopper: Weights,
) -> NDArray[np.float64]:
    """Return (A, P) the reward of every action (question, page) for every particle."""
    rewards = np.empty((len(questions), len(targets)))
    for a in range(len(questions)):
        for p in range(len(targets)):
            rewards[a, p] = rollout(
                targets[p],
                override_turns[p],
                refuses[p],
                noise[p],
                turn,
                questions[a],
                pages[a],
                probabilities,
                cards,
                masks,
                disclosed,
                rarity,
                open_questions,
                answer_noise,
                shopper,
            )
    return rewards
