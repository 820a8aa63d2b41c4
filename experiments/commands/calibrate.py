"""``calibrate``: fit temperature, floor and prior strength, and show what it does on held-out sessions."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source, prepare, shoppers_of
from experiments.commands.options import (
    BackendOption,
    CatalogOption,
    ConfigOption,
    DistributionOption,
    FieldsOption,
    HeldOutOption,
    NoCacheOption,
    OutOption,
    ProductsOption,
    RestartOption,
    SchedulerOption,
    ScratchOption,
    Track,
    TrackOption,
    TrainingOption,
    WorkersOption,
    samples_option,
)
from experiments.customers.sessions import (
    HELD_OUT,
    TRAINING,
    Distribution,
    Session,
    draw_sessions,
)
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.stopwatch import Stopwatch
from experiments.perturbations import PERTURBATIONS, mixture
from experiments.reports.report import OVERALL, paired_gain, write_json
from experiments.reports.tables import with_interval
from experiments.running.backends import BackendName, make_backend
from experiments.running.description import to_toml
from experiments.running.evaluate import Run, evaluate, planner_system
from experiments.running.replay import rows_by_id
from experiments.running.runs import FIGURES, RunFolder, folder_for
from experiments.studies.calibration import LEAST_FLOOR, fit, fitted_values, loss_under, measure, observe
from experiments.studies.calibration_report import write_calibration
from planner.config import PlannerConfig, nested, setting
from planner.planner import Planner

CALIBRATION_FILE = "calibration.json"
FITTED_FILE = "fitted.toml"
SAMPLES = 500
DEPARTING = 0.5
"""Half of the customers speak by the letter, half in every other way that is known."""

KINDS = [kind for kind in PERTURBATIONS.values() if kind.at_least]
"""Ways to depart from the protocol that leave the target what it was."""


def calibrate_command(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    no_cache: NoCacheOption = False,
    products: ProductsOption = None,
    distribution: DistributionOption = None,
    samples: Annotated[
        int | None, samples_option(" for the fit, and for each measurement", SAMPLES, least=10)
    ] = None,
    training: TrainingOption = TRAINING[0],
    held_out: HeldOutOption = HELD_OUT[0],
    least_floor: Annotated[
        float, typer.Option("--least-floor", min=0.0, max=0.5, help="Lower bound of the fitted floor.")
    ] = LEAST_FLOOR,
    departing: Annotated[
        float,
        typer.Option(
            "--departing", min=0.0, max=1.0, help="Share of the fit's customers who depart from the protocol."
        ),
    ] = DEPARTING,
    workers: WorkersOption = None,
    backend: BackendOption = BackendName.JOBLIB,
    scheduler: SchedulerOption = None,
    scratch: ScratchOption = None,
    out: OutOption = None,
    restart: RestartOption = False,
    publish: Annotated[
        Path | None, typer.Option("--publish", help="Write calibration.md with figures into this folder too.")
    ] = None,
) -> None:
    """Fit temperature, floor and prior strength on training sessions; report on held-out sessions."""
    count = defaults.samples_to_draw(samples, SAMPLES)
    preset = config or track.value
    settings = PlannerConfig.load(preset)
    where = make_backend(backend, workers, scheduler)
    console = Console(stderr=True)
    watch = Stopwatch()
    source = Source(catalog, fields, products=products, samples=1, distribution=distribution)
    benchmark = prepare(source, console, watch)
    drawn = distribution or Distribution.PUBLIC
    sets = {
        "training": draw_sessions(benchmark.products, count, training, drawn),
        "held-out": draw_sessions(benchmark.products, count, held_out, drawn),
        f"{drawn.control} control": draw_sessions(benchmark.products, count, held_out, drawn.control),
    }
    shoppers = {name: shoppers_of(sessions, benchmark.products) for name, sessions in sets.items()}
    products_by_id = {product.parent_asin: product for product in benchmark.products}
    shoppers["departing"] = mixture(shoppers["held-out"], products_by_id, KINDS, 1.0, held_out)
    shoppers["training"] = mixture(shoppers["training"], products_by_id, KINDS, departing, training)
    what = {
        "command": "calibrate",
        "preset": preset,
        "settings": settings.tables(),
        "catalog": benchmark.record["catalog"],
        "distribution": drawn.value,
        "samples": count,
        "seeds": {"training": training, "held-out": held_out},
        "least_floor": least_floor,
        "departing": departing,
    }
    bootstrap = Bootstrap()
    planner = Planner(benchmark.catalog, settings)
    rows = rows_by_id(benchmark.catalog)

    with RunFolder(folder_for(out, "calibrate"), what, restart=restart) as folder:

        def played(name: str, *configs: tuple[str, PlannerConfig]) -> list[Run]:
            console.print(f"Playing {name} sessions ...")
            systems = [planner_system(label, one) for label, one in configs]
            journal = folder.journal
            return evaluate(
                benchmark.catalog,
                systems,
                shoppers[name],
                console=console,
                backend=where,
                journal=journal,
                scratch=scratch,
            )

        (base,) = played("training", ("before", settings))
        seen = observe(planner, base.results, _targets(sets["training"]), rows)
        values = fitted_values(fit(planner, seen, least_floor))
        fitted = settings.changed(values)
        both = ("before", settings), ("after", fitted)
        runs = {name: played(name, *both) for name in shoppers if name != "training"}
        targets = _targets(sets["held-out"])
        old, new = runs["held-out"]
        before = observe(planner, old.results, targets, rows)
        after = observe(Planner(benchmark.catalog, fitted), new.results, targets, rows)
        report = {
            **what,
            "bootstrap": asdict(bootstrap),
            "settings": {name: [setting(settings, name), value] for name, value in values.items()},
            "training": {
                "sessions": len(base.results),
                "turns": len(seen.turn),
                "loss": [loss_under(planner, seen, one) for one in (settings, fitted)],
            },
            "loss": [loss_under(planner, before, one) for one in (settings, fitted)],
            "before": measure(before, bootstrap),
            "after": measure(after, bootstrap),
            "scores": {name: paired_gain(pair, bootstrap) for name, pair in runs.items()},
        }
        write_json(folder.path / CALIBRATION_FILE, report)
        (folder.path / FITTED_FILE).write_text(to_toml({"base": preset, **nested(values)}), encoding="utf-8")
        written = [write_calibration(folder.path, report, folder.path / FIGURES)]
        if publish:
            written.append(write_calibration(publish, report, publish / FIGURES, "calibration-"))
    _print(report)
    typer.echo(f"written: {', '.join(map(str, [*written, folder.path / FITTED_FILE]))}")


def _targets(sessions: list[Session]) -> list[str]:
    return [session.target for session in sessions]


def _print(report: dict[str, Any]) -> None:
    for name, (old, new) in report["settings"].items():
        typer.echo(f"{name}: {old:g} -> {new:g}")
    for statement in report["after"]["statements"]:
        old, new = (report[when]["statements"][statement][OVERALL] for when in ("before", "after"))
        typer.echo(
            f"calibration error, {statement}: {old['calibration_error']:.4f} -> "
            f"{new['calibration_error']:.4f} [{new['interval'][0]:.4f}, {new['interval'][1]:.4f}]"
        )
    for name, part in report["scores"].items():
        typer.echo(f"score, {name}: {with_interval(part['score'], part['intervals']['score'], '+')} (paired)")
