"""The belief, against brute force over tiny catalogs written with texts instead of tables."""

import math
import random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.cards import ATTRIBUTES, constraint_class, intent_card
from index.catalog import Catalog
from index.products import Product
from planner.config import PlannerConfig
from scoring.evidence import (
    REQUIREMENT,
    UNPROMPTED,
    CategoryNamed,
    LinesSaid,
    Opening,
    Override,
    Shown,
    Silence,
    Unwanted,
    Word,
    WordsSaid,
)
from scoring.posterior import Scorer, tempered
from scoring.priors import PRIOR_COLUMNS, log_prior, prior_features

CONFIG = PlannerConfig.load("robust").scoring
LINES = (
    "100% Cotton",
    "Imported",
    "Covered zipper",
    "Wide straps",
    "color: blue",
    "Machine Wash",
    "Silk trim",
)


def probabilities(belief, catalog):
    """Return {id: probability}."""
    return {
        catalog.ids[int(row)].as_py(): p for row, p in zip(belief.rows, belief.probabilities, strict=True)
    }


def brute_force_nats(products, conversation, shopper):
    """Return the log-likelihood of each product by the model's definition, with no table and no kernel."""
    count = len(products)
    said_by = {}
    for number, product in enumerate(products):
        lines = {feature.lower() for feature in product.features}
        if {"100% cotton", "silk trim"} & lines:
            lines.add(intent_card(product).slots[0])
        for line in lines:
            said_by.setdefault(line, set()).add(number)
    nats = []
    for number, product in enumerate(products):
        slots = [line.lower() for line in intent_card(product).slots]
        open_lines = list(slots)
        total = 0.0
        for asked, said in conversation:
            if asked == REQUIREMENT:
                expected = slots[:1]
            elif asked == UNPROMPTED:
                expected = list(slots)
            else:
                expected = [
                    line
                    for line in open_lines
                    if asked == "other" or constraint_class(line, whole_words=True) == asked
                ][:2]
            for line in said:
                if line in expected:
                    pass
                elif line in slots:
                    total += shopper.unexpected
                elif number in said_by.get(line, ()):
                    total += shopper.off_card
                else:
                    total += shopper.absent + math.log(len(said_by[line]) / count)
            if isinstance(asked, str):
                left_out = [line for line in expected if line not in said]
                if not said:
                    total += shopper.silent if expected else 0.0
                else:
                    total += shopper.omitted * len(left_out)
            open_lines = [line for line in open_lines if line not in said]
        nats.append(total)
    return np.array(nats)


@st.composite
def small_worlds(draw):
    """Draw a catalog of distinct products and a conversation in lines that it can say."""
    count = draw(st.integers(2, 6))
    products = [
        Product(f"p{number}", features=tuple(draw(st.permutations(LINES))[: draw(st.integers(2, 6))]))
        for number in range(count)
    ]
    spoken = sorted({line.lower() for product in products for line in product.features})
    asked = st.sampled_from([REQUIREMENT, UNPROMPTED, "material", "color", "size", "feature", "other"])
    said = st.lists(st.sampled_from(spoken), max_size=2, unique=True)
    turns = draw(st.lists(st.tuples(asked, said), max_size=4))
    return products, [(asked, said) for asked, said in turns if said or isinstance(asked, str)]


def evidence_of(conversation, catalog):
    items = []
    for asked, said in conversation:
        code = ATTRIBUTES.index(asked) if isinstance(asked, str) else asked
        items.append(LinesSaid(code, tuple(catalog.lines.find(said).tolist())) if said else Silence(code))
    return tuple(items)


@settings(max_examples=150, deadline=None)
@given(small_worlds())
def test_the_posterior_is_that_of_brute_force(world):
    products, conversation = world
    catalog = Catalog.build(products)
    even_prior = msgspec.structs.replace(CONFIG.prior, strength=0.0)
    config = msgspec.structs.replace(CONFIG, prior=even_prior)
    belief = Scorer(catalog, config).belief(evidence_of(conversation, catalog), 1)
    share = CONFIG.straying.share
    keeps, strays = (
        brute_force_nats(products, conversation, shopper) for shopper in (CONFIG.shopper, CONFIG.straying)
    )
    likelihood = (1 - share) * np.exp(keeps) + share * np.exp(strays)
    scores = np.log(likelihood) / CONFIG.posterior.temperature
    weights = np.exp(scores - scores.max())
    expected = (1 - CONFIG.posterior.floor) * weights / weights.sum() + CONFIG.posterior.floor / len(products)
    got = probabilities(belief, catalog)
    assert [got[product.parent_asin] for product in products] == pytest.approx(expected.tolist(), abs=1e-7)


@settings(max_examples=50, deadline=None)
@given(small_worlds(), st.randoms(use_true_random=False))
def test_the_catalog_s_order_does_not_matter(world, rng: random.Random):
    products, conversation = world
    shuffled = products.copy()
    rng.shuffle(shuffled)
    beliefs = []
    for order in (products, shuffled):
        catalog = Catalog.build(order)
        belief = Scorer(catalog, CONFIG).belief(evidence_of(conversation, catalog), 1)
        beliefs.append(probabilities(belief, catalog))
    assert beliefs[0] == pytest.approx(beliefs[1])


@settings(max_examples=50, deadline=None)
@given(small_worlds(), st.sampled_from([line.lower() for line in LINES]))
def test_a_line_said_never_helps_products_without_it(world, line):
    products, conversation = world
    catalog = Catalog.build(products)
    holders = {p.parent_asin for p in products if line in {feature.lower() for feature in p.features}}
    if not holders:
        return
    scorer = Scorer(catalog, CONFIG)
    before = scorer.belief(evidence_of(conversation, catalog), 1)
    after = scorer.belief(evidence_of([*conversation, (UNPROMPTED, [line])], catalog), 2)
    odds = []
    for belief in (before, after):
        scores = {catalog.ids[int(row)].as_py(): s for row, s in zip(belief.rows, belief.scores, strict=True)}
        odds.append(scores)
    for holder in holders:
        for other in {p.parent_asin for p in products} - holders:
            assert odds[1][holder] - odds[1][other] >= odds[0][holder] - odds[0][other] - 1e-9


def test_prior_by_hand():
    catalog = Catalog.build([Product("a", rating_number=99), Product("b", rating_number=0)])
    zero = dict.fromkeys(set(PRIOR_COLUMNS) - {"log_reviews"}, 0.0)
    config = msgspec.structs.replace(CONFIG.prior, strength=0.5, uniform_share=0.2, log_reviews=1.0, **zero)
    # softmax of (0.5 ln 100, 0) is 10 : 1; a fifth of the mass is even.
    assert np.exp(log_prior(catalog, config)) == pytest.approx([0.8 * 10 / 11 + 0.1, 0.8 / 11 + 0.1])
    even = msgspec.structs.replace(config, strength=0.0)
    assert np.exp(log_prior(catalog, even)) == pytest.approx([0.5, 0.5])


def test_price_and_rating_count_in_standard_deviations_whatever_the_currency():
    def catalog(factor):
        prices, ratings = (9.0, 99.0, None), (3.0, None, 5.0)
        return Catalog.build(
            [
                Product(name, price=price and factor * (price + 1) - 1, average_rating=rating)
                for name, price, rating in zip("abc", prices, ratings, strict=True)
            ]
        )

    # ln 10 and ln 100 lie one deviation (ln 10 / 2) below and above their mean; 3 and 5 stars likewise.
    expected = {
        "has_price": [1, 1, 0],
        "price": [-1, 1, 0],
        "price_squared": [1, 1, 0],
        "rating": [-1, 0, 1],
    }
    for factor in (1, 80):
        features = dict(zip(PRIOR_COLUMNS, prior_features(catalog(factor)).T, strict=True))
        for name, values in expected.items():
            assert features[name] == pytest.approx(values, abs=1e-6)


def test_tempered_softmax_by_hand():
    config = msgspec.structs.replace(CONFIG.posterior, temperature=0.5, floor=0.1)
    assert tempered(np.array([math.log(2.0), 0.0]), config) == pytest.approx(
        [0.9 * 0.8 + 0.05, 0.9 * 0.2 + 0.05]
    )


@pytest.fixture(scope="module")
def shop():
    return Catalog.build(
        [
            Product(
                "shirt", title="Linen shirt", categories=("Clothing", "Men", "Shirts"), features=("Linen",)
            ),
            Product(
                "scarf", title="Wool scarf", categories=("Clothing", "Women", "Scarves"), features=("Wool",)
            ),
            Product("belt", title="Belt of black leather", categories=("Clothing", "Men", "Belts")),
        ]
    )


def score(shop, *evidence, term, turn=1):
    belief = Scorer(shop, CONFIG).belief(evidence, turn)
    return {
        shop.ids[int(row)].as_py(): value for row, value in zip(belief.rows, belief.terms[term], strict=True)
    }


def test_a_named_category_is_full_evidence_until_an_override(shop):
    miss, trust = CONFIG.text.category_miss, CONFIG.text.category_after_override
    named = CategoryNamed("Men Shirts")
    assert score(shop, named, term="category") == {"shirt": 0.0, "scarf": miss, "belt": miss}
    assert score(shop, named, Override(), term="category") == {
        "shirt": 0.0,
        "scarf": trust * miss,
        "belt": trust * miss,
    }
    assert score(shop, Override(), named, term="category")["scarf"] == miss


def test_a_near_category_name_is_ranked_by_likeness(shop):
    nats = score(
        shop,
        CategoryNamed("shirt for men", (Word("shirt", ("shirt", "shirts")), Word("men", ("men",)))),
        term="category",
    )
    assert nats["shirt"] == 0.0 > nats["belt"] >= nats["scarf"]


def words(*texts):
    return tuple(Word(text, (text,)) for text in texts)


def test_words_of_a_text_count_in_part(shop):
    nats = score(shop, WordsSaid(UNPROMPTED, words("belt", "leather")), term="heard")
    # the belt's card has the line "leather"; "belt" stands in its title only
    hearing = CONFIG.hearing
    # a line of one word is said whole, or mentioned by its one word
    kept = hearing.kept / (hearing.lost + hearing.kept) + math.exp(hearing.mentioned) / 2
    line = hearing.trust * math.log(3) + max(math.log(kept), hearing.begun)
    belt = line + hearing.trust * hearing.text * math.log(3)
    assert nats["belt"] == pytest.approx(0.0, abs=1e-5)
    assert nats["shirt"] == nats["scarf"] == pytest.approx(-belt, abs=1e-5)


def test_what_is_not_wanted_counts_against_and_never_for(shop):
    nats = score(shop, Unwanted(words("black", "leather", "linen")), term="unwanted")
    assert nats == {
        "shirt": CONFIG.text.unwanted,
        "scarf": 0.0,
        "belt": 2 * CONFIG.text.unwanted,
    }


def test_a_product_passed_over_is_all_but_excluded_unless_an_override_is_due(shop):
    passed = Shown((0,))
    assert score(shop, Opening("requirement"), passed, term="shown", turn=2)["shirt"] < math.log(0.01)
    assert score(shop, Opening("preference"), passed, term="shown", turn=2)["shirt"] > math.log(0.99)
    overridden = score(shop, Opening("preference"), passed, Override(), Shown((1,)), term="shown", turn=4)
    assert overridden["shirt"] == 0.0
    assert overridden["scarf"] == pytest.approx(math.log(1e-6))


def test_scores_are_the_sum_of_their_terms(shop):
    belief = Scorer(shop, CONFIG).belief(
        (CategoryNamed("Men Belts"), WordsSaid(UNPROMPTED, words("leather"))), 1
    )
    assert belief.scores == pytest.approx(sum(belief.terms.values()))
    assert belief.probabilities.sum() == pytest.approx(1.0)
    assert belief.confidence == belief.probabilities.max()


def test_any_rows_are_scored_as_the_belief_scores_them(catalog):
    scorer = Scorer(catalog, CONFIG)
    evidence = (Opening("free"), CategoryNamed("Shirts T-Shirts"), WordsSaid(UNPROMPTED, words("cotton")))
    belief = scorer.belief(evidence, 1)
    assert scorer.scores(belief.rows[::-2], evidence, 1).tolist() == belief.scores[::-2].tolist()


def test_a_category_that_is_like_none_leaves_the_belief_to_the_rest(catalog):
    for named in ("xqzv wwkk", "???"):
        belief = Scorer(catalog, CONFIG).belief((Opening("exploring"), CategoryNamed(named)), 1)
        assert len(belief.rows) == len(catalog)
    nothing = msgspec.structs.replace(CONFIG.text, category_miss=0.0)
    config = msgspec.structs.replace(CONFIG, text=nothing)
    belief = Scorer(catalog, config).belief((Opening("exploring"), CategoryNamed("Hats & Caps Beanies")), 1)
    assert (belief.terms["category"] == 0.0).all()
