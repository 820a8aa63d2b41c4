"""Wall-clock time by stage."""

from __future__ import annotations

import time
from datetime import datetime


class Stopwatch:
    """Seconds from lap to lap, by name, and when it was started."""

    def __init__(self) -> None:
        self.started = datetime.now()
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Note the seconds since the last lap as ``name``."""
        now = time.perf_counter()
        self.laps[name] = now - self._last
        self._last = now
