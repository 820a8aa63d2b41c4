"""``ablation``: what each part of the planner brings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source, prepare, shoppers_of
from experiments.commands.options import (
    BackendOption,
    CatalogOption,
    ConfigOption,
    FieldsOption,
    OutOption,
    ProductsOption,
    RestartOption,
    SchedulerOption,
    SeedOption,
    Track,
    TrackOption,
    WorkersOption,
)
from experiments.customers.sessions import Distribution, draw_sessions
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.console import report_console
from experiments.reports.report import REPORT_FILE, write_json
from experiments.reports.run_report import MARKDOWN_FILE
from experiments.running.backends import BackendName, make_backend
from experiments.running.evaluate import evaluate
from experiments.running.runs import RunFolder, folder_for, systems_record
from experiments.studies.ablation import VARIANTS, ablated, ablation_rows, median_ms
from planner.config import PlannerConfig

_REPORT_WIDTH = 110


def ablation_command(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    products: ProductsOption = None,
    samples: Annotated[
        int, typer.Option("--samples", min=1, help="Sessions to draw of each distribution.")
    ] = defaults.SAMPLES,
    seed: SeedOption = defaults.SEED,
    distribution: Annotated[
        list[Distribution] | None,
        typer.Option("--distribution", help="How targets are drawn (public and uniform); may be repeated."),
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option("--variant", help="A variant to play (all); may be repeated.")
    ] = None,
    workers: WorkersOption = None,
    backend: BackendOption = BackendName.JOBLIB,
    scheduler: SchedulerOption = None,
    out: OutOption = None,
    restart: RestartOption = False,
) -> None:
    """Play the planner and variants that lack or change one part on the same sessions, and report."""
    if unknown := [name for name in variant or () if name not in VARIANTS]:
        raise typer.BadParameter(f"no variant {unknown[0]!r}; there are: {'; '.join(VARIANTS)}")
    systems = ablated(PlannerConfig.load(config or track.value), variant)
    where = make_backend(backend, workers, scheduler)
    console, bootstrap = Console(stderr=True), Bootstrap()
    source = Source(catalog, fields, samples=1, seed=seed, products=products)
    benchmark = prepare(source, console, Stopwatch())
    kinds = distribution or [Distribution.PUBLIC, Distribution.UNIFORM]
    what = {
        "command": "ablation",
        "track": track.value,
        "catalog": benchmark.record["catalog"],
        "samples": samples,
        "seeds": benchmark.record["seeds"],
        "distributions": [kind.value for kind in kinds],
        "systems": systems_record(systems),
    }
    rows: dict[str, dict[str, Any]] = {}
    times: dict[str, dict[str, float]] = {}
    with RunFolder(folder_for(out, "ablation"), what, restart=restart) as folder:
        for kind in kinds:
            console.print(f"Playing {kind} targets ...")
            sessions = draw_sessions(benchmark.products, samples, seed, kind)
            runs = evaluate(
                benchmark.catalog,
                systems,
                shoppers_of(sessions, benchmark.products),
                where.workers,
                console,
                backend=where,
                journal=folder.journal,
            )
            rows[kind.value] = ablation_rows(runs, bootstrap)
            times[kind.value] = {run.system: median_ms(run) for run in runs}
        report = {**what, "bootstrap": asdict(bootstrap), "rows": rows, "timing": {"median_ms": times}}
        write_json(folder.path / REPORT_FILE, report)
        _write_markdown(folder.path / MARKDOWN_FILE, report)
    _print(report, report_console(_REPORT_WIDTH))
    typer.echo(f"written: {folder.path / REPORT_FILE}, {folder.path / MARKDOWN_FILE}")


_HEADINGS = ("variant", "score", "difference to full", "HR@10", "MRR", "turns", "ms/turn")


def _cells(report: dict[str, Any], kind: str) -> list[tuple[str, ...]]:
    """Return the rows of one distribution's table, columns ``_HEADINGS``."""
    lines: list[tuple[str, ...]] = []
    for name, row in report["rows"][kind].items():
        low, high = row["interval"]
        lines.append(
            (
                name,
                f"{row['score']:.4f}",
                f"{row['difference']:+.4f} [{low:+.4f}, {high:+.4f}]",
                f"{row['hit_rate_at_10']:.3f}",
                f"{row['mrr']:.3f}",
                f"{row['mttc']:.2f}",
                f"{report['timing']['median_ms'][kind][name]:.1f}",
            )
        )
    return lines


def _title(report: dict[str, Any], kind: str) -> str:
    return (
        f"Ablation, {report['track']} track: {report['samples']} sessions, {kind} targets, "
        f"seed {report['seeds']['sessions']} ({report['seeds']['split']})"
    )


def _print(report: dict[str, Any], console: Console) -> None:
    for kind in report["rows"]:
        table = Table(title=_title(report, kind))
        for heading in _HEADINGS:
            table.add_column(heading, justify="left" if heading == "variant" else "right")
        for cells in _cells(report, kind):
            table.add_row(*cells)
        console.print(table)


def _write_markdown(path: Path, report: dict[str, Any]) -> None:
    lines: list[str] = []
    for kind in report["rows"]:
        lines += [f"# {_title(report, kind)}", "", f"| {' | '.join(_HEADINGS)} |"]
        lines += ["| --- |" + " ---: |" * (len(_HEADINGS) - 1)]
        lines += [*(f"| {' | '.join(cells)} |" for cells in _cells(report, kind)), ""]
    path.write_text("\n".join(lines), encoding="utf-8")
