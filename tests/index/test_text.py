"""Text normalisation, worked out by hand."""

from __future__ import annotations

import pytest
from bm25s.stopwords import STOPWORDS_EN_PLUS
from hypothesis import given
from hypothesis import strategies as st

from index.text import FINGERPRINT_LENGTH, FUNCTION_WORDS, NEGATORS, fingerprint, normalise, plain, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100%&nbsp;Cotton,  Soft", "100 cotton soft"),
        ("Women&#39;s &amp; Men&rsquo;s", "women s men s"),
        ("AT&T & Co", "at t co"),
        ("&lt;b&gt;Bold&lt;/b&gt;", "b bold b"),
        ("ﬁt Ｗｉｄｅ ½", "fit wide 1 2"),
        ("Shoe™ 5²", "shoetm 52"),
        ("snake_case—dash…end", "snake case dash end"),
        ("\tLine\none\r\n", "line one"),
        ("Crème Brûlée ÉTÉ", "crème brûlée été"),
        ("ЧЁРНАЯ Шапка, 帽子（赤）", "чёрная шапка 帽子 赤"),
        ("“quoted” – ‘single’", "quoted single"),
        ("a\u200bb\xa0c\u3000d", "a b c d"),
        ("\ud800lone", "lone"),
        ("★ ☆ -,.;", ""),
        ("", ""),
    ],
)
def test_texts_in_their_one_form(text: str, expected: str) -> None:
    assert normalise(text) == expected
    assert words(text) == expected.split()
    assert plain(text).split() == expected.split()


def test_a_fingerprint_is_the_first_120_normalised_characters() -> None:
    assert FINGERPRINT_LENGTH == 120
    assert fingerprint("A" * 119 + " b") == "a" * 119
    assert fingerprint("A" * 118 + "! b c") == "a" * 118 + " b"
    assert fingerprint("--- " * 40 + "x" * 130) == "x" * 120
    assert fingerprint("&amp; " * 40 + "Tail") == "tail"


SPACED = st.lists(st.text("aZ09éЖ帽", min_size=1, max_size=5), max_size=6)
SIGNS = st.text(" -_.,;:!?()[]/\\'\"’“”–…™\n\t\xa0", max_size=3).filter(lambda signs: "™" not in signs)


@given(st.text(max_size=40))
def test_normalisation_is_idempotent(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert fingerprint(fingerprint(text)) == fingerprint(text)
    assert once == " ".join(once.split())


@given(
    st.lists(st.sampled_from(["&amp;", "&nbsp;", "&", ";", "a", " ", "#39", "ﬁ", "İ", "_", "ß"]), max_size=9)
)
def test_normalisation_is_idempotent_on_entities_and_odd_letters(parts: list[str]) -> None:
    once = normalise("".join(parts))
    assert normalise(once) == once


@given(SPACED, st.data())
def test_case_punctuation_and_doubled_spaces_make_no_difference(
    parts: list[str], data: st.DataObject
) -> None:
    separators = [" " + data.draw(SIGNS) for _ in parts]
    changed = "".join(sign + part for sign, part in zip(separators, parts, strict=True)) + data.draw(SIGNS)
    assert normalise(changed) == normalise(" ".join(parts))
    assert normalise(changed.upper()) == normalise(changed.lower()) == normalise(changed)


def test_function_words_are_the_usual_ones_but_for_those_that_negate() -> None:
    usual = {word for word in STOPWORDS_EN_PLUS if words(word) == [word]}
    assert (usual - NEGATORS) | {"t"} == FUNCTION_WORDS
