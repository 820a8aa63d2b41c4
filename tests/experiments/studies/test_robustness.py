"""The robustness command: what is played, what is judged, what is written."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments import __main__ as cli
from experiments.baselines.weak import WeakBaseline
from experiments.commands import robustness as command
from experiments.customers.conversation import SessionResult
from experiments.metrics.bootstrap import Bootstrap
from experiments.perturbations import CLEAN, PERTURBATIONS
from experiments.running.evaluate import System
from experiments.studies.robustness import Outcome, build_report, markdown, table_rows

RECORD = {"track": "robust", "options": {"samples": 2, "seed": 0}, "catalog": {"source": "c.jsonl"}}


def result(turn, rank, scenario="buying"):
    return SessionResult("s", scenario, turn, rank, (), {}, {"belief": 1})


def report(name, ours, theirs=None, clean=((1, 1), (1, 1))):
    def results(ends):
        return [result(*end) for end in ends]

    def outcome(perturbation, own, other):
        systems = {"planner": results(own)} | ({"rival": results(other)} if other else {})
        return Outcome(perturbation, systems)

    outcomes = [outcome(CLEAN, clean, theirs and clean), outcome(PERTURBATIONS[name], ours, theirs)]
    return build_report(RECORD, outcomes, {}, Bootstrap(resamples=200))


MISS = (None, None)
# Turn 1, rank 1 scores 0.5 + 0.3 + 0.2 = 1; turn 2, rank 1: 0.98; turn 1, rank 2: 0.85; a miss: 0.


def test_a_row_met_and_a_row_missed():
    met = report("opener", [(1, 1), (2, 1)])["perturbations"]["opener"]
    assert (met["systems"]["planner"]["score"], met["at_least"], met["reference"]) == (0.99, 0.965, 0.917)
    assert (met["met"], met["margin"]) == (True, 0.025)
    assert met["to_clean"]["score"] == -0.01
    missed = report("opener", [(1, 1), (1, 2)])["perturbations"]["opener"]
    assert (missed["met"], missed["margin"]) == (False, -0.04)
    low, high = missed["to_clean"]["interval"]
    assert (low, high) == (-0.15, 0.0)


def test_the_clean_row_is_not_judged():
    row = report("opener", [(1, 1), (1, 1)])["perturbations"]["clean"]
    assert (row["met"], row["margin"], row["to_clean"], row["at_least"]) == (None, None, None, None)


def test_rows_to_beat_the_baselines_in():
    alone = report("vague", [(1, 1), (2, 1)])["perturbations"]["vague"]
    assert (alone["met"], alone["at_least"], alone["best_baseline"]) == (None, None, None)
    ahead = report("vague", [(1, 1), (2, 1)], [(1, 1), (1, 2)])["perturbations"]["vague"]
    assert (ahead["met"], ahead["at_least"], ahead["best_baseline"]) == (True, 0.925, "rival")
    assert ahead["to_best_baseline"]["score"] == 0.065
    level = report("vague", [(2, 1), (2, 1)], [(2, 1), (2, 1)])["perturbations"]["vague"]
    assert level["met"] is False


def test_cold_sessions_are_not_paired_with_the_clean_ones():
    assert report("cold", [(1, 1), MISS])["perturbations"]["cold"]["to_clean"] is None


def test_the_table():
    headings, rows = table_rows(report("opener", [(1, 1), MISS], [(1, 1), (1, 2)]))
    assert headings == [
        "perturbation", "HR@10", "MRR", "MTTC", "score [95%]", "to clean [95%]", "at least", "reference",
        "met", "rival",
    ]  # fmt: skip
    clean, opener = rows
    assert clean[:4] == ["clean", "1.000", "1.000", "1.00"]
    assert opener[:4] == ["opener", "0.500", "0.500", "6.00"]
    assert opener[4].startswith("0.5000 [")
    assert opener[6:] == ["0.965", "0.917", "no, -0.4650", "0.9250"]


def test_markdown_has_a_line_a_row():
    text = markdown(report("opener", [(1, 1), MISS]))
    head, blank, titles, rule, *rows = text.splitlines()
    assert head == "robust track, 2 sessions each, seed 0, catalog c.jsonl"
    assert blank == ""
    assert titles.startswith("| perturbation | what | HR@10 |")
    assert set(rule) <= set("|-: ")
    assert [row.split(" | ")[1] for row in rows] == ["the protocol's letter", "the opening reworded"]
    assert len({row.count("|") for row in (titles, rule, *rows)}) == 1


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "Bootstrap", lambda: Bootstrap(resamples=20))
    monkeypatch.setattr(command, "planner_system", lambda name, config: System(name, WeakBaseline))
    lines = (
        {
            "parent_asin": f"P{n}",
            "title": f"{['amber', 'beryl', 'coral'][n % 3]} thing {n}",
            "features": [f"line {n}", "Imported", "cotton"],
            "categories": [["amber", "beryl", "coral"][n % 3]],
            "rating_number": n,
        }
        for n in range(30)
    )
    Path("catalog.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    def invoke(*arguments):
        return CliRunner().invoke(cli.app, ["robustness", *map(str, arguments)])

    return invoke


def test_plays_all_and_writes_everything(run, tmp_path):
    done = run(
        "--catalog", "catalog.jsonl", "--samples", 4, "--workers", 1, "--system", "weak", "--out", "out"
    )
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "out" / "robustness.json").read_text())
    assert list(found["perturbations"]) == list(PERTURBATIONS)
    assert found["systems"] == ["planner", "weak"]
    assert all(row["systems"]["planner"]["sample_count"] == 4 for row in found["perturbations"].values())
    assert (tmp_path / "out" / "robustness.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "out" / "robustness.md").read_text().count("\n") == len(PERTURBATIONS) + 4
    sessions = (tmp_path / "out" / "sessions.jsonl").read_text().splitlines()
    assert len(sessions) == len(PERTURBATIONS) * 2 * 4
    rows = found["perturbations"]
    # The stand-in is the weak baseline itself: level with it everywhere, so never ahead of it.
    assert all(row["systems"]["planner"]["score"] == row["systems"]["weak"]["score"] for row in rows.values())
    assert not any(rows[name]["met"] for name in ("vague", "cold", "product-switched"))


def test_plays_what_is_chosen_alike_each_time(run):
    chosen = ("--perturbation", "natural", "--perturbation", "drop-35")
    for out in ("one", "two"):
        options = ("--catalog", "catalog.jsonl", "--samples", 4, "--seed", 20_000, *chosen)
        assert run(*options, "--workers", 1, "--out", out).exit_code == 0
    one, two = (json.loads(Path(out, "robustness.json").read_text()) for out in ("one", "two"))
    assert one.pop("timing")["workers"] == two.pop("timing")["workers"] == 1
    assert one == two
    assert list(one["perturbations"]) == ["clean", "natural", "drop-35"]
    assert Path("one/sessions.jsonl").read_bytes() == Path("two/sessions.jsonl").read_bytes()


def test_cold_is_left_out_with_a_word_where_sessions_come_from_a_file(run, tmp_path):
    truth = {"parent_asin": "P3"}
    session = {"sample_id": "s", "scenario_type": "buying", "ground_truth": truth, "user_profile": {}}
    Path("s.jsonl").write_text(json.dumps(session))
    options = ("--catalog", "catalog.jsonl", "--sessions", "s.jsonl", "--workers", 1, "--out", "out")
    done = run(*options, "--perturbation", "cold", "--perturbation", "greeting")
    assert "left out: cold" in done.stdout
    assert list(json.loads(Path("out/robustness.json").read_text())["perturbations"]) == ["clean", "greeting"]


@pytest.mark.parametrize(
    ("option", "name"), [("--perturbation", "colour"), ("--system", "best"), ("--seed", "40000")]
)
def test_a_name_that_is_not_known_ends_with_one_line(run, option, name):
    done = run("--catalog", "catalog.jsonl", option, name)
    assert done.exit_code == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert name in line


def test_a_run_goes_on_from_its_folder(run):
    options = ("--catalog", "catalog.jsonl", "--samples", 4, "--workers", 1, "--out", "out")
    chosen = (
        "--perturbation",
        "natural",
        "--perturbation",
        "foreign-cards",
        "--perturbation",
        "product-switched",
    )
    first = run(*options, *chosen)
    assert first.exit_code == 0, first.output
    before = Path("out/journal.jsonl").read_bytes()
    again = run(*options, *chosen)
    assert again.stdout == first.stdout
    assert Path("out/journal.jsonl").read_bytes() == before
