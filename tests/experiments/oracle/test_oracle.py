"""The oracle against plays of every conversation, on catalogs small enough for that."""

import itertools
import random
from functools import cache

import numpy as np
import pytest

from experiments.customers.conversation import play
from experiments.customers.customer import Customer, Shopper
from experiments.customers.sessions import SCENARIOS, Session
from experiments.metrics.scorer import session_values
from experiments.oracle import Oracle, Population, make_plans
from experiments.oracle.shoppers import questions
from experiments.oracle.solve import slots_from, solve
from experiments.oracle.tree import GraphBuilder, Horizon, slot_value
from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.products import Product
from planner.agent import Agent

MIX = {"buying": 80, "browsing": 80, "intent_override": 30, "boundary": 10}
SHORT = Horizon(turns=4, page=2)
LINES = ("100% Cotton", "Cotton lining", "Pull on closure", "Imported", "Wide toe", "Red; blue", "Red", "x")


def product(number, *features, category="Hats"):
    return Product(f"P{number}", f"Thing {number}", features=features, categories=(category,))


def shopper(wanted, scenario, override_turn=0):
    """A shopper whose name makes it change its mind in the turn that is wanted."""
    for number in itertools.count():
        found = Shopper.of(Session(f"s{number}", scenario, wanted.parent_asin, {}), wanted)
        if (found.override_turn or 0) == override_turn:
            return found


def all_shoppers(products, weights, mix=MIX):
    """Every shopper that there could be, with its probability."""
    whole = sum(mix.values())
    return [
        (shopper(wanted, scenario, turn), weight * share / whole / len(turns))
        for scenario, share in mix.items()
        for turns in [(3, 4) if scenario == "intent_override" else (0,)]
        for turn in turns
        for wanted, weight in zip(products, weights, strict=True)
    ]


def best_score(group, asking, horizon):
    """The expected score of the best agent for shoppers, by trying all that it could do in every turn."""
    people = [who for who, _ in group]
    weights = [weight / sum(weight for _, weight in group) for _, weight in group]

    @cache
    def said(who, history):
        customer = Customer(people[who])
        message = customer.opening()
        for turn, asked in enumerate(history, 2):
            message = customer.message(turn, asked)
        return message

    @cache
    def best(left, history):
        turn = len(history) + 1
        wanted = sorted({people[who].session.target for who in left})
        top = 0.0
        for size in range(min(horizon.page, len(wanted)) + 1):
            for page in itertools.permutations(wanted, size):
                gain, rest = 0.0, []
                for who in left:
                    target = people[who].session.target
                    if target in page and Customer(people[who]).counts(turn):
                        rank = page.index(target) + 1
                        gain += weights[who] * (0.5 + 0.3 / rank + 0.02 * (11 - turn))
                    else:
                        rest.append(who)
                if rest and turn < horizon.turns:
                    gain += max(after(rest, (*history, asked)) for asked in (None, *asking))
                top = max(top, gain)
        return top

    def after(rest, history):
        parts = {}
        for who in rest:
            parts.setdefault(said(who, history), []).append(who)
        return sum(best(frozenset(part), history) for part in parts.values())

    return best(frozenset(range(len(people))), ())


def solved(population, opening, track, horizon):
    group = population.group(opening)
    return solve(group, GraphBuilder(group, questions(track), horizon).build(), horizon)


def catalog_of(seed, size):
    rng = random.Random(seed)
    products = [product(n, *rng.sample(LINES, rng.randint(1, 4))) for n in range(size)]
    weights = np.array([rng.choice([1, 2, 5, 20]) for _ in products], dtype=float)
    return products, weights / weights.sum()


@pytest.mark.parametrize("track", ["robust", "wildcard"])
@pytest.mark.parametrize("seed", range(6))
def test_policy_and_bound_enclose_the_best_that_any_agent_can_do(seed, track):
    products, weights = catalog_of(seed, 4)
    population = Population(products, weights, MIX)
    asking = tuple(
        {name for classes in population.classes for name in classes} | {"other"} & {*questions(track)}
    )
    groups = {}
    for who, weight in all_shoppers(products, weights):
        groups.setdefault(Customer(who).opening(), []).append((who, weight))
    assert set(groups) == set(population.by_opening)
    for opening, group in groups.items():
        best = best_score(group, asking, SHORT)
        found = solved(population, opening, track, SHORT)
        assert found.reached <= best + 1e-9
        assert best <= found.bound + 1e-9
        assert found.bound - found.reached < 2e-3, opening


class TestWorkedOutByHand:
    """The session's own rules: ten turns, pages of ten."""

    def bounds(self, products, weights, mix, track="robust"):
        population = Population(products, np.array(weights), mix)
        (opening,) = population.by_opening
        return solved(population, opening, track, Horizon())

    def expect(self, found, score):
        assert found.reached == pytest.approx(score, abs=1e-4)
        assert found.bound == pytest.approx(score, abs=1e-4)

    def test_one_product(self):
        self.expect(self.bounds([product(0, "Imported")], [1.0], {"browsing": 1}), 1.0)

    def test_the_likelier_product_first_and_alone(self):
        # .7 in turn 1, then the other in turn 2: better than both in turn 1, the other at rank 2 (.85)
        products = [product(0, "Imported"), product(1, "Pull on closure")]
        self.expect(self.bounds(products, [0.3, 0.7], {"browsing": 1}), 0.7 * 1 + 0.3 * 0.98)

    def test_products_that_say_the_same_are_dealt_out_to_the_slots(self):
        # rank 1 of turns 1 to 8 is worth 1 to .86; then (1, 2) .85, and (9, 1) .84
        products = [product(n, "Imported") for n in range(10)]
        slots = [1, 0.98, 0.96, 0.94, 0.92, 0.90, 0.88, 0.86, 0.85, 0.84]
        self.expect(self.bounds(products, [0.1] * 10, {"browsing": 1}), np.mean(slots))

    def test_an_override_counts_from_its_turn_and_says_the_first_line(self):
        # The last lines are the same: the opening tells nothing apart. Questions do, before turn 3.
        products = [product(n, line, "a", "b", "c") for n, line in enumerate(["Imported", "Pull on"])]
        self.expect(self.bounds(products, [0.5, 0.5], {"intent_override": 1}), (0.96 + 0.94) / 2)

    def test_a_refused_question_costs_a_turn(self):
        # One in turn 1; the three others would be told apart by turn 2, but the question is refused: one of
        # them can be shown in turn 2 all the same, the other two in turn 3.
        products = [product(n, line) for n, line in enumerate(["a", "b", "c", "d"])]
        self.expect(self.bounds(products, [0.25] * 4, {"boundary": 1}), (1 + 0.98 + 0.96 * 2) / 4)

    def test_other_draws_what_several_named_questions_would(self):
        # Two pairs, parted by a use case and by a size: `other` hears both lines, a named question one.
        pairs = itertools.product(("For running", "For hiking"), ("Wide toe", "Narrow toe"))
        products = [product(n, *lines) for n, lines in enumerate(pairs)]
        wildcard = self.bounds(products, [0.25] * 4, {"browsing": 1}, "wildcard")
        self.expect(wildcard, (1 + 0.98 * 3) / 4)
        # A pair is left after one answer; the one that turn 1 has shown a product of waits for nothing.
        self.expect(self.bounds(products, [0.25] * 4, {"browsing": 1}), (1 + 0.98 * 2 + 0.96) / 4)


def test_slots_are_dealt_in_the_order_of_their_value():
    slots = slots_from(9, Horizon())
    assert slots[:4] == [(9, 1), (10, 1), (9, 2), (10, 2)]  # .84, .82, .69, .67
    assert len(slots) == 20
    assert slot_value(2, 1) == pytest.approx(0.98)


@pytest.fixture(scope="module")
def played():
    """A catalog of 16 products, all its shoppers with their probabilities, and the plans of both tracks."""
    products, weights = catalog_of(7, 16)
    everyone = all_shoppers(products, weights)
    people = [who for who, _ in everyone]
    plans = make_plans(Population(products, weights, MIX), people, ["robust", "wildcard"], workers=1)
    return Catalog.build(products), everyone, plans


def expected_score(agent, catalog, everyone):
    known = set(map(str, catalog.ids))
    results = [play(agent, who, known, str(number)) for number, (who, _) in enumerate(everyone)]
    assert not any(result.faults for result in results)
    return float(session_values(results)[:, -1] @ [weight for _, weight in everyone])


@pytest.mark.parametrize("track", ["robust", "wildcard"])
def test_the_oracle_scores_what_its_plan_expects(played, track):
    catalog, everyone, plans = played
    oracle = Oracle(catalog, plans[track])
    reached = sum(
        weight * plans[track].solutions[Customer(who).opening()].reached for who, weight in everyone
    )
    assert expected_score(oracle, catalog, everyone) == pytest.approx(reached, abs=1e-6)
    assert not oracle.fallbacks
    asked = {step.asked for solution in plans[track].solutions.values() for step in steps(solution.first)}
    assert ("other" in asked) == (track == "wildcard")


def steps(step):
    yield step
    for after in step.next.values():
        yield from steps(after)


@pytest.mark.parametrize("track", ["robust", "wildcard"])
def test_no_agent_scores_above_the_bound(played, track):
    catalog, everyone, plans = played
    bound = sum(weight * plans[track].solutions[Customer(who).opening()].bound for who, weight in everyone)
    assert expected_score(Agent.on(catalog, track), catalog, everyone) <= bound


def test_a_message_that_the_plan_does_not_foresee_is_counted(played):
    catalog, _, plans = played
    oracle = Oracle(catalog, plans["robust"])
    oracle.reset("s", {})
    first = oracle.respond("s", "Hello.", 1, 10)
    second = oracle.respond("s", "Well?", 2, 10)
    assert oracle.fallbacks == {"message not foreseen": 2}
    shown = first["recommendations"] + second["recommendations"]
    assert len(set(shown)) == len(shown) == 16  # ten, then all that are left


def test_population_covers_every_scenario_and_attribute():
    assert set(MIX) == set(SCENARIOS)
    assert questions("wildcard") == ATTRIBUTES
    assert questions("robust") == ATTRIBUTES[:-1]
