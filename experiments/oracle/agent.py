"""The oracle as an agent, so that it plays the same sessions as everyone else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from experiments.oracle.plan import Plan
from experiments.oracle.solve import Step
from index.catalog import Catalog


@dataclass(slots=True)
class _Session:
    """A conversation: the step that it has come to, ``None`` where a message led away; the rows shown."""

    step: Step | None = None
    shown: set[int] = field(default_factory=set)


class Oracle:
    """Plays a plan.

    Args:
        catalog: not used: the plan knows all.
        plan: what to do after each message.

    Attributes:
        fallbacks: how often the plan did not foresee a message; the most probable products that were not
            shown yet are shown then.
    """

    def __init__(self, catalog: Catalog, plan: Plan) -> None:
        self.fallbacks: Counter[str] = Counter()
        self._plan = plan
        self._sessions: dict[str, _Session] = {}

    def reset(self, session_id: str, user_profile: Mapping[str, Any]) -> None:
        """Open a session; the profile says nothing of the target."""
        self._sessions[session_id] = _Session()

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int) -> dict[str, Any]:
        """Answer a message."""
        session = self._sessions[session_id]
        step = session.step = self._follow(session.step, user_message, turn)
        if step is None:
            self.fallbacks["message not foreseen"] += 1
            rows = tuple(islice((row for row in self._plan.likeliest if row not in session.shown), top_k))
        else:
            rows = step.pages[turn - step.turn][:top_k]
        session.shown.update(rows)
        return {
            "message": "",
            "ask_attribute": step.asked if step else None,
            "recommendations": [self._plan.ids[row] for row in rows],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0},
        }

    def _follow(self, step: Step | None, message: str, turn: int) -> Step | None:
        """Return the step that a message leads to; an end is never left."""
        if turn == 1:
            solution = self._plan.solutions.get(message)
            return solution.first if solution else None
        return step.next.get(message) if step and step.next else step
