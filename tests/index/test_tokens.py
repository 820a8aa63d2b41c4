"""The words of many texts at once are the words of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.text import fingerprint, words
from index.tokens import TextTable, Tokens, joined_vocabulary

ODD = st.text(
    st.sampled_from("aB9 é帽ΣİﬁK™’…\u0301\xa0\u3000\x1c\n_&;-.,$#\ud800") | st.characters(), max_size=30
)
LONG = st.text("ab é’&", min_size=110, max_size=140)


def words_of(tokens: Tokens) -> list[list[str]]:
    vocabulary = tokens.vocabulary.to_pylist()
    return [
        [vocabulary[number] for number in tokens.words[row]] for row in range(len(tokens.words.starts) - 1)
    ]


@given(st.lists(ODD | LONG, max_size=5))
def test_words_and_keys_are_those_of_each_text(texts: list[str]) -> None:
    tokens = Tokens.of(texts)
    assert words_of(tokens) == [words(text) for text in texts]
    assert tokens.plain.to_pylist() == ["".join(f"{word} " for word in words(text)) for text in texts]
    assert tokens.fingerprints().to_pylist() == [fingerprint(text) for text in texts]
    assert tokens.vocabulary.to_pylist() == list(
        dict.fromkeys(word for text in texts for word in words(text))
    )


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("Soft & warm, 5% off", False),
        ("Women’s Größe – 帽子", False),
        ("AT&T", False),
        ("AT&amp;T", True),
        ("5²", True),
        ("a\xa0b", True),
        ("snake_case", True),
        ("", False),
    ],
)
def test_a_text_is_odd_where_a_pattern_may_find_other_words(text: str, odd: bool) -> None:
    assert Tokens.of([text]).odd.tolist() == [odd]


@given(st.lists(ODD, max_size=4), st.lists(ODD, max_size=4))
def test_texts_that_follow_and_texts_taken_out(texts: list[str], more: list[str]) -> None:
    together = Tokens.of(texts).followed_by(Tokens.of(more))
    whole = Tokens.of(texts + more)
    assert words_of(together) == words_of(whole)
    assert together.vocabulary.equals(whole.vocabulary)
    assert together.plain.equals(whole.plain)
    assert together.odd.tolist() == whole.odd.tolist()
    backwards = whole.take(np.arange(len(texts + more))[::-1])
    assert words_of(backwards) == words_of(whole)[::-1]
    assert backwards.plain.to_pylist() == whole.plain.to_pylist()[::-1]
    assert backwards.odd.tolist() == whole.odd.tolist()[::-1]


def test_a_table_numbers_each_text_once_and_goes_on() -> None:
    table = TextTable()
    assert [table.numbers[text] for text in ("Wool hat", "hat", "Wool hat")] == [0, 1, 0]
    assert words_of(table.tokens()) == [["wool", "hat"], ["hat"]]
    assert table.numbers["Red hat"] == 2
    assert words_of(table.tokens()) == [["wool", "hat"], ["hat"], ["red", "hat"]]
    assert table.tokens().vocabulary.to_pylist() == ["wool", "hat", "red"]
    assert table.tokens() is table.tokens()


def test_vocabularies_are_joined_by_first_use() -> None:
    parts = [Tokens.of(["b a"]).vocabulary, Tokens.of([]).vocabulary, Tokens.of(["c a"]).vocabulary]
    vocabulary, numbers = joined_vocabulary(parts)
    assert vocabulary.to_pylist() == ["b", "a", "c"]
    assert [part.tolist() for part in numbers] == [[0, 1], [], [2, 1]]
