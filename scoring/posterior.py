"""The belief: candidates from four sources, scored term by term, turned into probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from index.catalog import Catalog
from index.lexical import best_rows
from scoring import terms
from scoring.config import PosteriorConfig, ScoringConfig
from scoring.evidence import Evidence, LinesSaid
from scoring.priors import log_prior
from scoring.scenario import ScenarioBelief, scenario_belief
from scoring.shopper import Replies, answer_masks, replay, weights


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
    """

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    terms: Mapping[str, NDArray[np.float64]]
    cards: NDArray[np.int32]
    masks: NDArray[np.int8]
    disclosed: NDArray[np.int8]
    scenario: ScenarioBelief

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


def tempered(scores: NDArray[np.float64], config: PosteriorConfig) -> NDArray[np.float64]:
    """Return probabilities ``(1 - floor) softmax(scores / temperature) + floor / K`` for (K,) scores."""
    return (1.0 - config.floor) * softmax(scores / config.temperature) + config.floor / len(scores)


class Scorer:
    """Scores the products of one catalog under one configuration. Stateless between calls."""

    def __init__(self, catalog: Catalog, config: ScoringConfig) -> None:
        self.catalog = catalog
        self.config = config
        self._log_prior = log_prior(catalog, config.prior)
        self._likely = np.argsort(-self._log_prior, kind="stable")[: config.candidates.popular]
        self._weights = weights(config.shopper)
        self._masks = answer_masks(catalog.lines, catalog.lines.cards, config.shopper)

    def belief(self, evidence: Evidence, turn: int) -> Belief:
        """Return the belief after the message of ``turn``."""
        matches = self._matches(evidence)
        scored = self._score(self._candidates(evidence, *matches), evidence, turn, *matches)
        kept = np.argsort(-scored.scores, kind="stable")[: self.config.candidates.kept]
        scores = scored.scores[kept]
        return Belief(
            rows=scored.rows[kept],
            scores=scores,
            probabilities=tempered(scores, self.config.posterior),
            terms={name: part[kept] for name, part in scored.terms.items()},
            cards=scored.cards[kept],
            masks=scored.masks[kept],
            disclosed=scored.disclosed[kept],
            scenario=scored.scenario,
        )

    def scores(self, rows: NDArray[np.int64], evidence: Evidence, turn: int) -> NDArray[np.float64]:
        """Return (K,) the log-posterior up to a constant of the catalog rows (K,), in nats."""
        return self._score(rows, evidence, turn, *self._matches(evidence)).scores

    def _matches(self, evidence: Evidence) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
        """Return the likeness of each category to the one named, and (N,) the free text's BM25 scores.

        ``None`` where no category is named or all words are explained.
        """
        named, text = terms.last_category(evidence), terms.free_text(evidence)
        return (
            self.catalog.categories.similarity(named.text) if named else None,
            self.catalog.lexical.scores(text) if text else None,
        )

    def _score(
        self,
        rows: NDArray[np.int64],
        evidence: Evidence,
        turn: int,
        likeness: NDArray[np.float32] | None,
        found: NDArray[np.float32] | None,
    ) -> _Scored:
        """Return the scores of ``rows``, term by term, with what they rest on."""
        scenario = scenario_belief(evidence, turn, self.config.scenario)
        categories = self.catalog.categories
        cards = self.catalog.lines.cards[rows]
        masks = self._masks[rows]
        replies = Replies.of(evidence, self.catalog.lines)
        record = self.catalog.lines.of_product
        quoted, disclosed = replay(
            rows,
            cards,
            masks,
            record.starts,
            record.values,
            replies.asked,
            replies.said,
            replies.background,
            self._weights,
        )
        likeness_of_rows = None if likeness is None else likeness[categories.of_product[rows]]
        parts = {
            "prior": self._log_prior[rows],
            "quoted": quoted.sum(axis=1),
            "category": terms.category(evidence, rows, likeness_of_rows, self.config.text),
            "lexical": terms.lexical(rows, found, self.config.text),
            "attributes": terms.attributes(self.catalog, evidence, rows, self.config.text),
            "shown": terms.shown(evidence, rows, scenario.override_pending),
        }
        scores = np.sum(list(parts.values()), axis=0)
        return _Scored(rows, scores, parts, cards, masks, disclosed, scenario)

    def _candidates(
        self, evidence: Evidence, likeness: NDArray[np.float32] | None, found: NDArray[np.float32] | None
    ) -> NDArray[np.int64]:
        """Return the rows worth scoring, ascending: quoted lines, category, lexical search, likely ones.

        ``likeness`` and ``found`` are those of :meth:`_matches`.
        """
        limits = self.config.candidates
        sources: list[NDArray[np.integer[Any]]] = [self._likely]
        for item in evidence:
            if isinstance(item, LinesSaid):
                sources += [self.catalog.lines.postings[line][: limits.quoted] for line in item.lines]
        if likeness is not None:
            sources.append(self._of_categories(likeness, limits.category))
        if found is not None:
            sources.append(best_rows(found, limits.lexical))
        worth = np.zeros(len(self.catalog), dtype=bool)
        for source in sources:
            worth[source] = True
        return np.flatnonzero(worth)

    def _of_categories(self, likeness: NDArray[np.float32], limit: int) -> NDArray[np.int32]:
        """Return at most ``limit`` products of the likeliest categories; of the one named alone, if known."""
        postings = self.catalog.categories.postings
        nearest = np.argsort(-likeness, kind="stable")
        taken = nearest[likeness[nearest] == 1.0]
        if len(taken) == 0:
            sizes = np.diff(postings.starts)[nearest]
            taken = nearest[: max(1, int(np.searchsorted(np.cumsum(sizes), limit, side="right")))]
        return np.concatenate([postings[int(number)] for number in taken])[:limit]
