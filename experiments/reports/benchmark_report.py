"""The report of a written benchmark: each published figure beside that of the catalog, and what was drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from experiments.benchmark.statistics import Comparison
from experiments.customers.sessions import Session
from experiments.reports.report import write_json
from experiments.reports.tables import markdown_table
from experiments.running.provenance import versions
from index.products import Product

JSON_FILE = "benchmark.json"
MARKDOWN_FILE = "benchmark.md"

_HEADINGS = ("figure", "published", "here", "tolerance", "within")


def build_benchmark_report(
    record: Mapping[str, Any], figures: Iterable[Comparison], sets: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the report: what the benchmark was made from, its figures, its sessions.

    Args:
        record: what the catalog was made from.
        figures: each published figure beside that of the catalog.
        sets: what :func:`describe_sessions` says of each set.
    """
    rows = [asdict(row) for row in figures]
    return {
        **record,
        "versions": versions(),
        "compared": len(rows),
        "within_tolerance": sum(row["ok"] for row in rows),
        "figures": rows,
        "sessions": list(sets),
    }


def describe_sessions(sessions: Sequence[Session], products: Mapping[str, Product]) -> dict[str, Any]:
    """Return how many sessions there are, by scenario too, and figures of their targets.

    ``products`` are the catalog's, by id.
    """
    targets = [products[session.target] for session in sessions]
    return {
        "count": len(sessions),
        "scenarios": dict(Counter(session.scenario for session in sessions)),
        "different_targets": len({target.parent_asin for target in targets}),
        "median_ratings": float(np.median([target.rating_number for target in targets])),
        "priced": float(np.mean([target.price is not None for target in targets])),
    }


def write_benchmark_report(folder: Path, report: Mapping[str, Any]) -> list[Path]:
    """Write the report as JSON and as Markdown into ``folder``, and return the files."""
    files = [folder / JSON_FILE, folder / MARKDOWN_FILE]
    write_json(files[0], report)
    files[1].write_text(markdown(report), encoding="utf-8")
    return files


def markdown(report: Mapping[str, Any]) -> str:
    """Return the report to read."""
    lines = [
        "# Benchmark",
        "",
        *(f"- {name}: {value}" for name, value in report["catalog"].items() if value is not None),
        f"- figures within tolerance: {report['within_tolerance']} of {report['compared']}",
        "",
        "## Sessions",
        "",
        *markdown_table(
            ("file", "distribution", "split", "seed", "sessions", "targets", "median ratings", "priced"),
            [
                (
                    part["file"],
                    part["distribution"],
                    part["split"],
                    str(part["seed"]),
                    str(part["count"]),
                    str(part["different_targets"]),
                    f"{part['median_ratings']:.0f}",
                    f"{part['priced']:.3f}",
                )
                for part in report["sessions"]
            ],
            texts=3,
        ),
        "",
        "## Figures",
        "",
        "Shares are fractions. Counts that grow with a catalog are compared at the reference's size only.",
    ]
    for group, rows in groupby(report["figures"], key=lambda row: str(row["name"]).partition(".")[0]):
        cells = [_cells(row) for row in rows]
        lines += ["", f"### {group}", "", *markdown_table(_HEADINGS, cells, texts=1)]
    return "\n".join(lines) + "\n"


def print_benchmark(report: Mapping[str, Any], console: Console) -> None:
    """Print how many figures are within their tolerance, and those that are not."""
    far = [row for row in report["figures"] if not row["ok"]]
    if far:
        table = Table(title="Figures beyond their tolerance")
        for heading in _HEADINGS[:-1]:
            table.add_column(heading, justify="left" if heading == "figure" else "right")
        for row in far:
            table.add_row(*_cells(row)[:-1])
        console.print(table)
    console.print(f"figures within tolerance: {report['within_tolerance']} of {report['compared']}")


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    numbers = (row["published"], row["measured"], row["tolerance"])
    return (row["name"], *(f"{number:.4g}" for number in numbers), "yes" if row["ok"] else "**no**")
