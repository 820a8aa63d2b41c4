"""Sentences in place of the protocol's."""

from __future__ import annotations

import re
from collections.abc import Collection

from experiments.customers.customer import OPENINGS, Act, Speech, protocol_sentence
from experiments.perturbations.perturbation import Draw

REPLIES = (Act.ANSWER, Act.NO_MORE, Act.REFUSAL, Act.NOTHING_ASKED)

_WORD = re.compile(r"[\w%$'’./-]*\w[\w%$'’./-]*")
_IDLE = frozenset(("a", "an", "and", "the", "of", "for", "with", "in", "is", "to", "or", "on"))
_TERSE_WORDS = 2


def reworded(speech: Speech, draw: Draw, *, acts: Collection[Act]) -> str:
    """Return another sentence for one of ``acts``, the protocol's for all else."""
    if speech.act not in acts:
        return protocol_sentence(speech, 0)
    return _filled(draw.rng.choice(draw.bank.sentences[speech.act]), speech, "; ")


def natural(speech: Speech, draw: Draw) -> str:
    """Return a sentence as people talk, composed of parts."""
    bank = draw.bank.natural
    start, end = draw.rng.choice(bank["start"]), draw.rng.choice(bank["end"])
    match speech.act:
        case Act.BUYING:
            core = f"{draw.rng.choice(bank['want'])}, {draw.rng.choice(bank['must'])}"
        case Act.PREFERENCE:
            core = f"{draw.rng.choice(bank['want'])}, {draw.rng.choice(bank['like'])}"
        case Act.BROWSING:
            core = f"{draw.rng.choice(bank['want'])}, {draw.rng.choice(bank['browse'])}"
        case _:
            core = draw.rng.choice(bank[speech.act])
    said = _filled(core, speech, draw.rng.choice(bank["join"]))
    return f"{start} {said}{f', {end}' if end else ''}."


def terse(speech: Speech, draw: Draw) -> str:
    """Return two words of what is disclosed and next to nothing else."""
    words = _WORD.findall(" ".join(speech.constraints))
    telling = list(dict.fromkeys(word for word in words if word.lower() not in _IDLE)) or words
    said = " ".join(telling[:_TERSE_WORDS])
    if speech.act in OPENINGS:
        return f"{speech.category} {said}".strip()
    if speech.act is Act.ANSWER:
        return said
    short = draw.rng.choice(draw.bank.terse[speech.act])
    return f"{short} {said}".strip()


def _filled(sentence: str, speech: Speech, join: str) -> str:
    return sentence.format(
        category=speech.category,
        constraints=join.join(speech.constraints),
        attribute=speech.attribute.replace("_", " "),
    )
