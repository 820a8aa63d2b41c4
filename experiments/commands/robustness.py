"""``robustness``: the planner, and other systems beside it, with customers who depart from the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import joblib
import typer
from rich.console import Console

from experiments import defaults
from experiments.baselines import BASELINES
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
from experiments.evaluate import System
from experiments.perturbations import PERTURBATIONS
from experiments.robustness import (
    HEAT_MAP_FILE,
    REPORT_FILE,
    SESSIONS_FILE,
    TABLE_FILE,
    build_report,
    conditions,
    play_all,
    print_report,
    write_report,
)
from experiments.stopwatch import Stopwatch
from planner.agent import Agent

_REPORT_WIDTH = 160
_ALL = "all"


def robustness_command(
    track: TrackOption = Track.ROBUST,
    perturbation: Annotated[
        list[str] | None,
        typer.Option("--perturbation", help="Which to play, may be repeated; by default all."),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option("--system", help="A baseline beside the planner, may be repeated; 'all' for all."),
    ] = None,
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
    """Play sessions under each perturbation, and report how far the score falls."""
    started = datetime.now()
    chosen = _known("--perturbation", perturbation or [_ALL], PERTURBATIONS)
    baselines = _known("--system", system or [], BASELINES)
    source = Source(catalog, fields, sessions, skip_missing, samples, seed, products, distribution)
    source.check()
    processes = workers or joblib.cpu_count()
    folder = out or Path("runs") / f"{started:%Y%m%d-%H%M%S}-robustness"
    console = Console(stderr=True)
    watch = Stopwatch()
    benchmark = prepare(source, console, watch)
    folder.mkdir(parents=True, exist_ok=True)
    systems = [System("planner", partial(Agent.on, config=track.value))]
    systems += [System(name, BASELINES[name].make) for name in baselines]
    played = conditions(benchmark, chosen, seed)
    outcomes = play_all(benchmark, systems, played, processes, console)
    watch.lap("play")
    timing = {"started": started.isoformat(timespec="seconds"), "workers": processes, "seconds": watch.laps}
    report = build_report({"track": track.value, **benchmark.record}, outcomes, timing, Bootstrap())
    write_report(folder, report, outcomes)
    output = Console()
    print_report(report, output if output.is_terminal else Console(width=_REPORT_WIDTH))
    for name in chosen:
        if name not in report["perturbations"]:
            typer.echo(f"left out: {name} draws its own sessions, which --sessions excludes")
    for name in (REPORT_FILE, TABLE_FILE, HEAT_MAP_FILE, SESSIONS_FILE):
        typer.echo(f"written: {folder / name}")


def _known(option: str, names: Sequence[str], known: Mapping[str, Any]) -> list[str]:
    """Return the names, all that are ``known`` where ``all`` is among them."""
    for name in names:
        if name not in known and name != _ALL:
            raise typer.BadParameter(f"{option}: no {name!r} among {', '.join(known)}")
    return list(known) if _ALL in names else list(names)
