"""What a message was understood to show, and which of its characters showed it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from index.text import FUNCTION_WORDS, words
from scoring.evidence import UNPROMPTED, Evidence, Word, WordsSaid

_PIECE = re.compile(r"&#?\w+;|[^\W_]+|\S")
_CHUNK = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a message in its normalised form; it stands in characters ``start`` to ``end``."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a message, and what they were taken for.

    Attributes:
        start: first character.
        end: one past the last character.
        label: what they are, such as ``category``, ``line``, ``words``, ``silence``.
        value: what they were resolved to, such as the text of a catalog line; empty where that is the span.
        item: the place in :attr:`Reading.evidence` of what they gave; ``None`` where they gave nothing.
        strength: how sure the reading is, in [0, 1].
    """

    start: int
    end: int
    label: str
    value: str = ""
    item: int | None = None
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message shows, and the spans that show it, in order of their place in the message."""

    evidence: Evidence = ()
    spans: tuple[Span, ...] = ()


def plain_reading(text: str) -> Reading:
    """Return the words of ``text`` as they stand: what is left where nothing can be understood."""
    said = tuple(Word(word, (word,)) for word in dict.fromkeys(words(text)) if word not in FUNCTION_WORDS)
    return Reading((WordsSaid(UNPROMPTED, said),) if said else ())


def tokens(text: str) -> list[Token]:
    """Return the words of ``text`` (:func:`index.text.words`) with their places in it."""
    return [token for chunk in _CHUNK.finditer(text) for token in _tokens_of(chunk[0], chunk.start())]


def _tokens_of(chunk: str, offset: int) -> Iterator[Token]:
    """Yield the words of a text without spaces; each has the chunk's place where its own is not plain."""
    whole = words(chunk)
    found = [
        Token(word, offset + piece.start(), offset + piece.end())
        for piece in _PIECE.finditer(chunk)
        for word in words(piece[0])
    ]
    if [token.word for token in found] == whole:
        yield from found
    else:
        yield from (Token(word, offset, offset + len(chunk)) for word in whole)
