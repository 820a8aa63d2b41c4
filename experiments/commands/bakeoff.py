"""``bakeoff``: all systems on the same sessions."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source, origin_of, prepare
from experiments.commands.options import (
    BackendOption,
    CatalogOption,
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
    WorkersOption,
)
from experiments.customers.sessions import Distribution
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.scorer import DIGITS
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.report import SESSIONS_FILE, timing_record, write_report
from experiments.reports.tables import report_console
from experiments.running.backends import BackendName, make_backend
from experiments.running.evaluate import evaluate
from experiments.running.runs import RunFolder, folder_for, systems_record
from experiments.studies.bakeoff import (
    MEMORY_SESSIONS,
    added_memory,
    build_bakeoff,
    contestants,
    oracle_plans,
)
from experiments.studies.bakeoff_report import print_bakeoff, write_bakeoff

_REPORT_WIDTH = 180

OracleOption = Annotated[
    bool, typer.Option(help="Work out the best score that any agent could reach; minutes for 200 sessions.")
]

MemoryOption = Annotated[bool, typer.Option(help="Measure the memory of each agent in a process of its own.")]


def bakeoff_command(
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
    oracle: OracleOption = True,
    memory: MemoryOption = True,
) -> None:
    """Play sessions with every system and with the planner on both tracks, and report."""
    source = Source(catalog, fields, sessions, skip_missing, samples, seed, products, distribution)
    source.check()
    where = make_backend(backend, workers, scheduler)
    console = Console(stderr=True)
    watch = Stopwatch()
    benchmark = prepare(source, console, watch)
    record, shoppers = benchmark.record, benchmark.shoppers
    plans = {}
    if oracle:
        prior = distribution or Distribution.PUBLIC
        plans = oracle_plans(benchmark.products, shoppers, prior, where.workers, console)
        expected = {track: plan.expected(shoppers) for track, plan in plans.items()}
        record = {
            **record,
            "oracle": {
                track: {"reached": round(reached, DIGITS), "bound": round(bound, DIGITS)}
                for track, (reached, bound) in expected.items()
            },
        }
        watch.lap("oracle")
    entries = contestants(plans)
    systems = [entry.system for entry in entries]
    name = record["sessions"]["source"]
    sets = {name: {**record["sessions"], **origin_of(source)}}
    what = {"command": "bakeoff", **record, "sets": sets, "systems": systems_record(systems)}
    with RunFolder(folder_for(out, "bakeoff"), what, restart=restart) as folder:
        runs = evaluate(
            benchmark.catalog,
            systems,
            shoppers,
            console=console,
            backend=where,
            journal=folder.journal,
            scratch=scratch,
        )
        watch.lap("play")
        agents = [entry.system for entry in entries if not entry.is_oracle]
        added = {}
        if memory:
            added = added_memory(benchmark.catalog, agents, shoppers[:MEMORY_SESSIONS], console)
            watch.lap("memory")
        timing = {
            **timing_record(watch, where),
            "memory_sessions": min(MEMORY_SESSIONS, len(shoppers)),
            "memory_mib": added,
        }
        report = build_bakeoff(record, entries, runs, timing, Bootstrap())
        write_report(folder.path, report, benchmark.sessions, runs, name)
        files = write_bakeoff(folder.path, report)
    print_bakeoff(report, report_console(_REPORT_WIDTH))
    typer.echo(f"catalog: {benchmark.read.summary().splitlines()[0]}")
    typer.echo(f"sessions: {len(benchmark.sessions)} played, {benchmark.skipped} skipped")
    typer.echo(f"written: {', '.join(str(file) for file in [*files, folder.path / SESSIONS_FILE])}")
