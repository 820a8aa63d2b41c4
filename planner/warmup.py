"""The compiled kernels, made or loaded before the first shopper waits for them."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from index.products import Product
from planner import sentences
from planner.dialogue import DialogueState
from planner.planner import Planner
from planner.understanding.reading import plain_reading
from rollouts.kernels import play_all
from scoring.evidence import Silence

_COMPILING_AFTER = 2.0
"""Seconds of warming up after which it can only be that the kernels are compiled."""
_COMPILING = "compiling the simulation kernels (once, about ten seconds) ..."
_BESIDE = "import sys; sys.path.insert(0, sys.argv[1]); from planner.warmup import compile_all; compile_all()"

_log = logging.getLogger(__name__)


def warm_up(planner: Planner) -> None:
    """Play a turn to no one, so that every kernel is loaded, or compiled; then a line on the log says so."""
    timer = threading.Timer(_COMPILING_AFTER, _log.warning, (_COMPILING,))
    timer.daemon = True
    timer.start()
    try:
        _play(planner)
    finally:
        timer.cancel()


def _play(planner: Planner) -> None:
    phrase = planner.catalog.categories.phrases[0]
    message = sentences.OPENING + phrase + sentences.EXPLORING
    state = DialogueState()
    state = state.heard(planner.understand(message, state).evidence)
    silence = Silence(ATTRIBUTES.index("color"))
    planner.belief(state.heard((*plain_reading(phrase).evidence, silence)))
    belief = planner.belief(state)
    planner.decide(belief, planner.action_values(belief, state))


def compile_all() -> None:
    """Compile every kernel, or find it compiled, without a catalog."""
    _play(Planner(Catalog.build([Product("1", title="Any product")])))


@contextmanager
def kernels_made_beside() -> Iterator[None]:
    """Where the kernels were never compiled, have it done by a process of its own while the block runs.

    The end of the block waits for it. Where it fails, they are compiled by whoever needs them first.
    """
    stats = getattr(play_all, "stats", None)  # None where numba is switched off
    if stats is None or any(Path(stats.cache_path).glob("*.nbi")):
        yield
        return
    _log.warning(_COMPILING)
    root = str(Path(__file__).resolve().parents[1])
    try:
        process = subprocess.Popen([sys.executable, "-c", _BESIDE, root], stdout=subprocess.DEVNULL)
    except OSError as error:
        _log.warning("no process could be started to compile the kernels beside: %s", error)
        yield
        return
    try:
        yield
        process.wait()
    finally:
        process.kill()
        process.wait()
