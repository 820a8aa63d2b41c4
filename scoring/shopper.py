"""The shopper model: what a shopper who wants a given product answers, and how likely an answer is.

One model, used twice: :func:`reply_log_likelihood` scores the real messages here and updates the imagined
belief inside the rollouts; :func:`expected_slots` is what both expect to hear.

A card has four slots. Which slots answer a question, and which have been disclosed, are bit masks of four
bits (slot s is bit s), so that a product's whole behaviour is a row of small integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from index.cards import ATTRIBUTES, CARD_SLOTS
from index.fingerprint import FingerprintIndex
from scoring.compiled import compiled
from scoring.config import DeviationConfig, ShopperConfig
from scoring.evidence import PREFERENCE, REQUIREMENT

OTHER = ATTRIBUTES.index("other")
LINES_PER_REPLY = 2
"""A shopper discloses at most two lines in a reply."""

Weights = NDArray[np.float64]
UNEXPECTED, OFF_CARD, ABSENT, OMITTED, SILENT = range(5)
"""Places of the model's deviations in :func:`weights`."""


def weights(config: DeviationConfig) -> Weights:
    """Return the log-likelihoods of the model's deviations (nats) in the order that the kernels expect."""
    return np.array([config.unexpected, config.off_card, config.absent, config.omitted, config.silent])


def answer_masks(
    lines: FingerprintIndex, cards: NDArray[np.int32], config: ShopperConfig
) -> NDArray[np.int8]:
    """Return (K, 10) for each card (K, 4) and attribute the slots that answer a question about it."""
    filled = cards >= 0
    classes = lines.classes[int(config.class_rule == "words")][cards]
    bits = (1 << np.arange(CARD_SLOTS)).astype(np.int8)
    masks = np.zeros((len(cards), len(ATTRIBUTES)), dtype=np.int8)
    for slot, bit in enumerate(bits):
        rows = np.flatnonzero(filled[:, slot])
        masks[rows, classes[rows, slot]] |= bit
        masks[rows, OTHER] |= bit
    return masks


@compiled()
def first_two(mask: int) -> int:
    """Return the two lowest set bits of ``mask``."""
    lowest = mask & -mask
    rest = mask ^ lowest
    return lowest | (rest & -rest)


@compiled()
def expected_slots(masks: NDArray[np.int8], disclosed: int, asked: int) -> int:
    """Return the slots that a shopper with these answer masks (10,) discloses when ``asked``."""
    filled = int(masks[OTHER])
    if asked >= 0:
        return first_two(int(masks[asked]) & ~disclosed)
    if asked == REQUIREMENT:
        return filled & 1
    if asked == PREFERENCE:
        last = 1 << (CARD_SLOTS - 1)
        while last > 1 and not last & filled:
            last >>= 1
        return last & filled
    return filled


@compiled()
def reply_log_likelihood(
    card: NDArray[np.int32],
    masks: NDArray[np.int8],
    disclosed: int,
    asked: int,
    said: NDArray[np.int32],
    held: np.int64,
    background: NDArray[np.float64],
    weights: Weights,
) -> tuple[float, int]:
    """Return the log-likelihood (nats) of a reply for one product, and its disclosed slots afterwards.

    Args:
        card: (4,) line ids.
        masks: (10,) slots by attribute.
        disclosed: slots disclosed before.
        asked: attribute code, or a negative code of :mod:`scoring.evidence`.
        said: (S,) line ids, -1 where none; all -1 is silence.
        held: bit i is set where the product's record holds ``said[i]`` outside its card.
        background: (S,) log share of products that say each line.
        weights: (5,) see :func:`weights`.
    """
    expected = expected_slots(masks, disclosed, asked)
    nats = 0.0
    spoken = 0
    heard = False
    for i in range(len(said)):
        line = said[i]
        if line < 0:
            continue
        heard = True
        match = -1
        for slot in range(len(card)):
            bit = 1 << slot
            if card[slot] != line or spoken & bit:
                continue
            if match < 0 or (expected & bit and not expected & (1 << match)):
                match = slot
        if match >= 0:
            spoken |= 1 << match
            if not expected & (1 << match):
                nats += weights[UNEXPECTED]
        elif held & (1 << i):
            nats += weights[OFF_CARD]
        else:
            nats += weights[ABSENT] + background[i]
    if asked >= 0:
        if heard:
            left_out = expected & ~spoken
            while left_out:
                left_out &= left_out - 1
                nats += weights[OMITTED]
        elif expected:
            nats += weights[SILENT]
    if asked != PREFERENCE:
        disclosed |= spoken
    return nats, disclosed
