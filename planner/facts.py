"""What a person is shown of a product, read from the catalog's arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.catalog import MATRIX_COLUMNS, Catalog
from planner.wording import shortened

_LONGEST_TITLE = 160
_REVIEWS, _PRICED, _PRICE, _RATING = map(
    MATRIX_COLUMNS.index, ("log_reviews", "has_price", "log_price", "rating")
)


@dataclass(frozen=True, slots=True)
class ProductFacts:
    """A product for display; texts are on one line and free of control characters.

    Attributes:
        row: its catalog row.
        id: its id.
        title: its name; the id where it has none.
        kind: its category phrase.
        price: ``None`` where unknown.
        rating: 0 to 5; ``None`` where unknown.
        ratings: how many have rated it.
    """

    row: int
    id: str
    title: str
    kind: str
    price: float | None
    rating: float | None
    ratings: int


def product_facts(catalog: Catalog, row: int) -> ProductFacts:
    """Return what is shown of the product in a catalog row; prices to the cent."""
    numbers = catalog.matrix[row].astype(np.float64)
    name = str(catalog.ids[row].as_py())
    return ProductFacts(
        row=row,
        id=name,
        title=shortened(str(catalog.titles[row].as_py()), _LONGEST_TITLE) or name,
        kind=catalog.categories.phrases[int(catalog.categories.of_product[row])],
        price=round(float(np.expm1(numbers[_PRICE])), 2) if numbers[_PRICED] else None,
        rating=round(float(numbers[_RATING]), 1) or None,
        ratings=round(float(np.expm1(numbers[_REVIEWS]))),
    )


def product_lines(catalog: Catalog, row: int, length: int) -> list[str]:
    """Return the spec lines of a product in card order, each shortened to ``length`` characters."""
    return [shortened(catalog.lines.text(line), length) for line in catalog.lines.of_product[row].tolist()]
