"""Text normalisation: one function, used by the index and by every message alike."""

from __future__ import annotations

import html
import re
import unicodedata

FINGERPRINT_LENGTH = 120
"""Normalised characters that identify a spec line: a line said only in part still finds itself."""

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_BYTES = bytes(
    ord(chr(byte).lower() if chr(byte).isalnum() else " ") if byte < 128 else byte for byte in range(256)
)


def plain(text: str) -> str:
    """Return ``text`` with entities resolved, letters lowered, and spaces for all but letters and digits.

    Compatibility forms are folded (NFKC) first. Signs are taken from the encoded text, where they cost least.
    """
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).lower()
        for sign in set(_FOREIGN.findall(text)):
            if not sign.isalnum():
                text = text.replace(sign, " ")
    return text.encode().translate(_BYTES).decode()


def words(text: str) -> list[str]:
    """Return the words of ``text`` in order, in the one form in which texts are compared (:func:`plain`).

    ``"100%&nbsp;Cotton,  Soft"`` has the words ``100``, ``cotton`` and ``soft``.
    """
    return plain(text).split()


def normalise(text: str) -> str:
    """Return the words of ``text`` (:func:`words`), one space between them."""
    return " ".join(words(text))


def fingerprint(text: str) -> str:
    """Return the key of a spec line: its first 120 normalised characters (:data:`FINGERPRINT_LENGTH`)."""
    return normalise(text)[:FINGERPRINT_LENGTH].rstrip()
