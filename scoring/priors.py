"""The prior: which products are wanted before a word is said."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from index.catalog import MATRIX_COLUMNS, Catalog
from scoring.config import PriorConfig

PRIOR_COLUMNS = (
    "log_reviews",
    "has_price",
    "price",
    "price_squared",
    "rating",
    "has_features",
    "many_features",
)
"""What the prior looks at; each has its weight in :class:`scoring.config.PriorConfig`."""


def prior_features(catalog: Catalog) -> NDArray[np.float64]:
    """Return (N, 7) the columns ``PRIOR_COLUMNS``.

    Price (its logarithm) and rating are in standard deviations from the catalog's mean, so that neither
    currency nor scale matters; where they are unknown they count 0. ``log_reviews`` is ``ln(1 + reviews)``.
    """
    known = dict(zip(MATRIX_COLUMNS, catalog.matrix.astype(np.float64).T, strict=True))
    price = _standardised(known["log_price"], known["has_price"] > 0)
    rating = _standardised(known["rating"], known["rating"] > 0)
    columns = {**known, "price": price, "price_squared": price**2, "rating": rating}
    return np.column_stack([columns[name] for name in PRIOR_COLUMNS])


def log_prior(catalog: Catalog, config: PriorConfig) -> NDArray[np.float64]:
    """Return (N,) log-probabilities: a log-linear model of the catalog's numbers, mixed with the uniform one.

    ``log((1 - u) softmax(strength * X w) + u / N)`` with ``u`` the uniform share: a conditional logit
    (McFadden 1974) over the catalog.
    """
    weights = np.array([getattr(config, column) for column in PRIOR_COLUMNS])
    model = config.strength * (prior_features(catalog) @ weights)
    model -= model.max()
    model -= np.log(np.exp(model).sum())
    with np.errstate(divide="ignore"):
        shares = np.log([1.0 - config.uniform_share, config.uniform_share / len(catalog)])
    return np.logaddexp(model + shares[0], shares[1])


def _standardised(values: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return ``values`` in standard deviations from their mean; 0 where unknown, or where all are equal."""
    if not known.any():
        return np.zeros_like(values)
    deviation = float(values[known].std()) or 1.0
    return np.where(known, (values - values[known].mean()) / deviation, 0.0)
