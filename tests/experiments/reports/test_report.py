import json

import pytest
from rich.console import Console

from experiments.customers.conversation import SessionResult, TurnRecord
from experiments.customers.sessions import Session
from experiments.metrics.bootstrap import Bootstrap
from experiments.reports.report import build_report, print_report, write_report
from experiments.running.evaluate import Run

INPUTS = {"track": "wildcard", "seeds": {"sessions": 0}, "catalog": {"products": 9}, "sessions": {"count": 2}}
SESSIONS = [Session("s1", "buying", "A", {}), Session("s2", "boundary", "B", {})]


def result(session, turn, rank, ms, **fallbacks):
    turns = (TurnRecord("hello", "color", ("A",), ms), TurnRecord("more", None, (), 3 * ms))
    faults = {"id unknown": 1} if fallbacks else {}
    return SessionResult(session.sample_id, session.scenario, turn, rank, turns, faults, fallbacks)


def runs(ms=1.0):
    buying, boundary = SESSIONS
    return [
        Run("planner", (result(buying, 1, 1, ms), result(boundary, 2, 1, ms, rollouts=2))),
        Run("weak", (result(buying, 3, 2, ms), result(boundary, None, None, ms))),
    ]


@pytest.fixture
def report():
    return build_report(INPUTS, runs(), {"workers": 2}, Bootstrap(resamples=200))


def test_figures_overall_and_by_scenario(report):
    planner, weak = report["systems"]["planner"], report["systems"]["weak"]
    assert list(planner) == ["overall", "buying", "boundary", "hits_by_turn", "fallbacks", "faults"]
    assert planner["overall"]["score"] == 0.99
    assert (weak["buying"]["score"], weak["boundary"]["score"]) == (0.81, 0.0)
    assert weak["overall"]["mttc"] == 7.0
    assert planner["boundary"]["intervals"]["score"] == [0.98, 0.98]
    assert planner["overall"]["intervals"]["score"] == [0.98, 1.0]


def test_paired_difference(report):
    difference = report["differences"]["planner - weak"]
    # 1.0 - 0.81 and 0.98 - 0
    assert difference["overall"]["score"] == 0.585
    assert difference["overall"]["intervals"]["score"] == [0.19, 0.98]
    assert difference["buying"]["mttc"] == -2.0


def test_fallbacks_and_faults_are_counted(report):
    assert report["systems"]["planner"]["fallbacks"] == {"rollouts": 2}
    assert report["systems"]["planner"]["faults"] == {"id unknown": 1}
    assert report["systems"]["weak"]["fallbacks"] == {}


def test_times(report):
    assert report["timing"]["workers"] == 2
    assert report["timing"]["turns"]["planner"]["overall"] == {"median_ms": 2.0, "p95_ms": 3.0}


def test_files_differ_in_timing_alone(tmp_path):
    for name, ms in (("one", 1.0), ("two", 7.0)):
        report = build_report(INPUTS, runs(ms), {"started": name}, Bootstrap(resamples=50))
        write_report(tmp_path / name, report, SESSIONS, runs(ms))
    for file in ("report.json", "sessions.jsonl"):
        both = [(tmp_path / name / file).read_text() for name in ("one", "two")]
        assert both[0] != both[1]
        one, two = ([json.loads(line) for line in _documents(file, text)] for text in both)
        for left, right in zip(one, two, strict=True):
            assert left.pop("timing") != right.pop("timing")
        assert one == two


def _documents(file, text):
    return [text] if file.endswith(".json") else text.splitlines()


def test_a_line_a_session(tmp_path, report):
    write_report(tmp_path, report, SESSIONS, runs())
    lines = [json.loads(line) for line in (tmp_path / "sessions.jsonl").read_text().splitlines()]
    assert [line["sample_id"] for line in lines] == ["s1", "s2"]
    assert lines[1]["systems"]["weak"] == {
        "turn": None,
        "rank": None,
        "turns": [
            {"message": "hello", "asked": "color", "shown": ["A"]},
            {"message": "more", "asked": None, "shown": []},
        ],
        "faults": {},
        "fallbacks": {},
    }
    assert lines[1]["timing"] == {"planner": [1.0, 3.0], "weak": [1.0, 3.0]}


def test_the_table_names_track_baseline_difference_and_fallbacks(report):
    console = Console(width=110)
    with console.capture() as capture:
        print_report(report, console)
    text = capture.get()
    assert "wildcard track" in text
    assert "0.9900 [0.9800, 1.0000]" in text
    assert "planner - weak: score +0.5850 [+0.1900, +0.9800] (paired)" in text
    assert "fallbacks: planner rollouts 2; weak none" in text
