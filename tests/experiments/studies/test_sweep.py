"""The search for settings: its space, that it finds a maximum, that it is the same twice."""

import json

import optuna
import pytest
from typer.testing import CliRunner

from experiments.__main__ import app
from experiments.generator import write_catalog
from experiments.studies.sweep import SPACE, SpaceError, read_space, search
from experiments.studies.sweep_report import conclusion
from planner.config import PlannerConfig

BASE = PlannerConfig.load("robust")
OWN = """
["scoring.posterior.temperature"]
low = 0.2
high = 2.0
log = true

["rollouts.depth"]
low = 0
high = 6
whole = true

["rollouts.pages"]
choices = [[1, 10], [10]]
"""


@pytest.fixture
def space(tmp_path):
    (tmp_path / "space.toml").write_text(OWN)
    return tmp_path / "space.toml"


def value(number, config):
    """Be largest at temperature 1, depth 2."""
    return 1 - abs(config.scoring.posterior.temperature - 1) - 0.2 * abs(config.rollouts.depth - 2)


def test_the_search_begins_at_the_base_and_comes_near_the_maximum(space):
    numbers = []

    def noted(number, config):
        numbers.append(number)
        return value(number, config)

    found = search(BASE, read_space(space, BASE), noted, trials=40, seed=1)
    assert numbers == list(range(40))
    first = found.attempts[0]
    assert first.values == {
        "scoring.posterior.temperature": BASE.scoring.posterior.temperature,
        "rollouts.depth": BASE.rollouts.depth,
        "rollouts.pages": BASE.rollouts.pages,
    }
    assert first.score == value(0, BASE)
    best = BASE.changed(found.best)
    assert value(0, best) == max(attempt.score for attempt in found.attempts) > 0.85
    assert best.rollouts.depth == 2
    # pages play no part in the value
    assert found.importance["rollouts.pages"] < min(
        found.importance["rollouts.depth"], found.importance["scoring.posterior.temperature"]
    )


def test_settings_that_are_tried_can_be_read(space):
    found = search(BASE, read_space(space, BASE), value, trials=5, seed=2)
    for attempt in found.attempts[1:]:
        temperature = attempt.values["scoring.posterior.temperature"]
        assert len(f"{temperature!r}".replace(".", "").lstrip("0")) <= 4


@pytest.mark.parametrize(("temperature", "told"), [(0.9, True), (5.0, False)])
def test_the_sampler_learns_from_a_base_within_the_space(space, temperature, told, monkeypatch):
    base = BASE.changed({"scoring.posterior.temperature": temperature})
    seen = []
    monkeypatch.setattr(optuna.Study, "add_trial", lambda study, trial: seen.append(trial))
    search(base, read_space(space, base), value, trials=2, seed=2)
    known = {"scoring.posterior.temperature": 0.9, "rollouts.depth": base.rollouts.depth, "rollouts.pages": 0}
    assert [trial.params for trial in seen] == [known] * told


@pytest.mark.parametrize(
    ("main", "control", "words"),
    [
        ([0.001, 0.01], [-0.01, 0.01], "gain on held-out and lose nowhere"),
        ([0.001, 0.01], [-0.01, -0.001], "lose on uniform control: the base stays"),
        ([-0.01, -0.001], [-0.01, -0.001], "lose on held-out and uniform control"),
        ([-0.001, 0.01], [0.001, 0.01], "no better than the base"),
    ],
)
def test_the_conclusion(main, control, words):
    parts = {"held-out": main, "uniform control": control}
    held_out = {name: {"intervals": {"score": bounds}} for name, bounds in parts.items()}
    assert words in conclusion({"held_out": held_out})


def test_the_search_is_the_same_twice(space):
    ranges = read_space(space, BASE)
    one, two = (search(BASE, ranges, value, trials=6, seed=3) for _ in range(2))
    assert one == two
    assert one.importance == {}


def test_the_projects_own_space_fits_its_settings():
    found = search(BASE, read_space(SPACE, BASE), value, trials=6, seed=0)
    for attempt in found.attempts:
        assert BASE.changed(attempt.values)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rollouts.depth", "rollouts.death", r"no such setting - at `rollouts\.death`"),
        ("high = 6", "high = -6", r"Expected `low` below `high`.* at `rollouts\.depth`"),
        ("low = 0.2", "low = 0.0", r"`low` above 0 .* at `scoring\.posterior\.temperature`"),
        ("[[1, 10], [10]]", "[[1, 10]]", r"two `choices` or more.* at `rollouts\.pages`"),
        ("low = 0.2", 'low = "x"', r"Expected `float \| null`, got `str`"),
        ("low = 0.2", "low =", "space.toml: "),
    ],
)
def test_a_bad_space_names_file_and_setting(space, old, new, message):
    space.write_text(OWN.replace(old, new, 1))
    with pytest.raises(SpaceError, match=message):
        read_space(space, BASE)


def test_the_command_writes_the_best_settings_and_goes_on(tmp_path, monkeypatch, space):
    monkeypatch.chdir(tmp_path)
    write_catalog(tmp_path / "catalog.jsonl", 200, 0)
    options = [
        "sweep",
        "--catalog",
        "catalog.jsonl",
        "--samples",
        "3",
        "--held-out-samples",
        "6",
        "--trials",
        "3",
        "--space",
        str(space),
    ]
    done = CliRunner().invoke(app, [*options, "--workers", "1", "--out", "out"])
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "out" / "sweep.json").read_text())
    assert len(report["trials"]) == 3
    assert report["held_out"]["held-out"]["sample_count"] == 6
    best = PlannerConfig.load(tmp_path / "out" / "best.toml")
    assert best == BASE.changed({name: new for name, (_, new) in report["settings"].items()})
    assert {path.name for path in (tmp_path / "out" / "figures").iterdir()} == {"course.png"}
    journal = (tmp_path / "out" / "journal.jsonl").read_bytes()
    assert len(journal.splitlines()) == 3 * 3 + 2 * 2 * 6
    again = CliRunner().invoke(app, [*options, "--workers", "1", "--out", "out"])
    assert again.exit_code == 0
    assert (tmp_path / "out" / "journal.jsonl").read_bytes() == journal
