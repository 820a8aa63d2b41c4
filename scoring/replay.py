"""A conversation replayed for each product: how likely its replies are if that product is wanted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numba import njit
from numpy.typing import NDArray

from index.catalog import Catalog
from scoring.config import HearingConfig
from scoring.evidence import Evidence, LinesSaid, Silence, Switch, WordsSaid
from scoring.hearing import Found
from scoring.shopper import Weights, reply_log_likelihood


def replay(
    evidence: Evidence,
    heard: Mapping[WordsSaid, Found],
    rows: NDArray[np.int64],
    masks: NDArray[np.int8],
    catalog: Catalog,
    config: HearingConfig,
    weights: Weights,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int8]]:
    """Replay the replies in ``evidence`` for K products; refusals disclose nothing and are no replies.

    Of a product that the shopper turned to in the middle nothing has been disclosed by then.

    Args:
        evidence: the conversation, in order.
        heard: the words of each reply that is no line to the letter, in the catalog. The best product is
            the reference, and what one reply may count against another is bounded.
        rows: (K,) catalog rows.
        masks: (K, 10) the slots of their cards that answer each attribute.
        catalog: where they come from.
        config: of the noisy channel.
        weights: of the shopper model.

    Returns:
        Log-likelihood of the lines said (K,) and of the words heard (K,), slots disclosed at the end (K,).
    """
    said, words = np.zeros(len(rows)), np.zeros(len(rows))
    disclosed = np.zeros(len(rows), dtype=np.int8)
    cards = catalog.lines.cards[rows]
    record = catalog.lines.of_product
    for item in evidence:
        if isinstance(item, WordsSaid):
            found = heard[item]
            nats = found.heard.replies(rows, masks, disclosed, item.asked, catalog, config, weights)
            words += item.strength * np.maximum(nats - found.best, config.limit)
        elif isinstance(item, Switch):
            disclosed[:] = 0
        elif isinstance(item, LinesSaid | Silence):
            lines = np.array(item.lines if isinstance(item, LinesSaid) else (-1,), dtype=np.int32)
            background = np.where(lines >= 0, -catalog.lines.rarity[lines].astype(np.float64), 0.0)
            nats = np.zeros(len(rows))
            _replies(
                rows,
                cards,
                masks,
                record.starts,
                record.values,
                disclosed,
                item.asked,
                lines,
                background,
                weights,
                nats,
            )
            said += nats * (item.strength if isinstance(item, LinesSaid) else 1.0)
    return said, words, disclosed


@njit(cache=True)
def _holds(lines: NDArray[np.int32], said: NDArray[np.int32]) -> int:
    held = 0
    for i in range(len(said)):
        for line in lines:
            if line == said[i]:
                held |= 1 << i
                break
    return held


@njit(cache=True)
def _replies(
    rows: NDArray[np.int64],
    cards: NDArray[np.int32],
    masks: NDArray[np.int8],
    line_starts: NDArray[np.int64],
    line_values: NDArray[np.int32],
    disclosed: NDArray[np.int8],
    asked: int,
    said: NDArray[np.int32],
    background: NDArray[np.float64],
    weights: Weights,
    nats: NDArray[np.float64],
) -> None:
    """Add to ``nats`` (K,) the log-likelihood of one reply for each product, and note what it disclosed.

    ``rows`` (K,) index the record lines (CSR); ``cards`` (K, 4) and ``masks`` (K, 10) are the products' own.
    """
    for k in range(len(rows)):
        record = line_values[line_starts[rows[k]] : line_starts[rows[k] + 1]]
        held = _holds(record, said)
        more, disclosed[k] = reply_log_likelihood(
            cards[k], masks[k], disclosed[k], asked, said, held, background, weights
        )
        nats[k] += more
