"""A catalog digested in spans, by any number of processes, is the catalog read line by line."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa
import pytest

from index import store, workers
from index.catalog import Catalog
from index.readers import CatalogError, ReadReport, iter_products

LINES = [
    b"\xef\xbb\xbf" + orjson.dumps({"parent_asin": "A", "title": "Wool Hat", "features": ["Soft", "Warm"]}),
    b"",
    b"{broken",
    orjson.dumps({"parent_asin": "B", "title": "Sock", "features": ["soft!"], "rating_number": 9}),
    orjson.dumps({"parent_asin": "C", "price": "much", "details": {"Ünder": "5 €"}}),
    orjson.dumps({"parent_asin": "A", "title": "Again", "price": "much", "features": ["Never seen"]}),
    b'{"parent_asin": "\xff"}',
    orjson.dumps({"title": "No id"}),
    orjson.dumps({"parent_asin": "D", "title": "Schal", "features": ["Größe: 7", "Warm"]}),
    b"[1]\r",
    orjson.dumps({"parent_asin": "B"}),
    orjson.dumps({"parent_asin": "E", "title": "Red fit", "features": ["Soft"], "average_rating": 4.5}),
]


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    path = tmp_path / "c.jsonl"
    path.write_bytes(b"\n".join(LINES))
    return path


def digest(path: Path, helpers: int) -> Catalog:
    report = ReadReport()
    return Catalog._of(workers.digested(path, report, None, helpers), report)


def line_by_line(path: Path) -> Catalog:
    report = ReadReport()
    return Catalog.build(iter_products(path, report), report)


def assert_same(found: Catalog, expected: Catalog) -> None:
    for (name, one), (other_name, other) in zip(store.leaves(found), store.leaves(expected), strict=True):
        assert name == other_name
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other, name)
            assert one.dtype == other.dtype, name
        else:
            assert one.equals(other) if isinstance(one, pa.Array) else one == other, name


@pytest.mark.parametrize(("span", "helpers"), [(1, 0), (150, 0), (150, 2), (400, 0), (1 << 20, 0)])
def test_any_spans_and_helpers_give_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch, span: int, helpers: int
) -> None:
    monkeypatch.setattr(workers, "_SPAN", span)
    found = digest(path, helpers)
    assert_same(found, line_by_line(path))
    assert found.ids.to_pylist() == ["A", "B", "C", "D", "E"]
    assert found.report is not None
    assert (found.report.products, found.report.skipped, found.report.duplicates) == (5, 4, 2)
    assert [problem.line for problem in found.report.problems] == [3, 5, 6, 7, 8, 10, 11]


@pytest.mark.parametrize(
    ("helper", "executable"),
    [("raise SystemExit", None), ("print('no pickle', flush=True)", None), ("", "/nowhere/python")],
)
def test_helpers_that_fail_are_told_and_cost_nothing_but_time(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    helper: str,
    executable: str | None,
) -> None:
    monkeypatch.setattr(workers, "_SPAN", 150)
    monkeypatch.setattr(workers, "_HELPER", helper)
    if executable:
        monkeypatch.setattr("sys.executable", executable)
    with caplog.at_level(logging.WARNING):
        assert_same(digest(path, 2), line_by_line(path))
    assert "helper" in caplog.text


def test_a_file_without_a_product_says_so_as_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_SPAN", 10)
    path.write_bytes(b'{broken\n{"name": 1}\n')
    with pytest.raises(CatalogError, match=r"c\.jsonl: no usable product: no field map fits"):
        digest(path, 0)


def test_products_that_come_one_by_one_are_taken_in_chunks(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = line_by_line(path)
    monkeypatch.setattr(workers, "_CHUNK", 2)
    products = list(iter_products(path, ReadReport()))
    assert [len(chunk) for chunk in workers.in_chunks(products)] == [2, 2, 1]
    assert_same(Catalog.build(products, expected.report), expected)
