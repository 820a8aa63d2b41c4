"""The protocol's score as a reward, and the value of a belief when no more is heard."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring.compiled import compiled

LAST_TURN = 10
PAGE_LIMIT = 10


@compiled()
def reward(turn: int, rank: int) -> float:
    """Return the score of a session whose target is first shown in ``turn`` at ``rank`` (both from 1).

    ``0.5 HR + 0.3 MRR + 0.2 efficiency`` for one session; a session without a hit scores 0.
    """
    return 0.5 + 0.3 / rank + 0.02 * (LAST_TURN + 1 - turn)


@compiled()
def singles_first(weights: NDArray[np.float64], turn: int) -> tuple[int, float]:
    """Return the best plan that needs no more answers, and its expected reward.

    Args:
        weights: (M,) probabilities of the candidates, largest first; they need not sum to 1.
        turn: the turn whose page comes next.

    A plan shows one product a turn for ``j`` turns, then ten a turn to the end, in order of probability.
    Returns ``j`` and the sum over candidates of probability times reward, which bounds the optimal value
    from below.
    """
    best_plan, best_value = 0, -1.0
    for singles in range(LAST_TURN - turn + 1):
        value, place = 0.0, 0
        for shown_turn in range(turn, LAST_TURN + 1):
            page = 1 if shown_turn < turn + singles else PAGE_LIMIT
            for rank in range(1, min(page, len(weights) - place) + 1):
                value += weights[place] * reward(shown_turn, rank)
                place += 1
        if value > best_value + 1e-12:
            best_plan, best_value = singles, value
    return best_plan, best_value
