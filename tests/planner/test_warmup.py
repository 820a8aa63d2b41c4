"""Kernels are there before a shopper waits for them: compiled beside other work, and all of them."""

import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from numba.core import event

from planner import warmup
from planner.agent import Agent

MESSAGES = (
    "I'm looking for Shirts, but I'm still exploring.",
    "For that, what matters is: cotton; 100% Cotton.",
    "I don't have an additional preference for color.",
    "something soft and warm, but no polyester please, under 30 dollars",
    "Actually, ignore my earlier preference. What I need is: cotton.",
)
IN_A_FRESH_PROCESS = """
import sys
from planner.agent import Agent
agent = Agent(sys.argv[1], cache=False)
for turn, message in enumerate(sys.argv[2:], 1):
    agent.respond("s", message, turn, 10)
print(set(agent.fallbacks) - {"session"}, "numba.np.arraymath" in sys.modules)
"""


class Compilations(event.Listener):
    """Counts the functions that numba compiles."""

    def __init__(self):
        self.count = 0

    def on_start(self, event):
        self.count += 1

    def on_end(self, event):
        pass


def test_a_conversation_compiles_nothing_more(catalog_file, tmp_path):
    warmup.compile_all()
    seen = Compilations()
    for _ in range(2):  # indexed, and stored
        agent = Agent(catalog_file, cache=tmp_path)
        with event.install_listener("numba:compile", seen):
            for turn, message in enumerate(MESSAGES, 1):
                agent.respond("s", message, turn, 10)
        assert not set(agent.fallbacks) - {"session"}
    assert agent.catalog.origin.loaded
    assert seen.count == 0


def test_a_later_process_loads_them_without_numbas_compiler(catalog_file):
    warmup.compile_all()
    done = subprocess.run(
        [sys.executable, "-c", IN_A_FRESH_PROCESS, str(catalog_file), *MESSAGES],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
    )
    assert done.stdout == "set() False\n", done.stderr


class Process:
    """Stands for a process that compiles."""

    started: ClassVar[list] = []

    def __init__(self, arguments, **_):
        self.events = [arguments[2]]
        self.started.append(self)

    def wait(self):
        self.events.append("waited")

    def kill(self):
        self.events.append("killed")


@pytest.fixture
def never_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup, "play_all", SimpleNamespace(stats=SimpleNamespace(cache_path=tmp_path)))
    monkeypatch.setattr(warmup.subprocess, "Popen", Process)
    monkeypatch.setattr(Process, "started", [])
    return tmp_path


class TestBeside:
    def test_what_was_never_compiled_is_compiled_beside_and_waited_for(self, never_compiled, caplog):
        with warmup.kernels_made_beside():
            (process,) = Process.started
            assert len(process.events) == 1
        assert "compile_all()" in process.events[0]
        assert process.events[1] == "waited"
        assert "compiling the simulation kernels" in caplog.text

    def test_what_was_compiled_starts_nothing(self, never_compiled, caplog):
        (never_compiled / "kernels.play_all-1.py311.nbi").touch()
        with warmup.kernels_made_beside():
            pass
        assert not Process.started
        assert not caplog.text

    def test_a_fault_in_the_block_ends_the_process(self, never_compiled):
        with pytest.raises(ZeroDivisionError), warmup.kernels_made_beside():
            raise ZeroDivisionError
        assert Process.started[0].events[1:] == ["killed", "waited"]

    def test_without_a_process_the_block_goes_on(self, never_compiled, monkeypatch, caplog):
        def refuse(*_, **__):
            raise OSError("no room")

        monkeypatch.setattr(warmup.subprocess, "Popen", refuse)
        done = []
        with caplog.at_level(logging.WARNING), warmup.kernels_made_beside():
            done.append(True)
        assert done
        assert "no room" in caplog.text
