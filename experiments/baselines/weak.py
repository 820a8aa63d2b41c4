"""The weak baseline: a keyword search that forgets everything but the last message."""

from __future__ import annotations

from typing import Any

from experiments.baselines.common import reply
from index.catalog import Catalog


class WeakBaseline:
    """Stateless BM25 on the customer's last message: ten products, no question."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def reset(self, session_id: str, user_profile: dict[str, Any]) -> None:
        """Keep nothing."""

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int) -> dict[str, Any]:
        """Return the ``top_k`` products that match the message best."""
        rows, scores = self._catalog.lexical.top(user_message, top_k)
        return reply(self._catalog, "Here is what matches your words.", None, rows, scores)
