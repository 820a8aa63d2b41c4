"""The shopper model, against answers read off the protocol's text by hand."""

import math

import numpy as np
import pytest

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.products import Product
from planner.config import PlannerConfig
from scoring.evidence import PREFERENCE, REQUIREMENT, UNPROMPTED, LinesSaid, Refusal, Silence
from scoring.replay import replay
from scoring.shopper import (
    answer_masks,
    expected_slots,
    first_two,
    reply_log_likelihood,
    weights,
)

MATERIAL, COLOR, FEATURE, OTHER = map(ATTRIBUTES.index, ("material", "color", "feature", "other"))
LETTER = PlannerConfig.load("wildcard").scoring.shopper
WORDS = PlannerConfig.load("robust").scoring.shopper
HEARING = PlannerConfig.load("robust").scoring.hearing

# The card is: cotton | 100% Cotton | Covered zipper | Imported; the last two lines stay off the card.
SHIRT = Product(
    "a", features=("100% Cotton", "Covered zipper", "Imported", "Two pockets"), details={"Made by": "Nobody"}
)
BELT = Product("b", features=("Brass buckle", "Imported"))


@pytest.fixture(scope="module")
def catalog():
    return Catalog.build([SHIRT, BELT])


def masks_of(catalog, config, row=0):
    return answer_masks(catalog.lines, catalog.lines.cards, config)[row]


@pytest.mark.parametrize(
    ("mask", "lowest"), [(0, 0), (0b1, 0b1), (0b1010, 0b1010), (0b1110, 0b0110), (0b1111, 0b0011)]
)
def test_two_lowest_bits(mask, lowest):
    assert first_two(mask) == lowest


def test_slots_by_attribute(catalog):
    by_letter, by_words = masks_of(catalog, LETTER), masks_of(catalog, WORDS)
    assert by_letter[MATERIAL] == by_words[MATERIAL] == 0b0011
    assert by_letter[COLOR] == 0b0100  # "Covered" holds "red"
    assert by_letter[FEATURE] == 0b1000
    assert by_words[COLOR] == 0
    assert by_words[FEATURE] == 0b1100
    assert by_letter[OTHER] == by_words[OTHER] == 0b1111
    assert masks_of(catalog, WORDS, row=1)[OTHER] == 0b0011  # the belt's card has two lines only


def test_at_most_two_lines_hard_before_soft(catalog):
    masks = masks_of(catalog, WORDS)
    assert expected_slots(masks, 0, OTHER) == 0b0011
    assert expected_slots(masks, 0b0011, OTHER) == 0b1100
    assert expected_slots(masks, 0b0001, MATERIAL) == 0b0010
    assert expected_slots(masks, 0b1111, OTHER) == 0
    assert expected_slots(masks, 0, COLOR) == 0


def test_openings_and_override(catalog):
    masks = masks_of(catalog, WORDS)
    assert expected_slots(masks, 0, REQUIREMENT) == 0b0001
    assert expected_slots(masks, 0b0001, REQUIREMENT) == 0b0001
    assert expected_slots(masks, 0, PREFERENCE) == 0b1000
    assert expected_slots(masks_of(catalog, WORDS, row=1), 0, PREFERENCE) == 0b0010
    assert expected_slots(masks, 0, UNPROMPTED) == 0b1111


def likelihood(catalog, said, asked, disclosed=0, row=0):
    ids = np.full(2, -1, dtype=np.int32)
    ids[: len(said)] = catalog.lines.find(said)
    record = catalog.lines.of_product[row]
    held = sum(1 << i for i, line in enumerate(ids) if line >= 0 and line in record)
    background = np.where(ids >= 0, -catalog.lines.rarity[ids].astype(float), 0.0)
    return reply_log_likelihood(
        catalog.lines.cards[row],
        masks_of(catalog, WORDS, row),
        disclosed,
        asked,
        ids,
        held,
        background,
        weights(WORDS),
    )


def test_the_expected_answer_costs_nothing(catalog):
    assert likelihood(catalog, ["cotton", "100% Cotton"], MATERIAL) == (0.0, 0b0011)
    assert likelihood(catalog, ["100% Cotton", "cotton"], OTHER) == (0.0, 0b0011)
    assert likelihood(catalog, [], COLOR) == (0.0, 0)


def test_each_deviation_costs_its_weight(catalog):
    assert likelihood(catalog, ["cotton"], MATERIAL) == (WORDS.omitted, 0b0001)
    assert likelihood(catalog, [], MATERIAL) == (WORDS.silent, 0)
    assert likelihood(catalog, ["Imported"], MATERIAL) == (WORDS.unexpected + 2 * WORDS.omitted, 0b1000)
    assert likelihood(catalog, ["Two pockets"], UNPROMPTED) == (WORDS.off_card, 0)
    assert likelihood(catalog, ["100% Cotton"], REQUIREMENT) == (WORDS.unexpected, 0b0010)


def test_a_foreign_line_costs_more_the_rarer_it_is(catalog):
    nats, disclosed = likelihood(catalog, ["Brass buckle"], UNPROMPTED)
    assert nats == pytest.approx(WORDS.absent + math.log(1 / 2))  # one product of two says it
    assert disclosed == 0
    assert likelihood(catalog, ["cotton"], UNPROMPTED, row=1)[0] == pytest.approx(WORDS.absent - math.log(2))


def test_a_preference_is_not_disclosed(catalog):
    assert likelihood(catalog, ["Imported"], PREFERENCE) == (0.0, 0)


def test_a_line_in_two_slots_is_said_once_a_slot():
    # The derived material and the feature read alike; the shopper says both, one after the other.
    catalog = Catalog.build([Product("a", features=("Cotton", "Imported"))])
    line = catalog.lines.find(["cotton"])[0]
    assert catalog.lines.cards[0, :2].tolist() == [line, line]
    assert likelihood(catalog, ["cotton"], REQUIREMENT) == (0.0, 0b0001)
    assert likelihood(catalog, ["Cotton"], MATERIAL, disclosed=0b0001) == (0.0, 0b0011)
    assert likelihood(catalog, ["cotton", "Cotton"], MATERIAL) == (0.0, 0b0011)


def test_replay_adds_up_a_conversation(catalog):
    cotton, full, imported = catalog.lines.find(["cotton", "100% Cotton", "Imported"]).tolist()
    evidence = (
        LinesSaid(REQUIREMENT, (cotton,)),
        Refusal(COLOR),
        LinesSaid(MATERIAL, (full,)),
        Silence(COLOR),
        LinesSaid(FEATURE, (imported,)),
    )
    rows = np.array([0, 1])
    masks = answer_masks(catalog.lines, catalog.lines.cards, WORDS)
    replayed = replay(evidence, {}, rows, catalog.lines.cards, masks, catalog, HEARING, weights(WORDS))
    # The shirt owes "Covered zipper" with "Imported"; the belt owes "Brass buckle" and says no cotton.
    absent = WORDS.absent - math.log(2)
    assert replayed.quoted == pytest.approx([WORDS.omitted, 2 * absent + WORDS.omitted])
    assert replayed.heard.tolist() == [0, 0]
    assert replayed.disclosed.tolist() == [0b1011, 0b0010]
