"""The product record that every reader yields and every index is built from."""

from __future__ import annotations

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
