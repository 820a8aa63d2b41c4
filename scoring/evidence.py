"""What a conversation has shown so far: a tuple of the items below, in order. Nothing deletes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

REQUIREMENT = -1
"""Asked code of a line named as the key requirement (the card's first slot)."""
PREFERENCE = -2
"""Asked code of a line mentioned in an opening that may be taken back (the card's last slot)."""
UNPROMPTED = -3
"""Asked code of a line said without any known reason (any slot)."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How the shopper opened: its form tells the scenario."""

    form: Literal["requirement", "preference", "exploring", "free"]


@dataclass(frozen=True, slots=True)
class CategoryNamed:
    """The kind of product that the shopper named."""

    text: str


@dataclass(frozen=True, slots=True)
class LinesSaid:
    """Spec lines that the shopper said.

    Attributes:
        asked: the code of the attribute that was asked (place in ``index.cards.ATTRIBUTES``), or one of
            :data:`REQUIREMENT`, :data:`PREFERENCE`, :data:`UNPROMPTED`.
        lines: ids in ``index.fingerprint.FingerprintIndex``.
    """

    asked: int
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Silence:
    """The shopper had nothing (more) to say on the attribute asked."""

    asked: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """The shopper left the attribute asked to the agent, without saying whether it has a constraint there."""

    asked: int


@dataclass(frozen=True, slots=True)
class FreeText:
    """Words that are no line the catalog can say."""

    text: str


@dataclass(frozen=True, slots=True)
class Override:
    """The shopper took back what it wanted before."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Rows shown in one turn and not taken."""

    rows: tuple[int, ...]


EvidenceItem = Opening | CategoryNamed | LinesSaid | Silence | Refusal | FreeText | Override | Shown
Evidence = tuple[EvidenceItem, ...]
