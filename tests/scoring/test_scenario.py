"""Scenario posteriors, against Bayes' rule by hand."""

import pytest

from planner.config import PlannerConfig
from scoring.evidence import REQUIREMENT, LinesSaid, Opening, Override, Refusal, Silence
from scoring.scenario import scenario_belief

CONFIG = PlannerConfig.load("robust").scoring.scenario  # prior 0.40, 0.40, 0.15, 0.05
NOISE = CONFIG.noise


def belief(*evidence, turn=1):
    return scenario_belief(evidence, turn, CONFIG)


def test_no_sign_is_the_prior():
    assert belief(Opening("free")).probabilities == pytest.approx([0.40, 0.40, 0.15, 0.05])
    assert belief().override_pending == pytest.approx(0.15)
    assert belief().refusal_pending == pytest.approx(0.05)


def test_an_exploring_shopper_browses_or_is_at_a_boundary():
    total = 0.45 + NOISE * 0.55
    assert belief(Opening("exploring")).probabilities == pytest.approx(
        [NOISE * 0.40 / total, 0.40 / total, NOISE * 0.15 / total, 0.05 / total]
    )


def test_a_preference_announces_an_override():
    total = 0.15 + NOISE * 0.85
    assert belief(Opening("preference")).override_pending == pytest.approx(0.15 / total)


def test_a_refusal_tells_the_boundary_and_is_not_repeated():
    after = belief(Opening("exploring"), Refusal(1), turn=2)
    weights = [NOISE**2 * 0.40, NOISE * 0.40, NOISE**2 * 0.15, 0.05]
    assert after.probabilities == pytest.approx([weight / sum(weights) for weight in weights])
    assert after.refusal_pending == 0.0


@pytest.mark.parametrize("reply", [LinesSaid(1, (0,)), Silence(1)])
def test_an_answered_question_rules_the_boundary_out(reply):
    after = belief(Opening("exploring"), reply, turn=2)
    assert after.refusal_pending == 0.0
    assert after.probabilities[3] == pytest.approx(NOISE * 0.05 / (0.40 + NOISE * 0.05), rel=0.01)


def test_a_line_said_unasked_rules_nothing_out():
    assert belief(Opening("free"), LinesSaid(REQUIREMENT, (0,))).refusal_pending == pytest.approx(0.05)


def test_an_override_happens_once():
    after = belief(Opening("preference"), Override(), turn=3)
    assert after.override_pending == 0.0
    assert after.probabilities[2] > 0.999


def test_an_override_that_has_not_come_by_turn_five_will_hardly_come():
    assert belief(Opening("preference"), turn=4).override_pending > 0.99
    late = 0.15 * NOISE
    total = late + NOISE * 0.85
    assert belief(Opening("preference"), turn=5).override_pending == pytest.approx(late / total)
