"""What the robust track must not rest on: accidents of spelling, hash seeds, the order of processes."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from planner.agent import Agent

ROOT = Path(__file__).resolve().parents[2]
COLOR, FEATURE = ATTRIBUTES.index("color"), ATTRIBUTES.index("feature")

CONVERSATIONS = (
    (
        "I'm looking for Shoes Trail Running. A key requirement is: Wide toe box.",
        "For that, what matters is: Fully covered heel.",
        "I don't have an additional preference for feature.",
    ),
    (
        "I'm looking for Shoes Trail Running. Fully covered heel",
        "I don't have an additional preference for color.",
        "Actually, ignore my earlier preference. What I need is: Wide toe box.",
    ),
    (
        "I'm looking for Shoes Trail Running, but I'm still exploring.",
        "I don't have a preference for color; please use your judgment.",
        "the heel should be fully covered",
    ),
)


def replies_and_beliefs(agent, conversations):
    """Say the same whatever is asked; return all replies, and the probability of every product."""
    replies, beliefs = [], []
    for n, messages in enumerate(conversations):
        agent.reset(f"s{n}")
        replies += [agent.respond(f"s{n}", text, turn, 10) for turn, text in enumerate(messages, 1)]
        for turn in agent.trace(f"s{n}"):
            beliefs.append(
                dict(zip(turn.belief.rows.tolist(), turn.belief.probabilities.tolist(), strict=True))
            )
    assert not agent.fallbacks
    return replies, beliefs


def shielded(lines):
    return tuple(line.replace("covered", "shielded") for line in lines)


@pytest.fixture(scope="module")
def catalogs(catalog, products):
    """The catalog, and one in which no line is covered."""
    others = (replace(product, features=shielded(product.features)) for product in products)
    return catalog, Catalog.build(others)


class TestAccidentsOfSpelling:
    """ "covered" is a color by the protocol's letter, as it holds "red"; "shielded" is none."""

    def test_the_two_catalogs_differ_by_the_letter_only(self, catalogs):
        lines = [
            (catalog.lines, catalog.lines.find([text])[0])
            for catalog, text in zip(catalogs, ("Fully covered heel", "Fully shielded heel"), strict=True)
        ]
        assert [index.classes[:, line].tolist() for index, line in lines] == [
            [COLOR, FEATURE],
            [FEATURE, FEATURE],
        ]

    def test_the_robust_track_is_not_steered(self, catalogs):
        covered, other = (Agent.on(catalog) for catalog in catalogs)
        replies, beliefs = replies_and_beliefs(covered, CONVERSATIONS)
        for reply in replies:
            (reply["message"],) = shielded([reply["message"]])
        assert (replies, beliefs) == replies_and_beliefs(other, tuple(map(shielded, CONVERSATIONS)))

    def test_the_wildcard_track_follows_the_letter(self, catalogs):
        masks = []
        for catalog in catalogs:
            agent = Agent.on(catalog, "wildcard")
            belief = agent.planner.belief(["I'm looking for Shoes Trail Running, but I'm still exploring."])
            shoe = belief.rows.tolist().index(3)
            masks.append((belief.masks[shoe, COLOR] != 0, belief.masks[shoe, FEATURE] != 0))
        # by the letter "Wide toe box" is of size and "For running and hiking" of use, so that the heel is all
        assert masks == [(True, False), (False, True)]


def test_the_same_bytes_in_every_process(catalog_file):
    """Two fresh processes with other hash seeds give the bytes that this one gives."""
    script = (
        "import sys, orjson\n"
        "from planner.agent import Agent\n"
        "agent = Agent(sys.argv[1])\n"
        "for n, messages in enumerate(orjson.loads(sys.argv[2])):\n"
        "    agent.reset(f's{n}')\n"
        "    for turn, text in enumerate(messages, 1):\n"
        "        print(orjson.dumps(agent.respond(f's{n}', text, turn, 10)).decode())\n"
    )
    said = orjson.dumps(CONVERSATIONS).decode()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(catalog_file), said],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
        )
        for seed in ("0", "12345")
    ]
    printed = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    replies, _ = replies_and_beliefs(Agent(catalog_file), CONVERSATIONS)
    expected = b"".join(orjson.dumps(reply) + b"\n" for reply in replies)
    assert printed == [expected, expected]


def test_the_same_products_under_either_way_of_indexing(catalog, catalog_file):
    built, read = (
        replies_and_beliefs(agent, CONVERSATIONS) for agent in (Agent.on(catalog), Agent(catalog_file))
    )
    assert built == read
