"""``evaluate``: the planner beside the weak baseline."""

from __future__ import annotations

import typer
from rich.console import Console

from experiments.baselines.weak import WeakBaseline
from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source, origin_of, prepare
from experiments.commands.options import (
    BackendOption,
    CatalogOption,
    ConfigOption,
    DistributionOption,
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
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.report import (
    REPORT_FILE,
    SESSIONS_FILE,
    build_report,
    print_report,
    timing_record,
    write_report,
)
from experiments.reports.run_report import write_readable
from experiments.reports.tables import report_console
from experiments.running.backends import BackendName, make_backend
from experiments.running.evaluate import System, evaluate, planner_system, ready
from experiments.running.runs import RunFolder, folder_for, systems_record
from planner.config import PlannerConfig


def evaluate_command(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    sessions: SessionsOption = None,
    skip_missing: SkipMissingOption = False,
    no_cache: NoCacheOption = False,
    samples: SamplesOption = None,
    seed: SeedOption = defaults.SEED,
    workers: WorkersOption = None,
    backend: BackendOption = BackendName.JOBLIB,
    scheduler: SchedulerOption = None,
    scratch: ScratchOption = None,
    out: OutOption = None,
    restart: RestartOption = False,
    products: ProductsOption = None,
    distribution: DistributionOption = None,
) -> None:
    """Play sessions with the planner and the weak baseline, and report."""
    source = Source(catalog, fields, sessions, skip_missing, samples, seed, products, distribution)
    source.check()
    settings = PlannerConfig.load(config or track.value)
    where = make_backend(backend, workers, scheduler)
    where.start(ready)
    console = Console(stderr=True)
    watch = Stopwatch()
    benchmark = prepare(source, console, watch, keep_products=False)
    where.started()
    watch.lap("workers")
    systems = (planner_system("planner", settings), System("weak BM25", WeakBaseline))
    record = {"track": settings.track, **benchmark.record}
    name = benchmark.record["sessions"]["source"]
    sets = {name: {**benchmark.record["sessions"], **origin_of(source)}}
    what = {"command": "evaluate", **record, "sets": sets, "systems": systems_record(systems)}
    with RunFolder(folder_for(out, "evaluate"), what, restart=restart) as folder:
        runs = evaluate(
            benchmark.catalog,
            systems,
            benchmark.shoppers,
            console=console,
            backend=where,
            journal=folder.journal,
            scratch=scratch,
        )
        watch.lap("play")
        timing = timing_record(watch, where)
        report = build_report(record, runs, timing, Bootstrap())
        write_report(folder.path, report, benchmark.sessions, runs, name)
        write_readable(folder.path, f"Planner, {settings.track} track", {name: report})
    print_report(report, report_console())
    typer.echo(f"catalog: {benchmark.read.summary().splitlines()[0]}")
    typer.echo(f"sessions: {len(benchmark.sessions)} played, {benchmark.skipped} skipped")
    spent = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in watch.laps.items())
    typer.echo(f"seconds: {spent} ({where.workers} workers)")
    typer.echo(f"written: {folder.path / REPORT_FILE}, {folder.path / SESSIONS_FILE}")
