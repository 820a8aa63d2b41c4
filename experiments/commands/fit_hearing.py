"""``fit-hearing``: how shoppers are heard, from training sessions of many kinds, shown on held-out ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from experiments.benchmark.prepare import Benchmark, Source, prepare
from experiments.commands.options import (
    HeldOutOption,
    OutOption,
    RestartOption,
    Track,
    TrainingOption,
    WorkersOption,
    samples_option,
)
from experiments.customers.sessions import HELD_OUT, TRAINING
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.report import write_json
from experiments.running.backends import BackendName, make_backend
from experiments.running.evaluate import planner_system
from experiments.running.replay import rows_by_id
from experiments.running.runs import RunFolder, folder_for
from experiments.studies.hearing import (
    HeardSession,
    fit_grid,
    losses,
    mean_loss,
    observe_heard,
    read_space,
)
from experiments.studies.robustness import conditions, play_all
from planner.config import PlannerConfig, setting
from planner.planner import Planner
from scoring.posterior import Scorer

FIT_FILE = "fit-hearing.json"
SAMPLES = 24
PRODUCTS = 10_000
PASSES = 4
TOLERANCE = 0.001
"""Nats that a step must gain: less is within what other sessions would change."""


def fit_hearing_command(
    products: Annotated[
        int, typer.Option("--products", min=100, help="Size of the generated catalogs.")
    ] = PRODUCTS,
    samples: Annotated[int, samples_option(" for each kind of shopper on each track", SAMPLES, 2)] = SAMPLES,
    passes: Annotated[int, typer.Option("--passes", min=1, help="Rounds over all weights at most.")] = PASSES,
    training: TrainingOption = TRAINING[0],
    held_out: HeldOutOption = HELD_OUT[0],
    workers: WorkersOption = None,
    out: OutOption = None,
    restart: RestartOption = False,
) -> None:
    """Fit how shoppers are heard to training sessions of many kinds; report on held-out ones."""
    space = read_space()
    configs = {track.value: PlannerConfig.load(track.value) for track in Track}
    console = Console(stderr=True)
    what = {
        "command": "fit-hearing",
        "settings": {track: config.tables() for track, config in configs.items()},
        "kinds": space.kinds,
        "weights": space.weights,
        "products": products,
        "samples": samples,
        "passes": passes,
        "seeds": {"training": training, "held-out": held_out},
    }
    with RunFolder(folder_for(out, "fit-hearing"), what, restart=restart) as folder:

        def heard(seed: int) -> tuple[Benchmark, list[list[HeardSession]]]:
            benchmark = prepare(Source(products=products, samples=samples, seed=seed), console, Stopwatch())
            rows = rows_by_id(benchmark.catalog)
            found = []
            for track, config in configs.items():
                console.print(f"Playing sessions of seed {seed}, {track} track ...")
                where = make_backend(BackendName.JOBLIB, workers, None)
                outcomes = play_all(
                    benchmark,
                    [planner_system(f"{track}-{seed}", config)],
                    conditions(benchmark, space.kinds, seed),
                    console,
                    backend=where,
                    journal=folder.journal,
                )
                planner = Planner(benchmark.catalog, config)
                targets = [session.target for session in benchmark.sessions]
                found.append(
                    [
                        session
                        for outcome in outcomes
                        for results in outcome.results.values()
                        for session in observe_heard(
                            planner, outcome.perturbation.name, results, targets, rows
                        )
                    ]
                )
            return benchmark, found

        benchmark, lessons = heard(training)
        tracks = list(configs.values())

        def loss(values: Mapping[str, float]) -> float:
            value = mean_loss(benchmark.catalog, tracks, lessons, values)
            console.print(f"{value:.4f}  {values}", highlight=False, soft_wrap=True)
            return value

        start = {name: float(str(setting(tracks[0], name))) for name in space.weights}
        found = fit_grid(loss, start, space.weights, TOLERANCE, passes)
        unseen, exam = heard(held_out)
        report = {
            **what,
            "fitted": found.values,
            "loss": {"before": found.before, "fitted": found.loss},
            "profile": {
                name: {f"{value:g}": loss for value, loss in losses.items()}
                for name, losses in found.profile.items()
            },
            "held_out": {
                track: {
                    "before": losses(Scorer(unseen.catalog, config.scoring), sessions),
                    "fitted": losses(Scorer(unseen.catalog, config.changed(found.values).scoring), sessions),
                }
                for (track, config), sessions in zip(configs.items(), exam, strict=True)
            },
        }
        write_json(folder.path / FIT_FILE, report)
    _print(report)
    typer.echo(f"written: {folder.path / FIT_FILE}")


def _print(report: dict[str, Any]) -> None:
    table = Table(title="Log loss on held-out sessions, nats")
    table.add_column("shoppers")
    for track in report["held_out"]:
        for column in ("before", "fitted"):
            table.add_column(f"{track} {column}", justify="right")
    for kind in report["kinds"]:
        cells = [
            f"{part[column][kind]:.3f}"
            for part in report["held_out"].values()
            for column in ("before", "fitted")
        ]
        table.add_row(kind, *cells)
    Console(width=110).print(table)
    for name, values in report["profile"].items():
        near = ", ".join(f"{value}: {loss:.4f}" for value, loss in values.items())
        typer.echo(f"{name} = {report['fitted'][name]:g}  ({near})")
