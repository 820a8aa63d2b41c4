import re

import matplotlib.image
import numpy as np
import orjson
import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

from experiments.__main__ import app
from experiments.baselines.weak import WeakBaseline
from experiments.customers.conversation import SessionResult, TurnRecord
from experiments.customers.customer import Shopper
from experiments.customers.sessions import Session
from experiments.metrics.bootstrap import Bootstrap
from experiments.running.evaluate import Run, System
from experiments.studies.bakeoff import (
    Contestant,
    added_memory,
    build_bakeoff,
    contestants,
)
from experiments.studies.bakeoff_report import (
    DRAWINGS,
    anchor_rows,
    headings,
    markdown,
    table_rows,
    write_bakeoff,
)


def result(number, turn, rank, fallbacks=()):
    scenario = ("buying", "browsing")[number % 2]
    turns = tuple(TurnRecord("", "feature", (), 2.0) for _ in range(turn or 10))
    return SessionResult(f"s{number}", scenario, turn, rank, turns, {}, dict(fallbacks))


# By the score's formula: turn 1 rank 1 is worth 1, turn 2 rank 1 is worth .98, turn 6 rank 3 .7, a miss 0.
RUNS = {
    "weak": [(None, None), (6, 3)],
    "fangrybirds": [(2, 1), (2, 1)],
    "planner-robust": [(1, 1), (2, 1)],
    "planner-wildcard": [(1, 1), (1, 1)],
}
ENTRIES = [
    Contestant(System("weak", WeakBaseline), "robust", 0.11),
    Contestant(System("fangrybirds", WeakBaseline), "wildcard", 0.979),
    Contestant(System("planner-robust", WeakBaseline), "robust"),
    Contestant(System("planner-wildcard", WeakBaseline), "wildcard"),
]
RECORD = {
    "sessions": {"count": 2, "source": "drawn, public"},
    "catalog": {"source": "some.jsonl", "products": 12},
    "seeds": {"sessions": 20_001, "split": "held-out"},
}
TIMING = {"memory_sessions": 2, "memory_mib": {"weak": 1.4}}


@pytest.fixture(scope="module")
def report():
    runs = [
        Run(name, tuple(result(n, turn, rank, [("belief", n)]) for n, (turn, rank) in enumerate(ends)))
        for name, ends in RUNS.items()
    ]
    return build_bakeoff(RECORD, ENTRIES, runs, TIMING, Bootstrap(resamples=50))


def test_all_reference_systems_and_the_planner_on_both_tracks_take_part():
    entries = {entry.system.name: entry for entry in contestants()}
    assert list(entries)[-2:] == ["planner-robust", "planner-wildcard"]
    assert {
        "weak",
        "splitting",
        "splitting-wildcard",
        "dual-layer",
        "lab-rats",
        "fangrybirds",
        "star-labs",
    } < {*entries}
    assert entries["star-labs"].track == entries["planner-wildcard"].track == "wildcard"
    assert entries["weak"].published == 0.10671


class TestReport:
    def test_each_system_is_compared_with_the_planner_of_its_track(self, report):
        systems = report["systems"]
        assert list(systems) == list(RUNS)
        assert {name: part["overall"]["score"] for name, part in systems.items()} == {
            "weak": 0.35,
            "fangrybirds": 0.98,
            "planner-robust": 0.99,
            "planner-wildcard": 1.0,
        }
        assert systems["planner-robust"]["difference"] is systems["planner-wildcard"]["difference"] is None
        assert systems["weak"]["difference"]["score"] == pytest.approx(0.35 - 0.99)
        assert systems["fangrybirds"]["difference"]["score"] == pytest.approx(-0.02)

    def test_the_interval_of_a_difference_is_that_of_the_sessions_differences(self, report):
        # session by session: 0 - 1 and .7 - .98; every resample's mean lies between them
        low, high = report["systems"]["weak"]["difference"]["intervals"]["score"]
        assert (low, high) == pytest.approx((-1.0, -0.28))
        assert report["systems"]["fangrybirds"]["difference"]["intervals"]["score"] == pytest.approx(
            [-0.02, -0.02]
        )

    def test_what_differs_from_run_to_run_stands_under_timing(self, report):
        assert report["timing"]["turns"]["weak"]["overall"] == {"median_ms": 2.0, "p95_ms": 2.0}
        assert report["timing"]["memory_mib"] == {"weak": 1.4}
        rest = orjson.dumps({key: value for key, value in report.items() if key != "timing"}).decode()
        assert "_ms" not in rest
        assert "mib" not in rest

    def test_table(self, report):
        rows = {row[0]: dict(zip(headings(report), row, strict=True)) for row in table_rows(report)}
        weak = rows["weak"]
        assert weak["turns"] == "8.50"  # (11 + 6) / 2
        assert weak["against the planner [95%]"] == "-0.6400 [-1.0000, -0.2800]"
        assert (weak["MiB"], weak["fallbacks"], weak["faults"]) == ("1", "1", "0")
        assert rows["planner-robust"]["against the planner [95%]"] == rows["planner-robust"]["MiB"] == "-"

    def test_anchors(self, report):
        rows = {row[0]: row for row in anchor_rows(report)}
        assert list(rows) == ["weak", "fangrybirds"]
        assert (rows["weak"][3], rows["weak"][4]) == ("+0.2400", "no")
        assert (rows["fangrybirds"][3], rows["fangrybirds"][4]) == ("+0.0010", "yes")

    def test_written_files(self, report, tmp_path):
        files = {file.name: file for file in write_bakeoff(tmp_path / "new", report)}
        assert orjson.loads(files["report.json"].read_bytes())["systems"]["weak"]["overall"]["score"] == 0.35
        text = files["report.md"].read_text(encoding="utf-8")
        assert text == markdown(report)
        tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
        for table in tables:
            assert len({line.count("|") for line in table.splitlines()}) == 1
        assert [table.count("\n") for table in tables] == [6, 4]
        assert "2 sessions (drawn, public, seed 20001 (held-out)) on some.jsonl, 12 products" in text
        for name in DRAWINGS:
            assert f"(figures/{name}.png)" in text
            assert matplotlib.image.imread(files[f"{name}.png"]).std() > 0


class TestFigures:
    def draw(self, name, report):
        ax = Figure().subplots()
        DRAWINGS[name](ax, report)
        return ax

    def test_scores_are_ordered_and_published_ones_marked(self, report):
        ax = self.draw("scores", report)
        labels = [label.get_text() for label in ax.get_yticklabels()]
        assert labels == ["weak", "fangrybirds", "planner-robust", "planner-wildcard"]
        crosses = [line.get_xydata()[0].tolist() for line in ax.lines if line.get_marker() == "x"]
        assert crosses == [[0.11, 0], [0.979, 1]]

    def test_turns(self, report):
        ax = self.draw("turns", report)
        assert [bar.get_height() for bar in ax.patches] == [8.5, 2.0, 1.5, 1.0]

    def test_hits_by_turn(self, report):
        lines = {line.get_label(): line.get_ydata() for line in self.draw("hits-by-turn", report).lines}
        assert np.allclose(lines["weak"], [0] * 5 + [0.5] * 5)
        assert np.allclose(lines["planner-robust"], [0.5] + [1] * 9)


class Hoarder(WeakBaseline):
    """Keeps 64 MiB."""

    def __init__(self, catalog):
        super().__init__(catalog)
        self.hoard = np.ones(2**23)


def test_added_memory_is_what_the_agent_keeps(catalog, products):
    shopper = Shopper.of(Session("s", "buying", "TEE", {}), products[1])
    added = added_memory(catalog, [System("hoarder", Hoarder), System("weak", WeakBaseline)], [shopper])
    assert added["hoarder"] == pytest.approx(64, abs=8)
    assert 0 <= added["weak"] < 8


def test_the_command_plays_everyone_and_goes_on_where_it_was_killed(catalog_file, tmp_path):
    arguments = ["bakeoff", "--catalog", catalog_file, "--samples", 3, "--workers", 1, "--no-memory"]
    arguments += ["--out", tmp_path / "run"]

    def run():
        done = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert done.exit_code == 0, done.output
        report = orjson.loads((tmp_path / "run" / "report.json").read_bytes())
        del report["timing"]
        return report

    report = run()
    assert list(report["systems"])[-4:] == [
        "planner-robust",
        "planner-wildcard",
        "oracle-robust",
        "oracle-wildcard",
    ]
    for bounds in report["oracle"].values():
        assert 0 < bounds["reached"] <= bounds["bound"] <= 1
    assert all(part["overall"]["sample_count"] == 3 for part in report["systems"].values())
    journal = tmp_path / "run" / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:7]))
    assert run() == report
    assert len(journal.read_bytes().splitlines()) == 3 * len(report["systems"])
