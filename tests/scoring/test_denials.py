"""What texts deny to have, and what that does to the belief; right answers by reading."""

import pytest

from index.catalog import Catalog
from index.products import Product
from planner.agent import Agent
from planner.planner import Planner
from scoring.denials import Denials, denies
from scoring.evidence import Unwanted, WordsSaid


def bag(name, *features, title="Bag"):
    return Product(name, title, features=features, categories=("Women", "Bags"))


SHOP = (
    bag("NONE", "Open top, no zipper"),
    bag("LESS", "A zipperless pouch"),
    bag("WITHOUT", "Comes without zipper or buttons"),
    bag("TITLE", "Woven", title="Zipper-free bag"),
    bag("WITH", "A long zipper"),
    bag("BOTH", "No zipper outside", "Hidden zipper inside"),
    bag("TEXT", "Plain"),
    bag("FELT", "Felt, not wool"),
    bag("WOOL", "Felted wool"),
    bag("CARE", "Do not wash wool warm"),
    *(bag(f"PLAIN{number}", f"Strap {number}a") for number in range(30)),
)
ZIPPER = ("zipper", "zippers")


@pytest.fixture(scope="module")
def planner():
    return Planner(Catalog.build(SHOP))


def named(planner, values):
    return {planner.catalog.ids[int(row)].as_py(): value for row, value in values}


def nats(planner, *messages):
    belief = planner.belief(["do you have bags?", *messages])
    return named(planner, zip(belief.rows, belief.scores.tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("no zipper", True),
        ("without any metal zipper", True),
        ("Zipper-free design", True),
        ("non zipper", True),
        ("It has no buttons or zipper.", True),
        ("does not have a zipper", True),
        ("No lining; strong zipper", False),
        ("not only a zipper", False),
        ("never heavy and zipper in front", False),
        ("not plain, but with a zipper", False),
        ("Do not bleach zipper", False),
        ("no zipper outside, zipper inside", False),
        ("a zipper", False),
        ("no buttons", False),
        ("no zip", False),
    ],
)
def test_a_text_denies_a_word(text, denied):
    assert denies(text, ZIPPER) == denied


def test_products_that_deny_it_and_mention_it_in_no_other_way(planner):
    rows = Denials(planner.catalog).of(ZIPPER).rows
    assert named(planner, ((row, True) for row in rows)).keys() == {"NONE", "LESS", "WITHOUT", "TITLE"}


def test_what_is_not_wanted_speaks_for_those_that_deny_it(planner):
    evidence = planner.reader.read("no zipper please", first=False, asked=None).evidence
    assert [type(item) for item in evidence] == [Unwanted]
    text = planner.config.scoring.text
    before, after = nats(planner), nats(planner, "no zipper please")
    change = {name: after[name] - before[name] - (after["TEXT"] - before["TEXT"]) for name in after}
    assert change == pytest.approx(
        {
            **dict.fromkeys(change, 0.0),
            **dict.fromkeys(("NONE", "LESS", "WITHOUT", "TITLE"), text.denied),
            **dict.fromkeys(("WITH", "BOTH"), text.unwanted),
        },
        abs=1e-5,
    )


def test_what_is_denied_is_not_there_for_one_who_wants_it(planner):
    evidence = planner.reader.read("wool", first=False, asked=None).evidence
    assert [type(item) for item in evidence] == [WordsSaid]
    after = nats(planner, "wool")
    # by the protocol's rule its card has the line "wool" all the same, which is worth little
    assert after["TEXT"] - 1e-5 <= after["FELT"] < after["TEXT"] + 0.5
    assert after["WOOL"] > after["FELT"] + 1.0
    assert after["CARE"] > after["FELT"] + 1.0


def test_one_who_quotes_a_denial_is_understood(planner):
    # a few words of FELT's line, in the protocol's sentence
    after = nats(planner, "For that, what matters is: pure felt, not wool, thanks.")
    assert max(after, key=after.get) == "FELT"


def test_it_is_explained(planner):
    agent = Agent.on(planner.catalog)
    agent.reset("s")
    agent.respond("s", "do you have bags? no zipper", 1)
    trace = agent.trace("s")[0]
    rows = tuple(range(len(SHOP)))
    reasons = {
        SHOP[product.row].parent_asin: {type(reason.source): reason for reason in product.reasons}
        for product in agent.planner.explain(trace, rows).products
    }
    assert reasons["NONE"][Unwanted].nats > 0.0
    assert reasons["NONE"][Unwanted].text == "has nothing that you do not want"
    assert reasons["WITH"][Unwanted].nats < 0.0
    assert reasons["WITH"][Unwanted].text == "has “zipper” that you do not want"
