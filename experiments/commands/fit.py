"""``fit``: the prior's weights and the horizon's value, from training sessions, shown on held-out ones."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from experiments.benchmark import defaults
from experiments.benchmark.prepare import Benchmark, Source, prepare, shoppers_of
from experiments.commands.options import (
    BackendOption,
    CatalogOption,
    ConfigOption,
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
from experiments.customers.sessions import HELD_OUT, TRAINING, Distribution, draw_sessions, target_weights
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.report import write_json
from experiments.running.backends import BackendName, make_backend
from experiments.running.description import to_toml
from experiments.running.evaluate import Run, evaluate, planner_system
from experiments.running.replay import rows_by_id
from experiments.running.runs import RunFolder, folder_for
from experiments.studies.horizon import fit_horizon, horizon_errors, observe_horizon
from experiments.studies.priors import Wanted, fit_prior, log_loss
from experiments.studies.profile import fit_profile, profile_log_loss, profiled
from planner.config import PlannerConfig, nested
from planner.planner import Planner
from scoring.config import PriorConfig
from scoring.priors import log_prior, prior_features

FIT_FILE = "fit.json"
FITTED_FILE = "fitted.toml"
SAMPLES = 400
_TARGETS = 4_000
"""Targets drawn for the prior: drawing costs nothing, playing does."""
_RIDGE = 1e-4
_DIGITS = 3
_STRENGTHS = (0.0, 0.5, 1.0, 1.5)
_SHARES = (0.05, 0.3, 0.6)


def fit_command(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    no_cache: NoCacheOption = False,
    products: ProductsOption = None,
    samples: Annotated[
        int | None, samples_option(" for the horizon, of each distribution", SAMPLES, least=10)
    ] = None,
    training: TrainingOption = TRAINING[0],
    held_out: HeldOutOption = HELD_OUT[0],
    workers: WorkersOption = None,
    backend: BackendOption = BackendName.JOBLIB,
    scheduler: SchedulerOption = None,
    scratch: ScratchOption = None,
    out: OutOption = None,
    restart: RestartOption = False,
) -> None:
    """Fit the prior's weights and the value at the horizon on training sessions; report on held-out ones."""
    count = defaults.samples_to_draw(samples, SAMPLES)
    preset = config or track.value
    settings = PlannerConfig.load(preset)
    where = make_backend(backend, workers, scheduler)
    console = Console(stderr=True)
    benchmark = prepare(Source(catalog, fields, products=products, samples=1), console, Stopwatch())
    rows = rows_by_id(benchmark.catalog)
    what = {
        "command": "fit",
        "preset": preset,
        "settings": settings.tables(),
        "catalog": benchmark.record["catalog"],
        "samples": count,
        "seeds": {"training": training, "held-out": held_out},
    }

    def targets(seed: int, distribution: Distribution) -> NDArray[np.int64]:
        drawn = draw_sessions(benchmark.products, _TARGETS, seed, distribution)
        return np.array([rows[session.target] for session in drawn])

    features = prior_features(benchmark.catalog)
    weights = fit_prior([Wanted(features, targets(training, Distribution.PUBLIC))], _RIDGE)
    prior = {name: round(value, _DIGITS) for name, value in weights.items()}
    fitted = settings.changed({f"scoring.prior.{name}": value for name, value in prior.items()})
    wanted = {name: targets(held_out, name) for name in (Distribution.PUBLIC, Distribution.UNIFORM)}

    with RunFolder(folder_for(out, "fit"), what, restart=restart) as folder:

        def played(seed: int) -> list[Run]:
            runs = []
            for distribution in (Distribution.PUBLIC, Distribution.UNIFORM):
                console.print(f"Playing sessions of seed {seed}, {distribution} targets ...")
                drawn = draw_sessions(benchmark.products, count, seed, distribution)
                runs += evaluate(
                    benchmark.catalog,
                    [planner_system("planner", fitted)],
                    shoppers_of(drawn, benchmark.products),
                    console=console,
                    backend=where,
                    journal=folder.journal,
                    scratch=scratch,
                )
            return runs

        planner = Planner(benchmark.catalog, fitted)
        profile = _profile(planner, benchmark, rows, training, held_out)
        fitted = fitted.changed({"scoring.text.profile": profile["weight"]})
        planner = Planner(benchmark.catalog, fitted)
        seen, unseen = (
            observe_horizon(planner, [result for run in played(seed) for result in run.results], rows)
            for seed in (training, held_out)
        )
        horizon = {name: round(value, _DIGITS) for name, value in fit_horizon(seen, _RIDGE).items()}
        values: dict[str, object] = {f"scoring.prior.{name}": value for name, value in prior.items()}
        values["scoring.text.profile"] = profile["weight"]
        values |= {f"rollouts.horizon.{name}": value for name, value in horizon.items()}
        values["rollouts.horizon.fitted_for"] = fitted.version
        report = {
            **what,
            "fitted": values,
            "prior": _prior_losses(benchmark, settings.scoring.prior, fitted.scoring.prior, wanted),
            "profile": profile,
            "horizon": {"beliefs": len(unseen.reward), **horizon_errors(unseen, horizon)},
        }
        write_json(folder.path / FIT_FILE, report)
        (folder.path / FITTED_FILE).write_text(to_toml({"base": preset, **nested(values)}), encoding="utf-8")
    _print(report)
    typer.echo(f"written: {folder.path / FIT_FILE}, {folder.path / FITTED_FILE}")


def _profile(
    planner: Planner, benchmark: Benchmark, rows: dict[str, int], training: int, held_out: int
) -> dict[str, float]:
    """Return the profile's weight by training sessions; 0 where held-out ones are no likelier by it."""
    drawn = [
        draw_sessions(benchmark.products, _TARGETS, seed, Distribution.PUBLIC)
        for seed in (training, held_out)
    ]
    seen, unseen = profiled(planner, drawn, rows)
    if not (len(seen.targets) and len(unseen.targets)):
        return {"weight": 0.0, "fitted": 0.0, "standard_error": 0.0, "held_out_gain": 0.0}
    fit = fit_profile(seen, _RIDGE)
    gain = profile_log_loss(unseen, 0.0, fit.general) - profile_log_loss(unseen, fit.weight, fit.general)
    kept = min(fit.weight, 1.0) if fit.weight > 0.0 and gain > 0.0 else 0.0
    return {
        "weight": round(kept, _DIGITS),
        "fitted": round(fit.weight, _DIGITS),
        "standard_error": round(fit.standard_error, _DIGITS),
        "held_out_gain": round(gain, 6),
    }


def _prior_losses(
    benchmark: Benchmark, before: PriorConfig, fitted: PriorConfig, wanted: dict[Distribution, Any]
) -> dict[str, dict[str, float]]:
    """Return by name the log loss (nats) of priors on held-out targets, for each way of drawing them."""
    priors = {"before": before, "fitted": fitted}
    for strength in _STRENGTHS:
        priors[f"strength {strength:g}"] = msgspec.structs.replace(fitted, strength=strength)
    for share in _SHARES:
        priors[f"uniform share {share:g}"] = msgspec.structs.replace(fitted, uniform_share=share)
    logs = {name: log_prior(benchmark.catalog, prior) for name, prior in priors.items()}
    losses = {
        name: {str(kind): log_loss(prior, rows) for kind, rows in wanted.items()}
        for name, prior in logs.items()
    }
    with np.errstate(divide="ignore"):
        true = {kind: np.log(target_weights(benchmark.products, kind)) for kind in wanted}
    losses["as drawn"] = {str(kind): log_loss(true[kind], rows) for kind, rows in wanted.items()}
    return losses


def _print(report: dict[str, Any]) -> None:
    table = Table(title="Log loss of the prior on held-out targets, nats")
    table.add_column("prior")
    for kind in report["prior"]["fitted"]:
        table.add_column(kind, justify="right")
    for name, losses in report["prior"].items():
        table.add_row(name, *(f"{loss:.3f}" for loss in losses.values()))
    Console(width=80).print(table)
    profile = report["profile"]
    fitted, error = profile["fitted"], profile["standard_error"]
    typer.echo(f"profile's tags: {fitted:+.3f} ± {error:.3f} nats, {profile['held_out_gain']:+.6f} held out")
    horizon = report["horizon"]
    typer.echo(f"value at the horizon on {horizon['beliefs']} held-out beliefs, bias and RMSE:")
    for name in ("low", "high", "value"):
        typer.echo(f"  {name:5} {horizon[f'{name}_bias']:+.4f} {horizon[f'{name}_rmse']:.4f}")
    for name, value in report["fitted"].items():
        typer.echo(f"{name} = {value}")
