"""Text normalisation: one function, used by the index and by every message alike."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence

from bm25s.stopwords import STOPWORDS_EN_PLUS

FINGERPRINT_LENGTH = 120
"""Normalised characters that identify a spec line: a line said only in part still finds itself."""

NEGATORS = frozenset({"no", "not", "non", "never", "without", "nor", "t"})
"""Words that turn the meaning of what follows; ``t`` is what is left of "don't" and its like."""
FUNCTION_WORDS = frozenset(STOPWORDS_EN_PLUS) - NEGATORS | {"t"}
"""Words that say nothing of a product; as they stand in normalised text."""

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_BREAK = "\n"
_BYTES = bytes(
    byte if byte > 127 or chr(byte) == _BREAK else ord(chr(byte).lower() if chr(byte).isalnum() else " ")
    for byte in range(256)
)


def plain_texts(texts: Sequence[str]) -> list[str]:
    """Return each text with entities resolved, letters lowered, and spaces for all but letters and digits.

    Compatibility forms are folded (NFKC) first. Signs are taken from all texts at once, joined and encoded,
    where they cost least.
    """
    joined = _BREAK.join(map(_folded, texts))
    if not joined.isascii():
        for sign in set(_FOREIGN.findall(joined)):
            if not sign.isalnum():
                joined = joined.replace(sign, " ")
    return joined.encode().translate(_BYTES).decode().split(_BREAK) if texts else []


def _folded(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).lower()
    return text.replace(_BREAK, " ")


def plain(text: str) -> str:
    """Return one text in the form of :func:`plain_texts`."""
    return plain_texts((text,))[0]


def words(text: str) -> list[str]:
    """Return the words of ``text`` in order, in the one form in which texts are compared (:func:`plain`).

    ``"100%&nbsp;Cotton,  Soft"`` has the words ``100``, ``cotton`` and ``soft``.
    """
    return plain(text).split()


def normalise(text: str) -> str:
    """Return the words of ``text`` (:func:`words`), one space between them."""
    return " ".join(words(text))


def fingerprints(texts: Sequence[str]) -> list[str]:
    """Return the keys of spec lines: their first 120 normalised characters (:data:`FINGERPRINT_LENGTH`)."""
    return [" ".join(text.split())[:FINGERPRINT_LENGTH].rstrip() for text in plain_texts(texts)]


def fingerprint(text: str) -> str:
    """Return the key of one spec line (:func:`fingerprints`)."""
    return fingerprints((text,))[0]
