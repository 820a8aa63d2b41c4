"""``bench``: time and memory, beside plain implementations of the same work."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from experiments.benchmark import defaults
from experiments.benchmark.prepare import default_catalog
from experiments.commands.options import (
    CatalogOption,
    CatalogSeedOption,
    ProductsOption,
    samples_option,
)
from experiments.reports.report import write_json
from experiments.reports.tables import report_console
from experiments.running.runs import folder_for
from experiments.studies.bench import draw_scale, machine, measure, measure_scale, print_rows

BENCH_FILE = "bench.json"
SCALE_FILE = "scale.json"
SCALE_FIGURE = "scale.svg"
_WIDTH = 130


def bench_command(
    catalog: CatalogOption = None,
    products: ProductsOption = None,
    repeat: Annotated[int, typer.Option(min=1, help="Runs of each part; the median counts.")] = 3,
    seed: CatalogSeedOption = defaults.SEED,
    samples: Annotated[int | None, samples_option(" for the time of a turn", defaults.SAMPLES)] = None,
    scale: Annotated[
        list[Path] | None,
        typer.Option(
            "--scale", help="Measure growth instead: a catalog file, once for each size; smaller ones first."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; by default under runs/.")] = None,
) -> None:
    """Measure time and memory of indexing, loading, turns and sessions."""
    started = datetime.now()
    console = Console(stderr=True)
    folder, sessions = folder_for(out, "bench"), defaults.samples_to_draw(samples)
    where = machine()
    head = {"started": started.isoformat(timespec="seconds"), "machine": where}
    output = report_console(_WIDTH)
    if scale:
        for path in scale:
            if not path.is_file():
                raise typer.BadParameter(f"no such catalog file: {path}", param_hint="--scale")
        found = measure_scale(scale, sessions, console)
        folder.mkdir(parents=True, exist_ok=True)
        exponents = draw_scale(found, folder / SCALE_FIGURE)
        write_json(folder / SCALE_FILE, {**head, "sizes": found, "exponents": exponents})
        for values in found:
            typer.echo(
                f"{values['products']:>9,} products: build {values['build_seconds']:.1f} s "
                f"({values['build_cpu']:.1f} s CPU), peak {values['peak_bytes'] / 1e6:,.0f} MB, "
                f"stored {values['stored_bytes'] / 1e6:,.0f} MB, load {values['load_seconds']:.2f} s, "
                f"turn {values['turn_median_ms']:.1f} ms"
            )
        typer.echo("exponents: " + ", ".join(f"{name} {value:.2f}" for name, value in exponents.items()))
        typer.echo(f"written: {folder / SCALE_FILE}, {folder / SCALE_FIGURE}")
        return
    path = catalog or default_catalog(products or defaults.PRODUCTS, seed, console)
    rows, runs = measure(path, repeat, sessions, console)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(
        folder / BENCH_FILE,
        {
            **head,
            "catalog": path.name,
            "rows": [{**asdict(row), "ratio": row.ratio} for row in rows],
            "runs": runs,
        },
    )
    count = int(runs["build"][0]["products"])
    print_rows(rows, f"{count:,} products; medians of {repeat} runs", output)
    typer.echo(
        f"{where['processor']}, {where['cores']} cores, load {where['load'][0]:.1f}; {where['system']}"
    )
    typer.echo(", ".join(f"{name} {version}" for name, version in where["versions"].items()))
    for name, ms in runs["turns"][0]["ms_by_stage"].items():
        typer.echo(f"  a turn's {name}: {ms:.2f} ms on average")
    for name, size in runs["load"][0]["parts"].items():
        typer.echo(f"  the index's {name}: {size / 1e6:.1f} MB")
    typer.echo(f"written: {folder / BENCH_FILE}")
