"""The plug-in agent: sessions, the safety net around every stage, replies in the evaluator's form."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from planner import wording
from planner.config import PlannerConfig
from planner.dialogue import DialogueState
from planner.planner import Planner
from planner.trace import Decision, Fallback, TurnTrace
from rollouts.reward import PAGE_LIMIT
from scoring.evidence import FreeText

T = TypeVar("T")


@dataclass(slots=True)
class _Session:
    state: DialogueState
    traces: list[TurnTrace]


class Agent:
    """A shopping agent for the evaluator: ``Agent(catalog_path)``, ``reset``, ``respond``.

    ``respond`` never raises. Each stage that fails is replaced by a simpler one, counted in
    :attr:`fallbacks` and named in the turn's trace:

    ============== ==========================================================
    stage          when it fails
    ============== ==========================================================
    understanding  the message counts as free text
    belief         lexical search, then the most rated products; ten are shown
    rollouts       the question that splits the belief best, ten products
    splitting      no question, ten products
    lexical        the most rated products
    wording        one fixed sentence
    session        a message to an unknown session opens it
    message        a message that is no text counts as an empty one
    ============== ==========================================================

    Args:
        catalog_path: the catalog file (see :mod:`index.readers`); relative to the working folder now.
        config: a preset's name, the path of a TOML file, or a configuration.

    Raises:
        index.readers.CatalogError: the catalog cannot be used.
        planner.config.ConfigError: the configuration cannot be used.
    """

    def __init__(self, catalog_path: str | Path, config: str | Path | PlannerConfig = "robust") -> None:
        self._start(Catalog.read(catalog_path), config)

    @classmethod
    def on(cls, catalog: Catalog, config: str | Path | PlannerConfig = "robust") -> Agent:
        """Return an agent over a catalog that is indexed already."""
        agent = cls.__new__(cls)
        agent._start(catalog, config)
        return agent

    def _start(self, catalog: Catalog, config: str | Path | PlannerConfig) -> None:
        self.planner = Planner(catalog, config)
        self.fallbacks: Counter[str] = Counter()
        self.forgotten = 0
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def catalog(self) -> Catalog:
        """Return the catalog."""
        return self.planner.catalog

    def reset(self, session_id: str, user_profile: dict[str, Any] | None = None) -> None:
        """Start a session, or start it anew."""
        with self._lock:
            self._sessions.pop(session_id, None)
            self._sessions[session_id] = _Session(DialogueState(), [])
            while len(self._sessions) > self.planner.config.sessions.remembered:
                self._sessions.popitem(last=False)
                self.forgotten += 1

    def trace(self, session_id: str) -> list[TurnTrace]:
        """Return the turns of a session that is still remembered; empty for another."""
        session = self._sessions.get(session_id)
        return list(session.traces) if session else []

    def respond(
        self, session_id: str, user_message: object, turn: int | None = None, top_k: int = PAGE_LIMIT
    ) -> dict[str, Any]:
        """Return the reply to a message: message, ask_attribute, recommendations, usage.

        At most ``top_k`` products are shown. The turn is counted by the agent; ``turn`` is the evaluator's.
        """
        fallbacks: list[Fallback] = []
        session = self._session(session_id, fallbacks)
        state = session.state
        text = user_message if isinstance(user_message, str) else ""
        if text is not user_message:
            fallbacks.append(Fallback("message", f"expected a text, got {type(user_message).__name__}"))
        evidence = _attempt(
            "understanding",
            lambda: self.planner.understand(text, state),
            lambda: (FreeText(text),),
            fallbacks,
        )
        state = state.heard(evidence)
        belief = _attempt("belief", lambda: self.planner.belief(state), lambda: None, fallbacks)
        values = None
        if belief is None:
            decision = self._decide_by_search(text, fallbacks)
        else:
            known = belief
            values = _attempt(
                "rollouts", lambda: self.planner.action_values(known, state), lambda: None, fallbacks
            )
            ranked = values
            if ranked is not None:
                decision = self.planner.decide(known, ranked)
            else:
                decision = _attempt(
                    "splitting",
                    lambda: self.planner.decide_by_splitting(known, state),
                    lambda: _page(known.rows[:PAGE_LIMIT].tolist()),
                    fallbacks,
                )
        message = _attempt("wording", lambda: self._word(decision), lambda: wording.PLAIN, fallbacks)
        session.state = state.replied(decision.question, decision.rows)
        session.traces.append(
            TurnTrace(state.messages, text, evidence, state, belief, values, decision, tuple(fallbacks))
        )
        self.fallbacks.update(fallback.stage for fallback in fallbacks)
        return self._reply(message, decision)

    def _session(self, session_id: str, fallbacks: list[Fallback]) -> _Session:
        with self._lock:
            session = self._sessions.get(session_id)
            if session is not None:
                self._sessions.move_to_end(session_id)
                return session
        fallbacks.append(Fallback("session", "unknown or forgotten; it starts anew"))
        self.reset(session_id)
        return self._sessions[session_id]

    def _decide_by_search(self, message: str, fallbacks: list[Fallback]) -> Decision:
        """Return ten products by lexical search, or the most rated ones where that fails or finds none."""
        found = _attempt(
            "lexical", lambda: self.catalog.lexical.top(message, PAGE_LIMIT)[0].tolist(), list, fallbacks
        )
        return _page(found or self.catalog.popular[:PAGE_LIMIT].tolist())

    def _word(self, decision: Decision) -> str:
        title = str(self.catalog.titles[decision.rows[0]].as_py()) if decision.rows else ""
        return wording.reply_text(decision, title)

    def _reply(self, message: str, decision: Decision) -> dict[str, Any]:
        ids = self.catalog.ids
        return {
            "message": message,
            "ask_attribute": None if decision.question is None else ATTRIBUTES[decision.question],
            "recommendations": [
                {"parent_asin": ids[row].as_py(), "score": score}
                for row, score in zip(decision.rows, decision.scores, strict=True)
            ],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0},
        }


def _page(rows: list[int]) -> Decision:
    """Return a page without a question; scores fall with rank, as no probability is known."""
    return Decision(None, tuple(rows), tuple(1.0 / rank for rank in range(1, len(rows) + 1)))


def _attempt(stage: str, work: Callable[[], T], instead: Callable[[], T], fallbacks: list[Fallback]) -> T:
    """Return what ``work`` returns; where it raises, note the fallback and return ``instead``'s result."""
    try:
        return work()
    except Exception as error:
        reason = next(iter(str(error).splitlines()), "")
        fallbacks.append(Fallback(stage, f"{type(error).__name__}: {reason}"))
        return instead()
