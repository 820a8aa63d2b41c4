"""The profile as evidence: small, switchable, shown, and never a reason to fail."""

import pytest

from index.catalog import Catalog
from index.products import Product
from planner.agent import Agent
from planner.config import ConfigError, PlannerConfig
from planner.planner import Planner
from scoring.evidence import ProfileTags

EXPLORING = "I'm looking for Women Socks, but I'm still exploring."
WEIGHT = 0.5
CONFIG = PlannerConfig.load("robust").changed({"scoring.text.profile": WEIGHT})


def sock(name, *features):
    return Product(name, "Sock", features=features, categories=("Women", "Socks"), price=9)


SHOP = (
    sock("BOTH", "Comfortable and warm"),
    sock("ONE", "A comfy sole"),
    sock("NONE", "Striped cuff"),
    sock("QUOTED", "Made in Peru"),
)


@pytest.fixture(scope="module")
def catalog():
    return Catalog.build(SHOP)


def profile_nats(catalog, tags, config=CONFIG):
    planner = Planner(catalog, config)
    belief = planner.belief(planner.dialogue([EXPLORING], profile={"preference_tags": tags}))
    ids = [catalog.ids[int(row)].as_py() for row in belief.rows]
    return dict(zip(ids, belief.terms["profile"].tolist(), strict=True)), dict(
        zip(ids, belief.scores.tolist(), strict=True)
    )


def test_it_counts_by_the_share_of_its_tags(catalog):
    # "comfy" is another word for comfort, "warm" for warmth
    nats, _ = profile_nats(catalog, ["comfort", "warmth"])
    assert nats == pytest.approx({"BOTH": WEIGHT, "ONE": WEIGHT / 2, "NONE": 0.0, "QUOTED": 0.0})


def test_it_is_the_only_difference(catalog):
    (_, known), (_, unknown) = profile_nats(catalog, ["comfort"]), profile_nats(catalog, [])
    assert known["BOTH"] - known["NONE"] == pytest.approx(unknown["BOTH"] - unknown["NONE"] + WEIGHT)


def test_it_can_be_switched_off(catalog):
    nats, _ = profile_nats(catalog, ["comfort"], CONFIG.changed({"scoring.text.profile": 0.0}))
    assert set(nats.values()) == {0.0}


def test_it_cannot_be_given_the_weight_of_a_quoted_line():
    with pytest.raises(ConfigError, match="profile"):
        CONFIG.changed({"scoring.text.profile": 1.01})
    for name in ("robust", "wildcard"):
        # to say a line costs a product that does not hold it more than the heaviest profile could make good
        assert PlannerConfig.load(name).scoring.shopper.absent < -1.0


def test_a_quoted_line_outvotes_it(catalog):
    planner = Planner(catalog, CONFIG.changed({"scoring.text.profile": 1.0}))
    profile = {"preference_tags": ["comfort", "warmth"]}
    opening = "I'm looking for Women Socks. A key requirement is: Made in Peru."
    belief = planner.belief(planner.dialogue([opening], profile=profile))
    assert catalog.ids[int(belief.rows[0])].as_py() == "QUOTED"
    assert belief.confidence > 0.9


def test_it_is_in_the_trace_and_explained(catalog):
    agent = Agent.on(catalog, CONFIG)
    agent.reset("s", {"preference_tags": ["comfort", "warmth"]})
    agent.respond("s", EXPLORING, 1)
    (turn,) = agent.trace("s")
    (tags,) = [item for item in turn.state.evidence if isinstance(item, ProfileTags)]
    assert [word.text for word in tags.words] == ["comfort", "warmth"]
    assert turn.belief.terms["profile"].max() == WEIGHT
    (product,) = agent.planner.explain(turn, (0,)).products
    (reason,) = [reason for reason in product.reasons if isinstance(reason.source, ProfileTags)]
    assert reason.nats > 0.0
    assert reason.text == "has “comfort” and “warmth” of what your profile cares for"


def test_it_outlives_a_change_of_mind_and_goes_with_a_new_session(catalog):
    agent = Agent.on(catalog, CONFIG)
    agent.reset("s", {"preference_tags": ["comfort"]})
    agent.respond("s", EXPLORING, 1)
    agent.respond("s", "Scratch that, show me something striped", 2)
    assert agent.trace("s")[-1].belief.terms["profile"].max() == WEIGHT
    agent.reset("s")
    agent.respond("s", EXPLORING, 1)
    assert agent.trace("s")[-1].belief.terms["profile"].max() == 0.0


class Hostile(dict):
    def get(self, *_):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "profile",
    [
        None,
        {},
        [],
        "fit",
        3,
        float("nan"),
        {"preference_tags": None},
        {"preference_tags": "comfort"},
        {"preference_tags": 7},
        {"preference_tags": {"comfort": 1}},
        {"preference_tags": [None, 5, ["comfort"], {}, b"comfort", float("inf")]},
        {"preference_tags": ["\ud800", "\x00", "", " ", "zzzzqqq", "<b>"]},
    ],
)
def test_odd_profiles_say_nothing(catalog, profile):
    agent = Agent.on(catalog, CONFIG)
    agent.reset("plain")
    agent.reset("s", profile)
    assert agent.respond("s", EXPLORING, 1) == agent.respond("plain", EXPLORING, 1)
    assert not agent.fallbacks


def test_a_profile_without_end_is_read_in_part(catalog):
    agent = Agent.on(catalog, CONFIG)
    agent.reset(
        "s", {"preference_tags": ["comfort " * 12_500, *["warmth"] * 100_000], "summary": "x" * 100_000}
    )
    agent.respond("s", EXPLORING, 1)
    (known,) = [item for item in agent.trace("s")[0].state.evidence if isinstance(item, ProfileTags)]
    assert [word.text for word in known.words] == ["comfort", "warmth"]
    assert not agent.fallbacks


def test_a_profile_that_raises_is_a_fallback_that_is_told(catalog):
    agent = Agent.on(catalog, CONFIG)
    agent.reset("s", Hostile())
    reply = agent.respond("s", EXPLORING, 1)
    assert reply["recommendations"]
    assert agent.fallbacks == {"profile": 1}
    assert [fallback.stage for fallback in agent.trace("s")[0].fallbacks] == ["profile"]
