"""Open sessions: names that nobody can guess, a bounded number, one message at a time."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
_NAME_BYTES = 16


class UnknownSession(LookupError):
    """No session of that name is kept."""


class BusySession(RuntimeError):
    """Another message of the session is being answered."""


@dataclass(slots=True)
class _Slot(Generic[T]):
    value: T
    lock: threading.Lock = field(default_factory=threading.Lock)


class Registry(Generic[T]):
    """Keeps what belongs to a session under a random name; the one unused longest is forgotten first.

    Args:
        limit: how many are kept.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._slots: OrderedDict[str, _Slot[T]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._slots)

    def add(self, make: Callable[[str], T]) -> tuple[str, T]:
        """Open a session; ``make`` gets its name and returns what belongs to it."""
        name = secrets.token_urlsafe(_NAME_BYTES)
        slot = _Slot(make(name))
        with self._lock:
            self._slots[name] = slot
            while len(self._slots) > self._limit:
                self._slots.popitem(last=False)
        return name, slot.value

    def remove(self, name: str) -> None:
        """Forget a session.

        Raises:
            UnknownSession: it is not kept.
        """
        with self._lock:
            if self._slots.pop(name, None) is None:
                raise UnknownSession

    @contextmanager
    def use(self, name: str) -> Iterator[T]:
        """Give what belongs to a session, to one user at a time.

        Raises:
            UnknownSession: it is not kept.
            BusySession: it is in use.
        """
        with self._lock:
            if (slot := self._slots.get(name)) is None:
                raise UnknownSession
            self._slots.move_to_end(name)
        if not slot.lock.acquire(blocking=False):
            raise BusySession
        try:
            yield slot.value
        finally:
            slot.lock.release()
