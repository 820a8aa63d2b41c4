"""Paired comparisons of runs whose outcomes are written by hand."""

import json

import pytest

from experiments.metrics.bootstrap import Bootstrap
from experiments.reports.compare import CompareError, ShipRule, Side, compare
from experiments.reports.compare import Verdict as V

BOOTSTRAP = Bootstrap(resamples=400)
RULE = ShipRule(sessions=20)


def write_run(folder, outcomes, splits=("held-out",)):
    """Write a run of system "planner"; ``outcomes`` are (turn, rank) of sessions by distribution."""
    folder.mkdir()
    sets = {
        name: {"distribution": name, "splits": splits, "count": len(part)} for name, part in outcomes.items()
    }
    (folder / "run.json").write_text(json.dumps({"sets": sets}))
    lines = [
        {
            "set": name,
            "sample_id": f"s{number}",
            "scenario_type": ("buying", "browsing")[number % 2],
            "target": "A",
            "systems": {"planner": {"turn": turn, "rank": rank}, "best": {"turn": 1, "rank": 1}},
        }
        for name, part in outcomes.items()
        for number, (turn, rank) in enumerate(part)
    ]
    (folder / "sessions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def compared(tmp_path, first, other, rule=RULE, splits=("held-out",)):
    one, two = (write_run(tmp_path / n, part, splits) for n, part in (("one", first), ("two", other)))
    return compare(Side.read(one), Side.read(two), rule, BOOTSTRAP)


def test_differences_are_paired_and_parted_by_scenario(tmp_path):
    # browsing sessions (odd) gain two turns, 0.04; buying ones gain nothing
    found = compared(tmp_path, {"public": [(3, 1)] * 4}, {"public": [(3, 1), (5, 1)] * 2})
    parts = found.differences["public"]
    assert list(parts) == ["overall", "buying", "browsing"]
    assert (parts["overall"]["score"], parts["overall"]["mttc"]) == (0.02, -1.0)
    assert parts["browsing"]["intervals"]["score"] == [0.04, 0.04]
    assert parts["buying"]["intervals"]["score"] == [0.0, 0.0]


GAIN = {"public": [(3, 1)] * 20, "uniform": [(3, 1)] * 5}


# one turn earlier in each session is a gain of 0.02, two turns 0.04
@pytest.mark.parametrize(
    ("first", "other", "rule", "splits", "verdict", "reason"),
    [
        (GAIN, (4, 1), RULE, ("held-out",), V.WIN, "+0.0200"),
        (GAIN, (4, 1), ShipRule(0.03, 20), ("held-out",), V.TIE, "+0.03"),
        (
            {"public": [(3, 1)] * 19, "uniform": [(3, 1)] * 5},
            (4, 1),
            RULE,
            ("held-out",),
            V.TIE,
            "19 held-out sessions",
        ),
        (GAIN, (4, 1), RULE, ("training",), V.TIE, "0 held-out sessions"),
        ({"public": [(3, 1)] * 20}, (4, 1), RULE, ("held-out",), V.TIE, "no uniform sessions"),
        ({"public": [(3, 1)] * 20, "uniform": [(5, 1)] * 5}, (4, 1), RULE, ("held-out",), V.LOSS, "a loss"),
        ({"public": [(5, 1)] * 20, "uniform": [(3, 1)] * 5}, (4, 1), RULE, ("held-out",), V.LOSS, "-0.0200"),
        ({"public": [(4, 1)] * 20, "uniform": [(4, 1)] * 5}, (4, 1), RULE, ("held-out",), V.TIE, "+0.0000"),
    ],
)
def test_the_ship_rule(tmp_path, first, other, rule, splits, verdict, reason):
    others = {name: [other] * len(part) for name, part in first.items()}
    found = compared(tmp_path, first, others, rule, splits)
    assert found.verdict is verdict
    assert any(reason in line for line in found.reasons)


def test_a_gain_that_may_be_chance_is_a_tie(tmp_path):
    # one session in twenty gains 1 (a miss against a hit), the mean 0.05: its interval holds zero
    first = {"public": [(1, 1)] + [(2, 1)] * 19, "uniform": [(2, 1)]}
    other = {"public": [(None, None)] + [(2, 1)] * 19, "uniform": [(2, 1)]}
    found = compared(tmp_path, first, other)
    assert found.differences["public"]["overall"]["score"] == 0.05
    assert found.verdict is V.TIE


def test_sessions_of_one_run_alone_are_counted(tmp_path):
    found = compared(tmp_path, {"public": [(1, 1)] * 3}, {"public": [(1, 1)] * 5})
    assert found.unpaired == (0, 2)
    assert found.differences["public"]["overall"]["sample_count"] == 3


def test_systems_of_one_run(tmp_path):
    folder = write_run(tmp_path / "run", {"public": [(2, 1)]})
    found = compare(Side.read(folder, "best"), Side.read(folder, "planner"), RULE, BOOTSTRAP)
    assert found.differences["public"]["overall"]["score"] == 0.02
    with pytest.raises(CompareError, match="has no system 'worst'; it has planner, best"):
        Side.read(folder, "worst")


def test_what_cannot_be_compared(tmp_path):
    one = write_run(tmp_path / "one", {"public": [(2, 1)]})
    with pytest.raises(CompareError, match=r"nowhere holds no finished run: no run\.json"):
        Side.read(tmp_path / "nowhere")
    other = write_run(tmp_path / "two", {"cold": [(2, 1)]})
    with pytest.raises(CompareError, match="no session in common"):
        compare(Side.read(one), Side.read(other), RULE, BOOTSTRAP)
    (one / "sessions.jsonl").write_text('{"sample_id": 3}\n')
    with pytest.raises(CompareError, match=r"sessions\.jsonl, line 1: .*sample_id"):
        Side.read(one)
