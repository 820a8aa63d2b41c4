import json
import re
from itertools import islice
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from experiments import __main__ as cli
from experiments.baselines.weak import WeakBaseline
from experiments.benchmark import defaults
from experiments.commands import evaluate as evaluating
from experiments.generator import catalog as generator
from experiments.generator import write_catalog
from experiments.running.evaluate import System

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"


def stand_in(name, config):
    """Stands in for the planner: quick."""
    return System(name, WeakBaseline)


def write_small_catalog(path, products, seed, console=None):
    words = ["amber", "beryl", "coral", "diamond"]
    records = (
        {
            "parent_asin": f"P{seed}-{n}",
            "title": f"{words[n % 4]} thing {n}",
            "features": [f"line {n}", "Imported"],
            "categories": [words[n % 4]],
            "rating_number": n * n,
        }
        for n in range(products)
    )
    Path(path).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(evaluating, "planner_system", stand_in)
    monkeypatch.setattr(defaults, "write_catalog", write_small_catalog)
    monkeypatch.setattr(defaults, "cache_folder", lambda: tmp_path / "cache")

    def invoke(*arguments):
        return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])

    return invoke


@pytest.fixture
def catalog(tmp_path):
    write_small_catalog(tmp_path / "catalog.jsonl", 40, 0)
    return tmp_path / "catalog.jsonl"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["evaluate", "--track", "fast"], ["--track", "fast", "robust", "wildcard"]),
        (["evaluate", "--samples", "0"], ["--samples"]),
        (["evaluate", "--workers", "none"], ["--workers"]),
        (["evaluate", "--seed", "-5"], ["seed -5", "split"]),
        (["evaluate", "--distribution", "even"], ["--distribution", "even"]),
        (["evaluate", "--catalog", "none.jsonl"], ["none.jsonl"]),
        (["evaluate", "--catalog", "catalog.jsonl", "--products", "5"], ["--products", "--catalog"]),
        (["evaluate", "--catalog", "catalog.jsonl", "--fields", "none.toml"], ["none.toml"]),
        (["evaluate", "--fields", "none.toml"], ["--fields", "--catalog"]),
        (["evaluate", "--catalog", "catalog.jsonl", "--sessions", "none.jsonl"], ["none.jsonl"]),
        (["evaluate", "--sessions", "s.jsonl", "--distribution", "cold"], ["--distribution", "--sessions"]),
        (["evaluate", "--catalog", "catalog.jsonl", "--out", "catalog.jsonl"], ["exists", "catalog.jsonl"]),
        (["evaluate", "--nonsense"], ["--nonsense"]),
        (["generate", "--out", "x.jsonl", "--products", "-1"], ["--products"]),
        (["generate"], ["--out"]),
        (["generate", "--out", "catalog.jsonl/x.jsonl"], ["catalog.jsonl"]),
        (["plugin", "--kit", "nowhere"], ["nowhere"]),
        (["nonsense"], ["nonsense"]),
        ([], ["command"]),
    ],
)
def test_bad_input_ends_with_one_line_on_stderr_and_code_2(run, catalog, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    *_, last = result.stderr.splitlines()
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert errors == [last]
    assert all(word in last for word in words)
    assert "Traceback" not in result.output
    assert not (catalog.parent / "runs").exists()


def test_the_index_is_stored_unless_told_otherwise(run, catalog, tmp_path, monkeypatch):
    monkeypatch.setenv("SHOPPING_PLANNER_CACHE", str(tmp_path / "stored"))
    options = ("evaluate", "--catalog", catalog, "--samples", 3, "--workers", 1)
    assert run(*options, "--no-cache", "--out", "a").exit_code == 0
    assert not (tmp_path / "stored").exists()
    monkeypatch.setenv("SHOPPING_PLANNER_CACHE", str(tmp_path / "stored"))
    for out in ("b", "c"):
        assert run(*options, "--out", out).exit_code == 0
        (folder,) = (tmp_path / "stored").iterdir()
        assert folder.name.startswith("catalog.jsonl-")
    results = {
        out: [
            {**json.loads(line), "timing": None}
            for line in (tmp_path / out / "sessions.jsonl").read_text().splitlines()
        ]
        for out in "abc"
    }
    assert results["a"] == results["b"] == results["c"]


def test_a_bad_sessions_line_is_named(run, catalog, tmp_path):
    (tmp_path / "s.jsonl").write_text('{"sample_id": "s1"}\n')
    result = run("evaluate", "--catalog", catalog, "--sessions", "s.jsonl")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == "error: s.jsonl, line 1: field ground_truth is missing"


def test_evaluates_a_generated_catalog_and_keeps_it(run, tmp_path):
    first = run("evaluate", "--products", 40, "--samples", 5, "--workers", 1)
    assert first.exit_code == 0, first.output
    assert "First run: generating a catalog of 40 products (seed 0)" in first.stderr
    assert "robust track" in first.stdout
    assert "planner - weak BM25: score +0.0000" in first.stdout
    assert "fallbacks: planner none; weak BM25 none" in first.stdout
    (kept,) = (tmp_path / "cache").iterdir()
    assert re.fullmatch(r"generated-v\d+-40-0[.]jsonl", kept.name)
    (folder,) = (tmp_path / "runs").iterdir()
    assert re.fullmatch(r"\d{8}-\d{6}-evaluate", folder.name)
    assert f"{Path('runs') / folder.name / 'report.json'}" in first.stdout
    again = run("evaluate", "--products", 40, "--samples", 5, "--workers", 1)
    assert "First run" not in again.stderr


def test_two_runs_differ_in_timing_alone(run, catalog, tmp_path):
    for out, workers in (("one", 1), ("two", 2)):
        options = ("--track", "wildcard", "--catalog", catalog, "--samples", 6, "--seed", 20_001)
        assert run("evaluate", *options, "--workers", workers, "--out", out).exit_code == 0
    one, two = (json.loads((tmp_path / out / "report.json").read_text()) for out in ("one", "two"))
    assert one.pop("timing")["workers"] == 1
    assert two.pop("timing")["workers"] == 2
    assert one == two
    assert one["track"] == "wildcard"
    assert one["seeds"] == {"catalog": None, "sessions": 20_001, "split": "held-out"}
    assert one["options"]["samples"] == 6
    assert one["catalog"]["products"] == 40
    one, two = ((tmp_path / out / "sessions.jsonl").read_text().splitlines() for out in ("one", "two"))
    assert len(one) == 6
    for left, right in zip(map(json.loads, one), map(json.loads, two), strict=True):
        del left["timing"], right["timing"]
        assert left == right


def test_sessions_whose_target_is_missing(run, catalog, tmp_path):
    def session(name, target):
        truth = {"parent_asin": target}
        return {"sample_id": name, "scenario_type": "buying", "ground_truth": truth, "user_profile": {}}

    lines = [session("s1", "P0-1"), session("s2", "gone"), session("s3", "P0-2")]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, lines)))
    options = ("evaluate", "--catalog", catalog, "--sessions", "s.jsonl", "--workers", 1)
    refused = run(*options)
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1] == "error: target 'gone' of session 's2' is not in the catalog"
    skipped = run(*options, "--skip-missing", "--out", "out")
    assert "sessions: 2 played, 1 skipped" in skipped.stdout
    assert json.loads((tmp_path / "out" / "report.json").read_text())["sessions"]["skipped"] == 1
    assert "sessions: 1 played, 0 skipped" in run(*options, "--samples", 1).stdout


def test_generate_and_plugin(run, tmp_path):
    made = run("generate", "--products", 7, "--seed", 3, "--out", tmp_path / "new" / "c.jsonl")
    assert made.exit_code == 0
    assert len((tmp_path / "new" / "c.jsonl").read_text().splitlines()) == 7
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["c.jsonl"]
    written = run("plugin", "--kit", tmp_path)
    assert written.exit_code == 0
    assert (tmp_path / "starter" / "agent.py").exists()


def test_a_generation_that_fails_leaves_nothing(run, monkeypatch, tmp_path):
    block = generator._block

    def fail(products, seed, start):
        yield from islice(block(products, seed, start), 1)
        raise OSError(28, "No space left on device", "disk")

    monkeypatch.setattr(defaults, "write_catalog", write_catalog)
    monkeypatch.setattr(generator, "_block", fail)
    result = run("generate", "--out", tmp_path / "c.jsonl", "--products", 10)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_help_ends_well(run):
    assert run("--help").exit_code == 0


@pytest.mark.skipif(not REAL.exists(), reason="real inputs absent: ../shared/real")
def test_real_products_and_sessions(run, tmp_path):
    options = ("--catalog", REAL / "products.jsonl", "--sessions", REAL / "sessions.jsonl", "--workers", 1)
    result = run("evaluate", *options, "--out", "out")
    assert result.exit_code == 0, result.output
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["sessions"] == {"source": "sessions.jsonl", "count": 67, "skipped": 0}
    assert report["systems"]["weak BM25"]["faults"] == {}


class TestOptions:
    """An option means the same wherever it stands."""

    OWN = (
        ("out", ("compare", "generate", "benchmark", "bench")),
        ("backend", ("run",)),
        ("seed", ("benchmark", "bench", "generate", "play")),
        ("samples", ("bench", "calibrate", "fit", "fit-hearing", "sweep")),
        ("products", ("fit-hearing",)),
        ("distribution", ("ablation", "benchmark")),
        ("sessions", ("compare",)),
        ("split", ("compare",)),
    )
    """Options that say more, or something narrower, in some commands."""

    @staticmethod
    def options():
        group = typer.main.get_command(cli.app)
        commands = {name: group.get_command(None, name) for name in group.list_commands(None)}
        return {
            name: {option.name: option for option in command.params if option.param_type_name == "option"}
            for name, command in commands.items()
        }

    def test_the_same_name_has_the_same_help_everywhere(self):
        own = {(command, name) for name, commands in self.OWN for command in commands}
        said = {}
        for command, options in self.options().items():
            for name, option in options.items():
                if (command, name) not in own:
                    said.setdefault(name, set()).add((option.help, *option.opts))
        assert {name: words for name, words in said.items() if len(words) > 1} == {}

    @pytest.mark.parametrize(
        "command", ["evaluate", "bakeoff", "robustness", "ablation", "calibrate", "fit", "sweep"]
    )
    def test_whoever_plays_sessions_says_on_what_and_where(self, command):
        common = {"catalog", "fields", "products", "samples", "no_cache"}
        common |= {"workers", "backend", "scheduler", "scratch", "out", "restart"}
        assert common <= set(self.options()[command])

    @pytest.mark.parametrize("command", ["run", "play"])
    def test_whoever_opens_an_index_can_leave_it_unstored(self, command):
        assert "no_cache" in self.options()[command]

    @pytest.mark.parametrize("command", ["calibrate", "fit", "sweep"])
    def test_fits_take_training_seeds_only(self, command, run):
        done = run(command, "--training", "20000")
        assert done.exit_code == 2
        assert "seed 20000 is a held-out seed; a training seed is needed" in done.output
        assert run(command, "--held-out", "3").exit_code == 2

    @pytest.mark.parametrize(
        ("command", "least"), [("calibrate", 10), ("fit", 10), ("sweep", 2), ("bench", 1)]
    )
    def test_samples(self, command, least, run):
        done = run(command, "--samples", least - 1)
        assert f"neither a number of at least {least} nor 'full'" in done.output
