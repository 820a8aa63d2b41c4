"""Words of conversation, and words that mean the same (``configs/language/lexicon.toml``)."""

from __future__ import annotations

from collections.abc import Iterable

from index.cards import ATTRIBUTES
from index.text import FUNCTION_WORDS
from planner.config import load_language
from scoring.config import Settings


class _Lexicon(Settings, frozen=True, kw_only=True):
    talk: str
    synonyms: str
    audiences: str
    attributes: dict[str, str]


_LEXICON = load_language("lexicon", _Lexicon)

TALK = FUNCTION_WORDS | frozenset(_LEXICON.talk.split())
"""Words of conversation: they say nothing of a product unless they stand in a line that is quoted whole."""

AUDIENCES = frozenset(_LEXICON.audiences.split())
"""Words for those whom a product is for."""
ATTRIBUTE_NAMES = {
    name: ATTRIBUTES.index(attribute)
    for attribute, names in _LEXICON.attributes.items()
    for name in names.split()
}
"""By the word that people call it, the code of an attribute."""


def _grouped(lines: Iterable[str]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return for each phrase (its words) the single words that mean the same or stand in a like phrase."""
    groups = [[tuple(phrase.split()) for phrase in line.split(",")] for line in lines]
    meanings: dict[tuple[str, ...], dict[str, None]] = {}
    for group in groups:
        singles = [phrase[0] for phrase in group if len(phrase) == 1]
        for phrase in group:
            meanings.setdefault(phrase, {}).update(dict.fromkeys(singles))
    return {phrase: tuple(singles) for phrase, singles in meanings.items()}


SYNONYMS = _grouped(_LEXICON.synonyms.strip().splitlines())
"""By phrase, its words apart: the words that mean the same, or nearly so."""


def forms(word: str) -> tuple[str, ...]:
    """Return ``word`` and the forms that its plural or singular may have."""
    found = [word]
    if len(word) > 3:
        if word.endswith("ies"):
            found.append(word[:-3] + "y")
        elif word.endswith("ves"):
            found += [word[:-3] + "f", word[:-3] + "fe"]
        if word.endswith("es") and word[:-2].endswith(("s", "x", "z", "ch", "sh", "o")):
            found.append(word[:-2])
        if word.endswith("s") and not word.endswith("ss"):
            found.append(word[:-1])
    if not word.endswith("s") and len(word) > 2:
        found.append(word + "s")
        if word.endswith(("x", "z", "ch", "sh", "o")):
            found.append(word + "es")
        elif word.endswith("y") and word[-2] not in "aeiou":
            found.append(word[:-1] + "ies")
        elif word.endswith("f"):
            found.append(word[:-1] + "ves")
        elif word.endswith("fe"):
            found.append(word[:-2] + "ves")
    elif word.endswith(("ss", "us")):
        found.append(word + "es")
    return tuple(found)
