"""Quantities in texts, worked out by hand: 1 inch is 25.4 mm, 1 ounce 28.35 g, XL the fourth of S, M, L."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.quantities import Quantity, quantities

INF = float("inf")


def read(text):
    return [
        (one.kind, pytest.approx(one.least, abs=0.01), pytest.approx(one.most, abs=0.01))
        for one in quantities(text)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "8-inch",
        "8 inches",
        '8"',
        "8 in",
        "8in.",
        "8.0 inch",
        "20.32 cm",
        "203.2mm",
        "8''",
        "8” wide",
        "an 8 in brim",
    ],
)
def test_the_same_length_in_other_words(text):
    (one,) = quantities(text)
    assert (one.kind, one.least, one.most) == ("length", pytest.approx(203.2), pytest.approx(203.2))


@pytest.mark.parametrize("text", ["1/2 inch", "0.5 in", "½ inch", ".5 inches", '1/2"', "12.7 mm", "1.27cm"])
def test_half_an_inch(text):
    (one,) = quantities(text)
    assert (one.kind, one.least) == ("length", pytest.approx(12.7))


@pytest.mark.parametrize("text", ["XL", "x-large", "extra large", "Extra-Large", "size XL", "1XL"])
def test_extra_large(text):
    assert read(text) == [("letter", 4.0, 4.0)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("size 8 wide", [("size", 8.0, 8.0)]),
        ("8.5 wide", [("size", 8.5, 8.5)]),
        ("size: 8 1/2", [("size", 8.5, 8.5)]),
        ("sizes 6-10", [("size", 6.0, 10.0)]),
        ("size 8 in black", [("size", 8.0, 8.0)]),
        ("2XL", [("letter", 5.0, 5.0)]),
        ("XXL", [("letter", 5.0, 5.0)]),
        ("S-XXL", [("letter", 1.0, 5.0)]),
        ("size M", [("letter", 2.0, 2.0)]),
        ("32x30", [("inseam", 30.0, 30.0), ("waist", 32.0, 32.0)]),
        ("32W x 30L", [("inseam", 30.0, 30.0), ("waist", 32.0, 32.0)]),
        ("waist 32", [("waist", 32.0, 32.0)]),
        ("between 6 and 8 inches", [("length", 152.4, 203.2)]),
        ("6-8 inch", [("length", 152.4, 203.2)]),
        ('6" to 8"', [("length", 152.4, 203.2)]),
        ("at least 8 inches", [("length", 203.2, INF)]),
        ("8 inches or more", [("length", 203.2, INF)]),
        ("no more than 8 inches", [("length", 0.0, 203.2)]),
        ("under 40 mm", [("length", 0.0, 40.0)]),
        ("3 x 4 inches", [("length", 76.2, 76.2), ("length", 101.6, 101.6)]),
        ('3"L x 4"W', [("length", 76.2, 76.2), ("length", 101.6, 101.6)]),
        ("2 ounces", [("weight", 56.7, 56.7)]),
        ("1.5 lbs", [("weight", 680.39, 680.39)]),
        ("100 ml", [("volume", 100.0, 100.0)]),
    ],
)
def test_quantities(text, found):
    assert read(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "", "8", "pack of 6", "100% cotton", "August 8, 2019", "8 in black", "$8",
        "model L46-8", "men's large tee",
        "8 x 10 x 2", "1/0 inch", "24/7", "the 1990s", "small pocket", "a1in",
        "Package Dimensions: 8 x 4 x 2 inches; 8 Ounces",
    ],
)  # fmt: skip
def test_no_quantity(text):
    assert quantities(text) == []


def test_places():
    text = "Brim of about 3½ inches, size XL"
    assert [text[one.start : one.end] for one in quantities(text)] == ["3½ inches", "size XL"]


def test_measures_are_compared_as_they_are_rounded_and_sizes_exactly():
    inches, centimetres = quantities("8 inches")[0], quantities("20 cm")[0]
    assert inches.meets(centimetres, 0.02)
    assert not inches.meets(centimetres, 0.01)
    assert quantities("sizes 6-10")[0].meets(Quantity("size", 8, 8), 0.02)
    assert not quantities("size 8.5")[0].meets(Quantity("size", 8, 8), 0.02)
    assert not inches.meets(Quantity("weight", 203.2, 203.2), 0.02)


@settings(max_examples=100, deadline=None)
@given(text=st.text(alphabet="0123456789./-x \"'inchesXLto½and", max_size=60))
def test_any_text(text):
    for one in quantities(text):
        assert 0 <= one.start < one.end <= len(text)
        assert one.least <= one.most
