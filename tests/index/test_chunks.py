"""A chunk of products holds the words and lines that each product has by itself."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from index.cards import card_lines, category_words, search_text
from index.catalog import Catalog
from index.chunks import Chunk, LineChunk, WordChunk
from index.products import Product
from index.text import fingerprint, words

WORDS = ("Wool", "RED", "fit", "a", "Σ", "ﬁt", "™", "é", "\u0301", "\u0338", "=", "long " * 40)
SIGNS = (
    "&",
    "&amp",
    "&copy;",
    "&lt",
    "&#39",
    ";",
    "-",
    ".",
    ",",
    ":",
    "_",
    "  ",
    " ",
    "\t",
    "\n",
    "\x1c",
    "\xa0",
)
PIECE = st.sampled_from(WORDS) | st.sampled_from(SIGNS)
TEXT = st.lists(PIECE, max_size=6).map("".join)
PRODUCT = st.builds(
    Product,
    st.just("A"),
    title=TEXT,
    features=st.lists(TEXT, max_size=3).map(tuple),
    description=st.lists(TEXT, max_size=2).map(tuple),
    price=st.none() | st.sampled_from([5, 9.5]),
    categories=st.lists(TEXT, max_size=2).map(tuple),
    details=st.dictionaries(TEXT, TEXT | st.none() | st.just({"k": 1}), max_size=2),
    store=st.none() | TEXT,
)


def words_by_text(chunk: WordChunk) -> list[Counter[str]]:
    found: list[Counter[str]] = [Counter() for _ in chunk.lengths]
    for number, word in enumerate(chunk.vocabulary.to_pylist()):
        run = slice(chunk.postings.starts[number], chunk.postings.starts[number + 1])
        for row, count in zip(chunk.postings.values[run].tolist(), chunk.counts[run].tolist(), strict=True):
            found[row][word] = count
    return found


def keys_by_product(lines: LineChunk) -> list[list[str]]:
    texts = lines.texts.to_pylist()
    return [
        [fingerprint(texts[place]) for place in lines.of_product[row]]
        for row in range(len(lines.of_product.starts) - 1)
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(PRODUCT, max_size=3))
@example([Product("A", features=("&hearts;", "ab&amp;", "Σ.", ".Σ", "=\u0338 -\u0338"), details={"ΑΣ": "b"})])
@example([Product("A", title="clothing"), Product("B", title="item", categories=("Clothing",), store="of")])
def test_words_and_lines_are_those_of_each_product(products: list[Product]) -> None:
    chunk = Chunk.of(products)
    texts = [
        words(f"{search_text(product)} {product.title} {category_words(product.categories)}")
        for product in products
    ]
    assert words_by_text(chunk.words) == [Counter(text) for text in texts]
    assert chunk.words.lengths.tolist() == [len(text) for text in texts]
    assert chunk.words.vocabulary.to_pylist() == list(dict.fromkeys(word for text in texts for word in text))
    assert keys_by_product(chunk.lines) == [
        [fingerprint(line) for line in card_lines(product)] for product in products
    ]
    vocabulary = chunk.lines.vocabulary.to_pylist()
    for number, line in enumerate(chunk.lines.texts.to_pylist()):
        assert [vocabulary[word] for word in chunk.lines.words[number]] == words(line)
    assert chunk.categories.to_pylist() == [category_words(product.categories) for product in products]


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_a_word_that_only_a_cut_line_has_is_no_word_of_the_catalog(batch: int) -> None:
    cut = "x" * 170 + " comfortable"  # said as "... comfortab"
    products = [
        Product("A", "Hat", (cut,)),
        Product("B", "Sock", ("is comfortab soft",)),
        Product("C", "Cap", (cut + "!",)),
    ]
    catalog = Catalog._of((Chunk.of(products[at : at + batch]) for at in range(0, 3, batch)), None)
    numbers = catalog.lexical.numbers
    assert set(numbers) >= {"comfortable", "comfortab", "soft"}
    (line,) = catalog.lines.find([cut])
    held = {word: catalog.line_words.postings[number].tolist() for word, number in numbers.items()}
    assert line in held["comfortab"]
    assert line not in held["comfortable"]
    assert held["is"] == []
    alone = Catalog.build(products[:1])
    assert "comfortab" not in alone.lexical.numbers
    assert alone.line_words.lengths[alone.lines.find([cut])].tolist() == [1]
