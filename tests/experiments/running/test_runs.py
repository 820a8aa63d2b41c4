"""A run's folder: what it refuses, what a kill leaves, and that a run goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from experiments.benchmark.prepare import shoppers_of
from experiments.customers.conversation import SessionResult, TurnRecord
from experiments.customers.sessions import Session
from experiments.running.evaluate import System, described, evaluate, planner_system
from experiments.running.journal import Journal, JournalError
from experiments.running.runs import RunError, RunFolder, systems_record
from index.catalog import Catalog
from index.products import Product
from planner.config import PlannerConfig

ROOT = Path(__file__).resolve().parents[3]
PRODUCTS = [
    Product(f"P{n}", title=f"{word} thing", features=(f"{word} feature", "Imported"), categories=(word,))
    for n, word in enumerate(["amber", "beryl", "coral", "diamond", "emerald", "flint", "garnet", "jade"])
]
SESSIONS = [Session(f"sample-{n}", "buying", f"P{n}", {"preference_tags": ["fit"]}) for n in range(8)]
RESULT = SessionResult(
    "s1", "buying", 2, 1, (TurnRecord("héllo", "color", ("A",), 1.5),), {}, {"rollouts": 1}
)


class Noting:
    """Shows product n in turn n + 1, and notes in a file each session it opens; may refuse one."""

    def __init__(self, catalog, notes, slow=0.0, refused=None):
        self.ids = list(map(str, catalog.ids))
        self.notes, self.slow, self.refused = Path(notes), slow, refused

    def reset(self, session_id, user_profile):
        if session_id == self.refused:
            raise RuntimeError("refused")
        with self.notes.open("a") as file:
            file.write(f"{session_id}\n")

    def respond(self, session_id, user_message, turn, top_k):
        time.sleep(self.slow)
        return {"message": "", "ask_attribute": None, "recommendations": self.ids[turn - 1 : turn]}


@pytest.fixture(scope="module")
def catalog():
    return Catalog.build(PRODUCTS)


class TestJournal:
    def test_what_was_added_is_read_again(self, tmp_path):
        journal = Journal(tmp_path / "journal.jsonl")
        journal.add("k1", "planner", RESULT)
        again = Journal(tmp_path / "journal.jsonl")
        assert again.get("k1") == RESULT
        assert again.get("k1").turns[0].ms == 1.5
        assert again.get("k2") is None

    @pytest.mark.parametrize("torn", [1, 20, 10_000])
    def test_a_torn_last_line_is_dropped(self, tmp_path, torn):
        path = tmp_path / "journal.jsonl"
        journal = Journal(path)
        journal.add("k1", "planner", RESULT)
        journal.add("k2", "planner", RESULT)
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(lines[0] + lines[1][:-1][:torn])
        journal = Journal(path)
        assert len(journal) == 1
        journal.add("k3", "planner", RESULT)
        assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["k1", "k3"]

    def test_another_bad_line_is_named(self, tmp_path):
        path = tmp_path / "journal.jsonl"
        Journal(path).add("k1", "planner", RESULT)
        path.write_bytes(b'{"key": 1}\n' + path.read_bytes())
        with pytest.raises(JournalError, match=r"journal\.jsonl, line 1: "):
            Journal(path)


class TestResume:
    def test_finished_sessions_are_not_played_again(self, catalog, tmp_path):
        shoppers, notes = shoppers_of(SESSIONS, PRODUCTS), tmp_path / "notes"
        make = partial(Noting, notes=str(notes))
        failing = System("noting", partial(make, refused="6"))
        journal = Journal(tmp_path / "journal.jsonl")
        with pytest.raises(RuntimeError, match="refused"):
            evaluate(catalog, [failing], shoppers, 1, journal=journal)
        assert notes.read_text().split() == ["1", "2", "3", "4", "5"]
        assert len(journal) == 5
        # other settings make another system, whose sessions are its own
        whole = evaluate(catalog, [System("noting", make)], shoppers, 1, journal=journal)
        assert notes.read_text().split()[5:] == ["1", "2", "3", "4", "5", "6", "7", "8"]
        again = evaluate(catalog, [System("noting", make)], shoppers, 1, journal=Journal(journal.path))
        assert len(notes.read_text().split()) == 13
        assert again == whole
        assert [result.turn for result in again[0].results] == [1, 2, 3, 4, 5, 6, 7, 8]

    def test_another_catalog_or_shopper_is_another_session(self, catalog, tmp_path):
        notes = tmp_path / "notes"
        systems = [System("noting", partial(Noting, notes=str(notes)))]
        journal = Journal(tmp_path / "journal.jsonl")
        evaluate(catalog, systems, shoppers_of(SESSIONS[:2], PRODUCTS), 1, journal=journal)
        fewer = Catalog.build(PRODUCTS[:-1])
        evaluate(fewer, systems, shoppers_of(SESSIONS[:2], PRODUCTS), 1, journal=journal)
        other = [Session("sample-0", "browsing", "P0", {}), SESSIONS[1]]
        evaluate(catalog, systems, shoppers_of(other, PRODUCTS), 1, journal=journal)
        assert notes.read_text().split() == ["1", "2", "1", "2", "1"]

    def test_a_stored_catalog_is_the_same_as_the_one_it_was_made_from(self, catalog, tmp_path):
        notes = tmp_path / "notes"
        systems = [System("noting", partial(Noting, notes=str(notes)))]
        journal = Journal(tmp_path / "journal.jsonl")
        shoppers = shoppers_of(SESSIONS[:2], PRODUCTS)
        played = evaluate(catalog, systems, shoppers, 1, journal=journal)
        catalog.save(tmp_path / "stored")
        assert evaluate(Catalog.load(tmp_path / "stored"), systems, shoppers, 1, journal=journal) == played
        assert notes.read_text().split() == ["1", "2"]

    def test_a_killed_run_goes_on(self, catalog, tmp_path):
        script = (
            "import sys; sys.path.insert(0, sys.argv[2])\n"
            "from pathlib import Path\n"
            "from tests.experiments.running import test_runs as t\n"
            "t.slow_run(Path(sys.argv[1]), 0.2)\n"
        )
        running = subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(ROOT)], cwd=ROOT)
        journal = tmp_path / "run" / "journal.jsonl"
        while not (journal.exists() and journal.read_bytes().count(b"\n") >= 2):
            assert running.poll() is None
            time.sleep(0.05)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        before = (tmp_path / "notes").read_text().split()
        assert len(before) < len(SESSIONS)
        runs = slow_run(tmp_path, 0.2)
        after = (tmp_path / "notes").read_text().split()[len(before) :]
        finished = set(before) - set(after)
        assert len(finished) >= 2
        assert [result.turn for result in runs[0].results] == [1, 2, 3, 4, 5, 6, 7, 8]


def slow_run(folder, slow):
    systems = [System("noting", partial(Noting, notes=str(folder / "notes"), slow=slow))]
    with RunFolder(folder / "run", {"systems": systems_record(systems)}) as run:
        shoppers = shoppers_of(SESSIONS, PRODUCTS)
        return evaluate(Catalog.build(PRODUCTS), systems, shoppers, 1, journal=run.journal)


class TestFolder:
    def test_the_same_run_goes_on_and_another_is_refused(self, tmp_path):
        what = {"command": "evaluate", "systems": {"planner": {"rollouts": {"depth": 4}}}}
        with RunFolder(tmp_path / "run", what) as run:
            run.journal.add("k1", "planner", RESULT)
        with RunFolder(tmp_path / "run", what) as run:
            assert len(run.journal) == 1
        other = {"command": "evaluate", "systems": {"planner": {"rollouts": {"depth": 3}}}}
        with pytest.raises(
            RunError, match=r"run: its systems\.planner\.rollouts\.depth is 4, not 3; name another"
        ):
            RunFolder(tmp_path / "run", other)
        with RunFolder(tmp_path / "run", other, restart=True) as run:
            assert len(run.journal) == 0

    def test_another_program_is_refused(self, tmp_path, monkeypatch):
        with RunFolder(tmp_path / "run", {}):
            pass
        monkeypatch.setattr("experiments.running.runs.program_digest", lambda: "other")
        with pytest.raises(RunError, match="another version of the program"):
            RunFolder(tmp_path / "run", {})

    def test_it_says_what_it_was_made_with_and_what_happened(self, tmp_path):
        def ended():
            with RunFolder(tmp_path / "run", {"seeds": [7]}) as run:
                run.journal.add("k1", "planner", RESULT)
                raise RuntimeError("power cut")

        with pytest.raises(RuntimeError, match="power cut"):
            ended()
        record = json.loads((tmp_path / "run" / "run.json").read_text())
        assert record["seeds"] == [7]
        assert set(record) == {"seeds", "versions", "program"}
        assert (
            "ended by RuntimeError: power cut, 1 sessions finished"
            in (tmp_path / "run" / "log.txt").read_text()
        )

    def test_a_file_is_no_folder(self, tmp_path):
        (tmp_path / "run").touch()
        with pytest.raises(FileExistsError):
            RunFolder(tmp_path / "run", {})


def test_how_a_system_is_made_names_every_setting():
    config = PlannerConfig.of({"base": "robust", "rollouts": {"depth": 1}})
    assert systems_record([planner_system("mine", config), System("noting", Noting)]) == {
        "mine": config.tables(),
        "noting": f"{Noting.__module__}.Noting",
    }
    one, two = (described(planner_system("p", c).make) for c in (config, PlannerConfig.load("robust")))
    assert one != two
    assert one.startswith("planner.agent.Agent.on ")
