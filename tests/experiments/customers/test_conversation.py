import random
from collections import Counter

import pytest

from experiments.customers.conversation import Reply, play, read_reply
from experiments.customers.customer import Shopper
from experiments.customers.sessions import Session
from index.products import Product

KNOWN = frozenset("ABCDEFGHIJKLMNT")


class Scripted:
    """Says what it is told to, turn by turn, and keeps what it is told."""

    def __init__(self, *replies):
        self.replies = replies
        self.heard = []

    def reset(self, session_id, user_profile):
        self.heard.append((session_id, user_profile))

    def respond(self, session_id, user_message, turn, top_k):
        self.heard.append((session_id, user_message, turn, top_k))
        reply = self.replies[min(turn, len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return reply


def say(*ids, ask=None):
    return {"message": "", "ask_attribute": ask, "recommendations": [{"parent_asin": i} for i in ids]}


def shopper(scenario="browsing", sample_id="sample", profile=None):
    session = Session(sample_id, scenario, "T", profile or {"preference_tags": ["fit"]})
    return Shopper.of(session, Product("T", features=("one", "two", "three", "four")))


def test_ids_are_stripped_unknown_ones_and_repeats_dropped_first_ten_kept():
    reply = say(" A ", "unknown", "B", "A", *"CDEFGHIJKL")
    read = read_reply(reply, KNOWN)
    assert read.shown == tuple("ABCDEFGHIJ")
    assert sorted(read.faults) == ["id repeated", "id unknown", "too many ids", "too many ids"]


def test_plain_ids_are_accepted_beside_records():
    reply = {"message": "", "recommendations": ["B\n", {"parent_asin": "A", "score": 1.0}]}
    assert read_reply(reply, KNOWN) == Reply(None, ("B", "A"))


@pytest.mark.parametrize("reply", [None, "A", ["A"], 3])
def test_a_result_that_is_no_dict_is_empty(reply):
    assert read_reply(reply, KNOWN) == Reply(faults=("result is no dict",))


@pytest.mark.parametrize("message", [None, 3, ["text"]])
def test_a_message_that_is_no_string_empties_the_reply(message):
    reply = {**say("A", ask="color"), "message": message}
    assert read_reply(reply, KNOWN) == Reply(faults=("message is no string",))
    del reply["message"]
    assert read_reply(reply, KNOWN) == Reply(faults=("message is no string",))


@pytest.mark.parametrize("entries", [None, [], ()])
def test_no_recommendations(entries):
    assert read_reply({"message": "", "recommendations": entries}, KNOWN) == Reply()


@pytest.mark.parametrize("entries", ["AB", 3, {"parent_asin": "A"}])
def test_recommendations_that_are_no_list(entries):
    read = read_reply({"message": "", "recommendations": entries}, KNOWN)
    assert read == Reply(faults=("recommendations are no list",))


@pytest.mark.parametrize("entry", [None, 3, {}, {"parent_asin": None}, {"parent_asin": ["A"]}, ["A"]])
def test_entries_that_are_no_id_are_dropped(entry):
    read = read_reply({"message": "", "recommendations": [entry, "A"]}, KNOWN)
    assert read == Reply(None, ("A",), ("id unknown",))


@pytest.mark.parametrize(
    ("asked", "taken"), [("brand", "brand"), ("hue", "other"), (["color"], "other"), ("", None), (None, None)]
)
def test_asked_attribute(asked, taken):
    assert read_reply({"message": "", "ask_attribute": asked}, KNOWN).asked == taken


def test_a_session_ends_at_the_first_turn_that_shows_the_target():
    result = play(Scripted(say("A"), say("B", "T"), say("T")), shopper(), KNOWN, "1")
    assert (result.turn, result.rank) == (2, 2)
    assert [turn.shown for turn in result.turns] == [("A",), ("B", "T")]
    assert result.faults == {}


def test_a_miss_ends_after_ten_turns():
    result = play(Scripted(say("A")), shopper(), KNOWN, "1")
    assert (result.turn, result.rank) == (None, None)
    assert len(result.turns) == 10


def test_the_agent_gets_profile_and_messages_and_nothing_else():
    agent = Scripted(say("A", ask="feature"), say("T"))
    profile = {"preference_tags": ["fit"]}
    play(agent, shopper("boundary", "sample-7", profile), KNOWN, "41")
    assert agent.heard == [
        ("41", profile),
        ("41", "I'm looking for clothing item, but I'm still exploring.", 1, 10),
        ("41", "I don't have a preference for feature; please use your judgment.", 2, 10),
    ]


def test_an_agent_cannot_change_the_session():
    class Vandal(Scripted):
        def reset(self, session_id, user_profile):
            user_profile["preference_tags"].clear()

    subject = shopper(profile={"preference_tags": ["fit"]})
    play(Vandal(say("T")), subject, KNOWN, "1")
    assert subject.session.profile == {"preference_tags": ["fit"]}


@pytest.mark.parametrize("sample_id", ["a", "b", "c", "d", "e", "f"])
def test_hits_before_the_override_do_not_count(sample_id):
    turn = random.Random(f"{sample_id}\0intent_override").choice([3, 4])
    result = play(Scripted(say("A", "T")), shopper("intent_override", sample_id), KNOWN, "1")
    assert (result.turn, result.rank) == (turn, 2)
    assert result.turns[-1].message == "Actually, ignore my earlier preference. What I need is: one."


def test_faults_are_counted_and_the_session_goes_on():
    agent = Scripted(ValueError("x"), None, say("A", "A", "nowhere"), say("T"))
    result = play(agent, shopper(), KNOWN, "1")
    assert (result.turn, result.rank) == (4, 1)
    assert result.faults == {
        "exception ValueError": 1,
        "result is no dict": 1,
        "id repeated": 1,
        "id unknown": 1,
    }
    nothing = "Those options are not quite right yet. Ask me about one specific attribute."
    assert [turn.message for turn in result.turns[1:]] == [nothing] * 3


def test_an_exception_from_reset_ends_the_run():
    class Broken(Scripted):
        def reset(self, session_id, user_profile):
            raise RuntimeError("no session")

    with pytest.raises(RuntimeError, match="no session"):
        play(Broken(say("T")), shopper(), KNOWN, "1")


def test_fallbacks_are_those_of_the_session_alone():
    class Falling(Scripted):
        def __init__(self, *replies):
            super().__init__(*replies)
            self.fallbacks = Counter(scoring=5)

        def respond(self, session_id, user_message, turn, top_k):
            self.fallbacks.update(["scoring"] if turn == 1 else ["scoring", "rollouts"])
            return super().respond(session_id, user_message, turn, top_k)

    result = play(Falling(say("A"), say("T")), shopper(), KNOWN, "1")
    assert result.fallbacks == {"scoring": 2, "rollouts": 1}


def test_times_are_in_milliseconds():
    ticks = iter([1.0, 1.25, 2.0, 2.5])
    result = play(Scripted(say("A"), say("T")), shopper(), KNOWN, "1", clock=lambda: next(ticks))
    assert [turn.ms for turn in result.turns] == [250.0, 500.0]
