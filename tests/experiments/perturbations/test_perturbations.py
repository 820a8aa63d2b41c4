"""Perturbations, each against what it is meant to do, worked out by hand."""

import pickle
import random
import re

import pytest

from experiments.customers.customer import Act, Shopper, Speech, protocol_sentence
from experiments.customers.sessions import Session, SessionError
from experiments.perturbations import CLEAN, PERTURBATIONS, messages, mixture, perturbed, speeches, wordings
from experiments.perturbations.banks import bank_for, read_bank
from experiments.perturbations.perturbation import Draw
from index.products import Product

HELD_OUT_SEED, TRAINING_SEED = 20_000, 10_000
KINDS = tuple(Act)

PRODUCT = Product(
    "T",
    "Acme Blue Cotton Shirt for Men",
    features=("SOFT FEEL: Cotton jersey, washed twice", "Button closure", "Machine Wash", "A fourth line"),
    details={"Department": "Mens", "Date First Available": "May 1, 2020"},
    categories=("Men", "Shirts", "T-Shirts"),
    price=19.5,
    store="Acme",
)
OTHER = Product("O", "Tote", features=("Zipper closure",), categories=("Women", "Handbags", "Totes"))
PRODUCTS = {"T": PRODUCT, "O": OTHER}
# The card of PRODUCT: cotton | color: blue | SOFT FEEL: Cotton jersey, washed twice | Button closure


def shopper(scenario="buying", product=PRODUCT, sample_id="s"):
    return Shopper.of(Session(sample_id, scenario, product.parent_asin, {}), product)


def under(name, subject=None, others=(), seed=TRAINING_SEED):
    subject = subject or shopper()
    return perturbed(PERTURBATIONS[name], [subject, *others], PRODUCTS, seed)[0]


def draw(key=0, bank="training"):
    return Draw(random.Random(key), read_bank(bank))


def say(**fields):
    return Speech(fields.pop("act", Act.ANSWER), **fields)


def conversation(subject, asked=("other", "material", None, "feature", "color")):
    customer = subject.customer()
    return [customer.opening(), *(customer.message(turn, name) for turn, name in enumerate(asked, 2))]


def words(text):
    return re.findall(r"\w+", text.lower())


class TestBanks:
    def leaves(self, name):
        bank = read_bank(name)
        return [
            (section, key, entry)
            for section in bank.__dataclass_fields__
            for key, entries in getattr(bank, section).items()
            for entry in entries
        ]

    def test_training_and_held_out_share_no_entry(self):
        def texts(name):
            return {" ".join(words(entry)) for _, _, entry in self.leaves(name)} - {""}

        assert texts("training") & texts("held_out") == set()

    @pytest.mark.parametrize("name", ["training", "held_out"])
    def test_twelve_variants_of_every_kind(self, name):
        bank = read_bank(name)
        for act in KINDS:
            assert len(set(bank.sentences[act])) >= 12, act
        for part in ("start", "want", "must", "like", "browse", *KINDS[3:]):
            assert len(set(bank.natural[part])) >= 12, part
        for kind in ("material", "color", "size", "style", "use_case", "budget", "feature"):
            assert len(set(bank.indirect[kind])) >= 12, kind
        for kind in ("greetings", "thanks", "fillers", "rambling"):
            assert len(set(bank.around[kind])) >= 12, kind

    @pytest.mark.parametrize("name", ["training", "held_out"])
    def test_no_entry_stands_twice_under_a_key(self, name):
        seen = [leaf for leaf in self.leaves(name) if leaf[2]]
        assert len(seen) == len(set(seen))

    @pytest.mark.parametrize("name", ["training", "held_out"])
    def test_a_sentence_says_what_it_is_given(self, name):
        bank = read_bank(name)
        slots = {
            Act.BUYING: {"category", "constraints"},
            Act.PREFERENCE: {"category", "constraints"},
            Act.BROWSING: {"category"},
            Act.ANSWER: {"constraints"},
            Act.NO_MORE: {"attribute"},
            Act.REFUSAL: {"attribute"},
            Act.NOTHING_ASKED: set(),
            Act.OVERRIDE: {"constraints"},
        }
        for act, named in slots.items():
            for sentence in bank.sentences[act]:
                assert set(re.findall(r"{(\w+)}", sentence)) == named, sentence
        for kind, sentences in bank.indirect.items():
            slot = "amount" if kind == "budget" else "value"
            for sentence in sentences:
                assert set(re.findall(r"{(\w+)}", sentence)) == {slot}, sentence

    def test_the_split_of_the_seed_chooses(self):
        assert bank_for(0) is bank_for(9_999) is bank_for(10_000) is read_bank("training")
        assert bank_for(20_000) is bank_for(29_999) is read_bank("held_out")
        with pytest.raises(SessionError, match="seed 30000"):
            bank_for(30_000)

    @pytest.mark.parametrize("seed", [TRAINING_SEED, HELD_OUT_SEED])
    def test_what_is_said_comes_from_the_chosen_bank(self, seed):
        def openings(bank):
            return {
                sentence.format(category="Shirts T-Shirts", constraints="cotton")
                for sentence in bank.sentences[Act.BUYING]
            }

        own, other = bank_for(seed), bank_for(HELD_OUT_SEED + TRAINING_SEED - seed)
        said = {
            under("opener", shopper(sample_id=str(number)), seed=seed).customer().opening()
            for number in range(30)
        }
        assert said <= openings(own)
        assert not said & openings(other)
        assert len(said) >= 8


class TestEveryPerturbation:
    @pytest.mark.parametrize("name", PERTURBATIONS)
    @pytest.mark.parametrize("scenario", ["buying", "browsing", "intent_override", "boundary"])
    def test_depends_on_perturbation_seed_session_and_turn_alone(self, name, scenario):
        subject = shopper(scenario)
        others = [shopper(product=OTHER, sample_id="o")]
        once = conversation(under(name, subject, others))
        assert conversation(under(name, subject, others)) == once
        assert all(isinstance(message, str) and message.strip() for message in once)
        copied = pickle.loads(pickle.dumps(under(name, subject, others)))
        assert conversation(copied) == once

    @pytest.mark.parametrize("name", ["fillers", "natural", "drop-50", "typing-errors"])
    def test_differs_by_seed_and_by_session(self, name):
        def texts(seed, sample):
            return conversation(under(name, shopper("browsing", sample_id=sample), seed=seed))

        assert texts(10_000, "a") != texts(10_001, "a")
        assert texts(10_000, "a") != texts(10_000, "b")

    def test_a_turn_does_not_depend_on_the_turns_before(self):
        voice = under("natural").voice
        speech = say(constraints=("X",))
        before = voice(speech, 3)
        for turn in range(1, 10):
            voice(speech, turn)
        assert voice(speech, 3) == before

    def test_clean_says_the_protocols_sentences(self):
        for scenario in ("buying", "browsing", "intent_override", "boundary"):
            subject = shopper(scenario)
            assert conversation(perturbed(CLEAN, [subject], PRODUCTS, 0)[0]) == conversation(subject)

    def test_each_row_has_something_to_reach(self):
        for name, perturbation in PERTURBATIONS.items():
            goals = (perturbation.at_least is not None) + perturbation.beats_baselines
            assert goals == (name != "clean")


class TestMessages:
    @pytest.mark.parametrize(
        ("change", "message", "expected"),
        [
            (messages.lower_case, "For THAT, X: 100% Cotton.", "for that, x: 100% cotton."),
            (messages.upper_case, "Hi, it's cotton.", "HI, IT'S COTTON."),
            (messages.double_spaces, "a b  c", "a  b    c"),
            (
                messages.last_word_lost,
                "what matters is: cotton; 100% Cotton.",
                "what matters is: cotton; 100%",
            ),
            (
                messages.no_punctuation,
                "I'm after T-Shirts & Polos: 95% Cotton/5% Silk; 7.5 inches, $19.99 (or so)!",
                "Im after T Shirts Polos 95 Cotton 5 Silk 7.5 inches 19.99 or so",
            ),
        ],
    )
    def test_by_hand(self, change, message, expected):
        assert change(message, draw()) == expected

    @pytest.mark.parametrize("key", range(20))
    def test_what_is_put_around_leaves_the_message_whole(self, key):
        message, bank = "For that, what matters is: X.", read_bank("training").around
        greeted, thanked, rambled = (
            change(message, draw(key))
            for change in (messages.greeting_before, messages.thanks_after, messages.rambling)
        )
        assert greeted.removesuffix(message).strip() in bank["greetings"]
        assert thanked.removeprefix(message).strip() in bank["thanks"]
        before, after = rambled.split(message)
        assert before.strip() in bank["rambling"]
        assert after.strip().startswith(tuple(bank["rambling"]))
        assert before.strip() not in after

    @pytest.mark.parametrize("key", range(20))
    def test_fillers_come_between_the_words_in_their_order(self, key):
        message = "For that, what matters is: cotton; 100% Cotton."
        filled = messages.fillers(message, draw(key))
        rest = iter(filled.split(" "))
        assert all(word in rest for word in message.split(" "))
        assert len(filled) > len(message)

    def test_typing_errors_hit_about_one_word_in_twelve(self):
        text = " ".join(["material"] * 5_000)
        typed = messages.typing_errors(text, draw()).split()
        wrong = [word for word in typed if word != "material"]
        assert len(typed) == 5_000
        assert 0.065 <= len(wrong) / 5_000 <= 0.095
        assert all(word[0] == "m" and 7 <= len(word) <= 9 for word in wrong)
        assert len(set(wrong)) > 20

    def test_typing_errors_spare_short_words_and_figures(self):
        text = "a 100% of 19.99 XL the " * 200
        assert messages.typing_errors(text, draw()) == text

    def test_synonyms_keep_the_capital_and_all_else(self):
        named = messages.synonyms("A Nylon hoodie, greyish; 5% Spandex", draw())
        assert named == "A Polyamide hooded top, greyish; 5% Lycra"
        named = messages.synonyms("A Nylon hoodie, greyish; 5% Spandex", draw(bank="held_out"))
        assert named == "A PA fiber hooded sweatshirt, greyish; 5% Elastane"


class TestSpeeches:
    def test_dropped_words_leave_the_order_and_at_least_one(self):
        speech = say(constraints=("cotton", "one two three four five six seven eight"))
        for share, low, high in ((0.2, 0.7, 0.9), (0.35, 0.55, 0.75), (0.5, 0.4, 0.62)):
            kept = 0
            for key in range(300):
                single, many = speeches.words_dropped(speech, draw(key), share=share).constraints
                rest = iter(speech.constraints[1].split())
                assert single == "cotton"
                assert all(word in rest for word in many.split())
                assert many
                kept += len(many.split())
            assert low < kept / (300 * 8) < high

    def test_a_reordered_category_has_the_same_words_in_another_order(self):
        for key in range(20):
            changed = speeches.category_reordered(say(category="Shirts T-Shirts"), draw(key))
            assert changed.category == "T-Shirts Shirts"
        for words_given in ("Belts", "Sets Sets", ""):
            assert speeches.category_reordered(say(category=words_given), draw()).category == words_given

    @pytest.mark.parametrize(
        ("category", "renamed"),
        [
            ("Women Jeans", "ladies denims"),
            ("Gloves & Mittens", "hand warmers Mittens"),
            ("Earrings Stud", "ear jewelry Stud"),
            ("Cycling Jersey", "Cycling Jerseys"),
            ("Novelty Capes", "Novelty Cape"),
            ("", ""),
        ],
    )
    def test_a_renamed_category(self, category, renamed):
        assert speeches.category_renamed(say(category=category), draw()).category == renamed

    def test_cut(self):
        speech = say(constraints=("x" * 119 + " yz", "short"))
        assert speeches.cut(speech, draw(), length=120).constraints == ("x" * 119, "short")

    @pytest.mark.parametrize(
        ("constraint", "kind", "kept"),
        [
            ("cotton", "material", "cotton"),
            ("color: blue", "color", "blue"),
            ("budget around $19.5", "budget", "$19.5"),
            ("★【SIZING】 Runs wide, take one down", "size", "Runs wide, take one down"),
            ("Two pockets (zip)", "feature", "Two pockets (zip)"),
            ("costs under $5 a pair", "feature", "costs under $5 a pair"),
        ],
    )
    @pytest.mark.parametrize("bank", ["training", "held_out"])
    def test_indirect_wording_is_of_the_class_and_keeps_the_words(self, constraint, kind, kept, bank):
        variants = read_bank(bank).indirect[kind]
        expected = {variant.format(value=kept, amount=kept) for variant in variants}
        said = {
            speeches.indirect(say(constraints=(constraint,)), draw(key, bank)).constraints[0]
            for key in range(40)
        }
        assert said <= expected
        assert len(said) > 6

    @pytest.mark.parametrize(
        ("constraint", "kind"),
        [
            ("95% Nylon, 5% Spandex", "nylon"),
            ("color: red", "color"),
            ("budget around $9", "budget"),
            ("Size 9", "size"),
            ("Machine Wash", "feature"),
        ],
    )
    def test_vague_shoppers_lack_the_word(self, constraint, kind):
        variants = {
            variant.format(word=word)
            for variant in read_bank("training").vague[kind]
            for word in ("machine", "wash")
        }
        for key in range(10):
            (said,) = speeches.vague(say(constraints=(constraint,)), draw(key)).constraints
            assert said in variants


class TestWordings:
    def test_only_the_chosen_acts_are_reworded(self):
        speech = say(act=Act.BUYING, category="C", constraints=("X", "Y"))
        assert wordings.reworded(speech, draw(), acts=(Act.ANSWER,)) == protocol_sentence(speech, 1)
        reworded = wordings.reworded(speech, draw(), acts=(Act.BUYING,))
        assert reworded in {
            s.format(category="C", constraints="X; Y") for s in read_bank("training").sentences["buying"]
        }

    @pytest.mark.parametrize("bank", ["training", "held_out"])
    @pytest.mark.parametrize("act", KINDS)
    def test_natural_sentences_say_all_and_vary(self, act, bank):
        speech = say(act=act, category="red hats", constraints=("xx", "yy"), attribute="use_case")
        protocol = protocol_sentence(speech, 1)
        said = {wordings.natural(speech, draw(key, bank)) for key in range(60)}
        assert len(said) > 45
        for text in said:
            assert ("red hats" in text) == ("red hats" in protocol)
            assert ("xx" in text and "yy" in text) == ("xx" in protocol)
            assert ("use case" in text) == ("use_case" in protocol)

    @pytest.mark.parametrize(
        ("speech", "said"),
        [
            (say(constraints=("cotton", "95% Cotton, 5% Silk")), "cotton 95%"),
            (say(constraints=("★【Durable】 For the road: yes",)), "Durable road"),
            (say(constraints=("color: red",)), "color red"),
            (say(act=Act.BUYING, category="Men Hats", constraints=("wool",)), "Men Hats wool"),
            (say(act=Act.BROWSING, category="Men Hats"), "Men Hats"),
        ],
    )
    def test_terse(self, speech, said):
        assert wordings.terse(speech, draw()) == said

    @pytest.mark.parametrize("act", [Act.REFUSAL, Act.NO_MORE, Act.NOTHING_ASKED])
    def test_terse_answers_that_disclose_nothing_have_two_words_at_most(self, act):
        for key in range(12):
            assert 1 <= len(wordings.terse(say(act=act, attribute="size"), draw(key)).split()) <= 2


class TestShoppers:
    def test_hard_and_soft_swapped(self):
        card = under("hard-soft-swapped").card
        assert card.hard == ("SOFT FEEL: Cotton jersey, washed twice", "Button closure")
        assert card.soft == ("cotton", "color: blue")

    def test_no_material_or_color_line(self):
        card = under("no-material-color").card
        assert card.hard == ("SOFT FEEL: Cotton jersey, washed twice", "Button closure")
        assert card.soft == ("Machine Wash", "A fourth line")

    def test_override_in_turn_two_to_six(self):
        subjects = [shopper("intent_override", sample_id=str(number)) for number in range(60)]
        turns = {
            changed.override_turn
            for changed in perturbed(PERTURBATIONS["override-2-6"], subjects, PRODUCTS, 0)
        }
        assert turns == {2, 3, 4, 5, 6}
        assert under("override-2-6", shopper("buying")).override_turn is None

    def test_override_is_said_in_its_turn_and_counts_from_it(self):
        subject = under("override-2-6", shopper("intent_override", sample_id="7"))
        customer = subject.customer()
        customer.opening()
        said = {turn: customer.message(turn, "size") for turn in range(2, 8)}
        overrides = [turn for turn, message in said.items() if message.startswith("Actually, ignore")]
        assert overrides == [subject.override_turn]
        assert [customer.counts(turn) for turn in range(1, 8)] == [
            turn >= subject.override_turn for turn in range(1, 8)
        ]

    def test_wrong_category_is_anothers(self):
        others = [shopper(product=OTHER), shopper(sample_id="same kind")]
        assert under("category-wrong", others=others).category == "Handbags Totes"
        assert under("category-wrong", others=others).card == shopper().card
        assert under("category-wrong").category == "Shirts T-Shirts"

    def test_missing_category_names_no_kind(self):
        opening = under("category-missing").customer().opening()
        named = opening.removeprefix("I'm looking for ").removesuffix(". A key requirement is: cotton.")
        assert named in read_bank("training").missing_category["words"]

    def test_a_foreign_card_has_facts_of_the_product_that_its_own_card_lacks(self):
        possible = {
            "SOFT FEEL", "Cotton jersey, washed twice", "Button closure", "Machine Wash", "A fourth line",
            "Department is Mens", "Blue Cotton Shirt for Men", "made by Acme", "under $20",
        }  # fmt: skip
        cards = [under("foreign-cards", shopper(sample_id=str(number))).card for number in range(40)]
        for card in cards:
            assert set(card.slots) <= possible
            assert len(card.hard) == 2
            assert len(card.soft) == 2
        assert {slot for card in cards for slot in card.slots} == possible

    def test_a_foreign_card_of_a_bare_product(self):
        bare = Product("T", "Mystery Item")
        card = perturbed(PERTURBATIONS["foreign-cards"], [shopper(product=bare)], {"T": bare}, 0)[0].card
        assert card.slots == ("Mystery Item",)

    def test_a_switching_shopper_speaks_of_two_products_one_after_the_other(self):
        others = [shopper(product=OTHER, sample_id="o")]
        turns = set()
        for number in range(12):
            subject = under("product-switched", shopper("browsing", sample_id=str(number)), others)
            customer = subject.customer()
            said = [customer.opening(), *(customer.message(turn, "other") for turn in range(2, 7))]
            (turn,) = [turn for turn, text in enumerate(said, 1) if text.startswith("Actually")]
            turns.add(turn)
            assert said[0] == "I'm looking for Handbags Totes. A key requirement is: Zipper closure."
            assert all("cotton" not in text for text in said[: turn - 1])
            assert said[turn - 1] == (
                "Actually, ignore my earlier preference. I'm looking for Shirts T-Shirts. "
                "A key requirement is: cotton."
            )
            assert said[turn] == (
                "For that, what matters is: color: blue; SOFT FEEL: Cotton jersey, washed twice."
            )
            assert [customer.counts(at) for at in range(1, 7)] == [at >= turn for at in range(1, 7)]
        assert turns == {3, 4}


def test_a_mixture_spreads_each_kind_evenly():
    subjects = [shopper(sample_id=f"s{number}") for number in range(8)]
    kinds = [PERTURBATIONS["upper-case"], PERTURBATIONS["lower-case"]]
    mixed = mixture(subjects, PRODUCTS, kinds, 0.5, TRAINING_SEED)
    openings = [one.customer().opening() for one in mixed]
    plain = subjects[0].customer().opening()
    assert openings == [plain, plain.upper(), plain, plain.lower()] * 2
    assert mixture(subjects, PRODUCTS, kinds, 0.0, TRAINING_SEED) == subjects
    thirds = mixture(subjects, PRODUCTS, kinds, 1 / 3, TRAINING_SEED)
    assert [one.customer().opening() != plain for one in thirds] == [False, False, True] * 2 + [False] * 2
