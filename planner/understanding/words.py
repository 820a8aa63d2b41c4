"""What the words of a message may stand for in the catalog: themselves, synonyms, what they misspell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from index.catalog import Catalog
from index.text import FUNCTION_WORDS, NEGATORS
from planner.understanding.lexicon import SYNONYMS, TALK, forms
from planner.understanding.reading import Token
from scoring.evidence import Word

_SYNONYM_STRENGTH = 0.8
_MISSPELT_STRENGTH = 0.7
_SHORTEST_MISSPELT = 4
"""Letters that a word must have for a misspelling of it to be told from another word."""
_LONG = 8
"""Letters from which a word may be misspelt in two places."""
_SPELLINGS = 3
_REMEMBERED = 65536


class WordFinder:
    """Finds what words may stand for in one catalog. Stateless but for a memory of misspellings."""

    def __init__(self, catalog: Catalog) -> None:
        self._vocabulary = catalog.lexical.numbers
        self._frequency = catalog.lexical.frequency
        self._by_length: defaultdict[int, list[str]] = defaultdict(list)
        for word in self._vocabulary:
            if word.isalpha() and len(word) >= _SHORTEST_MISSPELT - 1:
                self._by_length[len(word)].append(word)
        self.spellings = lru_cache(_REMEMBERED)(self._spellings)

    def heard(
        self, tokens: Sequence[Token], strength: float = 1.0, *, quoted: bool = False
    ) -> tuple[Word, ...]:
        """Return the words that say something, each once, with what they stand for.

        Where they are ``quoted``, words of conversation are meant as they stand too.
        """
        silent = FUNCTION_WORDS if quoted else TALK | NEGATORS
        found: dict[str, Word] = {}
        place = 0
        while place < len(tokens):
            step = 1
            for size in (2, 1):
                phrase = tuple(token.word for token in tokens[place : place + size])
                if len(phrase) == size and (size > 1 or phrase[0] not in silent):
                    word = self._phrase(phrase, strength) if size > 1 else self._word(phrase[0], strength)
                    if word is not None:
                        found.setdefault(word.text, word)
                        step = size
                        break
            place += step
        return tuple(found.values())

    def _phrase(self, phrase: tuple[str, ...], strength: float) -> Word | None:
        """Return a phrase that has a meaning of its own, as the words that have the same."""
        synonyms = self._known(SYNONYMS.get(phrase, ()))
        return Word(" ".join(phrase), synonyms, strength=_SYNONYM_STRENGTH * strength) if synonyms else None

    def _word(self, word: str, strength: float) -> Word | None:
        own = self._known((word,))
        synonyms = tuple(other for other in self._known(SYNONYMS.get((word,), ())) if other not in own)
        if own:
            return Word(word, own, synonyms, strength)
        if synonyms:
            return Word(word, synonyms, strength=_SYNONYM_STRENGTH * strength)
        if spellings := self.spellings(word):
            return Word(word, spellings, strength=_MISSPELT_STRENGTH * strength)
        return None

    def _known(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the forms of ``words`` that the catalog has."""
        found = dict.fromkeys(form for word in words for form in forms(word))
        return tuple(form for form in found if form in self._vocabulary)

    def _spellings(self, word: str) -> tuple[str, ...]:
        """Return the words of the catalog that ``word`` is most probably a misspelling of, nearest first."""
        if len(word) < _SHORTEST_MISSPELT or not word.isalpha():
            return ()
        reach = 2 if len(word) >= _LONG else 1
        near = [
            (distance, -self._frequency(other), other)
            for length in range(len(word) - reach, len(word) + reach + 1)
            for other, distance, _ in process.extract(
                word, self._by_length.get(length, ()), scorer=OSA.distance, score_cutoff=reach, limit=None
            )
        ]
        near.sort()
        nearest = [entry for entry in near if entry[0] == near[0][0]]
        return tuple(other for *_, other in nearest[:_SPELLINGS])
