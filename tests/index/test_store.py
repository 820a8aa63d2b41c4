"""The stored index: what is written is found again, whole or not at all."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from index import cache, store
from index.catalog import Catalog
from index.readers import CatalogError
from index.store import StoreError

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Inner:
    numbers: NDArray[np.int32]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Outer:
    inner: Inner
    texts: pa.LargeStringArray
    empty: NDArray[np.float64]
    derived: int = field(init=False)
    note: str = field(default="fresh", metadata=store.NOT_STORED)

    def __post_init__(self) -> None:
        object.__setattr__(self, "derived", int(self.inner.numbers.sum()))


def outer() -> Outer:
    inner = Inner(np.array([[1, 2], [3, 4]], dtype=np.int32), ("a", "ü"))
    return Outer(inner, pa.array(["x", "", "素材"], type=pa.large_string()), np.empty((0, 3)), note="old")


def write_catalog(path: Path, count: int = 40, word: str = "Soft") -> Path:
    path.write_bytes(
        b"".join(
            orjson.dumps({"parent_asin": f"P{n}", "title": f"Hat {n}", "features": [f"{word} {n}"]}) + b"\n"
            for n in range(count)
        )
    )
    old = time.time() - 60
    os.utime(path, (old, old))
    return path


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    return write_catalog(tmp_path / "c.jsonl")


@pytest.fixture(name="place")
def fixture_place(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def stored_in(place: Path) -> Path:
    (folder,) = [path for path in place.iterdir() if not path.name.startswith(".")]
    return folder


def said(catalog: Catalog) -> list[object]:
    lines = catalog.lines
    return [
        catalog.ids.to_pylist(),
        lines.texts.to_pylist(),
        lines.cards.tolist(),
        catalog.matrix.tolist(),
        catalog.lexical.scores("soft hat 7").tolist(),
        catalog.categories.similarity("clothing").tolist(),
        catalog.report,
    ]


def test_a_dataclass_is_stored_by_its_declared_fields(tmp_path: Path) -> None:
    store.write(tmp_path / "s", outer())
    names = sorted(path.name for path in (tmp_path / "s").iterdir())
    assert names == [
        "empty.npy",
        "inner.names.msgpack",
        "inner.numbers.npy",
        "manifest.json",
        "texts.arrow",
    ]
    found = store.read(tmp_path / "s", Outer)
    assert found.inner.numbers.tolist() == [[1, 2], [3, 4]]
    assert found.inner.numbers.dtype == np.int32
    assert found.inner.names == ("a", "ü")
    assert found.texts.to_pylist() == ["x", "", "素材"]
    assert found.empty.shape == (0, 3)
    assert found.derived == 10
    assert found.note == "fresh"


def test_the_checksum_is_that_of_the_content(tmp_path: Path) -> None:
    store.write(tmp_path / "s", outer())
    assert store.checksum(store.read(tmp_path / "s", Outer)) == store.checksum(outer())
    texts = pa.array(["?", "x", "", "素材", "?"], type=pa.large_string())[1:4]
    assert store.checksum(replace(outer(), texts=texts)) == store.checksum(outer())
    changed = [
        replace(outer(), texts=pa.array(["x", "素", "材"], type=pa.large_string())),
        replace(outer(), empty=np.empty((0, 2))),
        replace(outer(), inner=Inner(np.array([[1, 2], [3, 5]], dtype=np.int32), ("a", "ü"))),
        replace(outer(), inner=Inner(outer().inner.numbers, ("a", "u"))),
    ]
    assert len({store.checksum(value) for value in (*changed, outer())}) == 5


def test_stored_arrays_are_mapped_and_cannot_be_written(tmp_path: Path) -> None:
    store.write(tmp_path / "s", outer())
    numbers = store.read(tmp_path / "s", Outer).inner.numbers
    assert type(numbers) is np.ndarray
    assert not numbers.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        numbers[0, 0] = 5


def test_the_manifest_says_what_the_index_is_of(path: Path, place: Path) -> None:
    Catalog.open(path, cache=place)
    manifest = orjson.loads((stored_in(place) / "manifest.json").read_bytes())
    assert manifest["version"] == store.code_version()
    assert manifest["origin"]["path"] == str(path)
    assert manifest["origin"]["mark"]["size"] == path.stat().st_size
    assert len(manifest["origin"]["mark"]["checksum"]) == 32
    files = {file.name for file in stored_in(place).iterdir()} - {"manifest.json"}
    assert set(manifest["files"]) == files
    assert all(len(mark["checksum"]) == 32 for mark in manifest["files"].values())


def test_a_catalog_is_indexed_once_and_then_found(path: Path, place: Path) -> None:
    built = Catalog.open(path, cache=place)
    assert built.origin == cache.IndexOrigin(stored_in(place), loaded=False)
    loaded = Catalog.open(path, cache=place)
    assert loaded.origin == cache.IndexOrigin(stored_in(place), loaded=True)
    assert said(loaded) == said(built) == said(Catalog.read(path))
    assert said(Catalog.load(stored_in(place))) == said(built)


def test_without_a_cache_nothing_is_written(path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(place))
    assert Catalog.open(path, cache=False).origin == cache.IndexOrigin()
    monkeypatch.setenv(cache.CACHE_VARIABLE, "")
    assert Catalog.open(path).origin == cache.IndexOrigin()
    assert not place.exists()


def test_the_place_is_configurable(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "named"))
    folder = Catalog.open(path).origin.folder
    assert folder is not None
    assert folder.parent == tmp_path / "named"
    monkeypatch.delenv(cache.CACHE_VARIABLE)
    assert cache.default_cache() == ROOT / ".cache" / "index"
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "site" / "index" / "cache.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.default_cache() == tmp_path / "xdg" / "shopping-planner"


def test_a_saved_catalog_is_loaded_whatever_it_was_made_from(path: Path, tmp_path: Path) -> None:
    catalog = Catalog.read(path)
    catalog.save(tmp_path / "saved")
    catalog.save(tmp_path / "saved")
    loaded = Catalog.load(tmp_path / "saved")
    assert said(loaded) == said(catalog)
    assert loaded.origin.folder == tmp_path / "saved"
    with pytest.raises(FileNotFoundError):
        Catalog.load(tmp_path / "nothing")


def change_catalog(folder: Path, path: Path) -> None:
    write_catalog(path, word="Warm")


def same_size_and_time(folder: Path, path: Path) -> None:
    """Another content under the same size and time: the file's number tells."""
    before = path.stat()
    other = write_catalog(path.with_name("other"), word="Warm")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def rewrite_manifest(**values: object) -> Callable[[Path, Path], None]:
    def rewrite(folder: Path, path: Path) -> None:
        manifest = orjson.loads((folder / "manifest.json").read_bytes())
        (folder / "manifest.json").write_bytes(orjson.dumps({**manifest, **values}))

    return rewrite


def remove_file(name: str) -> Callable[[Path, Path], None]:
    return lambda folder, path: (folder / name).unlink()


def cut_file(name: str) -> Callable[[Path, Path], None]:
    return lambda folder, path: os.truncate(folder / name, (folder / name).stat().st_size - 1)


def flip_byte(folder: Path, path: Path) -> None:
    content = bytearray((folder / "matrix.npy").read_bytes())
    content[-1] ^= 1
    (folder / "matrix.npy").write_bytes(content)


def empty_folder(folder: Path, path: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def of_another_catalog(folder: Path, path: Path) -> None:
    other = Catalog.open(write_catalog(path.with_name("d.jsonl"), 3), cache=path.with_name("other-cache"))
    shutil.rmtree(folder)
    assert other.origin.folder is not None
    shutil.copytree(other.origin.folder, folder)


@pytest.mark.parametrize(
    ("harm", "name"),
    [
        (change_catalog, "stale index: the catalog has changed"),
        (same_size_and_time, "stale index: the catalog has changed"),
        (rewrite_manifest(version="0" * 32), "stale index: it was made by another version of the code"),
        (rewrite_manifest(origin=None), "foreign index: it was made from another catalog"),
        (rewrite_manifest(format="spreadsheet"), "foreign index: manifest.json is that of something else"),
        (of_another_catalog, "foreign index: it was made from another catalog"),
        (rewrite_manifest(files=7), "torn index: manifest.json"),
        (rewrite_manifest(files={}), "torn index: it has no ids"),
        (empty_folder, "torn index: it has no manifest.json"),
        (remove_file("manifest.json"), "torn index: it has no manifest.json"),
        (remove_file("lines.hashes.npy"), "torn index: lines.hashes.npy is not as it was written"),
        (cut_file("manifest.json"), "torn index: manifest.json"),
        (cut_file("ids.arrow"), "torn index: ids.arrow is not as it was written"),
        (flip_byte, "torn index: matrix.npy is not as it was written"),
    ],
)
def test_an_index_that_does_not_fit_is_named_and_made_anew(
    path: Path, place: Path, caplog: pytest.LogCaptureFixture, harm: Callable[[Path, Path], None], name: str
) -> None:
    Catalog.open(path, cache=place)
    harm(stored_in(place), path)
    with caplog.at_level(logging.WARNING):
        found = Catalog.open(path, cache=place)
    assert not found.origin.loaded
    assert len(found.origin.notes) == 1
    assert f"{name}" in found.origin.notes[0]
    assert found.origin.notes[0] in caplog.text
    assert said(found) == said(Catalog.read(path))
    again = Catalog.open(path, cache=place)
    assert again.origin == cache.IndexOrigin(stored_in(place), loaded=True)
    assert said(again) == said(found)


def test_a_catalog_that_was_only_touched_or_copied_is_known_again(path: Path, place: Path) -> None:
    Catalog.open(path, cache=place)
    os.utime(path)
    assert Catalog.open(path, cache=place).origin.loaded
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)
    assert Catalog.open(path, cache=place).origin.loaded


def test_a_change_within_the_clock_s_tick_is_seen(path: Path, place: Path) -> None:
    os.utime(path)
    now = path.stat().st_mtime_ns
    Catalog.open(path, cache=place)
    content = path.read_bytes().replace(b"Soft", b"Warm")
    path.write_bytes(content)
    os.utime(path, ns=(now, now))
    assert Catalog.open(path, cache=place).lines.find(["Warm 1"]).tolist() != [-1]


def test_copied_index_files_are_checked_by_content(path: Path, place: Path) -> None:
    Catalog.open(path, cache=place)
    folder = stored_in(place)
    shutil.copytree(folder, place / "copy", copy_function=shutil.copyfile)
    shutil.rmtree(folder)
    (place / "copy").rename(folder)
    assert Catalog.open(path, cache=place).origin.loaded


def test_another_field_map_makes_another_index(path: Path, place: Path, tmp_path: Path) -> None:
    fields = tmp_path / "fields.toml"
    fields.write_text('parent_asin = "title"\n')
    assert Catalog.open(path, cache=place).ids[0].as_py() == "P0"
    assert Catalog.open(path, fields, cache=place).ids[0].as_py() == "Hat 0"
    assert Catalog.open(path, cache=place).origin.loaded


def test_the_variants_used_last_are_kept(
    path: Path, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = []
    for number in range(5):
        monkeypatch.setattr(store, "code_version", lambda number=number: str(number))
        used.append(Catalog.open(path, cache=place).origin.folder)
    assert sorted(place.iterdir()) == sorted(used[2:])


@pytest.mark.parametrize("kind", ["a file in its way", "no permission"])
def test_a_place_that_cannot_be_written_to_costs_the_index_nothing(
    path: Path, place: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    if kind == "no permission":

        def refused(self: Path, *args: object, **more: object) -> None:
            raise PermissionError(13, "Permission denied", str(self))

        monkeypatch.setattr(Path, "mkdir", refused)
    else:
        place.write_text("in the way")
    with caplog.at_level(logging.WARNING):
        found = Catalog.open(path, cache=place)
    assert found.origin.folder is None
    assert "kept in memory only" in found.origin.notes[0]
    assert found.origin.notes[0] in caplog.text
    assert said(found) == said(Catalog.read(path))


def test_a_stored_index_in_a_read_only_place_is_used(
    path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Catalog.open(path, cache=place)

    def refused(*args: object, **more: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "utime", refused)
    monkeypatch.setattr(Path, "mkdir", refused)
    assert Catalog.open(path, cache=place).origin == cache.IndexOrigin(stored_in(place), loaded=True)


def test_what_is_no_index_is_never_removed(path: Path, place: Path) -> None:
    Catalog.open(path, cache=place)
    folder = stored_in(place)
    (folder / "thesis.docx").write_text("the only copy")
    (folder / "manifest.json").unlink()
    found = Catalog.open(path, cache=place)
    assert "holds other files than an index" in found.origin.notes[1]
    assert (folder / "thesis.docx").read_text() == "the only copy"


def test_what_a_killed_builder_left_behind_is_swept_away(path: Path, place: Path) -> None:
    for name, age in ((".building-old", 7200), (".retired-old", 7200), (".building-new", 60)):
        (place / name).mkdir(parents=True)
        (place / name / "matrix.npy").write_bytes(b"x")
        then = time.time() - age
        os.utime(place / name, (then, then))
    Catalog.open(path, cache=place)
    assert [file.name for file in place.glob(".*")] == [".building-new"]


@pytest.mark.parametrize("content", [None, b"", b"{}\n"])
def test_a_catalog_that_cannot_be_used_is_an_error_as_ever(
    path: Path, place: Path, content: bytes | None
) -> None:
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CatalogError, match=r"c\.jsonl"):
        Catalog.open(path, cache=place)


def test_a_catalog_that_changes_while_it_is_read_is_not_stored(
    path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*args: object) -> Catalog:
        catalog = original(*args)  # type: ignore[arg-type]
        write_catalog(path, 41)
        return catalog

    original = Catalog.read
    monkeypatch.setattr(Catalog, "read", read)
    assert "has changed while it was read" in Catalog.open(path, cache=place).origin.notes[0]
    assert not place.exists()


def test_several_builders_at_once(path: Path, place: Path) -> None:
    expected = said(Catalog.read(path))
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: Catalog.open(path, cache=place), range(18)))
    assert all(said(catalog) == expected for catalog in found)
    assert Catalog.open(path, cache=place).origin.loaded
    assert [file.name for file in place.glob(".*")] == []


def test_writers_that_replace_each_other_while_others_read(path: Path, tmp_path: Path) -> None:
    catalogs = [Catalog.read(path), Catalog.read(write_catalog(tmp_path / "d.jsonl", 5))]
    expected = {len(catalog): said(catalog) for catalog in catalogs}
    folder = tmp_path / "shared"
    catalogs[0].save(folder)

    def write(number: int) -> None:
        for _ in range(5):
            catalogs[number % 2].save(folder)

    with ThreadPoolExecutor(2) as pool:
        writing = [pool.submit(write, number) for number in range(2)]
        while not all(future.done() for future in writing):
            try:
                found = Catalog.load(folder)
            except FileNotFoundError:
                continue  # between two renames
            assert said(found) == expected[len(found)]
        for future in writing:
            future.result()
    assert said(Catalog.load(folder)) in expected.values()


BUILDERS = """
import os, shutil, signal, sys, time
from pathlib import Path
from index.catalog import Catalog

path, root, before, stride = sys.argv[1:]

def build(place, start):
    pid = os.fork()
    if pid == 0:
        start()
        Catalog.open(path, cache=place)
        os._exit(0)
    return os.waitpid(pid, 0)[1]

def kill_at(step):
    def count(event, args):
        global left
        written = event == "open" and str(args[0]).startswith(root) and args[1] not in (None, "r", "rb")
        if written or event in ("os.mkdir", "os.rename", "os.rmdir", "os.remove", "shutil.rmtree"):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
    global left
    left = step
    sys.addaudithook(count)

def place_for(name):
    return Path(shutil.copytree(before, Path(root, name)))

step, start = 1, time.monotonic()
while build(place_for(f"step-{step}"), lambda: kill_at(step)):
    step += int(stride)
    start = time.monotonic()
whole = time.monotonic() - start
for tick in range(1, 9):
    # The alarm's default is to end the process wherever it is.
    build(place_for(f"time-{tick}"), lambda: signal.setitimer(signal.ITIMER_REAL, whole * tick / 8))
print(step)
"""


@pytest.mark.parametrize(("before", "stride"), [("nothing", 6), ("a stale index", 3)])
def test_a_builder_killed_at_any_point_leaves_a_whole_index_or_none(
    path: Path, tmp_path: Path, before: str, stride: int
) -> None:
    """A builder is killed at its first step of writing, another at a later one, and so on to the last."""
    expected = said(Catalog.read(path))
    root, at_first = tmp_path / "places", tmp_path / "at first"
    root.mkdir()
    at_first.mkdir()
    if before == "a stale index":
        write_catalog(path, 3)
        Catalog.open(path, cache=at_first)
        write_catalog(path)
    done = subprocess.run(
        [sys.executable, "-c", BUILDERS, str(path), str(root), str(at_first), str(stride)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) > 25  # a folder, its files, a renaming
    places = sorted(root.iterdir())
    assert len(places) == len(range(0, int(done.stdout), stride)) + 8
    states = set()
    for place in places:
        left = [folder for folder in place.iterdir() if folder.name[0] != "."]
        for folder in left:
            try:
                store.read(folder, Catalog, path, cache._settings(None))
            except StoreError as error:
                states.add(error.kind)
            else:
                states.add("whole")
        if not left:
            states.add("none")
        assert said(Catalog.open(path, cache=place)) == expected
        assert Catalog.open(path, cache=place).origin.loaded
    assert states == ({"none", "whole"} if before == "nothing" else {"none", "whole", "stale"})
