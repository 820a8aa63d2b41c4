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
    DistributionsOption,
    FieldsOption,
    NoCacheOption,
    OutOption,
    ProductsOption,
    RestartOption,
    SamplesOption,
    SchedulerOption,
    ScratchOption,
    SeedOption,
    SessionsOption,
    SkipMissingOption,
    Track,
    TrackOption,
    WorkersOption,
)
from experiments.customers.sessions import Distribution, SessionError, draw_sessions
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.report import REPORT_FILE, write_json
from experiments.reports.run_report import MARKDOWN_FILE
from experiments.reports.tables import markdown_table, report_console, with_interval
from experiments.running.backends import BackendName, make_backend
from experiments.running.evaluate import evaluate
from experiments.running.runs import RunFolder, folder_for, systems_record
from experiments.studies.ablation import VARIANTS, ablated, ablation_rows, median_ms
from planner.config import PlannerConfig


def ablation_command(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    sessions: SessionsOption = None,
    skip_missing: SkipMissingOption = False,
    no_cache: NoCacheOption = False,
    products: ProductsOption = None,
    samples: SamplesOption = None,
    seed: SeedOption = defaults.SEED,
    distribution: DistributionsOption = None,
    variant: Annotated[
        list[str] | None, typer.Option("--variant", help="A variant to play (all); may be repeated.")
    ] = None,
    workers: WorkersOption = None,
    backend: BackendOption = BackendName.JOBLIB,
    scheduler: SchedulerOption = None,
    scratch: ScratchOption = None,
    out: OutOption = None,
    restart: RestartOption = False,
) -> None:
    """Play the planner and variants that lack or change one part on the same sessions, and report."""
    if unknown := [name for name in variant or () if name not in VARIANTS]:
        raise typer.BadParameter(f"no variant {unknown[0]!r}; there are: {'; '.join(VARIANTS)}")
    systems = ablated(PlannerConfig.load(config or track.value), variant)
    where = make_backend(backend, workers, scheduler)
    console, bootstrap = Console(stderr=True), Bootstrap()
    source = Source(catalog, fields, sessions, skip_missing, samples, seed, products)
    if sessions and distribution:
        raise SessionError("--distribution is for drawn sessions; it excludes --sessions")
    benchmark = prepare(source, console, Stopwatch())
    if sessions:
        sets = {sessions.name: benchmark.sessions}
    else:
        count = defaults.samples_to_draw(samples)
        kinds = distribution or [Distribution.PUBLIC, Distribution.UNIFORM]
        sets = {kind.value: draw_sessions(benchmark.products, count, seed, kind) for kind in kinds}
    what = {
        "command": "ablation",
        "track": track.value,
        "catalog": benchmark.record["catalog"],
        "samples": {name: len(drawn) for name, drawn in sets.items()},
        "seeds": benchmark.record["seeds"],
        "systems": systems_record(systems),
    }
    rows: dict[str, dict[str, Any]] = {}
    times: dict[str, dict[str, float]] = {}
    with RunFolder(folder_for(out, "ablation"), what, restart=restart) as folder:
        for name, drawn in sets.items():
            console.print(f"Playing {name} ...", markup=False, highlight=False)
            runs = evaluate(
                benchmark.catalog,
                systems,
                shoppers_of(drawn, benchmark.products),
                console=console,
                backend=where,
                journal=folder.journal,
                scratch=scratch,
            )
            rows[name] = ablation_rows(runs, bootstrap)
            times[name] = {run.system: median_ms(run) for run in runs}
        report = {**what, "bootstrap": asdict(bootstrap), "rows": rows, "timing": {"median_ms": times}}
        write_json(folder.path / REPORT_FILE, report)
        _write_markdown(folder.path / MARKDOWN_FILE, report)
    _print(report, report_console())
    typer.echo(f"written: {folder.path / REPORT_FILE}, {folder.path / MARKDOWN_FILE}")


_HEADINGS = ("variant", "score", "difference to full", "HR@10", "MRR", "turns", "ms/turn")


def _cells(report: dict[str, Any], kind: str) -> list[tuple[str, ...]]:
    """Return the rows of one distribution's table, columns ``_HEADINGS``."""
    lines: list[tuple[str, ...]] = []
    for name, row in report["rows"][kind].items():
        lines.append(
            (
                name,
                f"{row['score']:.4f}",
                with_interval(row["difference"], row["interval"], "+"),
                f"{row['hit_rate_at_10']:.3f}",
                f"{row['mrr']:.3f}",
                f"{row['mttc']:.2f}",
                f"{report['timing']['median_ms'][kind][name]:.1f}",
            )
        )
    return lines


def _title(report: dict[str, Any], kind: str) -> str:
    seeds = report["seeds"]
    drawn = "" if seeds["sessions"] is None else f" targets, seed {seeds['sessions']} ({seeds['split']})"
    return f"Ablation, {report['track']} track: {report['samples'][kind]} sessions, {kind}{drawn}"


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
        lines += [f"# {_title(report, kind)}", "", *markdown_table(_HEADINGS, _cells(report, kind)), ""]
    path.write_text("\n".join(lines), encoding="utf-8")
