"""``sweep``: search for better settings on training sessions, report on held-out ones."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import msgspec
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
from experiments.metrics.scorer import METRICS, session_values
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.report import paired_gain, write_json
from experiments.reports.tables import with_interval
from experiments.running.backends import BackendName, make_backend
from experiments.running.description import to_toml
from experiments.running.evaluate import Run, evaluate, planner_system
from experiments.running.runs import RunFolder, folder_for
from experiments.studies.sweep import SPACE, read_space, search
from experiments.studies.sweep_report import conclusion, write_sweep
from planner.config import PlannerConfig, nested, setting

SWEEP_FILE = "sweep.json"
BEST_FILE = "best.toml"
TRIALS = 20
SAMPLES = 100
HELD_OUT_SAMPLES = 200


def sweep_command(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
    space: Annotated[
        Path, typer.Option("--space", help="What may vary, a TOML file; by default the project's own.")
    ] = SPACE,
    trials: Annotated[int, typer.Option("--trials", min=2, help="How many settings to try.")] = TRIALS,
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    no_cache: NoCacheOption = False,
    products: ProductsOption = None,
    distribution: DistributionOption = None,
    samples: Annotated[int | None, samples_option(" for each trial", SAMPLES, least=2)] = None,
    held_out_samples: Annotated[
        int, typer.Option("--held-out-samples", min=2, help="Held-out sessions of the report, of each kind.")
    ] = HELD_OUT_SAMPLES,
    training: TrainingOption = TRAINING[0],
    held_out: HeldOutOption = HELD_OUT[0],
    workers: WorkersOption = None,
    backend: BackendOption = BackendName.JOBLIB,
    scheduler: SchedulerOption = None,
    scratch: ScratchOption = None,
    out: OutOption = None,
    restart: RestartOption = False,
) -> None:
    """Search for settings that score better on training sessions; report on held-out sessions."""
    count = defaults.samples_to_draw(samples, SAMPLES)
    preset = config or track.value
    base = PlannerConfig.load(preset)
    ranges = read_space(space, base)
    where = make_backend(backend, workers, scheduler)
    console = Console(stderr=True)
    source = Source(catalog, fields, products=products, samples=1, distribution=distribution)
    benchmark = prepare(source, console, Stopwatch())
    drawn = distribution or Distribution.PUBLIC
    what = {
        "command": "sweep",
        "preset": preset,
        "base": base.tables(),
        "space": msgspec.to_builtins(ranges),
        "catalog": benchmark.record["catalog"],
        "distribution": drawn.value,
        "samples": {"training": count, "held-out": held_out_samples},
        "trials": trials,
        "seeds": {"training": training, "held-out": held_out},
    }
    bootstrap = Bootstrap()
    with RunFolder(folder_for(out, "sweep"), what, restart=restart) as folder:

        def played(sessions: list[Session], *configs: tuple[str, PlannerConfig]) -> list[Run]:
            return evaluate(
                benchmark.catalog,
                [planner_system(name, one) for name, one in configs],
                shoppers_of(sessions, benchmark.products),
                console=console,
                backend=where,
                journal=folder.journal,
                scratch=scratch,
            )

        runs: list[Run] = []
        lessons = draw_sessions(benchmark.products, count, training, drawn)

        def objective(trial: int, one: PlannerConfig) -> float:
            (run,) = played(lessons, (f"trial {trial}", one))
            runs.append(run)
            score = float(session_values(run.results).mean(axis=0)[METRICS.index("score")])
            console.print(f"trial {trial}: {score:.4f}", highlight=False)
            return score

        found = search(base, ranges, objective, trials, training)
        best = base.changed(found.best)
        both = ("base", base), ("best", best)
        unseen = {
            "held-out": draw_sessions(benchmark.products, held_out_samples, held_out, drawn),
            f"{drawn.control} control": draw_sessions(
                benchmark.products, held_out_samples, held_out, drawn.control
            ),
        }
        report = {
            **what,
            "bootstrap": asdict(bootstrap),
            "settings": {name: [setting(base, name), value] for name, value in found.best.items()},
            "best": found.number,
            "importance": found.importance,
            "training": paired_gain((runs[0], runs[found.number]), bootstrap),
            "held_out": {name: paired_gain(played(part, *both), bootstrap) for name, part in unseen.items()},
            "trials": [{"score": one.score, "values": one.values} for one in found.attempts],
        }
        write_json(folder.path / SWEEP_FILE, report)
        (folder.path / BEST_FILE).write_text(
            to_toml({"base": preset, **nested(found.best)}), encoding="utf-8"
        )
        path = write_sweep(folder.path, report)
    for name, part in report["held_out"].items():
        gain = with_interval(part["score"], part["intervals"]["score"], "+")
        typer.echo(f"score, {name}: best - base {gain} (paired)")
    typer.echo(conclusion(report))
    typer.echo(f"written: {path}, {folder.path / BEST_FILE}")
