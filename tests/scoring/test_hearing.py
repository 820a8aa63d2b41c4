"""The noisy channel, against probabilities worked out by hand."""

import math
from math import comb

import msgspec
import numpy as np
import pytest

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.products import Product
from planner.config import PlannerConfig
from scoring.evidence import CategoryNamed, LinesSaid, Word, WordsSaid
from scoring.hearing import lost_words, said_words
from scoring.posterior import Scorer
from scoring.replay import Replayed, either

CONFIG = PlannerConfig.load("robust").scoring
HEARING = CONFIG.hearing
FEATURE, OTHER = ATTRIBUTES.index("feature"), ATTRIBUTES.index("other")


def words(*texts):
    return tuple(Word(text, (text,)) for text in texts)


def heard(catalog, said, asked=FEATURE, **hearing):
    config = msgspec.structs.replace(CONFIG, hearing=msgspec.structs.replace(HEARING, **hearing))
    belief = Scorer(catalog, config).belief((WordsSaid(asked, words(*said)),), 2)
    return {
        catalog.ids[int(row)].as_py(): value for row, value in zip(belief.rows, belief.scores, strict=True)
    }


def test_every_outcome_of_a_line_is_counted_once():
    # All subsets of a line's words have probability 1 together, where they are lost one by one ...
    lost = lost_words(0.7, 1.5)
    for n in (1, 4, 20):
        assert sum(comb(n, k) * math.exp(lost[n, k]) for k in range(n + 1)) == pytest.approx(1.0)
    # ... and those that mention it by k words have 2^-k, however long it is.
    said = said_words(msgspec.structs.replace(HEARING, lost=0.7, kept=1.5, mentioned=-1.0))
    for n, k in ((1, 1), (6, 2), (30, 3)):
        mentioned = comb(n, k) * (math.exp(said[n, k]) - math.exp(lost[n, k]))
        assert mentioned == pytest.approx(math.exp(-1.0) * 2.0**-k)
    assert said[5, 0] == pytest.approx(lost[5, 0])


LONG = "stretchy {} panels follow every move you make between mats and mountain trails all year"
SHOP = Catalog.build(
    [
        Product("begins", features=("Hidden pocket " + LONG.format("side"),)),
        Product("holds", features=(LONG.format("side") + " hidden pocket",)),
        Product("neither", features=(LONG.format("rear"),)),
    ]
)


def test_the_first_words_of_a_line_stand_for_it():
    nats = heard(SHOP, ("hidden", "pocket"), begun=-1.0)
    # The words are as rare for both; one line is said by its beginning, the other by two words of many.
    n = int(SHOP.line_words.lengths[SHOP.lines.cards[1, 0]])
    assert n == 13
    several = said_words(HEARING)[n, 2]
    assert several > CONFIG.shopper.omitted - 8.0
    assert nats["begins"] > nats["holds"] > nats["neither"]
    # Words that follow no line's beginning gain nothing by it.
    assert heard(SHOP, ("mats", "trails"), begun=-1.0) == heard(SHOP, ("mats", "trails"), begun=-3.0)


def test_words_that_another_line_has_explained_are_no_loss_of_this_one():
    # The card says "wool" and "100% Wool"; both are said, and the reply has each word once.
    shop = [
        Product("wool", features=("100% Wool",)),
        *(Product(f"x{n}", features=(f"Zip {n}",)) for n in range(7)),
    ]
    catalog = Catalog.build(shop)
    nats = heard(catalog, ("wool", "100"), asked=OTHER, limit=-99.0)
    said = said_words(HEARING)
    worth = HEARING.trust * 2 * math.log(8)
    whole = [max(said[n, n], HEARING.begun) for n in (1, 2)]
    left_out = max(said[2, 0], CONFIG.shopper.omitted)
    strays = max(said[2, 0], CONFIG.straying.omitted)
    share = CONFIG.straying.share
    nothing = math.log((1 - share) * math.exp(left_out) + share * math.exp(strays))
    assert nats["wool"] - nats["x3"] == pytest.approx(worth + sum(whole) - nothing, abs=1e-5)


def test_who_strays_once_strays_again():
    share, once = 0.1, -4.0
    keeping, straying = (
        Replayed(np.array([times * nats for times in (0, 1, 3)]), np.zeros(3), np.zeros(3, dtype=np.int8))
        for nats in (once, -1.0)
    )
    likelier, more, strays = either(keeping, straying, share)
    total = likelier.quoted + likelier.heard + more
    by_hand = [math.log(0.9 * math.exp(once * n) + 0.1 * math.exp(-n)) for n in (0, 1, 3)]
    assert total == pytest.approx(by_hand)
    assert strays == pytest.approx(
        [0.1 * math.exp(-n) / math.exp(nats) for n, nats in zip((0, 1, 3), by_hand, strict=True)]
    )
    assert strays[0] == pytest.approx(0.1)
    # the third deviation costs less than the first
    assert (total[2] - total[1]) / 2 > total[1] - total[0]


def test_a_belief_says_whether_the_shopper_strays_or_is_no_longer_literal():
    scorer = Scorer(SHOP, CONFIG)
    line = int(SHOP.lines.find(["Hidden pocket " + LONG.format("side")])[0])
    literal = scorer.belief((LinesSaid(FEATURE, (line,)),), 2)
    assert not literal.noisy
    assert literal.straying == pytest.approx(CONFIG.straying.share, abs=0.05)
    assert not literal.off_letter
    again = (LinesSaid(ATTRIBUTES.index("color"), (line,)),) * 3
    assert scorer.belief(again, 5).off_letter
    assert scorer.belief((WordsSaid(FEATURE, words("hidden")),), 2).off_letter


def test_a_category_known_to_the_letter_counts_more_than_its_words():
    kinds = [("Men", "Shirts"), ("Women", "Shirts"), *((f"Hats{n}", f"Caps{n}") for n in range(18))]
    catalog = Catalog.build([Product(kind[0], features=("Zip",), categories=kind) for kind in kinds])

    def women(*more):
        named = CategoryNamed("Men Shirts", words("men", "shirts"))
        belief = Scorer(catalog, CONFIG).belief((named, *more), 1)
        return float(belief.terms["category"][belief.rows.tolist().index(1)])

    # Where all is to the letter, another category is a miss; where words count, it shares one of two.
    assert women() == CONFIG.text.category_miss
    lost = lost_words(HEARING.lost, HEARING.kept)
    shares = (math.log(10) + lost[2, 1]) - (math.log(20) + math.log(10) + lost[2, 2])
    assert women(WordsSaid(FEATURE, words("zip"))) == pytest.approx(shares + CONFIG.text.category_other)
