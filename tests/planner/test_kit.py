"""The agent in an evaluator's kit: a folder with starter/, data/catalog.jsonl and data/public_set.jsonl."""

import shutil
import subprocess
import sys

import orjson
import pytest

from experiments.plugin import write_plugin
from index.readers import CatalogError
from planner.agent import Agent

EVALUATOR = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from starter.agent import Agent
agent = Agent(sys.argv[2])
os.chdir("/")
replies = []
for line in open(os.path.join(sys.argv[1], "data", "public_set.jsonl")):
    sample = json.loads(line)
    agent.reset(sample["sample_id"], sample["user_profile"])
    for turn, message in enumerate(sample["said"], 1):
        replies.append(agent.respond(sample["sample_id"], message, turn, 10))
print(json.dumps(replies))
"""
SAID = (
    "I'm looking for Accessories Belts. A key requirement is: leather.",
    "For that, what matters is: Full grain leather.",
)


@pytest.fixture
def kit(tmp_path, catalog_file):
    folder = tmp_path / "kit"
    (folder / "data").mkdir(parents=True)
    shutil.copy(catalog_file, folder / "data" / "catalog.jsonl")
    samples = [{"sample_id": f"public_{n:04}", "user_profile": {"summary": ""}, "said": SAID} for n in (1, 2)]
    (folder / "data" / "public_set.jsonl").write_bytes(b"\n".join(map(orjson.dumps, samples)))
    write_plugin(folder)
    return folder


def test_an_evaluator_in_any_folder(kit, tmp_path, catalog):
    """A relative catalog path is found from the kit's folder and from another one."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", EVALUATOR, str(kit), path],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        for folder, path in ((kit, "data/catalog.jsonl"), (elsewhere, "data/catalog.jsonl"))
    ]
    printed = [orjson.loads(process.communicate()[0]) for process in processes]
    agent = Agent.on(catalog)
    expected = []
    for name in ("a", "b"):
        agent.reset(name, {"summary": ""})
        expected += [agent.respond(name, message, turn, 10) for turn, message in enumerate(SAID, 1)]
    assert printed == [expected, expected]
    assert expected[1]["recommendations"][0]["parent_asin"] == "BELT"


class TestRelativePaths:
    def test_the_working_folder_comes_first(self, kit, tmp_path, monkeypatch):
        own = tmp_path / "own" / "data"
        own.mkdir(parents=True)
        (own / "catalog.jsonl").write_text('{"parent_asin": "OWN"}\n')
        monkeypatch.syspath_prepend(str(kit))
        monkeypatch.chdir(tmp_path / "own")
        assert Agent("data/catalog.jsonl").catalog.ids.to_pylist() == ["OWN"]
        monkeypatch.chdir("/")
        assert len(Agent("data/catalog.jsonl").catalog) == 12

    def test_a_catalog_that_is_nowhere_is_named_as_given(self):
        with pytest.raises(CatalogError, match=r"data/nowhere\.jsonl"):
            Agent("data/nowhere.jsonl")
