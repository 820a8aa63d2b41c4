"""The prior: which products are wanted before a word is said."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from index.catalog import MATRIX_COLUMNS, Catalog
from scoring.config import PriorConfig


def log_prior(catalog: Catalog, config: PriorConfig) -> NDArray[np.float64]:
    """Return (N,) log-probabilities: a log-linear model of the catalog matrix, mixed with the uniform one.

    ``log((1 - u) softmax(strength * X w) + u / N)`` with ``u`` the uniform share.
    """
    weights = np.array([getattr(config, column) for column in MATRIX_COLUMNS])
    model = log_softmax(config.strength * (catalog.matrix.astype(np.float64) @ weights))
    with np.errstate(divide="ignore"):
        shares = np.log([1.0 - config.uniform_share, config.uniform_share / len(catalog)])
    return np.logaddexp(model + shares[0], shares[1])
