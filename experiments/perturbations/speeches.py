"""Changes of what a message is to say: its category and its constraints."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from experiments.customers.customer import Speech
from experiments.perturbations.perturbation import Draw
from index.cards import MATERIALS, clean_line, constraint_class

_BUDGET = "budget around "
_HEADING = re.compile(r"^\W*[^:：】\])]{2,40}[:：】\])]\s*(?=\S)")
_EDGE_SIGNS = re.compile(r"^[^\w\"'“$#]+|[^\w\"'”%)]+$")
_WORDS = re.compile(r"[^\W\d_]{4,}")


def words_dropped(speech: Speech, draw: Draw, *, share: float) -> Speech:
    """Lose each word of a constraint with probability ``share``; one always stays."""

    def drop(constraint: str) -> str:
        words = constraint.split()
        kept = [word for word in words if draw.rng.random() >= share]
        return " ".join(kept or [draw.rng.choice(words)])

    return _with_each_constraint(speech, drop)


def category_reordered(speech: Speech, draw: Draw) -> Speech:
    """Say the words of the category in another order."""
    words = speech.category.split()
    order = words.copy()
    while len(set(words)) > 1 and order == words:
        draw.rng.shuffle(order)
    return replace(speech, category=" ".join(order))


def category_renamed(speech: Speech, draw: Draw) -> Speech:
    """Say other names for the words of the category.

    Where none has another name, the last one changes its number.
    """
    words = speech.category.split()
    renamed = [draw.rng.choice(draw.bank.renamed.get(word, (word,))) for word in words]
    if words and renamed == words:
        renamed[-1] = words[-1][:-1] if words[-1].endswith("s") else f"{words[-1]}s"
    return replace(speech, category=" ".join(word for word in renamed if word != "&"))


def category_missing(speech: Speech, draw: Draw) -> Speech:
    """Name no kind of product."""
    return replace(speech, category=draw.rng.choice(draw.bank.missing_category["words"]))


def cut(speech: Speech, draw: Draw, *, length: int) -> Speech:
    """Cut each constraint at ``length`` characters."""
    return _with_each_constraint(speech, lambda constraint: clean_line(constraint[:length]))


def indirect(speech: Speech, draw: Draw) -> Speech:
    """Say each constraint by way of something else."""
    return _with_each_constraint(speech, lambda constraint: _indirect(constraint, draw))


def vague(speech: Speech, draw: Draw) -> Speech:
    """Say each constraint as someone does who lacks the word for it."""
    return _with_each_constraint(speech, lambda constraint: _vague(constraint, draw))


def _indirect(constraint: str, draw: Draw) -> str:
    if constraint.startswith(_BUDGET):
        slot = {"amount": constraint.removeprefix(_BUDGET)}
        kind = "budget"
    else:
        kind = constraint_class(constraint)
        bare = _EDGE_SIGNS.sub("", _HEADING.sub("", constraint))
        slot = {"value": bare or constraint}
        if kind == "budget":  # an amount within a line: said as the line it is
            kind = "feature"
    return draw.rng.choice(draw.bank.indirect[kind]).format(**slot)


def _vague(constraint: str, draw: Draw) -> str:
    kind = constraint_class(constraint)
    lowered = constraint.lower()
    if kind == "material":
        kind = min((word for word in MATERIALS if word in lowered), key=lowered.index, default=kind)
    words = _WORDS.findall(constraint) or [constraint]
    return draw.rng.choice(draw.bank.vague[kind]).format(word=draw.rng.choice(words).lower())


def _with_each_constraint(speech: Speech, change: Callable[[str], str]) -> Speech:
    return replace(speech, constraints=tuple(map(change, speech.constraints)))
