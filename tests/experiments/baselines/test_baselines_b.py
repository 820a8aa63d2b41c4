"""FangryBirds, Star Labs, Lab Rats, and what they share; expected values are worked out by hand."""

import numpy as np
import pytest

from experiments.baselines.common import (
    Heard,
    ProductTexts,
    likeliest_reading,
    parse,
    popularity_places,
    readings,
    tally,
    unexplained,
)
from experiments.baselines.fangrybirds import FangryBirds, Ranking
from experiments.baselines.lab_rats import LabRats, Ledger
from experiments.baselines.star_labs import StarLabs, canonical, schedule, separation, slot_value
from experiments.customers.conversation import play
from experiments.customers.customer import Customer, Shopper
from experiments.customers.sessions import SCENARIOS, Session
from index.catalog import Catalog
from index.products import Product

AGENTS = (FangryBirds, StarLabs, LabRats)


def product(name, *features, kind="Scarves", reviews=0, **fields):
    return Product(name, features=features, categories=("Clothing", kind), rating_number=reviews, **fields)


def ids(catalog, rows):
    return [str(catalog.ids[int(row)]) for row in rows]


def shopper(target, scenario):
    profile = {"preference_tags": ["fit", "material"]}
    return Shopper.of(
        Session(f"{target.parent_asin}-{scenario}", scenario, target.parent_asin, profile), target
    )


def hear(agent, *messages):
    """Return the state of a session after these messages, without an answer to any."""
    state = agent.open({})
    for message in messages:
        enter = (
            agent.listen
            if isinstance(agent, FangryBirds)
            else getattr(agent, "remember", None) or agent.enter
        )
        enter(state, parse(message))
    return state


def answers(agent, *messages):
    """Return the replies to these messages in one session."""
    agent.reset("s", {})
    return [agent.respond("s", message, turn, 10) for turn, message in enumerate(messages, 1)]


def shown(reply):
    return [entry["parent_asin"] for entry in reply["recommendations"]]


# Shared helpers


def test_readings_of_an_answer():
    assert readings("a; b; c") == [("a; b; c",), ("a", "b; c"), ("a; b", "c")]


def test_words_that_run_on_beyond_a_line_are_unexplained(catalog):
    assert unexplained(catalog, ("Warm; itch-free",)) == 0
    assert unexplained(catalog, ("Crew neck", "no such line")) == 3
    # Lines are found by 120 characters, of which the coat's first line has more: "crew neck" is left over.
    long_line = catalog.lines.text(int(catalog.lines.cards[5, 0]))
    assert unexplained(catalog, (f"{long_line}; Crew neck",)) == 2


def test_likeliest_reading_explains_most(catalog):
    assert likeliest_reading(catalog, "Warm; itch-free; Fits most heads") == (
        "Warm; itch-free",
        "Fits most heads",
    )
    assert likeliest_reading(catalog, "Warm; itch-free") == ("Warm; itch-free",)


def test_texts_hold_whole_words_within_a_line(catalog):
    texts, rows = ProductTexts(catalog), np.arange(len(catalog))
    assert ids(catalog, rows[texts.hold(rows, "COTTON")]) == ["TEE", "KIDS"]
    assert not texts.hold(rows, "otton").any()
    assert not texts.hold(rows, "cotton crew").any()  # from the end of a line to the next
    assert not texts.hold(rows, "...").any()
    long_line = catalog.lines.text(int(catalog.lines.cards[5, 0]))
    assert ids(catalog, rows[texts.hold(rows, long_line)]) == ["COAT"]


def test_tally_and_popularity_places(catalog):
    assert tally([], 2).tolist() == [0, 0]
    assert tally([np.array([True, False]), np.array([True, True])], 2).tolist() == [2, 1]
    places = popularity_places(catalog)
    assert ids(catalog, np.argsort(places)[:3]) == ["TEE", "SHOE", "BEANIE"]


# All three


@pytest.mark.parametrize("make", AGENTS)
def test_every_target_is_found_and_every_reply_is_valid(make, catalog, products):
    agent, known = make(catalog), frozenset(ids(catalog, range(len(catalog))))
    for target in products:
        for scenario in SCENARIOS:
            result = play(agent, shopper(target, scenario), known, "s")
            assert result.turn is not None, result
            assert not result.faults
            assert not result.fallbacks


@pytest.mark.parametrize("make", AGENTS)
def test_the_same_messages_get_the_same_replies(make, catalog):
    messages = (
        "I'm looking for Shirts T-Shirts, but I'm still exploring.",
        "For that, what matters is: cotton; 100% Cotton.",
        "I don't have a preference for other; please use your judgment.",
        "Actually, ignore my earlier preference. What I need is: cotton.",
        "I don't have an additional preference for other.",
        "Something warm under $20, please: no itching.",
    )
    assert answers(make(catalog), *messages) == answers(make(catalog), *messages)


@pytest.mark.parametrize("make", AGENTS)
def test_a_message_of_no_known_word_is_answered(make, catalog):
    assert shown(answers(make(catalog), "?")[0])


# FangryBirds


def two_ways():
    """Return a catalog in which one answer is a line of one product and two lines of another."""
    return Catalog.build(
        [
            product("WHOLE", "Made in Italy", "Hand wash; lay flat", kind="Scarves"),
            product("PARTS", "Made in Italy", "Hand wash", "Lay flat", kind="Shawls"),
        ]
    )


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("Scarves", ("Hand wash; lay flat",)), ("Shawls", ("Hand wash", "lay flat"))],
)
def test_an_answer_is_split_as_a_product_of_the_category_would_have_said_it(kind, expected):
    agent = FangryBirds(two_ways())
    state = hear(
        agent,
        f"I'm looking for {kind}. A key requirement is: Made in Italy.",
        "For that, what matters is: Hand wash; lay flat.",
    )
    assert state.soft == list(expected)


def test_the_mirror_holds_what_the_customer_holds(catalog, products):
    agent = FangryBirds(catalog)
    for target in products:
        for scenario in SCENARIOS:
            customer, state = Customer(shopper(target, scenario)), agent.open({})
            message = customer.opening()
            for turn in range(2, 8):
                agent.listen(state, parse(message))
                assert state.disclosed == customer._disclosed, (target.parent_asin, scenario, message)
                message = customer.message(turn, "other")


def test_tiers_order_category_then_card_then_replies_then_popularity():
    catalog = Catalog.build(
        [
            product("ELSEWHERE", "Warm", "Soft", kind="Hats", reviews=900),
            product("SECOND", "Soft", "Warm", reviews=800),  # in its card, but it would have said "Soft"
            product("TEXT", "a", "b", "c", "d", "Warm", reviews=700),  # in its text, not in its card
            product("LESS", "Warm", "Light", reviews=5),
            product("MORE", "Warm", "Heavy", reviews=6),
            product("NOTHING", "Cold", reviews=600),
        ]
    )
    agent = FangryBirds(catalog)
    ranking = agent.rank(hear(agent, "I'm looking for Scarves. A key requirement is: Warm."))
    assert ids(catalog, ranking.rows) == ["MORE", "LESS", "SECOND", "TEXT", "NOTHING", "ELSEWHERE"]
    assert ranking.tied == 2


def test_a_price_outside_the_budget_comes_later():
    catalog = Catalog.build(
        [product("DEAR", "Warm", price=50, reviews=9), product("FAIR", "Warm", price=23, reviews=1)]
    )
    agent = FangryBirds(catalog)
    opening = "I'm looking for Scarves, but I'm still exploring."
    for wish in ("For that, what matters is: budget around $20.", "nothing under $25 would do"):
        assert ids(catalog, agent.rank(hear(agent, opening, wish)).rows)[0] == "FAIR"


def test_what_was_shown_comes_after_its_equals_until_an_override():
    catalog = Catalog.build([product("A", "Warm", reviews=9), product("B", "Warm", reviews=1)])
    agent = FangryBirds(catalog)
    state = hear(agent, "I'm looking for Scarves. Warm")
    state.shown.add(0)
    assert ids(catalog, agent.rank(state).rows) == ["B", "A"]
    agent.listen(state, parse("Actually, ignore my earlier preference. What I need is: Warm."))
    assert ids(catalog, agent.rank(state).rows) == ["A", "B"]
    assert state.hard == ["Warm"]
    assert state.soft == ["Warm"]  # the earlier preference is kept


def rivals(*lines_and_reviews):
    """Return a catalog of products that tie, the best guess before the rivals."""
    return Catalog.build(
        [product("BEST", "Own line", reviews=1000)]
        + [product(f"R{n}", *lines, reviews=reviews) for n, (lines, reviews) in enumerate(lines_and_reviews)]
    )


@pytest.mark.parametrize(
    ("lines_and_reviews", "expected", "length"),
    [
        # Weights 30, 20, 10; the third stands behind the first: (30 + 20 + 10 / 2) / 60.
        # Waiting is worth 0.3 * 0.916667 - 0.02 = 0.255, rank 2 is worth 0.15.
        (((("a",), 29), (("b",), 19), (("a",), 9)), 55 / 60, 1),
        # Nine alike: (1 + 1/2 + ... + 1/9) / 9 = 0.314330; waiting is worth 0.0743, rank 4 is worth 0.075.
        (((("a",), 9),) * 9, 0.314330, 4),
        ((), 0.0, 10),
    ],
)
def test_the_gate_shows_a_rank_that_is_worth_more_than_waiting(lines_and_reviews, expected, length):
    agent = FangryBirds(rivals(*lines_and_reviews))
    state = hear(agent, "I'm looking for Scarves, but I'm still exploring.")
    ranking = agent.rank(state)
    assert agent.expected_reciprocal_rank(state, ranking) == pytest.approx(expected, abs=1e-6)
    assert agent.gate(state, ranking, 10) == length


def test_the_gate_counts_only_rivals_that_were_not_shown():
    agent = FangryBirds(rivals((("a",), 9), (("a",), 9)))
    state = hear(agent, "I'm looking for Scarves, but I'm still exploring.")
    state.shown.add(1)
    assert agent.expected_reciprocal_rank(state, Ranking(np.arange(3, dtype=np.int32), 3)) == 1.0


def test_without_the_gate_every_page_is_full(catalog):
    opening = "I'm looking for Shirts T-Shirts, but I'm still exploring."
    pages = []
    for gated in (True, False):
        agent = FangryBirds(rivals((("a",), 29), (("b",), 19), (("a",), 9)), gated=gated)
        agent.reset("s", {})
        pages.append(shown(agent.respond("s", opening, 1, 10)))
    assert pages == [["BEST"], ["BEST", "R0", "R1", "R2"]]


def test_other_is_asked_every_turn_and_the_last_page_is_full(catalog):
    agent = FangryBirds(catalog)
    agent.reset("s", {})
    first = agent.respond("s", "I'm looking for Shirts T-Shirts, but I'm still exploring.", 1, 10)
    last = agent.respond("s", "I don't have an additional preference for other.", 10, 10)
    assert (first["ask_attribute"], last["ask_attribute"]) == ("other", "other")
    assert len(shown(last)) == 10


def test_free_text_yields_category_known_lines_and_keywords(catalog):
    state = hear(FangryBirds(catalog), "A red one from hats caps beanies? I would say: Fits most heads!")
    assert state.category == "hats caps beanies"
    assert "red" in state.soft
    state = hear(FangryBirds(catalog), "You know: crew neck, please.")
    assert state.soft == ["crew neck"]


# Star Labs


def clues():
    return Catalog.build(
        [
            product("A", "Warm", "Soft", reviews=50),
            product("B", "Warm", "Light", reviews=90),
            product("C", "Cool", "Light purple", reviews=10),
            product("D", "Cool", "Stiff", kind="Hats", reviews=70),
            product("E", "Plain", "Grey felt", kind="Hats", reviews=70),
        ]
    )


def route(agent, *messages):
    found = agent.shortlist(hear(agent, *messages))
    return found.route, ids(agent.catalog, found.rows)


def test_exact_where_one_product_of_the_bucket_holds_all_clues():
    opening = "I'm looking for Scarves. A key requirement is: Warm."
    assert route(StarLabs(clues()), opening, "For that, what matters is: Soft.") == ("exact", ["A", "B", "C"])


def test_exact_global_only_where_the_category_is_a_guess():
    agent = StarLabs(clues())
    known, damaged = (
        f"I'm looking for {name}. A key requirement is: Stiff." for name in ("Scarves", "Scarvs")
    )
    assert route(agent, damaged) == ("exact_global", ["D", "B", "A", "C"])
    assert route(agent, known)[0] in ("bm25", "weak")


def test_bm25_is_trusted_where_no_clue_resolves():
    found = route(StarLabs(clues()), "I'm looking for Scarves. A key requirement is: something light purple.")
    assert found == ("bm25_trust", ["C", "B", "A"])


def test_clues_held_then_popularity_order_the_bucket():
    agent = StarLabs(clues())
    opening = "I'm looking for Scarves. A key requirement is: Warm."
    # A and B share the clue; so does their BM25 score, hence the evidence is weak.
    assert route(agent, opening) == ("weak", ["B", "A", "C"])


def test_wide_where_a_search_of_everything_separates_better():
    agent = StarLabs(clues())
    # "grey" stands in no scarf, so the bucket separates nothing; one hat has it.
    state = hear(agent, "I'm looking for Scarvs, but I'm still exploring.", "it should be grey")
    found = agent.shortlist(state)
    assert found.route == "wide"
    assert ids(agent.catalog, found.rows)[0] == "E"


def test_floor_orders_by_popularity_and_taste():
    catalog = Catalog.build(
        [
            product("A", "Warm", reviews=10),
            product("B", "Soft fit", reviews=10),
            product("C", "Thin", reviews=99),
        ]
    )
    agent = StarLabs(catalog)
    for tags, expected in ((["fit"], ["C", "B", "A"]), ([], ["C", "A", "B"]), (None, ["C", "A", "B"])):
        state = agent.open({"preference_tags": tags})
        agent.remember(state, Heard("exploring", category="Scarves"))
        found = agent.shortlist(state)
        assert (found.route, ids(catalog, found.rows)) == ("floor", expected)


def test_equal_products_stand_by_id():
    catalog = Catalog.build([product("B", "x"), product("A", "x")])
    assert route(StarLabs(catalog), "I'm looking for Scarves, but I'm still exploring.")[1] == ["A", "B"]


def test_casual_words_are_translated_only_where_nothing_else_matches():
    assert canonical("Violet and comfy") == "purple and comfortable"
    agent = StarLabs(clues())
    opening = "I'm looking for Scarves. A key requirement is: {}."
    # "light" is known: it ranks the shorter text first, and nobody asks what violet is.
    assert route(agent, opening.format("light violet")) == ("bm25_trust", ["B", "C", "A"])
    assert route(agent, opening.format("violet")) == ("bm25_trust", ["C", "B", "A"])
    assert route(agent, opening.format("unheard of")) == ("floor", ["B", "A", "C"])


def test_a_preference_goes_only_by_a_proof_over_the_whole_catalog():
    agent = StarLabs(clues())
    assert agent.contradicts("Soft", "Cool")
    assert not agent.contradicts("Warm", "Light")
    assert not agent.contradicts("never heard", "Cool")
    opening, override = (
        "I'm looking for Scarves. {}",
        "Actually, ignore my earlier preference. What I need is: {}.",
    )
    kept = hear(agent, opening.format("Light"), override.format("Warm"))
    assert (kept.clues, kept.certain) == (["Light", "Warm"], False)
    assert hear(agent, opening.format("Soft"), override.format("Cool")).clues == ["Cool"]


def test_slots_are_filled_by_value():
    assert slot_value(1, 1) == pytest.approx(1.0)
    assert slot_value(3, 2) == pytest.approx(0.5 + 0.15 + 0.16)
    # From turn 1 the first slots of turns 1 to 8 come before rank 2 of turn 1 (0.16 against 0.15 at rank 1).
    assert schedule(8, 1, 10) == [0]
    assert schedule(9, 1, 10) == [0, 8]
    # Turns 9 and 10: 9/1, 10/1, 9/2, 10/2, 9/3, 10/3, 9/4, 9/5, 10/4, 9/6.
    assert schedule(10, 9, 10) == [0, 2, 4, 6, 7, 9]
    assert schedule(99, 10, 10) == list(range(10))
    assert schedule(0, 4, 10) == []


def test_separation_is_the_lead_of_the_best():
    assert separation(np.array([1.0, 4.0, 3.0])) == pytest.approx(0.25)
    assert separation(np.array([2.0])) == 1.0
    assert separation(np.zeros(3)) == 0.0


def many(count):
    return Catalog.build([product(f"P{n:02}", "Warm", "Soft", reviews=100 - n) for n in range(count)])


def test_one_card_on_turn_one_and_without_evidence_then_the_schedule():
    agent = StarLabs(many(12))
    refusal = "I don't have a preference for other; please use your judgment."
    replies = answers(
        agent,
        "I'm looking for Scarves, but I'm still exploring.",
        refusal,
        "For that, what matters is: Warm; Soft.",
    )
    # Ten are left in turn 3: eight take rank 1 of turns 3 to 10, the ninth rank 2 of turn 3.
    assert [shown(reply) for reply in replies] == [["P00"], ["P01"], ["P02", "P10"]]


def test_the_asking_stops_once_the_shopper_has_nothing_left():
    agent = StarLabs(many(3))
    replies = answers(
        agent,
        "I'm looking for Scarves, but I'm still exploring.",
        "For that, what matters is: Warm; Soft.",
        "I don't have an additional preference for other.",
    )
    assert [reply["ask_attribute"] for reply in replies] == ["other", "other", None]


def test_a_used_up_bucket_opens_the_whole_catalog():
    agent = StarLabs(clues())
    agent.reset("s", {})
    message = "I'm looking for Hats, but I'm still exploring."
    pages = [shown(agent.respond("s", message, turn, 10)) for turn in range(1, 4)]
    assert pages == [["D"], ["E"], ["B"]]


def test_a_fault_repeats_the_last_good_page_and_is_counted(monkeypatch):
    agent = StarLabs(clues())
    agent.reset("s", {})
    good = agent.respond("s", "I'm looking for Scarves. A key requirement is: Warm.", 1, 10)
    monkeypatch.setattr(agent, "shortlist", lambda state: 1 / 0)
    assert agent.respond("s", "For that, what matters is: Soft.", 2, 10) == good
    assert agent.fallbacks == {"last good page": 1}


# Lab Rats


def test_the_ledger_keeps_everything_as_said():
    state = hear(
        LabRats(two_ways()),
        "I'm looking for Shawls. Hand wash",
        "For that, what matters is: Hand wash; lay flat.",
        "Actually, ignore my earlier preference. What I need is: MADE in Italy.",
        "I don't have an additional preference for color.",
    )
    assert state.requirements == ["Hand wash", "Hand wash; lay flat", "MADE in Italy"]
    assert state.spent == {"color"}


def test_requirements_come_before_category_and_popularity():
    catalog = Catalog.build(
        [
            product("KIND", "Cool", reviews=99),
            product("ONE", "Warm wool", reviews=1),
            product("BOTH", "Warm", "Soft", kind="Hats", reviews=1),
            product("MORE", "Warm wool", reviews=2),
        ]
    )
    agent = LabRats(catalog)
    state = hear(
        agent, "I'm looking for Scarves. A key requirement is: Warm.", "For that, what matters is: Soft."
    )
    ranking = agent.rank(state)
    assert ids(catalog, ranking.rows) == ["BOTH", "MORE", "ONE", "KIND"]
    assert ranking.tied == 1


def test_a_wide_tie_shows_one_and_a_page_is_left_out_for_one_turn():
    agent = LabRats(many(12))
    opening, nothing = (
        "I'm looking for Scarves. A key requirement is: Warm.",
        "Those options are not quite right yet.",
    )
    # Twelve tie, then eleven beside the one shown; in turn 3 it is back.
    assert [shown(reply) for reply in answers(agent, opening, nothing, nothing)] == [
        ["P00"],
        ["P01"],
        ["P00"],
    ]


def test_a_narrow_tie_shows_a_full_page_and_the_next_page_leaves_it_out():
    agent = LabRats(many(10))
    opening, nothing = (
        "I'm looking for Scarves. A key requirement is: Warm.",
        "Those options are not quite right yet.",
    )
    pages = [shown(reply) for reply in answers(agent, opening, nothing, nothing)]
    assert pages[0] == pages[2] == [f"P{n:02}" for n in range(10)]
    assert pages[1] == []


def test_the_question_splits_the_tie():
    catalog = Catalog.build(
        [
            # Said: Warm. By color the parts are 2 and 2, by size 1, 1 and 2, by feature all answer alike.
            product("A", "Warm", "Size S", "blue", "Light"),
            product("B", "Warm", "Size M", "blue", "Light"),
            product("C", "Warm", "Size L", "green", "Light"),
            product("D", "Warm", "Size L", "green", "Light"),
        ]
    )
    agent, tie = LabRats(catalog), np.arange(4)
    classes = [catalog.lines.text(int(line)) for line in catalog.lines.cards[0]]
    assert classes == ["Warm", "color: blue", "Size S", "blue"]
    state = Ledger(requirements=["Warm"])
    assert agent.question(state, tie) == "size"
    state.spent.add("size")
    assert agent.question(state, tie) == "other"  # color and size together: 1, 1 and 2
    state.spent.add("other")
    assert agent.question(state, tie) == "color"
    assert agent.question(Ledger(requirements=["Warm"]), tie[:0]) is None
