"""``evaluate``: the planner beside the weak baseline."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

import joblib
import typer
from rich.console import Console

from experiments import defaults
from experiments.baselines.weak import WeakBaseline
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
    Track,
    TrackOption,
    WorkersOption,
)
from experiments.evaluate import System, evaluate
from experiments.report import REPORT_FILE, SESSIONS_FILE, build_report, print_report, write_report
from experiments.stopwatch import Stopwatch
from planner.agent import Agent

_REPORT_WIDTH = 110


def evaluate_command(
    track: TrackOption = Track.ROBUST,
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
    """Play sessions with the planner and the weak baseline, and report."""
    started = datetime.now()
    source = Source(catalog, fields, sessions, skip_missing, samples, seed, products, distribution)
    source.check()
    processes = workers or joblib.cpu_count()
    folder = out or Path("runs") / f"{started:%Y%m%d-%H%M%S}-evaluate"
    console = Console(stderr=True)
    watch = Stopwatch()
    benchmark = prepare(source, console, watch)
    folder.mkdir(parents=True, exist_ok=True)
    systems = (System("planner", partial(Agent.on, config=track.value)), System("weak BM25", WeakBaseline))
    runs = evaluate(benchmark.catalog, systems, benchmark.shoppers, processes, console)
    watch.lap("play")
    timing = {"started": started.isoformat(timespec="seconds"), "workers": processes, "seconds": watch.laps}
    report = build_report({"track": track.value, **benchmark.record}, runs, timing, Bootstrap())
    write_report(folder, report, benchmark.sessions, runs)
    output = Console()
    print_report(report, output if output.is_terminal else Console(width=_REPORT_WIDTH))
    typer.echo(f"catalog: {benchmark.read.summary().splitlines()[0]}")
    typer.echo(f"sessions: {len(benchmark.sessions)} played, {benchmark.skipped} skipped")
    typer.echo(f"written: {folder / REPORT_FILE}, {folder / SESSIONS_FILE}")
