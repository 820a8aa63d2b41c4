"""The planner among people: conversations as people lead them, over generated and over real products."""

from pathlib import Path

import orjson
import pytest

from experiments.customers.conversation import play
from experiments.customers.dialogues import Dialogue, DialogueError, SpeakingShopper, read_dialogues
from experiments.generator import generate_products
from experiments.metrics.scorer import metrics
from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.readers import read_products
from planner.agent import Agent

HERE = Path(__file__).parent
DISTRACTORS, DISTRACTORS_SEED = 2_000, 20_077
FOUND, MRR, TURNS = 0.92, 0.85, 3.0
MANNERS = {"plain", "short", "phone", "chatty", "second language"}


def measured(catalog, dialogues, config):
    """Play all dialogues; return the metrics and the targets not found."""
    agent, known = Agent.on(catalog, config), frozenset(map(str, catalog.ids))
    results = [
        play(agent, SpeakingShopper.saying(dialogue, str(number)), known, str(number))
        for number, dialogue in enumerate(dialogues)
    ]
    assert not agent.fallbacks
    assert not any(result.faults for result in results)
    missed = [dialogue.target for dialogue, result in zip(dialogues, results, strict=True) if not result.turn]
    return metrics(results), missed


@pytest.fixture(scope="module")
def generated():
    """The products that the dialogues are about, among others."""
    wanted, _ = read_products(HERE / "products.jsonl")
    return Catalog.build([*wanted, *generate_products(DISTRACTORS, DISTRACTORS_SEED)])


@pytest.fixture(scope="module")
def real(real_inputs):
    products, _ = read_products(real_inputs / "catalog.jsonl")
    return Catalog.build(products)


@pytest.mark.parametrize("track", ["robust", "wildcard"])
def test_finds_what_people_describe_in_generated_products(generated, track):
    found, missed = measured(generated, read_dialogues(HERE / "generated.toml"), track)
    assert found.hit_rate_at_10 >= FOUND, missed
    assert found.mrr >= MRR
    assert found.mttc <= TURNS


def test_finds_what_people_describe_in_real_products(real):
    found, missed = measured(real, read_dialogues(HERE / "real.toml"), "robust")
    assert found.hit_rate_at_10 >= FOUND, missed
    assert found.mrr >= MRR
    assert found.mttc <= TURNS


def test_the_dialogues_are_many_and_of_many_manners():
    dialogues = [*read_dialogues(HERE / "generated.toml"), *read_dialogues(HERE / "real.toml")]
    assert len(dialogues) >= 60
    assert {dialogue.manner for dialogue in dialogues} == MANNERS
    assert len({dialogue.target for dialogue in dialogues}) == len(dialogues)
    assert sum(bool(dialogue.turns) for dialogue in dialogues) >= 5
    for name in set(ATTRIBUTES) - {"category"}:
        assert sum(name in dialogue.answers for dialogue in dialogues) >= 20, name


def test_each_dialogue_is_about_a_stored_product():
    stored = {
        orjson.loads(line)["parent_asin"] for line in (HERE / "products.jsonl").read_bytes().splitlines()
    }
    assert {dialogue.target for dialogue in read_dialogues(HERE / "generated.toml")} == stored


def test_real_targets_are_in_the_real_catalog(real_inputs):
    products, _ = read_products(real_inputs / "products.jsonl")
    ids = {product.parent_asin for product in products}
    assert {dialogue.target for dialogue in read_dialogues(HERE / "real.toml")} <= ids


def test_a_shopper_says_what_is_written():
    said = Dialogue("T", "plain", "hi", "hm", answers={"color": "red"}, turns={4: "no, blue"})
    customer = SpeakingShopper.saying(said, "s").customer()
    assert customer.opening() == "hi"
    asked = {2: "color", 3: "size", 4: "color", 5: None, 6: "color"}
    assert {turn: customer.message(turn, name) for turn, name in asked.items()} == {
        2: "red", 3: "hm", 4: "no, blue", 5: "hm", 6: "red",
    }  # fmt: skip
    assert all(customer.counts(turn) for turn in range(1, 11))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[dialogue]]\ntarget = 1", ["dialogue 1", "target"]),
        ('[[dialogue]]\ntarget = "T"\nmanner = "plain"\nopening = " "\notherwise = "x"', ["opening"]),
        (
            '[[dialogue]]\ntarget = "T"\nmanner = "m"\nopening = "o"\notherwise = "x"\ncolour = "red"',
            ["colour", "attribute"],
        ),
        (
            '[[dialogue]]\ntarget = "T"\nmanner = "m"\nopening = "o"\notherwise = "x"\nturns = { one = "x" }',
            ["turns", "number"],
        ),
        ("[[dialogue", ["bad.toml: "]),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path, text, words):
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DialogueError) as error:
        read_dialogues(path)
    assert all(word in str(error.value) for word in (*words, "bad.toml"))
    assert "\n" not in str(error.value)
