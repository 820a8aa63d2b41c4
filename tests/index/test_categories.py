from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.categories import CategoryIndex

NAMES = ["Women Rain Boots", "Men Rain Boots", "women  rain-boots", "Women Dresses", "clothing item"]


@pytest.fixture(name="index", scope="module")
def fixture_index() -> CategoryIndex:
    return CategoryIndex.build(pa.array(NAMES).dictionary_encode(), np.array([5, 1, 9, 0, 0]))


def test_phrases_are_numbered_by_first_use_and_lead_to_their_products(index: CategoryIndex) -> None:
    assert index.phrases == ("women rain boots", "men rain boots", "women dresses", "clothing item")
    assert index.of_product.tolist() == [0, 1, 0, 2, 3]
    assert [index.postings[number].tolist() for number in range(4)] == [[2, 0], [1], [3], [4]]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Women Rain Boots", 0),
        ("WOMEN rain-boots!", 0),
        ("Men Rain Boots", 1),
        ("Rain Boots", None),
        ("", None),
    ],
)
def test_exact(index: CategoryIndex, text: str, number: int | None) -> None:
    assert index.exact(text) == number


def test_the_phrase_itself_stands_alone(index: CategoryIndex) -> None:
    assert index.similarity("women rain-boots").tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(
    "text",
    [
        "boots rain women",
        "women rain boot",
        "womens rain boots",
        "women boots",
        "waterproof women rain boots",
    ],
)
def test_near_names_are_nearest_to_what_they_mean(index: CategoryIndex, text: str) -> None:
    similarity = index.similarity(text)
    assert similarity.argmax() == 0
    assert similarity[0] > 0.75
    assert similarity[0] - np.sort(similarity)[-2] > 0.02
    assert similarity[3] < 0.5


def test_another_order_of_the_words_is_the_same_name(index: CategoryIndex) -> None:
    assert index.similarity("boots women rain")[0] == pytest.approx(1)


def test_a_name_by_two_measures_worked_out_by_hand() -> None:
    # Sorted "boots women" and "boots rain women" share 11 of 11 + 16 characters: 2 * 11 / 27.
    # As sets the shorter is part of the longer: 1.
    index = CategoryIndex.build(
        pa.array(["Women Rain Boots"]).dictionary_encode(), np.zeros(1, dtype=np.int64)
    )
    assert index.similarity("women boots")[0] == pytest.approx((22 / 27 + 1) / 2, rel=1e-5)


def test_threads_find_what_one_finds(index: CategoryIndex) -> None:
    texts = [f"{name} {number}" for number in range(20) for name in NAMES]
    alone = [index.similarity(text).tolist() for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert [similarity.tolist() for similarity in pool.map(index.similarity, texts)] == alone


@given(st.text(max_size=30))
def test_similarity_is_a_share(text: str) -> None:
    index = CategoryIndex.build(pa.array(NAMES).dictionary_encode(), np.zeros(len(NAMES), dtype=np.int64))
    similarity = index.similarity(text)
    assert (similarity.shape, similarity.dtype) == ((4,), np.float32)
    assert ((similarity >= 0) & (similarity <= 1)).all()
