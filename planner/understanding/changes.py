"""A change of mind in own words: what is taken back by name, and what is looked for instead."""

from __future__ import annotations

from collections.abc import Sequence

from index.attributes import VALUE_WORDS
from planner.understanding import cues
from planner.understanding.kinds import KindFinder
from planner.understanding.lexicon import ATTRIBUTE_NAMES, TALK
from planner.understanding.message import Message
from planner.understanding.words import WordFinder
from scoring.evidence import CategoryNamed, Opening, Retraction, Switch

_STRENGTH = 0.8
"""How sure a change is that is known by its cues alone."""
_WORDS_TAKEN_BACK = 4
"""Words at most that one cue takes back."""


class ChangeReader:
    """Reads changes of mind that say what they change. Stateless."""

    def __init__(self, words: WordFinder, kinds: KindFinder) -> None:
        self._words = words
        self._kinds = kinds

    def read_retractions(self, heard: Message, free: list[bool], asked: int | None) -> bool:
        """Note what is taken back by name, and take those words from ``free``; return whether there is any.

        That the attribute ``asked`` for does not matter is an answer, and takes nothing back.
        """
        found = False
        start = 0
        while (cue := heard.find(cues.RETRACTED, start)) is not None:
            start = cue[1]
            found |= self._note_retraction(heard, free, cue, heard.clause(cue[1], cues.RETRACTION_ENDS))
        start = 0
        while (cue := heard.find(cues.INDIFFERENT, start)) is not None:
            start = cue[1]
            clause = _named_before(heard, cue[0])
            if asked is None or _attribute(heard, clause) != asked:
                found |= self._note_retraction(heard, free, cue, clause)
        return found

    def _note_retraction(
        self, heard: Message, free: list[bool], cue: tuple[int, int], clause: Sequence[int]
    ) -> bool:
        clause = clause[:_WORDS_TAKEN_BACK]
        attribute = _attribute(heard, clause)
        words = self._words.heard([heard.tokens[place] for place in clause])
        if attribute is None and not words:
            return False
        begin, end = min(cue[0], clause[0]), max(cue[1], clause[-1] + 1)
        unspecific = heard.find(cues.CHANGED, begin)
        if unspecific is not None and unspecific[0] == begin and unspecific[1] >= end:
            return False
        heard.note(Retraction(attribute, words), heard.span(begin, end, "taken back", strength=_STRENGTH))
        free[begin:end] = [False] * (end - begin)
        return True

    def read_switch(
        self, heard: Message, free: list[bool], before: CategoryNamed | None, *, changed: bool
    ) -> bool:
        """Note another kind of product than the one named ``before``; return whether there is one.

        Where a change of mind is announced (``changed``, or by "instead") any words that open a search come
        before it. Else ("show me boots", "boots instead") nothing but a kind must be named.
        """
        instead = heard.find(cues.INSTEAD)
        cue = heard.find(cues.LOOKING if changed or instead else cues.SEARCHING)
        announced = cue is not None and (changed or instead is not None)
        if cue is not None:
            clause = heard.clause(cue[1], cues.KIND_ENDS)
        elif instead is not None:
            cue, clause = instead, _clause_before(heard, instead[0])
        else:
            return False
        telling = [place for place in clause if free[place] and heard.tokens[place].word not in TALK]
        kind = self._kinds.within(heard, telling)
        if not kind or kind[-1] != telling[-1] or heard.tokens[kind[-1]].word in VALUE_WORDS:
            return False
        if not announced and kind != telling:
            return False
        named = self._kinds.named(heard, kind)
        if before is None or not self._kinds.differ(before, named):
            return False
        heard.note(Switch(), heard.span(*cue, "switch", strength=_STRENGTH))
        heard.note(Opening("free"))
        heard.note(named, heard.span(kind[0], kind[-1] + 1, "category", strength=_STRENGTH))
        for place in (*range(*cue), *kind, *(range(*instead) if instead else ())):
            free[place] = False
        return True


def _attribute(heard: Message, clause: Sequence[int]) -> int | None:
    """Return the attribute that a clause calls by its name, ``None`` where there is none."""
    names = (ATTRIBUTE_NAMES.get(heard.tokens[place].word) for place in clause)
    return next((code for code in names if code is not None), None)


def _clause_before(heard: Message, end: int) -> list[int]:
    """Return the words of the clause before ``end``."""
    start = end
    while start > 0 and (start == end or not heard.parted(start)):
        start -= 1
    return list(range(start, end))


def _named_before(heard: Message, end: int) -> list[int]:
    """Return the words before ``end`` back to their article, or the one word that is an attribute's name."""
    found: list[int] = []
    for place in range(end - 1, max(-1, end - 1 - _WORDS_TAKEN_BACK), -1):
        if heard.parted(place + 1):
            break
        if heard.tokens[place].word in cues.ARTICLES:
            return found
        found.insert(0, place)
    return [end - 1] if end and _attribute(heard, [end - 1]) is not None else []
