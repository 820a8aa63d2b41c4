"""The generated catalog that a run uses where none is named: made once, then kept."""

from __future__ import annotations

from pathlib import Path

from experiments.generator import GENERATOR_VERSION, write_catalog

PRODUCTS = 50_000
SAMPLES = 200
SEED = 0

_ROOT = Path(__file__).resolve().parents[1]


def cache_folder() -> Path:
    """Return the folder of generated catalogs: in the checkout, else in the working folder."""
    root = _ROOT if (_ROOT / "pyproject.toml").exists() else Path.cwd()
    return root / ".cache" / "catalogs"


def generated_catalog_path(products: int, seed: int) -> Path:
    """Return where this generator's catalog of this size and seed is kept."""
    return cache_folder() / f"generated-v{GENERATOR_VERSION}-{products}-{seed}.jsonl"


def make_catalog(path: Path, products: int, seed: int) -> None:
    """Generate a catalog at ``path``, complete or not at all; folders are made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_catalog(path, products, seed)
