"""Spec fingerprints: every line that the catalog can say, the products that say it, and its rarity."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from index.cards import ATTRIBUTES, CARD_SLOTS, CLASS_SIGNS, constraint_class
from index.postings import Postings
from index.text import fingerprint

UNKNOWN = -1
"""The id of a line that no product says."""


def _hashes(keys: Sequence[str]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each key, the same in every process."""
    digests = b"".join(hashlib.blake2b(key.encode(errors="replace"), digest_size=8).digest() for key in keys)
    return np.frombuffer(digests, dtype="<u8")


@dataclass(frozen=True, slots=True)
class FingerprintIndex:
    """The distinct spec lines of a catalog of N products; a line's id is its place among L sorted hashes.

    Attributes:
        hashes: (L,) uint64, sorted hashes of the lines' fingerprints.
        texts: (L,) the lines as first met, for explanations.
        postings: per line, the rows of the products that say it, most rated first.
        of_product: per product, the ids of its lines in card order.
        cards: (N, 4) int32, the line in each slot of the product's intent card, -1 where empty.
        classes: (2, L) int8, attribute code of each line: by substrings, and by whole words.
        rarity: (L,) float32, log(N / df) in nats, df the number of products that say the line.
    """

    hashes: NDArray[np.uint64]
    texts: pa.LargeStringArray
    postings: Postings
    of_product: Postings
    cards: NDArray[np.int32]
    classes: NDArray[np.int8]
    rarity: NDArray[np.float32]

    def __len__(self) -> int:
        """Return the number of distinct lines."""
        return len(self.hashes)

    def find(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the line id of each text, :data:`UNKNOWN` where no product says it."""
        keys = [fingerprint(text) for text in texts]
        wanted = _hashes(keys)
        places = np.searchsorted(self.hashes, wanted)
        places[places == len(self.hashes)] = 0
        known = (self.hashes[places] == wanted) & np.array([bool(key) for key in keys], dtype=bool)
        return np.where(known, places, UNKNOWN).astype(np.int32)

    def text(self, line: int) -> str:
        """Return the text of a line."""
        return str(self.texts[line].as_py())


class FingerprintBuilder:
    """Collects the lines of products one by one, then makes the index."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._keys: dict[str, int] = {}
        self._texts: list[str] = []
        self._lines = array("i")
        self._lengths = array("i")

    def add(self, lines: Sequence[str]) -> None:
        """Add one product by its card lines, in card order."""
        for line in lines:
            number = self._numbers.get(line)
            if number is None:
                number = self._numbers[line] = self._keys.setdefault(fingerprint(line), len(self._keys))
                if number == len(self._texts):
                    self._texts.append(line)
            self._lines.append(number)
        self._lengths.append(len(lines))

    def build(self, popularity: NDArray[np.int64]) -> FingerprintIndex:
        """Return the index; ``popularity`` (N,) orders the products of a line, largest first."""
        hashes = _hashes(list(self._keys))
        order = np.argsort(hashes, kind="stable")
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        of_product = Postings.from_lengths(np.array(self._lengths), rank[np.array(self._lines)])
        postings = of_product.inverted(len(order), popularity)
        texts = pa.array(self._texts, type=pa.large_string()).take(pa.array(order))
        return FingerprintIndex(
            hashes=hashes[order],
            texts=texts,
            postings=postings,
            of_product=of_product,
            cards=_cards(of_product),
            classes=_classes(texts),
            rarity=np.log(len(self._lengths) / np.diff(postings.starts)).astype(np.float32),
        )


def _classes(texts: pa.LargeStringArray) -> NDArray[np.int8]:
    """Return (2, L) the attribute code of each text: by substrings, and by whole words."""
    codes = {name: code for code, name in enumerate(ATTRIBUTES)}
    classes = np.full((2, len(texts)), codes["feature"], dtype=np.int8)
    signs = pc.match_substring_regex(pc.utf8_lower(texts), pattern=CLASS_SIGNS)
    others = texts.filter(signs).to_pylist()
    classes[:, signs.to_numpy(zero_copy_only=False)] = [
        [codes[constraint_class(text, whole_words=whole_words)] for text in others]
        for whole_words in (False, True)
    ]
    return classes


def _cards(of_product: Postings) -> NDArray[np.int32]:
    """Return the first four lines of each product, -1 where it has fewer."""
    starts, lengths = of_product.starts[:-1, None], np.diff(of_product.starts)[:, None]
    slots = np.arange(CARD_SLOTS)
    filled = slots < lengths
    places = np.where(filled, starts + slots, 0)
    return np.where(filled, of_product.values[places], UNKNOWN).astype(np.int32)
