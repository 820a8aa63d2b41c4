"""The command line: ``python -m experiments --help``."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from experiments.errors import InputError
from index.fieldmap import FieldMapError
from index.readers import CatalogError
from planner.config import ConfigError

USAGE_ERROR = 2

INPUT_ERRORS = (InputError, CatalogError, ConfigError, FieldMapError)
"""What is raised where the input is at fault; each says it in one line."""

COMMANDS = {
    "evaluate": "evaluate",
    "benchmark": "benchmark",
    "bakeoff": "bakeoff",
    "robustness": "robustness",
    "run": "run",
    "compare": "compare",
    "play": "play",
    "calibrate": "calibrate",
    "sweep": "sweep",
    "bench": "bench",
    "generate": "files",
    "ablation": "ablation",
    "fit": "fit",
    "fit-hearing": "fit_hearing",
    "plugin": "files",
}
"""The module of each command, in the order of the help."""

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


class Commands(OneLineErrors):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return their names."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, ``None`` for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"experiments.commands.{COMMANDS[cmd_name]}")
        alone = typer.Typer(add_completion=False)
        alone.command(cmd_name)(getattr(module, f"{cmd_name.replace('-', '_')}_command"))
        return typer.main.get_command(alone)


app = typer.Typer(cls=Commands, add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def measure() -> None:
    """Measure the shopping planner."""


if __name__ == "__main__":
    app()
