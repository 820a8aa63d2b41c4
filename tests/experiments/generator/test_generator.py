"""The generated catalog: deterministic, in the kit's form, of any size."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import orjson
import pytest

from experiments.benchmark.statistics import compare, measure
from experiments.generator import generate_products, write_catalog, write_products
from index.readers import read_products

ROOT = Path(__file__).parents[3]
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


def test_blocks_made_on_several_cores_are_the_products_in_their_order(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.generator.catalog.joblib.cpu_count", lambda: 2)
    write_catalog(tmp_path / "catalog.jsonl", 4500, 7)
    write_products(tmp_path / "in-turn.jsonl", generate_products(4500, 7))
    assert (tmp_path / "catalog.jsonl").read_bytes() == (tmp_path / "in-turn.jsonl").read_bytes()


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


REAL_LINES = 508
SIGNS = {
    r"^.{181}": 98,
    ":": 136,
    "; ": 19,
    r"[\[(【]": 37,
    r"[\"“”]": 23,
    r"[^\x00-\x7f]": 49,
    r"[\u3040-\u9fff\uac00-\ud7af]": 1,
    r"\d(?:-inch|\"| ?inch)": 20,
    r"red\b": 12,
    "fit": 38,
    "^Imported$": 27,
    "^Machine [Ww]ash$": 21,
}
"""In how many of the feature lines of 67 real listings, 508 in all, each sign was counted."""


def test_signs_of_real_text_occur_about_as_often():
    lines = [line for product in generate_products(3000, 2) for line in product.features]
    for sign, count in SIGNS.items():
        share = sum(bool(re.search(sign, line)) for line in lines) / len(lines)
        assert 1 / 3 < share / (count / REAL_LINES) < 3, sign
    # Too rare there (two lines at most) to compare rates: seldom, but there.
    for sign in ("&amp;", "benefit", "covered", r"\d-inch"):
        assert 0 < sum(bool(re.search(sign, line)) for line in lines) / len(lines) < 0.03, sign


def test_brands_have_families_of_near_duplicates():
    products = list(generate_products(3000, 2))
    stores = Counter(product.store for product in products)
    assert sum(stores[product.store] > 1 for product in products) > 0.8 * len(products)
    designs = Counter((product.store, *product.title.split()[:4]) for product in products)
    alike = [design for design, count in designs.items() if count > 1]
    assert sum(designs[design] for design in alike) > 0.2 * len(products)
    titles = Counter(product.title for product in products)
    assert sum(count for count in titles.values() if count > 1) < 0.1 * len(products)


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
