from __future__ import annotations

import numpy as np
import pytest

from index.attributes import VALUE_WORDS, value_bits
from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.products import Product


def test_each_value_word_has_a_bit_of_its_own() -> None:
    assert len(VALUE_WORDS) == len(set(VALUE_WORDS)) <= 64
    bits = [int(value_bits([word])) for word in VALUE_WORDS]
    assert bits == [1 << place for place in range(len(VALUE_WORDS))]
    assert int(value_bits(["wool", "hat", "navy", "wool"])) == int(value_bits(["wool"])) | int(
        value_bits(["navy"])
    )
    assert int(value_bits([])) == 0


CATALOG = Catalog.build(
    [
        Product("A", "Wool hat", features=("Soft", "Warm")),  # wool | Soft | Warm
        Product("B", "Wool cap", features=("Soft",), store="Navy Co"),  # wool | Soft
        Product("C", "Cap", features=("V-neck",), categories=("Denim",)),  # V-neck
    ]
)


@pytest.mark.parametrize(
    ("name", "coverage", "fragmentation"),
    [
        ("material", 2 / 3, 1 / 2),  # two answers, "wool" both times
        ("feature", 2 / 3, 2 / 3),  # "Soft" twice, "Warm" once
        ("style", 1 / 3, 1),
        ("other", 1, 4 / 6),  # all six answers, four of them distinct
        ("color", 0, 0),
        ("category", 0, 0),
    ],
)
def test_coverage_and_fragmentation_by_hand(name: str, coverage: float, fragmentation: float) -> None:
    code = ATTRIBUTES.index(name)
    assert CATALOG.attributes.coverage[code] == pytest.approx(coverage)
    assert CATALOG.attributes.fragmentation[code] == pytest.approx(fragmentation)


def test_coverage_counts_whole_words() -> None:
    index = Catalog.build([Product("A", features=("Fully covered benefit",))]).attributes
    assert {name for name, share in zip(ATTRIBUTES, index.coverage, strict=True) if share} == {
        "feature",
        "other",
    }


def test_values_are_looked_for_in_the_whole_text() -> None:
    expected = [["wool"], ["wool", "navy"], ["denim"]]
    assert CATALOG.attributes.values.dtype == np.uint64
    assert CATALOG.attributes.values.tolist() == [int(value_bits(words)) for words in expected]
