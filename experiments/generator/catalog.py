"""Whole catalogs: products drawn block by block, each as a member of a family, and written as JSON lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import orjson

from experiments.generator.categories import Category, all_categories
from experiments.generator.details import draw_details
from experiments.generator.families import Family, make_bullet, make_family, make_sentence
from experiments.generator.grammar import OPENINGS, expand
from experiments.generator.kinds import KINDS
from experiments.generator.numbers import Figures, draw_figures
from experiments.generator.sampling import Draws, Weighted
from experiments.generator.words import COLOR_FORMS, COLORS
from index.products import Product

GENERATOR_VERSION = 1
"""Goes up whenever the same numbers would give another catalog."""

_BLOCK = 2048
_FAMILIES = 1.25
_FAMILY_SKEW = 1.55
_RICH = (0.36, 0.46, 0.58, 0.68, 0.80)
"""Share of products in well-filled shops, by band of the number of ratings."""

_COLORED = (1.12, 1.0, 0.85, 0.65, 0.45)
_NO_FEATURES = (0.135, 0.095, 0.07, 0.05, 0.03)
_COUNTS = Weighted.of(
    {1: 5.0, 2: 6.5, 3: 9.5, 4: 18.0, 5: 27.0, 6: 12.0, 7: 7.5, 8: 4.5, 9: 2.6, 10: 1.4, 12: 0.6}
)
_MORE = (0.0, 0.05, 0.25, 0.6, 0.8)
_DESCRIBED = 0.522
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
    heats = heats / (heats * shares).sum()
    families = lru_cache(maxsize=8192)(make_family)
    for start in range(0, products, _BLOCK):
        size = min(_BLOCK, products - start)
        generator = np.random.default_rng((seed, 0, start))
        draws = Draws(seed, 3, start)
        chosen = generator.choice(len(categories), size=size, p=shares)
        figures = draw_figures(generator, heats[chosen])
        for offset, (place, numbers) in enumerate(zip(chosen.tolist(), figures, strict=True)):
            category = categories[place]
            count = max(1.0, products * shares[place] * _FAMILIES / 2.0)
            number = int(count * draws.uniform() ** _FAMILY_SKEW)
            rich = draws.chance(_RICH[numbers.band])
            who = category.who[number % len(category.who)]
            family = families(seed, products, category.kind, who, (place, 2 * number + rich), rich)
            yield _product(_identifier(seed, start + offset), category, who, family, numbers, draws)


def write_catalog(path: Path, products: int, seed: int) -> None:
    """Write the catalog of :func:`generate_products` to ``path``, one JSON object a line, all or nothing.

    Raises:
        OSError: the file cannot be written.
    """
    path = Path(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with partial.open("wb") as lines:
        for product in generate_products(products, seed):
            lines.write(orjson.dumps(as_record(product), option=orjson.OPT_APPEND_NEWLINE))
    partial.replace(path)


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
    shown = draws.chance(0.74)
    form = draws.pick(COLOR_FORMS[color]) if color else None
    if form and shown:
        title = f"{title} {_dressed(form, draws)}"
    elif draws.chance(0.12):
        title += expand(", {shade}", draws, *family.banks).title()
    features = _features(family, figures, None if shown else form, draws)
    details = draw_details(family.maker, figures.listed, form, family.material, draws, family.banks)
    return Product(
        parent_asin=identifier,
        title=title[:1].upper() + title[1:],
        features=features,
        description=_description(family, draws),
        price=figures.price,
        categories=tuple(part.replace("{who}", who) for part in category.path),
        details=details,
        average_rating=figures.average_rating,
        rating_number=figures.rating_number,
        store=None if draws.chance(_STORE_MISSING) else family.store,
    )


def _color(family: Family, figures: Figures, draws: Draws) -> str | None:
    if draws.chance(family.kind.color * _COLORED[figures.band]):
        return _COLORS.draw(draws)
    return None


def _dressed(color: str, draws: Draws) -> str:
    form = draws.between(0, 4)
    if form == 0:
        return f"({color})"
    if form == 1:
        return f"- {color}"
    if form == 2:
        return f"({color}, {draws.pick(('Small', 'Medium', 'Large', '7', '8.5', '10', 'One Size'))})"
    return color


def _features(family: Family, figures: Figures, color: str | None, draws: Draws) -> tuple[str, ...]:
    """Return the feature lines: short conventional ones first, then bullets."""
    if draws.chance(_NO_FEATURES[figures.band] * (0.6 if family.rich else 1.3)):
        return ()
    wanted = _COUNTS.draw(draws)
    if wanted < 4 and draws.chance(_MORE[figures.band]):
        wanted += 3
    lines = _standard_lines(family, draws)[:wanted]
    if color:
        lines.append(f"Color: {color}")
    for place in range(max(0, wanted - len(lines))):
        if place < len(family.bullets) and draws.chance(0.45):
            bullet = expand(family.bullets[place], draws, *family.banks)
        else:
            bullet = make_bullet(family.kind.domain, family.voice, draws, family.banks)
        lines.append(bullet)
    return tuple(lines)


def _standard_lines(family: Family, draws: Draws) -> list[str]:
    domain = family.kind.domain
    full = 1.25 if family.rich else 0.8
    lines = []
    if domain == "apparel":
        wishes = (
            (family.composition, 0.70),
            (family.origin, 0.52),
            (family.closure, 0.62),
            (family.care, 0.66),
        )
    elif domain == "footwear":
        wishes = (
            (family.composition, 0.50),
            (family.origin, 0.34),
            (family.sole, 0.72),
            (_height(draws), 0.22),
        )
    elif domain == "bag":
        wishes = (
            (family.composition, 0.40),
            (family.origin, 0.24),
            (family.lining, 0.30),
            (family.closure, 0.34),
        )
    elif domain == "accessory":
        wishes = (
            (family.composition, 0.46),
            (family.origin, 0.28),
            (family.closure, 0.34),
            (family.care, 0.22),
        )
    else:
        wishes = (
            (family.composition, 0.14),
            (family.origin, 0.13),
            (family.lining, 0.0),
            (family.closure, 0.1),
        )
    for line, share in wishes:
        if line and draws.chance(share * full):
            lines.append(line)
    return lines


def _height(draws: Draws) -> str:
    part = draws.pick(("Heel", "Shaft", "Platform", "Heel", "Boot opening"))
    inches = draws.between(1, 60) / 4
    if part == "Shaft":
        return (
            f"Shaft measures approximately {draws.pick(('ankle-high', 'low-top', f'{inches:g}'))} from arch"
        )
    return f'{part} measures approximately {inches:g}"' + (" around" if part == "Boot opening" else "")


def _description(family: Family, draws: Draws) -> tuple[str, ...]:
    if not draws.chance(_DESCRIBED):
        return ()
    paragraphs = 1 if draws.chance(0.75) else draws.between(2, 4)
    return tuple(
        " ".join(
            make_sentence(family.kind.domain, draws, family.banks) if part == "{sentence}" else part
            for part in expand(draws.pick(OPENINGS), draws, *family.banks)
            .replace("{sentence}", "\0{sentence}\0")
            .split("\0")
        ).strip()
        for _ in range(paragraphs)
    )
