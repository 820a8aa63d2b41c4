"""Wall-clock time by stage."""

from __future__ import annotations

import time


class Stopwatch:
    """Seconds from lap to lap, by name."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Note the seconds since the last lap as ``name``."""
        now = time.perf_counter()
        self.laps[name] = now - self._last
        self._last = now
