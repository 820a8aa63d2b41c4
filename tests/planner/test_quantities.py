"""Quantities as evidence, in dialogues over products that state the same in other ways."""

import math

import pytest

from index.catalog import Catalog
from index.products import Product
from index.quantities import Quantity
from planner.planner import Planner
from planner.understanding.amounts import amounts
from scoring import quantities
from scoring.evidence import PriceWanted, QuantityWanted, Retraction, WordsSaid


def hat(name, *features, title="Straw hat"):
    return Product(name, title, features=features, categories=("Women", "Sun Hats"))


SHOP = (
    hat("EIGHT", 'Brim: 8"'),
    hat("METRIC", "Brim: 20.3 cm"),
    hat("ENTITY", "Brim: 8&#34;"),
    hat("NINE", "Brim: 9 inches"),
    hat("HALF", "Ribbon: 0.5 inch"),
    hat("FRACTION", "Ribbon: 1/2 in."),
    hat("EXTRA", "Cut: X-Large"),
    hat("SPAN", "Cut: S-XXL"),
    hat("SMALL", "Cut: X-Small"),
    hat("TITLED", "Woven", title="Straw hat, 7.5 inch brim"),
    hat("PACKED", "Package Dimensions: 8 x 12.7 x 12.7 inches; 2 Ounces"),
    hat("JEANS", "Fit: 32W x 30L"),
    hat("SHOE", "Size: 8 wide"),
    hat("NINES", "Size: 9 wide"),
    *(hat(f"PLAIN{number}", f"Weave {number}a") for number in range(40)),
)


@pytest.fixture(scope="module")
def planner():
    return Planner(Catalog.build(SHOP))


def term(planner, *messages):
    belief = planner.belief(["do you have sun hats?", *messages])
    ids = [planner.catalog.ids[int(row)].as_py() for row in belief.rows]
    return dict(zip(ids, belief.terms["quantity"].tolist(), strict=True))


@pytest.mark.parametrize(
    ("message", "stating"),
    [
        ("an 8 inch brim", {"EIGHT", "METRIC", "ENTITY"}),
        ("brim of 20 cm", {"EIGHT", "METRIC", "ENTITY"}),
        ('a brim of 8"', {"EIGHT", "METRIC", "ENTITY"}),
        ("brim between 7 and 8 inches", {"EIGHT", "METRIC", "ENTITY", "TITLED"}),
        ("brim at least 8.5 inches", {"NINE"}),
        ("half a ribbon, 1/2 inch", {"HALF", "FRACTION"}),
        ("ribbon 12.7mm", {"HALF", "FRACTION"}),
        ("XL please", {"EXTRA", "SPAN"}),
        ("extra large", {"EXTRA", "SPAN"}),
        ("size 8 wide", {"SHOE"}),
        ("inseam 30", {"JEANS"}),
    ],
)
def test_whoever_states_it_in_whatever_way_counts(planner, message, stating):
    nats = term(planner, message)
    assert {name for name, value in nats.items() if value == 0.0} == stating
    text = planner.config.scoring.text
    missed = max(text.quantity_miss, math.log(len(stating) / len(SHOP)))
    assert nats["PLAIN0"] == pytest.approx(missed)


def test_two_numbers_are_a_waist_and_an_inseam(planner):
    evidence = planner.reader.read("32x30", first=False, asked=None).evidence
    assert [item for item in evidence if isinstance(item, QuantityWanted)] == [
        QuantityWanted("inseam", 30.0, 30.0),
        QuantityWanted("waist", 32.0, 32.0),
    ]
    assert term(planner, "32x30")["JEANS"] == 0.0


def test_said_twice_it_counts_once(planner):
    assert term(planner, "an 8 inch brim, 20 cm", "8 inches") == term(planner, "an 8 inch brim")
    both = term(planner, "an 8 inch brim and a ribbon of 1/2 inch")
    assert both["PLAIN0"] < term(planner, "an 8 inch brim")["PLAIN0"] - 1.0


def test_what_no_product_states_says_nothing(planner):
    assert set(term(planner, "a 99 inch brim").values()) == {0.0}


def test_a_candidate_comes_by_its_quantity_alone():
    shop = Planner(Catalog.build(SHOP))
    config = shop.config.changed(
        {"scoring.candidates.popular": 1, "scoring.candidates.lexical": 1, "scoring.candidates.quoted": 5}
    )
    belief = Planner(shop.catalog, config).belief(["12.7mm"])
    ids = {shop.catalog.ids[int(row)].as_py() for row in belief.rows}
    assert {"HALF", "FRACTION"} <= ids


def test_money_is_no_measure_and_a_measure_no_money(planner):
    assert amounts("8 inches", about_price=True) == []
    evidence = planner.reader.read("under 20 pounds", first=False, asked=None).evidence
    assert evidence == (PriceWanted(0.0, 20.0),)


def test_the_words_of_a_range_are_no_wish_for_its_ends(planner):
    evidence = planner.reader.read("a brim between 7 and 8 inches", first=False, asked=None).evidence
    said = [word.text for item in evidence if isinstance(item, WordsSaid) for word in item.words]
    assert said == ["brim"]


def test_it_is_traced_explained_and_may_be_taken_back(planner):
    message = "I'd like a brim of 8 inches"
    reading = planner.reader.read(message, first=False, asked=None)
    (span,) = [span for span in reading.spans if span.label == "quantity"]
    assert message[span.start : span.end] == "8 inches"
    assert reading.evidence[span.item] == QuantityWanted("length", pytest.approx(203.2), pytest.approx(203.2))
    assert planner.reader.read("forget the size", first=False, asked=None).evidence == (Retraction(3),)
    share = planner.config.scoring.text.after_retraction
    before, after = term(planner, message), term(planner, message, "forget the size")
    assert after["NINE"] == pytest.approx(share * before["NINE"])


@pytest.mark.parametrize("at_once", [1, 3, 1000])
def test_every_product_that_states_it_is_found_however_many_texts_are_taken_at_once(
    planner, monkeypatch, at_once
):
    monkeypatch.setattr(quantities, "_TEXTS_TAKEN", at_once)
    finder = quantities.QuantityFinder(planner.catalog)
    rows = finder.rows(Quantity("length", 203.2, 203.2), 0.02)
    assert {planner.catalog.ids[int(row)].as_py() for row in rows} == {"EIGHT", "METRIC", "ENTITY"}


def test_of_many_texts_that_state_it_the_most_rated_are_parsed(planner, monkeypatch):
    monkeypatch.setattr(quantities, "_TEXTS_TAKEN", 1)
    monkeypatch.setattr(quantities, "_TEXTS_PARSED", 1)
    rows = quantities.QuantityFinder(planner.catalog).rows(Quantity("length", 203.2, 203.2), 0.02)
    # none has a rating: the first line in the catalog's order, which two products have
    assert {planner.catalog.ids[int(row)].as_py() for row in rows} == {"EIGHT", "ENTITY"}
