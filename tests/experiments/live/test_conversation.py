"""Live conversations: what is said, taken back, kept, and answered by the simulated customer."""

import pytest

from experiments.live.conversation import LiveConversation, LiveError, ProductShelf, load, save
from planner.agent import Agent

EXPLORING = "I'm looking for Accessories Scarves, but I'm still exploring."


@pytest.fixture
def live(catalog, catalog_file):
    return LiveConversation(Agent.on(catalog), ProductShelf(catalog_file), "live")


def replies(live):
    return [exchange.reply for exchange in live.exchanges]


def test_what_is_typed_is_said_to_the_agent(live, catalog):
    agent = Agent.on(catalog)
    agent.reset("s")
    assert live.say(EXPLORING).reply == agent.respond("s", EXPLORING, 1, 10)
    assert live.say("in linen").reply == agent.respond("s", "in linen", 2, 10)
    assert live.trace().message == "in linen"
    assert live.trace(1).message == EXPLORING
    assert len(live.traces()) == 2
    assert live.found is live.score is None
    assert not live.over


def test_undo_leaves_the_conversation_as_if_the_turn_had_not_been(live):
    live.say(EXPLORING)
    second = live.say("in linen")
    live.say("made in italy")
    live.undo()
    assert len(live.exchanges) == len(live.traces()) == 2
    assert live.exchanges[-1] == second
    live.undo()
    assert live.say("in linen") == second
    live.undo()
    live.undo()
    with pytest.raises(LiveError, match="nothing to undo"):
        live.undo()


def test_the_customer_finds_its_product(live):
    live.aim("SCARF", "buying")
    exchange = live.let_customer_speak()
    assert (
        exchange.said.text == "I'm looking for Accessories Scarves. A key requirement is: Soft to the touch."
    )
    assert exchange.said.by_customer
    assert exchange.rank == live.found == 1
    assert live.score == pytest.approx(1.0)
    assert live.over
    with pytest.raises(LiveError, match="has left"):
        live.let_customer_speak()


def test_a_target_shown_before_the_change_of_mind_is_not_found(live):
    live.aim("SCARF", "intent_override")
    ranks = []
    while not live.over:
        ranks.append(live.let_customer_speak().rank)
    assert ranks[:2] == [None, None]
    assert ranks[-1] is not None
    assert live.exchanges[len(ranks) - 1].said.text.startswith("Actually, ignore")


def test_undo_takes_the_customers_words_back_too(live):
    live.aim("SCARF", "intent_override")
    first = [live.let_customer_speak() for _ in range(3)]
    live.undo()
    live.undo()
    assert live.let_customer_speak() == first[1]
    assert live.let_customer_speak() == first[2]


def test_the_customer_leaves_after_ten_turns(live):
    live.aim("BARE", "boundary")
    live.say("a belt")
    while not live.over:
        live.say("no, not that")
    assert len(live.exchanges) <= 10


def test_a_kept_conversation_goes_on(live, catalog, catalog_file, tmp_path):
    live.aim("SCARF", "intent_override")
    live.let_customer_speak()
    live.say("something in linen")
    path = tmp_path / "talk.json"
    save(live, path)
    other = LiveConversation(Agent.on(catalog), ProductShelf(catalog_file), "other")
    other.say("to be forgotten")
    load(other, path)
    assert other.exchanges == live.exchanges
    assert (other.target, other.scenario) == ("SCARF", "intent_override")
    assert other.let_customer_speak() == live.let_customer_speak()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no saved conversation"),
        ('{"catalog": 12}', "missing required field `target`"),
        ('{"catalog": 5, "target": null, "scenario": "buying", "said": []}', "a catalog of 5 products"),
        ('{"catalog": 12, "target": "NONE", "scenario": "buying", "said": []}', "no product 'NONE'"),
        ('{"catalog": 12, "target": "TEE", "scenario": "loud", "said": []}', "no scenario 'loud'"),
    ],
)
def test_a_file_that_cannot_be_used_changes_nothing(live, tmp_path, text, message):
    before = live.say(EXPLORING)
    path = tmp_path / "talk.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LiveError, match=message):
        load(live, path)
    assert live.exchanges == [before]


def test_without_a_customer_nobody_speaks(live):
    with pytest.raises(LiveError, match="no simulated customer"):
        live.let_customer_speak()
    live.aim("TEE", "buying")
    live.aim(None, "browsing")
    with pytest.raises(LiveError, match="no simulated customer"):
        live.let_customer_speak()


def test_turns_that_are_not_there(live):
    with pytest.raises(LiveError, match="nothing has been said yet"):
        live.trace()
    live.say(EXPLORING)
    with pytest.raises(LiveError, match="there is no turn 2"):
        live.trace(2)
    live.agent.reset("live")
    with pytest.raises(LiveError, match="no longer kept"):
        live.trace()
