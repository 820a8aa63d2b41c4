"""The generated catalog: deterministic, in the kit's form, of any size."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.generator import generate_products, write_catalog
from index.readers import read_products

ROOT = Path(__file__).parents[2]


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
