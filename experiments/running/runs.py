"""A run's folder: what was run, the sessions finished so far, the results. A killed run goes on from it."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from experiments.errors import InputError
from experiments.running.evaluate import System, config_of, described
from experiments.running.journal import Journal
from experiments.running.provenance import program_digest, versions

RUN_FILE = "run.json"
JOURNAL_FILE = "journal.jsonl"
LOG_FILE = "log.txt"
FIGURES = "figures"

log = logging.getLogger(__name__)


class RunError(InputError):
    """A run's folder that cannot be used; the message says why, in one line."""


def folder_for(out: Path | None, command: str) -> Path:
    """Return the folder of a run: ``out``, else one named after the time and the command."""
    return out or Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{command}"


def systems_record(systems: Sequence[System]) -> dict[str, Any]:
    """Return by name how each system is made, a planner's settings in full."""
    configs = {system.name: config_of(system) for system in systems}
    return {
        system.name: described(system.make) if (config := configs[system.name]) is None else config.tables()
        for system in systems
    }


class RunFolder:
    """The folder of one run, open for writing.

    It holds ``run.json`` (what is run, with versions and a digest of the program), ``journal.jsonl`` (the
    sessions finished so far), ``log.txt``, and whatever the command writes at the end.

    Args:
        path: the folder; made as needed.
        what: all that the results depend on; plain values by name.
        restart: forget the sessions that the folder holds, and what they were of.

    Raises:
        RunError: the folder holds another run.
        experiments.running.journal.JournalError: its journal cannot be read.
    """

    def __init__(self, path: Path, what: Mapping[str, Any], *, restart: bool = False) -> None:
        self.path = path
        record = {**what, "versions": versions(), "program": program_digest()}
        content = orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        path.mkdir(parents=True, exist_ok=True)
        if restart:
            for name in (RUN_FILE, JOURNAL_FILE, LOG_FILE):
                (path / name).unlink(missing_ok=True)
            shutil.rmtree(path / FIGURES, ignore_errors=True)
        self._claim(content)
        self.journal = Journal(path / JOURNAL_FILE)
        self._handler = logging.FileHandler(path / LOG_FILE, encoding="utf-8", delay=True)
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def __enter__(self) -> RunFolder:
        """Start to log."""
        logger = logging.getLogger("experiments")
        logger.setLevel(logging.INFO)
        logger.addHandler(self._handler)
        log.info("%s, %d sessions finished before", self.path, len(self.journal))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close journal and log."""
        if error is None:
            log.info("done, %d sessions finished", len(self.journal))
        else:
            log.error("ended by %s: %s, %d sessions finished", type(error).__name__, error, len(self.journal))
        self.journal.close()
        logging.getLogger("experiments").removeHandler(self._handler)
        self._handler.close()

    def _claim(self, content: bytes) -> None:
        """Write down what is run, or see that it is what the folder holds."""
        file = self.path / RUN_FILE
        if not file.exists():
            file.write_bytes(content)
            return
        try:
            held = orjson.loads(file.read_bytes())
        except orjson.JSONDecodeError as error:
            raise RunError(f"{file}: not JSON ({error})") from None
        place, old, new = _first_difference(held, orjson.loads(content)) or ("", None, None)
        if place == "program":
            raise RunError(
                f"{self.path} holds a run of another version of the program: name another folder, "
                "or --restart to play its sessions again"
            )
        if place:
            raise RunError(
                f"{self.path} holds another run: its {place} is {old}, not {new}; name another folder, "
                "or --restart to put this run in its place"
            )


def _first_difference(held: Any, new: Any, place: str = "") -> tuple[str, Any, Any] | None:
    """Return place and values of the first difference of two trees of plain values."""
    if isinstance(held, dict) and isinstance(new, dict):
        for key in {**held, **new}:
            found = _first_difference(held.get(key), new.get(key), f"{place}.{key}" if place else key)
            if found:
                return found
        return None
    return None if held == new else (place, held, new)
