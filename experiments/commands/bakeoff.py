"""``bakeoff``: all systems on the same sessions."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import joblib
import typer
from rich.console import Console

from experiments import defaults
from experiments.bakeoff import MEMORY_SESSIONS, added_memory, build_bakeoff, contestants
from experiments.bakeoff_report import print_bakeoff, write_bakeoff
from experiments.benchmark import Source, prepare
from experiments.bootstrap import Bootstrap
from experiments.commands.options import (
    CatalogOption,
    DistributionOption,
    FieldsOption,
    OutOption,
    ProductsOption,
    SamplesOption,
    SeedOption,
    SessionsOption,
    SkipMissingOption,
    WorkersOption,
)
from experiments.evaluate import evaluate
from experiments.report import SESSIONS_FILE, write_report
from experiments.stopwatch import Stopwatch

_REPORT_WIDTH = 180


def bakeoff_command(
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    sessions: SessionsOption = None,
    skip_missing: SkipMissingOption = False,
    samples: SamplesOption = None,
    seed: SeedOption = defaults.SEED,
    workers: WorkersOption = None,
    out: OutOption = None,
    products: ProductsOption = None,
    distribution: DistributionOption = None,
) -> None:
    """Play sessions with every system and with the planner on both tracks, and report."""
    started = datetime.now()
    source = Source(catalog, fields, sessions, skip_missing, samples, seed, products, distribution)
    source.check()
    processes = workers or joblib.cpu_count()
    folder = out or Path("runs") / f"{started:%Y%m%d-%H%M%S}-bakeoff"
    console = Console(stderr=True)
    watch = Stopwatch()
    benchmark = prepare(source, console, watch)
    folder.mkdir(parents=True, exist_ok=True)
    entries = contestants()
    systems = [entry.system for entry in entries]
    runs = evaluate(benchmark.catalog, systems, benchmark.shoppers, processes, console)
    watch.lap("play")
    memory = added_memory(benchmark.catalog, systems, benchmark.shoppers[:MEMORY_SESSIONS], console)
    watch.lap("memory")
    timing = {
        "started": started.isoformat(timespec="seconds"),
        "workers": processes,
        "seconds": watch.laps,
        "memory_sessions": min(MEMORY_SESSIONS, len(benchmark.shoppers)),
        "memory_mib": memory,
    }
    report = build_bakeoff(benchmark.record, entries, runs, timing, Bootstrap())
    write_report(folder, report, benchmark.sessions, runs)
    files = write_bakeoff(folder, report)
    output = Console()
    print_bakeoff(report, output if output.is_terminal else Console(width=_REPORT_WIDTH))
    typer.echo(f"catalog: {benchmark.read.summary().splitlines()[0]}")
    typer.echo(f"sessions: {len(benchmark.sessions)} played, {benchmark.skipped} skipped")
    typer.echo(f"written: {', '.join(str(file) for file in [*files, folder / SESSIONS_FILE])}")
