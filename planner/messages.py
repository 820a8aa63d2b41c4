"""Understanding a message: from its words to evidence.

First the sentence forms of the shopping protocol, matched by their fixed beginnings and ends, since spec
lines hold colons, periods and semicolons of their own. What they carry is then looked up among the lines
that the catalog can say. Any other message is free text, in which spans that the catalog can say are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from operator import eq

from index.cards import ATTRIBUTES, LINE_LENGTH, MATERIALS
from index.catalog import Catalog
from index.fingerprint import UNKNOWN
from index.text import words
from planner import sentences
from scoring.evidence import (
    PREFERENCE,
    REQUIREMENT,
    UNPROMPTED,
    CategoryNamed,
    Evidence,
    EvidenceItem,
    FreeText,
    LinesSaid,
    Opening,
    Override,
    Refusal,
    Silence,
)

_LENGTH_READ = 1000
"""Characters of a message that are read: twice the longest answer, and a bound on the work."""
_LONGEST_SPAN = 24
_UNKNOWN_WORD_NATS = 15.0
"""Cost of a word that no known line explains: more than the rarest line of a large catalog."""


class MessageReader:
    """Reads the messages of shoppers of one catalog. Stateless."""

    def __init__(self, catalog: Catalog) -> None:
        self._lines = catalog.lines
        self._categories = catalog.categories
        self._longest_category = max(len(phrase.split()) for phrase in catalog.categories.phrases)

    def read(self, message: str, *, first: bool, asked: int | None) -> Evidence:
        """Return what ``message`` shows.

        Args:
            message: the shopper's words.
            first: whether it opens the session.
            asked: code of the attribute that the agent asked about last, ``None`` for none.
        """
        text = " ".join(message.split(None, _LENGTH_READ))[:_LENGTH_READ]
        known = self._read_opening(text) if first else None
        if known is None:
            known = self._read_reply(text, asked)
        if known is not None:
            return known
        free = self.read_free_text(text)
        return (Opening("free"), *self._named_category(text), *free) if first else free

    def _read_opening(self, text: str) -> Evidence | None:
        if not text.startswith(sentences.OPENING):
            return None
        wish = text.removeprefix(sentences.OPENING)
        if wish.endswith(sentences.EXPLORING):
            return Opening("exploring"), CategoryNamed(wish.removesuffix(sentences.EXPLORING))
        category, found, requirement = wish.partition(sentences.REQUIREMENT_FOLLOWS)
        if found:
            return (
                Opening("requirement"),
                CategoryNamed(category),
                *self._said(REQUIREMENT, (_without_period(requirement),)),
            )
        if ". " not in wish:
            return None
        category, preference = self._split_category(wish)
        return Opening("preference"), CategoryNamed(category), *self._said(PREFERENCE, (preference,))

    def _read_reply(self, text: str, asked: int | None) -> Evidence | None:
        if text == sentences.NOTHING_ASKED:
            return ()
        if text.startswith(sentences.OVERRIDE):
            requirement = _without_period(text.removeprefix(sentences.OVERRIDE))
            return Override(), *self._said(REQUIREMENT, (requirement,))
        if text.startswith(sentences.ANSWER):
            payload = _without_period(text.removeprefix(sentences.ANSWER))
            return self._said(UNPROMPTED if asked is None else asked, self.split_lines(payload))
        for pattern, item in ((sentences.REFUSAL, Refusal), (sentences.SILENCE, Silence)):
            if (match := pattern.fullmatch(text)) and (code := _attribute(match[1], asked)) is not None:
                return (item(code),)
        return None

    def _split_category(self, wish: str) -> tuple[str, str]:
        """Split ``C. S`` where the catalog knows most of the two; else at the first period."""
        splits = [
            (wish[: match.start()], _without_period(wish[match.end() :]))
            for match in re.finditer(r"\. ", wish)
        ]
        lines = self._lines.find([preference for _, preference in splits]).tolist()
        unknown = [
            (self._categories.exact(category) is None) + (line == UNKNOWN)
            for (category, _), line in zip(splits, lines, strict=True)
        ]
        return splits[unknown.index(min(unknown))]

    def split_lines(self, payload: str) -> tuple[str, ...]:
        """Return the one or two lines that ``payload`` (``X`` or ``X; Y``) most probably is.

        Lines may hold ``; `` themselves, so every split is tried. The likelihood of a split is the product
        of its lines' shares in the catalog; a word that they leave unexplained costs ``_UNKNOWN_WORD_NATS``.
        """
        splits = [(payload,)] + [
            (payload[: match.start()], payload[match.end() :])
            for match in re.finditer("; ", payload[: LINE_LENGTH + 2])
        ]
        numbers = iter(self._lines.find([part for split in splits for part in split]).tolist())
        costs = [sum(self._surprise(part, next(numbers)) for part in split) for split in splits]
        return splits[costs.index(min(costs))]

    def _surprise(self, part: str, line: int) -> float:
        """Return the cost in nats of ``part``, found as ``line``: a line is found by its beginning alone."""
        spoken = words(part)
        if line == UNKNOWN:
            return _UNKNOWN_WORD_NATS * len(spoken)
        shared = takewhile(bool, map(eq, spoken, words(self._lines.text(line))))
        left_over = len(spoken) - sum(shared)
        return float(self._lines.rarity[line]) + _UNKNOWN_WORD_NATS * left_over

    def _said(self, asked: int, texts: tuple[str, ...]) -> Evidence:
        """Return the lines among ``texts`` that the catalog knows, and what the others hold as free text."""
        numbers = self._lines.find(texts).tolist()
        known = tuple(number for number in numbers if number != UNKNOWN)
        items: list[EvidenceItem] = [LinesSaid(asked, known)] if known else []
        for text, number in zip(texts, numbers, strict=True):
            if number == UNKNOWN:
                items += self.read_free_text(text)
        return tuple(items)

    def _named_category(self, text: str) -> Evidence:
        """Return the longest category phrase that stands in ``text``."""
        spoken = words(text)
        for start, end in _spans(len(spoken), self._longest_category):
            if self._categories.exact(phrase := " ".join(spoken[start:end])) is not None:
                return (CategoryNamed(phrase),)
        return ()

    def read_free_text(self, text: str) -> Evidence:
        """Return the spans of ``text`` that the catalog can say, and all of it as free text.

        Spans are taken longest first and do not overlap; a single word counts only as a material.
        """
        spoken = words(text)
        if not spoken:
            return ()
        spans = list(_spans(len(spoken), _LONGEST_SPAN))
        phrases = [" ".join(spoken[start:end]) for start, end in spans]
        numbers = self._lines.find(phrases)
        taken: list[int] = []
        free = [True] * len(spoken)
        for (start, end), phrase, number in zip(spans, phrases, numbers.tolist(), strict=True):
            if (
                number == UNKNOWN
                or not all(free[start:end])
                or (end - start == 1 and phrase not in MATERIALS)
            ):
                continue
            free[start:end] = [False] * (end - start)
            taken.append(number)
        said = (LinesSaid(UNPROMPTED, tuple(taken)),) if taken else ()
        return *said, FreeText(text)


def _spans(length: int, longest: int) -> Iterator[tuple[int, int]]:
    """Yield all spans of up to ``longest`` of ``length`` words, longest first, then from the left."""
    for size in range(min(length, longest), 0, -1):
        for start in range(length - size + 1):
            yield start, start + size


def _without_period(text: str) -> str:
    return text[:-1] if text.endswith(".") else text


def _attribute(name: str, asked: int | None) -> int | None:
    """Return the code of the attribute called ``name``; an unknown name is the one that was asked."""
    return ATTRIBUTES.index(name) if name in ATTRIBUTES else asked
