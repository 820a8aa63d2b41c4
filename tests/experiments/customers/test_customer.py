"""The simulated customer, worked out by hand from the shopping protocol."""

import random

import pytest

from experiments.customers.customer import Customer, Shopper
from experiments.customers.sessions import Session
from index.products import Product

NOTHING_ASKED = "Those options are not quite right yet. Ask me about one specific attribute."


def shopper(scenario, *features, categories=("Women", "Scarves"), sample_id="s", **fields):
    session = Session(sample_id, scenario, "T", {})
    return Shopper.of(session, Product("T", features=features, categories=categories, **fields))


@pytest.mark.parametrize(
    ("scenario", "opening"),
    [
        ("buying", "I'm looking for Women Scarves. A key requirement is: one."),
        ("browsing", "I'm looking for Women Scarves, but I'm still exploring."),
        ("boundary", "I'm looking for Women Scarves, but I'm still exploring."),
        ("intent_override", "I'm looking for Women Scarves. four"),
    ],
)
def test_opening(scenario, opening):
    assert Customer(shopper(scenario, "one", "two", "three", "four")).opening() == opening


def test_override_opening_says_the_first_constraint_where_there_is_no_soft_one():
    customer = Customer(shopper("intent_override", "one", "two"))
    assert customer.opening() == "I'm looking for Women Scarves. one"


def test_opening_without_a_category():
    customer = Customer(shopper("browsing", "one", categories=()))
    assert customer.opening() == "I'm looking for clothing item, but I'm still exploring."


def test_nothing_asked():
    assert Customer(shopper("browsing", "one")).message(2, None) == NOTHING_ASKED


def test_a_reply_gives_up_to_two_constraints_of_the_class_once():
    customer = Customer(shopper("browsing", "100% Cotton", "Imported", "Fabric: jersey", "wool socks"))
    # the card: cotton, 100% Cotton | Imported, Fabric: jersey
    assert customer.message(2, "material") == "For that, what matters is: cotton; 100% Cotton."
    assert customer.message(3, "material") == "For that, what matters is: Fabric: jersey."
    assert customer.message(4, "material") == "I don't have an additional preference for material."
    assert customer.message(5, "feature") == "For that, what matters is: Imported."
    assert customer.message(6, "feature") == "I don't have an additional preference for feature."


def test_classes_are_found_by_substrings():
    customer = Customer(shopper("browsing", "Fully covered", "A benefit"))
    assert customer.message(2, "color") == "For that, what matters is: Fully covered."
    assert customer.message(3, "style") == "For that, what matters is: A benefit."


def test_other_draws_any_class_hard_before_soft():
    customer = Customer(shopper("browsing", "one", "Size 9", "three", "four"))
    assert customer.message(2, "other") == "For that, what matters is: one; Size 9."
    assert customer.message(3, "other") == "For that, what matters is: three; four."
    assert customer.message(4, "other") == "I don't have an additional preference for other."


@pytest.mark.parametrize("asked", ["colour", "Color", " color", "anything"])
def test_a_name_outside_the_list_counts_as_other(asked):
    customer = Customer(shopper("browsing", "one"))
    assert customer.message(2, asked) == "For that, what matters is: one."
    assert customer.message(3, asked) == "I don't have an additional preference for other."


@pytest.mark.parametrize("attribute", ["category", "brand"])
def test_no_constraint_is_of_class_category_or_brand(attribute):
    customer = Customer(shopper("browsing", "brand category"))
    assert customer.message(2, attribute) == f"I don't have an additional preference for {attribute}."


def test_the_opening_of_a_buyer_discloses_the_first_constraint():
    customer = Customer(shopper("buying", "one", "two", "three", "four"))
    customer.opening()
    assert customer.message(2, "other") == "For that, what matters is: two; three."


def test_the_opening_of_an_override_discloses_nothing():
    customer = Customer(shopper("intent_override", "one", "two", "three", "four"))
    customer.opening()
    assert customer.message(2, "feature") == "For that, what matters is: one; two."


def test_a_soft_preference_that_repeats_the_first_constraint_is_said_once():
    customer = Customer(shopper("browsing", "one"))
    assert customer.message(2, "other") == "For that, what matters is: one."
    assert customer.message(3, "other") == "I don't have an additional preference for other."


def test_boundary_refuses_the_first_question_and_only_that():
    customer = Customer(shopper("boundary", "color: x", "two"))
    assert customer.message(2, None) == NOTHING_ASKED
    refusal = "I don't have a preference for color; please use your judgment."
    assert customer.message(3, "color") == refusal
    assert customer.message(4, "color") == "For that, what matters is: color: x."
    assert customer.message(5, "feature") == "For that, what matters is: two."


def test_boundary_refuses_a_name_outside_the_list_as_other():
    customer = Customer(shopper("boundary", "one"))
    assert customer.message(2, "hue") == "I don't have a preference for other; please use your judgment."


@pytest.mark.parametrize("sample_id", ["public_0001", "public_0002", "a", "b", "c", "d"])
@pytest.mark.parametrize("asked", [None, "feature", "other"])
def test_override_in_its_turn_whatever_was_asked(sample_id, asked):
    turn = random.Random(f"{sample_id}\0intent_override").choice([3, 4])
    customer = Customer(shopper("intent_override", "one", "two", "three", "four", sample_id=sample_id))
    override = "Actually, ignore my earlier preference. What I need is: one."
    messages = {t: customer.message(t, asked if t == turn else None) for t in range(2, 7)}
    assert [t for t, message in messages.items() if message == override] == [turn]
    assert [customer.counts(t) for t in range(1, 11)] == [t >= turn for t in range(1, 11)]
    assert customer.message(7, "other") == "For that, what matters is: two; three."


def test_override_turns_differ_between_samples():
    turns = {shopper("intent_override", "x", sample_id=str(n)).override_turn for n in range(20)}
    assert turns == {3, 4}


@pytest.mark.parametrize("scenario", ["buying", "browsing", "boundary"])
def test_hits_count_from_the_first_turn_elsewhere(scenario):
    customer = Customer(shopper(scenario, "one"))
    assert all(customer.counts(turn) for turn in range(1, 11))
    assert shopper(scenario, "one").override_turn is None
