"""The stored index: a folder of memory-mapped arrays with a manifest, written whole or not at all.

A frozen dataclass is stored by its fields, each in a file of the field's dotted name: an array as ``.npy``, a
column of texts as an Arrow file, another frozen dataclass by its own fields, anything else as MessagePack. A
field is left out if it is not an argument of its class, or says so with the metadata :data:`NOT_STORED`. A
new part is stored by being declared.
"""

from __future__ import annotations

import errno
import hashlib
import shutil
import time
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_type_hints
from uuid import uuid4

import msgspec
import numpy as np
import pyarrow as pa

SCHEMA = 1
"""Version of the layout of the folder and its manifest."""
MANIFEST = "manifest.json"
NOT_STORED: Mapping[str, bool] = {"stored": False}

_FORMAT: Literal["shopping-planner index"] = "shopping-planner index"
_SUFFIXES = (".npy", ".arrow", ".msgpack")
_BUILDING = ".building-"
_RETIRED = ".retired-"
_ABANDONED_AFTER = 3600.0
"""Seconds after which a folder that was never finished is taken for that of a builder that was killed."""
_SETTLED_AFTER = 2_000_000_000
"""A file read less than so many nanoseconds after a change may change again and show the same time."""

T = TypeVar("T")


class StoreError(Exception):
    """A stored index that cannot be used.

    Attributes:
        kind: ``stale`` (of an older catalog or of other code), ``torn`` (incomplete or damaged), or
            ``foreign`` (of something else).
    """

    def __init__(self, kind: Literal["stale", "torn", "foreign"], reason: str) -> None:
        super().__init__(f"{kind} index: {reason}")
        self.kind = kind


class FileMark(msgspec.Struct, frozen=True, kw_only=True):
    """How a file is known again: by size and time of change, or else by its content.

    Attributes:
        size: bytes.
        mtime_ns: time of change, nanoseconds.
        inode: the file's number, 0 where it does not count.
        checksum: BLAKE2b of the content, 128 bits in hexadecimal digits.
        settled: whether size and time of change are enough to know it again.
    """

    size: int
    mtime_ns: int
    inode: int = 0
    checksum: str
    settled: bool = True

    @classmethod
    def of(cls, path: Path, *, catalog: bool = False) -> FileMark:
        """Return the mark of a file of the index, or of a ``catalog``, which others may write to.

        Raises:
            OSError: the file cannot be read.
        """
        now = time.time_ns()
        before = path.stat()
        checksum = _checksum(path)
        return cls(
            size=before.st_size,
            mtime_ns=before.st_mtime_ns,
            inode=before.st_ino if catalog else 0,
            checksum=checksum,
            settled=not catalog or now - before.st_mtime_ns > _SETTLED_AFTER,
        )

    def fits(self, path: Path) -> bool:
        """Return whether the file at ``path`` is the one marked.

        Raises:
            OSError: the file cannot be read.
        """
        found = path.stat()
        if found.st_size != self.size:
            return False
        same_inode = self.inode in (0, found.st_ino)
        if self.settled and found.st_mtime_ns == self.mtime_ns and same_inode:
            return True
        return _checksum(path) == self.checksum


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """What an index is made from.

    Attributes:
        path: the catalog file.
        settings: checksum of what the file is read by (the field maps).
        mark: the file's mark.
    """

    path: str
    settings: str
    mark: FileMark


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a stored index consists of.

    Attributes:
        format: always the same.
        version: checksum of the layout, of the code that indexes, and of the libraries it rests on.
        origin: the catalog file, ``None`` for an index that was made from records.
        files: the mark of each file of the folder by name.
    """

    format: Literal["shopping-planner index"]
    version: str
    origin: Origin | None
    files: dict[str, FileMark]


@cache
def code_version() -> str:
    """Return a checksum of all that the content of an index depends on, its catalog and settings aside."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{SCHEMA} {unicodedata.unidata_version}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def write(folder: Path, value: object, origin: Origin | None = None) -> None:
    """Store a frozen dataclass as the folder ``folder``; one that stands there is replaced.

    The files are written beside it and the folder is renamed, so that others see a whole index or none. Of
    several writers at once the last one's stays.

    Raises:
        OSError: the place cannot be written to, or what stands there is no index.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder.parent)
    building = folder.parent / f"{_BUILDING}{uuid4().hex}"
    building.mkdir()
    try:
        files = {}
        for name, leaf in leaves(value, ""):
            path = _write_leaf(building / name, leaf)
            files[path.name] = FileMark.of(path)
        manifest = Manifest(format=_FORMAT, version=code_version(), origin=origin, files=files)
        (building / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
        _replace(folder, building)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def read(folder: Path, cls: type[T], path: Path | None = None, settings: str = "") -> T:
    """Return the index of class ``cls`` stored in ``folder``; its arrays are mapped and cannot be written.

    Args:
        folder: the index.
        cls: a frozen dataclass.
        path: the catalog file that it must have been made from; ``None`` takes it as it is.
        settings: what that file is read by, as in :class:`Origin`.

    Raises:
        FileNotFoundError: there is no such folder.
        StoreError: the index cannot be used, for the reason that the message names.
        OSError: the catalog file or the index cannot be read.
    """
    while True:
        before = _state(folder)
        try:
            loaded = _read(folder, cls, path, settings)
        except (StoreError, FileNotFoundError):
            if _state(folder) == before:
                raise
        else:
            if _state(folder) == before:
                return loaded
        # Another index was put in its place meanwhile.


def _state(folder: Path) -> tuple[int, int] | None:
    """Return what tells the index that stands in ``folder`` from one that is put in its place."""
    try:
        state = (folder / MANIFEST).stat()
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns


def _read(folder: Path, cls: type[T], path: Path | None, settings: str) -> T:
    manifest = _manifest(folder)
    if path is not None:
        _check_origin(manifest.origin, path, settings)
    for name, mark in manifest.files.items():
        try:
            whole = mark.fits(folder / name)
        except FileNotFoundError:
            whole = False
        if not whole:
            raise StoreError("torn", f"{name} is not as it was written")
    loaded: T = _restored(cls, folder, "", frozenset(manifest.files))
    return loaded


def _manifest(folder: Path) -> Manifest:
    if not folder.is_dir():
        raise FileNotFoundError(folder)
    try:
        content = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        raise StoreError("torn", f"it has no {MANIFEST}") from None
    try:
        head = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StoreError("torn", f"{MANIFEST}: {error}") from None
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise StoreError("foreign", f"{MANIFEST} is that of something else")
    if head.get("version") != code_version():
        raise StoreError("stale", "it was made by another version of the code")
    try:
        return msgspec.convert(head, Manifest)
    except msgspec.ValidationError as error:
        raise StoreError("torn", f"{MANIFEST}: {error}") from None


def _check_origin(origin: Origin | None, path: Path, settings: str) -> None:
    if origin is None or origin.path != str(path):
        raise StoreError("foreign", "it was made from another catalog")
    if origin.settings != settings:
        raise StoreError("stale", "the field maps have changed")
    if not origin.mark.fits(path):
        raise StoreError("stale", "the catalog has changed")


def leaves(value: object, name: str = "") -> Iterator[tuple[str, object]]:
    """Yield what is stored of a frozen dataclass: dotted field name, and array, texts or other value."""
    if _by_fields(type(value)):
        for part in _stored(type(value)):
            yield from leaves(getattr(value, part.name), f"{name}.{part.name}" if name else part.name)
    else:
        yield name, value


def checksum(value: object) -> str:
    """Return a checksum of what is stored of a frozen dataclass: the same before and after it is stored."""
    digest = hashlib.blake2b(digest_size=16)
    for name, leaf in leaves(value):
        digest.update(f"{name}\0".encode())
        if isinstance(leaf, np.ndarray):
            digest.update(f"{leaf.dtype} {leaf.shape}\0".encode())
            digest.update(np.ascontiguousarray(leaf).data)
        elif isinstance(leaf, pa.LargeStringArray):
            _, ends, texts = leaf.buffers()
            places = np.frombuffer(ends, dtype=np.int64)[leaf.offset : leaf.offset + len(leaf) + 1]
            digest.update((places - places[0]).data)
            digest.update(memoryview(texts or b"")[places[0] : places[-1]])
        else:
            digest.update(msgspec.msgpack.encode(leaf))
    return digest.hexdigest()


def _by_fields(cls: type) -> bool:
    return is_dataclass(cls) and bool(cls.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def _stored(cls: type) -> list[Field[Any]]:
    return [part for part in fields(cls) if part.init and part.metadata.get("stored", True)]


def _write_leaf(path: Path, leaf: object) -> Path:
    """Write one value to the file named ``path`` and a suffix, which is returned."""
    if isinstance(leaf, np.ndarray):
        path = path.with_name(path.name + ".npy")
        np.save(path, leaf, allow_pickle=False)
    elif isinstance(leaf, pa.LargeStringArray):
        path = path.with_name(path.name + ".arrow")
        batch = pa.record_batch([leaf], names=["text"])
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
            writer.write_batch(batch)
    else:
        path = path.with_name(path.name + ".msgpack")
        path.write_bytes(msgspec.msgpack.encode(leaf))
    return path


def _restored(cls: type[Any], folder: Path, name: str, files: frozenset[str]) -> Any:
    types = get_type_hints(cls)
    parts = {}
    for part in _stored(cls):
        full = f"{name}.{part.name}" if name else part.name
        if _by_fields(types[part.name]):
            parts[part.name] = _restored(types[part.name], folder, full, files)
        else:
            parts[part.name] = _read_leaf(folder, full, types[part.name], files)
    return cls(**parts)


def _read_leaf(folder: Path, name: str, kind: Any, files: frozenset[str]) -> Any:
    file = next((name + suffix for suffix in _SUFFIXES if name + suffix in files), None)
    if file is None:
        raise StoreError("torn", f"it has no {name}")
    path = folder / file
    try:
        if path.suffix == ".npy":
            # As a plain array: the library's class for mapped ones makes each access slower.
            return np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)
        if path.suffix == ".arrow":
            with pa.memory_map(str(path)) as mapped:
                return pa.ipc.open_file(mapped).get_batch(0).column(0)
        return msgspec.msgpack.decode(path.read_bytes(), type=kind)
    except (ValueError, pa.ArrowException, msgspec.MsgspecError) as error:
        raise StoreError("torn", f"{file}: {error}") from error


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _replace(folder: Path, new: Path) -> None:
    """Rename ``new`` to ``folder``; an index that stands there goes, also where others do the same."""
    while True:
        try:
            new.rename(folder)
            return
        except OSError:
            if not folder.is_dir():
                raise
        remove(folder)


def remove(folder: Path) -> None:
    """Remove a stored index at once for all who look for it; who has it open keeps it.

    Raises:
        OSError: it cannot be removed, or holds other files than an index.
    """
    retired = folder.parent / f"{_RETIRED}{uuid4().hex}"
    try:
        if not all(path.name == MANIFEST or path.suffix in _SUFFIXES for path in folder.iterdir()):
            raise FileExistsError(errno.EEXIST, "holds other files than an index", str(folder))
        folder.rename(retired)
    except FileNotFoundError:
        return  # another one was faster
    shutil.rmtree(retired, ignore_errors=True)


def _sweep(place: Path) -> None:
    """Remove what writers that were killed have left behind."""
    for path in (*place.glob(f"{_BUILDING}*"), *place.glob(f"{_RETIRED}*")):
        try:
            abandoned = time.time() - path.stat().st_mtime > _ABANDONED_AFTER
        except OSError:
            continue
        if abandoned:
            shutil.rmtree(path, ignore_errors=True)
