"""Lexical search against the formula of BM25 (Lucene's variant), word by word."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.chunks import WordChunk
from index.lexical import K1, B, LexicalIndex
from index.text import words
from index.tokens import Tokens

TEXTS = [
    "red wool hat hat",
    "red hat",
    "blue cotton socks for hiking",
    "Red & blue scarf, red fringe",
    "wool socks",
]


def build(texts: list[str], batch: int = 2) -> LexicalIndex:
    chunks = [Tokens.of(texts[start : start + batch]) for start in range(0, len(texts), batch)]
    return LexicalIndex.build(
        WordChunk.joined([WordChunk.of(tokens.vocabulary, tokens.words) for tokens in chunks])
    )


def brute_force(texts: list[str], query: str) -> list[float]:
    documents = [words(text) for text in texts]
    mean = sum(map(len, documents)) / len(documents)
    scores = [0.0] * len(documents)
    for word in set(words(query)):
        held = sum(word in document for document in documents)
        idf = math.log(1 + (len(documents) - held + 0.5) / (held + 0.5))
        for row, document in enumerate(documents):
            count = document.count(word)
            scores[row] += idf * count / (count + K1 * (1 - B + B * len(document) / mean))
    return scores


@pytest.fixture(name="index", scope="module")
def fixture_index() -> LexicalIndex:
    return build(TEXTS)


def test_one_score_by_hand() -> None:
    # One of two texts holds "red", once among 2 words, 2.5 on average: ln(1 + 1.5/1.5) / (1 + 1.5 * 0.85).
    assert build(["red hat", "blue hat hat"]).scores("red").tolist() == pytest.approx([0.304680, 0], rel=1e-5)


@pytest.mark.parametrize(
    "query", ["red", "red hat", "hat red hat", "blue wool socks for hiking", "fringe plaid", "HAT & socks!"]
)
def test_scores_are_those_of_the_formula(index: LexicalIndex, query: str) -> None:
    np.testing.assert_allclose(index.scores(query), brute_force(TEXTS, query), rtol=1e-5)


@given(
    texts=st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=9).map(" ".join), min_size=1),
    query=st.lists(st.sampled_from("abcdefg"), max_size=5).map(" ".join),
)
def test_scores_of_any_texts_are_those_of_the_formula(texts: list[str], query: str) -> None:
    np.testing.assert_allclose(build(texts).scores(query), brute_force(texts, query), rtol=1e-5, atol=1e-7)


@given(
    texts=st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=9).map(" ".join), min_size=1),
    query=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5, unique=True),
)
def test_scores_are_those_of_the_library_to_the_last_bit(texts: list[str], query: list[str]) -> None:
    library = bm25s.BM25()
    library.index([words(text) for text in texts], show_progress=False)
    assert (library.k1, library.b) == (K1, B)
    assert build(texts).scores(" ".join(query)).tolist() == library.get_scores(query).tolist()


def test_the_best_stand_first_and_ties_in_catalog_order() -> None:
    index = build(["blue hat", "red hat", "red cap", "red red red", "green cap"])
    rows, scores = index.top("red", 10)
    assert rows.tolist() == [3, 1, 2]
    assert scores.tolist() == index.scores("red")[rows].tolist()
    assert index.top("red", 2)[0].tolist() == [3, 1]
    assert index.top("cap", 1)[0].tolist() == [2]


@pytest.mark.parametrize("query", ["", "  ", "plaid", "★"])
def test_nothing_is_found_by_no_known_word(index: LexicalIndex, query: str) -> None:
    assert index.scores(query).tolist() == [0] * 5
    rows, scores = index.top(query, 3)
    assert (len(rows), len(scores)) == (0, 0)


def test_unknown_words_change_nothing(index: LexicalIndex) -> None:
    assert index.scores("plaid red").tolist() == index.scores("red").tolist()
    assert index.top("red", 0)[0].tolist() == []


def test_rows_of_a_word(index: LexicalIndex) -> None:
    assert index.rows("red").tolist() == [0, 1, 3]
    assert index.rows("socks").tolist() == [2, 4]
    assert index.rows("plaid").tolist() == []


@pytest.mark.parametrize("batch", [1, 2, 5])
def test_texts_without_a_word_in_any_chunks(batch: int) -> None:
    index = build(["red", "★", "", "hat red", "hat"], batch)
    assert index.vocabulary.to_pylist() == ["red", "hat"]
    assert index.lengths.tolist() == [1, 0, 0, 2, 1]
    assert index.rows("red").tolist() == [0, 3]
    assert index.rows("hat").tolist() == [3, 4]
    assert (index.scores("red hat") > 0).tolist() == [True, False, False, True, True]


def test_threads_find_what_one_finds(index: LexicalIndex) -> None:
    queries = [text for text in TEXTS for _ in range(20)]
    alone = [index.scores(query).tolist() for query in queries]
    with ThreadPoolExecutor(4) as pool:
        assert [scores.tolist() for scores in pool.map(index.scores, queries)] == alone
