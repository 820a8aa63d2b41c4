"""``benchmark``: a catalog, its sessions, and a report that lays it beside the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source
from experiments.benchmark.statistics import compare, measure
from experiments.commands.options import (
    CatalogOption,
    DistributionsOption,
    FieldsOption,
    ProductsOption,
    SamplesOption,
)
from experiments.customers.sessions import (
    SPLITS,
    Distribution,
    SessionError,
    draw_by_weights,
    split_of,
    target_weights,
    write_sessions,
)
from experiments.generator import GENERATOR_VERSION, generate_products, write_products
from experiments.reports.benchmark_report import (
    build_benchmark_report,
    describe_sessions,
    print_benchmark,
    write_benchmark_report,
)
from experiments.reports.tables import report_console
from index.products import Product
from index.readers import read_products

CATALOG_FILE = "catalog.jsonl"


def benchmark_command(
    out: Annotated[Path, typer.Option(help="Folder to write to; made as needed.")] = Path("runs/benchmark"),
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    products: ProductsOption = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0, help="Seed of the generated catalog, and place of the sessions' seed in its split."
        ),
    ] = defaults.SEED,
    samples: SamplesOption = None,
    split: Annotated[
        list[str] | None,
        typer.Option(help=f"Split to draw sessions of ({', '.join(SPLITS)}; all); may be repeated."),
    ] = None,
    distribution: DistributionsOption = None,
) -> None:
    """Write a catalog with its sessions, and a report of its figures beside the published ones."""
    source = Source(catalog, fields, None, False, samples, seed, products, None)
    source.check()
    seeds = [_seed_in(name, seed) for name in split or SPLITS]
    drawn = distribution or list(Distribution)
    given = read_products(catalog, fields)[0] if catalog else None
    out.mkdir(parents=True, exist_ok=True)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with progress:
        rows = _generate(source, progress) if given is None else given
        if given is None:
            write_products(out / CATALOG_FILE, rows)
        stages = progress.add_task("Sessions and figures", total=len(drawn) + 1)
        sets: list[dict[str, Any]] = []
        for name in drawn:
            sets += _write_sets(out, rows, name, defaults.samples_to_draw(samples), seeds)
            progress.advance(stages)
        figures = list(compare(measure(rows)))
        progress.advance(stages)
    report = build_benchmark_report({"catalog": _made_from(source, len(rows))}, figures, sets)
    files = write_benchmark_report(out, report)
    print_benchmark(report, report_console())
    written = [out / CATALOG_FILE] if not catalog else []
    written += [out / part["file"] for part in sets]
    typer.echo(f"written: {', '.join(map(str, [*written, *files]))}")


def _seed_in(split: str, place: int) -> int:
    """Return the seed at ``place`` of ``split``.

    Raises:
        SessionError: there is no such split, or it has fewer seeds.
    """
    if split not in SPLITS:
        raise SessionError(f"--split is {split!r}, not one of {', '.join(SPLITS)}")
    seeds = SPLITS[split]
    if place >= len(seeds):
        raise SessionError(f"--seed is {place}; a split has {len(seeds)} seeds")
    return seeds[place]


def _generate(source: Source, progress: Progress) -> list[Product]:
    size = source.products or defaults.PRODUCTS
    return list(progress.track(generate_products(size, source.seed), total=size, description="Products"))


def _made_from(source: Source, products: int) -> dict[str, Any]:
    return {
        "source": source.catalog.name if source.catalog else "generated",
        "products": products,
        "seed": None if source.catalog else source.seed,
        "generator version": None if source.catalog else GENERATOR_VERSION,
    }


def _write_sets(
    folder: Path, products: Sequence[Product], distribution: Distribution, samples: int, seeds: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Write a file of sessions for each seed, and say what is in it."""
    by_id = {product.parent_asin: product for product in products}
    weights = target_weights(products, distribution)
    for seed in seeds:
        split = split_of(seed)
        file = f"sessions-{distribution}-{split}.jsonl"
        sessions = draw_by_weights(products, weights, samples, seed)
        write_sessions(folder / file, sessions)
        about = {"file": file, "distribution": distribution.value, "split": split, "seed": seed}
        yield {**about, **describe_sessions(sessions, by_id)}
