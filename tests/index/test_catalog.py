"""A whole catalog: its columns by hand, odd catalogs, and copies that give the same."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import joblib
import numpy as np
import pytest

from index.cards import category_words, intent_card
from index.catalog import MATRIX_COLUMNS, Catalog
from index.chunks import WordChunk
from index.lexical import LexicalIndex
from index.products import Product
from index.readers import CatalogError, read_products
from index.tokens import Tokens

REAL = Path(__file__).parents[2].parent / "shared" / "real"

PRODUCTS = (
    Product(
        "A", "Wool Hat", ("Soft", "Warm", "Light", "Long"), ("Nice.",), 9.0, ("Women", "Hats"), {}, 4.5, 99
    ),
    Product("B", "Hat", ("Soft",), price=None, categories=("Women", "Hats"), average_rating=None),
    Product("C", "Red Sock", price=0, categories=("Men", "Socks"), rating_number=7, average_rating=3.0),
    Product("D", "Blue Sock", ("Soft", "Warm"), price=19.99, categories=("Men", "Socks"), rating_number=1),
)


def columns(catalog: Catalog) -> dict[str, list[float]]:
    return dict(zip(MATRIX_COLUMNS, catalog.matrix.T.tolist(), strict=True))


def test_the_matrix_by_hand() -> None:
    catalog = Catalog.build(PRODUCTS)
    assert len(catalog) == 4
    assert catalog.matrix.dtype == np.float32
    found = columns(catalog)
    assert found["log_reviews"] == pytest.approx([np.log(100), 0, np.log(8), np.log(2)], rel=1e-6)
    assert found["has_price"] == [1, 0, 1, 1]
    assert found["log_price"] == pytest.approx([np.log(10), 0, 0, np.log(20.99)], rel=1e-6)
    assert found["rating"] == [4.5, 0, 3, 0]
    assert found["has_features"] == [1, 1, 0, 1]
    assert found["many_features"] == [1, 0, 0, 0]


def test_rows_are_places_in_the_catalog() -> None:
    catalog = Catalog.build(iter(PRODUCTS))
    assert catalog.ids.to_pylist() == ["A", "B", "C", "D"]
    assert catalog.titles.to_pylist() == [product.title for product in PRODUCTS]
    assert catalog.popular.tolist() == [0, 2, 3, 1]
    assert catalog.report is None
    for row, product in enumerate(PRODUCTS):
        card = [catalog.lines.text(line) for line in catalog.lines.cards[row] if line >= 0]
        assert card == list(intent_card(product).slots)


def test_title_and_category_count_twice() -> None:
    products = [
        Product("A", "Hat", ("Soft",), categories=("Women", "Hats"), store="Knitters"),
        Product("B", "Sock", description=("No hat.",), details={"Color": "Red"}),
    ]
    texts = ["hat hat soft women women hats hats knitters", "sock sock no hat color red clothing item"]
    tokens = Tokens.of(texts)
    expected = LexicalIndex.build(WordChunk.of(tokens.vocabulary, tokens.words))
    found = Catalog.build(products).lexical
    for word in ("hat", "hats", "women", "sock", "soft", "red", "knitters", "item"):
        assert found.scores(word).tolist() == expected.scores(word).tolist()
        assert found.scores(word).any()


def test_a_file_is_read_with_its_report(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"parent_asin": "A", "title": "Hat"}\n{}\n')
    catalog = Catalog.read(path)
    assert catalog.ids.to_pylist() == ["A"]
    assert catalog.report is not None
    assert (catalog.report.products, catalog.report.skipped) == (1, 1)


def test_no_product_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="no product"):
        Catalog.build([])
    (tmp_path / "c.jsonl").write_text("{}\n")
    with pytest.raises(CatalogError, match=r"c\.jsonl: no usable product"):
        Catalog.read(tmp_path / "c.jsonl")


def test_another_order_of_the_catalog_only_moves_the_rows() -> None:
    order = [2, 0, 3, 1]
    catalog, moved = Catalog.build(PRODUCTS), Catalog.build([PRODUCTS[row] for row in order])
    assert moved.ids.to_pylist() == [catalog.ids[row].as_py() for row in order]
    assert moved.popular.tolist() == [order.index(row) for row in catalog.popular]
    assert moved.lines.texts == catalog.lines.texts
    for name in ("hashes", "classes", "rarity"):
        np.testing.assert_array_equal(getattr(moved.lines, name), getattr(catalog.lines, name))
    np.testing.assert_array_equal(moved.lines.cards, catalog.lines.cards[order])
    np.testing.assert_array_equal(moved.matrix, catalog.matrix[order])
    np.testing.assert_array_equal(moved.attributes.values, catalog.attributes.values[order])
    np.testing.assert_array_equal(moved.attributes.coverage, catalog.attributes.coverage)
    np.testing.assert_array_equal(moved.attributes.fragmentation, catalog.attributes.fragmentation)
    np.testing.assert_allclose(moved.lexical.scores("red hat"), catalog.lexical.scores("red hat")[order])
    for line in range(len(catalog.lines)):
        assert [order[row] for row in moved.lines.postings[line]] == catalog.lines.postings[line].tolist()


@pytest.mark.parametrize("bare", [{"title": "Plain Thing"}, {}])
def test_products_that_say_almost_nothing(bare: dict[str, str]) -> None:
    catalog = Catalog.build([Product(str(number), **bare) for number in range(3)])
    title = bare.get("title", "")
    assert catalog.lines.texts.to_pylist() == [title]
    assert catalog.lines.cards.tolist() == [[0, -1, -1, -1]] * 3
    assert catalog.lines.rarity.tolist() == [0]
    assert catalog.lines.find([title]).tolist() == [0 if title else -1]
    assert catalog.categories.phrases == ("clothing item",)
    assert catalog.popular.tolist() == [0, 1, 2]
    assert not catalog.matrix.any()
    assert not catalog.attributes.values.any()
    assert len(catalog.lexical.top("plain", 5)[0]) == (3 if title else 0)


def test_other_scripts_are_found_like_latin() -> None:
    catalog = Catalog.build(
        [
            Product("A", "Тёплая шапка", ("Тёплая; мягкая",), categories=("Женщинам", "Шапки")),
            Product("B", "帽子", ("柔らかい",), categories=("女性", "帽子")),
            Product("C", "قبعة صوف", ("ناعم",)),
        ]
    )
    lines = catalog.lines.find(["ТЁПЛАЯ, мягкая!", "柔らかい", "ناعم", "мягкая"]).tolist()
    assert [catalog.lines.postings[line].tolist() for line in lines[:3]] == [[0], [1], [2]]
    assert lines[3] == -1
    assert catalog.categories.exact("женщинам шапки") == 0
    assert [catalog.lexical.top(word, 3)[0].tolist() for word in ("ШАПКА", "帽子", "صوف")] == [[0], [1], [2]]


def inputs(catalog: Catalog) -> Iterator[object]:
    """Yield what a belief is made from, as plain lists."""
    lines, categories, attributes = catalog.lines, catalog.categories, catalog.attributes
    yield [catalog.ids.to_pylist(), catalog.titles.to_pylist(), lines.texts.to_pylist(), categories.phrases]
    for array in (catalog.matrix, catalog.popular, categories.of_product):
        yield array.tolist()
    for array in (attributes.values, attributes.coverage, attributes.fragmentation):
        yield array.tolist()
    for array in (lines.hashes, lines.cards, lines.classes, lines.rarity):
        yield array.tolist()
    for postings in (lines.postings, lines.of_product, categories.postings):
        yield [postings.starts.tolist(), postings.values.tolist()]
    yield lines.find(["soft", "WARM", "unknown"]).tolist()
    for text in ("soft red hat", "women hat", ""):
        yield [catalog.lexical.scores(text).tolist(), catalog.lexical.top(text, 3)[0].tolist()]
        yield categories.similarity(text).tolist()


def test_a_pickled_catalog_gives_the_same() -> None:
    catalog = Catalog.build(PRODUCTS)
    assert list(inputs(pickle.loads(pickle.dumps(catalog)))) == list(inputs(catalog))


def test_a_memory_mapped_catalog_gives_the_same(tmp_path: Path) -> None:
    products = [replace(PRODUCTS[number % 4], parent_asin=str(number)) for number in range(200)]
    catalog = Catalog.build(products)
    joblib.dump(catalog, tmp_path / "catalog.joblib")
    loaded = joblib.load(tmp_path / "catalog.joblib", mmap_mode="r")
    assert isinstance(loaded.matrix, np.memmap)
    assert not loaded.lines.hashes.flags.writeable
    assert list(inputs(loaded)) == list(inputs(catalog))


@pytest.mark.parametrize("name", ["catalog.jsonl", "products.jsonl", "fashion_products.csv"])
def test_real_catalogs_say_what_their_products_say(name: str) -> None:
    if not REAL.is_dir():
        pytest.skip("real inputs absent: ../shared/real")
    products, _ = read_products(REAL / name)
    catalog = Catalog.build(products)
    lines = catalog.lines
    for row in range(0, len(products), 1 + len(products) // 200):
        card = intent_card(products[row])
        found = lines.find(card.slots)
        assert (found >= 0).all()
        assert list(dict.fromkeys(found.tolist())) == list(
            dict.fromkeys(line for line in lines.cards[row].tolist() if line >= 0)
        )
        assert all(row in lines.postings[line] for line in found)
        assert (
            catalog.categories.exact(category_words(products[row].categories))
            == (catalog.categories.of_product[row])
        )
    frequency = np.diff(lines.postings.starts)
    np.testing.assert_allclose(lines.rarity, np.log(len(products) / frequency), rtol=1e-5, atol=1e-6)
    assert (frequency > 0).all()
