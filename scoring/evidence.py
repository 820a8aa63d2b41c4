"""What a conversation has shown so far: a tuple of the items below, in order. Nothing deletes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from index.quantities import Kind

REQUIREMENT = -1
"""Asked code of a line named as the key requirement (the card's first slot)."""
PREFERENCE = -2
"""Asked code of a line mentioned in an opening that may be taken back (the card's last slot)."""
UNPROMPTED = -3
"""Asked code of a line said without any known reason (any slot)."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word that the shopper used.

    Attributes:
        text: as it was heard, normalised.
        stands_for: the words of the catalog that it is: itself, its other forms, or what it is a misspelling
            of.
        synonyms: other words of the catalog that mean nearly the same.
        strength: how sure that is, in [0, 1]; a factor on what the word is worth.
    """

    text: str
    stands_for: tuple[str, ...]
    synonyms: tuple[str, ...] = ()
    strength: float = 1.0


Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class ProfileTags:
    """What the shopper's profile says that it cares for: words, each once; known before it speaks."""

    words: Words


@dataclass(frozen=True, slots=True)
class Opening:
    """How the shopper opened: its form tells the scenario, as surely as ``strength`` in [0, 1] says."""

    form: Literal["requirement", "preference", "exploring", "free"]
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class CategoryNamed:
    """The kind of product that the shopper named, and the words of that name."""

    text: str
    words: Words = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class LinesSaid:
    """Spec lines that the shopper said.

    Attributes:
        asked: the code of the attribute that was asked (place in ``index.cards.ATTRIBUTES``), or one of
            :data:`REQUIREMENT`, :data:`PREFERENCE`, :data:`UNPROMPTED`.
        lines: ids in ``index.fingerprint.FingerprintIndex``.
        words: the words in which they were said, in case that not all is as it seems.
        strength: a factor in [0, 1] on what they are worth.
    """

    asked: int
    lines: tuple[int, ...]
    words: Words = field(default=(), compare=False)
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class WordsSaid:
    """Words in which the shopper said what matters, where they are no lines to the letter.

    Attributes:
        asked: as in :class:`LinesSaid`.
        words: the words, each once.
        strength: a factor in [0, 1] on what they are worth together.
    """

    asked: int
    words: Words
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Unwanted:
    """Words of what the product must not be or have; ``strength`` in [0, 1] is a factor on their worth."""

    words: Words
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class PriceWanted:
    """What the product may cost, in the catalog's currency; as sure as ``strength`` in [0, 1] says."""

    least: float
    most: float
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class QuantityWanted:
    """A length, weight, volume or size of the product (:mod:`index.quantities`), in its kind's own unit.

    ``least`` and ``most`` are one where no range was named; ``strength`` is as for a price.
    """

    kind: Kind
    least: float
    most: float
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Silence:
    """The shopper had nothing (more) to say on the attribute asked."""

    asked: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """The shopper left the attribute asked to the agent, without saying whether it has a constraint there."""

    asked: int


@dataclass(frozen=True, slots=True)
class Override:
    """The shopper took back what it wanted before, without saying what of it."""


@dataclass(frozen=True, slots=True)
class Retraction:
    """The shopper took back what it said of one attribute, or certain words.

    Attributes:
        attribute: code of the attribute, ``None`` where none was named.
        words: the words taken back.
    """

    attribute: int | None
    words: Words = ()


@dataclass(frozen=True, slots=True)
class Switch:
    """The shopper wants another kind of product than before; what follows is about that one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Rows shown in one turn and not taken."""

    rows: tuple[int, ...]


EvidenceItem = (
    ProfileTags
    | Opening
    | CategoryNamed
    | LinesSaid
    | WordsSaid
    | Unwanted
    | PriceWanted
    | QuantityWanted
    | Silence
    | Refusal
    | Override
    | Retraction
    | Switch
    | Shown
)
Evidence = tuple[EvidenceItem, ...]


def since_switch(evidence: Evidence) -> Evidence:
    """Return the items since the shopper last turned to another product; all where it never has."""
    last = max((place for place, item in enumerate(evidence) if isinstance(item, Switch)), default=0)
    return evidence[last:]


def is_noisy(evidence: Evidence) -> bool:
    """Return whether the shopper has said anything that is no line to the letter."""
    return any(isinstance(item, WordsSaid) and item.words for item in evidence)
