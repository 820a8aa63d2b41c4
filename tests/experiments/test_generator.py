"""The generated catalog: deterministic, in the kit's form, of any size."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from experiments.generator import generate_products, write_catalog
from experiments.statistics import compare, measure
from index.readers import read_products

ROOT = Path(__file__).parents[2]
FIELDS = [
    "parent_asin",
    "title",
    "features",
    "description",
    "price",
    "categories",
    "details",
    "average_rating",
    "rating_number",
    "store",
]


def test_the_same_bytes_in_every_process(tmp_path):
    script = "import sys; from experiments.generator import write_catalog; write_catalog(sys.argv[1], 300, 7)"
    written = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.jsonl"
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", script, str(path)], check=True, env=environment, cwd=tmp_path)
        written.append(path.read_bytes())
    assert written[0] == written[1]
    other = tmp_path / "other.jsonl"
    write_catalog(other, 300, 8)
    assert other.read_bytes() != written[0]


@pytest.mark.parametrize("count", [10, 1000])
def test_every_product_is_read_back_as_it_was_made(tmp_path, count):
    products = list(generate_products(count, 1))
    assert len({product.parent_asin for product in products}) == count
    path = tmp_path / "catalog.jsonl"
    write_catalog(path, count, 1)
    read, report = read_products(path)
    assert [product.parent_asin for product in read] == [product.parent_asin for product in products]
    assert [product.features for product in read] == [product.features for product in products]
    assert report.skipped == 0


def test_every_line_is_in_the_form_of_the_kit(tmp_path):
    path = tmp_path / "catalog.jsonl"
    write_catalog(path, 1000, 5)
    rows = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert len(rows) == 1000
    for row in rows:
        assert list(row) == FIELDS
        assert isinstance(row["parent_asin"], str)
        assert len(row["parent_asin"]) == 10
        assert isinstance(row["title"], str)
        assert row["title"]
        for field in ("features", "description", "categories"):
            assert all(isinstance(text, str) and text.strip() and "{" not in text for text in row[field])
        assert row["categories"][0] == "Clothing, Shoes & Jewelry"
        assert row["price"] is None or 0 < row["price"] < 1000
        assert isinstance(row["details"], dict)
        assert 1.0 <= row["average_rating"] <= 5.0
        assert isinstance(row["rating_number"], int)
        assert row["store"] is None or row["store"]
    assert any(isinstance(value, dict) for row in rows for value in row["details"].values())


def test_real_oddities_occur():
    lines = [line for product in generate_products(3000, 2) for line in product.features]
    for odd in ("&amp;", "“", "【", "[", "; ", "tailored", "covered", "inspired", "outfit", "benefit"):
        assert any(odd in line for line in lines), odd
    assert any(len(line) > 180 for line in lines)
    assert any(not line.isascii() for line in lines)


def test_negative_sizes_are_refused():
    with pytest.raises(ValueError, match="negative"):
        next(generate_products(-1, 0))


def test_no_catalog_is_left_half_written(tmp_path):
    with pytest.raises(ValueError, match="negative"):
        write_catalog(tmp_path / "catalog.jsonl", 10, -1)
    assert not (tmp_path / "catalog.jsonl").exists()


def test_figures_are_near_the_reference():
    """Figures that do not depend on size; 10,000 products leave a sampling error that 50,000 do not have."""
    rows = list(compare(measure(generate_products(10_000, 3))))
    far = [row for row in rows if abs(row.measured - row.published) > 2 * row.tolerance]
    assert not far
    assert sum(row.ok for row in rows) >= 0.9 * len(rows)
