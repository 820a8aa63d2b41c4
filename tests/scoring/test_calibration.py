"""Measures of calibration worked out by hand; the fit against data drawn from a known model."""

import numpy as np
import pytest

from scoring.calibration import RANGE, BeliefTable, brier_score, fit_posterior, log_loss, reliability
from scoring.config import PosteriorConfig


def test_bins_and_expected_calibration_error():
    # two bins: 0.1, 0.3 (one true: 0.5 against 0.2) and 0.6, 1.0 (both true: 1 against 0.8)
    found = reliability(np.array([0.1, 0.3, 0.6, 1.0]), np.array([False, True, True, True]), bins=2)
    assert found.counts.tolist() == [2, 2]
    np.testing.assert_allclose(found.confidence, [0.2, 0.8])
    np.testing.assert_allclose(found.frequency, [0.5, 1.0])
    assert found.expected_calibration_error == pytest.approx(0.5 * 0.3 + 0.5 * 0.2)


def test_an_empty_bin_counts_nothing():
    found = reliability(np.array([0.9, 0.9]), np.array([True, False]), bins=3)
    assert np.isnan(found.confidence[:2]).all()
    assert found.expected_calibration_error == pytest.approx(0.4)


def test_brier_score_and_log_loss():
    stated, true = np.array([0.8, 0.5, 1.0]), np.array([True, False, True])
    assert brier_score(stated, true) == pytest.approx((0.04 + 0.25 + 0) / 3)
    assert log_loss(stated, true) == pytest.approx(-(np.log(0.8) + np.log(0.5)) / 3)
    assert np.isfinite(log_loss(np.array([0.0]), np.array([True])))


TABLE = BeliefTable(
    rows=np.array([[2, 0], [1, -1]]),
    evidence=np.array([[0.0, np.log(2)], [5.0, -np.inf]]),
    truth=np.array([0, -1]),
)
"""Two turns over three products: two candidates, and one alone, where the product wanted is no candidate."""
PRIOR = np.log([0.25, 0.25, 0.5])


def test_probabilities_are_the_tempered_posterior():
    # posterior odds of rows 2 and 0: (1 x 0.5) to (2 x 0.25), that is even; at temperature 1/2 still even
    found = TABLE.probabilities(PRIOR, PosteriorConfig(temperature=0.5, floor=0.2))
    np.testing.assert_allclose(found, [[0.5, 0.5], [1.0, 0.0]])
    # without a prior the odds are 1 to 2, squared 1 to 4; a fifth is spread evenly
    found = TABLE.probabilities(np.zeros(3), PosteriorConfig(temperature=0.5, floor=0.2))
    np.testing.assert_allclose(found[0], [0.8 * 0.2 + 0.1, 0.8 * 0.8 + 0.1])


def test_the_loss_is_that_of_turns_whose_product_is_a_candidate():
    assert TABLE.loss(np.zeros(3), PosteriorConfig(temperature=1.0, floor=0.0)) == pytest.approx(np.log(3))


def drawn(temperature, floor, strength, turns=4_000, candidates=6):
    """Return beliefs whose truth is drawn from the model at these settings, and the prior of strength one."""
    rng = np.random.default_rng(1)
    prior = rng.normal(0, 1.5, candidates)
    evidence = rng.normal(0, 2, (turns, candidates))
    scores = (evidence + strength * prior) / temperature
    posterior = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    posterior = (1 - floor) * posterior + floor / candidates
    truth = (posterior.cumsum(axis=1) < rng.random((turns, 1))).sum(axis=1)
    rows = np.tile(np.arange(candidates), (turns, 1))
    return BeliefTable(rows, evidence, truth), prior


def test_the_fit_finds_the_settings_that_the_data_were_drawn_from():
    table, prior = drawn(temperature=1.6, floor=0.08, strength=0.5)
    start = PosteriorConfig(temperature=0.75, floor=0.02)
    found = fit_posterior(table, lambda strength: strength * prior, start, 1.0, least_floor=0.0)
    assert found.posterior.temperature == pytest.approx(1.6, rel=0.1)
    assert found.posterior.floor == pytest.approx(0.08, abs=0.03)
    assert found.strength == pytest.approx(0.5, rel=0.15)
    assert found.loss < table.loss(prior, start)
    assert found.loss == pytest.approx(table.loss(found.strength * prior, found.posterior))


def test_the_floor_is_bounded_below_and_the_temperature_within_its_range():
    table, prior = drawn(temperature=1.0, floor=0.0, strength=1.0, turns=500)
    start = PosteriorConfig(temperature=0.75, floor=0.02)
    found = fit_posterior(table, lambda strength: strength * prior, start, 1.0, least_floor=0.01)
    assert 0.01 <= found.posterior.floor < 0.05
    certain = BeliefTable(table.rows, table.evidence, table.evidence.argmax(axis=1))
    found = fit_posterior(certain, lambda strength: strength * prior, start, 1.0, least_floor=0.01)
    assert RANGE[0] <= found.posterior.temperature <= RANGE[1]
    assert RANGE[0] <= found.strength <= RANGE[1]
