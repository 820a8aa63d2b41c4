"""The score's terms, one function each: log-likelihoods in nats over the candidates' rows.

The quoted lines' term is the shopper model's (:mod:`scoring.shopper`), the prior is :mod:`scoring.priors`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from index.catalog import MATRIX_COLUMNS, Catalog
from scoring.config import TextConfig
from scoring.evidence import CategoryNamed, Evidence, Override, PriceWanted, Shown, Switch
from scoring.hearing import Heard

_NEVER_CERTAIN = 1e-6
"""Least probability of a pending override: what was passed over is all but excluded, never wholly."""


def last_category(evidence: Evidence) -> CategoryNamed | None:
    """Return the category named last."""
    return next((item for item in reversed(evidence) if isinstance(item, CategoryNamed)), None)


def category(
    evidence: Evidence, nats: NDArray[np.float64] | None, rows: NDArray[np.int64], config: TextConfig
) -> NDArray[np.float64]:
    """Return ``nats`` (K,), those of the candidates' categories for the one named last.

    ``None`` where none is named. Once the shopper has changed its mind, what it said before is a guess: the
    term is scaled down.
    """
    named = [place for place, item in enumerate(evidence) if isinstance(item, CategoryNamed)]
    if not named or nats is None:
        return np.zeros(len(rows))
    overridden = any(isinstance(item, Override) for item in evidence[named[-1] :])
    return nats * (config.category_after_override if overridden else 1.0)


def unwanted(
    words: Sequence[tuple[float, Heard]], rows: NDArray[np.int64], config: TextConfig
) -> NDArray[np.float64]:
    """Return ``unwanted`` for each word of what must not be that a product's text holds; never above 0.

    Each reply's words come with their strength.
    """
    total = np.zeros(len(rows))
    for strength, heard in words:
        total += strength * config.unwanted * heard.count(rows)
    return total


def price(
    catalog: Catalog, evidence: Evidence, rows: NDArray[np.int64], config: TextConfig
) -> NDArray[np.float64]:
    """Return the term of the prices wanted: 0 within the range, falling with the ratio to its nearer end."""
    total = np.zeros(len(rows))
    if not any(isinstance(item, PriceWanted) for item in evidence):
        return total
    known = catalog.matrix[rows, MATRIX_COLUMNS.index("has_price")] > 0
    prices = np.expm1(catalog.matrix[rows, MATRIX_COLUMNS.index("log_price")].astype(np.float64))
    for item in evidence:
        if isinstance(item, PriceWanted):
            cents = np.maximum(np.round(prices, 2), 0.01)
            off = np.log(np.clip(cents, max(item.least, 0.01), max(item.most, 0.01)) / cents)
            missed = np.maximum(config.price_miss * np.abs(off), config.price_limit)
            total += item.strength * np.where(known, missed, config.price_unknown)
    return total


def quantity(
    stated: Sequence[tuple[float, NDArray[np.int64]]], rows: NDArray[np.int64], total: int, config: TextConfig
) -> NDArray[np.float64]:
    """Return the term of the quantities wanted: 0 for products that state them, ``quantity_miss`` for others.

    A quantity that many state costs the others no more than its information, log(N / df).

    Args:
        stated: for each quantity its strength, and the rows of the products that state it, ascending.
        rows: (K,) the candidates' rows.
        total: the number of products, N.
        config: the weights.
    """
    nats = np.zeros(len(rows))
    for strength, holders in stated:
        if len(holders):
            missed = max(config.quantity_miss, float(np.log(len(holders) / total)))
            nats += strength * np.where(np.isin(rows, holders), 0.0, missed)
    return nats


def shown(evidence: Evidence, rows: NDArray[np.int64], override_pending: float) -> NDArray[np.float64]:
    """Return the log-probability that a product shown and not taken is the target all the same.

    A shopper takes its product when it sees it, unless it has yet to change its mind. Pages shown before
    a change of mind, or while another product was looked for, say nothing.
    """
    passed_over: set[int] = set()
    for item in evidence:
        if isinstance(item, Override | Switch):
            passed_over.clear()
        elif isinstance(item, Shown):
            passed_over.update(item.rows)
    if not passed_over:
        return np.zeros(len(rows))
    return np.where(np.isin(rows, list(passed_over)), np.log(max(override_pending, _NEVER_CERTAIN)), 0.0)
