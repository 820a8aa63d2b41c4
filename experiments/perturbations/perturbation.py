"""A perturbation: pure functions that change what a customer knows, means or says, by a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from experiments.customers.customer import Shopper, Speech, protocol_sentence
from experiments.perturbations.banks import Bank, bank_for
from index.products import Product


@dataclass(frozen=True, slots=True)
class Draw:
    """The chances of one turn: a generator of its own, and the bank of wordings."""

    rng: random.Random
    bank: Bank


@dataclass(frozen=True, slots=True)
class Scene:
    """What a change of the shopper may look at.

    Attributes:
        product: the target.
        others: the shoppers of all sessions.
        draw: the session's chances.
    """

    product: Product
    others: Sequence[Shopper]
    draw: Draw


ShopperChange = Callable[[Shopper, Scene], Shopper]
SpeechChange = Callable[[Speech, Draw], Speech]
Wording = Callable[[Speech, Draw], str]
MessageChange = Callable[[str, Draw], str]


def _protocol_wording(speech: Speech, draw: Draw) -> str:
    return protocol_sentence(speech, 0)


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One way in which customers depart from the protocol.

    What a shopper wants is changed first, then what it means to say in a turn, then the sentence, then its
    letters. Each change is a pure function of what it is given, its chances included.

    Attributes:
        name: short, and the key of all random draws.
        what: what it does, in a few words.
        at_least: the score to reach, ``None`` where none is set.
        reference: the best score known of another agent, ``None`` where none is.
        beats_baselines: the score to reach is that of the best baseline of the same run.
        shopper: changes of what the shopper wants and knows.
        speech: changes of what a message is to say.
        wording: makes the sentence.
        message: changes of the sentence.
        cold: the targets are products that few have rated.
    """

    name: str
    what: str
    at_least: float | None = None
    reference: float | None = None
    beats_baselines: bool = False
    shopper: tuple[ShopperChange, ...] = ()
    speech: tuple[SpeechChange, ...] = ()
    wording: Wording = _protocol_wording
    message: tuple[MessageChange, ...] = ()
    cold: bool = False


@dataclass(frozen=True, slots=True)
class PerturbedVoice:
    """The voice of one shopper under a perturbation; drawn anew in each turn, alike in each run."""

    perturbation: Perturbation
    seed: int
    sample_id: str

    def __call__(self, speech: Speech, turn: int) -> str:
        """Return the message of ``turn``."""
        draw = _draw(self.perturbation, self.seed, self.sample_id, turn)
        for mean in self.perturbation.speech:
            speech = mean(speech, draw)
        message = self.perturbation.wording(speech, draw)
        for distort in self.perturbation.message:
            message = distort(message, draw)
        return message


def perturbed(
    perturbation: Perturbation, shoppers: Sequence[Shopper], products: Mapping[str, Product], seed: int
) -> list[Shopper]:
    """Return the shoppers under a perturbation.

    Args:
        perturbation: what happens to them.
        shoppers: as the protocol has them.
        products: by id; the targets must be among them.
        seed: chooses the bank (by its split) and the draws.

    Raises:
        experiments.customers.sessions.SessionError: the seed lies in no split.
    """
    changed = []
    for shopper in shoppers:
        name = shopper.session.sample_id
        scene = Scene(products[shopper.session.target], shoppers, _draw(perturbation, seed, name, 0))
        spoken = replace(shopper, voice=PerturbedVoice(perturbation, seed, name))
        for change in perturbation.shopper:
            spoken = change(spoken, scene)
        changed.append(spoken)
    return changed


def _draw(perturbation: Perturbation, seed: int, sample_id: str, turn: int) -> Draw:
    return Draw(random.Random(f"{perturbation.name}\0{seed}\0{sample_id}\0{turn}"), bank_for(seed))
