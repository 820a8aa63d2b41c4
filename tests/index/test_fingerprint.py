"""The fingerprint index, worked out by hand on a few products."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.cards import ATTRIBUTES, clean_line, constraint_class
from index.chunks import LineChunk
from index.fingerprint import UNKNOWN, FingerprintIndex
from index.postings import Postings
from index.tokens import TextTable


def chunk(products: Sequence[list[str]]) -> LineChunk:
    table = TextTable()
    numbers = [table.numbers[line] for lines in products for line in lines]
    lengths = np.array([len(lines) for lines in products], dtype=np.int64)
    return LineChunk.of(table, Postings.from_lengths(lengths, np.array(numbers, dtype=np.int32)))


def build(*products: list[str], popularity: list[int] | None = None) -> FingerprintIndex:
    lines = LineChunk.joined([chunk(products[:2]), chunk(products[2:3]), chunk(products[3:])])
    return FingerprintIndex.build(lines, np.array(popularity or [0] * len(products), dtype=np.int64))


@pytest.fixture(name="index", scope="module")
def fixture_index() -> FingerprintIndex:
    return build(
        ["Soft", "Warm", "wool"],
        ["soft!", "Machine Wash"],
        ["SOFT", "wool", "Soft;", "Red", "Long"],
        ["Imported"],
        popularity=[10, 30, 20, 0],
    )


def test_each_distinct_line_has_one_id_and_its_text_as_first_met(index: FingerprintIndex) -> None:
    assert len(index) == 7
    assert index.hashes.tolist() == sorted(index.hashes.tolist())
    assert set(index.texts.to_pylist()) == {"Soft", "Warm", "wool", "Machine Wash", "Red", "Long", "Imported"}
    assert [index.text(line) for line in index.find(["SOFT", "Wool."])] == ["Soft", "wool"]


def test_lines_are_found_in_any_spelling_and_strange_ones_are_unknown(index: FingerprintIndex) -> None:
    soft, *others = index.find(["soft", " -SOFT- ", "&nbsp;Soft", "softer", "machine", "", "★"]).tolist()
    assert soft != UNKNOWN
    assert others == [soft, soft, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]
    assert index.find([]).tolist() == []
    assert index.find([text.as_py() for text in index.texts]).tolist() == list(range(7))


def test_rarity_is_the_logarithm_of_products_by_holders(index: FingerprintIndex) -> None:
    rarity = index.rarity[index.find(["soft", "wool", "imported"])]
    # 4 products; 3 say "soft" (one of them twice), 2 "wool", 1 "imported".
    np.testing.assert_allclose(rarity, [np.log(4 / 3), np.log(2), np.log(4)], rtol=1e-6)
    assert rarity.dtype == np.float32


def test_postings_hold_each_product_once_most_rated_first(index: FingerprintIndex) -> None:
    soft, wool, imported = index.find(["soft", "wool", "imported"])
    assert index.postings[soft].tolist() == [1, 2, 0]
    assert index.postings[wool].tolist() == [2, 0]
    assert index.postings[imported].tolist() == [3]


def test_equally_rated_products_stand_in_catalog_order() -> None:
    index = build(["a"], ["b"], ["a"], ["a"], popularity=[1, 1, 1, 2])
    assert index.postings[index.find(["a"])[0]].tolist() == [3, 0, 2]


def test_cards_are_the_first_four_lines_and_padded(index: FingerprintIndex) -> None:
    soft, warm, wool, wash, red, imported = index.find(
        ["soft", "warm", "wool", "machine wash", "red", "imported"]
    )
    assert index.cards.tolist() == [
        [soft, warm, wool, UNKNOWN],
        [soft, wash, UNKNOWN, UNKNOWN],
        [soft, wool, soft, red],
        [imported, UNKNOWN, UNKNOWN, UNKNOWN],
    ]
    (long,) = index.find(["long"])
    assert index.of_product[2].tolist() == [soft, wool, soft, red, long]


def test_a_line_cut_at_180_characters_is_found_by_its_whole_text() -> None:
    whole = "Ventilated panels along the back, " * 7
    cut = clean_line(whole)
    index = build([cut], ["Other"])
    (line,) = index.find([whole])
    assert len(cut) <= 180 < len(whole)
    assert index.text(line) == cut
    assert index.find([cut, whole[:150], whole[:90]]).tolist() == [line, line, UNKNOWN]


def test_classes_by_substrings_and_by_whole_words() -> None:
    texts = ["Covered heel", "Two colors", "Under $20", "understated", "Imported", "Outfits", "wide fit", ""]
    index = build(texts)
    names = [[ATTRIBUTES[code] for code in row[index.find(texts[:-1])]] for row in index.classes]
    assert names == [
        ["color", "color", "budget", "feature", "feature", "style", "size"],
        ["feature", "color", "budget", "feature", "feature", "feature", "size"],
    ]


WORDS = ("fit", "fits", "FIT", "red", "cove", "RED", "work", "net", "wool", "budget", "gym", "size", "s")
SIGNS = ("$", "<=", "under", "5", "٣", "é", "-", "_", "™", "K", "İ", "ſ", " ", "  ", "\xa0", "\u200b")


@given(st.lists(st.sampled_from(WORDS + SIGNS), min_size=1, max_size=6).map("".join))
def test_classes_are_those_of_the_single_texts(text: str) -> None:
    classes = build([text]).classes[:, 0]
    assert [ATTRIBUTES[code] for code in classes] == [
        constraint_class(text),
        constraint_class(text, whole_words=True),
    ]
