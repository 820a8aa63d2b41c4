"""Whole catalogs: products drawn block by block, each as a member of a family, and written as JSON lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import joblib
import numpy as np
import orjson
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from experiments.generator.categories import Category, all_categories
from experiments.generator.details import draw_details
from experiments.generator.families import Family, make_family
from experiments.generator.grammar import expand
from experiments.generator.kinds import KINDS
from experiments.generator.lines import feature_lines, paragraphs
from experiments.generator.numbers import Figures, band_shares, draw_figures
from experiments.generator.sampling import Draws, Weighted
from experiments.generator.words import COLOR_FORMS, COLORS
from index.products import Product

GENERATOR_VERSION = 5
"""Goes up whenever the same numbers would give another catalog."""

_BLOCK = 2048
_WORTH_A_BAR = 4
"""Blocks from which on the making of a catalog takes long enough to be watched."""

_FAMILIES = 1.25
"""Families that a category can have, per product that it holds."""

_FAMILY_SKEW = 1.55
_RICH = (0.36, 0.47, 0.60, 0.76, 0.92)
"""Share of products in well-filled shops, by band of the number of ratings."""

_COLORED = (1.12, 1.0, 0.85, 0.65, 0.45)
"""How much likelier a listing names a color than its kind says, by band of the number of ratings."""

_COLORED_BY_MATERIAL = (1.16, 0.92)
"""The same, where the listing declares no common material and where it declares one."""

_IN_TITLE = 0.74
"""Share of named colors that stand in the title; the others have a line of their own."""

_MATERIAL_IN_TITLE = (0.84, 0.12)
"""Share of titles with the material, where no line says what the product is made of and where one does."""

_STORE_MISSING = 0.006
_COLORS = Weighted.of(COLORS)
_ALPHABET = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class _Shelves:
    """What all products of a catalog are drawn from: categories with their shares and bands of ratings."""

    categories: Sequence[Category]
    shares: NDArray[np.float64]
    bands: NDArray[np.float64]
    family: Callable[..., Family]

    @classmethod
    @lru_cache(maxsize=1)
    def stocked(cls, products: int, seed: int) -> _Shelves:
        """Return the shelves of one catalog, with the families made so far."""
        categories = all_categories()
        sizes = np.array([category.size for category in categories])
        heats = np.array([0.35 if c.kind == "mixed" else KINDS[c.kind].heat for c in categories])
        family = lru_cache(maxsize=8192)(partial(make_family, seed, products))
        return cls(categories, sizes / sizes.sum(), band_shares(heats, sizes), family)


def generate_products(products: int, seed: int) -> Iterator[Product]:
    """Yield a catalog of ``products`` products, settled by the two numbers and :data:`GENERATOR_VERSION`.

    Raises:
        ValueError: ``products`` or ``seed`` is negative.
    """
    for start in _block_starts(products, seed):
        yield from _block(products, seed, start)


def _block_starts(products: int, seed: int) -> range:
    if products < 0 or seed < 0:
        raise ValueError("the number of products and the seed must not be negative")
    return range(0, products, _BLOCK)


def _block(products: int, seed: int, start: int) -> Iterator[Product]:
    """Yield the products of one block of a catalog; no block depends on another."""
    shelves = _Shelves.stocked(products, seed)
    size = min(_BLOCK, products - start)
    generator = np.random.default_rng((seed, 0, start))
    draws = Draws(seed, 3, start)
    chosen = generator.choice(len(shelves.categories), size=size, p=shelves.shares)
    figures = draw_figures(generator, shelves.bands[chosen])
    for offset, (place, numbers) in enumerate(zip(chosen.tolist(), figures, strict=True)):
        category = shelves.categories[place]
        count = max(1.0, products * shelves.shares[place] * _FAMILIES / 2.0)
        number = int(count * draws.uniform() ** _FAMILY_SKEW)
        rich = draws.chance(_RICH[numbers.band])
        who = category.who[number % len(category.who)]
        family = shelves.family(category, who, (place, 2 * number + rich), rich)
        yield _product(_identifier(seed, start + offset), category, who, family, numbers, draws)


def write_catalog(path: str | Path, products: int, seed: int, console: Console | None = None) -> None:
    """Write the catalog of :func:`generate_products` to ``path``, one JSON object a line, all or nothing.

    Blocks are made on all cores; the bytes do not depend on how many there are. A bar on ``console`` shows
    how far it is.

    Raises:
        OSError: the file cannot be written.
        ValueError: ``products`` or ``seed`` is negative.
    """
    starts = _block_starts(products, seed)
    workers = min(joblib.cpu_count(), max(1, len(starts)))
    blocks = joblib.Parallel(n_jobs=workers, return_as="generator")(
        joblib.delayed(_encoded)(products, seed, start) for start in starts
    )
    quiet = console is None or len(starts) < _WORTH_A_BAR
    _write(path, track(blocks, "Generating", len(starts), console=console, disable=quiet))


def write_products(path: str | Path, products: Iterable[Product]) -> None:
    """Write given products to ``path``, one JSON object a line, all or nothing.

    Raises:
        OSError: the file cannot be written.
    """
    _write(path, (_encode(product) for product in products))


def _encoded(products: int, seed: int, start: int) -> bytes:
    return b"".join(map(_encode, _block(products, seed, start)))


def _encode(product: Product) -> bytes:
    return orjson.dumps(as_record(product), option=orjson.OPT_APPEND_NEWLINE)


def _write(path: str | Path, lines: Iterable[bytes]) -> None:
    path = Path(path)
    partial_file = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with partial_file.open("wb") as file:
            file.writelines(lines)
        partial_file.replace(path)
    finally:
        partial_file.unlink(missing_ok=True)


def as_record(product: Product) -> dict[str, object]:
    """Return ``product`` as the object that a catalog line holds."""
    return {
        "parent_asin": product.parent_asin,
        "title": product.title,
        "features": list(product.features),
        "description": list(product.description),
        "price": product.price,
        "categories": list(product.categories),
        "details": dict(product.details),
        "average_rating": product.average_rating,
        "rating_number": product.rating_number,
        "store": product.store,
    }


def _identifier(seed: int, place: int) -> str:
    """Return an id of ten signs; an odd multiplier spreads the places of a catalog without a repeat."""
    number = (place * 0x5DEECE66D + seed * 0x9E3779B1 + 11) % len(_ALPHABET) ** 8
    signs = []
    for _ in range(8):
        number, sign = divmod(number, len(_ALPHABET))
        signs.append(_ALPHABET[sign])
    return "B0" + "".join(reversed(signs))


def _product(
    identifier: str, category: Category, who: str, family: Family, figures: Figures, draws: Draws
) -> Product:
    color = _color(family, figures, draws)
    title = expand(family.title, draws, *family.banks)
    in_title = draws.chance(_IN_TITLE)
    features = feature_lines(family, figures.band, None if in_title else color, draws)
    material = family.material
    if material and draws.chance(_MATERIAL_IN_TITLE[family.composition in features]):
        title += f"{draws.pick((' in', '', ''))} {material.title()}"
    if color and in_title:
        title = f"{title} {_dressed(color, draws)}"
    elif draws.chance(0.12):
        title += expand(", {shade}", draws, *family.banks).title()
    return Product(
        parent_asin=identifier,
        title=title[:1].upper() + title[1:],
        features=features,
        description=paragraphs(family, draws),
        price=figures.price,
        categories=tuple(part.replace("{who}", who) for part in category.path),
        details=draw_details(family.maker, figures.listed, color, material, draws, family.banks),
        average_rating=figures.average_rating,
        rating_number=figures.rating_number,
        store=None if draws.chance(_STORE_MISSING) else family.store,
    )


def _color(family: Family, figures: Figures, draws: Draws) -> str | None:
    """Return the color as the listing names it, ``None`` where it names none."""
    if draws.chance(
        family.kind.color * _COLORED[figures.band] * _COLORED_BY_MATERIAL[family.material is not None]
    ):
        return draws.pick(COLOR_FORMS[_COLORS.draw(draws)])
    return None


def _dressed(color: str, draws: Draws) -> str:
    """Return a color as it stands at the end of a title."""
    form = draws.between(0, 4)
    if form == 0:
        return f"({color})"
    if form == 1:
        return f"- {color}"
    if form == 2:
        return f"({color}, {draws.pick(('Small', 'Medium', 'Large', '7', '8.5', '10', 'One Size'))})"
    return color
