"""The product record that every reader yields and every index is built from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Product:
    """One product of a catalog, with every field in its declared type.

    Attributes:
        parent_asin: the product's id, never empty.
        title: its name; empty where unknown.
        features: feature lines in the catalog's order.
        description: description paragraphs.
        price: as the catalog gave it (``int`` and ``float`` print differently), ``None`` where unknown.
        categories: category path, root first.
        details: detail values by key; a value may be a text, a number or a nested mapping.
        average_rating: 0 to 5, ``None`` where unknown.
        rating_number: number of ratings, 0 where unknown.
        store: brand or seller, ``None`` where unknown.
    """

    parent_asin: str
    title: str = ""
    features: tuple[str, ...] = ()
    description: tuple[str, ...] = ()
    price: float | int | None = None
    categories: tuple[str, ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)
    average_rating: float | None = None
    rating_number: int = 0
    store: str | None = None


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
