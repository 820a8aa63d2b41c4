"""A message as it is read: its words, where they stand, and what has been noted of it."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from itertools import pairwise

from index.cards import LINE_LENGTH
from planner.understanding import cues
from planner.understanding.reading import Reading, Span, tokens
from scoring.evidence import EvidenceItem

_LENGTH_READ = 1000
"""Characters of a message that are read: twice the longest answer, and a bound on the work."""
SENTENCE_END = re.compile(r"[.!?…]+(?:\s|$)|\n")
"""The signs between two words that part sentences."""
_CLAUSE_END = re.compile(r"[,;.!?:(\n]|\s[-–—]\s")


class Message:
    """A message as it is read: its words, where they stand, and what has been noted of it."""

    def __init__(self, message: str) -> None:
        self.text, self._places = _single_spaced(message)
        self.tokens = tokens(self.text)
        self.joined = " ".join(token.word for token in self.tokens)
        self._starts: list[int] = []
        start = 0
        for token in self.tokens:
            self._starts.append(start)
            start += len(token.word) + 1
        self.evidence: list[EvidenceItem] = []
        self.spans: list[Span] = []

    def place(self, character: int) -> int:
        """Return the number of the first word that starts at or after ``character`` of the joined words."""
        return bisect_left(self._starts, character)

    def find(
        self, pattern: re.Pattern[str], start: int = 0, end: int | None = None
    ) -> tuple[int, int] | None:
        """Return the words (from, to) of the first match of ``pattern`` among words ``start`` to ``end``."""
        if start >= len(self.tokens):
            return None
        stop = len(self.joined) if end is None or end >= len(self.tokens) else self._starts[end]
        match = pattern.search(self.joined, self._starts[start], stop)
        return None if match is None or not match[0] else (self.place(match.start()), self.place(match.end()))

    def slice(self, start: int, end: int) -> str:
        """Return the text of words ``start`` to ``end``."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""

    def fits(self, start: int, end: int) -> bool:
        """Return whether words ``start`` to ``end`` may be one line: lines are cut at 180 characters."""
        return self.tokens[end - 1].end - self.tokens[start].start <= LINE_LENGTH

    def parted(self, place: int) -> bool:
        """Return whether a sign that ends a clause stands right before word ``place``."""
        if not 0 < place < len(self.tokens):
            return False
        return (
            _CLAUSE_END.search(self.text[self.tokens[place - 1].end : self.tokens[place].start]) is not None
        )

    def clause(self, start: int, ends: frozenset[str]) -> list[int]:
        """Return the words from ``start`` to the end of the clause: a sign, or one of the words ``ends``."""
        found: list[int] = []
        for place in range(start, len(self.tokens)):
            if self.parted(place) or self.tokens[place].word in ends:
                break
            found.append(place)
        return found

    def asides(self) -> frozenset[int]:
        """Return the words of the sentences that tell a story and ask for nothing."""
        ends = [
            place
            for place in range(1, len(self.tokens))
            if SENTENCE_END.search(self.text[self.tokens[place - 1].end : self.tokens[place].start])
        ]
        found: set[int] = set()
        for start, end in pairwise((0, *ends, len(self.tokens))):
            asks = any(self.find(cue, start, end) for cue in cues.ASKING)
            if not asks and start < end and self.find(cues.STORY, start, end):
                found.update(range(start, end))
        return frozenset(found)

    def span(self, start: int, end: int, label: str, value: str = "", strength: float = 1.0) -> Span:
        """Return the span of words ``start`` to ``end``."""
        return Span(self.tokens[start].start, self.tokens[end - 1].end, label, value, None, strength)

    def note(self, item: EvidenceItem, *spans: Span) -> None:
        """Add evidence and the spans that gave it."""
        place = len(self.evidence)
        self.evidence.append(item)
        self.spans += [replace(span, item=place) for span in spans]

    def note_first(self, item: EvidenceItem) -> None:
        """Add evidence before all that has been noted."""
        self.evidence.insert(0, item)
        self.spans = [span if span.item is None else replace(span, item=span.item + 1) for span in self.spans]

    def forget(self) -> None:
        """Take back all that has been noted."""
        self.evidence.clear()
        self.spans.clear()

    def reading(self) -> Reading:
        """Return what has been noted; spans as places in the message as it was written."""
        spans = (
            replace(span, start=self._places[span.start], end=self._places[span.end - 1] + 1)
            for span in self.spans
            if span.start < span.end
        )
        return Reading(tuple(self.evidence), tuple(sorted(spans, key=lambda span: (span.start, span.end))))


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
