"""Every sentence of the shopping protocol, read to the evidence that it is."""

from dataclasses import dataclass
from itertools import combinations
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.cards import ATTRIBUTES, intent_card
from index.catalog import Catalog
from index.products import Product
from index.readers import ReadReport, iter_products
from index.text import fingerprint
from planner.understanding.reader import MessageReader
from scoring.evidence import (
    PREFERENCE,
    REQUIREMENT,
    UNPROMPTED,
    CategoryNamed,
    LinesSaid,
    Opening,
    Override,
    Refusal,
    Silence,
    WordsSaid,
)

MATERIAL, COLOR, SIZE, FEATURE, USE_CASE, OTHER = map(
    ATTRIBUTES.index, ("material", "color", "size", "feature", "use_case", "other")
)


class Reader(MessageReader):
    """A reader whose evidence alone is looked at."""

    def read(self, message, *, first, asked):
        return super().read(message, first=first, asked=asked).evidence


@pytest.fixture(scope="module")
def reader(catalog):
    return Reader(catalog)


@dataclass(frozen=True)
class Words:
    """Equal to words said that are heard as these."""

    asked: int
    texts: str

    def __eq__(self, other):
        return isinstance(other, WordsSaid) and (
            other.asked,
            " ".join(word.text for word in other.words),
        ) == (
            self.asked,
            self.texts,
        )


@pytest.fixture(scope="module")
def said(catalog):
    """Make the evidence of lines said, by their texts; each must be known."""

    def make(asked, *texts):
        numbers = catalog.lines.find(texts).tolist()
        assert min(numbers) >= 0
        return LinesSaid(asked, tuple(numbers))

    return make


@pytest.fixture(scope="module")
def long_line(products):
    """A line of 180 characters that ends in a period."""
    line = next(product for product in products if product.parent_asin == "COAT").features[0][:180]
    assert line.endswith("collar.")
    return line


class TestOpenings:
    @pytest.mark.parametrize(
        "requirement",
        [
            "Soft to the touch",
            "Hand wash; lay flat to dry",
            "Fabric: merino blend",
            "No. 7 buckle. Lined brim",
            "Origin: {'Made': 'Spain'}",
            "budget around $19.5",
            "柔らかい 素材",
        ],
    )
    def test_a_buyer_names_a_requirement(self, reader, said, requirement):
        message = f"I'm looking for Accessories Scarves. A key requirement is: {requirement}."
        assert reader.read(message, first=True, asked=None) == (
            Opening("requirement"),
            CategoryNamed("Accessories Scarves"),
            said(REQUIREMENT, requirement),
        )

    def test_a_requirement_cut_at_a_period(self, reader, said, long_line):
        message = f"I'm looking for Women Coats. A key requirement is: {long_line}."
        assert reader.read(message, first=True, asked=None) == (
            Opening("requirement"),
            CategoryNamed("Women Coats"),
            said(REQUIREMENT, long_line),
        )

    def test_a_category_with_a_period_before_a_requirement(self, reader, said):
        message = "I'm looking for Novelty St. Patrick. A key requirement is: color: green."
        assert reader.read(message, first=True, asked=None) == (
            Opening("requirement"),
            CategoryNamed("Novelty St. Patrick"),
            said(REQUIREMENT, "color: green"),
        )

    def test_a_requirement_with_nothing_after_it_tells_no_more(self, reader):
        evidence = reader.read("I'm looking for Women Coats. A key requirement is:", first=True, asked=None)
        assert evidence == (Opening("requirement"), CategoryNamed("Women Coats"))

    def test_an_answer_with_nothing_in_it_tells_nothing(self, catalog):
        reading = MessageReader(catalog).read("For that, what matters is: .", first=False, asked=MATERIAL)
        assert reading.evidence == ()
        assert [span.label for span in reading.spans] == ["nothing said"]

    def test_an_unknown_requirement_is_free_text(self, reader):
        message = "I'm looking for Men Socks. A key requirement is: knitted by moonlight."
        assert reader.read(message, first=True, asked=None) == (
            Opening("requirement"),
            CategoryNamed("Men Socks"),
        )

    @pytest.mark.parametrize(
        "category",
        ["Hats & Caps Beanies", "Novelty St. Patrick", "レディース マフラー", "things nobody sells"],
    )
    def test_exploring(self, reader, category):
        message = f"I'm looking for {category}, but I'm still exploring."
        assert reader.read(message, first=True, asked=None) == (
            Opening("exploring"),
            CategoryNamed(category),
        )

    @pytest.mark.parametrize(
        ("category", "preference"),
        [
            ("Accessories Scarves", "Made in Italy"),
            ("Accessories Scarves", "budget around $19.5"),
            ("Novelty St. Patrick", "Green felt: no itching"),
            ("Men Socks", "No. 7 buckle. Lined brim"),
            ("Novelty St. Patrick", "No. 7 buckle. Lined brim"),
            ("Dr. No. Things", "No. 7 buckle. Lined brim"),
        ],
    )
    def test_a_preference_where_either_half_may_hold_periods(self, reader, said, category, preference):
        message = f"I'm looking for {category}. {preference}"
        assert reader.read(message, first=True, asked=None) == (
            Opening("preference"),
            CategoryNamed(category),
            said(PREFERENCE, preference),
        )

    def test_a_preference_cut_at_a_period(self, reader, said, long_line):
        assert reader.read(f"I'm looking for Women Coats. {long_line}", first=True, asked=None) == (
            Opening("preference"),
            CategoryNamed("Women Coats"),
            said(PREFERENCE, long_line),
        )

    def test_an_unknown_preference_after_a_known_category(self, reader):
        message = "I'm looking for Novelty St. Patrick. Vol. 2 of it"
        assert reader.read(message, first=True, asked=None) == (
            Opening("preference"),
            CategoryNamed("Novelty St. Patrick"),
        )

    def test_nothing_known_splits_at_the_first_period(self, reader):
        assert reader.read("I'm looking for Dr. Strange. Vol. 2", first=True, asked=None) == (
            Opening("preference"),
            CategoryNamed("Dr"),
        )


class TestReplies:
    @pytest.mark.parametrize(
        ("payload", "lines"),
        [
            ("Made in Italy", ("Made in Italy",)),
            ("Made in Italy; Soft to the touch", ("Made in Italy", "Soft to the touch")),
            ("Hand wash; lay flat to dry", ("Hand wash; lay flat to dry",)),
            ("Hand wash; lay flat to dry; cotton", ("Hand wash; lay flat to dry", "cotton")),
            ("cotton; Warm; itch-free", ("cotton", "Warm; itch-free")),
            (
                "Hand wash; lay flat to dry; Button front; two pockets",
                ("Hand wash; lay flat to dry", "Button front; two pockets"),
            ),
            ("No. 7 buckle. Lined brim; Crew neck", ("No. 7 buckle. Lined brim", "Crew neck")),
            ("Denim &amp; lace; washed; color: blue", ("Denim &amp; lace; washed", "color: blue")),
            ("柔らかい 素材; 手洗い", ("柔らかい 素材", "手洗い")),
        ],
    )
    def test_an_answer_is_split_by_what_the_catalog_can_say(self, reader, said, payload, lines):
        message = f"For that, what matters is: {payload}."
        assert reader.read(message, first=False, asked=FEATURE) == (said(FEATURE, *lines),)

    def test_a_long_line_does_not_swallow_the_second(self, reader, said, long_line):
        for first, second in ((long_line, "Packs small"), ("Packs small", long_line)):
            message = f"For that, what matters is: {first}; {second}."
            assert reader.read(message, first=False, asked=FEATURE) == (said(FEATURE, first, second),)
        message = f"For that, what matters is: {long_line}."
        assert reader.read(message, first=False, asked=FEATURE) == (said(FEATURE, long_line),)

    def test_lines_that_differ_late_only(self):
        stem = (
            "A belt of woven cord for trousers, shorts and skirts, "
            "at home, on the way, in the garden, by the sea and in town"
        )
        longer, shorter = f"{stem}, at the office or far from it", f"{stem}, at the office or out"
        catalog = Catalog.build(
            [
                Product("A", features=(longer,)),
                Product("B", features=(shorter,)),
                Product("C", features=("New",)),
            ]
        )
        assert fingerprint(longer) == fingerprint(shorter)
        for line in (longer, shorter):
            message = f"For that, what matters is: {line}; New."
            spans = MessageReader(catalog).read(message, first=False, asked=FEATURE).spans
            assert [message[span.start : span.end] for span in spans] == [line, "New"]

    @pytest.mark.parametrize("payload", ["Made in Italy; sung in Latin", "sung in Latin; Made in Italy"])
    def test_one_unknown_part(self, reader, said, payload):
        message = f"For that, what matters is: {payload}."
        assert reader.read(message, first=False, asked=FEATURE) == (Words(FEATURE, "made italy"),)

    def test_an_unknown_part_next_to_a_line_with_a_semicolon(self, reader, said):
        message = "For that, what matters is: sung in Latin; Warm; itch-free."
        assert reader.read(message, first=False, asked=FEATURE) == (Words(FEATURE, "warm itch free"),)

    def test_words_that_no_product_has_are_no_evidence(self, reader):
        message = "For that, what matters is: sung at midnight; never seen."
        assert reader.read(message, first=False, asked=FEATURE) == ()

    def test_an_answer_to_no_question(self, reader, said):
        message = "For that, what matters is: Made in Italy."
        assert reader.read(message, first=False, asked=None) == (said(UNPROMPTED, "Made in Italy"),)

    def test_an_answer_as_the_first_message_heard(self, reader, said):
        message = "For that, what matters is: Made in Italy."
        assert reader.read(message, first=True, asked=None) == (said(UNPROMPTED, "Made in Italy"),)

    @pytest.mark.parametrize(
        "requirement", ["wool", "Hand wash; lay flat to dry", "No. 7 buckle. Lined brim"]
    )
    def test_a_change_of_mind(self, reader, said, requirement):
        message = f"Actually, ignore my earlier preference. What I need is: {requirement}."
        assert reader.read(message, first=False, asked=COLOR) == (Override(), said(REQUIREMENT, requirement))

    @pytest.mark.parametrize("name", ATTRIBUTES)
    def test_refusal_and_silence_name_their_attribute(self, reader, name):
        code = ATTRIBUTES.index(name)
        refusal = f"I don't have a preference for {name}; please use your judgment."
        silence = f"I don't have an additional preference for {name}."
        assert reader.read(refusal, first=False, asked=SIZE) == (Refusal(code),)
        assert reader.read(silence, first=False, asked=SIZE) == (Silence(code),)

    def test_an_unknown_attribute_is_the_one_that_was_asked(self, reader):
        silence = "I don't have an additional preference for hue."
        refusal = "I don't have a preference for hue; please use your judgment."
        assert reader.read(silence, first=False, asked=COLOR) == (Silence(COLOR),)
        assert reader.read(refusal, first=False, asked=COLOR) == (Refusal(COLOR),)
        assert reader.read(silence, first=False, asked=None) == ()

    def test_nothing_was_asked(self, reader):
        message = "Those options are not quite right yet. Ask me about one specific attribute."
        assert reader.read(message, first=False, asked=None) == ()


def test_all_that_real_shoppers_can_answer(real_inputs):
    products = list(iter_products(real_inputs / "products.jsonl", ReadReport()))
    catalog = Catalog.build(products)
    reader = Reader(catalog)
    for product in products:
        slots = intent_card(product).slots
        for lines in (*((line,) for line in slots), *combinations(slots, 2)):
            answer = f"For that, what matters is: {'; '.join(lines)}."
            numbers = tuple(catalog.lines.find(lines).tolist())
            assert reader.read(answer, first=False, asked=OTHER) == (LinesSaid(OTHER, numbers),)


class TestFreeText:
    def test_an_opening_in_own_words(self, reader):
        message = "Hello! any Accessories scarves, soft to the touch and of wool?"
        assert reader.read(message, first=True, asked=None) == (
            Opening("free"),
            CategoryNamed("accessories scarves"),
            Words(UNPROMPTED, "soft touch wool"),
        )

    def test_words_count_once(self, reader):
        message = "a crew neck, 100% cotton; a cotton crew neck"
        assert reader.read(message, first=False, asked=None) == (Words(UNPROMPTED, "crew neck 100 cotton"),)

    @pytest.mark.parametrize("message", ["", "   \n\t", "?!", "\x00\x07"])
    def test_no_words(self, reader, message):
        assert reader.read(message, first=True, asked=None) == (Opening("free"),)
        assert reader.read(message, first=False, asked=FEATURE) == ()

    def test_markup_and_control_characters_part_words(self, reader):
        message = "<b>made\x00in</b>&nbsp;Italy"
        assert reader.read(message, first=False, asked=None) == (Words(UNPROMPTED, "made italy"),)

    def test_other_scripts(self, reader):
        message = "これは 柔らかい　素材 ですか"
        assert reader.read(message, first=False, asked=None) == (Words(UNPROMPTED, "柔らかい 素材"),)

    def test_lone_surrogates(self, reader, said):
        message = "made in Italy \ud800"
        assert reader.read(message, first=False, asked=None) == (Words(UNPROMPTED, "made italy"),)
        answer = "For that, what matters is: \udfff; Made in Italy."
        assert reader.read(answer, first=False, asked=FEATURE) == (said(FEATURE, "Made in Italy"),)


class TestBounds:
    @pytest.mark.parametrize(
        "message",
        [
            "soft to the touch " * 6_000,
            "x" * 100_000,
            "a " * 50_000,
            "I'm looking for " + "A. " * 33_000,
            "For that, what matters is: " + "a; " * 33_000,
            "For that, what matters is: " + "; " * 50_000,
            " " * 100_000,
            "\ud800" * 100_000,
        ],
        ids=["phrases", "one-word", "words", "periods", "parts", "semicolons", "spaces", "surrogates"],
    )
    def test_a_very_long_message_is_read_fast(self, reader, message):
        reader.read("a b c", first=True, asked=None)
        start = perf_counter()
        evidence = reader.read(message, first=True, asked=None)
        assert perf_counter() - start < 2.0
        texts = [item.text for item in evidence if isinstance(item, CategoryNamed)]
        assert all(len(text) <= 1000 for text in texts)

    def test_the_beginning_of_a_long_message_counts(self, reader):
        evidence = reader.read("made in Italy " + "zzz " * 50_000, first=False, asked=None)
        assert evidence == (Words(UNPROMPTED, "made italy"),)

    def test_two_lines_of_full_length_are_read_whole(self, reader, said, long_line):
        message = f"For that, what matters is: {long_line}; {long_line}."
        assert len(message) > 380
        assert reader.read(message, first=False, asked=OTHER) == (said(OTHER, long_line, long_line),)

    @settings(max_examples=60, deadline=None)
    @given(
        text=st.text(st.characters(exclude_categories=()), max_size=80),
        head=st.sampled_from(
            ("", "I'm looking for ", "For that, what matters is: ", "I don't have a preference for ")
        ),
        first=st.booleans(),
        asked=st.sampled_from((None, *range(10))),
    )
    def test_any_text_is_read_to_lines_that_the_catalog_has(self, reader, catalog, text, head, first, asked):
        for item in reader.read(head + text, first=first, asked=asked):
            if isinstance(item, LinesSaid):
                assert item.lines
                assert min(item.lines) >= 0
                assert max(item.lines) < len(catalog.lines)
