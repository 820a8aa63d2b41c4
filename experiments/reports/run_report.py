"""A run's report to read: Markdown with figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.customers.conversation import MAX_TURNS
from experiments.reports.report import OVERALL
from experiments.running.evaluate import Run
from experiments.running.runs import FIGURES

MARKDOWN_FILE = "report.md"


_INCHES = (7.0, 4.0)
_DOTS_PER_INCH = 120
_OFFSET = 0.8
"""Of the width between two scenarios, the part over which the systems' marks are spread."""


def scores_by_scenario(ax: Axes, report: Mapping[str, Any]) -> None:
    """Draw each system's score with its interval, overall and by scenario."""
    systems = report["systems"]
    names = [name for name in next(iter(systems.values())) if name not in ("fallbacks", "faults")]
    for place, (system, parts) in enumerate(systems.items()):
        score = np.array([parts[name]["score"] for name in names])
        bounds = np.array([parts[name]["intervals"]["score"] for name in names])
        across = np.arange(len(names)) + _OFFSET * ((place + 0.5) / len(systems) - 0.5)
        errors = np.maximum(np.abs(bounds.T - score), 0.0)
        ax.errorbar(across, score, yerr=errors, fmt="o", capsize=3, label=system)
    ax.set_xticks(range(len(names)), names)
    ax.set_ylabel(f"score, with {report['bootstrap']['level']:.0%} interval")
    ax.legend(fontsize="small")


def hits_by_turn(ax: Axes, runs: Sequence[Run]) -> None:
    """Draw for each system the share of sessions hit by the end of each turn."""
    for run in runs:
        hits = np.bincount(
            [result.turn for result in run.results if result.turn is not None], minlength=MAX_TURNS + 1
        )
        shares = hits[1:].cumsum() / len(run.results)
        ax.plot(range(1, MAX_TURNS + 1), shares, marker=".", label=run.system)
    ax.set_xlabel("turn")
    ax.set_ylabel("share of sessions hit")
    ax.set_ylim(0, 1.02)
    ax.legend(loc="lower right", fontsize="small")


def save_figure(path: Path, draw: Any, *what: Any, inches: tuple[float, float] = _INCHES) -> None:
    """Write what ``draw(ax, *what)`` draws as a picture of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=inches, layout="constrained")
    draw(figure.add_subplot(), *what)
    figure.savefig(path, dpi=_DOTS_PER_INCH)


def write_readable(
    folder: Path, title: str, reports: Mapping[str, Mapping[str, Any]], runs: Mapping[str, Sequence[Run]]
) -> None:
    """Write ``report.md`` and ``figures/`` into a run's folder, a section for each set of sessions.

    ``reports`` (see :func:`experiments.reports.report.build_report`) and ``runs`` are by the name of the set.
    """
    lines = [f"# {title}", ""]
    for place, (name, report) in enumerate(reports.items(), 1):
        for kind, draw, what in (
            ("scores", scores_by_scenario, report),
            ("hits", hits_by_turn, runs[name]),
        ):
            save_figure(folder / FIGURES / f"{kind}-{place}.png", draw, what)
        lines += [f"## {name}", "", *markdown_table(report), "", *_differences(report)]
        lines += [f"![scores]({FIGURES}/scores-{place}.png)", f"![hits]({FIGURES}/hits-{place}.png)", ""]
    lines += ["What was run, with versions and every setting, stands in `run.json`.", ""]
    (folder / MARKDOWN_FILE).write_text("\n".join(lines), encoding="utf-8")


def markdown_table(report: Mapping[str, Any]) -> list[str]:
    """Return the lines of a table with a row for each system and scenario."""
    level = f"{report['bootstrap']['level']:.0%}"
    lines = [
        f"| system | sessions | n | HR@10 | MRR | MTTC | score [{level}] | ms/turn |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for system, times in report["timing"]["turns"].items():
        for name in times:
            part = report["systems"][system][name]
            low, high = part["intervals"]["score"]
            lines.append(
                f"| {system} | {name} | {part['sample_count']} | {part['hit_rate_at_10']:.3f} | "
                f"{part['mrr']:.3f} | {part['mttc']:.2f} | {part['score']:.4f} [{low:.4f}, {high:.4f}] | "
                f"{times[name]['median_ms']:.1f} |"
            )
    return lines


def _differences(report: Mapping[str, Any]) -> list[str]:
    lines = []
    for names, parts in report["differences"].items():
        low, high = parts[OVERALL]["intervals"]["score"]
        lines.append(f"- {names}: score {parts[OVERALL]['score']:+.4f} [{low:+.4f}, {high:+.4f}], paired")
    for kind in ("fallbacks", "faults"):
        for system, parts in report["systems"].items():
            if parts[kind]:
                counted = ", ".join(f"{name} {count}" for name, count in parts[kind].items())
                lines.append(f"- {kind} of {system}: {counted}")
    return [*lines, ""] if lines else []
