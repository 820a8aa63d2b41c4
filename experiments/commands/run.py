"""``run``: what one TOML file describes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from experiments.commands.options import (
    NoCacheOption,
    OutOption,
    RestartOption,
    SchedulerOption,
    ScratchOption,
    WorkersOption,
)
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.report import (
    REPORT_FILE,
    SESSIONS_FILE,
    build_report,
    print_report,
    session_lines,
    timing_record,
    write_json,
)
from experiments.reports.run_report import MARKDOWN_FILE, write_readable
from experiments.reports.tables import report_console
from experiments.running.backends import BackendName, make_backend
from experiments.running.description import RunDescription, make_sets, make_systems, to_toml
from experiments.running.evaluate import Run, evaluate
from experiments.running.runs import RunFolder, folder_for

RESOLVED_FILE = "run.toml"


def run_command(
    file: Annotated[
        Path, typer.Argument(help="The run's description, a TOML file (see docs/experiments.md).")
    ],
    no_cache: NoCacheOption = False,
    out: OutOption = None,
    restart: RestartOption = False,
    workers: WorkersOption = None,
    backend: Annotated[
        BackendName | None, typer.Option("--backend", help="In place of the description's.")
    ] = None,
    scheduler: SchedulerOption = None,
    scratch: ScratchOption = None,
) -> None:
    """Play what a TOML file describes; the same command goes on with a run that was killed."""
    description = RunDescription.load(file)
    execution = description.execution
    name = backend or BackendName(execution.backend)
    where = make_backend(name, workers or execution.workers, scheduler or execution.scheduler)
    shared = scratch or (Path(execution.scratch) if execution.scratch else None)
    systems = make_systems(description)
    console = Console(stderr=True)
    watch = Stopwatch()
    catalog, sets, record = make_sets(description, console, watch)
    resolved = description.resolved(systems)
    set_records = {one.name: dict(one.record) for one in sets}
    what = {"command": "run", "description": resolved, "catalog": record, "sets": set_records}
    bootstrap = Bootstrap(**resolved["bootstrap"])
    reports: dict[str, dict[str, Any]] = {}
    runs: dict[str, list[Run]] = {}
    with RunFolder(folder_for(out, "run"), what, restart=restart) as folder:
        (folder.path / RESOLVED_FILE).write_text(to_toml(resolved), encoding="utf-8")
        for one in sets:
            console.print(f"Playing {one.name} ...", markup=False, highlight=False)
            runs[one.name] = evaluate(
                catalog,
                systems,
                one.shoppers,
                console=console,
                backend=where,
                journal=folder.journal,
                scratch=shared,
            )
            watch.lap(f"play {one.name}")
            reports[one.name] = build_report({"sessions": one.record}, runs[one.name], {}, bootstrap)
        timing = timing_record(watch, where)
        write_json(folder.path / REPORT_FILE, {**what, "sets": reports, "timing": timing})
        with (folder.path / SESSIONS_FILE).open("wb") as lines:
            for one in sets:
                lines.writelines(session_lines(one.sessions, runs[one.name], one.name))
        write_readable(folder.path, f"Run of {file.name}", reports)
    for set_name, report in reports.items():
        print_report(report, report_console(), set_name)
    typer.echo(f"written: {folder.path / MARKDOWN_FILE}, {folder.path / REPORT_FILE}")
