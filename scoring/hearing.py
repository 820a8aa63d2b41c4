"""Words that are no line to the letter: how likely a shopper who wants a product would have used them.

A noisy channel. The shopper says a few lines of its product; each of a line's words is kept or lost, and
words of no line stand between. Against the hypothesis that none of the words comes from the product, a line
of ``n`` words of which ``k`` are heard has the log-likelihood ratio ::

    trust * sum of log(N / df) over the words heard  +  log B(lost + n - k, kept + k) - log B(lost, kept)

``df`` is the number of products whose text has the word. The chance that a word is lost differs from shopper
to shopper and is integrated out (a beta-binomial in the order of the words; Johnson, Kemp and Kotz 2005,
6.2.2), so that two words of twenty still count. Words that no line explains but the product's text holds
count in part.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lgamma
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.catalog import Catalog
from index.linewords import LAST_PLACE
from scoring.compiled import compiled
from scoring.config import HearingConfig
from scoring.denials import Denial, Denials, denies_itself
from scoring.evidence import PREFERENCE, UNPROMPTED, Evidence, LinesSaid, Words, WordsSaid, is_noisy
from scoring.shopper import OFF_CARD, OMITTED, UNEXPECTED, Weights, expected_slots

WORD_LIMIT = 64
"""Words of one reply that are looked at, rarest first: their sets are the bits of an integer."""
LINES_HEARD = 2
"""Lines at most that a reply holds beside those expected."""
_LONGEST_LINE = 96


@lru_cache(maxsize=8)
def said_words(config: HearingConfig) -> NDArray[np.float64]:
    """Return (n + 1, k + 1) the log-probability that ``k`` certain words of a line of ``n`` are said.

    Words are lost one by one (:func:`lost_words`), or the line is mentioned by a few words of it: how many
    does not depend on its length, and every choice of them is alike probable.
    """
    lost = lost_words(config.lost, config.kept)
    n, k = np.indices(lost.shape)
    factorial = _log_gammas(1.0, _LONGEST_LINE + 1)
    choices = factorial[n] - factorial[k] - factorial[np.maximum(n - k, 0)]
    few = np.where((k > 0) & (k <= n), config.mentioned - k * np.log(2) - choices, -np.inf)
    return np.logaddexp(lost, few)


@lru_cache(maxsize=8)
def lost_words(lost: float, kept: float) -> NDArray[np.float64]:
    """Return (n + 1, k + 1) the log-probability that ``k`` certain words of ``n`` are kept and the rest lost.

    The chance of losing a word has a beta distribution with parameters ``lost`` and ``kept``.
    """
    n, k = np.indices((_LONGEST_LINE + 1, _LONGEST_LINE + 1))
    away = np.maximum(n - k, 0)
    beta = _log_gammas(lost, _LONGEST_LINE + 1)[away] + _log_gammas(kept, _LONGEST_LINE + 1)[k]
    beta -= _log_gammas(lost + kept, 2 * _LONGEST_LINE + 1)[away + k]
    table = beta - beta[0, 0]
    return np.where(k <= n, table, table[n, n])


def _log_gammas(first: float, count: int) -> NDArray[np.float64]:
    """Return (count,) the logarithm of the gamma function at ``first``, ``first + 1``, ..."""
    return np.array([lgamma(first + step) for step in range(count)])


def softened(evidence: Evidence) -> Evidence:
    """Return ``evidence`` with lines as mere words where the conversation is noisy.

    A line that lost words may have become another line; one who says lines to the letter is taken by them.
    """
    if not is_noisy(evidence):
        return evidence
    return tuple(
        WordsSaid(item.asked, item.words) if isinstance(item, LinesSaid) and item.words else item
        for item in evidence
    )


@dataclass(frozen=True, slots=True)
class _Places:
    """Where any of some words stands: their numbers, the rows whose texts hold each, and how many rows.

    ``denial`` is where a text holds them only to deny them.
    """

    numbers: tuple[int, ...]
    rows: tuple[NDArray[np.int32], ...]
    frequency: int
    denial: Denial | None

    @classmethod
    def of(cls, words: tuple[str, ...], catalog: Catalog, denials: Denials | None) -> _Places:
        vocabulary = catalog.lexical.numbers
        known = tuple(word for word in dict.fromkeys(words) if word in vocabulary)
        rows = tuple(catalog.lexical.rows(word) for word in known)
        denial = None if denials is None else denials.of(known)
        return cls(tuple(vocabulary[word] for word in known), rows, sum(map(len, rows)), denial)


@dataclass(frozen=True, slots=True)
class Heard:
    """The words of one reply, found in a catalog of N products and L lines.

    Attributes:
        worth: (8, 256) what the words in each byte of a set are worth together. A word with synonyms is two:
            the word or any of them, and the word itself.
        counts: (8, 256) how many whole words they are.
        whole: the bits that stand for a whole word.
        gains: (L,) the log-likelihood ratio of each line for all words, minus infinity where it has none.
        lines: (L,) uint64, the words that each line holds (word w is bit w).
        begun: (L,) whether the words that a line holds are those that it begins with.
        texts: (N,) uint64, the words that each product's text holds.
    """

    worth: NDArray[np.float64]
    counts: NDArray[np.float64]
    whole: np.uint64
    gains: NDArray[np.float32]
    lines: NDArray[np.uint64]
    begun: NDArray[np.bool_]
    texts: NDArray[np.uint64]

    @classmethod
    def of(cls, words: Words, catalog: Catalog, config: HearingConfig, denials: Denials) -> Heard:
        """Find ``words`` in ``catalog``; the rarest ones where there are too many.

        A text that denies a word does not hold it, unless the words deny something themselves.
        """
        heeded = None if denies_itself(words) else denials
        known = []
        for word in words:
            own = _Places.of(word.stands_for, catalog, heeded)
            both = _Places.of((*word.stands_for, *word.synonyms), catalog, heeded)
            if both.frequency == 0:
                continue
            frequency = own.frequency or both.frequency
            worth = word.strength * np.log(len(catalog) / min(frequency, len(catalog)))
            share = config.synonym if word.synonyms else 1.0
            known.append((worth * share, both, True))
            if word.synonyms and own.frequency:
                known.append((worth * (1.0 - share), own, False))
        known = sorted(known, key=lambda entry: -entry[0])[:WORD_LIMIT]
        lines = np.zeros(len(catalog.lines), dtype=np.uint64)
        texts = np.zeros(len(catalog), dtype=np.uint64)
        reach = np.zeros(len(catalog.lines), dtype=np.uint8)
        nearest = np.full(len(catalog.lines), LAST_PLACE + 1, dtype=np.uint8)
        whole = np.uint64(0)
        for place, (_, found, counted) in enumerate(known):
            bit = np.uint64(1 << place)
            whole |= bit * np.uint64(counted)
            held = [catalog.line_words.placed(number) for number in found.numbers]
            for holders, places in held:
                lines[holders] |= bit
                nearest[holders] = np.minimum(nearest[holders], places)
            for holders, _ in held:
                reach[holders] = np.maximum(reach[holders], nearest[holders])
            for holders, _ in held:
                nearest[holders] = LAST_PLACE + 1
            for rows in found.rows:
                texts[rows] |= bit
            if found.denial is not None:
                lines[found.denial.lines] &= ~bit
                texts[found.denial.rows] &= ~bit
        worth = _byte_sums(np.array([nats for nats, *_ in known]))
        counts = _byte_sums(np.array([float(counted) for *_, counted in known]))
        begun = np.bitwise_count(lines & whole) > reach
        channel = _Channel(config.trust, worth, counts, said_words(config), config.begun)
        gains = _gains(lines, begun, catalog.line_words.lengths, channel)
        return cls(worth, counts, whole, gains, lines, begun, texts)

    def best_lines(self, limit: int) -> NDArray[np.int64]:
        """Return the at most ``limit`` lines that the words fit best, best first, ties by line."""
        lines = np.flatnonzero(self.lines)
        return lines[largest(self.gains[lines], limit)]

    def best_rows(self, limit: int) -> NDArray[np.int64]:
        """Return the at most ``limit`` rows whose texts hold most of the words, by what they are worth."""
        rows = np.flatnonzero(self.texts)
        totals = _totals(self.texts[rows], self.worth)
        return rows[largest(totals, limit)]

    def best(self, rows: NDArray[np.int64], catalog: Catalog, config: HearingConfig) -> float:
        """Return the highest log-likelihood ratio of any of K rows, whatever lines they may be said in."""
        record = catalog.lines.of_product
        return _best(
            rows,
            record.starts,
            record.values,
            self.gains,
            self.lines,
            self.texts,
            self.worth,
            config.trust * config.text,
        )

    def replies(
        self,
        rows: NDArray[np.int64],
        cards: NDArray[np.int32],
        masks: NDArray[np.int8],
        disclosed: NDArray[np.int8],
        asked: int,
        catalog: Catalog,
        config: HearingConfig,
        weights: Weights,
    ) -> NDArray[np.float64]:
        """Return (K,) the log-likelihood ratio of the words for each row, and note what they disclosed.

        The lines that the shopper model expects are said, though words of them, or all, may be lost. Other
        lines of the record may be said too, at what the model takes for them. What is left counts as the
        product's text.

        Args:
            rows: (K,) catalog rows.
            cards: (K, 4) their intent cards.
            masks: (K, 10) the slots of their cards that answer each attribute.
            disclosed: (K,) the slots disclosed before; changed to those disclosed afterwards.
            asked: what the words answer.
            catalog: where the rows come from.
            config: of the channel.
            weights: of the shopper model.
        """
        record = catalog.lines.of_product
        return _replies(
            rows,
            cards,
            masks,
            disclosed,
            asked,
            record.starts,
            record.values,
            self.gains,
            self.lines,
            self.begun,
            catalog.line_words.lengths,
            self.texts,
            _Channel(config.trust, self.worth, self.counts, said_words(config), config.begun),
            config.text,
            weights,
        )


@dataclass(frozen=True, slots=True)
class Found:
    """The words of one reply in the catalog.

    Attributes:
        heard: where they stand.
        rows: the products that may be meant.
        best: the highest log-likelihood ratio of any of those.
    """

    heard: Heard
    rows: NDArray[np.int64]
    best: float


def largest(values: NDArray[np.floating[Any]], limit: int) -> NDArray[np.int64]:
    """Return the places of the ``limit`` largest values, largest first, ties by place."""
    if len(values) <= limit:
        return np.argsort(-values, kind="stable")
    least = np.partition(values, -limit)[-limit]
    places = np.flatnonzero(values >= least)
    return places[np.argsort(-values[places], kind="stable")][:limit]


_BYTES = WORD_LIMIT // 8
_BYTE_BITS = (np.arange(256)[:, None] >> np.arange(8)) & 1


def _byte_sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (8, 256) the sum of the values of the bits in each byte of a set of words."""
    padded = np.zeros(WORD_LIMIT)
    padded[: len(values)] = values
    return padded.reshape(_BYTES, 8) @ _BYTE_BITS.T.astype(np.float64)


@compiled()
def _sum_of(bits: np.uint64, sums: NDArray[np.float64]) -> float:
    """Return the sum of the values of the words in ``bits`` by :func:`_byte_sums`."""
    total = 0.0
    place = 0
    while bits:
        total += sums[place, bits & np.uint64(255)]
        bits >>= np.uint64(8)
        place += 1
    return total


@compiled()
def _totals(masks: NDArray[np.uint64], worth: NDArray[np.float64]) -> NDArray[np.float64]:
    totals = np.empty(len(masks))
    for i in range(len(masks)):
        totals[i] = _sum_of(masks[i], worth)
    return totals


class _Channel(NamedTuple):
    """How a line is said: see :class:`Heard` and :func:`said_words`; ``begun`` for its first words alone."""

    trust: float
    worth: NDArray[np.float64]
    counts: NDArray[np.float64]
    said: NDArray[np.float64]
    begun: float


@compiled()
def _gain(free: np.uint64, mask: np.uint64, begun: bool, length: int, channel: _Channel) -> float:
    """Return the log-likelihood ratio of a line that holds the words ``mask``.

    Another line has explained those that are not ``free``: they are no loss, and no gain.
    """
    n = min(length, len(channel.said) - 1)
    k = min(int(_sum_of(mask, channel.counts)), n)
    nats = channel.said[n, k]
    if begun and k > 0:
        nats = max(nats, channel.begun)
    return channel.trust * _sum_of(free, channel.worth) + nats


@compiled()
def _gains(
    masks: NDArray[np.uint64], begun: NDArray[np.bool_], lengths: NDArray[np.int32], channel: _Channel
) -> NDArray[np.float32]:
    gains = np.full(len(masks), -np.inf, dtype=np.float32)
    for i in range(len(masks)):
        if masks[i]:
            gains[i] = _gain(masks[i], masks[i], begun[i], lengths[i], channel)
    return gains


@compiled()
def _best(
    rows: NDArray[np.int64],
    line_starts: NDArray[np.int64],
    line_values: NDArray[np.int32],
    gains: NDArray[np.float32],
    masks: NDArray[np.uint64],
    texts: NDArray[np.uint64],
    worth: NDArray[np.float64],
    text_share: float,
) -> float:
    highest = 0.0
    for row in rows:
        first, second = 0.0, 0.0
        one, two = np.uint64(0), np.uint64(0)
        for i in range(line_starts[row], line_starts[row + 1]):
            gain = float(gains[line_values[i]])
            held = masks[line_values[i]]
            if gain > first:
                if not one & held:
                    second, two = first, one
                first, one = gain, held
            elif gain > second and not one & held:
                second, two = gain, held
        rest = texts[row] & ~one & ~two
        highest = max(highest, first + second + text_share * _sum_of(rest, worth))
    return highest


@compiled()
def _replies(
    rows: NDArray[np.int64],
    cards: NDArray[np.int32],
    answers: NDArray[np.int8],
    disclosed: NDArray[np.int8],
    asked: int,
    line_starts: NDArray[np.int64],
    line_values: NDArray[np.int32],
    gains: NDArray[np.float32],
    masks: NDArray[np.uint64],
    begun: NDArray[np.bool_],
    lengths: NDArray[np.int32],
    texts: NDArray[np.uint64],
    channel: _Channel,
    text_share: float,
    weights: Weights,
) -> NDArray[np.float64]:
    scores = np.zeros(len(rows))
    for r in range(len(rows)):
        free = texts[rows[r]]
        card = cards[r]
        expected = expected_slots(answers[r], int(disclosed[r]), asked)
        open_slots = expected
        spoken = 0
        total = 0.0
        # the lines expected, best first, each by the words that are left
        while open_slots:
            best, slot = -np.inf, -1
            for s in range(len(card)):
                if open_slots & (1 << s):
                    held = masks[card[s]]
                    gain = _gain(held & free, held, begun[card[s]], lengths[card[s]], channel)
                    if gain > best:
                        best, slot = gain, s
            open_slots &= ~(1 << slot)
            if asked == UNPROMPTED and best <= 0.0:
                break
            spoken |= 1 << slot
            if asked != UNPROMPTED and best < weights[OMITTED]:
                total += weights[OMITTED]  # its words, if any, come from elsewhere
                continue
            total += best
            free &= ~masks[card[slot]]
        # other lines of the record, each alike probable
        any_other = weights[OFF_CARD] - np.log(max(1, line_starts[rows[r] + 1] - line_starts[rows[r]]))
        for _ in range(LINES_HEARD):
            if not free:
                break
            best, line, place = 0.0, -1, -1
            for i in range(line_starts[rows[r]], line_starts[rows[r] + 1]):
                here = line_values[i]
                if not masks[here] & free or float(gains[here]) + weights[UNEXPECTED] <= best:
                    continue
                at = i - line_starts[rows[r]]
                on_card = at < len(card)
                if on_card and spoken & (1 << at):
                    continue
                gain = _gain(masks[here] & free, masks[here], begun[here], lengths[here], channel)
                gain += weights[UNEXPECTED] if on_card else any_other
                if gain > best:
                    best, line, place = gain, here, at
            if line < 0:
                break
            if place < len(card):
                spoken |= 1 << place
            total += best
            free &= ~masks[line]
        scores[r] = total + text_share * channel.trust * _sum_of(free, channel.worth)
        if asked != PREFERENCE:
            disclosed[r] |= spoken
    return scores
