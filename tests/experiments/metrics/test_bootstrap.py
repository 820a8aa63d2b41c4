import numpy as np
import pytest
from scipy.stats import binom

from experiments.metrics.bootstrap import Bootstrap


def test_interval_of_a_share_is_that_of_the_binomial():
    # Resampling n zeros and ones with share p draws n p* ~ Binomial(n, p).
    values = np.repeat([0.0, 1.0], [60, 140])[:, None]
    low, high = Bootstrap(resamples=20_000).intervals(values)[0]
    assert low == pytest.approx(binom.ppf(0.025, 200, 0.7) / 200, abs=0.0051)
    assert high == pytest.approx(binom.ppf(0.975, 200, 0.7) / 200, abs=0.0051)


def test_interval_of_a_mean_approaches_the_normal_one():
    values = np.random.default_rng(1).exponential(size=(2_000, 1))
    mean, error = values.mean(), values.std() / np.sqrt(len(values))
    low, high = Bootstrap(level=0.9, resamples=20_000).intervals(values)[0]
    assert low == pytest.approx(mean - 1.6449 * error, abs=0.1 * error)
    assert high == pytest.approx(mean + 1.6449 * error, abs=0.1 * error)


def test_columns_are_resampled_together():
    ours = np.random.default_rng(2).uniform(size=(50, 1))
    assert np.allclose(Bootstrap().intervals(ours - (ours - 0.25)), 0.25)
    bounds = Bootstrap().intervals(np.hstack([ours, 1 - ours]))
    assert np.allclose(bounds[1], 1 - bounds[0][::-1])


def test_one_session_has_a_point_for_an_interval():
    assert Bootstrap().intervals(np.array([[0.5, 2.0]])).tolist() == [[0.5, 0.5], [2.0, 2.0]]


def test_the_seed_settles_the_interval():
    values = np.random.default_rng(3).uniform(size=(30, 2))
    first, again = Bootstrap(seed=1).intervals(values), Bootstrap(seed=1).intervals(values)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, Bootstrap(seed=2).intervals(values))
