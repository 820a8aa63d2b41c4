"""The generated catalog that a run uses where none is named: made once, then kept."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import experiments.generator
from experiments.generator import write_catalog

PRODUCTS = 20_000
SAMPLES = 200
SEED = 0

_ROOT = Path(__file__).resolve().parents[1]


def cache_folder() -> Path:
    """Return the folder of generated catalogs: in the checkout, else in the working folder."""
    root = _ROOT if (_ROOT / "pyproject.toml").exists() else Path.cwd()
    return root / ".cache" / "catalogs"


def generated_catalog_path(products: int, seed: int) -> Path:
    """Return where the catalog of this size and seed is kept, by this version of the generator."""
    digest = hashlib.sha256()
    for source in sorted(Path(str(experiments.generator.__file__)).parent.rglob("*")):
        if source.is_file() and source.suffix != ".pyc":
            digest.update(source.read_bytes())
    return cache_folder() / f"generated-{products}-{seed}-{digest.hexdigest()[:8]}.jsonl"


def make_catalog(path: Path, products: int, seed: int) -> None:
    """Generate a catalog at ``path``, complete or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        write_catalog(partial, products, seed)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
