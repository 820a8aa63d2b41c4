"""A run from a TOML file: what is refused, what its folder holds, and that it goes on."""

import json
import tomllib
from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from experiments.__main__ import app
from experiments.running.description import DescriptionError, RunDescription, make_systems, to_toml
from planner.config import PlannerConfig

SMALL = """
[catalog]
file = "catalog.jsonl"

[[sessions]]
name = "drawn"
seeds = [20000, 20001]
samples = 4

[[sessions]]
name = "evenly"
seeds = [20000]
samples = 3
distribution = "uniform"

[[systems]]
name = "short"
config = { base = "robust", rollouts = { depth = 1 } }

[[systems]]
name = "own"
config = "own.toml"

[[systems]]
name = "weak"
baseline = "weak"

[bootstrap]
resamples = 50

[execution]
workers = 1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "runs described"
    place.mkdir()
    words = ["amber", "beryl", "coral", "diamond"]
    products = [
        {
            "parent_asin": f"P{n}",
            "title": f"{words[n % 4]} {n}",
            "features": [f"line {n}"],
            "rating_number": n,
        }
        for n in range(30)
    ]
    (place / "catalog.jsonl").write_bytes(b"\n".join(map(orjson.dumps, products)))
    (place / "own.toml").write_text('base = "wildcard"\n[rollouts]\ndepth = 0\n')
    (place / "run.toml").write_text(SMALL)
    return place


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_folder_holds_what_was_run_and_what_came_of_it(folder, tmp_path):
    done = run("run", folder / "run.toml", "--out", "out")
    assert done.exit_code == 0, done.output
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {
        *("run.json", "run.toml", "journal.jsonl", "log.txt"),
        *("report.json", "report.md", "sessions.jsonl", "figures"),
    }
    record = json.loads((out / "run.json").read_text())
    systems = {part["name"]: part for part in record["description"]["systems"]}
    assert systems["own"]["config"] == PlannerConfig.load(folder / "own.toml").tables() | {
        "rollouts": systems["own"]["config"]["rollouts"]
    }
    assert systems["own"]["config"]["rollouts"]["depth"] == 0
    assert record["sets"]["drawn"]["seeds"] == [20_000, 20_001]
    assert record["sets"]["drawn"]["splits"] == ["held-out"]
    assert "numpy" in record["versions"]
    lines = [json.loads(line) for line in (out / "sessions.jsonl").read_text().splitlines()]
    assert [line["set"] for line in lines] == ["drawn"] * 8 + ["evenly"] * 3
    assert lines[4]["sample_id"] == "held-out-20001-0001"
    report = json.loads((out / "report.json").read_text())
    assert report["sets"]["drawn"]["systems"]["short"]["overall"]["sample_count"] == 8
    assert set(report["sets"]["evenly"]["differences"]) == {"short - own", "short - weak"}
    assert "## evenly" in (out / "report.md").read_text()
    assert sorted(path.name for path in (out / "figures").iterdir()) == [
        *("hits-1.png", "hits-2.png", "scores-1.png", "scores-2.png")
    ]
    journal = (out / "journal.jsonl").read_bytes()
    assert len(journal.splitlines()) == 3 * 11

    # the resolved description is a description: it runs again, goes on where the first one ended
    again = run("run", out / "run.toml", "--out", "out", "--workers", 2)
    assert again.exit_code == 0, again.output
    assert (out / "journal.jsonl").read_bytes() == journal
    (folder / "run.toml").write_text(SMALL.replace("samples = 3", "samples = 2"))
    other = run("run", folder / "run.toml", "--out", "out")
    assert other.exit_code == 2
    assert "error: out holds another run: its description.sessions" in other.stderr
    compared = run("compare", "out", "out", "--against", "weak")
    assert compared.exit_code == 0, compared.output
    assert "verdict: " in compared.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("samples = 4", "samples = 0", r"`\$\.sessions\[0\]\.samples`"),
        ("samples = 4", "sample = 4", "unknown field `sample`"),
        ("seeds = [20000, 20001]", "seeds = [77777]", r"seed 77777 is in .* `\$\.sessions\[0\]\.seeds`"),
        ('baseline = "weak"', 'baseline = "strong"', r"'strong' is none .* `\$\.systems\[2\]\.baseline`"),
        ('baseline = "weak"', "", r"either `config` or `baseline` - at `\$\.systems\[2\]`"),
        ('name = "own"', 'name = "short"', r"'short' is named twice - at `\$\.systems\[1\]\.name`"),
        ("[catalog]", "[catalog", "run.toml: "),
    ],
)
def test_a_bad_description_names_file_and_key(folder, old, new, message):
    (folder / "run.toml").write_text(SMALL.replace(old, new, 1))
    with pytest.raises(DescriptionError, match=message) as raised:
        RunDescription.load(folder / "run.toml")
    assert str(folder / "run.toml") in str(raised.value)
    assert run("run", folder / "run.toml").exit_code == 2


def test_a_bad_configuration_names_the_system(folder):
    (folder / "run.toml").write_text(SMALL.replace("depth = 1", "depth = 99"))
    failed = run("run", folder / "run.toml")
    assert failed.exit_code == 2
    assert "error: system 'short': " in failed.stderr
    assert "rollouts.depth" in failed.stderr


def test_a_resolved_description_means_the_same(folder, tmp_path):
    description = RunDescription.load(folder / "run.toml")
    systems = make_systems(description)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "again.toml").write_text(to_toml(description.resolved(systems)))
    again = RunDescription.load(tmp_path / "other" / "again.toml")
    assert [s.make.keywords for s in make_systems(again)[:2]] == [s.make.keywords for s in systems[:2]]
    assert again.sessions == description.sessions
    assert Path(again.catalog.file) == folder / "catalog.jsonl"
    assert tomllib.loads(to_toml({"a": None, "b": [1]})) == {"b": [1]}
