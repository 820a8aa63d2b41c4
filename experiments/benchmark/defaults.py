"""The generated catalog that a run uses where none is named: made once, then kept."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from experiments.generator import GENERATOR_VERSION, write_catalog

PRODUCTS = 50_000
SAMPLES = 200
"""Sessions that are drawn by default: as many as the public set has."""

FULL_SAMPLES = 1_000
"""Sessions that are drawn where all are asked for."""

ALL = sys.maxsize
"""A number of samples that stands for all: of a file every session, else :data:`FULL_SAMPLES`."""

SEED = 0

_ROOT = Path(__file__).resolve().parents[2]


def samples_to_draw(samples: int | None, default: int = SAMPLES) -> int:
    """Return how many sessions to draw where ``samples`` are asked for (``None``: no number is given)."""
    return FULL_SAMPLES if samples == ALL else samples or default


def cache_folder() -> Path:
    """Return the folder of generated catalogs: in the checkout, else in the working folder."""
    root = _ROOT if (_ROOT / "pyproject.toml").exists() else Path.cwd()
    return root / ".cache" / "catalogs"


def generated_catalog_path(products: int, seed: int) -> Path:
    """Return where this generator's catalog of this size and seed is kept."""
    return cache_folder() / f"generated-v{GENERATOR_VERSION}-{products}-{seed}.jsonl"


def make_catalog(path: Path, products: int, seed: int, console: Console | None = None) -> None:
    """Generate a catalog at ``path``, complete or not at all; folders are made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_catalog(path, products, seed, console)
