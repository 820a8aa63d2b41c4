"""The fits of prior, profile and horizon, and the ablation, against answers worked out by hand."""

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

from experiments import __main__ as cli
from experiments.customers.conversation import SessionResult
from experiments.customers.sessions import draw_sessions, write_sessions
from experiments.generator import write_catalog
from experiments.metrics.bootstrap import Bootstrap
from experiments.running.evaluate import Run, config_of
from experiments.studies.ablation import FULL, VARIANTS, ablated, ablation_rows
from experiments.studies.horizon import HorizonData, fit_horizon, horizon_errors
from experiments.studies.priors import Wanted, fit_prior, log_loss
from experiments.studies.profile import Profiled, fit_profile, profile_log_loss
from index.readers import read_products
from planner.config import PlannerConfig
from rollouts.horizon import HORIZON_TERMS
from scoring.priors import PRIOR_COLUMNS

HAS_PRICE = PRIOR_COLUMNS.index("has_price")


def wanted(priced, plain, priced_targets, plain_targets):
    """Return a catalog that differs in the price alone, and so many targets of either kind."""
    features = np.zeros((priced + plain, len(PRIOR_COLUMNS)))
    features[:priced, HAS_PRICE] = 1.0
    return Wanted(features, np.array([0] * priced_targets + [priced] * plain_targets))


class TestPrior:
    def test_the_weight_is_the_logarithm_of_the_odds(self):
        # As many products of either kind, four times the targets: ln 4.
        weights = fit_prior([wanted(50, 50, 800, 200)], ridge=0.0)
        assert weights["has_price"] == pytest.approx(math.log(4), abs=1e-4)
        assert all(weights[name] == pytest.approx(0.0, abs=1e-6) for name in set(weights) - {"has_price"})

    def test_catalogs_count_by_their_sessions(self):
        # Odds of 3 with 300 sessions and of 1/3 with 100, both on even catalogs: 250 against 150 in all.
        weights = fit_prior([wanted(10, 10, 225, 75), wanted(20, 20, 25, 75)], ridge=0.0)
        assert weights["has_price"] == pytest.approx(math.log(250 / 150), abs=1e-4)

    def test_a_ridge_shrinks(self):
        strong, weak = (fit_prior([wanted(50, 50, 800, 200)], ridge)["has_price"] for ridge in (1.0, 1e-3))
        assert 0.0 < strong < weak < math.log(4)

    def test_log_loss(self):
        assert log_loss(np.log([0.5, 0.25, 0.25]), np.array([0, 1])) == pytest.approx(1.5 * math.log(2))


class TestProfile:
    """A catalog of four products: each tag alone, both, neither."""

    HELD = np.array([[True, False], [False, True], [True, True], [False, False]])

    def sessions(self, counts):
        """Return sessions with so many targets, product by product, for each profile (a tuple of tags)."""
        tags = [given for given, row in counts.items() for n in row for _ in range(n)]
        targets = [place for row in counts.values() for place, n in enumerate(row) for _ in range(n)]
        return Profiled(np.log(np.full(4, 0.25)), self.HELD, np.array(tags), np.array(targets))

    def test_the_weight_is_the_logarithm_of_the_odds(self):
        # Whoever has a tag takes what holds it four times as often: ln 4; neither tag is liked by itself.
        data = self.sessions({(True, False): (400, 100, 400, 100), (False, True): (100, 400, 400, 100)})
        fit = fit_profile(data, ridge=0.0)
        assert fit.weight == pytest.approx(math.log(4), abs=1e-3)
        assert fit.general == pytest.approx([0.0, 0.0], abs=1e-3)
        # Of a given tag the variance is 0.8 * 0.2, of the other 0.25. Over 1,000 sessions of each profile
        # the information on a tag is 410, on the share 320, crosswise 160: 320 - 2 * 160^2 / 410 is left.
        assert fit.standard_error == pytest.approx(1.0 / math.sqrt(320 - 2 * 160**2 / 410), rel=1e-3)

    def test_what_all_like_is_no_matter_of_the_profile(self):
        # The first tag is liked four times as much by all, whatever their profile says.
        data = self.sessions({(True, False): (400, 100, 400, 100), (False, True): (400, 100, 400, 100)})
        fit = fit_profile(data, ridge=0.0)
        assert fit.weight == pytest.approx(0.0, abs=1e-3)
        assert fit.general == pytest.approx([math.log(4), 0.0], abs=1e-3)

    def test_log_loss(self):
        data = self.sessions({(True, True): (0, 0, 1, 0)})
        # odds of 1 : e^(w/2) : e^(w/2) : e^w, w = ln 4
        expected = math.log(1 + 2 + 2 + 4) - math.log(4)
        assert profile_log_loss(data, math.log(4), np.zeros(2)) == pytest.approx(expected)


class TestHorizon:
    def test_the_weights_behind_exact_data_are_found(self):
        rng = np.random.default_rng(1)
        weights = dict(zip(HORIZON_TERMS, (0.1, 0.2, 0.3, 0.15, 0.05), strict=True))
        terms = rng.random((200, len(HORIZON_TERMS)))
        low = rng.random(200) / 2
        high = low + rng.random(200) / 2
        reward = low + (terms @ np.array(list(weights.values()))) * (high - low)
        data = HorizonData(terms, low, high, reward)
        assert fit_horizon(data, 0.0) == pytest.approx(weights, abs=1e-9)
        assert horizon_errors(data, weights)["value_rmse"] == pytest.approx(0.0, abs=1e-12)

    def test_errors(self):
        terms = np.zeros((2, len(HORIZON_TERMS)))
        terms[:, 0] = 1.0
        data = HorizonData(terms, np.array([0.5, 0.6]), np.array([0.9, 1.0]), np.array([0.8, 0.8]))
        weights = dict.fromkeys(HORIZON_TERMS, 0.0) | {"constant": 0.5}
        errors = horizon_errors(data, weights)
        # low misses by -.3 and -.2, high by +.1 and +.2, the middle by -.1 and 0.
        assert errors["low_bias"] == pytest.approx(-0.25)
        assert errors["high_rmse"] == pytest.approx(math.sqrt(0.025))
        assert errors["value_bias"] == pytest.approx(-0.05)


class TestAblation:
    def test_each_variant_differs_from_the_full_planner_as_it_says(self):
        config = PlannerConfig.load("robust")
        full, *variants = ablated(config)
        assert config_of(full) == config
        tables = [config_of(system).tables() for system in variants]
        for values, changed in zip(VARIANTS.values(), tables, strict=True):
            for name, value in values.items():
                part = changed
                for key in name.split("."):
                    part = part[key]
                assert (list(part) if isinstance(value, list) else part) == value

    def test_differences_are_paired_with_the_full_planner(self):
        def run(name, *turns):
            results = [SessionResult(str(n), "buying", turn, 1, (), {}, {}) for n, turn in enumerate(turns)]
            return Run(name, tuple(results))

        rows = ablation_rows([run(FULL, 1, 2), run("slow", 2, 3), run("mixed", 1, 4)], Bootstrap())
        assert rows[FULL]["difference"] == 0.0
        # A turn more costs .02 in each session, whichever is drawn.
        assert rows["slow"]["difference"] == pytest.approx(-0.02)
        assert rows["slow"]["interval"] == pytest.approx([-0.02, -0.02])
        assert rows["mixed"]["difference"] == pytest.approx(-0.02)
        assert rows["mixed"]["interval"] == pytest.approx([-0.04, 0.0])


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("fits") / "catalog.jsonl"
    write_catalog(path, 300, 0)
    return path


def invoke(*arguments):
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


def test_the_fit_command_writes_a_preset_whose_horizon_is_current(small, tmp_path):
    out = tmp_path / "out"
    done = invoke("fit", "--catalog", small, "--samples", 10, "--workers", 1, "--out", out)
    assert done.exit_code == 0, done.output
    fitted = PlannerConfig.load(out / "fitted.toml")
    assert fitted.horizon_is_current
    assert not fitted.changed({"questions.times": 9}).horizon_is_current
    report = json.loads((out / "fit.json").read_text())
    uniform = report["prior"]["strength 0"]
    assert uniform["public"] == pytest.approx(math.log(300), abs=1e-6)
    assert report["prior"]["as drawn"]["public"] <= report["prior"]["fitted"]["public"] + 0.1
    assert report["horizon"]["low_bias"] < report["horizon"]["high_bias"]
    # generated profiles are drawn without regard to the target
    assert abs(report["profile"]["fitted"]) < 4 * report["profile"]["standard_error"]
    assert fitted.scoring.text.profile == report["profile"]["weight"]


def test_the_ablation_command(small, tmp_path):
    out = tmp_path / "out"
    options = ("--catalog", small, "--samples", 4, "--workers", 1, "--out", out, "--variant", "pages of 10")
    done = invoke("ablation", *options)
    assert done.exit_code == 0, done.output
    report = json.loads((out / "report.json").read_text())
    assert list(report["rows"]) == ["public", "uniform"]
    assert report["rows"]["uniform"][FULL]["difference"] == 0.0
    assert "pages of 10" in (out / "report.md").read_text()


def test_the_ablation_of_sessions_of_a_file(small, tmp_path):
    out, file = tmp_path / "out", tmp_path / "sessions.jsonl"
    products, _ = read_products(small)
    write_sessions(file, draw_sessions(products, 3, 0))
    options = ("--catalog", small, "--workers", 1, "--out", out, "--variant", "pages of 10")
    done = invoke("ablation", *options, "--sessions", file)
    assert done.exit_code == 0, done.output
    report = json.loads((out / "report.json").read_text())
    assert report["samples"] == {"sessions.jsonl": 3}
    assert list(report["rows"]) == ["sessions.jsonl"]
    assert "3 sessions, sessions.jsonl\n" in (out / "report.md").read_text()
    refused = invoke("ablation", *options, "--sessions", file, "--distribution", "cold")
    assert "--distribution is for drawn sessions" in refused.stderr


def test_an_unknown_variant_is_named(small):
    done = invoke("ablation", "--catalog", small, "--variant", "pages of 11")
    assert done.exit_code == 2
    assert "no variant 'pages of 11'" in done.stderr
