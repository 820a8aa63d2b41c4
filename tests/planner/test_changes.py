"""Changes of mind that say what they change, in dialogues over a shop small enough to reason about."""

import pytest

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.products import Product
from planner.agent import Agent
from planner.config import PlannerConfig
from planner.planner import Planner
from scoring.evidence import (
    CategoryNamed,
    Opening,
    Override,
    PriceWanted,
    Refusal,
    Retraction,
    Switch,
    Unwanted,
    WordsSaid,
)

MATERIAL, COLOR, SIZE, STYLE, BUDGET = map(ATTRIBUTES.index, ("material", "color", "size", "style", "budget"))
WALLETS = CategoryNamed("Accessories Wallets")


def product(name, kind, *features, price=30):
    categories = {
        "wallet": ("Accessories", "Wallets"),
        "dress": ("Women", "Dresses"),
        "boot": ("Shoes", "Boots"),
        "sandal": ("Shoes", "Sandals"),
        "sock": ("Hosiery", "Socks"),
    }
    return Product(name, name.lower(), features=features, categories=categories[kind], price=price)


# Of the four wallets each differs from the next in one thing; so do the dresses.
SHOP = (
    product("RLZ", "wallet", "Red finish", "Leather shell", "Zip around"),
    product("BLZ", "wallet", "Black finish", "Leather shell", "Zip around"),
    product("RCZ", "wallet", "Red finish", "Canvas shell", "Zip around"),
    product("BCS", "wallet", "Black finish", "Canvas shell", "Snap closure"),
    product("RED", "dress", "Red print", "Linen weave", "Side pockets"),
    product("BLUE", "dress", "Blue print", "Linen weave", "Side pockets"),
    product("SILK", "dress", "Blue print", "Satin weave", "Back zip", price=80),
    product("BOOT", "boot", "Rubber sole", "Side pull tabs"),
    product("SANDAL", "sandal", "Cork sole", "Ankle strap"),
    # Others, so that the words of the above are rare.
    *(product(f"SOCK{number}", "sock", "Knee high", f"Pair {number}") for number in range(60)),
)


@pytest.fixture(scope="module")
def planner():
    """A planner whose shoppers keep to their cards, so that what is said adds up."""
    keeping = PlannerConfig.load("robust").changed({"scoring.straying.share": 1e-12})
    return Planner(Catalog.build(SHOP), keeping)


def read(planner, message, asked=None, category=WALLETS):
    return planner.reader.read(message, first=False, asked=asked, category=category).evidence


def of(kind, evidence):
    return [item for item in evidence if isinstance(item, kind)]


def nats(planner, *messages, asked=()):
    """Return {id: score} after a dialogue; ``asked`` are the questions that the replies pose."""
    state = planner.dialogue(messages, [(code, ()) for code in asked])
    belief = planner.belief(state)
    ids = [planner.catalog.ids[int(row)].as_py() for row in belief.rows]
    return dict(zip(ids, belief.scores.tolist(), strict=True))


class TestWhatIsTakenBack:
    @pytest.mark.parametrize(
        ("message", "attribute", "words"),
        [
            ("Forget the color.", COLOR, []),
            ("never mind the size please", SIZE, []),
            ("nevermind color", COLOR, []),
            ("forget my price preference, I'll pay what it takes", BUDGET, []),
            ("scratch the leather", None, ["leather"]),
            ("forget about the red one", None, ["red"]),
            ("drop what I said about the zip", None, ["zip"]),
            ("ignore the red color", COLOR, ["red"]),
            ("the zip doesn't matter anymore", None, ["zip"]),
            ("The fabric no longer matters", MATERIAL, []),
        ],
    )
    def test_an_attribute_or_a_value(self, planner, message, attribute, words):
        evidence = read(planner, message)
        (taken_back,) = of(Retraction, evidence)
        assert taken_back.attribute == attribute
        assert [word.text for word in taken_back.words] == words
        assert not of(Override, evidence)
        assert not of(Unwanted, evidence)

    @pytest.mark.parametrize(
        "message",
        [
            "scratch that, leather please",
            "on second thought, leather",
            "forget what I said before. I need leather",
            "ignore my earlier preference, leather",
            "forget everything, leather",
            "never mind, leather",
            "scratch that leather",
        ],
    )
    def test_all_where_nothing_is_named(self, planner, message):
        evidence = read(planner, message)
        assert of(Override, evidence) == [Override()]
        assert not of(Retraction, evidence)
        assert [word.text for item in of(WordsSaid, evidence) for word in item.words] == ["leather"]

    def test_what_comes_with_it_counts(self, planner):
        taken_back, said = read(planner, "Forget the color, but it needs a zip around")
        assert taken_back == Retraction(COLOR)
        assert [word.text for word in said.words] == ["zip"]

    def test_indifference_to_what_was_asked_is_an_answer(self, planner):
        assert read(planner, "The color doesn't matter", asked=COLOR) == (Refusal(COLOR),)
        assert of(Retraction, read(planner, "The color doesn't matter", asked=SIZE)) == [Retraction(COLOR)]

    def test_the_words_are_traced(self, planner):
        message = "Hm, forget the color."
        reading = planner.reader.read(message, first=False, asked=None)
        (span,) = [span for span in reading.spans if span.label == "taken back"]
        assert message[span.start : span.end] == "forget the color"
        assert reading.evidence[span.item] == Retraction(COLOR)


class TestTheBelief:
    OPENING = "do you have wallets? red leather, zip around"

    def test_only_the_color_is_weakened(self, planner):
        before, after = nats(planner, self.OPENING), nats(planner, self.OPENING, "forget the color")
        # RLZ and BLZ differ in color alone, RLZ and RCZ in material alone
        assert before["RLZ"] - before["BLZ"] > 1.0
        assert abs(after["RLZ"] - after["BLZ"]) < 0.25 * (before["RLZ"] - before["BLZ"])
        assert after["RLZ"] - after["RCZ"] > 0.75 * (before["RLZ"] - before["RCZ"]) > 0.75

    def test_only_the_value_is_weakened(self, planner):
        before, after = nats(planner, self.OPENING), nats(planner, self.OPENING, "scratch the leather")
        assert abs(after["RLZ"] - after["RCZ"]) < 0.25 * (before["RLZ"] - before["RCZ"])
        assert after["RLZ"] - after["BLZ"] > 0.75 * (before["RLZ"] - before["BLZ"])

    def test_a_quoted_line_is_worth_the_configured_share(self, planner):
        opening = "I'm looking for Accessories Wallets. A key requirement is: Red finish."
        before, after = nats(planner, opening), nats(planner, opening, "forget the color")
        share = planner.config.scoring.text.after_retraction
        for other in ("BLZ", "BCS"):
            assert after["RLZ"] - after[other] == pytest.approx(share * (before["RLZ"] - before[other]))

    def test_of_two_lines_said_together_one_is_weakened(self, planner):
        said = "For that, what matters is: Red finish; Leather shell."
        before, after = nats(planner, said), nats(planner, said, "forget the color")
        share = planner.config.scoring.text.after_retraction
        assert after["RLZ"] - after["BLZ"] == pytest.approx(share * (before["RLZ"] - before["BLZ"]))
        assert after["RLZ"] - after["RCZ"] == pytest.approx(before["RLZ"] - before["RCZ"])

    def test_what_was_not_wanted_may_be_taken_back_too(self, planner):
        said = "do you have wallets? zip around, no leather"
        before, after = nats(planner, said), nats(planner, said, "forget the leather")
        plain = nats(planner, "do you have wallets? zip around")
        gap = plain["RCZ"] - plain["RLZ"]
        unwanted, share = planner.config.scoring.text.unwanted, planner.config.scoring.text.after_retraction
        assert before["RCZ"] - before["RLZ"] == pytest.approx(gap - unwanted)
        assert after["RCZ"] - after["RLZ"] == pytest.approx(gap - share * unwanted)

    def test_a_limit_may_be_taken_back_too(self, planner):
        said = "do you have dresses? under 40 dollars"
        before, after = nats(planner, said), nats(planner, said, "forget the price")
        plain = nats(planner, "do you have dresses?")
        gap = plain["BLUE"] - plain["SILK"]
        share = planner.config.scoring.text.after_retraction
        assert before["BLUE"] - before["SILK"] > gap + 1.0
        assert after["BLUE"] - after["SILK"] - gap == pytest.approx(
            share * (before["BLUE"] - before["SILK"] - gap)
        )

    def test_nothing_happens_where_nothing_was_said_of_it(self, planner):
        assert nats(planner, self.OPENING, "forget the size") == pytest.approx(nats(planner, self.OPENING))

    def test_said_anew_it_counts_again(self, planner):
        after = nats(planner, self.OPENING, "forget the color", "black")
        assert after["BLZ"] > after["RLZ"]

    def test_it_is_not_asked_for_next(self, planner):
        state = planner.dialogue([self.OPENING, "forget the color"])
        assert state.refused == {COLOR}


class TestAnotherProduct:
    @pytest.mark.parametrize(
        ("message", "name"),
        [
            ("actually I'm looking for a dress instead", "dress"),
            ("show me dresses", "dresses"),
            ("a dress instead please", "dress"),
            ("On second thought I want some boots with a rubber sole", "boots"),
            ("do you have any sandals?", "sandals"),
            ("I changed my mind, I need a frock", "frock"),
            (
                "Actually, ignore my earlier preference. I'm looking for Women Dresses. "
                "A key requirement is: Back zip.",
                "Women Dresses",
            ),
        ],
    )
    def test_is_named(self, planner, message, name):
        evidence = read(planner, message)
        assert of(Switch, evidence) == [Switch()]
        assert [item.text for item in of(CategoryNamed, evidence)] == [name]
        assert not of(Override, evidence)

    @pytest.mark.parametrize(
        "message",
        [
            "show me red wallets",
            "actually I'm looking for a wallet with a zip",
            "I'm looking for Accessories Wallets. A key requirement is: Zip around.",
            "show me something in leather",
            "I want a boot print",
            "leather instead",
            "cotton instead of leather",
            "show me accessories",
            "do you have it in red?",
            "please look for: Ankle strap",
        ],
    )
    def test_is_not_what_belongs_to_the_first(self, planner, message):
        assert not of(Switch, read(planner, message))

    def test_a_wider_name_is_no_other_product(self, planner):
        assert not of(Switch, read(planner, "show me boots", category=CategoryNamed("shoes")))
        assert not of(Switch, read(planner, "show me shoes", category=CategoryNamed("boots")))
        assert of(Switch, read(planner, "show me boots", category=CategoryNamed("sandals")))

    def test_lines_to_the_letter_stay_so(self, planner):
        message = "I'm looking for Women Dresses. A key requirement is: Back zip."
        switch, opening, category, said = read(planner, message)
        (line,) = planner.catalog.lines.find(["Back zip"]).tolist()
        assert (switch, opening, category) == (
            Switch(),
            Opening("requirement"),
            CategoryNamed("Women Dresses"),
        )
        assert said.lines == (line,)

    def test_nothing_was_looked_for_before(self, planner):
        assert not of(Switch, read(planner, "show me dresses", category=None))


class TestTheBeliefInAnotherProduct:
    OPENING = "I'm looking for Accessories Wallets. A key requirement is: Red finish."
    SWITCH = "Actually, I'm looking for a dress instead, with pockets"

    def test_the_new_product_is_found(self, planner):
        after = nats(planner, self.OPENING, self.SWITCH)
        assert max(after, key=after.get) in {"RED", "BLUE"}
        # what was said of the wallet hardly tells the dresses apart; said of a dress it would
        said = nats(planner, "do you have dresses? Red finish", "with pockets")
        assert abs(after["RED"] - after["BLUE"]) < 0.25 * (said["RED"] - said["BLUE"])

    def test_a_limit_on_the_price_stays(self, planner):
        opening = "do you have wallets? under 40 dollars"
        state = planner.dialogue([opening, "show me dresses"])
        assert of(PriceWanted, state.evidence) == [PriceWanted(0.0, 40.0)]
        with_limit, without = (
            nats(planner, opening, "show me dresses"),
            nats(planner, "do you have wallets?", "show me dresses"),
        )
        # BLUE costs 30, SILK 80
        gained = (with_limit["BLUE"] - with_limit["SILK"]) - (without["BLUE"] - without["SILK"])
        limit = planner.config.scoring.text
        expected = max(limit.price_miss * 0.6931471805599453, limit.price_limit)  # ln(80 / 40)
        assert gained == pytest.approx(-expected, rel=1e-4)

    def test_questions_are_open_again_and_pages_forgotten(self, planner):
        state = planner.dialogue([self.OPENING])
        state = state.replied(COLOR, (0, 1))
        state = state.heard(planner.understand("nothing else on that", state).evidence)
        assert state.retired == {COLOR}
        state = state.replied(STYLE, (4,))
        state = state.heard(planner.understand("show me dresses", state).evidence)
        assert state.retired == frozenset()
        assert state.times_asked == {}
        belief = planner.belief(state)
        shown = dict(zip(belief.rows.tolist(), belief.terms["shown"].tolist(), strict=True))
        assert shown[4] == 0.0
        assert belief.scenario.override_pending == 0.0

    def test_nothing_of_the_new_product_is_disclosed(self, planner):
        # the dresses' first line would count as said: the wallet's was
        state = planner.dialogue(
            [
                "I'm looking for Women Dresses. A key requirement is: Red print.",
                "a wallet instead",
                "show me dresses",
            ]
        )
        belief = planner.belief(state)
        assert not belief.disclosed.any()

    def test_it_can_be_explained(self, planner):
        agent = Agent.on(planner.catalog)
        agent.reset("s")
        agent.respond("s", self.OPENING, 1)
        reply = agent.respond("s", self.SWITCH, 2)
        assert reply["message"].startswith("Understood, dress instead")
        agent.respond("s", "forget the pockets", 3)
        assert not agent.fallbacks
        for trace in agent.trace("s"):
            assert agent.planner.explain(trace).products
