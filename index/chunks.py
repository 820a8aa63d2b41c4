"""A run of products as small arrays, from which an index is put together."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from index.card_columns import card_words
from index.cards import bare_line, category_words, clean_line, cut_line, raw_lines
from index.fingerprint import LineChunk
from index.lexical import WordChunk
from index.postings import Postings
from index.products import Product
from index.tokens import TextTable

MATRIX_COLUMNS = ("log_reviews", "has_price", "log_price", "rating", "has_features", "many_features")
_MANY_FEATURES = 4
_NO_LINE = -1


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
        table = TextTable()
        number = table.numbers.__getitem__
        bare = cache(bare_line)

        @cache
        def split(text: str) -> int:
            """Return the number of a text with the same words: as bare as its line, so that both are one."""
            return number(text if "&" in text else bare(text))

        @cache
        def line(text: str) -> int:
            said = cut_line(bare(text))
            return number(said) if said else _NO_LINE

        joined, kind = cache(" ".join), cache(category_words)

        flat, starts = array("i"), array("q", [0])
        for product in products:
            flat.append(number(product.title))
            flat.extend(map(split, product.features))
            flat.extend([split(f"{key}: {value}") for key, value in product.details.items()])
            flat.extend(map(number, product.description))
            path = product.categories
            flat.extend(map(number, (joined(path), product.store or "", product.title, kind(path))))
            starts.append(len(flat))
        said = Postings(np.array(starts), np.array(flat))
        tokens = table.tokens()
        texts = list(table.numbers)
        names = [texts[place] for place in said.values[said.starts[1:] - 1].tolist()]
        flat, starts = array("i"), array("q", [0])
        for product, material, color in zip(products, *card_words(texts, tokens, said), strict=True):
            lines = dict.fromkeys(map(line, raw_lines(product, material, color)))
            lines.pop(_NO_LINE, None)
            flat.extend(lines or (number(clean_line(product.title)),))
            starts.append(len(flat))
        numbers = array("d")
        for product in products:
            numbers.extend(product_features(product))
        return cls(
            ids=pa.array([product.parent_asin for product in products], type=pa.large_string()),
            titles=pa.array([product.title for product in products], type=pa.large_string()),
            matrix=np.array(numbers, dtype=np.float32).reshape(-1, len(MATRIX_COLUMNS)),
            popularity=np.array([product.rating_number for product in products], dtype=np.int64),
            categories=pa.array(names, type=pa.large_string()).dictionary_encode(),
            lines=LineChunk.of(table, Postings(np.array(starts), np.array(flat))),
            words=WordChunk.of(tokens.vocabulary, tokens.words.of_each(said)),
        )

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.ids)
