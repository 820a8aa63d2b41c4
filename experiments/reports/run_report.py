"""A run's report to read: Markdown with figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.reports.figures import hits_by_turn, save_figure, scores_by_scenario
from experiments.reports.report import OVERALL, counted
from experiments.reports.tables import markdown_table, with_interval
from experiments.running.runs import FIGURES

MARKDOWN_FILE = "report.md"


DRAWINGS = {"scores": scores_by_scenario, "hits": hits_by_turn}
"""The figures of a set of sessions, by the name of their file."""


def write_readable(folder: Path, title: str, reports: Mapping[str, Mapping[str, Any]]) -> None:
    """Write ``report.md`` and ``figures/`` into a run's folder, a section for each set of sessions.

    ``reports`` (see :func:`experiments.reports.report.build_report`) are by the name of the set.
    """
    lines = [f"# {title}", ""]
    for place, (name, report) in enumerate(reports.items(), 1):
        lines += [f"## {name}", "", *_table(report), "", *_differences(report)]
        for kind, draw in DRAWINGS.items():
            file = f"{FIGURES}/{kind}-{place}.png"
            save_figure(folder / file, draw, report)
            lines += [f"![{kind}]({file})"]
        lines += [""]
    lines += ["What was run, with versions and every setting, stands in `run.json`.", ""]
    (folder / MARKDOWN_FILE).write_text("\n".join(lines), encoding="utf-8")


def _table(report: Mapping[str, Any]) -> list[str]:
    """Return the lines of a table with a row for each system and scenario."""
    level = f"{report['bootstrap']['level']:.0%}"
    headings = ("system", "sessions", "n", "HR@10", "MRR", "MTTC", f"score [{level}]", "ms/turn")
    rows = []
    for system, times in report["timing"]["turns"].items():
        for name in times:
            part = report["systems"][system][name]
            rows.append(
                (
                    system,
                    name,
                    str(part["sample_count"]),
                    f"{part['hit_rate_at_10']:.3f}",
                    f"{part['mrr']:.3f}",
                    f"{part['mttc']:.2f}",
                    with_interval(part["score"], part["intervals"]["score"]),
                    f"{times[name]['median_ms']:.1f}",
                )
            )
    return markdown_table(headings, rows, texts=2)


def _differences(report: Mapping[str, Any]) -> list[str]:
    lines = []
    for names, parts in report["differences"].items():
        gain = with_interval(parts[OVERALL]["score"], parts[OVERALL]["intervals"]["score"], "+")
        lines.append(f"- {names}: score {gain}, paired")
    for kind in ("fallbacks", "faults"):
        for system, parts in report["systems"].items():
            if parts[kind]:
                lines.append(f"- {kind} of {system}: {counted(parts[kind])}")
    return [*lines, ""] if lines else []
