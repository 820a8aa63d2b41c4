"""The rollout engine's inner loop: one imagined conversation on integer tables, compiled by numba."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollouts.horizon import horizon_value
from rollouts.particles import Particles
from rollouts.reward import LAST_TURN, PAGE_LIMIT, reward, singles_first
from scoring.compiled import compiled
from scoring.evidence import REQUIREMENT
from scoring.shopper import LINES_PER_REPLY, Weights, expected_slots, reply_log_likelihood

NO_QUESTION = -1
PLANNED = LAST_TURN * PAGE_LIMIT
"""As many products can be shown in a session."""
_inner = compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For functions that only kernels call: what makes a function callable from Python takes time to compile."""
_NOTHING = -9
"""Stands for what is answered where a reply answers nothing."""
_NEGLIGIBLE = 1e-6
"""Candidates below this share of the likeliest one leave an imagined belief."""
_ON_CARDS_ALONE = np.int64(0)
"""An imagined shopper says lines of its card: no other line of a record counts. Typed, so that the shopper
model is compiled once for real messages and imagined ones."""


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


@compiled()
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


@compiled()
def heaviest(active: NDArray[np.int64], weights: NDArray[np.float64], order: NDArray[np.int64]) -> int:
    """Write the ``active`` candidates of largest weight into ``order``, heaviest first, ties as they stand.

    Returns how many there are: all, or as many as ``order`` holds. By insertion, since beliefs come nearly in
    order and most of their candidates stay behind the last.
    """
    count = 0
    for k in active:
        if count < len(order):
            count += 1
        elif weights[k] <= weights[order[count - 1]]:
            continue
        place = count - 1
        while place > 0 and weights[order[place - 1]] < weights[k]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
    return count


class Imagined(NamedTuple):
    """An imagined belief between two turns: (K,) weights and disclosed slots, and the questions left open."""

    weights: NDArray[np.float64]
    disclosed: NDArray[np.int8]
    open_questions: NDArray[np.bool_]


@_inner
def _become(imagined: Imagined, other: Imagined) -> None:
    """Make ``imagined`` equal to ``other``."""
    for k in range(len(other.weights)):
        imagined.weights[k] = other.weights[k]
        imagined.disclosed[k] = other.disclosed[k]
    for question in range(len(other.open_questions)):
        imagined.open_questions[question] = other.open_questions[question]


@_inner
def _hear(
    imagined: Imagined, active: NDArray[np.int64], asked: int, said: NDArray[np.int32], situation: Situation
) -> None:
    """Update the belief in the ``active`` candidates by a reply, in place."""
    background = np.empty(len(said))
    for i in range(len(said)):
        background[i] = -situation.rarity[said[i]] if said[i] >= 0 else 0.0
    if asked >= 0 and said[0] < 0:
        imagined.open_questions[asked] = False
    for k in active:
        if imagined.weights[k] > 0.0:
            nats, done = reply_log_likelihood(
                situation.cards[k],
                situation.masks[k],
                imagined.disclosed[k],
                asked,
                said,
                _ON_CARDS_ALONE,
                background,
                situation.shopper,
            )
            imagined.weights[k] *= np.exp(nats)
            imagined.disclosed[k] = done


@_inner
def _reply(
    target: int,
    turn: int,
    override_turn: int,
    refuses: bool,
    silent: bool,
    question: int,
    disclosed: int,
    said: NDArray[np.int32],
    situation: Situation,
) -> int:
    """Write what the shopper says in ``turn`` into ``said``, -1 where nothing; return what it answers.

    That is the attribute asked, ``REQUIREMENT``, or ``_NOTHING`` where it answers nothing.
    """
    for i in range(len(said)):
        said[i] = -1
    if override_turn == turn:
        asked = REQUIREMENT
    elif question == NO_QUESTION or refuses:
        return _NOTHING
    else:
        asked = question
        if silent:
            return asked
    slots = expected_slots(situation.masks[target], disclosed, asked)
    heard = 0
    for slot in range(situation.cards.shape[1]):
        if slots & (1 << slot) and heard < len(said):
            said[heard] = situation.cards[target, slot]
            heard += 1
    return asked


@_inner
def _played_on(
    target: int,
    override_turn: int,
    refuses: bool,
    silences: int,
    depth: int,
    heard: Imagined,
    situation: Situation,
) -> float:
    """Return the reward of a conversation after its first reply; ``heard`` is what was believed then."""
    count = len(heard.weights)
    imagined = Imagined(
        np.empty(count), np.empty(count, dtype=np.int8), np.empty(len(heard.open_questions), dtype=np.bool_)
    )
    _become(imagined, heard)
    weights = imagined.weights
    said = np.empty(LINES_PER_REPLY, dtype=np.int32)
    left = np.empty(count, dtype=np.int64)
    for k in range(count):
        left[k] = k
    first = np.empty(min(count, PLANNED), dtype=np.int64)
    plan = np.empty(len(first))
    for step in range(1, depth + 2):
        turn = situation.turn + step
        if weights[target] <= 0.0:
            return 0.0
        # the candidates that are not negligible, and the target
        most = 0.0
        for k in left[:count]:
            most = max(most, weights[k])
        kept = 0
        for k in left[:count]:
            if weights[k] > _NEGLIGIBLE * most or k == target:
                left[kept] = k
                kept += 1
        count = kept
        active = left[:count]
        planned = heaviest(active, weights, first)
        question, mass = most_answered(
            active, weights, situation.masks, imagined.disclosed, imagined.open_questions
        )
        start = max(turn, override_turn)
        total = 1.0
        if step > depth:
            total = 0.0
            for k in active:
                total += weights[k]
        for place in range(planned):
            plan[place] = weights[first[place]] / total
        if step > depth:
            return horizon_value(plan[:planned], mass / total, start, situation.horizon)
        singles, _ = singles_first(plan[:planned], start)
        if override_turn <= turn:
            for place in range(min(1 if singles > 0 else PAGE_LIMIT, planned)):
                if first[place] == target:
                    return reward(turn, place + 1)
                weights[first[place]] = 0.0
        if turn == LAST_TURN:
            return 0.0
        asked = _reply(
            target,
            turn + 1,
            override_turn,
            refuses,
            silences & (1 << step) != 0,
            question,
            imagined.disclosed[target],
            said,
            situation,
        )
        if asked != _NOTHING:
            _hear(imagined, active, asked, said, situation)
        elif question != NO_QUESTION:
            imagined.open_questions[question] = False
            refuses = False
    return 0.0


@compiled(nogil=True)
def play_all(
    particles: Particles,
    depth: int,
    questions: NDArray[np.int64],
    pages: NDArray[np.int64],
    situation: Situation,
) -> NDArray[np.float64]:
    """Return (A, P) the reward of every action (question, page) for every particle.

    The first action is given; later pages follow the best plan that needs no answers and later questions
    the mass of candidates that can answer (:mod:`rollouts.reward` and :func:`most_answered`). After ``depth``
    more turns the horizon's value stands for the rest.

    What is believed after the first reply depends on the reply alone, and is worked out once for each.

    Args:
        particles: P hypotheses.
        depth: turns after the first one.
        questions: (A,) attribute codes, or ``NO_QUESTION``.
        pages: (A,) numbers of products shown.
        situation: what all start from.
    """
    turn, count = situation.turn, len(situation.probabilities)
    played = len(particles.targets)
    everyone = np.empty(count, dtype=np.int64)
    for k in range(count):
        everyone[k] = k
    before = Imagined(situation.probabilities, situation.disclosed, situation.open_questions)
    rewards = np.empty((len(questions), played))
    keys = np.empty((played, 2 + LINES_PER_REPLY), dtype=np.int64)
    weights = np.empty((played, count))
    disclosed = np.empty((played, count), dtype=np.int8)
    still_open = np.empty((played, len(situation.open_questions)), dtype=np.bool_)
    said = np.empty(LINES_PER_REPLY, dtype=np.int32)
    for a in range(len(questions)):
        replies = 0
        for p in range(played):
            target, override_turn = particles.targets[p], particles.override_turns[p]
            refuses, silences = particles.refuses[p], particles.silences[p]
            takes = override_turn <= turn
            if takes and target < pages[a]:
                rewards[a, p] = reward(turn, target + 1)
                continue
            if turn == LAST_TURN:
                rewards[a, p] = 0.0
                continue
            asked = _reply(
                target,
                turn + 1,
                override_turn,
                refuses,
                silences & 1 != 0,
                questions[a],
                situation.disclosed[target],
                said,
                situation,
            )
            place = 0
            while place < replies and not (
                keys[place, 0] == asked
                and keys[place, 1] == takes
                and keys[place, 2] == said[0]
                and keys[place, 3] == said[1]
            ):
                place += 1
            imagined = Imagined(weights[place], disclosed[place], still_open[place])
            if place == replies:
                replies += 1
                keys[place, 0], keys[place, 1] = asked, takes
                keys[place, 2], keys[place, 3] = said[0], said[1]
                _become(imagined, before)
                if takes:
                    for k in range(min(pages[a], count)):
                        imagined.weights[k] = 0.0
                if asked != _NOTHING:
                    _hear(imagined, everyone, asked, said, situation)
                elif questions[a] != NO_QUESTION:
                    imagined.open_questions[questions[a]] = False
            rewards[a, p] = _played_on(
                target,
                override_turn,
                refuses and questions[a] == NO_QUESTION,
                silences,
                depth,
                imagined,
                situation,
            )
    return rewards
