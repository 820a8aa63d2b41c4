"""The fit of how shoppers are heard, against answers worked out by hand."""

import math

import msgspec
import pytest

from experiments.perturbations import PERTURBATIONS
from experiments.studies.hearing import HeardSession, HeardTurn, fit_grid, losses, read_space
from index.catalog import Catalog
from index.products import Product
from planner.config import PlannerConfig, setting
from scoring.posterior import Scorer

GRIDS = {"a": (0.0, 1.0, 2.0, 3.0), "b": (-2.0, -1.0, 0.0)}


def test_the_grid_point_of_least_loss_is_found_and_its_neighbours_shown():
    found = fit_grid(
        lambda at: (at["a"] - 2.2) ** 2 + (at["b"] + 0.9) ** 2, {"a": 0.0, "b": 0.0}, GRIDS, 0.0, 5
    )
    assert found.values == {"a": 2.0, "b": -1.0}
    assert found.before == pytest.approx(2.2**2 + 0.9**2)
    assert found.loss == pytest.approx(0.2**2 + 0.1**2)
    assert list(found.profile["a"]) == [1.0, 2.0, 3.0]
    assert found.profile["b"][-2.0] == pytest.approx(0.2**2 + 1.1**2)


def test_what_gains_too_little_stays():
    found = fit_grid(lambda at: -0.001 * at["a"], {"a": 0.0, "b": -0.5}, GRIDS, 0.01, 5)
    assert found.values == {"a": 0.0, "b": -0.5}
    assert found.loss == found.before == 0.0


def test_a_start_off_the_grid_goes_to_a_neighbour():
    assert fit_grid(lambda at: at["b"] ** 2, {"a": 1.0, "b": -0.7}, GRIDS, 0.0, 5).values["b"] == 0.0


def test_the_space_names_settings_and_perturbations():
    space = read_space()
    assert set(space.kinds) <= set(PERTURBATIONS)
    config = PlannerConfig.load("robust")
    for name, values in space.weights.items():
        assert isinstance(setting(config, name), float)
        assert list(values) == sorted(set(values))
        config.changed({name: values[0]})


def test_the_loss_is_a_mean_over_turns_then_sessions_of_a_kind():
    catalog = Catalog.build([Product(f"p{number}", features=("Zip",)) for number in range(4)])
    config = PlannerConfig.load("robust").scoring
    posterior = msgspec.structs.replace(config.posterior, floor=0.0)
    scorer = Scorer(catalog, msgspec.structs.replace(config, posterior=posterior))
    few, all_rows = (HeardTurn((), scorer.belief((), 1).rows[:count]) for count in (2, 4))
    sessions = [
        HeardSession("x", (few, all_rows)),
        HeardSession("x", (all_rows,)),
        HeardSession("y", (few,)),
    ]
    found = losses(scorer, sessions)
    assert found["x"] == pytest.approx(((math.log(2) + math.log(4)) / 2 + math.log(4)) / 2)
    assert found["y"] == pytest.approx(math.log(2))
