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
_NOTHING = -9
"""Stands for what is answered where a reply answers nothing."""
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


class Imagined(NamedTuple):
    """An imagined belief between two turns: (K,) weights and disclosed slots, and the questions left open."""

    weights: NDArray[np.float64]
    disclosed: NDArray[np.int8]
    open_questions: NDArray[np.bool_]


@njit(cache=True)
def _show(weights: NDArray[np.float64], order: NDArray[np.int64], page: int) -> None:
    """Take the products of a page that was passed over out of the belief."""
    for place in range(min(page, len(order))):
        weights[order[place]] = 0.0


@njit(cache=True)
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
                int(imagined.disclosed[k]),
                asked,
                said,
                0,
                background,
                situation.shopper,
            )
            imagined.weights[k] *= np.exp(nats)
            imagined.disclosed[k] = done


@njit(cache=True)
def _worth_keeping(weights: NDArray[np.float64], active: NDArray[np.int64], target: int) -> NDArray[np.int64]:
    """Return the active candidates that are not negligible, and the target."""
    heaviest = weights[active].max()
    kept = np.empty(len(active), dtype=np.int64)
    count = 0
    for k in active:
        if weights[k] > _NEGLIGIBLE * heaviest or k == target:
            kept[count] = k
            count += 1
    return kept[:count]


@njit(cache=True)
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
    """Write what the shopper says in ``turn`` into ``said``; return what it answers.

    That is the attribute asked, ``REQUIREMENT``, or ``_NOTHING`` where it answers nothing.
    """
    said[:] = -1
    if override_turn == turn:
        asked = REQUIREMENT
    elif question == NO_QUESTION or refuses:
        return _NOTHING
    else:
        asked = question
        if silent:
            return asked
    masks = situation.masks[target]
    _imagined_answer(situation.cards[target], expected_slots(masks, disclosed, asked), said)
    return asked


@njit(cache=True)
def _played_on(
    target: int,
    override_turn: int,
    refuses: bool,
    silences: int,
    depth: int,
    imagined: Imagined,
    situation: Situation,
) -> float:
    """Return the reward of a conversation after its first reply, which ``imagined`` has heard."""
    weights, disclosed, open_questions = imagined
    said = np.empty(LINES_PER_REPLY, dtype=np.int32)
    active = np.arange(len(weights))
    for step in range(1, depth + 2):
        turn = situation.turn + step
        if weights[target] <= 0.0:
            return 0.0
        active = _worth_keeping(weights, active, target)
        order = active[np.argsort(-weights[active], kind="mergesort")[:PLANNED]]
        start = max(turn, override_turn)
        question, mass = most_answered(active, weights, situation.masks, disclosed, open_questions)
        if step > depth:
            total = weights[active].sum()
            return horizon_value(weights[order] / total, mass / total, start, situation.horizon)
        singles, _ = singles_first(weights[order], start)
        page = 1 if singles > 0 else PAGE_LIMIT
        if override_turn <= turn:
            for place in range(min(page, len(order))):
                if order[place] == target:
                    return reward(turn, place + 1)
            _show(weights, order, page)
        if turn == LAST_TURN:
            return 0.0
        silent = silences & (1 << step) != 0
        asked = _reply(
            target,
            turn + 1,
            override_turn,
            refuses,
            silent,
            question,
            int(disclosed[target]),
            said,
            situation,
        )
        if asked != _NOTHING:
            _hear(imagined, active, asked, said, situation)
        elif question != NO_QUESTION:
            open_questions[question] = False
            refuses = False
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

    The first action is given; later pages follow the best plan that needs no answers and later questions
    the mass of candidates that can answer (:mod:`rollouts.reward` and :func:`most_answered`). After ``depth``
    more turns the horizon's value stands for the rest.

    A conversation is determined by its particle: neighbours that are equal are played once. What is believed
    after the first reply depends on the reply alone, and is worked out once for each.

    Args:
        targets: (P,) the shopper's product, a place among the candidates.
        override_turns: (P,) the turn in which it changes its mind, 0 for never.
        refuses: (P,) whether it refuses the next question.
        silences: (P,) bit i is set where its i-th answer fails to come.
        depth: turns after the first one.
        questions: (A,) attribute codes, or ``NO_QUESTION``.
        pages: (A,) numbers of products shown.
        situation: what all start from.
    """
    turn, count = situation.turn, len(situation.probabilities)
    everyone = np.arange(count)
    rewards = np.empty((len(questions), len(targets)))
    keys = np.empty((len(targets), 2 + LINES_PER_REPLY), dtype=np.int64)
    weights = np.empty((len(targets), count))
    disclosed = np.empty((len(targets), count), dtype=np.int8)
    still_open = np.empty((len(targets), len(situation.open_questions)), dtype=np.bool_)
    said = np.empty(LINES_PER_REPLY, dtype=np.int32)
    for a in range(len(questions)):
        heard = 0
        for p in range(len(targets)):
            target, override_turn = targets[p], override_turns[p]
            if (
                p > 0
                and target == targets[p - 1]
                and override_turn == override_turns[p - 1]
                and refuses[p] == refuses[p - 1]
                and silences[p] == silences[p - 1]
            ):
                rewards[a, p] = rewards[a, p - 1]
                continue
            takes = override_turn <= turn
            if takes and target < pages[a]:
                rewards[a, p] = reward(turn, target + 1)
                continue
            if turn == LAST_TURN:
                rewards[a, p] = 0.0
                continue
            silent = silences[p] & 1 != 0
            before = int(situation.disclosed[target])
            asked = _reply(
                target, turn + 1, override_turn, refuses[p], silent, questions[a], before, said, situation
            )
            place = 0
            while place < heard and not (
                keys[place, 0] == asked
                and keys[place, 1] == takes
                and keys[place, 2] == said[0]
                and keys[place, 3] == said[1]
            ):
                place += 1
            if place == heard:
                heard += 1
                keys[place, 0], keys[place, 1] = asked, takes
                keys[place, 2], keys[place, 3] = said[0], said[1]
                weights[place] = situation.probabilities
                disclosed[place] = situation.disclosed
                still_open[place] = situation.open_questions
                imagined = Imagined(weights[place], disclosed[place], still_open[place])
                if takes:
                    _show(imagined.weights, everyone, pages[a])
                if asked != _NOTHING:
                    _hear(imagined, everyone, asked, said, situation)
                elif questions[a] != NO_QUESTION:
                    imagined.open_questions[questions[a]] = False
            rewards[a, p] = _played_on(
                target,
                override_turn,
                refuses[p] and questions[a] == NO_QUESTION,
                silences[p],
                depth,
                Imagined(weights[place].copy(), disclosed[place].copy(), still_open[place].copy()),
                situation,
            )
    return rewards
