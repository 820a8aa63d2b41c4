"""What the rewording perturbations draw from: one bank for training and development, one for held-out runs.

The banks share no entry, so that a planner fitted on one is measured on sentences it has not met. The bank
follows from the split of the seed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from experiments.customers.sessions import split_of

HELD_OUT_SPLIT = "held-out"

Variants = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Bank:
    """Wordings by what they are for; a slot in braces stands for what the shopper says.

    Attributes:
        sentences: by act, a sentence in place of the protocol's.
        natural: parts of sentences as people talk: by act, and ``start``, ``want``, ``end`` and ``join``.
        indirect: by class of constraint, a constraint said by way of something else.
        vague: by material word or class of constraint, a description that lacks the word.
        missing_category: under ``words``, what a shopper says who names no kind of product.
        renamed: other names for a word of a category.
        synonyms: other names for materials, colors and garments, all in lower case.
        around: greetings, thanks, fillers and rambling.
        terse: by act, an answer of a word or two.
    """

    sentences: Variants
    natural: Variants
    indirect: Variants
    vague: Variants
    missing_category: Variants
    renamed: Variants
    synonyms: Variants
    around: Variants
    terse: Variants


def bank_for(seed: int) -> Bank:
    """Return the bank of the split that ``seed`` belongs to.

    Raises:
        experiments.customers.sessions.SessionError: the seed lies in none.
    """
    return read_bank("held_out" if split_of(seed) == HELD_OUT_SPLIT else "training")


@cache
def read_bank(name: str) -> Bank:
    """Return the bank ``training`` or ``held_out``."""
    text = files("experiments.perturbations.banks").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return Bank(**tomllib.loads(text))
