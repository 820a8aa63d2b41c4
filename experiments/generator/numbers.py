"""The numbers of a product: reviews, rating, price, date of listing, measures."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

RATING_EDGES = (1, 10, 50, 200, 1000)
RATING_BANDS = (0.450, 0.276, 0.154, 0.090, 0.0307)
"""Share of products by number of ratings, from the edge of the same place up to the next one."""

TOP_SHAPE = 0.67
"""Pareto shape of the number of ratings above the last edge."""

TOP_LIMIT = 110_000
_TILTS = (0.0, 0.05, 0.25, 0.6, 1.0)
_CURVES = (0.55, 1.18, 1.05, 1.06)
PRICED = (0.125, 0.185, 0.29, 0.40, 0.60)
"""Share of products with a price, by band of the number of ratings."""

PRICE_EDGES = (3.0, 10.0, 25.0, 50.0, 100.0, 420.0)
PRICE_BANDS = (
    (0.130, 0.390, 0.260, 0.130, 0.090),
    (0.130, 0.440, 0.255, 0.110, 0.065),
    (0.125, 0.455, 0.255, 0.100, 0.065),
    (0.110, 0.480, 0.255, 0.095, 0.060),
    (0.100, 0.500, 0.270, 0.090, 0.040),
)
"""Share of prices between one edge and the next, by band of the number of ratings."""

_GOOD = np.array([0.015, 0.020, 0.045, 0.130, 0.790])
_POOR = np.array([0.42, 0.16, 0.14, 0.11, 0.17])
_YEARS = np.arange(2005, 2024)
_YEAR_WEIGHTS = np.array([2, 2, 3, 4, 5, 7, 9, 13, 18, 23, 32, 46, 62, 78, 95, 100, 105, 88, 40], dtype=float)
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of one product.

    Attributes:
        rating_number: number of ratings, at least 1.
        band: its place among :data:`RATING_BANDS`, 0 to 4.
        average_rating: 1.0 to 5.0 in steps of a tenth.
        price: in dollars, ``None`` where not given.
        listed: day of listing, as ``April 16, 2019``.
    """

    rating_number: int
    band: int
    average_rating: float
    price: float | None
    listed: str


def band_shares(heats: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (K, 5) the share of each band of :data:`RATING_BANDS` in each of K categories.

    ``heats`` (K,) says how much likelier than elsewhere a product of the category is to have a thousand
    ratings or more; lower bands are tilted by roots of it. Over a catalog whose categories have the ``sizes``
    (K,) the bands keep their shares.
    """
    tilts = heats[:, None] ** np.array(_TILTS)
    tilts = tilts / (sizes / sizes.sum() @ tilts)
    upper = (tilts * np.array(RATING_BANDS))[:, 1:]
    return np.hstack([1.0 - upper.sum(axis=1, keepdims=True), upper])


def draw_figures(generator: np.random.Generator, bands: NDArray[np.float64]) -> list[Figures]:
    """Return the numbers of N products; ``bands`` (N, 5) has the share of each band for each of them."""
    size = len(bands)
    drawn = generator.random(size)[:, None]
    band = np.minimum((drawn >= np.cumsum(bands, axis=1)).sum(axis=1), len(RATING_BANDS) - 1)
    number = _rating_numbers(generator, band)
    average = _average_ratings(generator, number)
    price = _prices(generator, band)
    listed = _dates(generator, size)
    return [
        Figures(n, b, a, None if p < 0 else p, day)
        for n, b, a, p, day in zip(
            number.tolist(), band.tolist(), average.tolist(), price.tolist(), listed, strict=True
        )
    ]


def _rating_numbers(generator: np.random.Generator, band: NDArray[np.int64]) -> NDArray[np.int64]:
    drawn = generator.random(len(band))
    edges = np.array(RATING_EDGES, dtype=float)
    low = edges[band]
    high = np.append(edges, TOP_LIMIT)[band + 1]
    curve = np.append(np.array(_CURVES), 1.0)[band]
    inner = low * (high / low) ** (drawn**curve)
    top = edges[-1] * (1.0 - drawn * (1.0 - (edges[-1] / TOP_LIMIT) ** TOP_SHAPE)) ** (-1.0 / TOP_SHAPE)
    return np.where(band == len(edges) - 1, top, inner).astype(np.int64)


def _average_ratings(generator: np.random.Generator, number: NDArray[np.int64]) -> NDArray[Any]:
    good = generator.beta(4.0, 1.35, len(number))[:, None]
    stars = generator.multinomial(number, good * _GOOD + (1.0 - good) * _POOR)
    return np.round(stars @ np.arange(1, 6) / number, 1)


def _prices(generator: np.random.Generator, band: NDArray[np.int64]) -> NDArray[np.float64]:
    size = len(band)
    given = generator.random(size) < np.array(PRICED)[band]
    bounds = np.cumsum(np.array(PRICE_BANDS), axis=1)[band]
    step = np.minimum((generator.random(size)[:, None] >= bounds / bounds[:, -1:]).sum(axis=1), 4)
    edges = np.array(PRICE_EDGES)
    low, high = edges[step], edges[step + 1]
    amount = low * (high / low) ** generator.random(size)
    cents = generator.choice(
        [0.99, 0.95, 0.0, 0.5, 0.97, -1.0], size=size, p=[0.45, 0.13, 0.08, 0.04, 0.03, 0.27]
    )
    amount = np.where(cents < 0, amount, np.maximum(np.floor(amount), low) + np.maximum(cents, 0.0))
    return np.where(given, np.round(np.minimum(amount, high - 0.01), 2), -1.0)


def _dates(generator: np.random.Generator, size: int) -> Sequence[str]:
    years = generator.choice(_YEARS, size=size, p=_YEAR_WEIGHTS / _YEAR_WEIGHTS.sum()).tolist()
    months = generator.integers(0, 12, size).tolist()
    passed = generator.random(size).tolist()
    return [
        f"{MONTHS[m]} {1 + int(part * monthrange(y, m + 1)[1])}, {y}"
        for y, m, part in zip(years, months, passed, strict=True)
    ]
