"""Spec fingerprints: every line that the catalog can say, the products that say it, and its rarity."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from index.cards import CARD_SLOTS
from index.postings import Postings
from index.text import fingerprints

if TYPE_CHECKING:
    from index.chunks import LineChunk

UNKNOWN = -1
"""The id of a line that no product says."""


def line_hashes(keys: Iterable[str]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each fingerprint, the same in every process."""
    digests = b"".join([hashlib.blake2b(key.encode(), digest_size=8).digest() for key in keys])
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

    @classmethod
    def build(cls, lines: LineChunk, popularity: NDArray[np.int64]) -> FingerprintIndex:
        """Return the index of a whole catalog's lines; ``popularity`` (N,) orders a line's products."""
        postings = lines.of_product.inverted(len(lines.hashes), popularity)
        return cls(
            hashes=lines.hashes,
            texts=lines.texts,
            postings=postings,
            of_product=lines.of_product,
            cards=_cards(lines.of_product),
            classes=lines.classes,
            rarity=np.log(len(popularity) / np.diff(postings.starts)).astype(np.float32),
        )

    def __len__(self) -> int:
        """Return the number of distinct lines."""
        return len(self.hashes)

    def find(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the line id of each text, :data:`UNKNOWN` where no product says it."""
        keys = fingerprints(texts)
        wanted = line_hashes(keys)
        places = np.searchsorted(self.hashes, wanted)
        places[places == len(self.hashes)] = 0
        known = (self.hashes[places] == wanted) & np.array([bool(key) for key in keys], dtype=bool)
        return np.where(known, places, UNKNOWN).astype(np.int32)

    def text(self, line: int) -> str:
        """Return the text of a line."""
        return str(self.texts[line].as_py())


def _cards(of_product: Postings) -> NDArray[np.int32]:
    """Return the first four lines of each product, -1 where it has fewer."""
    starts, lengths = of_product.starts[:-1, None], np.diff(of_product.starts)[:, None]
    slots = np.arange(CARD_SLOTS)
    filled = slots < lengths
    places = np.where(filled, starts + slots, 0)
    return np.where(filled, of_product.values[places], UNKNOWN).astype(np.int32)
