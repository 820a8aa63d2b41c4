"""The score's terms, one function each: log-likelihoods in nats over the candidates' rows.

The quoted lines' term is the shopper model's (:mod:`scoring.shopper`), the prior is :mod:`scoring.priors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.catalog import MATRIX_COLUMNS, Catalog
from scoring.config import TextConfig
from scoring.denials import Denials
from scoring.evidence import CategoryNamed, Evidence, Override, PriceWanted, Shown, Switch, Word

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


@dataclass(frozen=True, slots=True)
class Mentions:
    """The products whose text has a word: rows of those that have what it says, and of those that deny it."""

    held: NDArray[np.int64]
    denied: NDArray[np.int64]


def mentions(word: Word, catalog: Catalog, denials: Denials) -> Mentions:
    """Return the products that mention a word, one of its forms or a synonym."""
    forms = (*word.stands_for, *word.synonyms)
    rows = [catalog.lexical.rows(form) for form in forms]
    denied = denials.of(forms).rows
    return Mentions(np.setdiff1d(np.concatenate(rows), denied) if rows else denied, denied)


def unwanted(
    words: Sequence[tuple[float, Mentions]], rows: NDArray[np.int64], config: TextConfig
) -> NDArray[np.float64]:
    """Return the term of what must not be: ``unwanted`` where a product has it, ``denied`` where it says not.

    Each word comes with its strength.
    """
    total = np.zeros(len(rows))
    for strength, word in words:
        total += strength * config.unwanted * np.isin(rows, word.held)
        total += strength * config.denied * np.isin(rows, word.denied)
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


def holding(word: Word, catalog: Catalog) -> NDArray[np.bool_]:
    """Return (N,) which products' texts have a word, a form of it or a synonym."""
    held = np.zeros(len(catalog), dtype=bool)
    for form in (*word.stands_for, *word.synonyms):
        held[catalog.lexical.rows(form)] = True
    return held


def profile(
    tags: Sequence[NDArray[np.bool_]], rows: NDArray[np.int64], config: TextConfig
) -> NDArray[np.float64]:
    """Return the term of the profile: ``profile`` nats times the share of its tags that a product's text has.

    Args:
        tags: for each tag (N,) which products' texts have it, a form of it or a synonym.
        rows: (K,) the candidates' rows.
        config: the weights.
    """
    if not tags:
        return np.zeros(len(rows))
    shares: NDArray[np.float64] = np.sum([held[rows] for held in tags], axis=0) / len(tags)
    return config.profile * shares


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
