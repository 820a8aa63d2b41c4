"""Each layer of the reader, on sentences of our own; right answers worked out by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.cards import ATTRIBUTES
from planner.planner import Planner
from planner.understanding.amounts import amounts
from planner.understanding.lexicon import SYNONYMS, TALK, forms
from planner.understanding.reader import MessageReader
from planner.understanding.reading import tokens
from planner.understanding.words import WordFinder
from scoring.evidence import (
    REQUIREMENT,
    UNPROMPTED,
    CategoryNamed,
    LinesSaid,
    Opening,
    Override,
    PriceWanted,
    Refusal,
    Silence,
    Unwanted,
    WordsSaid,
)

MATERIAL, COLOR, FEATURE, BUDGET = map(ATTRIBUTES.index, ("material", "color", "feature", "budget"))


@pytest.fixture(scope="module")
def reader(catalog):
    return MessageReader(catalog)


@pytest.fixture(scope="module")
def planner(catalog):
    return Planner(catalog)


@pytest.fixture(scope="module")
def finder(catalog):
    return WordFinder(catalog)


def heard(finder, text):
    return {word.text: word for word in finder.heard(tokens(text))}


def kinds(evidence):
    return [type(item).__name__ for item in evidence]


class TestAmounts:
    @pytest.mark.parametrize(
        ("text", "least", "most"),
        [
            ("under 40 dollars", 0.0, 40.0),
            ("less than $1,250.50 please", 0.0, 1250.5),
            ("between 20 and 30 bucks", 20.0, 30.0),
            ("$20-$30", 20.0, 30.0),
            ("at least $15", 15.0, float("inf")),
            ("somewhere around 19.50 dollars", 19.5, 19.5),
            ("my budget is 60", 60.0, 60.0),
            ("25 usd or less", 0.0, 25.0),
        ],
    )
    def test_a_price(self, text, least, most):
        (amount,) = amounts(text, about_price=False)
        assert (amount.least, amount.most) == (least, most)

    @pytest.mark.parametrize(
        "text", ["size 8 wide", "an 8-inch brim", "100% cotton", "under 40 mm", "1/2 inch", "pack of 6"]
    )
    def test_measures_are_no_prices(self, text):
        assert amounts(text, about_price=False) == []

    def test_a_bare_number_is_a_price_where_the_price_was_asked(self):
        (amount,) = amounts("45 tops", about_price=True)
        assert (amount.least, amount.most) == (0.0, 45.0)
        assert amounts("8 inch", about_price=True) == []


class TestWords:
    @pytest.mark.parametrize(
        ("word", "form"),
        [
            ("scarf", "scarves"),
            ("scarves", "scarf"),
            ("watches", "watch"),
            ("dress", "dresses"),
            ("berries", "berry"),
            ("berry", "berries"),
            ("shoes", "shoe"),
        ],
    )
    def test_plural_and_singular(self, word, form):
        assert word in forms(word)
        assert form in forms(word)

    def test_synonyms(self, finder):
        words = heard(finder, "crimson vegan leather")
        # the catalog says "red", never "crimson"; it has no word for imitated leather
        assert words["crimson"].stands_for == ("red",)
        assert words["crimson"].strength < 1.0
        assert words["leather"].stands_for == ("leather",)
        assert "red" in SYNONYMS[("crimson",)]

    def test_a_misspelt_word(self, finder):
        words = heard(finder, "leahter cottn zzzzz")
        assert words["leahter"].stands_for == ("leather",)
        assert words["cottn"].stands_for == ("cotton",)
        assert 0.0 < words["cottn"].strength < 1.0
        assert "zzzzz" not in words

    def test_talk_says_nothing_unless_it_is_quoted(self, finder):
        assert finder.heard(tokens("Hi, thanks, I would really like most of that!")) == ()
        assert "most" in TALK
        assert [word.text for word in finder.heard(tokens("Fits most heads"))] == ["fits", "heads"]


class TestActs:
    @pytest.mark.parametrize(
        ("message", "form"),
        [
            ("do you sell scarves? they must be from Italy", "requirement"),
            ("scarves... I have not decided on anything yet", "exploring"),
            ("I want scarves, ideally from Italy", "preference"),
            ("scarves", "free"),
        ],
    )
    def test_how_a_shopper_opens(self, reader, message, form):
        evidence = reader.read(message, first=True, asked=None).evidence
        assert next(item.form for item in evidence if isinstance(item, Opening)) == form
        assert next(item.text for item in evidence if isinstance(item, CategoryNamed)) == "scarves"

    @pytest.mark.parametrize("message", ["I'M LOOKING FOR COATS WOMEN", "im looking for coats women"])
    def test_a_category_in_another_order(self, reader, planner, message):
        evidence = reader.read(message, first=True, asked=None).evidence
        belief = planner.scorer.belief(evidence, 1)
        assert belief.terms["category"][belief.rows.tolist().index(5)] == 0.0

    @pytest.mark.parametrize(
        "message",
        ["nothing else on that", "No, that's all I have.", "I don't have any other wishes", "no more, sorry"],
    )
    def test_silence(self, reader, message):
        assert reader.read(message, first=False, asked=COLOR).evidence == (Silence(COLOR),)

    @pytest.mark.parametrize(
        "message", ["no idea", "whatever", "you choose", "I don't mind", "up to you really", "surprise me!"]
    )
    def test_refusal(self, reader, message):
        assert reader.read(message, first=False, asked=COLOR).evidence == (Refusal(COLOR),)

    def test_a_refusal_that_lost_its_end(self, reader):
        message = "I don't have a preference for other; please use your"
        assert reader.read(message, first=False, asked=9).evidence == (Refusal(9),)

    def test_a_line_among_stories_is_read_to_the_letter(self, reader, catalog):
        message = "For that, what matters is: Made in Italy. My sister was here with her red denim jacket."
        (line,) = catalog.lines.find(["Made in Italy"]).tolist()
        assert reader.read(message, first=False, asked=FEATURE).evidence == (LinesSaid(FEATURE, (line,)),)

    def test_the_words_of_a_story_count_in_part(self, reader):
        message = "My sister was here in her denim jacket. I need wool."
        (said,) = reader.read(message, first=False, asked=None).evidence
        strengths = {word.text: word.strength for word in said.words}
        assert strengths["wool"] == 1.0
        assert strengths["denim"] < 0.5

    def test_a_wish_is_no_refusal(self, reader):
        evidence = reader.read("no idea, maybe wool", first=False, asked=COLOR).evidence
        assert kinds(evidence) == ["WordsSaid"]

    @pytest.mark.parametrize(
        "message",
        [
            "scratch that, I need wool",
            "On second thought: wool!",
            "I changed my mind, it has to be wool",
            "forget what I said earlier. wool",
        ],
    )
    def test_a_change_of_mind(self, reader, message):
        override, said = reader.read(message, first=False, asked=COLOR).evidence
        assert override == Override()
        assert said.asked == REQUIREMENT
        assert [word.text for word in said.words] == ["wool"]

    @pytest.mark.parametrize("message", ["FOR THAT WHAT MATTERS IS MADE IN ITALY SOFT TO THE TOUCH", ""])
    def test_case_and_punctuation_only_help(self, reader, catalog, message):
        evidence = reader.read(message, first=False, asked=FEATURE).evidence
        lines = catalog.lines.find(["Made in Italy", "Soft to the touch"]).tolist()
        assert evidence == ((LinesSaid(FEATURE, tuple(lines)),) if message else ())

    def test_thanks_after_a_line_are_left_out(self, reader, catalog):
        message = "For that, what matters is: Made in Italy. Thanks a lot!"
        (line,) = catalog.lines.find(["Made in Italy"]).tolist()
        assert reader.read(message, first=False, asked=FEATURE).evidence == (LinesSaid(FEATURE, (line,)),)


class TestUnwanted:
    @pytest.mark.parametrize(
        ("message", "texts"),
        [
            ("not wool", ["wool"]),
            ("no zipper please", ["zipper"]),
            ("anything but red", ["red"]),
            ("cotton instead of leather", ["leather"]),
            ("I don't want any lace", ["lace"]),
            ("without pockets, in cotton", ["pockets"]),
        ],
    )
    def test_what_is_not_wanted(self, reader, message, texts):
        evidence = reader.read(message, first=False, asked=None).evidence
        unwanted = [word.text for item in evidence if isinstance(item, Unwanted) for word in item.words]
        said = [word.text for item in evidence if isinstance(item, WordsSaid) for word in item.words]
        assert unwanted == texts
        assert not set(said) & set(texts)

    def test_within_an_answer_too_unless_a_line_says_so(self, reader, catalog):
        (unwanted,) = reader.read(
            "For that, what matters is: not wool.", first=False, asked=MATERIAL
        ).evidence
        assert [word.text for word in unwanted.words] == ["wool"]
        # "Green felt: no itching" is a line, here without its first word
        (said,) = reader.read(
            "For that, what matters is: felt: no itching.", first=False, asked=FEATURE
        ).evidence
        assert [word.text for word in said.words] == ["felt", "no", "itching"]

    @settings(max_examples=20, deadline=None)
    @given(
        word=st.sampled_from(("wool", "red", "cotton", "leather", "denim", "zipper", "pockets")),
        cue=st.sampled_from(("not", "no", "without", "anything but", "instead of", "I don't want")),
    )
    def test_it_never_speaks_for_a_product_that_has_it(self, catalog, planner, word, cue):
        evidence = planner.reader.read(f"{cue} {word}", first=False, asked=None).evidence
        rows = catalog.popular.astype("int64")
        change = planner.scorer.scores(rows, evidence, 2) - planner.scorer.scores(rows, (), 2)
        kinds = (word, "merino") if word == "wool" else (word,)
        holders = [any(row in catalog.lexical.rows(kind) for kind in kinds) for row in rows]
        held = [value for value, holds in zip(change, holders, strict=True) if holds]
        others = [value for value, holds in zip(change, holders, strict=True) if not holds]
        assert held
        assert max(held) < 0.0
        assert max(held) < min(others)


class TestPrices:
    def test_a_limit(self, reader, planner):
        evidence = reader.read("nothing over 20 dollars? under 20 dollars please", first=False, asked=None)
        assert PriceWanted(0.0, 20.0) in evidence.evidence

    def test_what_costs_more_counts_less(self, reader, planner):
        evidence = reader.read("under 20 dollars", first=False, asked=BUDGET).evidence
        belief = planner.scorer.belief(evidence, 2)
        nats = dict(zip(belief.rows.tolist(), belief.terms["price"].tolist(), strict=True))
        # SCARF 19.5, COAT 89.99, JACKET 60, SHOE has no price
        assert nats[0] == 0.0
        assert nats[5] <= nats[10] < nats[3] < 0.0


@pytest.mark.parametrize(
    "message", ["Hi!", "thanks a lot", "well, you know, um, okay then", "Good morning :)", "?"]
)
def test_small_talk_leaves_no_trace(reader, planner, message):
    assert reader.read(message, first=False, asked=None).evidence == ()
    opening = "I'm looking for Women Coats, but I'm still exploring."
    before = planner.belief([opening])
    after = planner.belief([opening, message])
    assert after.scores.tolist() == before.scores.tolist()


def test_a_line_that_lost_words_finds_its_product(planner, catalog):
    message = "For that, what matters is: keeps dry heavy rain taped seams pockets storm flap; Packs."
    belief = planner.belief([message])
    assert catalog.ids[int(belief.rows[0])].as_py() == "COAT"
    assert belief.terms["heard"][0] == pytest.approx(0.0, abs=1e-5)


@settings(max_examples=50, deadline=None)
@given(message=st.text(max_size=120), first=st.booleans(), asked=st.sampled_from((None, *range(10))))
def test_spans_lie_in_the_message_and_name_what_they_gave(reader, message, first, asked):
    reading = reader.read(message, first=first, asked=asked)
    for span in reading.spans:
        assert 0 <= span.start < span.end <= len(message)
        assert 0.0 <= span.strength <= 1.0
        assert span.item is None or 0 <= span.item < len(reading.evidence)
    assert UNPROMPTED < 0
