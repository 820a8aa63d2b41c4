"""What the agent says: what it understood, what it shows, one question."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.cards import ATTRIBUTES
from planner.agent import Agent
from planner.trace import Decision
from planner.wording import listed, reply_text, shortened, understood_text
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
    Word,
    WordsSaid,
)

COLOR = ATTRIBUTES.index("color")


def decision(count, question=None):
    return Decision(question, tuple(range(count)), (0.1,) * count)


@pytest.mark.parametrize(
    ("count", "title", "text"),
    [
        (0, "", "I have not found it yet."),
        (1, "Linen Scarf", "My best guess is Linen Scarf."),
        (1, "Coat by Lee Co.", "My best guess is Coat by Lee Co."),
        (1, "", "Here is my best guess."),
        (7, "Linen Scarf", "Here are 7 that could be it."),
    ],
)
def test_what_is_shown(count, title, text):
    assert reply_text(decision(count), title) == text
    assert reply_text(decision(count, COLOR), title) == f"{text} Which color do you have in mind?"
    assert reply_text(decision(count), title, "Noted: “soft”.") == f"Noted: “soft”. {text}"


def test_every_attribute_has_a_question_of_its_own():
    texts = {reply_text(decision(0, code), "") for code in range(len(ATTRIBUTES))}
    assert len(texts) == len(ATTRIBUTES)
    assert all(text.endswith("?") and text.count("?") == 1 for text in texts)


def words(*texts):
    return WordsSaid(UNPROMPTED, tuple(Word(text, (text,)) for text in texts))


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ([Opening("exploring"), CategoryNamed("Coats")], "You are looking for Coats."),
        (
            [Opening("requirement"), CategoryNamed("Coats"), (REQUIREMENT, "Packs small")],
            "Coats with “Packs small”, noted.",
        ),
        ([(COLOR, "Made in Italy", "Tagless")], "Noted: “Made in Italy” and “Tagless”."),
        ([(UNPROMPTED, "wool"), words("something", "wool")], "Noted: “wool”."),
        ([Override(), (REQUIREMENT, "wool")], "Understood, now “wool” counts."),
        ([Override()], "Understood, forget what came before."),
        ([Silence(COLOR)], "Nothing more about color, then."),
        ([Silence(ATTRIBUTES.index("budget"))], "Nothing more about the price, then."),
        ([Refusal(COLOR)], "Then I will use my judgment on color."),
        ([words("gift", "for my\tbrother")], "I searched for “gift for my brother”."),
        (
            [
                PriceWanted(0.0, 30.0),
                Unwanted((Word("black", ("black",)),)),
                Opening("free"),
                CategoryNamed("leggings"),
                words("soft"),
            ],
            "Noted: leggings, “soft”, at most 30 and not “black”.",
        ),
        ([PriceWanted(20.0, 1250.5)], "Noted: from 20 to 1,250.5."),
        ([PriceWanted(15.0, float("inf"))], "Noted: at least 15."),
        ([PriceWanted(40.0, 40.0)], "Noted: a price of 40."),
        ([Opening("free"), words("\x1b\u200b")], ""),
        ([], ""),
        ([object()], ""),
    ],
)
def test_what_was_understood(catalog, items, text):
    evidence = tuple(
        LinesSaid(item[0], tuple(catalog.lines.find(item[1:]).tolist())) if isinstance(item, tuple) else item
        for item in items
    )
    assert understood_text(evidence, catalog.lines) == text


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("a short one", "a short one"),
        ("exactly twenty chars", "exactly twenty chars"),
        ("one that is longer than that", "one that is longer…"),
        ("one that is longer, than that", "one that is longer…"),
        ("averyverylongsinglewordwithoutend", "averyverylongsinglew…"[:19] + "…"),
        ("Denim &amp; lace", "Denim & lace"),
        ("two\nlines\x1b[31m", "two lines [31m"),
        ("", ""),
    ],
)
def test_a_text_is_shortened_after_a_word(text, short):
    assert shortened(text, 20) == short


@settings(max_examples=30, deadline=None)
@given(st.text(), st.integers(1, 40))
def test_a_shortened_text_is_one_printable_line_within_its_length(text, length):
    short = shortened(text, length)
    assert len(short) <= length
    assert short.isprintable()


def test_lists_in_words():
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b"], "or") == "a or b"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_the_agent_names_what_it_understood_and_asks_one_question(catalog):
    agent = Agent.on(catalog)
    agent.reset("s")
    reply = agent.respond(
        "s", "I'm looking for Accessories Scarves. A key requirement is: Made in Italy.", 1, 10
    )
    assert reply["message"].startswith("Accessories Scarves with “Made in Italy”, noted. ")
    assert reply["message"].count("?") == (reply["ask_attribute"] is not None)
    reply = agent.respond("s", "I don't have an additional preference for color.", 2, 10)
    assert reply["message"].startswith("Nothing more about color, then. ")
