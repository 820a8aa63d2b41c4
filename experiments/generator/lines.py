"""The lines of one listing: features, the conventional short ones first, and paragraphs of description."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.generator.families import Family, make_bullet, make_sentence
from experiments.generator.grammar import OPENINGS, expand
from experiments.generator.sampling import Draws, Weighted

_NO_FEATURES = (0.135, 0.095, 0.07, 0.05, 0.03)
"""Share of listings without features, by band of the number of ratings."""

_NO_FEATURES_BY_SHOP = (1.3, 0.6)
_COUNTS = Weighted.of(
    {1: 5.0, 2: 8.5, 3: 13.2, 4: 15.6, 5: 24.0, 6: 15.5, 7: 11.0, 8: 6.5, 9: 4.0, 10: 1.9, 12: 0.8}
)
"""Weights of the number of features of a listing."""

_MORE = (0.0, 0.05, 0.25, 0.6, 0.8)
"""Probability that a listing with fewer than four features has three more, by band of the ratings."""

_COMPLETE = (0.56, 0.59, 0.62, 0.68, 0.75)
"""Share of listings that have nearly all standard lines, by band of the number of ratings."""

_FULL, _SPARSE = 1.7, 0.58
"""What the probability of a standard line is multiplied by in a complete listing and in another."""

_STANDARD_LINES = {
    "apparel": {"composition": 1.1, "origin": 0.375, "closure": 0.60, "care": 0.66},
    "footwear": {"composition": 0.56, "origin": 0.24, "sole": 1.04, "height": 0.22},
    "bag": {"composition": 0.56, "origin": 0.20, "lining": 0.30, "closure": 0.28},
    "accessory": {"composition": 0.56, "origin": 0.28, "closure": 0.28, "care": 0.22},
    "jewelry": {"composition": 0.14, "origin": 0.13},
    "watch": {"composition": 0.14, "origin": 0.13},
    "eyewear": {"composition": 0.14, "origin": 0.13},
}
"""Standard lines in the order in which they stand, with their probabilities."""

_OF_FAMILY = 0.43
"""Share of bullets that a listing takes from its family."""

_DESCRIBED = 0.522
_ONE_PARAGRAPH = 0.75
_TOLD = Weighted.of({0: 0.45, 1: 0.15, 2: 0.15, 4: 0.13, 7: 0.08, 12: 0.04})
"""Weights of the number of sentences that a paragraph has beyond its opening."""

_HEIGHTS = {"Heel": (2, 20), "Shaft": (12, 72), "Platform": (1, 12), "Boot opening": (36, 72)}
"""What is measured of a shoe, with the usual range in quarters of an inch."""


def feature_lines(family: Family, band: int, color: str | None, draws: Draws) -> tuple[str, ...]:
    """Return the features of a listing of ``family``; a ``color`` has a line of its own.

    ``band`` is that of the number of ratings: listings of well-sold products have more lines.
    """
    if draws.chance(_NO_FEATURES[band] * _NO_FEATURES_BY_SHOP[family.rich]):
        return ()
    wanted = _COUNTS.draw(draws)
    if wanted < 4 and draws.chance(_MORE[band]):
        wanted += 3
    lines = list(_standard_lines(family, band, draws))[:wanted]
    if color:
        more = expand(", {shade}, {shade}", draws, *family.banks) if draws.chance(0.6) else ""
        lines.append(f"Color: {color}{more}")
    for place in range(max(0, wanted - len(lines))):
        if place < len(family.bullets) and draws.chance(_OF_FAMILY):
            lines.append(expand(family.bullets[place], draws, *family.banks))
        else:
            lines.append(make_bullet(family.kind.domain, family.voice, draws, family.banks))
    return tuple(lines)


def paragraphs(family: Family, draws: Draws) -> tuple[str, ...]:
    """Return the description of a listing of ``family``, empty for nearly half of them."""
    if not draws.chance(_DESCRIBED):
        return ()
    count = 1 if draws.chance(_ONE_PARAGRAPH) else draws.between(2, 4)
    return tuple(_paragraph(family, draws) for _ in range(count))


def _paragraph(family: Family, draws: Draws) -> str:
    form = draws.pick(OPENINGS) + " {sentence}" * _TOLD.draw(draws)
    opening, *rest = expand(form, draws, *family.banks).split("{sentence}")
    return opening + "".join(
        make_sentence(family.kind.domain, draws, family.banks) + between for between in rest
    )


def _standard_lines(family: Family, band: int, draws: Draws) -> Iterator[str]:
    full = _FULL if draws.chance(_COMPLETE[band]) else _SPARSE
    for name, probability in _STANDARD_LINES[family.kind.domain].items():
        line = _height(draws) if name == "height" else getattr(family, name)
        if line and draws.chance(probability * full):
            yield line


def _height(draws: Draws) -> str:
    part = draws.pick(tuple(_HEIGHTS))
    inches = f"{draws.between(*_HEIGHTS[part]) / 4:g}"
    if part == "Shaft":
        return f"Shaft measures approximately {draws.pick(('ankle-high', 'low-top', inches))} from arch"
    return f'{part} measures approximately {inches}"' + (" around" if part == "Boot opening" else "")
