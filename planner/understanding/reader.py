"""The reader of messages: from words to evidence.

First the sentence forms of the shopping protocol, matched by their fixed beginnings and ends, since spec
lines hold colons, periods and semicolons of their own. What they carry is then looked up among the lines
that the catalog can say. Any other message is free text, in which spans that the catalog can say are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from operator import eq

from index.cards import ATTRIBUTES, LINE_LENGTH, MATERIALS
from index.catalog import Catalog
from index.fingerprint import UNKNOWN
from index.text import words
from planner import sentences
from planner.understanding.reading import Reading, Span, Token, tokens
from scoring.evidence import (
    PREFERENCE,
    REQUIREMENT,
    UNPROMPTED,
    CategoryNamed,
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


class _Notes:
    """Evidence and spans as they are found; spans are in characters of the text as it is read."""

    def __init__(self) -> None:
        self.evidence: list[EvidenceItem] = []
        self.spans: list[Span] = []

    def item(self, item: EvidenceItem, *spans: Span) -> None:
        """Add evidence, and the spans that gave it (their ``item`` is set)."""
        place = len(self.evidence)
        self.evidence.append(item)
        self.spans += [replace(span, item=place) for span in spans]


class MessageReader:
    """Reads the messages of shoppers of one catalog. Stateless."""

    def __init__(self, catalog: Catalog) -> None:
        self._lines = catalog.lines
        self._categories = catalog.categories
        self._longest_category = max(len(phrase.split()) for phrase in catalog.categories.phrases)

    def read(self, message: str, *, first: bool, asked: int | None) -> Reading:
        """Return what ``message`` shows.

        Args:
            message: the shopper's words.
            first: whether it opens the session.
            asked: code of the attribute that the agent asked about last, ``None`` for none.
        """
        text, places = _single_spaced(message)
        notes = _Notes()
        if not ((first and self._read_opening(text, notes)) or self._read_reply(text, asked, notes)):
            if first:
                notes.item(Opening("free"))
                self._name_category(text, notes)
            self._read_free_text(text, 0, notes)
        spans = (
            Span(
                places[span.start], places[span.end - 1] + 1, span.label, span.value, span.item, span.strength
            )
            for span in notes.spans
            if span.start < span.end
        )
        return Reading(tuple(notes.evidence), tuple(sorted(spans, key=lambda span: (span.start, span.end))))

    def _read_opening(self, text: str, notes: _Notes) -> bool:
        begin = len(sentences.OPENING)
        if not text.startswith(sentences.OPENING):
            return False
        wish = text[begin:]
        if wish.endswith(sentences.EXPLORING):
            end = len(text) - len(sentences.EXPLORING)
            notes.item(Opening("exploring"), Span(end, len(text), "exploring"))
            notes.item(CategoryNamed(text[begin:end]), Span(begin, end, "category"))
            return True
        category, found, requirement = wish.partition(sentences.REQUIREMENT_FOLLOWS)
        end = begin + len(category)
        start = end + len(found)
        if found:
            notes.item(Opening("requirement"), Span(end, start, "requirement"))
            notes.item(CategoryNamed(category), Span(begin, end, "category"))
            self._say(REQUIREMENT, (_without_period(requirement),), start, notes)
            return True
        if ". " not in wish:
            return False
        category, preference = self._split_category(wish)
        end = begin + len(category)
        notes.item(Opening("preference"))
        notes.item(CategoryNamed(category), Span(begin, end, "category"))
        self._say(PREFERENCE, (preference,), end + len(". "), notes)
        return True

    def _read_reply(self, text: str, asked: int | None, notes: _Notes) -> bool:
        if text == sentences.NOTHING_ASKED:
            notes.spans.append(Span(0, len(text), "nothing asked"))
            return True
        if text.startswith(sentences.OVERRIDE):
            begin = len(sentences.OVERRIDE)
            notes.item(Override(), Span(0, begin, "override"))
            self._say(REQUIREMENT, (_without_period(text[begin:]),), begin, notes)
            return True
        if text.startswith(sentences.ANSWER):
            begin = len(sentences.ANSWER)
            parts = self.split_lines(_without_period(text[begin:]))
            self._say(UNPROMPTED if asked is None else asked, parts, begin, notes)
            return True
        for pattern, item, label in (
            (sentences.REFUSAL, Refusal, "refusal"),
            (sentences.SILENCE, Silence, "silence"),
        ):
            if (match := pattern.fullmatch(text)) and (code := _attribute(match[1], asked)) is not None:
                notes.item(item(code), Span(0, len(text), label, ATTRIBUTES[code]))
                return True
        return False

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

    def _say(self, asked: int, texts: Sequence[str], start: int, notes: _Notes) -> None:
        """Note the lines among ``texts`` that the catalog knows, and what the others hold as free text.

        The first text starts at ``start``; the next one two characters after its end.
        """
        numbers = self._lines.find(texts).tolist()
        known: list[int] = []
        spans: list[Span] = []
        unknown: list[tuple[str, int]] = []
        for text, number in zip(texts, numbers, strict=True):
            if number == UNKNOWN:
                unknown.append((text, start))
            else:
                known.append(number)
                spans.append(Span(start, start + len(text), "line", self._lines.text(number)))
            start += len(text) + len("; ")
        if known:
            notes.item(LinesSaid(asked, tuple(known)), *spans)
        for text, place in unknown:
            self._read_free_text(text, place, notes)

    def _name_category(self, text: str, notes: _Notes) -> None:
        """Note the longest category phrase that stands in ``text``."""
        found = tokens(text)
        for start, end in _spans(len(found), self._longest_category):
            if self._categories.exact(phrase := _phrase(found[start:end])) is not None:
                notes.item(
                    CategoryNamed(phrase), Span(found[start].start, found[end - 1].end, "category", phrase)
                )
                return

    def _read_free_text(self, text: str, offset: int, notes: _Notes) -> None:
        """Note the spans of ``text`` that the catalog can say, and all of it as free text.

        Spans are taken longest first and do not overlap; a single word counts only as a material.
        """
        found = tokens(text)
        if not found:
            return
        spans = list(_spans(len(found), _LONGEST_SPAN))
        phrases = [_phrase(found[start:end]) for start, end in spans]
        numbers = self._lines.find(phrases)
        taken: list[int] = []
        noted: list[Span] = []
        free = [True] * len(found)
        for (start, end), phrase, number in zip(spans, phrases, numbers.tolist(), strict=True):
            if (
                number == UNKNOWN
                or not all(free[start:end])
                or (end - start == 1 and phrase not in MATERIALS)
            ):
                continue
            free[start:end] = [False] * (end - start)
            taken.append(number)
            first, last = offset + found[start].start, offset + found[end - 1].end
            noted.append(Span(first, last, "line", self._lines.text(number)))
        if taken:
            notes.item(LinesSaid(UNPROMPTED, tuple(taken)), *noted)
        notes.item(FreeText(text), Span(offset, offset + len(text), "words"))


def _single_spaced(message: str) -> tuple[str, list[int]]:
    """Return the beginning of ``message`` with single spaces, and the place in it of each character."""
    text: list[str] = []
    places: list[int] = []
    for match in re.finditer(r"\S+", message):
        if text:
            text.append(" ")
            places.append(match.start() - 1)
        text.append(match[0])
        places.extend(range(*match.span()))
        if len(places) >= _LENGTH_READ:
            break
    return "".join(text)[:_LENGTH_READ], places[:_LENGTH_READ]


def _phrase(found: Sequence[Token]) -> str:
    return " ".join(token.word for token in found)


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
