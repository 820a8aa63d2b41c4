"""Action values, against values worked out by hand from the protocol's score."""

import msgspec
import numpy as np
import pytest

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.products import Product
from planner.config import PlannerConfig
from rollouts.engine import RolloutEngine
from scoring.posterior import Scorer

FEATURE = ATTRIBUTES.index("feature")
replace = msgspec.structs.replace


def values(turn, questions):
    """Return {(question, page): value} over four equally likely products, each with a line of its own."""
    config = PlannerConfig.load("robust")
    scenario = replace(config.scoring.scenario, buying=1.0, browsing=0.0, intent_override=0.0, boundary=0.0)
    scoring = replace(config.scoring, scenario=scenario)
    rollouts = replace(config.rollouts, answer_noise=0.0)
    lines = ("Brass buckle", "Ribbed hem", "Two pockets", "Zip closure")
    catalog = Catalog.build([Product(line, features=(line,)) for line in lines])
    belief = Scorer(catalog, scoring).belief((), 1)
    assert belief.probabilities == pytest.approx([0.25] * 4)
    engine = RolloutEngine(catalog.lines, rollouts, scoring.shopper, scoring.straying)
    got = engine.action_values(belief, turn, questions)
    return dict(zip(zip(got.questions.tolist(), got.pages.tolist(), strict=True), got.means, strict=True))


def test_a_question_that_tells_all_apart_finds_the_product_next_turn():
    got = values(1, [FEATURE])
    assert got[FEATURE, 1] == pytest.approx(0.25 * 1.0 + 0.75 * 0.98)
    # a page of ten ends the session now, at rank 1 to 4
    assert got[FEATURE, 10] == pytest.approx(0.7 + 0.3 * np.mean([1, 1 / 2, 1 / 3, 1 / 4]))


def test_without_a_question_products_are_shown_one_a_turn():
    assert values(1, [])[-1, 1] == pytest.approx(np.mean([1.0, 0.98, 0.96, 0.94]))


def test_the_last_turn_shows_a_full_page_only():
    got = values(10, [FEATURE])
    assert got == {(FEATURE, 10): pytest.approx(0.52 + 0.3 * np.mean([1, 1 / 2, 1 / 3, 1 / 4]))}
