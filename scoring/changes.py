"""A change of mind: what the shopper took back counts less, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from index.attributes import COLOR_WORDS, MATERIAL_WORDS
from index.cards import ATTRIBUTES, constraint_class
from index.catalog import Catalog
from index.text import words as split_words
from scoring.config import TextConfig
from scoring.evidence import (
    CategoryNamed,
    Evidence,
    EvidenceItem,
    LinesSaid,
    PriceWanted,
    QuantityWanted,
    Retraction,
    Silence,
    Switch,
    Unwanted,
    Word,
    Words,
    WordsSaid,
)

_SIZE_WORDS = [
    "xs",
    "s",
    "m",
    "l",
    "xl",
    "xxl",
    "xxxl",
    "2xl",
    "3xl",
    "4xl",
    "5xl",
    "small",
    "medium",
    "large",
    "petite",
    "plus",
    "wide",
    "narrow",
]
_SIZE = ATTRIBUTES.index("size")
_BUDGET = ATTRIBUTES.index("budget")
_VALUES = {
    ATTRIBUTES.index("material"): frozenset(MATERIAL_WORDS),
    ATTRIBUTES.index("color"): frozenset(COLOR_WORDS),
    ATTRIBUTES.index("size"): _SIZE_WORDS,
}
"""By attribute, words that are values of it wherever they stand."""


def weakened(evidence: Evidence, catalog: Catalog, config: TextConfig) -> Evidence:
    """Return ``evidence`` with what the shopper took back by name, or wanted of another product, made weak.

    A retraction reaches back over what was said of its attribute and over its words; a switch to another
    product over all that was said of the first but a limit on the price.
    """
    found: list[EvidenceItem] = []
    for item in evidence:
        if isinstance(item, Switch):
            found = [part for old in found for part in _of_another(old, config.after_switch)]
        elif isinstance(item, Retraction):
            found = [part for old in found for part in _without(old, item, catalog, config.after_retraction)]
        found.append(item)
    return tuple(found)


def _of_another(item: EvidenceItem, share: float) -> Iterator[EvidenceItem]:
    """Yield ``item`` as evidence of a product that is no longer looked for."""
    match item:
        case LinesSaid() | WordsSaid() | Unwanted() | QuantityWanted():
            yield replace(item, strength=item.strength * share)
        case PriceWanted(least=least, most=most) if least > 0.0 and most < float("inf"):
            yield replace(item, strength=item.strength * share)
        case Silence():
            return  # the new product has yet to be asked about
        case _:
            yield item


def _without(
    item: EvidenceItem, taken_back: Retraction, catalog: Catalog, share: float
) -> Iterator[EvidenceItem]:
    """Yield the parts of ``item``: what was taken back, made weak, and the rest."""
    match item:
        case LinesSaid(lines=lines, words=heard):
            texts = [catalog.lines.text(line) for line in lines]
            classes = catalog.lines.classes[1][list(lines)].tolist()
            meant = _meant(
                [code == taken_back.attribute for code in classes], item.asked, taken_back.attribute
            )
            forms = _forms(taken_back.words)
            weak = [
                taken or not forms.isdisjoint(split_words(text))
                for taken, text in zip(meant, texts, strict=True)
            ]
            held = {
                word for taken, text in zip(weak, texts, strict=True) if taken for word in split_words(text)
            }
            weak_words = tuple(word for word in heard if word.text in held)
            rest_words = tuple(word for word in heard if word.text not in held)
            # What was taken back comes first: it is then no line that the rest has left out.
            for chosen, strength, said in (
                (True, item.strength * share, weak_words),
                (False, item.strength, rest_words),
            ):
                part = tuple(line for line, taken in zip(lines, weak, strict=True) if taken == chosen)
                if part:
                    yield replace(item, lines=part, words=said, strength=strength)
        case WordsSaid(words=heard):
            weak = _words_meant(heard, item.asked, taken_back)
            yield replace(item, words=_scaled(heard, weak, share))
        case Unwanted(words=heard):
            weak = _words_meant(heard, None, taken_back)
            for chosen, strength in ((True, item.strength * share), (False, item.strength)):
                words = tuple(word for word, taken in zip(heard, weak, strict=True) if taken == chosen)
                if words:
                    yield Unwanted(words, strength)
        case CategoryNamed(text=text, words=heard):
            weak = _words_meant(heard, None, taken_back)
            names = {word.text for word, taken in zip(heard, weak, strict=True) if taken}
            kept = [word for word in split_words(text) if word not in names]
            yield CategoryNamed(" ".join(kept), _scaled(heard, weak, share)) if names and kept else item
        case PriceWanted() if taken_back.attribute == _BUDGET:
            yield replace(item, strength=item.strength * share)
        case QuantityWanted() if taken_back.attribute == _SIZE:
            yield replace(item, strength=item.strength * share)
        case _:
            yield item


def _forms(words: Words) -> frozenset[str]:
    return frozenset(form for word in words for form in (*word.stands_for, *word.synonyms))


def _words_meant(heard: Words, asked: int | None, taken_back: Retraction) -> list[bool]:
    """Return for each word whether it was taken back."""
    forms = _forms(taken_back.words)
    of_attribute = [_is_value(word, taken_back.attribute) for word in heard]
    return [
        taken or not forms.isdisjoint(word.stands_for)
        for taken, word in zip(_meant(of_attribute, asked, taken_back.attribute), heard, strict=True)
    ]


def _meant(of_attribute: Iterable[bool], asked: int | None, attribute: int | None) -> list[bool]:
    """Return which parts of a reply are about ``attribute``.

    Where none is by itself, all are that were said when it was asked for.
    """
    parts = list(of_attribute)
    return [True] * len(parts) if attribute is not None and asked == attribute and not any(parts) else parts


def _is_value(word: Word, attribute: int | None) -> bool:
    if attribute is None:
        return False
    names = {word.text, *word.stands_for}
    if not names.isdisjoint(_VALUES.get(attribute, ())):
        return True
    return any(constraint_class(name, whole_words=True) == ATTRIBUTES[attribute] for name in names) and (
        ATTRIBUTES[attribute] != "feature"
    )


def _scaled(heard: Words, weak: list[bool], share: float) -> Words:
    return tuple(
        replace(word, strength=word.strength * share) if taken else word
        for word, taken in zip(heard, weak, strict=True)
    )
