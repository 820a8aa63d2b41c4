"""The reader of messages: from words to evidence, in layers, each with a strength and none deleting.

A message is a sequence of words; case, punctuation and spaces only help. First comes what it does: it opens,
answers, takes back, has nothing to add, leaves the choice. That is known from the sentences of the shopping
protocol, else from the cues of general English. What it carries is then looked up among the lines that the
catalog can say, to the letter; where it is none, its words are evidence by themselves, with what they may
stand for. Prices and what is not wanted are read apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import eq

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.fingerprint import UNKNOWN
from index.quantities import quantities
from index.text import FUNCTION_WORDS, normalise, words
from planner.understanding import cues
from planner.understanding.amounts import amounts
from planner.understanding.changes import ChangeReader
from planner.understanding.kinds import KindFinder
from planner.understanding.lexicon import TALK
from planner.understanding.message import SENTENCE_END, Message
from planner.understanding.reading import Reading, Span
from planner.understanding.words import WordFinder
from scoring.evidence import (
    PREFERENCE,
    REQUIREMENT,
    UNPROMPTED,
    CategoryNamed,
    LinesSaid,
    Opening,
    Override,
    PriceWanted,
    QuantityWanted,
    Refusal,
    Silence,
    Switch,
    Unwanted,
    Words,
    WordsSaid,
)

_UNKNOWN_WORD_NATS = 15.0
"""Cost of a word that no known line explains: more than the rarest line of a large catalog."""
_BUDGET = ATTRIBUTES.index("budget")
_CUE_STRENGTH = 0.8
"""How sure an act is that is known by its cues alone."""
_ASIDE_STRENGTH = 0.3
"""What the words of a sentence are worth that tells a story and asks for nothing."""
_LONGEST_ASIDE = 24
"""Words at most that are cut from the end of what is said, where the rest is known to the letter."""
_LINES_LOOKED_AT = 50
"""Lines at most in which a phrase is looked for."""
_QUANTITIES = 3
"""Quantities of one message at most that are looked for."""
_UNWANTED_WORDS = 3
"""Words of what is not wanted that are looked at after its cue."""


class MessageReader:
    """Reads the messages of shoppers of one catalog. Stateless.

    Attributes:
        words: what words may stand for in that catalog.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._lines = catalog.lines
        self._categories = catalog.categories
        self._line_words = catalog.line_words
        self._numbers = catalog.lexical.numbers
        self.words = WordFinder(catalog)
        self._kinds = KindFinder(catalog.categories, self.words)
        self._changes = ChangeReader(self.words, self._kinds)

    def read(
        self, message: str, *, first: bool, asked: int | None, category: CategoryNamed | None = None
    ) -> Reading:
        """Return what ``message`` shows.

        Args:
            message: the shopper's words.
            first: whether it opens the session.
            asked: code of the attribute that the agent asked about last, ``None`` for none.
            category: the kind of product named before, ``None`` for none.
        """
        heard = Message(message)
        known = bool(heard.tokens) and (
            (self._read_form_opening(heard) if first else self._read_form_switch(heard, category))
            or self._read_form_reply(heard, asked)
        )
        if not known:
            heard.forget()
            if first:
                self._read_opening(heard)
            else:
                self._read_reply(heard, asked, category)
        return heard.reading()

    # The protocol's sentences.

    def _read_form_opening(self, heard: Message) -> bool:
        opening = heard.find(cues.FORM_OPENING)
        if opening is None:
            return False
        begin, total = opening[1], len(heard.tokens)
        if (exploring := heard.find(cues.FORM_EXPLORING, begin)) is not None:
            heard.note(Opening("exploring"), heard.span(*exploring, "exploring"))
            self._name(heard, begin, exploring[0])
            return True
        if (needed := heard.find(cues.FORM_REQUIREMENT, begin)) is not None:
            heard.note(Opening("requirement"), heard.span(*needed, "requirement"))
            self._name(heard, begin, needed[0])
            self._say(heard, REQUIREMENT, needed[1], total)
            return True
        split = self._split_category(heard, begin)
        if split is None:
            return False
        heard.note(Opening("preference"))
        self._name(heard, begin, split)
        self._say(heard, PREFERENCE, split, total)
        return True

    def _read_form_switch(self, heard: Message, category: CategoryNamed | None) -> bool:
        """Read an opening in the middle of a conversation: of another kind of product, known by its name."""
        if not self._read_form_opening(heard):
            return False
        named = [item for item in heard.evidence if isinstance(item, CategoryNamed)]
        if not named or self._categories.exact(named[0].text) is None:
            heard.forget()
            return False
        if category is not None and self._kinds.differ(category, named[0]):
            heard.note_first(Switch())
        return True

    def _read_form_reply(self, heard: Message, asked: int | None) -> bool:
        total = len(heard.tokens)
        if heard.find(cues.FORM_NOTHING_ASKED) is not None:
            heard.spans.append(heard.span(0, total, "nothing asked"))
            return True
        if (override := heard.find(cues.FORM_OVERRIDE)) is not None:
            heard.note(Override(), heard.span(*override, "override"))
            self._say(heard, REQUIREMENT, override[1], total)
            return True
        if (answer := heard.find(cues.FORM_ANSWER)) is not None:
            if answer[1] == total:
                heard.spans.append(heard.span(*answer, "nothing said"))
            self._say(heard, UNPROMPTED if asked is None else asked, answer[1], total)
            return True
        for pattern, item, label in (
            (cues.FORM_REFUSAL, Refusal, "refusal"),
            (cues.FORM_SILENCE, Silence, "silence"),
        ):
            if (match := pattern.search(heard.joined)) is not None:
                code = cues.attribute_code(match[1])
                code = asked if code is None else code
                if code is not None:
                    place = heard.place(match.start()), heard.place(match.end())
                    heard.note(item(code), heard.span(*place, label, ATTRIBUTES[code]))
                    return True
        return False

    def _name(self, heard: Message, start: int, end: int, strength: float = 1.0) -> None:
        """Note words ``start`` to ``end`` as the kind of product."""
        if start < end:
            named = CategoryNamed(
                heard.slice(start, end), self.words.heard(heard.tokens[start:end], strength, quoted=True)
            )
            heard.note(named, heard.span(start, end, "category", strength=strength))

    def _split_category(self, heard: Message, begin: int) -> int | None:
        """Return the word at which ``C. S`` parts, both known; at a period, where there is one.

        Where only one half is known the split is at the period that leaves the most known.
        """
        total = len(heard.tokens)
        periods = [
            place
            for place in range(begin + 1, total)
            if ". " in heard.text[heard.tokens[place - 1].end : heard.tokens[place].start]
        ]
        for places in (periods, range(begin + 1, min(total, begin + 1 + self._kinds.longest))):
            if not places:
                continue
            lines = self._lines.find([heard.slice(place, total) for place in places]).tolist()
            known = [
                (self._categories.exact(heard.slice(begin, place)) is not None) + (line != UNKNOWN)
                for place, line in zip(places, lines, strict=True)
            ]
            if max(known) == len(("category", "line")) or (places is not periods and max(known) > 0):
                return places[known.index(max(known))]
        return periods[0] if periods else None

    def _say(self, heard: Message, asked: int, start: int, end: int) -> None:
        """Note what words ``start`` to ``end`` say: lines to the letter, else words; none tell nothing."""
        if start >= end:
            return
        parts = self._lines_of(heard, start, end)
        words_heard = self.words.heard(heard.tokens[start:end], quoted=True)
        if parts is None:
            free = [place >= start for place in range(end)] + [False] * (len(heard.tokens) - end)
            self._read_unwanted(heard, start, end, free, quoting=True)
            rest = [heard.tokens[place] for place in range(start, end) if free[place]]
            self._note_words(heard, asked, start, end, self.words.heard(rest, quoted=True))
            return
        numbers = self._lines.find([heard.slice(*part) for part in parts]).tolist()
        spans = [
            heard.span(*part, "line", self._lines.text(number))
            for part, number in zip(parts, numbers, strict=True)
        ]
        heard.note(LinesSaid(asked, tuple(numbers), words_heard), *spans)

    def _lines_of(self, heard: Message, start: int, end: int) -> list[tuple[int, int]] | None:
        """Return the one or two lines that words ``start`` to ``end`` are, ``None`` where they are none.

        Lines may hold ``; `` themselves, so every split is tried, at semicolons first. The likelihood of a
        split is the product of its lines' shares in the catalog; a word that they leave unexplained costs
        ``_UNKNOWN_WORD_NATS``. What stands behind a sentence end may be talk.
        """
        for stop in self._ends(heard, start, end):
            inner = [place for place in range(start + 1, stop) if heard.fits(start, place)]
            semicolons = [
                place
                for place in inner
                if ";" in heard.text[heard.tokens[place - 1].end : heard.tokens[place].start]
            ]
            for places in (semicolons, [place for place in inner if place not in semicolons]):
                splits = [[(start, stop)], *([(start, place), (place, stop)] for place in places)]
                numbers = iter(
                    self._lines.find([heard.slice(*part) for split in splits for part in split]).tolist()
                )
                costs = [
                    sum(self._surprise(heard.slice(*part), next(numbers)) for part in split)
                    for split in splits
                ]
                if min(costs) < _UNKNOWN_WORD_NATS * 2:
                    return splits[costs.index(min(costs))]
        return None

    def _ends(self, heard: Message, start: int, end: int) -> Iterator[int]:
        """Yield ``end``, and before it the ends of sentences: what stands behind may be talk."""
        yield end
        for stop in range(end - 1, max(start, end - _LONGEST_ASIDE), -1):
            if SENTENCE_END.search(heard.text[heard.tokens[stop - 1].end : heard.tokens[stop].start]):
                yield stop

    def _surprise(self, part: str, line: int) -> float:
        """Return the cost in nats of ``part``, found as ``line``: a line is found by its beginning alone."""
        spoken = words(part)
        if line == UNKNOWN:
            return _UNKNOWN_WORD_NATS * (len(spoken) + 2)
        shared = takewhile(bool, map(eq, spoken, words(self._lines.text(line))))
        left_over = len(spoken) - sum(shared)
        return float(self._lines.rarity[line]) + _UNKNOWN_WORD_NATS * left_over

    def _note_words(self, heard: Message, asked: int, start: int, end: int, said: Words) -> None:
        if said:
            strength = min(1.0, sum(word.strength for word in said) / len(said))
            heard.note(WordsSaid(asked, said), heard.span(start, end, "words", strength=strength))

    # Any other words.

    def _read_opening(self, heard: Message) -> None:
        """Read an opening in own words: the kind of product, and what it should be."""
        free = [True] * len(heard.tokens)
        self._read_apart(heard, None, free)
        total = len(heard.tokens)
        looking = heard.find(cues.LOOKING)
        begin = looking[1] if looking else 0
        needed = heard.find(cues.NEEDED)
        exploring = heard.find(cues.EXPLORING)
        preferred = heard.find(cues.PREFERRED, begin)
        later = [cue[0] for cue in (needed, exploring, preferred) if cue and cue[0] > begin]
        end = min(later, default=total)
        end = min([end, *(place for place in self._clause_ends(heard, begin, end))])
        named = [place for place in range(begin, end) if free[place]]
        phrase = self._kinds.within(heard, named)
        if not phrase:
            named = [place for place in range(total) if free[place]]
            phrase = self._kinds.within(heard, named)
        for cue in (looking, needed, exploring, preferred):
            if cue:
                free[cue[0] : cue[1]] = [False] * (cue[1] - cue[0])
        rest = [place for place in range(total) if free[place] and place not in phrase]
        said = self._content(heard, rest)
        if needed and said:
            heard.note(
                Opening("requirement", _CUE_STRENGTH),
                heard.span(*needed, "requirement", strength=_CUE_STRENGTH),
            )
        elif exploring and not said:
            heard.note(
                Opening("exploring", _CUE_STRENGTH),
                heard.span(*exploring, "exploring", strength=_CUE_STRENGTH),
            )
        elif preferred and said:
            heard.note(
                Opening("preference", _CUE_STRENGTH),
                heard.span(*preferred, "preference", strength=_CUE_STRENGTH),
            )
        else:
            heard.note(Opening("free"))
        if phrase:
            heard.note(
                self._kinds.named(heard, phrase),
                heard.span(phrase[0], phrase[-1] + 1, "category", strength=_CUE_STRENGTH),
            )
        if said:
            self._note_words(heard, REQUIREMENT if needed else UNPROMPTED, rest[0], rest[-1] + 1, said)

    def _read_reply(self, heard: Message, asked: int | None, category: CategoryNamed | None) -> None:
        """Read a later message in own words."""
        # What is taken back, or looked for instead, is read first: "forget the zipper" wants no zipper away.
        free = [True] * len(heard.tokens)
        changed = heard.find(cues.CHANGED)
        taken_back = self._changes.read_retractions(heard, free, asked)
        switched = self._changes.read_switch(heard, free, category, changed=changed is not None)
        self._read_apart(heard, asked, free)
        total = len(heard.tokens)
        if changed:
            if not taken_back and not switched:
                heard.note(Override(), heard.span(*changed, "override", strength=_CUE_STRENGTH))
            free[changed[0] : changed[1]] = [False] * (changed[1] - changed[0])
        nothing, left = heard.find(cues.NOTHING_MORE), heard.find(cues.LEFT_OPEN)
        closing = nothing or left
        rest = [place for place in range(total) if free[place]]
        if closing:
            inner = [place for place in rest if not closing[0] <= place < closing[1]]
            news = changed or taken_back or switched
            if not self._content(heard, inner) and asked is not None and not news:
                item, label = (Silence, "silence") if nothing else (Refusal, "refusal")
                heard.note(
                    item(asked), heard.span(*closing, label, ATTRIBUTES[asked], strength=_CUE_STRENGTH)
                )
                return
        said = self._content(heard, rest)
        if said:
            code = UNPROMPTED if asked is None or switched else asked
            if (changed and not taken_back) or (switched and heard.find(cues.NEEDED)):
                code = REQUIREMENT
            self._note_words(heard, code, rest[0], rest[-1] + 1, said)

    def _read_apart(self, heard: Message, asked: int | None, free: list[bool]) -> None:
        """Note prices, quantities and what is not wanted; take from ``free`` the words that are no more."""
        for amount in amounts(heard.text, about_price=asked == _BUDGET):
            heard.note(PriceWanted(amount.least, amount.most), Span(amount.start, amount.end, "price"))
            for place, token in enumerate(heard.tokens):
                if token.start < amount.end and amount.start < token.end:
                    free[place] = False
        self._read_quantities(heard, 0, len(heard.tokens), free)
        self._read_unwanted(heard, 0, len(heard.tokens), free)

    def _read_quantities(self, heard: Message, start: int, end: int, free: list[bool]) -> None:
        """Note lengths, weights and sizes among words ``start`` to ``end``.

        The words of a range are taken from ``free``. Those of one value stay: a product may say it the same
        way.
        """
        if start >= end:
            return
        begin = heard.tokens[start].start
        read = quantities(heard.text[begin : heard.tokens[end - 1].end + 1])
        cuts = {(one.start, one.end) for one in read if one.kind in ("waist", "inseam")}
        for one in read[:_QUANTITIES]:
            if one.kind == "length" and any(one.start < stop and at < one.end for at, stop in cuts):
                continue
            place = Span(begin + one.start, begin + one.end, "quantity")
            inside = [
                number
                for number, token in enumerate(heard.tokens)
                if token.start < place.end and place.start < token.end
            ]
            if not all(free[number] for number in inside):
                continue
            heard.note(QuantityWanted(one.kind, one.least, one.most), place)
            if one.least != one.most:
                for number in inside:
                    free[number] = False

    def _read_unwanted(
        self, heard: Message, start: int, end: int, free: list[bool], *, quoting: bool = False
    ) -> None:
        """Note what words ``start`` to ``end`` say is not wanted, and take those words from ``free``.

        Where the shopper is ``quoting``, what a line of the catalog says so itself is no such thing.
        """
        acts = [
            act
            for pattern in (cues.LEFT_OPEN, cues.NOTHING_MORE, cues.EXPLORING, cues.CHANGED)
            if (act := heard.find(pattern, start, end)) is not None
        ]
        while start < end and (cue := heard.find(cues.UNWANTED, start, end)) is not None:
            start = cue[1]
            if any(begin <= cue[0] < stop for begin, stop in acts):
                continue
            taken = self._unwanted_after(heard, cue[1], free)
            if not taken:
                continue
            start = taken[-1] + 1
            said = self.words.heard([heard.tokens[place] for place in taken])
            if said and not (quoting and self._quotes(heard, cue[0], start)):
                heard.note(Unwanted(said), heard.span(cue[0], start, "unwanted"))
                free[cue[0] : start] = [False] * (start - cue[0])

    def _unwanted_after(self, heard: Message, start: int, free: Sequence[bool]) -> list[int]:
        """Return the words after a cue that say what is not wanted, up to the end of its clause."""
        taken: list[int] = []
        for place in range(start, len(heard.tokens)):
            gap = heard.text[heard.tokens[place - 1].end : heard.tokens[place].start] if place > start else ""
            word = heard.tokens[place].word
            ends = re.search(r"[,;.!?:(]", gap) is not None or (taken and word in cues.UNWANTED_ENDS)
            if ends or not free[place]:
                break
            if word in TALK and not taken and word in cues.UNWANTED_ENDS:
                break
            if word not in TALK:
                taken.append(place)
                if len(taken) == _UNWANTED_WORDS:
                    break
        return taken

    def _clause_ends(self, heard: Message, begin: int, end: int) -> list[int]:
        """Return where a clause ends among words ``begin`` to ``end``, once it has said something."""
        ends: list[int] = []
        content = False
        for place in range(begin, end):
            gap = heard.text[heard.tokens[place - 1].end : heard.tokens[place].start] if place > begin else ""
            if content and re.search(r"[.;:!?(\n]|, |\s[-–—]\s", gap + " "):
                ends.append(place)
                break
            content = content or heard.tokens[place].word not in TALK
        return ends

    def _content(self, heard: Message, places: Sequence[int]) -> Words:
        """Return the words at ``places`` that say something; those of stories count in part."""
        asides = heard.asides()
        found = {
            word.text: word
            for strength, aside in ((_ASIDE_STRENGTH, True), (1.0, False))
            for word in self.words.heard(
                [heard.tokens[place] for place in places if (place in asides) == aside], strength
            )
        }
        return tuple(found.values())

    def _quotes(self, heard: Message, start: int, end: int) -> bool:
        """Return whether some line of the catalog holds words ``start`` to ``end`` as they stand."""
        phrase = [token.word for token in heard.tokens[start:end]]
        numbers = [self._numbers.get(word) for word in phrase if word not in FUNCTION_WORDS]
        holders: set[int] | None = None
        for number in numbers:
            if number is None:
                return False
            lines = set(self._line_words.postings[number].tolist())
            holders = lines if holders is None else holders & lines
        wanted = f" {' '.join(phrase)} "
        return any(
            wanted in f" {normalise(self._lines.text(line))} "
            for line in sorted(holders or ())[:_LINES_LOOKED_AT]
        )
