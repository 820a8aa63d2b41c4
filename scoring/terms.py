"""The score's terms, one function each: log-likelihoods in nats over the candidates' rows.

The quoted lines' term is the shopper model's (:mod:`scoring.shopper`), the prior is :mod:`scoring.priors`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from index.attributes import value_bits
from index.catalog import Catalog
from index.text import words
from scoring.config import TextConfig
from scoring.evidence import CategoryNamed, Evidence, FreeText, Override, Shown

_NEVER_CERTAIN = 1e-6
"""Least probability of a pending override: what was passed over is all but excluded, never wholly."""


def last_category(evidence: Evidence) -> CategoryNamed | None:
    """Return the category named last."""
    return next((item for item in reversed(evidence) if isinstance(item, CategoryNamed)), None)


def free_text(evidence: Evidence) -> str:
    """Return all the words that no known line explains."""
    return " ".join(item.text for item in evidence if isinstance(item, FreeText))


def category(
    evidence: Evidence, rows: NDArray[np.int64], likeness: NDArray[np.float32] | None, config: TextConfig
) -> NDArray[np.float64]:
    """Return 0 for products of the category named last, down to ``category_miss`` with their likeness.

    ``likeness`` (K,) is that of each candidate's category to the one named in [0, 1]; ``None`` where none is
    named. Once the shopper has changed its mind, what it said before is a guess: the term is scaled down.
    """
    named = last_category(evidence)
    if named is None or likeness is None:
        return np.zeros(len(rows))
    overridden = any(isinstance(item, Override) for item in evidence[evidence.index(named) :])
    trust = config.category_after_override if overridden else 1.0
    return trust * config.category_miss * (1.0 - likeness.astype(np.float64))


def lexical(
    rows: NDArray[np.int64], found: NDArray[np.float32] | None, config: TextConfig
) -> NDArray[np.float64]:
    """Return the BM25 score of the free text as a share of the best one, times ``lexical``.

    ``found`` (N,) is that score for the whole catalog; ``None`` where all words are explained.
    """
    if found is None:
        return np.zeros(len(rows))
    return config.lexical * found[rows].astype(np.float64) / max(float(found.max()), np.finfo(float).tiny)


def attributes(
    catalog: Catalog, evidence: Evidence, rows: NDArray[np.int64], config: TextConfig
) -> NDArray[np.float64]:
    """Return ``attribute`` for each material or color of the free text that a product's text states."""
    wanted = value_bits(set(words(free_text(evidence))))
    if not wanted:
        return np.zeros(len(rows))
    return config.attribute * np.bitwise_count(catalog.attributes.values[rows] & wanted).astype(np.float64)


def shown(evidence: Evidence, rows: NDArray[np.int64], override_pending: float) -> NDArray[np.float64]:
    """Return the log-probability that a product shown and not taken is the target all the same.

    A shopper takes its product when it sees it, unless it has yet to change its mind. Pages shown before
    a change of mind say nothing.
    """
    passed_over: set[int] = set()
    for item in evidence:
        if isinstance(item, Override):
            passed_over.clear()
        elif isinstance(item, Shown):
            passed_over.update(item.rows)
    return np.where(np.isin(rows, list(passed_over)), np.log(max(override_pending, _NEVER_CERTAIN)), 0.0)
