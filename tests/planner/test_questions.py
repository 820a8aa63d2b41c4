"""Which questions are worth asking, on the shared catalog's cards."""

import numpy as np
import pytest

from index.cards import ATTRIBUTES
from planner.config import PlannerConfig
from planner.dialogue import DialogueState
from planner.planner import Planner
from planner.questions import open_questions, worthwhile_questions
from scoring.evidence import CategoryNamed, Opening, Refusal, Silence

COLOR, FEATURE, MATERIAL = (ATTRIBUTES.index(name) for name in ("color", "feature", "material"))
START = (Opening("exploring"), CategoryNamed("Hats & Caps Beanies"))


@pytest.fixture(scope="module")
def planner(catalog):
    return Planner(catalog, "robust")


def asked(planner, state):
    return worthwhile_questions(
        planner.belief(state), state, planner.catalog.attributes, planner.config.questions
    )


def test_the_red_wool_beanie_answers_material_color_and_feature(planner):
    # its card: wool | color: red | Warm; itch-free | Fits most heads ("fits" is no word of the style class)
    state = DialogueState().heard(START)
    assert {MATERIAL, COLOR, FEATURE} <= set(asked(planner, state))


def test_silence_closes_a_question_for_good(planner):
    state = DialogueState().heard(START).replied(COLOR, ()).heard((Silence(COLOR),))
    assert COLOR not in open_questions(state, planner.config.questions)


def test_a_refused_question_waits_until_it_promises_more_than_the_others(planner):
    refused = DialogueState().heard(START).replied(COLOR, ()).heard((Refusal(COLOR),))
    assert COLOR in open_questions(refused, planner.config.questions)
    assert COLOR not in asked(planner, refused)
    others = [code for code in range(len(ATTRIBUTES)) if code != COLOR]
    alone = refused
    for code in others:
        alone = alone.heard((Silence(code),)).replied(code, ())
    assert asked(planner, alone) == [COLOR]


def test_a_question_is_asked_so_often_and_no_more(planner):
    times = PlannerConfig.load("robust").questions.times
    state = DialogueState().heard(START)
    for _ in range(times):
        assert FEATURE in open_questions(state, planner.config.questions)
        state = state.replied(FEATURE, ()).heard(())
    assert FEATURE not in open_questions(state, planner.config.questions)


def test_where_nothing_promises_an_answer_the_commonest_attribute_is_asked(planner, catalog):
    # The mystery item's card holds its title alone, a feature; once that is said, nothing is left to hear.
    state = DialogueState().heard((Opening("exploring"), CategoryNamed("clothing item"), Silence(FEATURE)))
    (question,) = asked(planner, state)
    left = open_questions(state, planner.config.questions)
    assert catalog.attributes.coverage[question] == max(catalog.attributes.coverage[left])
    assert np.isfinite(planner.belief(state).scores).all()
