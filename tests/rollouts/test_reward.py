"""Reward and plan values, against the protocol's formula and brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollouts.reward import LAST_TURN, reward, singles_first


@pytest.mark.parametrize(
    ("turn", "rank", "score"), [(1, 1, 1.0), (2, 1, 0.98), (4, 2, 0.79), (10, 10, 0.55), (1, 10, 0.73)]
)
def test_reward_is_the_score_of_one_session(turn, rank, score):
    assert reward(turn, rank) == pytest.approx(score)


def brute_force(weights, turn):
    """Simulate each plan page by page."""
    values = []
    for singles in range(LAST_TURN - turn + 1):
        waiting, value = list(weights), 0.0
        for at in range(turn, LAST_TURN + 1):
            page = 1 if at < turn + singles else 10
            for rank, weight in enumerate(waiting[:page], start=1):
                value += weight * (0.5 + 0.3 / rank + 0.2 * (11 - at) / 10)
            waiting = waiting[page:]
        values.append(value)
    return values


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=120), st.integers(1, LAST_TURN))
def test_the_best_plan_is_found(weights, turn):
    ordered = np.sort(np.array(weights))[::-1]
    values = brute_force(ordered, turn)
    singles, value = singles_first(ordered, turn)
    assert value == pytest.approx(max(values))
    assert values[singles] == pytest.approx(max(values))


def test_few_candidates_are_shown_one_by_one_and_many_ten_at_a_time():
    assert singles_first(np.array([0.6, 0.4]), 1) == (1, pytest.approx(0.6 + 0.4 * 0.98))
    assert singles_first(np.full(100, 0.01), 1)[0] == 0
    assert singles_first(np.array([0.6, 0.4]), LAST_TURN)[0] == 0
