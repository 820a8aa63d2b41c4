"""A run of products as small arrays, from which an index is put together."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from index.cards import card_lines, card_words, category_words, search_text
from index.fingerprint import LineChunk
from index.lexical import WordChunk
from index.products import Product

MATRIX_COLUMNS = ("log_reviews", "has_price", "log_price", "rating", "has_features", "many_features")
_MANY_FEATURES = 4


def product_features(product: Product) -> tuple[float, ...]:
    """Return the numbers that speak for a product before a word is said, in order of ``MATRIX_COLUMNS``.

    Logarithms are natural, of one plus the value; an unknown price or rating counts 0.
    """
    return (
        math.log1p(product.rating_number),
        float(product.price is not None),
        math.log1p(product.price or 0.0),
        product.average_rating or 0.0,
        float(bool(product.features)),
        float(len(product.features) >= _MANY_FEATURES),
    )


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of n products of a catalog.

    Attributes:
        ids: (n,) product ids.
        titles: (n,) titles.
        matrix: (n, 6) float32, columns ``MATRIX_COLUMNS``.
        popularity: (n,) int64, number of ratings.
        categories: (n,) the products' category words.
        lines: their card lines.
        words: the words of their whole text; those of title and category twice.
    """

    ids: pa.LargeStringArray
    titles: pa.LargeStringArray
    matrix: NDArray[np.float32]
    popularity: NDArray[np.int64]
    categories: pa.DictionaryArray
    lines: LineChunk
    words: WordChunk

    @classmethod
    def of(cls, products: Iterable[Product]) -> Chunk:
        """Return the chunk of ``products``; there may be none."""
        products = list(products)
        names = [category_words(product.categories) for product in products]
        texts = [search_text(product) for product in products]
        numbers = array("d")
        for product in products:
            numbers.extend(product_features(product))
        return cls(
            ids=pa.array([product.parent_asin for product in products], type=pa.large_string()),
            titles=pa.array([product.title for product in products], type=pa.large_string()),
            matrix=np.array(numbers, dtype=np.float32).reshape(-1, len(MATRIX_COLUMNS)),
            popularity=np.array([product.rating_number for product in products], dtype=np.int64),
            categories=pa.array(names, type=pa.large_string()).dictionary_encode(),
            lines=LineChunk.of(map(card_lines, products, card_words(texts))),
            words=WordChunk.of(
                [
                    f"{text} {product.title} {name}"
                    for text, product, name in zip(texts, products, names, strict=True)
                ]
            ),
        )

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.ids)
