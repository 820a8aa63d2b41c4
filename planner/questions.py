"""Which questions are worth asking, and the splitting heuristic that stands in for the rollouts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from index.attributes import AttributeIndex
from index.cards import ATTRIBUTES
from planner.config import QuestionConfig
from planner.dialogue import DialogueState
from scoring.posterior import Belief
from scoring.shopper import OTHER


def answer_mass(belief: Belief) -> NDArray[np.float64]:
    """Return (10,) the probability that the target has something undisclosed to say on each attribute."""
    can_answer = (belief.masks & ~belief.disclosed[:, None]) != 0
    return belief.probabilities @ can_answer


def open_questions(state: DialogueState, config: QuestionConfig) -> list[int]:
    """Return the attributes that may still be asked: allowed, not retired, not asked too often."""
    asked = state.times_asked
    return [
        code
        for code in range(len(ATTRIBUTES))
        if (config.other or code != OTHER) and code not in state.retired and asked[code] < config.times
    ]


def worthwhile_questions(
    belief: Belief, state: DialogueState, attributes: AttributeIndex, config: QuestionConfig
) -> list[int]:
    """Return the open questions that the target can probably answer.

    A question that was refused is asked again only where it promises more than each of the others. Where no
    question promises anything, the open attribute that most of the catalog can answer is asked all the same:
    a turn without a question is lost, and the belief may be wrong.
    """
    mass = answer_mass(belief)
    refused = [code for code in open_questions(state, config) if code in state.refused]
    fresh = [code for code in open_questions(state, config) if code not in state.refused]
    most = max(mass[fresh], default=0.0)
    worthwhile = [code for code in fresh if mass[code] >= config.least_mass]
    worthwhile += [
        code for code in refused if config.after_refusal * mass[code] > max(most, config.least_mass)
    ]
    if worthwhile or not fresh:
        return sorted(worthwhile)
    best = max(fresh, key=lambda code: (attributes.coverage[code], -code))
    return [best] if attributes.coverage[best] > 0.0 else []


def splitting_question(belief: Belief, questions: list[int]) -> int | None:
    """Return the question whose answers split the belief best, ``None`` where there is none.

    The value is answer mass x (1 - share of the largest answer): candidate splitting x answerability.
    """
    values = {}
    for code in questions:
        open_slots = belief.masks[:, code] & ~belief.disclosed
        can_answer = open_slots > 0
        first = belief.cards[can_answer, _lowest_slot(open_slots[can_answer])]
        mass = np.bincount(np.unique(first, return_inverse=True)[1], belief.probabilities[can_answer])
        total = mass.sum()
        values[code] = total * (1.0 - mass.max() / total) if len(mass) else 0.0
    return max(values, key=lambda code: (round(values[code], 12), -code), default=None)


def _lowest_slot(masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the place of the lowest set bit of each mask (none is zero)."""
    signed = masks.astype(np.int64)
    return np.log2(signed & -signed).astype(np.int64)
