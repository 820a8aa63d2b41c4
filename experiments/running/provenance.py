"""What a result was made with: versions of packages, and the program's own text."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from platform import python_version

PACKAGES = ("shopping-planner", "numpy", "scipy", "numba", "rapidfuzz", "joblib", "orjson", "pyarrow")
"""The packages whose version could change a result."""

_OURS = ("index", "scoring", "rollouts", "planner", "configs", "experiments")
_TEXTS = (".py", ".toml", ".json")


def versions() -> dict[str, str]:
    """Return the version of Python and of each of ``PACKAGES``."""
    return {"python": python_version(), **{name: version(name) for name in PACKAGES}}


@cache
def program_digest() -> str:
    """Return a digest of the program's text: its modules, presets and tables."""
    digest = hashlib.blake2b(digest_size=16)
    for package in _OURS:
        folder = Path(str(import_module(package).__file__)).parent
        for path in sorted(folder.rglob("*")):
            if path.suffix in _TEXTS:
                digest.update(f"{package}/{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
