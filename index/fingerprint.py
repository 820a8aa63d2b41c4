"""Spec fingerprints: every line that the catalog can say, the products that say it, and its rarity."""

from __future__ import annotations

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from index.cards import CARD_SLOTS, constraint_classes
from index.postings import Postings
from index.text import fingerprints

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

    @classmethod
    def build(cls, chunks: Sequence[LineChunk], popularity: NDArray[np.int64]) -> FingerprintIndex:
        """Return the index of all chunks; ``popularity`` (N,) orders a line's products, largest first."""
        hashes, first, places = np.unique(
            np.concatenate([chunk.hashes for chunk in chunks]), return_index=True, return_inverse=True
        )
        offsets = np.cumsum([0, *(len(chunk.hashes) for chunk in chunks)])
        places = places.astype(np.int32)
        of_product = Postings.from_lengths(
            np.concatenate([np.diff(chunk.of_product.starts) for chunk in chunks]),
            np.concatenate(
                [
                    places[chunk.of_product.values + offset]
                    for chunk, offset in zip(chunks, offsets, strict=False)
                ]
            ),
        )
        postings = of_product.inverted(len(hashes), popularity)
        return cls(
            hashes=hashes,
            texts=pa.chunked_array([chunk.texts for chunk in chunks]).take(pa.array(first)).combine_chunks(),
            postings=postings,
            of_product=of_product,
            cards=_cards(of_product),
            classes=np.concatenate([chunk.classes for chunk in chunks], axis=1)[:, first],
            rarity=np.log(len(popularity) / np.diff(postings.starts)).astype(np.float32),
        )

    def __len__(self) -> int:
        """Return the number of distinct lines."""
        return len(self.hashes)

    def find(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the line id of each text, :data:`UNKNOWN` where no product says it."""
        keys = fingerprints(texts)
        wanted = _hashes(keys)
        places = np.searchsorted(self.hashes, wanted)
        places[places == len(self.hashes)] = 0
        known = (self.hashes[places] == wanted) & np.array([bool(key) for key in keys], dtype=bool)
        return np.where(known, places, UNKNOWN).astype(np.int32)

    def text(self, line: int) -> str:
        """Return the text of a line."""
        return str(self.texts[line].as_py())


@dataclass(frozen=True, slots=True)
class LineChunk:
    """The lines of a run of n products, M of them distinct.

    Attributes:
        hashes: (M,) uint64, sorted hashes of the lines' fingerprints.
        texts: (M,) the lines as first met.
        classes: (2, M) int8, see :class:`FingerprintIndex`.
        of_product: per product, the places of its lines among the M, in card order.
    """

    hashes: NDArray[np.uint64]
    texts: pa.LargeStringArray
    classes: NDArray[np.int8]
    of_product: Postings

    @classmethod
    def of(cls, products: Iterable[Sequence[str]]) -> LineChunk:
        """Return the chunk of products that are given by their card lines, in card order."""
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        flat, lengths = array("i"), array("q")
        for lines in products:
            flat.extend([numbers[line] for line in lines])
            lengths.append(len(lines))
        hashes, first, places = np.unique(
            _hashes(fingerprints(list(numbers))), return_index=True, return_inverse=True
        )
        met = list(numbers)
        texts = [met[place] for place in first.tolist()]
        of_product = Postings.from_lengths(np.array(lengths), places[np.array(flat)].astype(np.int32))
        return cls(hashes, pa.array(texts, type=pa.large_string()), constraint_classes(texts), of_product)


def _cards(of_product: Postings) -> NDArray[np.int32]:
    """Return the first four lines of each product, -1 where it has fewer."""
    starts, lengths = of_product.starts[:-1, None], np.diff(of_product.starts)[:, None]
    slots = np.arange(CARD_SLOTS)
    filled = slots < lengths
    places = np.where(filled, starts + slots, 0)
    return np.where(filled, of_product.values[places], UNKNOWN).astype(np.int32)
