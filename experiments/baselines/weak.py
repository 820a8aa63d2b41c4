"""The weak baseline: a keyword search that forgets everything but the last message."""

from __future__ import annotations

from typing import Any

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
        return {
            "message": "Here is what matches your words.",
            "ask_attribute": None,
            "recommendations": [
                {"parent_asin": str(self._catalog.ids[int(row)]), "score": float(score)}
                for row, score in zip(rows, scores, strict=True)
            ],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0},
        }
