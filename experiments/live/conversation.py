"""A conversation with the planner as it happens: by hand, or with the simulated customer answering.

The planner is deterministic, so a conversation is its messages: to undo a turn, or to go on with a saved
conversation, the messages are simply said again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from experiments.customers.conversation import MAX_TURNS, PAGE_SIZE, Reply, read_reply
from experiments.customers.customer import Customer, Shopper
from experiments.customers.sessions import SCENARIOS, Session
from experiments.errors import InputError
from index.catalog import Catalog
from index.fieldmap import FieldMap
from index.products import Product
from index.readers import ReadReport, iter_products
from planner.agent import Agent
from planner.trace import TurnTrace
from rollouts.reward import reward

BROWSING = "browsing"
"""The scenario of a simulated customer of whom none is named."""


class LiveError(InputError):
    """What was asked for cannot be done; the message says why, in one line."""


class Said(msgspec.Struct, frozen=True):
    """A message, and whether the simulated customer said it."""

    text: str
    by_customer: bool = False


class SavedConversation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A conversation as a file holds it.

    Attributes:
        catalog: number of products of the catalog, to notice another one.
        target: id of the product that the simulated customer wants, ``None`` for none.
        scenario: that customer's scenario.
        said: the messages.
    """

    catalog: int
    target: str | None
    scenario: str
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn: the message, the reply, and the target's rank where the reply shows it and that counts."""

    said: Said
    reply: dict[str, Any]
    taken: Reply
    rank: int | None


class ProductShelf:
    """Finds the whole record of a product, which the index does not keep, in the catalog's file."""

    def __init__(self, path: Path, fields: FieldMap | str | Path | None = None) -> None:
        self._path = path
        self._fields = fields

    def product(self, identifier: str) -> Product:
        """Return the product of that id; the file is read up to it.

        Raises:
            LiveError: there is none.
        """
        for product in iter_products(self._path, ReadReport(), self._fields):
            if product.parent_asin == identifier:
                return product
        raise LiveError(f"no product {identifier!r} in the catalog")


class LiveConversation:
    """One conversation with an agent. Not for several threads at once.

    Args:
        agent: the agent; it keeps the traces.
        shelf: where the simulated customer's product is found.
        session_id: the agent's name for the conversation.
    """

    def __init__(self, agent: Agent, shelf: ProductShelf, session_id: str) -> None:
        self.agent = agent
        self.exchanges: list[Exchange] = []
        self.scenario = BROWSING
        self._shelf = shelf
        self._id = session_id
        self._customer: Customer | None = None
        self._wanted: Product | None = None
        self._known = frozenset(map(str, agent.catalog.ids))
        agent.reset(session_id)

    @property
    def catalog(self) -> Catalog:
        """Return the catalog."""
        return self.agent.catalog

    @property
    def target(self) -> str | None:
        """Return the id of the product that the simulated customer wants."""
        return None if self._wanted is None else self._wanted.parent_asin

    @property
    def found(self) -> int | None:
        """Return the rank at which the simulated customer found its product, ``None`` until then."""
        return self.exchanges[-1].rank if self.exchanges else None

    @property
    def score(self) -> float | None:
        """Return the protocol's score of the conversation once the product is found."""
        return None if self.found is None else float(reward(len(self.exchanges), self.found))

    @property
    def over(self) -> bool:
        """Return whether the simulated customer has left: it found its product or has no turn left."""
        return self._customer is not None and (self.found is not None or len(self.exchanges) >= MAX_TURNS)

    def trace(self, turn: int | None = None) -> TurnTrace:
        """Return the trace of a turn (from 1), by default of the last.

        Raises:
            LiveError: no such turn, or its trace is no longer kept.
        """
        wanted = len(self.exchanges) if turn is None else turn
        if not 1 <= wanted <= len(self.exchanges):
            raise LiveError("nothing has been said yet" if turn is None else f"there is no turn {turn}")
        for trace in self.agent.trace(self._id):
            if trace.turn == wanted:
                return trace
        raise LiveError(f"the trace of turn {wanted} is no longer kept")

    def traces(self) -> list[TurnTrace]:
        """Return the traces that are kept."""
        return list(self.agent.trace(self._id))

    def restart(self) -> None:
        """Forget what was said; the simulated customer, if there is one, starts anew."""
        self.exchanges = []
        self.agent.reset(self._id)
        self._customer = None
        if self._wanted is not None:
            session = Session(f"{self.target}-{self.scenario}", self.scenario, self._wanted.parent_asin, {})
            self._customer = Shopper.of(session, self._wanted).customer()

    def aim(self, target: str | None, scenario: str) -> None:
        """Start anew with a simulated customer who wants ``target``; ``None`` sends the customer away.

        Raises:
            LiveError: there is no such product or scenario; nothing has changed then.
        """
        if scenario not in SCENARIOS:
            raise LiveError(f"no scenario {scenario!r}; there are {', '.join(SCENARIOS)}")
        self._wanted = None if target is None else self._shelf.product(target)
        self.scenario = scenario
        self.restart()

    def say(self, text: str) -> Exchange:
        """Say a message and return the turn."""
        return self._exchange(Said(text))

    def let_customer_speak(self) -> Exchange:
        """Let the simulated customer say its next message.

        Raises:
            LiveError: there is no customer, or it has left.
        """
        if self._customer is None:
            raise LiveError("no simulated customer; name its product first")
        if self.over:
            raise LiveError("the simulated customer has left")
        return self._exchange(Said(self._next_message(), by_customer=True))

    def undo(self) -> None:
        """Take back the last turn.

        Raises:
            LiveError: nothing has been said.
        """
        if not self.exchanges:
            raise LiveError("there is nothing to undo")
        said = [exchange.said for exchange in self.exchanges[:-1]]
        self.restart()
        self._say_again(said)

    def saved(self) -> SavedConversation:
        """Return the conversation as a file holds it."""
        said = tuple(exchange.said for exchange in self.exchanges)
        return SavedConversation(
            catalog=len(self.catalog), target=self.target, scenario=self.scenario, said=said
        )

    def resume(self, saved: SavedConversation) -> None:
        """Go on with a saved conversation.

        Raises:
            LiveError: its product is not in the catalog; nothing has changed then.
        """
        self.aim(saved.target, saved.scenario)
        self._say_again(saved.said)

    def _say_again(self, said: list[Said] | tuple[Said, ...]) -> None:
        for message in said:
            if message.by_customer and self._customer is not None:
                message = Said(self._next_message(), by_customer=True)
            self._exchange(message)

    def _next_message(self) -> str:
        assert self._customer is not None
        if not self.exchanges:
            return self._customer.opening()
        return self._customer.message(len(self.exchanges) + 1, self.exchanges[-1].taken.asked)

    def _exchange(self, said: Said) -> Exchange:
        turn = len(self.exchanges) + 1
        reply = self.agent.respond(self._id, said.text, turn, PAGE_SIZE)
        taken = read_reply(reply, self._known)
        rank = None
        if self._customer is not None and self.target in taken.shown and self._customer.counts(turn):
            rank = taken.shown.index(self.target) + 1
        exchange = Exchange(said, reply, taken, rank)
        self.exchanges.append(exchange)
        return exchange


def save(conversation: LiveConversation, path: Path) -> None:
    """Write a conversation to a file.

    Raises:
        OSError: it cannot be written.
    """
    path.write_bytes(msgspec.json.format(msgspec.json.encode(conversation.saved())) + b"\n")


def load(conversation: LiveConversation, path: Path) -> None:
    """Go on with the conversation of a file.

    Raises:
        LiveError: the file is no saved conversation, or one over another catalog.
        OSError: it cannot be read.
    """
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=SavedConversation)
    except msgspec.DecodeError as error:
        raise LiveError(f"{path} is no saved conversation: {error}") from None
    if saved.catalog != len(conversation.catalog):
        raise LiveError(
            f"{path} is of a catalog of {saved.catalog} products, this one has {len(conversation.catalog)}"
        )
    conversation.resume(saved)
