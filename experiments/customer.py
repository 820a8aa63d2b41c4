"""The simulated customer: a shopper who wants one product and speaks as the shopping protocol says."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from experiments.sessions import Session
from index.cards import ATTRIBUTES, IntentCard, category_words, constraint_class, intent_card
from index.products import Product

CONSTRAINTS_PER_REPLY = 2
OVERRIDE_TURNS = (3, 4)

OTHER = "other"


@dataclass(frozen=True, slots=True)
class Shopper:
    """A session with what its shopper can say about the target.

    Attributes:
        session: whom and what it is about.
        category: the words for the kind of product.
        card: the constraints.
    """

    session: Session
    category: str
    card: IntentCard

    @classmethod
    def of(cls, session: Session, target: Product) -> Shopper:
        """Return the shopper of ``session``, who wants ``target``."""
        return cls(session, category_words(target.categories), intent_card(target))

    @property
    def override_turn(self) -> int | None:
        """The turn whose message takes the earlier preference back; ``None`` where the scenario has none."""
        if self.session.scenario != "intent_override":
            return None
        key = f"{self.session.sample_id}\0{self.session.scenario}"
        return random.Random(key).choice(OVERRIDE_TURNS)


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
        wish = f"I'm looking for {self._shopper.category}"
        match self._scenario:
            case "buying":
                return f"{wish}. A key requirement is: {self._disclose_first()}."
            case "intent_override":
                return f"{wish}. {self._shopper.card.soft[-1]}"
            case _:
                return f"{wish}, but I'm still exploring."

    def message(self, turn: int, asked: str | None) -> str:
        """Return the message of ``turn`` (2 or later), after a reply that asked for ``asked``."""
        if turn == self._shopper.override_turn:
            return f"Actually, ignore my earlier preference. What I need is: {self._disclose_first()}."
        if asked is None:
            return "Those options are not quite right yet. Ask me about one specific attribute."
        attribute = asked if asked in ATTRIBUTES else OTHER
        if self._scenario == "boundary" and not self._refused:
            self._refused = True
            return f"I don't have a preference for {attribute}; please use your judgment."
        answer = self._disclose(attribute)
        if not answer:
            return f"I don't have an additional preference for {attribute}."
        return f"For that, what matters is: {'; '.join(answer)}."

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
