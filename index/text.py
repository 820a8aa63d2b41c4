"""Text normalisation: one function, used by the index and by every message alike."""

from __future__ import annotations

import html
import re
import unicodedata

FINGERPRINT_LENGTH = 120
"""Normalised characters that identify a spec line: a line said only in part still finds itself."""

_NOT_WORD = re.compile(r"[\W_]+")


def normalise(text: str) -> str:
    """Return ``text`` in the one form in which texts are compared.

    HTML entities are resolved, compatibility forms are folded (NFKC), letters lowered, and every run of
    anything but letters and digits becomes one space. ``"100%&nbsp;Cotton,  Soft"`` is ``"100 cotton soft"``.
    """
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _NOT_WORD.sub(" ", text.lower()).strip()


def fingerprint(text: str) -> str:
    """Return the key of a spec line: its first 120 normalised characters (:data:`FINGERPRINT_LENGTH`)."""
    return normalise(text)[:FINGERPRINT_LENGTH].rstrip()


def words(text: str) -> list[str]:
    """Return the normalised words of ``text`` in order."""
    return normalise(text).split()
