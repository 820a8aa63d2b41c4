"""What a run found: a table to read, ``report.json`` and ``sessions.jsonl`` to compute with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from experiments.customers.conversation import SessionResult
from experiments.customers.sessions import SCENARIOS, Session
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.scorer import DIGITS, METRICS, hits_by_turn, metrics, session_values
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.tables import with_interval
from experiments.running.backends import Backend
from experiments.running.evaluate import Run
from experiments.running.provenance import versions

OVERALL = "overall"
REPORT_FILE = "report.json"
SESSIONS_FILE = "sessions.jsonl"

_SLOW_PERCENTILE = 95


def build_report(
    record: Mapping[str, Any], runs: Sequence[Run], timing: Mapping[str, Any], bootstrap: Bootstrap
) -> dict[str, Any]:
    """Return the report of runs on the same sessions; the first is compared with each of the others.

    ``record`` says what the runs were made from and heads the report.

    All that differs between two runs of the same inputs stands under the key ``timing``, to which the times
    of a turn are added.
    """
    first, *others = runs
    return {
        **record,
        "versions": versions(),
        "bootstrap": asdict(bootstrap),
        "systems": {
            run.system: {
                **{name: _figures(part, bootstrap) for name, part in _parts(run.results)},
                "hits_by_turn": hits_by_turn(run.results),
                "fallbacks": total(result.fallbacks for result in run.results),
                "faults": total(result.faults for result in run.results),
            }
            for run in runs
        },
        "differences": {
            f"{first.system} - {other.system}": {
                name: difference_record(session_values(ours) - session_values(theirs), bootstrap)
                for (name, ours), (_, theirs) in zip(
                    _parts(first.results), _parts(other.results), strict=True
                )
            }
            for other in others
        },
        "timing": {
            **timing,
            "turns": {
                run.system: {name: _turn_times(part) for name, part in _parts(run.results)} for run in runs
            },
        },
    }


def timing_record(watch: Stopwatch, backend: Backend) -> dict[str, Any]:
    """Return when and where a run was played, and the seconds of its stages."""
    return {
        "started": watch.started.isoformat(timespec="seconds"),
        "backend": backend.name.value,
        "workers": backend.workers,
        "seconds": watch.laps,
    }


def parts_of(system: Mapping[str, Any]) -> list[str]:
    """Return the names of the parts of a system's sessions in a report: overall, then the scenarios."""
    return [name for name in (OVERALL, *SCENARIOS) if name in system]


def write_report(
    folder: Path,
    report: Mapping[str, Any],
    sessions: Sequence[Session],
    runs: Sequence[Run],
    name: str | None = None,
) -> None:
    """Write ``report.json`` and ``sessions.jsonl`` (one line a session, all systems) into ``folder``.

    ``name`` is that of the set of sessions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / REPORT_FILE, report)
    with (folder / SESSIONS_FILE).open("wb") as file:
        file.writelines(session_lines(sessions, runs, name))


def write_json(path: Path, tree: Mapping[str, Any]) -> None:
    """Write plain values as JSON that can be read by eye."""
    path.write_bytes(orjson.dumps(tree, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def session_lines(
    sessions: Sequence[Session], runs: Sequence[Run], name: str | None = None
) -> Iterator[bytes]:
    """Yield a line of JSON for each session with what every system did in it; ``name`` is that of its set."""
    for session, *results in zip(sessions, *(run.results for run in runs), strict=True):
        by_system = {run.system: result for run, result in zip(runs, results, strict=True)}
        line = _session_line(session, by_system)
        line = line if name is None else {"set": name, **line}
        yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def result_record(result: SessionResult) -> dict[str, Any]:
    """Return what came of a session, turn by turn, without times."""
    return {
        "turn": result.turn,
        "rank": result.rank,
        "turns": [
            {"message": turn.message, "asked": turn.asked, "shown": turn.shown} for turn in result.turns
        ],
        "faults": result.faults,
        "fallbacks": result.fallbacks,
    }


def total(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sums of counts by name."""
    sums: Counter[str] = Counter()
    for part in counts:
        sums.update(part)
    return dict(sorted(sums.items()))


def counted(counts: Mapping[str, int]) -> str:
    """Return counts by name in words."""
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"


def print_report(report: Mapping[str, Any], console: Console, title: str | None = None) -> None:
    """Print the table, the paired differences, and the counts of fallbacks and faults."""
    level = f"{report['bootstrap']['level']:.0%}"
    table = Table(title=title or f"Shopping planner, {report['track']} track")
    table.add_column("system / sessions")
    for heading in ("n", "HR@10", "MRR", "MTTC", "efficiency", f"score [{level}]", "ms/turn", "p95 ms"):
        table.add_column(heading, justify="right")
    for system, parts in report["systems"].items():
        for name, times in report["timing"]["turns"][system].items():
            table.add_row(
                system if name == OVERALL else f"  {name}",
                *_cells(parts[name]),
                f"{times['median_ms']:.1f}",
                f"{times['p95_ms']:.1f}",
                style="bold" if name == OVERALL else None,
            )
        table.add_section()
    console.print(table)
    for names, parts in report["differences"].items():
        console.print(f"{names}: score {_score(parts[OVERALL], '+')} (paired)", highlight=False)
    for kind in ("fallbacks", "faults"):
        counts = "; ".join(f"{system} {counted(parts[kind])}" for system, parts in report["systems"].items())
        console.print(f"{kind}: {counts}", highlight=False)


def _parts(results: Sequence[SessionResult]) -> list[tuple[str, list[SessionResult]]]:
    """Return the results overall, then by scenario, empty scenarios left out."""
    by_scenario = [(name, [result for result in results if result.scenario == name]) for name in SCENARIOS]
    return [(OVERALL, list(results)), *((name, part) for name, part in by_scenario if part)]


def _figures(results: Sequence[SessionResult], bootstrap: Bootstrap) -> dict[str, Any]:
    return {**asdict(metrics(results)), "intervals": _intervals(session_values(results), bootstrap)}


def difference_record(values: NDArray[np.float64], bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the means of (sessions, 5) paired differences, columns ``METRICS``, with their intervals."""
    means = (round(float(mean), DIGITS) for mean in values.mean(axis=0))
    return {
        "sample_count": len(values),
        **dict(zip(METRICS, means, strict=True)),
        "intervals": _intervals(values, bootstrap),
    }


def paired_gain(pair: Sequence[Run], bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the paired difference second - first of two runs on the same sessions, with its intervals."""
    before, after = pair
    return difference_record(session_values(after.results) - session_values(before.results), bootstrap)


def _intervals(values: NDArray[np.float64], bootstrap: Bootstrap) -> dict[str, list[float]]:
    bounds = bootstrap.intervals(values).round(DIGITS).tolist()
    return dict(zip(METRICS, bounds, strict=True))


def _turn_times(results: Sequence[SessionResult]) -> dict[str, float]:
    ms = [turn.ms for result in results for turn in result.turns]
    return {"median_ms": float(np.median(ms)), "p95_ms": float(np.percentile(ms, _SLOW_PERCENTILE))}


def _session_line(session: Session, results: Mapping[str, SessionResult]) -> dict[str, Any]:
    return {
        "sample_id": session.sample_id,
        "scenario_type": session.scenario,
        "target": session.target,
        "systems": {system: result_record(result) for system, result in results.items()},
        "timing": {system: [turn.ms for turn in result.turns] for system, result in results.items()},
    }


def _cells(figures: Mapping[str, Any]) -> list[str]:
    return [
        str(figures["sample_count"]),
        f"{figures['hit_rate_at_10']:.3f}",
        f"{figures['mrr']:.3f}",
        f"{figures['mttc']:.2f}",
        f"{figures['efficiency']:.3f}",
        _score(figures),
    ]


def _score(figures: Mapping[str, Any], sign: str = "") -> str:
    return with_interval(figures["score"], figures["intervals"]["score"], sign)
