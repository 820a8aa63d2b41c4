"""``robustness``: the planner, and other systems beside it, with customers who depart from the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console

from experiments.baselines import BASELINES
from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source, prepare
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
from experiments.perturbations import PERTURBATIONS
from experiments.reports.report import timing_record
from experiments.reports.tables import report_console
from experiments.running.backends import BackendName, make_backend
from experiments.running.evaluate import System, planner_system
from experiments.running.runs import RunFolder, folder_for, systems_record
from experiments.studies.robustness import (
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
from planner.config import PlannerConfig

_REPORT_WIDTH = 160
_ALL = "all"


def robustness_command(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
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
    """Play sessions under each perturbation, and report how far the score falls."""
    chosen = _known("--perturbation", perturbation or [_ALL], PERTURBATIONS)
    baselines = _known("--system", system or [], BASELINES)
    source = Source(catalog, fields, sessions, skip_missing, samples, seed, products, distribution)
    source.check()
    settings = PlannerConfig.load(config or track.value)
    where = make_backend(backend, workers, scheduler)
    console = Console(stderr=True)
    watch = Stopwatch()
    benchmark = prepare(source, console, watch)
    systems = [planner_system("planner", settings)]
    systems += [System(name, BASELINES[name].make) for name in baselines]
    record = {"track": settings.track, **benchmark.record}
    what = {
        "command": "robustness",
        **record,
        "perturbations": chosen,
        "systems": systems_record(systems),
    }
    with RunFolder(folder_for(out, "robustness"), what, restart=restart) as folder:
        outcomes = play_all(
            benchmark,
            systems,
            conditions(benchmark, chosen, seed),
            console,
            backend=where,
            journal=folder.journal,
            scratch=scratch,
        )
        watch.lap("play")
        timing = timing_record(watch, where)
        report = build_report(record, outcomes, timing, Bootstrap())
        write_report(folder.path, report, outcomes)
    print_report(report, report_console(_REPORT_WIDTH))
    for name in chosen:
        if name not in report["perturbations"]:
            typer.echo(f"left out: {name} draws its own sessions, which --sessions excludes")
    for name in (REPORT_FILE, TABLE_FILE, HEAT_MAP_FILE, SESSIONS_FILE):
        typer.echo(f"written: {folder.path / name}")


def _known(option: str, names: Sequence[str], known: Mapping[str, Any]) -> list[str]:
    """Return the names, all that are ``known`` where ``all`` is among them."""
    for name in names:
        if name not in known and name != _ALL:
            raise typer.BadParameter(f"{option}: no {name!r} among {', '.join(known)}")
    return list(known) if _ALL in names else list(names)
