"""The bake-off's report as a table, as Markdown and as figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from experiments.reports.figures import hits_by_turn, mean_turns, save_figure, scores
from experiments.reports.report import OVERALL, REPORT_FILE, write_json
from experiments.reports.run_report import MARKDOWN_FILE
from experiments.reports.tables import markdown_table, with_interval
from experiments.running.runs import FIGURES

DRAWINGS = {"scores": scores, "turns": mean_turns, "hits-by-turn": hits_by_turn}
"""The figures by the name of their file."""

ANCHOR_TOLERANCE = 0.03
"""How far a score may stand from the published one before the documentation has to say why."""

_INCHES = (8.0, 5.0)
_HEADINGS = (
    "system",
    "track",
    "HR@10",
    "MRR",
    "turns",
    "score",
    "against the planner",
    "ms/turn",
    "p95 ms",
    "MiB",
    "fallbacks",
    "faults",
)
_NONE = "-"


def table_rows(report: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the table's cells, a row for each system, columns as :func:`headings` names them."""
    return [_row(report, name) for name in report["systems"]]


def headings(report: Mapping[str, Any]) -> list[str]:
    """Return the headings of the table's columns."""
    level = f" [{report['bootstrap']['level']:.0%}]"
    return [name + level if name in ("score", "against the planner") else name for name in _HEADINGS]


def print_bakeoff(report: Mapping[str, Any], console: Console) -> None:
    """Print the table and what it was made from."""
    table = Table(title=title(report))
    for place, heading in enumerate(headings(report)):
        table.add_column(heading, justify="left" if place < 2 else "right")
    for row in table_rows(report):
        table.add_row(*row, style="bold" if row[0].startswith("planner") else None)
    console.print(table)
    for line in _oracle_lines(report) if "oracle" in report else ():
        console.print(f"oracle, {line}", highlight=False)


def title(report: Mapping[str, Any]) -> str:
    """Return what was played on what."""
    sessions, catalog = report["sessions"], report["catalog"]
    seed = report["seeds"]["sessions"]
    drawn = "" if seed is None else f", seed {seed} ({report['seeds']['split']})"
    return (
        f"{sessions['count']} sessions ({sessions['source']}{drawn}) on {catalog['source']}, "
        f"{catalog['products']} products"
    )


def markdown(report: Mapping[str, Any]) -> str:
    """Return the report in Markdown: the table, the published scores, the figures."""
    parts = [
        "# Bake-off",
        title(report) + ".",
        "\n".join(markdown_table(headings(report), table_rows(report), texts=2)),
        _LEGEND.format(sessions=report["timing"]["memory_sessions"]),
        "## Published and measured",
        "\n".join(
            markdown_table(
                ("system", "published", "measured", "difference", f"within {ANCHOR_TOLERANCE}"),
                anchor_rows(report),
            )
        ),
        "Published scores are for the public kit's catalog and its 200 sessions.",
        "## Figures",
        *(f"![{name}]({FIGURES}/{name}.png)" for name in DRAWINGS),
    ]
    if "oracle" in report:
        parts[4:4] = ["## The oracle", *_oracle_lines(report)]
    return "\n\n".join(parts) + "\n"


def anchor_rows(report: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return system, published score, measured score, difference, and whether it is within tolerance."""
    rows: list[tuple[str, ...]] = []
    for name, figures in report["systems"].items():
        if (published := figures["published"]) is not None:
            off = figures[OVERALL]["score"] - published
            near = "yes" if abs(off) <= ANCHOR_TOLERANCE else "no"
            rows.append((name, f"{published:.4f}", _score(figures[OVERALL]), f"{off:+.4f}", near))
    return rows


def write_bakeoff(folder: Path, report: Mapping[str, Any]) -> list[Path]:
    """Write the report as JSON, Markdown and figures into ``folder``; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / REPORT_FILE, folder / MARKDOWN_FILE]
    write_json(files[0], report)
    files[1].write_text(markdown(report), encoding="utf-8")
    for name, draw in DRAWINGS.items():
        files.append(folder / FIGURES / f"{name}.png")
        save_figure(files[-1], draw, report, inches=_INCHES)
    return files


_LEGEND = (
    "Brackets: bootstrap interval over sessions. Turns: mean turn of the hit, 11 for a miss. Against the "
    "planner: the paired difference to the planner of the same track, session by session. ms: wall time of a "
    "turn, median and 95th percentile. MiB: growth of the unique set size of a process that holds the index, "
    "from before the agent is made until it has played {sessions} sessions. Fallbacks are counted by the "
    "agent, faults (replies that break the protocol) by the customer."
)


def _oracle_lines(report: Mapping[str, Any]) -> list[str]:
    """Return what the oracle can expect on these openings, track by track."""
    return [
        f"{track}: over the targets that these openings could come from, its expected score is "
        f"{figures['reached']:.5f}; no agent's is above {figures['bound']:.5f}."
        for track, figures in report["oracle"].items()
    ]


def _row(report: Mapping[str, Any], name: str) -> tuple[str, ...]:
    figures = report["systems"][name]
    overall, difference = figures[OVERALL], figures["difference"]
    times = report["timing"]["turns"][name][OVERALL]
    memory = report["timing"]["memory_mib"].get(name)
    return (
        name,
        figures["track"],
        f"{overall['hit_rate_at_10']:.3f}",
        f"{overall['mrr']:.3f}",
        f"{overall['mttc']:.2f}",
        _score(overall),
        _NONE if difference is None else _score(difference, "+"),
        f"{times['median_ms']:.1f}",
        f"{times['p95_ms']:.1f}",
        _NONE if memory is None else f"{memory:.0f}",
        str(sum(figures["fallbacks"].values())),
        str(sum(figures["faults"].values())),
    )


def _score(figures: Mapping[str, Any], sign: str = "") -> str:
    return with_interval(figures["score"], figures["intervals"]["score"], sign)
