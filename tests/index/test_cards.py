"""The intent card, worked out by hand from the shopping protocol."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.card_columns import card_words, line_classes
from index.cards import (
    ATTRIBUTES,
    card_lines,
    category_words,
    constraint_class,
    first_color,
    first_material,
    intent_card,
)
from index.postings import Postings
from index.products import Product
from index.tokens import Tokens


def test_features_come_first_then_details_then_price():
    product = Product(
        "A", title="Mug", features=("Holds tea", "", "Dishwasher safe"), details={"Lid": "yes"}, price=12.5
    )
    assert card_lines(product) == ["Holds tea", "Dishwasher safe", "Lid: yes", "budget around $12.5"]


def test_empty_details_are_left_out_and_nested_ones_print_as_python_prints_them():
    product = Product("A", details={"None": None, "Text": "", "List": [], "Rank": {"Mugs": 3}})
    assert card_lines(product) == ["Rank: {'Mugs': 3}"]


def test_material_goes_to_the_front_and_color_to_index_1():
    product = Product("A", title="Red Wool Scarf", features=("Long", "Warm"))
    assert card_lines(product) == ["wool", "color: red", "Long", "Warm"]


def test_color_without_material_stands_after_the_first_feature():
    product = Product("A", title="RED scarf", features=("Long", "Warm"))
    assert card_lines(product) == ["Long", "color: red", "Warm"]


def test_color_without_material_or_feature_stands_alone():
    assert card_lines(Product("A", title="Grey scarf")) == ["color: grey"]


@pytest.mark.parametrize(
    ("product", "first"),
    [
        (Product("A", title="Silk tie", features=("Wool lining",)), "silk"),
        (Product("A", features=("Wool lining",), details={"Outer": "Nylon"}), "wool"),
        (Product("A", details={"Leather": "Nylon"}), "leather"),
        (Product("A", details={"Outer": "Nylon"}, description=("cotton",)), "nylon"),
        (Product("A", description=("cotton",), categories=("Leather",)), "cotton"),
        (Product("A", categories=("Leather",), store="Silk House"), "leather"),
        (Product("A", store="Silk House"), "silk"),
    ],
)
def test_material_is_the_first_match_in_title_features_details_description_categories_store(product, first):
    assert card_lines(product)[0] == first


def test_material_and_color_match_whole_words_only():
    product = Product("A", title="Cottony reddish silks", features=("Soft",))
    assert card_lines(product) == ["Soft"]


@pytest.mark.parametrize(
    ("price", "line"),
    [
        (20, "budget around $20"),
        (20.0, "budget around $20.0"),
        (19.99, "budget around $19.99"),
        (0, "budget around $0"),
    ],
)
def test_price_prints_as_python_prints_the_number(price, line):
    assert card_lines(Product("A", price=price)) == [line]


def test_lines_are_cleaned():
    product = Product("A", features=(" - Soft \t and\n light ;.", "-,.", "Soft and light"))
    assert card_lines(product) == ["Soft and light"]


def test_lines_are_cut_at_180_characters_and_right_stripped():
    line = "x" * 179 + " tail"
    assert card_lines(Product("A", features=("y" * 200, line))) == ["y" * 180, "x" * 179]


def test_the_title_speaks_where_nothing_else_does():
    assert card_lines(Product("A", title=" - Plain  thing. ")) == ["Plain thing"]


def test_two_hard_constraints_then_two_soft_preferences():
    card = intent_card(Product("A", features=("one", "two", "three", "four", "five")))
    assert card.hard == ("one", "two")
    assert card.soft == ("three", "four")


def test_a_third_line_alone_is_the_one_soft_preference():
    assert intent_card(Product("A", features=("one", "two", "three"))).soft == ("three",)


@pytest.mark.parametrize("features", [("one",), ("one", "two")])
def test_soft_falls_back_to_the_first_hard_constraint(features):
    card = intent_card(Product("A", features=features))
    assert card.hard == features
    assert card.soft == ("one",)
    assert card.slots == features


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("budget around $20", "budget"),
        ("cotton within budget", "budget"),
        ("under 20 pounds", "budget"),
        ("<= 3", "budget"),
        ("under the knee", "feature"),
        ("100% Cotton", "material"),
        ("Fabric: jersey", "material"),
        ("blue wool", "material"),
        ("color: red", "color"),
        ("covered", "color"),
        ("brown", "feature"),
        ("wide sizing", "size"),
        ("One size fits all", "size"),
        ("benefit", "style"),
        ("Department: Womens", "style"),
        ("V-neck", "style"),
        ("gym and winter", "use_case"),
        ("workmanship", "use_case"),
        ("Imported", "feature"),
    ],
)
def test_class_of_a_constraint_is_the_first_that_applies(text, expected):
    assert constraint_class(text) == expected


@pytest.mark.parametrize(
    ("categories", "expected"),
    [
        (("Clothing, Shoes & Jewelry", "Women", "Dresses"), "Women Dresses"),
        (("Clothing, Shoes & Jewelry", "Women"), "Shoes & Jewelry Women"),
        (("CLOTHING", "Clothing Shoes & Jewelry", "Boys"), "Boys"),
        (("Tops, Tees & Blouses",), "Tops Tees & Blouses"),
        (("A", " ,  "), "A"),
        ((), "clothing item"),
        (("Clothing",), "clothing item"),
    ],
)
def test_category_words_are_the_last_two_parts(categories, expected):
    assert category_words(categories) == expected


@pytest.mark.parametrize(
    ("text", "by_substring"),
    [
        ("Fully covered", "color"),
        ("A benefit", "style"),
        ("Pearl necklace", "style"),
        ("An outfit", "style"),
        ("Network", "use_case"),
        ("cottony", "material"),
        ("reworked", "use_case"),
        ("oversized", "size"),
        ("budgeting", "budget"),
        ("thunder 5", "budget"),
    ],
)
def test_by_whole_words_an_accident_of_spelling_is_no_class(text, by_substring):
    assert constraint_class(text) == by_substring
    assert constraint_class(text, whole_words=True) == "feature"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("budget around $20", "budget"),
        ("two budgets", "budget"),
        ("Under 20 pounds", "budget"),
        ("Wools and silks", "material"),
        ("100% COTTON.", "material"),
        ("bold colors", "color"),
        ("Reds/greens", "color"),
        ("All sizes", "size"),
        ("slim-fit", "style"),
        ("two sleeves", "style"),
        ("V-necks", "style"),
        ("for work, not gym", "use_case"),
        ("covered in wool", "material"),
        ("A network of fits", "style"),
        ("Imported", "feature"),
        ("", "feature"),
    ],
)
def test_by_whole_words_the_vocabulary_stands_alone_or_in_the_plural(text, expected):
    assert constraint_class(text, whole_words=True) == expected


PIECES = st.sampled_from(
    (
        [
            "wool",
            "WOOL",
            "cotton",
            "red",
            "Red",
            "grey",
            "fit",
            "size",
            "budget",
            "under",
            "5",
            "٣",
            "s",
            "_",
            "é",
            "É",
            "-",
            ".",
            "ſ",
            "K",
            "İ",
            "™",
            "素",
            "́",
            "½",
            "$",
        ]
    )
    + ([" "] * 4 + list("\x0b\x1c\x85\xa0\u2028"))
)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(PIECES, max_size=8).map("".join), max_size=4))
def test_many_texts_at_once_give_what_one_gives(texts):
    """By words or by patterns, the same is found, whatever stands beside a word."""
    tokens = Tokens.of(texts)
    each = Postings(np.arange(len(texts) + 1), np.arange(len(texts), dtype=np.int32))
    lowered = [text.lower() for text in texts]
    materials, colors = card_words(texts, tokens, each)
    assert materials == [first_material(text) for text in lowered]
    assert colors == [first_color(text) for text in lowered]
    joined = Postings(np.array([0, len(texts)]), each.values)
    (material,), (color,) = card_words(texts, tokens, joined)
    assert material == first_material(" ".join(lowered))
    assert color == first_color(" ".join(lowered))
    for text, codes in zip(texts, line_classes(pa.array(texts, pa.large_string()), tokens).T, strict=True):
        assert [ATTRIBUTES[code] for code in codes] == [
            constraint_class(text),
            constraint_class(text, whole_words=True),
        ]
