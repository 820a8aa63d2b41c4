"""Which characters of a message gave which evidence."""

import pytest

from planner.understanding.reader import MessageReader
from planner.understanding.reading import Token, tokens


def test_words_and_their_places():
    assert tokens("Hi!I'm  100%") == [
        Token("hi", 0, 2),
        Token("i", 3, 4),
        Token("m", 5, 6),
        Token("100", 8, 11),
    ]


def test_a_word_that_normalises_to_others_has_the_place_of_its_chunk():
    # the ligature and the entity are one character and one sign, but words of their own length
    assert tokens("a &amp;ﬁne tee") == [
        Token("a", 0, 1),
        Token("ﬁne".replace("ﬁ", "fi"), 7, 10),
        Token("tee", 11, 14),
    ]
    assert tokens("x &#120;&#121; z") == [Token("x", 0, 1), Token("xy", 2, 14), Token("z", 15, 16)]


@pytest.mark.parametrize("message", ["", "  ", "!?"])
def test_no_words(message):
    assert tokens(message) == []


def test_spans_are_places_in_the_message_as_it_was_written(catalog):
    reader = MessageReader(catalog)
    message = "For that,  what matters is: Made in  Italy; Soft to the touch."
    reading = reader.read(message, first=False, asked=7)
    assert [
        (message[span.start : span.end], span.label, span.value, span.item) for span in reading.spans
    ] == [
        ("Made in  Italy", "line", "Made in Italy", 0),
        ("Soft to the touch", "line", "Soft to the touch", 0),
    ]


def test_spans_of_an_opening(catalog):
    reader = MessageReader(catalog)
    message = "I'm looking for Accessories Scarves. A key requirement is: Made in Italy."
    reading = reader.read(message, first=True, asked=None)
    assert [(message[span.start : span.end], span.label, span.item) for span in reading.spans] == [
        ("Accessories Scarves", "category", 1),
        ("A key requirement is", "requirement", 0),
        ("Made in Italy", "line", 2),
    ]
