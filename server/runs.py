"""Recorded runs: the folders that the experiments write, read for the pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np

from experiments.reports.report import SESSIONS_FILE
from index.cards import ATTRIBUTES
from planner.dialogue import DialogueState
from planner.planner import Planner
from planner.trace import Decision, TurnTrace
from rollouts.reward import reward

SLOW = 3
"""Turn from which a find counts as slow."""
_RUNS_REMEMBERED = 4


class RunReadError(ValueError):
    """A run that cannot be shown; the message says why, in one line."""


class RecordedTurn(msgspec.Struct, frozen=True):
    """A turn as a run recorded it: the message, what was asked, the ids shown."""

    message: str
    asked: str | None
    shown: tuple[str, ...]


class RecordedSession(msgspec.Struct, frozen=True):
    """How a system did in a session.

    Attributes:
        turn: turn of the hit, ``None`` for a miss.
        rank: the target's place at the hit.
        turns: the conversation.
        fallbacks: how often a stage fell back on a simpler one.
    """

    turn: int | None
    rank: int | None
    turns: tuple[RecordedTurn, ...]
    fallbacks: dict[str, int] = {}

    @property
    def score(self) -> float:
        """Return the protocol's score of the session."""
        return 0.0 if self.turn is None or self.rank is None else float(reward(self.turn, self.rank))

    @property
    def outcome(self) -> str:
        """Return how it ended, in a few words."""
        return "miss" if self.turn is None else f"turn {self.turn}, rank {self.rank}"


class SessionLine(msgspec.Struct, frozen=True):
    """A session of a run, as all its systems played it."""

    sample_id: str
    scenario_type: str
    target: str
    systems: dict[str, RecordedSession]
    set: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what makes it the same session in another run."""
        return self.set, self.sample_id, self.scenario_type, self.target


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run.

    Attributes:
        name: of its folder.
        systems: that were played.
        sessions: in their order.
    """

    name: str
    systems: tuple[str, ...]
    sessions: tuple[SessionLine, ...]

    def system(self, name: str | None) -> str:
        """Return the system of that name, by default the first.

        Raises:
            RunReadError: there is none.
        """
        if not name:
            return self.systems[0]
        if name not in self.systems:
            raise RunReadError(f"run {self.name} has no system {name!r}")
        return name


@dataclass(frozen=True, slots=True)
class Choice:
    """Which sessions of a system to list.

    Attributes:
        show: ``all``, ``misses``, ``slow`` (found in turn 3 or later), ``ranks`` (found below rank 1) or
            ``fallbacks``.
        scenario: one scenario alone; empty for all.
        set: one set of sessions alone; empty for all.
    """

    show: str = "all"
    scenario: str = ""
    set: str = ""

    def takes(self, line: SessionLine, system: str) -> bool:
        """Return whether a session is to be listed."""
        played = line.systems[system]
        if (self.scenario and line.scenario_type != self.scenario) or (self.set and line.set != self.set):
            return False
        match self.show:
            case "misses":
                return played.turn is None
            case "slow":
                return played.turn is not None and played.turn >= SLOW
            case "ranks":
                return played.rank is not None and played.rank > 1
            case "fallbacks":
                return bool(played.fallbacks)
            case _:
                return True


class RunShelf:
    """The runs in a folder: each of its folders that holds finished sessions.

    Names are compared with what the folder lists, so that no name leads out of it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        """Return the names of the runs, latest first."""
        if not self.folder.is_dir():
            return []
        found = [path for path in self.folder.iterdir() if (path / SESSIONS_FILE).is_file()]
        found.sort(key=lambda path: (-(path / SESSIONS_FILE).stat().st_mtime, path.name))
        return [path.name for path in found]

    def run(self, name: str) -> RecordedRun:
        """Return a run.

        Raises:
            RunReadError: there is none of that name, or its sessions cannot be read.
        """
        if name not in self.names():
            raise RunReadError(f"no run {name!r} in {self.folder.name}")
        file = self.folder / name / SESSIONS_FILE
        try:
            return _read(name, file, file.stat().st_mtime_ns)
        except OSError as error:
            raise RunReadError(f"run {name} cannot be read: {error.strerror}") from None


@lru_cache(maxsize=_RUNS_REMEMBERED)
def _read(name: str, file: Path, changed: int) -> RecordedRun:
    """Read a run; ``changed`` is when its file was, so that one written anew is read anew."""
    decoder = msgspec.json.Decoder(SessionLine)
    sessions = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            sessions.append(decoder.decode(line))
        except msgspec.DecodeError as error:
            raise RunReadError(f"{name}/{file.name}, line {number}: {error}") from None
    if not sessions:
        raise RunReadError(f"run {name} has no session")
    return RecordedRun(name, tuple(sessions[0].systems), tuple(sessions))


def replay(planner: Planner, turns: Sequence[RecordedTurn]) -> list[TurnTrace]:
    """Return what the planner believes, turn by turn, in a conversation that was played before.

    Questions and pages are those of the recording, whatever system chose them; belief and action values are
    the planner's.

    Raises:
        RunReadError: a product that was shown is not in the planner's catalog.
    """
    state = DialogueState()
    traces = []
    for turn in turns:
        reading = planner.understand(turn.message, state)
        state = state.heard(reading.evidence)
        belief = planner.belief(state)
        values = planner.action_values(belief, state)
        rows = tuple(_row(planner, identifier) for identifier in turn.shown)
        shares = dict(zip(belief.rows.tolist(), belief.probabilities.tolist(), strict=True))
        asked = None if turn.asked is None else ATTRIBUTES.index(turn.asked)
        decision = Decision(asked, rows, tuple(shares.get(row, 0.0) for row in rows))
        traces.append(
            TurnTrace(
                state.messages,
                turn.message,
                reading.evidence,
                reading.spans,
                state,
                belief,
                values,
                decision,
                (),
            )
        )
        state = state.replied(asked, rows)
    return traces


def _row(planner: Planner, identifier: str) -> int:
    row = int(planner.catalog.ids.index(identifier).as_py())
    if row < 0:
        raise RunReadError(
            f"product {identifier} of this run is not in this server's catalog; start it with that of the run"
        )
    return row


def mean_score(run: RecordedRun, system: str) -> float:
    """Return the score of a system over all sessions of a run."""
    return float(np.mean([line.systems[system].score for line in run.sessions]))
