"""Text normalisation: one function, used by the index and by every message alike."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence

FINGERPRINT_LENGTH = 120
"""Normalised characters that identify a spec line: a line said only in part still finds itself."""

NEGATORS = frozenset({"no", "not", "non", "never", "without", "nor", "t"})
"""Words that turn the meaning of what follows; ``t`` is what is left of "don't" and its like."""
_FUNCTION_WORDS = """
a about above after again against ain all am an and any are aren as at be because been before being
below between both but by can couldn d did didn do does doesn doing don down during each few for
from further had hadn has hasn have haven having he her here hers herself him himself his how i if
in into is isn it its itself just ll m ma me mightn more most mustn my myself needn now o of off on
once only or other our ours ourselves out over own re s same shan she should shouldn so some such t
than that the their theirs them themselves then there these they this those through to too under
until up ve very was wasn we were weren what when where which while who whom why will with won
wouldn y you your yours yourself yourselves
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that say nothing of a product; as they stand in normalised text."""

BREAK = "\n"
"""What stands between texts that are joined in their plain form."""

_ASCII = bytes(range(128))
_BYTES = bytes(
    byte if byte > 127 or chr(byte) == BREAK else ord(chr(byte).lower() if chr(byte).isalnum() else " ")
    for byte in range(256)
)


def plain_texts(texts: Sequence[str]) -> list[str]:
    """Return each text :func:`folded`, with letters lowered, and spaces for all but letters and digits."""
    return joined_plain(list(map(folded, texts))).decode().split(BREAK) if texts else []


def folded(text: str) -> str:
    """Return ``text`` with entities resolved and compatibility forms folded (NFKC)."""
    if "&" in text:
        text = html.unescape(text)
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def joined_plain(texts: Sequence[str]) -> bytes:
    """Return folded texts in the form of :func:`plain_texts`, encoded, with a :data:`BREAK` between them.

    Signs are taken from all texts at once, where they cost least.
    """
    texts = list(texts)
    odd = [n for n, text in enumerate(texts) if not text.isascii() or BREAK in text]
    if odd:
        joined = BREAK.join([texts[n].lower().replace(BREAK, " ") for n in odd])
        foreign = joined.encode(errors="surrogatepass").translate(None, _ASCII)
        for sign in set(foreign.decode(errors="surrogatepass")):
            if not sign.isalnum():
                joined = joined.replace(sign, " ")
        for n, text in zip(odd, joined.split(BREAK), strict=True):
            texts[n] = text
    return BREAK.join(texts).encode().translate(_BYTES)


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
