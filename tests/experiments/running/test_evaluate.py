from dataclasses import asdict

import pytest

from experiments.baselines.weak import WeakBaseline
from experiments.benchmark.prepare import shoppers_of
from experiments.customers.sessions import Session
from experiments.running.evaluate import System, evaluate
from index.catalog import Catalog
from index.products import Product

PRODUCTS = [
    Product(f"P{n}", title=f"{word} thing", features=(f"{word} feature", "Imported"), categories=(word,))
    for n, word in enumerate(["amber", "beryl", "coral", "diamond", "emerald", "flint", "garnet", "jade"])
]
SESSIONS = [
    Session(f"sample-{n}", scenario, f"P{n}", {"preference_tags": [scenario[:2]]})
    for n, scenario in enumerate(["buying", "browsing", "intent_override", "boundary"] * 2)
]


class Counting:
    """Shows the products one by one in the catalog's order, and counts its turns."""

    def __init__(self, catalog):
        self.ids = list(map(str, catalog.ids))
        self.turns = {}
        self.fallbacks = {"turns": 0}

    def reset(self, session_id, user_profile):
        self.turns[session_id] = 0

    def respond(self, session_id, user_message, turn, top_k):
        shown = self.ids[self.turns[session_id] :][:1]
        self.turns[session_id] += 1
        self.fallbacks["turns"] += 1
        return {"message": "", "ask_attribute": "feature", "recommendations": shown}


class Listening(Counting):
    """Keeps all that it is told (played in this process)."""

    heard = []  # noqa: RUF012

    def reset(self, session_id, user_profile):
        super().reset(session_id, user_profile)
        self.heard.append((session_id, user_profile))

    def respond(self, session_id, user_message, turn, top_k):
        self.heard.append((session_id, user_message, turn, top_k))
        return super().respond(session_id, user_message, turn, top_k)


class Broken:
    def __init__(self, catalog):
        raise RuntimeError("no agent")


@pytest.fixture(scope="module")
def catalog():
    return Catalog.build(PRODUCTS)


def test_results_are_the_same_for_any_number_of_workers(catalog):
    systems = [System("counting", Counting), System("weak", WeakBaseline)]
    customers = shoppers_of(SESSIONS, PRODUCTS)
    one = evaluate(catalog, systems, customers, workers=1)
    two = evaluate(catalog, systems, customers, workers=2)
    assert one == two
    assert [run.system for run in one] == ["counting", "weak"]
    assert [result.sample_id for result in one[0].results] == [session.sample_id for session in SESSIONS]
    # product n is shown in turn n + 1; the third and seventh sessions override in turn 3 or 4
    turns = [result.turn for result in one[0].results]
    assert turns[:2] + turns[3:6] + turns[7:] == [1, 2, 4, 5, 6, 8]
    assert [result.fallbacks.get("turns") for result in one[0].results] == [
        len(result.turns) for result in one[0].results
    ]
    assert one[1].results[0].turn == 1


def test_an_agent_learns_neither_sample_nor_scenario_nor_target(catalog):
    Listening.heard.clear()
    evaluate(catalog, [System("listening", Listening)], shoppers_of(SESSIONS, PRODUCTS), workers=1)
    resets = [heard for heard in Listening.heard if len(heard) == 2]
    assert resets == [(str(n), session.profile) for n, session in enumerate(SESSIONS, 1)]
    told = repr(Listening.heard)
    for secret in ("sample-", "buying", "browsing", "intent_override", "boundary", *map(str, catalog.ids)):
        assert f"'{secret}" not in told


def test_a_constructor_that_fails_ends_the_run(catalog):
    with pytest.raises(RuntimeError, match="no agent"):
        evaluate(catalog, [System("broken", Broken)], shoppers_of(SESSIONS, PRODUCTS), workers=1)


def test_the_weak_baseline_searches_the_last_message_and_asks_nothing(catalog):
    agent = WeakBaseline(catalog)
    agent.reset("1", {})
    assert agent.respond("1", "coral", 1, 10)["recommendations"][0]["parent_asin"] == "P2"
    reply = agent.respond("1", "jade feature", 2, 3)
    assert reply["recommendations"][0]["parent_asin"] == "P7"
    assert len(reply["recommendations"]) == 3
    assert reply["ask_attribute"] is None


def test_results_can_be_written_down(catalog):
    run = evaluate(catalog, [System("counting", Counting)], shoppers_of(SESSIONS[:1], PRODUCTS), workers=1)[0]
    assert asdict(run.results[0])["turns"][0]["shown"] == ("P0",)
