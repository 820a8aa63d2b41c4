"""The command line: ``python -m experiments --help``."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn, cast

import joblib
import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup

from experiments import defaults
from experiments.baselines.weak import WeakBaseline
from experiments.bootstrap import Bootstrap
from experiments.evaluate import System, evaluate, shoppers
from experiments.plugin import PluginError, write_plugin
from experiments.report import REPORT_FILE, SESSIONS_FILE, Inputs, build_report, print_report, write_report
from experiments.sessions import (
    Distribution,
    Session,
    SessionError,
    draw_sessions,
    read_sessions,
    split_of,
    with_known_targets,
)
from index.catalog import Catalog
from index.fieldmap import FieldMapError
from index.products import Product
from index.readers import CatalogError, read_products
from planner.agent import Agent

USAGE_ERROR = 2
_REPORT_WIDTH = 110

_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])
"""What typer raises for any misuse; of the family it exports ``BadParameter`` alone."""


class Track(StrEnum):
    """Whether the planner asks named attributes only, or ``other`` too; also its preset's name."""

    ROBUST = "robust"
    WILDCARD = "wildcard"


class OneLineErrors(TyperGroup):
    """A command group that ends with one line on stderr and exit code 2 where its input is at fault."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run the command line and exit."""
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except _UsageError as error:
            message = error.format_message()
        except (CatalogError, FieldMapError, SessionError, PluginError) as error:
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


@app.command("evaluate")
def evaluate_command(
    track: Annotated[Track, typer.Option(help="Rules for the planner's questions.")] = Track.ROBUST,
    catalog: Annotated[
        Path | None, typer.Option(help="Catalog file; without it one is generated and kept.")
    ] = None,
    fields: Annotated[Path | None, typer.Option(help="Field map for a foreign catalog, a TOML file.")] = None,
    sessions: Annotated[
        Path | None, typer.Option(help="Sessions file; without it sessions are drawn from the catalog.")
    ] = None,
    skip_missing: Annotated[
        bool, typer.Option(help="Leave out sessions whose target is not in the catalog.")
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(min=1, help=f"Sessions to draw ({defaults.SAMPLES}), or to take of the file (all)."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the generated catalog and of the drawn sessions.")] = (
        defaults.SEED
    ),
    workers: Annotated[
        int | None, typer.Option(min=1, help="Worker processes; by default one for each core.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the report; by default runs/<time>-evaluate.")
    ] = None,
    products: Annotated[
        int | None, typer.Option(min=1, help=f"Size of the generated catalog ({defaults.PRODUCTS}).")
    ] = None,
    distribution: Annotated[Distribution | None, typer.Option(help="How targets are drawn (public).")] = None,
) -> None:
    """Play sessions with the planner and the weak baseline, and report."""
    started = datetime.now()
    if catalog and products:
        raise typer.BadParameter("--products sets the size of the generated catalog; it excludes --catalog")
    if fields and not catalog:
        raise typer.BadParameter("--fields describes a catalog file; it needs --catalog")
    if sessions and distribution:
        raise typer.BadParameter("--distribution is for drawn sessions; it excludes --sessions")
    split = split_of(seed)
    size = products or defaults.PRODUCTS
    target_distribution = distribution or Distribution.PUBLIC
    processes = workers or joblib.cpu_count()
    folder = out or Path("runs") / f"{started:%Y%m%d-%H%M%S}-evaluate"
    console = Console(stderr=True)
    watch = Stopwatch()

    path = catalog or _default_catalog(size, seed, console)
    watch.lap("generate")
    console.print(f"Reading and indexing {escape(str(path))} ...", highlight=False, soft_wrap=True)
    records, read_report = read_products(path, fields)
    watch.lap("read")
    chosen, skipped = _sessions(records, sessions, skip_missing, samples, seed, target_distribution)
    folder.mkdir(parents=True, exist_ok=True)
    watch.lap("sessions")
    indexed = Catalog.build(records, read_report)
    watch.lap("index")
    systems = (System("planner", partial(Agent.on, config=track.value)), System("weak BM25", WeakBaseline))
    runs = evaluate(indexed, systems, shoppers(chosen, records), processes, console)
    watch.lap("play")

    bootstrap = Bootstrap()
    inputs = Inputs(
        track=track.value,
        options={
            "track": track.value,
            "catalog": str(catalog) if catalog else None,
            "fields": str(fields) if fields else None,
            "sessions": str(sessions) if sessions else None,
            "skip_missing": skip_missing,
            "samples": len(chosen),
            "seed": seed,
            "products": None if catalog else size,
            "distribution": None if sessions else target_distribution.value,
        },
        seeds={
            "catalog": None if catalog else seed,
            "sessions": None if sessions else seed,
            "split": None if sessions else split,
            "bootstrap": bootstrap.seed,
        },
        catalog={
            "source": path.name,
            "products": len(records),
            "read": read_report.summary().splitlines(),
        },
        sessions={
            "source": sessions.name if sessions else f"drawn, {target_distribution}",
            "count": len(chosen),
            "skipped": skipped,
        },
    )
    timing = {"started": started.isoformat(timespec="seconds"), "workers": processes, "seconds": watch.laps}
    report = build_report(inputs, runs, timing, bootstrap)
    write_report(folder, report, chosen, runs)
    output = Console()
    print_report(report, output if output.is_terminal else Console(width=_REPORT_WIDTH))
    typer.echo(f"catalog: {read_report.summary().splitlines()[0]}")
    typer.echo(f"sessions: {len(chosen)} played, {skipped} skipped")
    typer.echo(f"written: {folder / REPORT_FILE}, {folder / SESSIONS_FILE}")


@app.command("generate")
def generate_command(
    out: Annotated[Path, typer.Option(help="The catalog file to write.")],
    products: Annotated[int, typer.Option(min=1, help="Number of products.")] = defaults.PRODUCTS,
    seed: Annotated[int, typer.Option(help="Seed of the generator.")] = defaults.SEED,
) -> None:
    """Write a generated catalog."""
    defaults.make_catalog(out, products, seed)
    typer.echo(f"written: {out}, {products} products, seed {seed}")


@app.command("plugin")
def plugin_command(
    kit: Annotated[Path, typer.Option(help="The kit's folder.")],
    force: Annotated[bool, typer.Option(help="Replace a starter/agent.py of other origin.")] = False,
) -> None:
    """Write starter/agent.py into an evaluator's kit."""
    typer.echo(f"written: {write_plugin(kit, force=force)}")


class Stopwatch:
    """Seconds from lap to lap, by name."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Note the seconds since the last lap as ``name``."""
        now = time.perf_counter()
        self.laps[name] = now - self._last
        self._last = now


def _default_catalog(products: int, seed: int, console: Console) -> Path:
    path = defaults.generated_catalog_path(products, seed)
    if not path.exists():
        console.print(
            f"First run: generating a catalog of {products} products (seed {seed}), kept as "
            f"{escape(str(path))} ...",
            highlight=False,
            soft_wrap=True,
        )
        defaults.make_catalog(path, products, seed)
    return path


def _sessions(
    products: Sequence[Product],
    path: Path | None,
    skip_missing: bool,
    samples: int | None,
    seed: int,
    distribution: Distribution,
) -> tuple[list[Session], int]:
    """Return the sessions to play and the number of those skipped."""
    if path is None:
        return draw_sessions(products, samples or defaults.SAMPLES, seed, distribution), 0
    listed = read_sessions(path)[:samples]
    kept = with_known_targets(listed, {product.parent_asin for product in products}, skip=skip_missing)
    return kept, len(listed) - len(kept)


if __name__ == "__main__":
    app()
