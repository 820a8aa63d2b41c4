"""``generate`` and ``plugin``: commands that write one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from experiments.benchmark import defaults
from experiments.commands.options import CatalogSeedOption, ProductsOption
from experiments.plugin import write_plugin


def generate_command(
    out: Annotated[Path, typer.Option(help="The catalog file to write.")],
    products: ProductsOption = None,
    seed: CatalogSeedOption = defaults.SEED,
) -> None:
    """Write a generated catalog."""
    size = products or defaults.PRODUCTS
    defaults.make_catalog(out, size, seed, Console(stderr=True))
    typer.echo(f"written: {out}, {size} products, seed {seed}")


def plugin_command(
    kit: Annotated[Path, typer.Option(help="The kit's folder.")],
    force: Annotated[bool, typer.Option(help="Replace a starter/agent.py of other origin.")] = False,
) -> None:
    """Write starter/agent.py into an evaluator's kit."""
    typer.echo(f"written: {write_plugin(kit, force=force)}")
