"""The exact first ply: every candidate's answer to a question is known, so no draw is needed to value it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rollouts.horizon import horizon_value
from rollouts.kernels import NO_QUESTION, PLANNED, Situation, heaviest, most_answered
from rollouts.reward import LAST_TURN, reward
from scoring.compiled import compiled
from scoring.evidence import REQUIREMENT
from scoring.shopper import expected_slots

_KEY = np.int64(1 << 32)
_PLACED = np.int64(-1)
"""Key of a candidate whose answer has been valued."""


@compiled()
def _answers(
    situation: Situation, asked: int, left: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (L,) the slots each candidate in ``left`` discloses, and a key of its words (0: silence)."""
    slots = np.empty(len(left), dtype=np.int64)
    keys = np.empty(len(left), dtype=np.int64)
    for i in range(len(left)):
        k = left[i]
        slots[i] = expected_slots(situation.masks[k], situation.disclosed[k], asked)
        low, high = 0, 0
        for slot in range(situation.cards.shape[1]):
            if slots[i] & (1 << slot):
                line = int(situation.cards[k, slot]) + 1
                low, high = min(high, line), max(high, line)
        keys[i] = high * _KEY + low
    return slots, keys


@compiled()
def _value_after(
    situation: Situation,
    members: NDArray[np.int64],
    weights: NDArray[np.float64],
    disclosed: NDArray[np.int8],
    open_questions: NDArray[np.bool_],
    turn: int,
) -> float:
    """Return mass times value of the belief ``weights`` (K,) in ``members`` before ``turn``'s reply."""
    mass = 0.0
    for k in members:
        mass += weights[k]
    if mass <= 0.0 or turn > LAST_TURN:
        return 0.0
    first = np.empty(min(len(members), PLANNED), dtype=np.int64)
    planned = heaviest(members, weights, first)
    plan = np.empty(planned)
    for place in range(planned):
        plan[place] = weights[first[place]] / mass
    _, answerable = most_answered(members, weights, situation.masks, disclosed, open_questions)
    return mass * horizon_value(plan, answerable / mass, turn, situation.horizon)


@compiled()
def _one_ply(situation: Situation, question: int, page: int, override_turn: int, refuses: bool) -> float:
    """Return the value of an action where the shopper's scenario is known."""
    turn, count = situation.turn, len(situation.probabilities)
    value, shown = 0.0, 0
    if override_turn <= turn:
        shown = min(page, count)
        for place in range(shown):
            value += situation.probabilities[place] * reward(turn, place + 1)
    if turn == LAST_TURN:
        return value
    left = np.arange(shown, count)
    start = max(turn + 1, override_turn)
    weights = situation.probabilities.copy()
    disclosed = situation.disclosed.copy()
    open_questions = situation.open_questions.copy()
    overrides = override_turn == turn + 1
    if not overrides and (question == NO_QUESTION or refuses):
        if question != NO_QUESTION:
            open_questions[question] = False
        return value + _value_after(situation, left, weights, disclosed, open_questions, start)
    asked = REQUIREMENT if overrides else question
    slots, keys = _answers(situation, asked, left)
    noise = 0.0
    if asked >= 0:
        noise = situation.answer_noise
        for i in range(len(left)):
            if keys[i] != 0:
                weights[left[i]] *= noise
        open_questions[asked] = False
        value += _value_after(situation, left, weights, disclosed, open_questions, start)
        open_questions[asked] = situation.open_questions[asked]
    # each answer with the candidates that would give it
    members = np.empty(len(left), dtype=np.int64)
    for i in range(len(left)):
        disclosed[left[i]] |= slots[i]
        weights[left[i]] = situation.probabilities[left[i]] * (1.0 - noise)
    for i in range(len(left)):
        if keys[i] == _PLACED or (asked >= 0 and keys[i] == 0):
            continue
        count, answer = 0, keys[i]
        for j in range(i, len(left)):
            if keys[j] == answer:
                members[count] = left[j]
                count += 1
                keys[j] = _PLACED
        value += _value_after(situation, members[:count], weights, disclosed, open_questions, start)
    return value


@compiled(nogil=True)
def first_plies(
    situation: Situation,
    questions: NDArray[np.int64],
    pages: NDArray[np.int64],
    override_pending: float,
    refusal_pending: float,
    override_turns: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return (A,) the value of every action by the exact first ply.

    The page's reward is summed over the candidates; what is left is parted by what each candidate would
    answer, and each part is worth its mass times the horizon's value, averaged over the shopper's scenarios.

    Args:
        situation: the belief, its probabilities summing to 1.
        questions: (A,) attribute codes.
        pages: (A,) numbers of products shown.
        override_pending: probability that the shopper will yet change its mind.
        refusal_pending: probability that it refuses the next question.
        override_turns: the turns in which it may change its mind, alike probable.
    """
    values = np.zeros(len(questions))
    for a in range(len(questions)):
        for scenario in range(2 + len(override_turns)):
            override_turn, share = 0, max(0.0, 1.0 - override_pending - refusal_pending)
            if scenario == 1:
                share = refusal_pending
            elif scenario > 1:
                override_turn = override_turns[scenario - 2]
                share = override_pending / len(override_turns)
            if share > 0.0:
                values[a] += share * _one_ply(situation, questions[a], pages[a], override_turn, scenario == 1)
    return values
