"""The dual-layer agent: two ways to retrieve, and a question wherever one would inform.

The outer layer retrieves broadly while little is known (browse) and narrowly later (focus); the inner layer
looks at the candidates and asks the attribute of the highest entropy x coverage, or nothing. See
docs/baselines/dual-layer.md for what the report states and what is decided here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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
    popularity_places,
    recorded_values,
)
from index.catalog import Catalog
from index.text import words

FOCUS_TERMS = 8
"""A request of this many terms is specific enough to focus on."""

DEPTH = 200
"""Products that each retrieval signal brings."""

POOL_SIZE = 100
"""Fused candidates that are reranked and asked about."""

SMALL_POOL = 10
"""So few candidates fit on the page: there is nothing left to ask."""

LAST_TURN = 10
LEAST_VALUE = 0.05
"""Below this a question does not inform."""

RRF_K = 60
"""The constant of reciprocal rank fusion as its authors give it."""

_STOP_WORDS = """
a an and any are as at be but by for from i in is it its me my of on or please so some that the their these
this to up want was what which with would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

SYNONYM_SETS = tuple(
    frozenset(group.split())
    for group in (
        "shirt shirts tee tees top tops tshirt",
        "sneaker sneakers trainer trainers",
        "shoe shoes footwear",
        "boot boots booties",
        "sandal sandals slides flip",
        "pants trousers slacks",
        "jacket jackets coat coats outerwear",
        "sweater sweaters pullover jumper cardigan",
        "hoodie hoodies sweatshirt sweatshirts",
        "dress dresses gown",
        "bag bags handbag purse tote",
        "wallet wallets billfold",
        "necklace necklaces pendant",
        "earring earrings studs hoops",
        "swimsuit swimwear bikini",
        "underwear briefs boxers panties",
        "women womens ladies female",
        "men mens male",
        "grey gray",
        "comfortable comfort comfy cushioned",
        "durable durability sturdy",
    )
)


@dataclass(slots=True)
class State:
    """A session: the terms gathered, in order; the questions asked; the rows shown."""

    profile: str
    category: str = ""
    terms: dict[str, None] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    last_asked: str | None = None
    shown: set[int] = field(default_factory=set)


class DualLayerAgent(SessionAgent[State]):
    """Browses, then focuses; ten products a turn, and the question that its candidates call for."""

    def __init__(self, catalog: Catalog) -> None:
        """Recommend from ``catalog``."""
        super().__init__(catalog)
        self._popularity = len(catalog) - popularity_places(catalog)

    def open(self, profile: dict[str, Any]) -> State:
        """Return the state of a new session, which keeps the profile's preference tags."""
        tags = profile.get("preference_tags")
        return State(" ".join(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else "")

    def move(self, state: State, heard: Heard, turn: int, top_k: int) -> Move:
        """Take in what was heard, retrieve, rerank, and ask unless nothing more informs."""
        take_in(state, by_cues(heard))
        fused = self._fused(state)
        rows = np.sort(best_first(fused, last=state.shown)[:POOL_SIZE])
        scores = fused[rows] + self._similarity(state.terms, rows)
        seen = np.isin(rows, list(state.shown))
        state.last_asked = None
        if turn < LAST_TURN:
            state.last_asked = self._question(rows[~seen & (fused[rows] > 0)], state.asked)
        if state.last_asked:
            state.asked.add(state.last_asked)
        page = best_first(scores, last=np.flatnonzero(seen).tolist())[:top_k]
        state.shown.update(rows[page].tolist())
        return Move(state.last_asked, rows[page], scores[page])

    def _fused(self, state: State) -> NDArray[np.float64]:
        """Return (N,) the fused score of every product, scaled to at most 1; 0 for what no signal brings.

        The words and the category bring candidates. In browse mode synonyms bring more, and the profile and
        popularity rank what was brought, or everything where nothing was.
        """
        signals = [self._by_words(" ".join(state.terms)), self._by_category(state.category)]
        if browsing(state.terms):
            signals.append(self._by_words(" ".join(expand(state.terms))))
            brought = np.maximum.reduce(signals) > 0
            brought |= not brought.any()
            signals.append(np.where(brought, self.catalog.lexical.scores(state.profile), 0.0))
            signals.append(np.where(brought, self._popularity, 0.0))
        fused = fuse(signals)
        return fused / (fused.max() or 1.0)

    def _by_words(self, request: str) -> NDArray[np.float64]:
        """Return (N,) the BM25 scores of the best products for ``request``, 0 for the others."""
        scores = np.zeros(len(self.catalog))
        rows, found = self.catalog.lexical.top(request, DEPTH)
        scores[rows] = found
        return scores

    def _by_category(self, category: str) -> NDArray[np.float64]:
        """Return (N,) 1 for the products of the category that is called most like ``category``, else 0."""
        if not category:
            return np.zeros(len(self.catalog))
        similarity = self.catalog.categories.similarity(category)
        nearest = (similarity == similarity.max()) & (similarity > 0)
        return nearest[self.catalog.categories.of_product].astype(np.float64)

    def _similarity(self, terms: Collection[str], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return for each row the share of the terms in its text, plus their Jaccard index with its title."""
        if not terms:
            return np.zeros(len(rows))
        covered = sum((self.catalog.lexical.scores(term)[rows] > 0).astype(np.float64) for term in terms)
        titles = (set(words(str(self.catalog.titles[row]))) - STOP_WORDS for row in rows.tolist())
        return covered / len(terms) + np.array([jaccard(set(terms), title) for title in titles])

    def _question(self, pool: NDArray[np.int64], asked: Collection[str]) -> str | None:
        """Return the attribute of the highest value among the candidates, ``None`` where none informs."""
        if len(pool) <= SMALL_POOL:
            return None
        recorded = [recorded_values(self.catalog, row) for row in pool.tolist()]
        values = {
            attribute: question_value([values[attribute] for values in recorded])
            for attribute in QUESTIONS
            if attribute not in asked
        }
        best = max(values, key=lambda attribute: values[attribute], default=None)
        return best if best is not None and values[best] >= LEAST_VALUE else None


def take_in(state: State, heard: Heard) -> None:
    """Bring ``state`` up to date with what was heard; an override takes nothing back but what was shown."""
    if heard.form == "override":
        state.shown.clear()
        if state.last_asked:
            state.asked.discard(state.last_asked)
    state.category = heard.category or state.category
    spoken = words(f"{heard.category} {heard.text}")
    state.terms.update(dict.fromkeys(word for word in spoken if word not in STOP_WORDS))


def browsing(terms: Collection[str]) -> bool:
    """Return whether a request is still so vague that retrieval should be broad."""
    return len(terms) < FOCUS_TERMS


def expand(terms: Iterable[str]) -> list[str]:
    """Return the terms with their synonyms after them, in a fixed order."""
    known = dict.fromkeys(terms)
    for group in SYNONYM_SETS:
        if not group.isdisjoint(known):
            known.update(dict.fromkeys(sorted(group)))
    return list(known)


def fuse(signals: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return (N,) the sum over signals of 1 / (60 + rank) (reciprocal rank fusion, Cormack et al. 2009).

    A signal is (N,) scores; those above zero are ranked from 1, equal scores share the best rank of theirs.
    """
    ranked = [_reciprocal_ranks(signal) for signal in signals]
    return np.sum(ranked, axis=0)


def _reciprocal_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks = len(scores) - np.searchsorted(np.sort(scores), scores, side="right") + 1
    return np.where(scores > 0, 1 / (RRF_K + ranks), 0.0)


def jaccard(left: Collection[str], right: Collection[str]) -> float:
    """Return the share of the words in either set that are in both, 0 for two empty sets."""
    either = len(set(left) | set(right))
    return len(set(left) & set(right)) / either if either else 0.0


def question_value(recorded: Sequence[Collection[int]]) -> float:
    """Return normalised entropy x coverage of an attribute over the candidates, in [0, 1].

    The entropy is that of the values recorded, over the logarithm of their number; it is 0 for one value.
    """
    counts = Counter(value for values in recorded for value in values)
    if len(counts) < 2:
        return 0.0
    total = sum(counts.values())
    entropy = -sum(count / total * math.log(count / total) for count in counts.values())
    return entropy / math.log(len(counts)) * sum(map(bool, recorded)) / len(recorded)
