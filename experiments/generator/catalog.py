"""Whole catalogs: products drawn block by block, each as a member of a family, and written as JSON lines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import orjson

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


def generate_products(products: int, seed: int) -> Iterator[Product]:
    """Yield a catalog of ``products`` products, settled by the two numbers and :data:`GENERATOR_VERSION`.

    Raises:
        ValueError: ``products`` or ``seed`` is negative.
    """
    if products < 0 or seed < 0:
        raise ValueError("the number of products and the seed must not be negative")
    categories = all_categories()
    sizes = np.array([category.size for category in categories])
    shares = sizes / sizes.sum()
    heats = np.array([0.35 if c.kind == "mixed" else KINDS[c.kind].heat for c in categories])
    bands = band_shares(heats, sizes)
    families = lru_cache(maxsize=8192)(make_family)
    for start in range(0, products, _BLOCK):
        size = min(_BLOCK, products - start)
        generator = np.random.default_rng((seed, 0, start))
        draws = Draws(seed, 3, start)
        chosen = generator.choice(len(categories), size=size, p=shares)
        figures = draw_figures(generator, bands[chosen])
        for offset, (place, numbers) in enumerate(zip(chosen.tolist(), figures, strict=True)):
            category = categories[place]
            count = max(1.0, products * shares[place] * _FAMILIES / 2.0)
            number = int(count * draws.uniform() ** _FAMILY_SKEW)
            rich = draws.chance(_RICH[numbers.band])
            who = category.who[number % len(category.who)]
            family = families(seed, products, category, who, (place, 2 * number + rich), rich)
            yield _product(_identifier(seed, start + offset), category, who, family, numbers, draws)


def write_catalog(path: str | Path, products: int, seed: int) -> None:
    """Write the catalog of :func:`generate_products` to ``path`` as :func:`write_products` does.

    Raises:
        OSError: the file cannot be written.
        ValueError: ``products`` or ``seed`` is negative.
    """
    write_products(path, generate_products(products, seed))


def write_products(path: str | Path, products: Iterable[Product]) -> None:
    """Write a catalog to ``path``, one JSON object a line, all or nothing.

    Raises:
        OSError: the file cannot be written.
    """
    path = Path(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with partial.open("wb") as lines:
            for product in products:
                lines.write(orjson.dumps(as_record(product), option=orjson.OPT_APPEND_NEWLINE))
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


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
