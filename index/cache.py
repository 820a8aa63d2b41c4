"""Stored indexes of catalog files: found again, checked, made anew where they do not fit."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from index import store
from index.fieldmap import FieldMap, known_field_maps

CACHE_VARIABLE = "SHOPPING_PLANNER_CACHE"
"""Environment variable with the folder of stored indexes; empty, no index is stored."""
_VARIANTS_KEPT = 3
"""Stored indexes of one catalog file, each by other code or field maps; the one unused longest goes first."""

_log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class IndexOrigin:
    """Where an index came from.

    Attributes:
        folder: where it is stored; ``None`` for one that is in memory only.
        loaded: whether it was found there.
        notes: why a stored index was not used, or an index not stored; also logged as warnings.
    """

    folder: Path | None = None
    loaded: bool = False
    notes: tuple[str, ...] = ()


def default_cache() -> Path | None:
    """Return the folder of stored indexes, ``None`` for none.

    It is what :data:`CACHE_VARIABLE` names, else ``.cache/index`` in a checkout, else in the user's caches.
    """
    named = os.environ.get(CACHE_VARIABLE)
    if named is not None:
        return Path(named) if named else None
    root = Path(__file__).resolve().parents[1]
    if (root / "pyproject.toml").exists():
        return root / ".cache" / "index"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "shopping-planner"


def open_index(
    cls: type[T], path: str | Path, fields: FieldMap | None, place: Path, build: Callable[[], T]
) -> tuple[T, IndexOrigin]:
    """Return the index of a catalog file stored in the folder ``place``; made anew where none can be used.

    Args:
        cls: the index's class (see :mod:`index.store`).
        path: the catalog file.
        fields: the field map that it is read by; ``None`` for one of the known ones.
        place: the folder of stored indexes.
        build: makes the index.

    Raises:
        Exception: whatever ``build`` raises.
    """
    path = Path(path).resolve()
    settings = _settings(fields)
    catalog = f"{path.name}-{_digest(str(path))}"
    folder = place / f"{catalog}-{_digest(store.code_version() + settings)}"
    notes = []
    try:
        found = store.read(folder, cls, path, settings)
    except store.StoreError as error:
        notes.append(f"{folder}: {error}; it is made anew")
        _log.warning(notes[-1])
    except OSError:
        pass  # nothing is stored; or there is no catalog, and building says so
    else:
        with contextlib.suppress(
            OSError
        ):  # in a place that cannot be written to it need not be known as used
            os.utime(folder)
        return found, IndexOrigin(folder, loaded=True)
    try:
        mark = store.FileMark.of(path, catalog=True)
    except OSError:
        return build(), IndexOrigin(notes=tuple(notes))
    built = build()
    try:
        if not mark.fits(path):
            raise OSError(f"{path} has changed while it was read")
        store.write(folder, built, store.Origin(path=str(path), settings=settings, mark=mark))
        _forget_variants(place, catalog)
        return store.read(folder, cls), IndexOrigin(folder, notes=tuple(notes))
    except (OSError, store.StoreError) as error:
        notes.append(f"the index is kept in memory only: {error}")
        _log.warning(notes[-1])
        return built, IndexOrigin(notes=tuple(notes))


def _settings(fields: FieldMap | None) -> str:
    """Return a checksum of the field maps by which a file may be read."""
    maps = {"": fields} if fields else known_field_maps()
    return _digest(msgspec.json.encode(maps, order="deterministic").decode())


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=5).hexdigest()


def _forget_variants(place: Path, catalog: str) -> None:
    """Remove stored indexes of a catalog file beyond the :data:`_VARIANTS_KEPT` used last."""
    variants = sorted(place.glob(f"{glob.escape(catalog)}-*"), key=lambda path: path.stat().st_mtime)
    for folder in variants[:-_VARIANTS_KEPT]:
        store.remove(folder)
