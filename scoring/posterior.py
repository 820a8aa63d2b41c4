"""The belief: candidates from four sources, scored term by term, turned into probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from index.catalog import Catalog
from index.quantities import Quantity
from index.text import words as split_words
from scoring import terms
from scoring.changes import weakened
from scoring.config import PosteriorConfig, ScoringConfig
from scoring.denials import Denials
from scoring.evidence import (
    CategoryNamed,
    Evidence,
    LinesSaid,
    ProfileTags,
    QuantityWanted,
    Unwanted,
    Word,
    Words,
    WordsSaid,
    is_noisy,
)
from scoring.hearing import Found, Heard, largest, softened
from scoring.naming import CategoryNames
from scoring.priors import log_prior
from scoring.quantities import QuantityFinder
from scoring.replay import either, replay
from scoring.scenario import ScenarioBelief, scenario_belief
from scoring.shopper import answer_masks, weights


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed of K candidates, most probable first (ties by catalog row).

    Attributes:
        rows: (K,) int64 catalog rows.
        scores: (K,) log-posterior up to a constant, in nats.
        probabilities: (K,) tempered posterior; sums to 1.
        terms: the score's parts by name, each (K,) in nats.
        cards: (K, 4) the candidates' intent cards (line ids).
        masks: (K, 10) the slots that answer each attribute.
        disclosed: (K,) the slots that the shopper has disclosed if the candidate is the target.
        scenario: belief over the shopper's scenario.
        straying: probability that the shopper's card is made by another rule than the model's.
        noisy: whether the shopper has said anything that is no line to the letter.
    """

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    terms: Mapping[str, NDArray[np.float64]]
    cards: NDArray[np.int32]
    masks: NDArray[np.int8]
    disclosed: NDArray[np.int8]
    scenario: ScenarioBelief
    straying: float = 0.0
    noisy: bool = False

    @property
    def off_letter(self) -> bool:
        """Return whether the shopper probably does not answer as the model says, to the letter."""
        return self.noisy or self.straying > 0.5

    @property
    def confidence(self) -> float:
        """Return the probability of the first candidate."""
        return float(self.probabilities[0])


@dataclass(frozen=True, slots=True)
class _Scored:
    """Products as a belief holds them, before any is left out."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    terms: Mapping[str, NDArray[np.float64]]
    cards: NDArray[np.int32]
    masks: NDArray[np.int8]
    disclosed: NDArray[np.int8]
    scenario: ScenarioBelief
    straying: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Match:
    """What the words of a conversation are in the catalog.

    Attributes:
        evidence: the conversation's evidence, softened where it is noisy, weakened where it was taken back.
        categories: log-likelihood of each category for the one named, ``None`` where none is.
        heard: the replies that are no lines to the letter.
        unwanted: for each word of what must not be its strength, and where it stands.
        quantities: the rows of the products that state each quantity wanted, with its strength.
        tags: for each tag of the profile (N,) which products' texts have it.
    """

    evidence: Evidence
    categories: NDArray[np.float64] | None
    heard: Mapping[WordsSaid, Found]
    unwanted: tuple[tuple[float, terms.Mentions], ...]
    quantities: tuple[tuple[float, NDArray[np.int64]], ...]
    tags: tuple[NDArray[np.bool_], ...]


def tempered(scores: NDArray[np.float64], config: PosteriorConfig) -> NDArray[np.float64]:
    """Return probabilities ``(1 - floor) softmax(scores / temperature) + floor / K`` for (K,) scores."""
    scaled = scores / config.temperature
    weights = np.exp(scaled - scaled.max())
    return (1.0 - config.floor) * (weights / weights.sum()) + config.floor / len(scores)


_REMEMBERED = 16
"""Replies whose places in the catalog are kept: the belief is computed from all of them each turn."""


class Scorer:
    """Scores the products of one catalog under one configuration. Stateless but for a memory of replies."""

    def __init__(self, catalog: Catalog, config: ScoringConfig) -> None:
        self.catalog = catalog
        self.config = config
        self._log_prior = log_prior(catalog, config.prior)
        self._likely = np.argsort(-self._log_prior, kind="stable")[: config.candidates.popular]
        self._keeping = weights(config.shopper)
        self._straying = weights(config.straying)
        self._masks = answer_masks(catalog.lines, catalog.lines.cards, config.shopper)
        self._names = CategoryNames(catalog.categories)
        self._denials = Denials(catalog)
        self._found = lru_cache(_REMEMBERED)(self._find)
        self._tagged = lru_cache(_REMEMBERED)(partial(terms.holding, catalog=catalog))
        self._stating = lru_cache(_REMEMBERED)(QuantityFinder(catalog).rows)

    def belief(self, evidence: Evidence, turn: int) -> Belief:
        """Return the belief after the message of ``turn``."""
        match = self._match(evidence)
        scored = self._score(self._candidates(match), evidence, turn, match)
        kept = largest(scored.scores, self.config.candidates.kept)
        scores = scored.scores[kept]
        probabilities = tempered(scores, self.config.posterior)
        return Belief(
            rows=scored.rows[kept],
            scores=scores,
            probabilities=probabilities,
            terms={name: part[kept] for name, part in scored.terms.items()},
            cards=scored.cards.take(kept, axis=0),
            masks=scored.masks.take(kept, axis=0),
            disclosed=scored.disclosed[kept],
            scenario=scored.scenario,
            straying=float(probabilities @ scored.straying[kept]),
            noisy=is_noisy(evidence),
        )

    def scores(self, rows: NDArray[np.int64], evidence: Evidence, turn: int) -> NDArray[np.float64]:
        """Return (K,) the log-posterior up to a constant of the catalog rows (K,), in nats."""
        return self._score(rows, evidence, turn, self._match(evidence)).scores

    def _match(self, evidence: Evidence) -> _Match:
        """Return what the words of ``evidence`` are in the catalog."""
        evidence = weakened(softened(evidence), self.catalog, self.config.text)
        named = terms.last_category(evidence)
        categories = None if named is None else self._category_nats(named, evidence)
        heard = {item: self._found(item.words) for item in evidence if isinstance(item, WordsSaid)}
        unwanted = [
            (item.strength, terms.mentions(word, self.catalog, self._denials))
            for item in evidence
            if isinstance(item, Unwanted)
            for word in item.words
        ]
        quantities = [
            (
                item.strength,
                self._stating(
                    Quantity(item.kind, item.least, item.most), self.config.text.quantity_tolerance
                ),
            )
            for item in self._quantities(evidence)
        ]
        tags = [
            self._tagged(word)
            for item in evidence
            if isinstance(item, ProfileTags) and self.config.text.profile > 0.0
            for word in item.words
        ]
        return _Match(evidence, categories, heard, tuple(unwanted), tuple(quantities), tuple(tags))

    def _quantities(self, evidence: Evidence) -> list[QuantityWanted]:
        """Return the quantities wanted; of those that may be the same, said twice, the last."""
        kept: list[QuantityWanted] = []
        for item in reversed(evidence):
            if isinstance(item, QuantityWanted):
                wanted = Quantity(item.kind, item.least, item.most)
                later = (Quantity(other.kind, other.least, other.most) for other in kept)
                if not any(one.meets(wanted, self.config.text.quantity_tolerance) for one in later):
                    kept.append(item)
        return kept

    def _find(self, words: Words) -> Found:
        """Return where the words of one reply stand in the catalog, and the rows that may be meant."""
        heard = Heard.of(words, self.catalog, self.config.hearing, self._denials)
        rows = self._sources(heard)
        return Found(heard, rows, heard.best(rows, self.catalog, self.config.hearing))

    def _category_nats(self, named: CategoryNamed, evidence: Evidence) -> NDArray[np.float64]:
        """Return the log-likelihood of each category for the one named: one known by name excludes others."""
        miss = self.config.text.category_miss
        number = self.catalog.categories.exact(named.text)
        if number is not None and not is_noisy(evidence):
            nats = np.full(len(self.catalog.categories.phrases), miss)
            nats[number] = 0.0
            return nats
        words = named.words or tuple(Word(word, (word,)) for word in split_words(named.text))
        nats = self._names.nats(words, self.config.hearing)
        if number is not None:
            nats += self.config.text.category_other
            nats[number] = 0.0
        return np.maximum(nats, miss)

    def _sources(self, heard: Heard) -> NDArray[np.int64]:
        """Return the rows that may be meant by words: of the lines they fit best, and by their texts."""
        limits = self.config.candidates
        postings = self.catalog.lines.postings
        order = heard.best_lines(limits.quoted)
        lengths = np.minimum(postings.starts[order + 1] - postings.starts[order], limits.quoted)
        ends = np.cumsum(lengths)
        best = slice(0, int(np.searchsorted(ends, limits.quoted, side="right")) + 1)
        before = np.repeat(postings.starts[order[best]] - (ends - lengths)[best], lengths[best])
        holders = postings.values[before + np.arange(len(before))]
        return self._marked((holders, heard.best_rows(limits.lexical)))

    def _marked(self, sources: Iterable[NDArray[np.integer[Any]]]) -> NDArray[np.int64]:
        """Return the rows that any of ``sources`` holds, each once, ascending."""
        marked = np.zeros(len(self.catalog), dtype=bool)
        for rows in sources:
            marked[rows] = True
        return np.flatnonzero(marked)

    def _score(self, rows: NDArray[np.int64], evidence: Evidence, turn: int, match: _Match) -> _Scored:
        """Return the scores of ``rows``, term by term, with what they rest on."""
        scenario = scenario_belief(evidence, turn, self.config.scenario)
        categories = self.catalog.categories
        # take: numpy picks whole rows of a matrix many times faster by it than by an index
        cards = self.catalog.lines.cards.take(rows, axis=0)
        masks = self._masks.take(rows, axis=0)
        keeping, straying = (
            replay(
                match.evidence,
                match.heard,
                rows,
                cards,
                masks,
                self.catalog,
                self.config.hearing,
                weighed,
            )
            for weighed in (self._keeping, self._straying)
        )
        replies, either_way, strays = either(keeping, straying, self.config.straying.share)
        named = None if match.categories is None else match.categories[categories.of_product[rows]]
        parts = {
            "prior": self._log_prior[rows],
            "quoted": replies.quoted,
            "heard": replies.heard,
            "straying": either_way,
            "category": terms.category(match.evidence, named, rows, self.config.text),
            "unwanted": terms.unwanted(match.unwanted, rows, self.config.text),
            "price": terms.price(self.catalog, match.evidence, rows, self.config.text),
            "quantity": terms.quantity(match.quantities, rows, len(self.catalog), self.config.text),
            "profile": terms.profile(match.tags, rows, self.config.text),
            "shown": terms.shown(evidence, rows, scenario.override_pending),
        }
        scores = np.sum(list(parts.values()), axis=0)
        return _Scored(rows, scores, parts, cards, masks, replies.disclosed, scenario, strays)

    def _candidates(self, match: _Match) -> NDArray[np.int64]:
        """Return the rows worth scoring, ascending: of what was said, of the category, and likely ones."""
        limits = self.config.candidates
        sources: list[NDArray[np.integer[Any]]] = [self._likely]
        for item in match.evidence:
            if isinstance(item, LinesSaid):
                sources += [self.catalog.lines.postings[line][: limits.quoted] for line in item.lines]
        sources += [found.rows for found in match.heard.values()]
        if match.categories is not None:
            sources.append(self._of_categories(match.categories, limits.category))
        for _, rows in match.quantities:
            likeliest = np.argsort(-self._log_prior[rows], kind="stable")[: limits.quoted]
            sources.append(rows[likeliest])
        return self._marked(sources)

    def _of_categories(self, nats: NDArray[np.float64], limit: int) -> NDArray[np.int32]:
        """Return at most ``limit`` products of the likeliest categories, none where all are unlikely."""
        postings = self.catalog.categories.postings
        nearest = np.argsort(-nats, kind="stable")
        nearest = nearest[nats[nearest] > self.config.text.category_miss]
        if len(nearest) == 0:
            return np.empty(0, dtype=np.int32)
        sizes = np.diff(postings.starts)[nearest]
        taken = nearest[: max(1, int(np.searchsorted(np.cumsum(sizes), limit, side="right")))]
        return np.concatenate([postings[int(number)] for number in taken])[:limit]
