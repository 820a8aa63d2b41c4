"""Kinds of product: which words name one, and whether two names mean different ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from index.categories import CategoryIndex
from index.text import FUNCTION_WORDS
from index.text import words as split_words
from planner.understanding.lexicon import AUDIENCES, TALK
from planner.understanding.message import Message
from planner.understanding.words import WordFinder
from scoring.evidence import CategoryNamed, Word


class KindFinder:
    """Finds the kinds of product that words name in one catalog. Stateless.

    Attributes:
        longest: the number of words of the longest category phrase.
    """

    def __init__(self, categories: CategoryIndex, words: WordFinder) -> None:
        self._categories = categories
        self._words = words
        self.longest = max(len(phrase.split()) for phrase in categories.phrases)
        self._beside: defaultdict[str, set[str]] = defaultdict(set)
        for phrase in categories.phrases:
            for word in phrase.split():
                self._beside[word].update(phrase.split())

    def within(self, heard: Message, places: Sequence[int]) -> list[int]:
        """Return those of the words at ``places`` that name a kind of product."""
        runs = [heard.tokens[place].word for place in places]
        for size in range(min(len(runs), self.longest), 1, -1):
            for start in range(len(runs) - size + 1):
                if self._categories.exact(" ".join(runs[start : start + size])) is not None:
                    return list(places[start : start + size])
        found = []
        for place in places:
            if heard.tokens[place].word in TALK:
                continue
            for word in self._words.heard([heard.tokens[place]]):
                if self._names(word):
                    found.append(place)
        return found

    def named(self, heard: Message, places: Sequence[int]) -> CategoryNamed:
        """Return the words at ``places`` as the name of a kind of product."""
        found = [heard.tokens[place] for place in places]
        return CategoryNamed(" ".join(token.word for token in found), self._words.heard(found, quoted=True))

    def differ(self, one: CategoryNamed, other: CategoryNamed) -> bool:
        """Return whether two names are sure to mean different kinds of product.

        Two names that the catalog has are compared to the letter. Of others one may be wider ("shoes",
        "boots"): they differ where they share no word, nor any with the phrases in which the other's words
        stand. For whom a product is, is no kind.
        """
        numbers = self._categories.exact(one.text), self._categories.exact(other.text)
        if None not in numbers:
            return numbers[0] != numbers[1]
        first, second = self._kinds_of(one), self._kinds_of(other)
        if not first or not second:
            return False
        return first.isdisjoint(self._widened(second)) and second.isdisjoint(self._widened(first))

    def _names(self, word: Word) -> bool:
        return any(name in self._beside for name in (*word.stands_for, *word.synonyms))

    def _kinds_of(self, named: CategoryNamed) -> frozenset[str]:
        """Return the words of category phrases that a name stands for, those of its audience left out."""
        words = named.words or tuple(Word(word, (word,)) for word in split_words(named.text))
        names = {name for word in words for name in (*word.stands_for, *word.synonyms)}
        return frozenset(name for name in names - AUDIENCES - FUNCTION_WORDS if name in self._beside)

    def _widened(self, names: frozenset[str]) -> frozenset[str]:
        beside = {other for name in names for other in self._beside[name]}
        return frozenset(beside - AUDIENCES - FUNCTION_WORDS)
