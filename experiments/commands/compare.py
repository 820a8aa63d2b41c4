"""``compare``: two runs, paired."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.customers.sessions import Distribution
from experiments.metrics.bootstrap import Bootstrap
from experiments.reports.compare import ShipRule, Side, compare, comparison_record, print_comparison
from experiments.reports.report import write_json
from experiments.reports.tables import report_console

_RULE = ShipRule()
_CONTROL = Distribution(_RULE.control)
_BOOTSTRAP = Bootstrap()


def compare_command(
    first: Annotated[Path, typer.Argument(help="Folder of the run that might replace the other.")],
    other: Annotated[Path, typer.Argument(help="Folder of the run to compare it with; may be the same.")],
    first_system: Annotated[
        str | None, typer.Option("--system", help="System of the first run; by default its first.")
    ] = None,
    other_system: Annotated[
        str | None, typer.Option("--against", help="System of the other run; by default its first.")
    ] = None,
    least: Annotated[
        float, typer.Option("--least", min=0.0, help="The least gain in score that counts as a win.")
    ] = _RULE.least,
    sessions: Annotated[
        int, typer.Option("--sessions", min=1, help="So many sessions, controls apart, that a win takes.")
    ] = _RULE.sessions,
    split: Annotated[
        str, typer.Option("--split", help="The split of seeds that those sessions are of.")
    ] = _RULE.split,
    control: Annotated[
        Distribution, typer.Option("--control", help="The distribution on which nothing may be lost.")
    ] = _CONTROL,
    level: Annotated[
        float, typer.Option("--level", min=0.5, max=0.999, help="Level of the bootstrap intervals.")
    ] = _BOOTSTRAP.level,
    out: Annotated[Path | None, typer.Option("--out", help="A JSON file for the comparison.")] = None,
) -> None:
    """Compare two runs on the sessions that both played; say win, tie or loss."""
    rule = ShipRule(least, sessions, split, control.value)
    comparison = compare(
        Side.read(first, first_system), Side.read(other, other_system), rule, Bootstrap(level=level)
    )
    print_comparison(comparison, report_console())
    if out:
        write_json(out, comparison_record(comparison))
