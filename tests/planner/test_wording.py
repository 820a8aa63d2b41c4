import pytest

from index.cards import ATTRIBUTES
from planner.trace import Decision
from planner.wording import reply_text

COLOR = ATTRIBUTES.index("color")


def decision(count, question=None):
    return Decision(question, tuple(range(count)), (0.1,) * count)


@pytest.mark.parametrize(
    ("count", "title", "text"),
    [
        (0, "", "I have not found it yet."),
        (1, "Linen Scarf", "My best guess is Linen Scarf."),
        (1, "", "Here is my best guess."),
        (7, "Linen Scarf", "Here are 7 that could be it."),
    ],
)
def test_what_is_shown(count, title, text):
    assert reply_text(decision(count), title) == text
    assert reply_text(decision(count, COLOR), title) == f"{text} Which color do you have in mind?"


def test_every_attribute_has_a_question_of_its_own():
    texts = {reply_text(decision(0, code), "") for code in range(len(ATTRIBUTES))}
    assert len(texts) == len(ATTRIBUTES)
    assert all(text.endswith("?") and text.count("?") == 1 for text in texts)
