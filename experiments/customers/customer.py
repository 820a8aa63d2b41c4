"""The simulated customer: a shopper who wants one product and speaks as the shopping protocol says."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from experiments.customers.sessions import Session
from index.cards import ATTRIBUTES, IntentCard, category_words, constraint_class, intent_card
from index.products import Product

CONSTRAINTS_PER_REPLY = 2
OVERRIDE_TURNS = (3, 4)

OTHER = "other"


class Act(StrEnum):
    """What a message of the customer does."""

    BUYING = "buying"
    PREFERENCE = "preference"
    BROWSING = "browsing"
    ANSWER = "answer"
    NO_MORE = "no_more"
    REFUSAL = "refusal"
    NOTHING_ASKED = "nothing_asked"
    OVERRIDE = "override"


OPENINGS = (Act.BUYING, Act.PREFERENCE, Act.BROWSING)


@dataclass(frozen=True, slots=True)
class Speech:
    """What the customer means to say in one turn.

    Attributes:
        act: what the message does.
        category: the words for the kind of product; openings name it.
        constraints: what is disclosed.
        attribute: what a refusal is about.
    """

    act: Act
    category: str = ""
    constraints: tuple[str, ...] = ()
    attribute: str = ""


Voice = Callable[[Speech, int], str]
"""How a customer words what it means to say in a turn."""


def protocol_sentence(speech: Speech, turn: int) -> str:
    """Return the sentence of the shopping protocol; it is the same in every ``turn``."""
    said = "; ".join(speech.constraints)
    match speech.act:
        case Act.BUYING:
            return f"I'm looking for {speech.category}. A key requirement is: {said}."
        case Act.PREFERENCE:
            return f"I'm looking for {speech.category}. {said}"
        case Act.BROWSING:
            return f"I'm looking for {speech.category}, but I'm still exploring."
        case Act.OVERRIDE:
            return f"Actually, ignore my earlier preference. What I need is: {said}."
        case Act.NOTHING_ASKED:
            return "Those options are not quite right yet. Ask me about one specific attribute."
        case Act.REFUSAL:
            return f"I don't have a preference for {speech.attribute}; please use your judgment."
        case Act.NO_MORE:
            return f"I don't have an additional preference for {speech.attribute}."
        case Act.ANSWER:
            return f"For that, what matters is: {said}."


@dataclass(frozen=True, slots=True)
class Shopper:
    """A session with what its shopper can say about the target.

    Attributes:
        session: whom and what it is about.
        category: the words for the kind of product.
        card: the constraints.
        override_turn: the turn whose message takes the earlier preference back; ``None`` where the scenario
            has none.
        voice: how the shopper words what it means.
    """

    session: Session
    category: str
    card: IntentCard
    override_turn: int | None = None
    voice: Voice = protocol_sentence

    @classmethod
    def of(cls, session: Session, target: Product) -> Shopper:
        """Return the shopper of ``session``, who wants ``target``, by the letter of the protocol."""
        turn = None
        if session.scenario == "intent_override":
            turn = random.Random(f"{session.sample_id}\0{session.scenario}").choice(OVERRIDE_TURNS)
        return cls(session, category_words(target.categories), intent_card(target), turn)

    def customer(self) -> Customer:
        """Return the shopper at the start of its conversation."""
        return Customer(self)


class Customer:
    """One shopper in conversation: keeps what it has said already."""

    def __init__(self, shopper: Shopper) -> None:
        self._shopper = shopper
        self._scenario = shopper.session.scenario
        self._disclosed: set[str] = set()
        self._refused = False
        self._first_counting_turn = shopper.override_turn or 1

    def counts(self, turn: int) -> bool:
        """Return whether the target counts as found when the reply of ``turn`` shows it."""
        return turn >= self._first_counting_turn

    def opening(self) -> str:
        """Return the message of turn 1."""
        return self._shopper.voice(self._first_speech(), 1)

    def message(self, turn: int, asked: str | None) -> str:
        """Return the message of ``turn`` (2 or later), after a reply that asked for ``asked``."""
        return self._shopper.voice(self._speech(turn, asked), turn)

    def _first_speech(self) -> Speech:
        category = self._shopper.category
        match self._scenario:
            case "buying":
                return Speech(Act.BUYING, category, (self._disclose_first(),))
            case "intent_override":
                return Speech(Act.PREFERENCE, category, (self._shopper.card.soft[-1],))
            case _:
                return Speech(Act.BROWSING, category)

    def _speech(self, turn: int, asked: str | None) -> Speech:
        if turn == self._shopper.override_turn:
            return Speech(Act.OVERRIDE, constraints=(self._disclose_first(),))
        if asked is None:
            return Speech(Act.NOTHING_ASKED)
        attribute = asked if asked in ATTRIBUTES else OTHER
        if self._scenario == "boundary" and not self._refused:
            self._refused = True
            return Speech(Act.REFUSAL, attribute=attribute)
        answer = self._disclose(attribute)
        if not answer:
            return Speech(Act.NO_MORE, attribute=attribute)
        return Speech(Act.ANSWER, constraints=tuple(answer))

    def _disclose_first(self) -> str:
        first = self._shopper.card.hard[0]
        self._disclosed.add(first)
        return first

    def _disclose(self, attribute: str) -> list[str]:
        answer = [
            constraint
            for constraint in self._undisclosed()
            if attribute in (OTHER, constraint_class(constraint))
        ][:CONSTRAINTS_PER_REPLY]
        self._disclosed.update(answer)
        return answer

    def _undisclosed(self) -> Iterable[str]:
        return (constraint for constraint in self._shopper.card.slots if constraint not in self._disclosed)
