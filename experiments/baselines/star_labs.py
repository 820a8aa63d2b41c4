"""The Star Labs agent: an index of what products would say, six routes, a schedule of slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.baselines.common import Heard, Move, SessionAgent, likeliest_reading, tally
from index.catalog import MATRIX_COLUMNS, Catalog
from index.fingerprint import UNKNOWN
from index.text import words

Rows = NDArray[np.int64]

QUESTION = "other"
LAST_TURN = 10

WEAK_GAP = 0.05
"""Evidence is weak where the best score leads the second by less than this share of itself."""
BUCKET_BOOST = 1.25
"""Factor on the scores of products in the guessed category when the whole catalog is searched."""
WIDE_POOL = 1000
TASTE = 0.05
"""Weight of the preference tags beside popularity; both run from 0 to 1."""

_ONE_CARD = ("exact", "exact_global", "floor")
"""Routes of which one product is shown: where one is found, and where nothing is known."""

_CASUAL = {
    "purple": "violet lilac lavender plum mauve",
    "red": "crimson scarlet ruby cherry",
    "burgundy": "maroon wine",
    "blue": "azure cobalt cyan indigo",
    "navy": "midnight",
    "green": "emerald olive mint lime",
    "pink": "rose fuchsia magenta blush",
    "brown": "chocolate chestnut coffee",
    "black": "ebony jet onyx",
    "white": "ivory snow",
    "gray": "charcoal slate ash",
    "yellow": "mustard lemon amber",
    "orange": "tangerine apricot",
    "cotton": "cottony",
    "polyester": "poly",
    "leather": "cowhide leathery",
    "spandex": "stretchy elastane lycra",
    "wool": "woolly woolen",
    "sneakers": "trainers kicks",
    "shirts": "tops",
    "pants": "trousers slacks",
    "jeans": "denims",
    "hoodies": "hoody",
    "swimsuits": "bathers swimmers",
    "sunglasses": "shades",
    "backpacks": "rucksack rucksacks",
    "handbags": "purse purses",
    "waterproof": "rainproof",
    "lightweight": "featherlight",
    "comfortable": "comfy cosy cozy",
    "warm": "toasty snug",
    "durable": "sturdy tough",
    "breathable": "airy",
}
_CANONICAL = {casual: word for word, group in _CASUAL.items() for casual in group.split()}


@dataclass(slots=True)
class Memory:
    """What is remembered of a session.

    Attributes:
        tags: the profile's preference tags.
        category: number of the category phrase, ``None`` where none was named.
        certain: whether the category is a fact; else it is a guess.
        clues: the preferences as said; ``words``: sentences that were not understood.
        shown: rows shown since the shopper last changed its mind.
        exhausted: whether the shopper has nothing left to say.
        last_good: the last move, repeated after a fault.
    """

    tags: tuple[str, ...]
    category: int | None = None
    certain: bool = False
    clues: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    exhausted: bool = False
    last_good: Move = field(default_factory=lambda: Move(QUESTION, (), ()))


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Products in order, best first, and the route that found them."""

    route: str
    rows: Rows


def canonical(text: str) -> str:
    """Return ``text`` with casual words put into the catalog's."""
    return " ".join(_CANONICAL.get(word, word) for word in words(text))


def slot_value(turn: int, rank: int) -> float:
    """Return what a hit in this turn and at this rank adds to a session's score."""
    return 0.5 + 0.3 / rank + 0.2 * (LAST_TURN + 1 - turn) / 10


def schedule(count: int, turn: int, top_k: int) -> list[int]:
    """Return the places of the candidates to show now, out of ``count`` in order of probability.

    The most probable candidate takes the most valuable of the slots (turn, rank) that are left, and so on;
    those whose slot lies in a later turn are held back. The earlier of equal slots comes first.
    """
    slots = [(t, rank) for t in range(turn, LAST_TURN + 1) for rank in range(1, top_k + 1)]
    slots.sort(key=lambda slot: (-round(slot_value(*slot), 9), slot))
    return [place for place, (slot_turn, _) in enumerate(slots[:count]) if slot_turn == turn]


class StarLabs(SessionAgent[Memory]):
    """Filters strictly first, loosens one level at a time, and holds candidates back for better slots.

    Attributes:
        fallbacks: how often a fault led to the last good page.
    """

    def __init__(self, catalog: Catalog) -> None:
        """Recommend from ``catalog``."""
        super().__init__(catalog)
        self.fallbacks: Counter[str] = Counter()
        popularity = catalog.matrix[:, MATRIX_COLUMNS.index("log_reviews")].astype(np.float64)
        self._popularity = popularity / max(float(popularity.max()), 1.0)
        order = np.lexsort((np.array(catalog.ids.to_pylist()), -popularity))
        self._places = np.empty(len(catalog), dtype=np.int64)
        self._places[order] = np.arange(len(catalog))

    def open(self, profile: dict[str, Any]) -> Memory:
        """Return an empty memory of a shopper with these preference tags."""
        tags = profile.get("preference_tags")
        return Memory(tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ())

    def move(self, state: Memory, heard: Heard, turn: int, top_k: int) -> Move:
        """Answer; after a fault with the last good page, for an exception would forfeit the turn."""
        try:
            state.last_good = self._move(state, heard, turn, top_k)
        except Exception:
            self.fallbacks["last good page"] += 1
        return state.last_good

    def _move(self, state: Memory, heard: Heard, turn: int, top_k: int) -> Move:
        self.remember(state, heard)
        found = self.shortlist(state)
        candidates = self._not_shown(state, found.rows)
        if not len(candidates):
            candidates = self._not_shown(state, self._ordered(np.arange(len(self.catalog))))
        if turn < LAST_TURN and (turn == 1 or found.route in _ONE_CARD):
            page = candidates[:1].tolist()
        else:
            page = candidates[schedule(len(candidates), turn, top_k)].tolist()
        state.shown.update(page)
        return Move(
            None if state.exhausted else QUESTION, page, [1 / rank for rank in range(1, len(page) + 1)]
        )

    def _not_shown(self, state: Memory, rows: Rows) -> Rows:
        return rows[~np.isin(rows, list(state.shown))]

    def remember(self, state: Memory, heard: Heard) -> None:
        """Enter a message into the memory."""
        if heard.category:
            self._note_category(state, heard.category)
        match heard.form:
            case "answer":
                self._note_clues(state, likeliest_reading(self.catalog, heard.text))
            case "requirement" | "preference" | "override":
                self._note_clues(state, (heard.text,))
            case "silence":
                state.exhausted = True
            case "free":
                state.words.append(heard.text)
                if state.category is None:
                    self._note_category(state, heard.text)
        if heard.form == "override":
            state.certain = False
            state.shown.clear()

    def _note_category(self, state: Memory, text: str) -> None:
        """Take a known phrase for a fact, and the most similar one for a guess."""
        number = self.catalog.categories.exact(text)
        state.certain = number is not None
        if number is None:
            number = int(np.argmax(self.catalog.categories.similarity(text)))
        state.category = number

    def _note_clues(self, state: Memory, clues: Iterable[str]) -> None:
        for clue in clues:
            state.clues = [kept for kept in state.clues if kept != clue and not self.contradicts(kept, clue)]
            state.clues.append(clue)

    def says(self, clue: str) -> Rows:
        """Return the rows, in order, of the products that would say exactly this."""
        lines = self.catalog.lines
        line = int(lines.find([clue])[0])
        if line == UNKNOWN:
            return np.empty(0, dtype=np.int64)
        rows = lines.postings[line].astype(np.int64)
        return np.sort(rows[(lines.cards[rows] == line).any(axis=1)])

    def contradicts(self, earlier: str, newer: str) -> bool:
        """Return whether each clue is said by some product but both by none in the whole catalog."""
        one, other = self.says(earlier), self.says(newer)
        return bool(len(one) and len(other)) and not len(np.intersect1d(one, other))

    def shortlist(self, state: Memory) -> Shortlist:
        """Return the products in order, by the strictest route that finds any.

        Only where nothing said is known to the catalog, casual words are translated; after that the floor
        is left: the bucket by popularity and taste.
        """
        bucket = self._bucket(state)
        for translate in (str, canonical):
            clues, free = ([translate(text) for text in said] for said in (state.clues, state.words))
            if found := self._match(state, bucket, clues, free):
                return found
        scores = self.catalog.lexical.scores(" ".join(state.tags))
        taste = scores / max(float(scores[bucket].max()), 1.0)
        return Shortlist("floor", self._ordered(bucket, (), self._popularity + TASTE * taste))

    def _bucket(self, state: Memory) -> Rows:
        if state.category is None:
            return np.arange(len(self.catalog), dtype=np.int64)
        return self.catalog.categories.postings[state.category].astype(np.int64)

    def _match(
        self, state: Memory, bucket: Rows, clues: Sequence[str], free: Sequence[str]
    ) -> Shortlist | None:
        said = [self.says(clue) for clue in clues]
        resolved = [rows for rows in said if len(rows)]
        unresolved = [clue for clue, rows in zip(clues, said, strict=True) if not len(rows)]
        if resolved:
            everywhere = reduce(np.intersect1d, resolved)
            if len(np.intersect1d(everywhere, bucket)) == 1:
                return Shortlist("exact", self._ordered(bucket, resolved))
            if len(everywhere) == 1 and not state.certain:
                return Shortlist("exact_global", self._ordered(np.union1d(bucket, everywhere), resolved))
        scores = self.catalog.lexical.scores(" ".join((*clues, *free))).astype(np.float64)
        if not resolved:
            if not (scores[bucket] if state.certain else scores).any():
                return None
            if clues:
                return Shortlist("bm25_trust", self._ordered(bucket, (), scores))
        gap = separation(scores[bucket])
        if gap < WEAK_GAP and not state.certain:
            boosted = scores.copy()
            boosted[bucket] *= BUCKET_BOOST
            if separation(boosted) > gap:
                rows = np.union1d(np.argsort(-boosted, kind="stable")[:WIDE_POOL], bucket)
                return Shortlist("wide", self._ordered(rows, resolved, boosted))
        rest = self.catalog.lexical.scores(" ".join((*unresolved, *free)))
        return Shortlist("weak" if gap < WEAK_GAP else "bm25", self._ordered(bucket, resolved, rest))

    def _ordered(
        self, rows: Rows, resolved: Sequence[Rows] = (), scores: NDArray[np.floating[Any]] | None = None
    ) -> Rows:
        """Return ``rows`` by the clues that they would say, by ``scores`` (N,), by popularity and by id."""
        held = tally([np.isin(rows, said) for said in resolved], len(rows))
        ranks = np.zeros(len(rows)) if scores is None else scores[rows]
        return rows[np.lexsort((self._places[rows], -ranks, -held))]


def separation(scores: NDArray[np.float64]) -> float:
    """Return the lead of the best score over the second, as a share of the best; 0 without any."""
    best = np.sort(scores)[-2:]
    if not len(best) or best[-1] <= 0:
        return 0.0
    return float(1 - best[0] / best[-1]) if len(best) > 1 else 1.0
