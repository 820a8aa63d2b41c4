"""A conversation replayed for each product: how likely its replies are if that product is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.catalog import Catalog
from scoring.compiled import compiled
from scoring.config import HearingConfig
from scoring.evidence import Evidence, LinesSaid, Silence, Switch, WordsSaid
from scoring.hearing import Found
from scoring.shopper import Weights, reply_log_likelihood


@dataclass(frozen=True, slots=True)
class Replayed:
    """A conversation replayed for K products.

    Attributes:
        quoted: (K,) log-likelihood of the lines said.
        heard: (K,) log-likelihood of the words heard.
        disclosed: (K,) the slots disclosed at the end.
    """

    quoted: NDArray[np.float64]
    heard: NDArray[np.float64]
    disclosed: NDArray[np.int8]


def either(
    keeping: Replayed, straying: Replayed, share: float
) -> tuple[Replayed, NDArray[np.float64], NDArray[np.float64]]:
    """Return a conversation with a shopper who may keep to its card, or stray, for K products.

    Args:
        keeping: the replay for a shopper who keeps to its card.
        straying: the same for one who strays.
        share: how many stray.

    Returns:
        For each product the likelier one of the two, the log-likelihood (K,) of either beyond it, and the
        probability (K,) that the shopper strays.
    """
    keeps = np.log1p(-share) + keeping.quoted + keeping.heard
    strays = np.log(share) + straying.quoted + straying.heard
    total = np.logaddexp(keeps, strays)
    likelier = strays > keeps
    quoted, heard, disclosed = (
        np.where(likelier, of_straying, of_keeping)
        for of_straying, of_keeping in (
            (straying.quoted, keeping.quoted),
            (straying.heard, keeping.heard),
            (straying.disclosed, keeping.disclosed),
        )
    )
    return Replayed(quoted, heard, disclosed), total - quoted - heard, np.exp(strays - total)


def replay(
    evidence: Evidence,
    heard: Mapping[WordsSaid, Found],
    rows: NDArray[np.int64],
    cards: NDArray[np.int32],
    masks: NDArray[np.int8],
    catalog: Catalog,
    config: HearingConfig,
    weights: Weights,
) -> Replayed:
    """Replay the replies in ``evidence`` for K products; refusals disclose nothing and are no replies.

    Of a product that the shopper turned to in the middle nothing has been disclosed by then.

    Args:
        evidence: the conversation, in order.
        heard: the words of each reply that is no line to the letter, in the catalog. The best product is
            the reference, and what one reply may count against another is bounded.
        rows: (K,) catalog rows.
        cards: (K, 4) their intent cards.
        masks: (K, 10) the slots of their cards that answer each attribute.
        catalog: where they come from.
        config: of the noisy channel.
        weights: of the shopper model.
    """
    said, words = np.zeros(len(rows)), np.zeros(len(rows))
    disclosed = np.zeros(len(rows), dtype=np.int8)
    for item in evidence:
        if isinstance(item, WordsSaid):
            found = heard[item]
            nats = found.heard.replies(rows, cards, masks, disclosed, item.asked, catalog, config, weights)
            words += item.strength * np.maximum(nats - found.best, config.limit)
        elif isinstance(item, Switch):
            disclosed[:] = 0
        elif isinstance(item, LinesSaid | Silence):
            lines = np.array(item.lines if isinstance(item, LinesSaid) else (-1,), dtype=np.int32)
            background = np.where(lines >= 0, -catalog.lines.rarity[lines].astype(np.float64), 0.0)
            held = _held(lines, rows, catalog)
            nats = _replies(cards, masks, disclosed, held, item.asked, lines, background, weights)
            said += nats * (item.strength if isinstance(item, LinesSaid) else 1.0)
    return Replayed(said, words, disclosed)


def _held(lines: NDArray[np.int32], rows: NDArray[np.int64], catalog: Catalog) -> NDArray[np.int64]:
    """Return (K,) sets of bits: bit i is set where the record of a row holds ``lines[i]``."""
    held = np.zeros(len(rows), dtype=np.int64)
    for bit, line in enumerate(lines.tolist()):
        if line >= 0:
            holders = np.zeros(len(catalog), dtype=bool)
            holders[catalog.lines.postings[line]] = True
            held |= holders[rows].astype(np.int64) << bit
    return held


@compiled()
def _replies(
    cards: NDArray[np.int32],
    masks: NDArray[np.int8],
    disclosed: NDArray[np.int8],
    held: NDArray[np.int64],
    asked: int,
    said: NDArray[np.int32],
    background: NDArray[np.float64],
    weights: Weights,
) -> NDArray[np.float64]:
    """Return (K,) the log-likelihood of one reply for each product, and note what it disclosed."""
    nats = np.empty(len(cards))
    for k in range(len(cards)):
        nats[k], disclosed[k] = reply_log_likelihood(
            cards[k], masks[k], disclosed[k], asked, said, held[k], background, weights
        )
    return nats
