"""The command line: ``python -m experiments --help``."""

from __future__ import annotations

import sys
from typing import Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from experiments.commands.ablation import ablation_command
from experiments.commands.bakeoff import bakeoff_command
from experiments.commands.bench import bench_command
from experiments.commands.benchmark import benchmark_command
from experiments.commands.calibrate import calibrate_command
from experiments.commands.compare import compare_command
from experiments.commands.evaluate import evaluate_command
from experiments.commands.files import generate_command, plugin_command
from experiments.commands.fit import fit_command
from experiments.commands.fit_hearing import fit_hearing_command
from experiments.commands.play import play_command
from experiments.commands.robustness import robustness_command
from experiments.commands.run import run_command
from experiments.commands.sweep import sweep_command
from experiments.customers.sessions import SessionError
from experiments.live.conversation import LiveError
from experiments.plugin import PluginError
from experiments.reports.compare import CompareError
from experiments.running.backends import BackendError
from experiments.running.description import DescriptionError
from experiments.running.journal import JournalError
from experiments.running.runs import RunError
from experiments.studies.bench import BenchError
from experiments.studies.sweep import SpaceError
from index.fieldmap import FieldMapError
from index.readers import CatalogError
from planner.config import ConfigError

USAGE_ERROR = 2

INPUT_ERRORS = (
    BackendError,
    BenchError,
    CatalogError,
    CompareError,
    ConfigError,
    DescriptionError,
    FieldMapError,
    JournalError,
    LiveError,
    PluginError,
    RunError,
    SessionError,
    SpaceError,
)
"""What is raised where the input is at fault; each says it in one line."""

_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])
"""What typer raises for any misuse; of the family it exports ``BadParameter`` alone."""


class OneLineErrors(TyperGroup):
    """A command group that ends with one line on stderr and exit code 2 where its input is at fault."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run the command line and exit."""
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except _UsageError as error:
            message = error.format_message()
        except INPUT_ERRORS as error:
            message = str(error)
        except OSError as error:
            message = f"{error.strerror}: {error.filename}" if error.filename else str(error)
        else:
            sys.exit(code)
        typer.echo(f"error: {' '.join(message.split())}", err=True)
        sys.exit(USAGE_ERROR)


app = typer.Typer(
    cls=OneLineErrors,
    help="Measure the shopping planner.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("evaluate")(evaluate_command)
app.command("benchmark")(benchmark_command)
app.command("bakeoff")(bakeoff_command)
app.command("robustness")(robustness_command)
app.command("run")(run_command)
app.command("compare")(compare_command)
app.command("play")(play_command)
app.command("calibrate")(calibrate_command)
app.command("sweep")(sweep_command)
app.command("bench")(bench_command)
app.command("generate")(generate_command)
app.command("ablation")(ablation_command)
app.command("fit")(fit_command)
app.command("fit-hearing")(fit_hearing_command)
app.command("plugin")(plugin_command)


if __name__ == "__main__":
    app()
