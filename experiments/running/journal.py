"""The sessions that a run has finished, one line each, written as they finish: what a killed run keeps."""

from __future__ import annotations

from pathlib import Path

import msgspec

from experiments.customers.conversation import SessionResult
from experiments.errors import InputError


class JournalError(InputError):
    """A journal that cannot be read; the message names file and line."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A finished session: the key of what was played, the system's name, what came of it."""

    key: str
    system: str
    result: SessionResult


class Journal:
    """Finished sessions by key, on disk.

    The key stands for everything that the result depends on (see ``experiments.running.evaluate``). A line
    that a kill has torn, which can only be the last one, is dropped.

    Raises:
        JournalError: a line that is not the last one cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._done: dict[str, SessionResult] = {}
        whole = self._read()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab")
        self._file.truncate(whole)

    def __len__(self) -> int:
        """Return the number of sessions."""
        return len(self._done)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def get(self, key: str) -> SessionResult | None:
        """Return what came of a session, ``None`` where it has not been finished."""
        return self._done.get(key)

    def add(self, key: str, system: str, result: SessionResult) -> None:
        """Write down a finished session; after this call a kill does not lose it."""
        line = msgspec.json.encode(Entry(key=key, system=system, result=result))
        self._file.write(line + b"\n")
        self._file.flush()
        self._done[key] = result

    def _read(self) -> int:
        """Read the finished sessions, and return the length of the whole lines in bytes."""
        if not self.path.exists():
            return 0
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        decoder = msgspec.json.Decoder(Entry)
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                entry = decoder.decode(line)
            except msgspec.MsgspecError as error:
                raise JournalError(f"{self.path}, line {number}: {error}") from None
            self._done[entry.key] = entry.result
        return whole
