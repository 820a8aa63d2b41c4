from dataclasses import dataclass

import numpy as np
import pytest

from experiments.metrics.scorer import Metrics, hits_by_turn, metrics, session_values


@dataclass(frozen=True)
class Outcome:
    turn: int | None
    rank: int | None


MISS = Outcome(None, None)


def test_the_example_of_the_protocol():
    found = metrics([Outcome(2, 1), MISS, Outcome(4, 2)])
    # efficiency (11 - 17/3) / 10 = 16/30; score 1/3 + 0.15 + 0.32/3
    assert found == Metrics(
        sample_count=3,
        hit_rate_at_10=0.666667,
        mrr=0.5,
        mttc=5.666667,
        efficiency=0.533333,
        score=0.59,
    )


def test_all_missed():
    assert metrics([MISS, MISS]) == Metrics(2, 0.0, 0.0, 11.0, 0.0, 0.0)


def test_best_case():
    assert metrics([Outcome(1, 1)]) == Metrics(1, 1.0, 1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("worse", "cost"), [(Outcome(3, 1), 0.02), (Outcome(2, 2), 0.15), (Outcome(2, 10), 0.27)]
)
def test_costs_of_a_turn_and_of_a_rank(worse, cost):
    assert metrics([Outcome(2, 1)]).score - metrics([worse]).score == pytest.approx(cost, abs=1e-9)


def test_figures_have_six_digits():
    assert metrics([Outcome(1, 3), Outcome(1, 7), Outcome(1, 9)]).mrr == 0.195767  # (1/3 + 1/7 + 1/9) / 3


def test_values_of_sessions():
    assert np.allclose(session_values([Outcome(4, 2), MISS]), [[1, 0.5, 4, 0.7, 0.79], [0, 0, 11, 0, 0]])


def test_hits_by_turn():
    outcomes = [Outcome(1, 1), Outcome(3, 1), MISS, Outcome(3, 2)]
    assert hits_by_turn(outcomes) == [0.25, 0.25, *[0.75] * 8]
