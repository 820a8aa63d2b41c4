"""The weak baseline, the splitting planner with its wildcard sibling, and the dual-layer agent."""

import math

import numpy as np
import pytest

from experiments.baselines import BASELINES
from experiments.baselines.common import Heard, best_first, by_cues, parse, recorded_values
from experiments.baselines.dual_layer import (
    FOCUS_TERMS,
    DualLayerAgent,
    browsing,
    expand,
    fuse,
    jaccard,
    question_value,
)
from experiments.baselines.splitting import (
    HARD,
    NORMAL,
    ROBUST,
    SOFT,
    WILDCARD,
    Constraint,
    Settings,
    SplittingPlanner,
    commitment,
    split,
)
from experiments.customers.conversation import MAX_TURNS, play, read_reply
from experiments.customers.customer import Shopper
from experiments.customers.sessions import Session
from index.attributes import VALUE_WORDS
from index.catalog import Catalog
from index.products import Product
from index.text import words

NAMES = ("weak", "splitting", "splitting-wildcard", "dual-layer")
EXPLORING = "I'm looking for Belts, but I'm still exploring."
BUYING = "I'm looking for Belts. A key requirement is: leather."
OVERRIDE = "Actually, ignore my earlier preference. What I need is: leather."


def belts(*features, **fields):
    """One belt for each list of features."""
    return Catalog.build(
        Product(f"B{row}", "Belt", features=lines, categories=("Belts",), **fields)
        for row, lines in enumerate(features)
    )


def twins(count):
    return belts(*[("Buckle",)] * count)


def shown(reply):
    return [entry["parent_asin"] for entry in reply["recommendations"]]


def talk(agent, *messages, profile=None):
    agent.reset("s", profile or {})
    return [agent.respond("s", message, turn, 10) for turn, message in enumerate(messages, 1)]


def ids(rows):
    return [f"B{row}" for row in rows]


# Reading


@pytest.mark.parametrize(
    ("message", "heard"),
    [
        (EXPLORING, Heard("exploring", category="Belts")),
        (BUYING, Heard("requirement", "leather", "Belts")),
        ("I'm looking for Belts. Hand made. In Spain", Heard("preference", "Hand made. In Spain", "Belts")),
        ("For that, what matters is: leather; 2-inch.", Heard("answer", "leather; 2-inch")),
        (OVERRIDE, Heard("override", "leather")),
        (
            "Those options are not quite right yet. Ask me about one specific attribute.",
            Heard("nothing asked"),
        ),
        (
            "I don't have a preference for use_case; please use your judgment.",
            Heard("refusal", attribute="use_case"),
        ),
        ("I don't have an additional preference for size.", Heard("silence", attribute="size")),
        ("  a belt\nplease ", Heard("free", "a belt please")),
    ],
)
def test_each_sentence_of_the_protocol_is_read(message, heard):
    assert parse(message) == heard


def test_other_sentences_are_read_by_cues_where_a_system_does_so():
    assert by_cues(Heard("free", "I changed my mind, leather")).form == "override"
    assert by_cues(Heard("free", "No particular preference there")).form == "refusal"
    assert by_cues(Heard("free", "a leather belt")).form == "free"
    assert by_cues(Heard("answer", "instead")).form == "answer"


def test_places_are_ordered_by_score_then_place_with_some_last():
    assert best_first(np.array([1.0, 3.0, 3.0, 2.0]), last={1}).tolist() == [2, 3, 0, 1]


def test_recorded_values_are_words_price_bands_and_lines_by_whole_words():
    catalog = belts(("100% Cotton, blue", "Covered buckle"), price=25)
    values = recorded_values(catalog, 0)
    assert {VALUE_WORDS[place] for place in values["material"]} == {"cotton"}
    assert {VALUE_WORDS[place] for place in values["color"]} == {"blue"}
    assert values["budget"] == {2}
    assert [catalog.lines.text(line) for line in values["feature"]] == ["Covered buckle"]
    assert values["size"] == values["style"] == values["use_case"] == set()


# All systems


def customers():
    catalog_products = [
        Product(
            f"P{n}",
            f"{kind} {n}",
            features=(f"{color} line", f"{fabric} shell; lined", f"Model {n % 7}", "Machine wash"),
            categories=("Clothing", kind),
            rating_number=n,
        )
        for n, (kind, color, fabric) in enumerate(
            (kind, color, fabric)
            for kind in ("Jackets", "Coats")
            for color in ("Blue", "Red", "Plain", "Green")
            for fabric in ("Nylon", "Wool", "Soft")
        )
    ]
    sessions = [
        Session(f"s{n}-{scenario}", scenario, f"P{n}", {"preference_tags": ["comfort"]})
        for scenario in ("buying", "browsing", "intent_override", "boundary")
        for n in (0, 13, 23)
    ]
    products = {product.parent_asin: product for product in catalog_products}
    return Catalog.build(catalog_products), [
        Shopper.of(session, products[session.target]) for session in sessions
    ]


def signature(result):
    return [(turn.message, turn.asked, turn.shown) for turn in result.turns]


@pytest.mark.parametrize("name", NAMES)
def test_replies_are_valid_hold_ten_products_keep_the_track_and_repeat_exactly(name):
    catalog, shoppers = customers()
    known = frozenset(map(str, catalog.ids))
    baseline = BASELINES[name]
    first, again = baseline.make(catalog), baseline.make(catalog)
    for number, shopper in enumerate(shoppers):
        result = play(first, shopper, known, str(number))
        assert not result.faults
        if name != "weak":
            assert all(len(turn.shown) == 10 for turn in result.turns)
        if baseline.track == "robust":
            assert "other" not in {turn.asked for turn in result.turns}
        assert signature(play(again, shopper, known, "another name")) == signature(result)


@pytest.mark.parametrize("name", NAMES)
def test_any_message_gets_a_valid_reply_without_a_reset(name):
    catalog, _ = customers()
    agent = BASELINES[name].make(catalog)
    for turn, message in enumerate(["", "???", "zzz", "For that, what matters is: .", OVERRIDE], 1):
        reply = agent.respond("never opened", message, turn, 10)
        assert not read_reply(reply, set(map(str, catalog.ids))).faults


def test_sessions_do_not_mix():
    agent = SplittingPlanner(twins(25))
    for session in "ab":
        agent.reset(session, {})
    pages = [shown(agent.respond(session, EXPLORING, 1, 10)) for session in "ab"]
    assert pages[0] == pages[1]


def test_the_weak_baseline_forgets_and_asks_nothing():
    agent = BASELINES["weak"].make(belts(("Leather",), ("Nylon",)))
    replies = talk(agent, "leather", "nylon")
    assert [shown(reply) for reply in replies] == [["B0"], ["B1"]]
    assert replies[0]["ask_attribute"] is None


# Splitting


def test_a_split_is_coverage_and_what_the_largest_bucket_leaves():
    # Three of four have a value; the largest bucket holds two of the three.
    assert split([{1}, {1}, {2}, set()]) == (0.75, pytest.approx(1 / 3))
    # Several values: value 1 is in two buckets of two.
    assert split([{1, 2}, {1, 3}]) == (1.0, 0.0)
    assert split([set(), set()]) == (0.0, 0.0)
    assert split([]) == (0.0, 0.0)


def test_the_question_is_the_one_of_the_highest_product():
    # Cards: B0, B1 leather | Wide | a feature; B2, B3 nylon | Narrow | a feature.
    # material and size split 1/2 x coverage 1 x answerability 1; features 3/4 x 1 x 1.
    catalog = belts(
        ("leather", "Wide", "Brass"),
        ("leather", "Wide", "Iron"),
        ("nylon", "Narrow", "Tin"),
        ("nylon", "Narrow", "Zinc"),
    )
    opening, second, third = talk(
        SplittingPlanner(catalog),
        EXPLORING,
        "I don't have an additional preference for feature.",
        "I don't have a preference for material; please use your judgment.",
    )
    assert opening["ask_attribute"] == "feature"
    assert second["ask_attribute"] == "material"
    assert third["ask_attribute"] == "size"


def test_an_answered_question_is_not_asked_again_and_an_override_answers_none():
    catalog = belts(("leather", "Wide", "Brass"), ("nylon", "Narrow", "Iron"))
    asked = [
        reply["ask_attribute"]
        for reply in talk(
            SplittingPlanner(catalog), EXPLORING, OVERRIDE, "For that, what matters is: leather."
        )
    ]
    assert asked == ["material", "material", "size"]


def test_products_come_back_only_when_all_were_shown():
    pages = [shown(reply) for reply in talk(SplittingPlanner(twins(25)), EXPLORING, "hm", "hm")]
    assert pages == [ids(range(10)), ids(range(10, 20)), ids([*range(20, 25), *range(5)])]


def test_an_override_makes_shown_products_eligible_again():
    catalog = belts(*[("leather",)] * 12)
    pages = [shown(reply) for reply in talk(SplittingPlanner(catalog), EXPLORING, OVERRIDE)]
    assert pages == [ids(range(10)), ids(range(10))]


def test_an_override_drops_what_was_volunteered_or_contradicts_it_and_keeps_the_rest():
    agent = SplittingPlanner(belts(("leather",), ("nylon",)))
    state = agent.open({})
    for message in (
        "I'm looking for Belts. Shiny",
        "For that, what matters is: nylon.",
        "a wide one",
        OVERRIDE,
    ):
        agent.move(state, parse(message), 1, 10)
    assert state.category == "Belts"
    assert state.constraints == [Constraint("a wide one", NORMAL), Constraint("leather", HARD)]


@pytest.mark.parametrize(
    ("left", "right", "contradicts"),
    [
        ("leather", "nylon", True),
        ("100% cotton", "cotton", False),
        ("red cotton", "blue cotton", True),
        ("red", "cotton", False),
        ("wide", "narrow", False),
    ],
)
def test_statements_contradict_when_they_name_other_materials_or_colors(left, right, contradicts):
    assert Constraint(left, NORMAL).contradicts(Constraint(right, NORMAL)) is contradicts


def test_a_dead_turn_asks_the_best_that_some_candidate_can_answer():
    # All have the one color, so the question splits nothing: its value is 0, its coverage 1.
    catalog = belts(("color: red",), ("color: red",))
    opening = [talk(SplittingPlanner(catalog), EXPLORING)[0]["ask_attribute"]]
    gated = SplittingPlanner(catalog, Settings(wildcard=False, structured=True, dead_turn_fallback=False))
    assert opening == ["color"]
    assert talk(gated, EXPLORING)[0]["ask_attribute"] is None


def test_nothing_is_asked_that_no_candidate_can_answer():
    silence = "I don't have an additional preference for feature."
    assert talk(SplittingPlanner(twins(3)), EXPLORING, silence)[1]["ask_attribute"] is None


def test_the_wildcard_is_asked_until_it_is_exhausted_or_refused():
    catalog = belts(("Brass", "leather"), ("Iron", "nylon"), ("Tin", "wool"))
    for last in (
        "I don't have an additional preference for other.",
        "I don't have a preference for other; please use your judgment.",
    ):
        replies = talk(
            SplittingPlanner(catalog, WILDCARD), EXPLORING, "For that, what matters is: Brass; leather.", last
        )
        assert [reply["ask_attribute"] for reply in replies] == ["other", "other", "material"]


@pytest.mark.parametrize(
    ("text", "strength"),
    [("It must be leather", HARD), ("I want leather", NORMAL), ("Maybe leather", SOFT)],
)
def test_free_words_say_how_much_they_are_meant(text, strength):
    assert commitment(text) == strength


def test_a_requirement_counts_against_a_product_of_another_material():
    # B0 names another material, B1 none, B2 the one required.
    catalog = belts(("nylon",), ("Buckle",), ("leather",))
    assert shown(talk(SplittingPlanner(catalog), BUYING)[0]) == ["B2", "B1", "B0"]


def test_structured_evidence_is_a_balance_over_strengths():
    agent = SplittingPlanner(belts(("nylon",), ("Buckle",), ("leather",)), ROBUST)
    scores = agent._field_scores([Constraint("leather", HARD), Constraint("nylon", SOFT)])
    # Of strength 3 + 1: B0 keeps 1 and violates 3, B1 is silent, B2 keeps 3 and a preference is no demand.
    assert scores.tolist() == pytest.approx([-2 / 4, 0, 3 / 4])


def test_a_phrase_counts_by_strength_and_rarity():
    agent = SplittingPlanner(belts(("Brass; solid", "Tin"), ("Tin",), ("Iron",), ("Iron",)))
    state = agent.open({})
    state.constraints = [Constraint("Brass; solid; Tin", NORMAL)]
    rare, common = math.log(4), math.log(2)
    expected = [1, common / (rare + common), 0, 0]
    assert agent._phrase_scores(state).tolist() == pytest.approx(expected)


# Dual layer


def test_fusion_sums_reciprocal_ranks_with_shared_ranks():
    fused = fuse([np.array([3.0, 1.0, 0.0]), np.array([0.0, 2.0, 2.0])])
    assert fused.tolist() == pytest.approx([1 / 61, 1 / 62 + 1 / 61, 1 / 61])


def test_a_question_is_worth_normalised_entropy_times_coverage():
    # Values 1, 1, 2 in three of four candidates: H = -(2/3 ln 2/3 + 1/3 ln 1/3) = 0.636514, over ln 2.
    assert question_value([{1}, {1}, {2}, set()]) == pytest.approx(0.636514 / math.log(2) * 0.75, abs=1e-6)
    assert question_value([{1}, {2}]) == pytest.approx(1.0)
    assert question_value([{1}, {1}]) == 0.0
    assert question_value([set(), set()]) == 0.0


def test_jaccard_is_the_share_of_the_words_in_common():
    assert jaccard({"a", "b", "c"}, {"b", "c", "d"}) == 0.5
    assert jaccard(set(), set()) == 0.0


def test_the_mode_switches_when_the_request_is_specific():
    assert browsing(["word"] * (FOCUS_TERMS - 1))
    assert not browsing(["word"] * FOCUS_TERMS)


def test_synonyms_follow_the_terms():
    assert expand(["red", "sneakers"]) == ["red", "sneakers", "sneaker", "trainer", "trainers"]


def test_browsing_reaches_synonyms_and_popular_products_and_focus_does_not():
    catalog = Catalog.build(
        [
            Product("TWIN", "Sneaker", categories=("Footwear",)),
            Product("LIKED", "Sneaker", categories=("Footwear",), rating_number=900),
            Product("EXACT", "Trainer one two three four five six seven", categories=("Gym",)),
        ]
    )
    agent = DualLayerAgent(catalog)
    state = agent.open({})
    state.terms = dict.fromkeys(["trainer"])
    fused = agent._fused(state)
    assert 0 < fused[0] < fused[1]
    state.terms = dict.fromkeys(words("trainer one two three four five six seven"))
    assert agent._fused(state).tolist() == [0, 0, 1]


def test_the_profile_ranks_what_was_brought():
    catalog = belts(("Buckle",), ("Comfort",))
    assert shown(talk(DualLayerAgent(catalog), EXPLORING, profile={"preference_tags": ["comfort"]})[0]) == [
        "B1",
        "B0",
    ]


def test_reranking_adds_the_share_of_terms_and_the_jaccard_index_with_the_title():
    agent = DualLayerAgent(
        Catalog.build([Product("A", "The Red Belt", features=("wool",)), Product("B", "Hat")])
    )
    similarity = agent._similarity(["red", "wool", "tin"], np.array([0, 1]))
    # A holds red and wool of three; its title without "the" shares red among red, belt, wool, tin.
    assert similarity.tolist() == pytest.approx([2 / 3 + 1 / 4, 0])


def test_unseen_products_come_first_and_an_override_clears_what_was_seen():
    pages = [shown(reply) for reply in talk(DualLayerAgent(twins(12)), EXPLORING, "hm", OVERRIDE)]
    assert pages == [ids(range(10)), ids([10, 11, *range(8)]), ids(range(10))]


def test_an_override_keeps_the_terms_and_reopens_the_last_question():
    agent = DualLayerAgent(belts(*[(f"Model {n}",) for n in range(40)]))
    state = agent.open({})
    first = agent.move(state, parse("I'm looking for Belts. Shiny"), 1, 10)
    second = agent.move(state, parse(OVERRIDE), 2, 10)
    assert (first.ask, second.ask) == ("feature", "feature")
    assert list(state.terms) == ["belts", "shiny", "leather"]


def test_a_refused_question_is_not_repeated():
    refusal = "I don't have a preference for feature; please use your judgment."
    replies = talk(DualLayerAgent(belts(*[(f"Model {n}",) for n in range(40)])), EXPLORING, refusal)
    assert [reply["ask_attribute"] for reply in replies] == ["feature", None]


@pytest.mark.parametrize(("count", "ask"), [(10, None), (11, "feature")])
def test_questions_stop_when_the_candidates_fit_on_a_page(count, ask):
    agent = DualLayerAgent(belts(*[(f"Model {n}",) for n in range(count)]))
    assert talk(agent, EXPLORING)[0]["ask_attribute"] == ask


def test_nothing_is_asked_in_the_last_turn_or_where_nothing_informs():
    agent = DualLayerAgent(belts(*[(f"Model {n}",) for n in range(40)]))
    assert agent.respond("s", EXPLORING, MAX_TURNS, 10)["ask_attribute"] is None
    assert talk(DualLayerAgent(twins(40)), EXPLORING)[0]["ask_attribute"] is None
