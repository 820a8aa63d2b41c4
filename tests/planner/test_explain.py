"""Explanations: weights of evidence, splits and comparisons against values worked out by hand."""

import math
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import pytest

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.products import Product
from planner.agent import Agent
from planner.config import PlannerConfig
from planner.dialogue import DialogueState
from planner.explain import entropy, explain
from planner.planner import Planner
from planner.trace import Decision, TurnTrace
from planner.understanding.reading import plain_reading
from rollouts.engine import ActionValues
from scoring.evidence import (
    REQUIREMENT,
    UNPROMPTED,
    CategoryNamed,
    LinesSaid,
    Shown,
    Silence,
)

MATERIAL, COLOR, SIZE, FEATURE = map(ATTRIBUTES.index, ("material", "color", "size", "feature"))
PAIR = (
    # Ribbed hem | Zip | color: red
    Product("A", "A shirt", features=("Ribbed hem", "Zip"), details={"color": "red"}, categories=("Shirts",)),
    # Plain hem | Zip | color: blue
    Product("B", "B shirt", features=("Plain hem", "Zip"), details={"color": "blue"}, categories=("Coats",)),
)


@pytest.fixture(scope="module")
def planner():
    """A planner over two products without a prior of its own, whose shoppers keep to their cards."""
    config = PlannerConfig.load("robust")
    prior = msgspec.structs.replace(config.scoring.prior, strength=0.0)
    straying = msgspec.structs.replace(config.scoring.straying, share=1e-12)
    scoring = msgspec.structs.replace(config.scoring, prior=prior, straying=straying)
    return Planner(Catalog.build(PAIR), msgspec.structs.replace(config, scoring=scoring))


def traced(planner, *evidence, question=None, shown=2, values=None, turn=1):
    state = DialogueState(evidence, messages=turn)
    belief = planner.belief(state)
    rows = tuple(belief.rows[:shown].tolist())
    decision = Decision(question, rows, tuple(belief.probabilities[:shown].tolist()))
    return TurnTrace(turn, "", evidence, (), state, belief, values, decision, ())


def said(planner, asked, *texts):
    return LinesSaid(asked, tuple(planner.catalog.lines.find(texts).tolist()))


def weights(product):
    return {reason.text: reason.nats for reason in product.reasons}


class TestProducts:
    def test_a_quoted_line_weighs_its_rarity_and_the_cost_of_saying_what_is_not_there(self, planner):
        trace = traced(planner, said(planner, REQUIREMENT, "Ribbed hem"))
        a, b = planner.explain(trace).products
        absent = -planner.config.scoring.shopper.absent + math.log(2)
        clause = "quotes your “Ribbed hem” word for word, which no other product says"
        assert weights(a)[clause] == pytest.approx(absent)
        assert weights(b)["does not say your “Ribbed hem”"] == pytest.approx(-absent)
        assert weights(a)["has no ratings"] == pytest.approx(0.0)
        assert a.sentence == f"{clause}; nothing said yet about color or features."
        assert b.sentence.startswith("but does not say your “Ribbed hem”; nothing said yet about ")
        assert (a.row, b.row) == (0, 1)
        assert a.probability == pytest.approx(trace.belief.confidence)

    def test_a_line_that_all_say_weighs_nothing(self, planner):
        a, _ = planner.explain(traced(planner, said(planner, UNPROMPTED, "Zip"))).products
        assert weights(a)["quotes your “Zip” word for word, which 2 of 2 products say"] == pytest.approx(0.0)
        assert a.sentence == "nothing said yet about color or features."

    def test_lines_said_together_are_weighed_one_by_one(self, planner):
        a, _ = planner.explain(traced(planner, said(planner, UNPROMPTED, "Zip", "Ribbed hem"))).products
        assert len(a.reasons) == 3
        heaviest = a.reasons[0]
        assert heaviest.source.lines == tuple(planner.catalog.lines.find(["Ribbed hem"]).tolist())

    def test_the_prior_weighs_the_ratings(self):
        config = PlannerConfig.load("robust")
        products = [replace(PAIR[0], rating_number=999), replace(PAIR[1], rating_number=9)]
        planner = Planner(Catalog.build(products), config)
        a, b = planner.explain(traced(planner)).products
        prior = planner.scorer.scores(np.array([0, 1]), (), 0)
        assert weights(a)["has 999 ratings (more than 50% of products)"] == pytest.approx(prior[0] - prior[1])
        assert weights(b)["has only 9 ratings (more than 0% of products)"] == pytest.approx(
            prior[1] - prior[0]
        )

    def test_the_category(self, planner):
        a, b = planner.explain(traced(planner, CategoryNamed("shirts"))).products
        cost = -planner.config.scoring.text.category_miss
        assert weights(a)["is one of your “shirts”"] == pytest.approx(cost)
        assert weights(b)["is one of “coats”, and you named “shirts”"] == pytest.approx(-cost)

    def test_pages_passed_over(self, planner):
        trace = traced(planner, Shown((1,)), turn=5)
        a, b = planner.explain(trace).products
        assert (a.row, b.row) == (0, 1)
        assert weights(a)["is left, as 1 other was shown and passed over"] > 5.0
        assert weights(b)["was shown before and passed over"] < -5.0

    def test_pages_passed_over_are_told_once_with_their_count(self, planner):
        trace = traced(planner, Shown((1,)), Shown((1,)), turn=5)
        a, b = (
            [reason.text for reason in product.reasons if isinstance(reason.source, Shown)]
            for product in planner.explain(trace).products
        )
        assert a == ["is left, as 1 other was shown and passed over"]
        assert b == ["was shown before and passed over"]

    def test_silence(self, planner):
        trace = traced(planner, said(planner, COLOR, "color: red"), Silence(SIZE), Silence(COLOR))
        texts = [reason.text for reason in planner.explain(trace).products[0].reasons]
        assert "has no more to say about size, as you had" in texts
        assert "has no more to say about color, as you had" in texts

    def test_free_words_name_the_rarest_first_and_leave_out_common_ones(self):
        others = [Product(f"N{n}", f"Coat {n} for winter") for n in range(27)]
        scarves = [
            Product("S", "Soft red scarf for winter"),
            Product("T", "Red scarf"),
            Product("U", "Scarf"),
        ]
        planner = Planner(Catalog.build([*scarves, *others]))
        trace = traced(planner, plain_reading("a red scarf, soft, for winter").evidence[0], shown=1)
        texts = [weights(product) for product in planner.explain(trace, (0, 29)).products]
        assert "has your words “soft”, “red” and “scarf”" in texts[0]
        assert "has none of your rarer words" in texts[1]

    def test_evidence_of_any_kind_is_told(self, planner):
        @dataclass(frozen=True)
        class Whispered:
            text: str

        trace = traced(planner, Whispered("x"))
        assert "was weighed by Whispered" in weights(planner.explain(trace).products[0])

    def test_a_product_that_is_not_shown(self, planner):
        trace = traced(planner, said(planner, REQUIREMENT, "Ribbed hem"), shown=1)
        (b,) = planner.explain(trace, rows=(1,)).products
        assert b.row == 1
        assert b.reasons[0].nats < -4.6

    def test_a_single_candidate_has_no_rivals(self):
        planner = Planner(Catalog.build(PAIR[:1]))
        (a,) = planner.explain(traced(planner, CategoryNamed("shirts"), shown=1)).products
        assert all(reason.nats == 0.0 for reason in a.reasons)
        assert a.probability == pytest.approx(1.0)

    def test_removing_evidence_from_real_talk_changes_the_odds_by_its_weight(self, catalog):
        """The weight of evidence, from beliefs over the whole catalog with and without each item."""
        agent = Agent.on(catalog)
        agent.reset("s")
        agent.respond("s", "I'm looking for Shirts T-Shirts. A key requirement is: 100% Cotton.", 1, 10)
        agent.respond("s", "For that, what matters is: Crew neck.", 2, 10)
        trace = agent.trace("s")[-1]

        def log_odds(evidence, row):
            belief = agent.planner.scorer.belief(evidence, trace.turn)
            p = np.exp(belief.scores - belief.scores.max())
            p = p / p.sum()
            share = p[belief.rows == row][0]
            return math.log(share / (1.0 - share))

        evidence = trace.state.evidence
        product = agent.planner.explain(trace).products[0]
        for n, item in enumerate(evidence):
            rest = evidence[:n] + evidence[n + 1 :]
            change = log_odds(evidence, product.row) - log_odds(rest, product.row)
            (reason,) = [reason for reason in product.reasons if reason.source == item]
            assert reason.nats == pytest.approx(change, abs=1e-6)


class TestDecisions:
    REWARDS = np.array(
        [[1.0, 0.8, 0.9, 0.7], [0.5, 0.5, 0.5, 0.5], [0.9, 0.8, 0.9, 0.7], [0.6, 0.6, 0.6, 0.6]]
    )
    VALUES = ActionValues(np.array([COLOR, COLOR, FEATURE, FEATURE]), np.array([1, 10, 1, 10]), REWARDS)

    def test_the_question_says_what_its_answers_split(self, planner):
        decision = planner.explain(traced(planner, question=COLOR, shown=1, values=self.VALUES)).decision
        color, feature = decision.questions
        assert (color.question, color.answers) == (COLOR, 2)
        assert color.answerable == pytest.approx(1.0)
        assert color.largest == pytest.approx(0.5)
        assert color.entropy == pytest.approx(math.log(2))
        assert color.value == pytest.approx(0.85)
        # The differences of the two rows of one product are .1, 0, 0, 0: mean .025, standard error .025.
        assert (feature.behind, feature.behind_error) == (pytest.approx(0.025), pytest.approx(0.025))
        assert feature.answers == 2
        assert decision.question == (
            "Asks about color: 100% of the belief could answer, with 2 different answers, the likeliest 50%; "
            "worth +0.0250 ± 0.0490 beside asking about features, within the simulation's spread."
        )

    def test_the_page_says_how_much_better_it_is(self, planner):
        decision = planner.explain(traced(planner, question=COLOR, shown=1, values=self.VALUES)).decision
        one, ten = decision.pages
        assert (one.page, one.taken, one.behind) == (1, True, 0.0)
        assert (ten.page, ten.taken, ten.value) == (10, False, 0.5)
        # .5, .3, .4, .2: mean .35, standard deviation sqrt(.05 / 3), standard error half of it.
        assert ten.behind == pytest.approx(0.35)
        assert ten.behind_error == pytest.approx(math.sqrt(0.05 / 3) / 2)
        assert decision.page == (
            "Shows 1: worth +0.3500 ± 0.1265 beside showing 10, beyond the simulation's spread."
        )

    def test_equal_pages(self, planner):
        values = ActionValues(np.array([COLOR, COLOR]), np.array([1, 10]), np.full((2, 4), 0.5))
        decision = planner.explain(traced(planner, question=COLOR, shown=1, values=values)).decision
        assert decision.page == "Shows 1: worth the same as showing 10."
        assert decision.question.endswith("the likeliest 50%; no other question was worth weighing.")

    def test_one_page_and_no_question(self, planner):
        values = ActionValues(np.array([-1]), np.array([10]), np.full((1, 4), 0.5))
        decision = planner.explain(traced(planner, values=values, turn=10)).decision
        assert decision.page == "Shows 2: in turn 10 no other page was weighed."
        assert decision.question == "Nothing is asked: no question is left that the product could answer."

    def test_a_question_that_none_can_answer(self, planner):
        decision = planner.explain(traced(planner, question=SIZE)).decision
        assert decision.question == "Asks about size, though no candidate is known to answer it."
        assert decision.page == "Shows 2: nothing was simulated."

    def test_without_a_belief(self, planner):
        trace = replace(traced(planner), belief=None)
        explanation = planner.explain(trace)
        assert [product.sentence for product in explanation.products] == ["was found by a plain search."] * 2
        assert explanation.decision.page == "Shows 2 by search."


def test_the_entropy_of_an_even_belief_is_the_logarithm_of_its_size(planner):
    assert entropy(traced(planner).belief) == pytest.approx(math.log(2))


def test_every_turn_of_a_conversation_can_be_explained(catalog, shoppers, talk):
    agent = Agent.on(catalog)
    for n, shopper in enumerate(shoppers[:4]):
        conversation = talk(agent, shopper, f"s{n}")
        for _ in range(10):
            conversation.step()
        for trace in agent.trace(f"s{n}"):
            explanation = explain(trace, agent.planner.scorer)
            assert [product.row for product in explanation.products] == list(trace.decision.rows)
            assert all(product.sentence.endswith(".") for product in explanation.products)
            assert all(np.isfinite(reason.nats) for part in explanation.products for reason in part.reasons)
            assert explanation.decision.question.endswith(".")
            assert explanation.decision.page.startswith(f"Shows {len(trace.decision.rows)}")
