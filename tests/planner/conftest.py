"""Shoppers to talk to an agent, turn by turn."""

from dataclasses import dataclass

import pytest

from experiments.customers.customer import Customer, Shopper
from experiments.customers.sessions import Session


@dataclass
class Talk:
    """A conversation between an agent and a shopper who is never content."""

    agent: object
    shopper: Shopper
    session_id: str

    def __post_init__(self):
        self.customer = Customer(self.shopper)
        self.message = self.customer.opening()
        self.turn = 1
        self.agent.reset(self.session_id, dict(self.shopper.session.profile))

    def step(self):
        reply = self.agent.respond(self.session_id, self.message, self.turn, 10)
        self.turn += 1
        self.message = self.customer.message(self.turn, reply["ask_attribute"])
        return reply


@pytest.fixture(scope="session")
def shoppers(products):
    """A shopper for every product, the scenarios in turn."""
    scenarios = ("buying", "browsing", "intent_override", "boundary")
    return [
        Shopper.of(Session(f"s{n}", scenarios[n % 4], product.parent_asin, {}), product)
        for n, product in enumerate(products)
    ]


@pytest.fixture(scope="session")
def talk():
    """Start a conversation: ``talk(agent, shopper, session_id)``."""
    return Talk
