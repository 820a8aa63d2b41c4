"""The named-attribute splitting planner, and its sibling that asks for anything.

After the story "From Wordle to All In": a question is worth what it splits. See docs/baselines/splitting.md
for what the report states and what is decided here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.baselines.common import (
    QUESTIONS,
    Heard,
    Move,
    SessionAgent,
    best_first,
    by_cues,
    likeliest_reading,
    recorded_values,
)
from index.attributes import COLOR_WORDS, MATERIAL_WORDS, value_bits
from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.fingerprint import UNKNOWN
from index.text import words

HARD, NORMAL, SOFT = 3.0, 2.0, 1.0
"""Strengths of a requirement, a plain statement and a mere preference."""

POOL_SIZE = 100
"""Candidates that a question is to split."""

LEAST_VALUE = 0.05
"""Below this an ordinary question is not worth asking."""

_MUST = re.compile(r"\b(must|need|needs|require|required|requirement|has to)\b", re.IGNORECASE)
_MAYBE = re.compile(r"\b(prefer|preferably|maybe|perhaps|ideally|would like|nice to have)\b", re.IGNORECASE)
_FIELDS = (value_bits(MATERIAL_WORDS), value_bits(COLOR_WORDS))


@dataclass(frozen=True, slots=True)
class Settings:
    """How the two siblings differ.

    Attributes:
        wildcard: ask ``other`` until it is refused or exhausted, before any named attribute.
        structured: let material and color words count as fields of their own.
        dead_turn_fallback: where no question is worth asking, ask the best that some candidate can answer.
    """

    wildcard: bool
    structured: bool
    dead_turn_fallback: bool


ROBUST = Settings(wildcard=False, structured=True, dead_turn_fallback=True)
WILDCARD = Settings(wildcard=True, structured=False, dead_turn_fallback=False)


@dataclass(frozen=True, slots=True)
class Constraint:
    """Something the shopper said.

    Attributes:
        text: the words.
        strength: how much it was meant.
        volunteered: said in the opening, without a question.
    """

    text: str
    strength: float
    volunteered: bool = False

    def contradicts(self, other: Constraint) -> bool:
        """Return whether both name materials, or both name colors, and none in common."""
        mine, theirs = (value_bits(set(words(constraint.text))) for constraint in (self, other))
        return any(mine & kind and theirs & kind and not mine & theirs & kind for kind in _FIELDS)


@dataclass(slots=True)
class State:
    """A session: what is wanted and meant, which questions are closed, and the rows shown."""

    category: str = ""
    constraints: list[Constraint] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)
    asked: str | None = None
    shown: set[int] = field(default_factory=set)


class SplittingPlanner(SessionAgent[State]):
    """Asks the question that splits the candidates best, and shows ten products not shown before."""

    def __init__(self, catalog: Catalog, settings: Settings = ROBUST) -> None:
        """Recommend from ``catalog``."""
        super().__init__(catalog)
        self._settings = settings

    def open(self, profile: dict[str, Any]) -> State:
        """Return the state of a new session; the profile takes no part."""
        return State()

    def move(self, state: State, heard: Heard, turn: int, top_k: int) -> Move:
        """Take in what was heard; rank, then ask what splits the candidates best."""
        take_in(state, by_cues(heard))
        scores = self.scores(state)
        order = best_first(scores, last=state.shown)
        state.asked = self._question(state.closed, order[:POOL_SIZE])
        page = order[:top_k]
        state.shown.update(page.tolist())
        return Move(state.asked, page, scores[page])

    def scores(self, state: State) -> NDArray[np.float64]:
        """Return (N,) the evidence for each product: words, phrases and fields, each scaled to at most 1."""
        said = list(state.constraints)
        if state.category:
            said.append(Constraint(state.category, NORMAL))
        lexical = np.zeros(len(self.catalog))
        for constraint in said:
            lexical += constraint.strength * self.catalog.lexical.scores(constraint.text)
        lexical /= max(lexical.max(), 1.0)
        total = lexical + self._phrase_scores(state)
        return total + self._field_scores(state.constraints) if self._settings.structured else total

    def _phrase_scores(self, state: State) -> NDArray[np.float64]:
        """Return (N,) the share of the phrases said that each product says, by strength and rarity."""
        catalog = self.catalog
        found: list[tuple[float, NDArray[np.int32]]] = []
        for constraint in state.constraints:
            for line in catalog.lines.find(likeliest_reading(catalog, constraint.text)).tolist():
                if line != UNKNOWN:
                    weight = constraint.strength * float(catalog.lines.rarity[line])
                    found.append((weight, catalog.lines.postings[line]))
        if (category := catalog.categories.exact(state.category)) is not None:
            rows = catalog.categories.postings[category]
            found.append((NORMAL * float(np.log(len(catalog) / len(rows))), rows))
        scores = np.zeros(len(catalog))
        for weight, rows in found:
            scores[rows] += weight
        return scores / max(sum(weight for weight, _ in found), 1.0)

    def _field_scores(self, constraints: Sequence[Constraint]) -> NDArray[np.float64]:
        """Return (N,) the balance of material and color words kept and, for requirements, violated.

        A requirement is violated where a product names materials, or colors, and none of those required.
        """
        values = self.catalog.attributes.values
        scores, strongest = np.zeros(len(values)), 0.0
        for constraint in constraints:
            wanted = value_bits(set(words(constraint.text)))
            for kind in _FIELDS:
                if not wanted & kind:
                    continue
                strongest += constraint.strength
                kept = (values & wanted & kind) != 0
                scores += constraint.strength * kept
                if constraint.strength == HARD:
                    scores -= HARD * (~kept & ((values & kind) != 0))
        return scores / max(strongest, 1.0)

    def _question(self, closed: Collection[str], pool: NDArray[np.int64]) -> str | None:
        """Return the attribute to ask about, ``None`` where no open one can be answered."""
        if self._settings.wildcard and "other" not in closed:
            return "other"
        recorded = [recorded_values(self.catalog, row) for row in pool.tolist()]
        best, best_value = None, -1.0
        for attribute in QUESTIONS:
            if attribute in closed:
                continue
            coverage, separation = split([values[attribute] for values in recorded])
            value = separation * coverage * self._answerability(attribute)
            asked = coverage > 0 if self._settings.dead_turn_fallback else value >= LEAST_VALUE
            if asked and value > best_value:
                best, best_value = attribute, value
        return best

    def _answerability(self, attribute: str) -> float:
        """Return the share of shoppers who have something to say about ``attribute``."""
        return float(self.catalog.attributes.coverage[ATTRIBUTES.index(attribute)])


def take_in(state: State, heard: Heard) -> None:
    """Bring ``state`` up to date with what was heard."""
    match heard.form:
        case "exploring" | "requirement" | "preference":
            state.category = heard.category
            if heard.text:
                strength = HARD if heard.form == "requirement" else SOFT
                state.constraints.append(Constraint(heard.text, strength, volunteered=True))
        case "answer":
            state.constraints.append(Constraint(heard.text, NORMAL))
            if state.asked and state.asked != "other":
                state.closed.add(state.asked)
        case "override":
            wanted = Constraint(heard.text, HARD)
            state.constraints = [
                said for said in state.constraints if not said.volunteered and not wanted.contradicts(said)
            ]
            state.constraints.append(wanted)
            state.shown.clear()
        case "refusal" | "silence":
            if attribute := heard.attribute or state.asked:
                state.closed.add(attribute)
        case "free":
            state.constraints.append(Constraint(heard.text, commitment(heard.text)))


def commitment(text: str) -> float:
    """Return how much a free sentence is meant, by the words that tell it."""
    if _MUST.search(text):
        return HARD
    return SOFT if _MAYBE.search(text) else NORMAL


def split(recorded: Sequence[Collection[int]]) -> tuple[float, float]:
    """Return the share of candidates with a recorded value, and one less the largest bucket's share of those.

    A candidate with several values stands in several buckets.
    """
    usable = sum(bool(values) for values in recorded)
    if not usable:
        return 0.0, 0.0
    buckets = Counter(value for values in recorded for value in values)
    return usable / len(recorded), 1 - max(buckets.values()) / usable
