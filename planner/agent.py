"""The plug-in agent: sessions, the safety net around every stage, replies in the evaluator's form."""

from __future__ import annotations

import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from index.cards import ATTRIBUTES
from index.catalog import Catalog
from planner import wording
from planner.config import PlannerConfig
from planner.dialogue import DialogueState
from planner.planner import Planner
from planner.trace import Decision, Fallback, TurnTrace
from planner.understanding.reading import plain_reading
from planner.warmup import kernels_made_beside, warm_up
from rollouts.engine import ActionValues
from rollouts.reward import LAST_TURN, PAGE_LIMIT
from scoring.evidence import Evidence
from scoring.posterior import Belief

T = TypeVar("T")


@dataclass(slots=True)
class _Session:
    state: DialogueState
    traces: list[TurnTrace]
    fallbacks: list[Fallback]
    """What failed before the first turn; its trace names it."""


class Agent:
    """A shopping agent for the evaluator: ``Agent(catalog_path)``, ``reset``, ``respond``.

    ``respond`` never raises. Each stage that fails is replaced by a simpler one, counted in
    :attr:`fallbacks` and named in the turn's trace:

    ============== =============================================================
    stage          when it fails
    ============== =============================================================
    understanding  the words of the message, as they stand
    belief         lexical search, then the most rated products; ten are shown
    rollouts       the question that splits the belief best, ten products
    splitting      no question, ten products
    lexical        the most rated products
    wording        one fixed sentence
    session        a message to an unknown session opens it
    profile        the shopper is one of whom nothing is known
    message        a message that is no text counts as an empty one
    turn           where the evaluator's turn is another than the agent's count,
                   the later one holds; one that is no number from 1 is ignored
    top_k          one that is no number from 1 is ignored
    warm-up        the first turn is slow
    ============== =============================================================

    At construction a turn is played to no one, so that the kernels are loaded before the first shopper waits
    for them. Where they never were compiled, that is done while the catalog is indexed (once, some seconds;
    a line on the log says so).

    The sessions used last keep their traces whole; those of the others keep neither beliefs nor values
    (``sessions.traced``). Sessions unused longest are forgotten altogether (``sessions.remembered``).

    Args:
        catalog_path: the catalog file (see :mod:`index.readers`); a relative path is looked for in the
            working folder, then in the folders from which modules are imported (the kit's is one).
        config: a preset's name, the path of a TOML file, or a configuration.
        cache: the folder in which the catalog's index is stored and found again; ``True`` is the default one
            (:func:`index.cache.default_cache`), ``False`` stores nothing.

    Raises:
        index.readers.CatalogError: the catalog cannot be used.
        planner.config.ConfigError: the configuration cannot be used.
    """

    def __init__(
        self,
        catalog_path: str | Path,
        config: str | Path | PlannerConfig = "robust",
        cache: str | Path | bool = True,
    ) -> None:
        with kernels_made_beside():
            catalog = Catalog.open(_located(catalog_path), cache=cache)
        self._start(catalog, config)

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
        self._sessions: OrderedDict[Hashable, _Session] = OrderedDict()
        self._traced: OrderedDict[Hashable, _Session] = OrderedDict()
        self._lock = threading.Lock()
        fallbacks: list[Fallback] = []
        _attempt("warm-up", lambda: warm_up(self.planner), lambda: None, fallbacks)
        self.fallbacks.update(fallback.stage for fallback in fallbacks)

    @property
    def catalog(self) -> Catalog:
        """Return the catalog."""
        return self.planner.catalog

    def reset(self, session_id: str, user_profile: dict[str, Any] | None = None) -> None:
        """Start a session, or start it anew.

        Args:
            session_id: the session's name.
            user_profile: what is known of the shopper; its ``preference_tags`` count a little.
        """
        fallbacks: list[Fallback] = []
        known = _attempt("profile", lambda: self.planner.know(user_profile), tuple, fallbacks)
        with self._lock:
            session = self._open(_key(session_id))
            session.state, session.fallbacks = DialogueState(evidence=known), fallbacks

    def trace(self, session_id: str) -> list[TurnTrace]:
        """Return the turns of a session that is still remembered; empty for another."""
        session = self._sessions.get(_key(session_id))
        return list(session.traces) if session else []

    def respond(
        self, session_id: str, user_message: object, turn: object = None, top_k: object = PAGE_LIMIT
    ) -> dict[str, Any]:
        """Return the reply to a message: message, ask_attribute, recommendations, usage.

        Args:
            session_id: the session's name; one that :meth:`reset` has not seen is opened.
            user_message: the shopper's words.
            turn: the evaluator's count of turns, from 1; ``None`` leaves the counting to the agent.
            top_k: at most so many products are shown.
        """
        fallbacks: list[Fallback] = []
        text = _attempt("message", lambda: _text(user_message), str, fallbacks)
        limit = _attempt("top_k", lambda: _count(top_k), lambda: PAGE_LIMIT, fallbacks)
        session = self._session(session_id, fallbacks)
        fallbacks += session.fallbacks
        session.fallbacks = []
        before = session.state if turn is None else _at(session.state, turn, fallbacks)
        reading = _attempt(
            "understanding",
            lambda: self.planner.understand(text, before),
            lambda: plain_reading(text),
            fallbacks,
        )
        state = before.heard(reading.evidence)
        belief = _attempt("belief", lambda: self._belief(state), lambda: None, fallbacks)
        if belief is None:
            values, decision = None, self._decide_by_search(text, fallbacks)
        else:
            values, decision = self._decide(belief, state, fallbacks)
        decision = replace(decision, rows=decision.rows[:limit], scores=decision.scores[:limit])
        message = _attempt(
            "wording", lambda: self._word(decision, reading.evidence), lambda: wording.PLAIN, fallbacks
        )
        session.state = state.replied(decision.question, decision.rows)
        trace = TurnTrace(
            state.messages,
            text,
            reading.evidence,
            reading.spans,
            state,
            belief,
            values,
            decision,
            tuple(fallbacks),
        )
        with self._lock:
            session.traces.append(trace)
            self._trace_whole(_key(session_id), session)
            self.fallbacks.update(fallback.stage for fallback in fallbacks)
        return self._reply(message, decision)

    def _trace_whole(self, key: Hashable, session: _Session) -> None:
        """Keep the session's traces whole, and no more sessions' than configured; the lock is held."""
        self._traced[key] = session
        self._traced.move_to_end(key)
        while len(self._traced) > self.planner.config.sessions.traced:
            _, unused = self._traced.popitem(last=False)
            unused.traces[:] = [replace(trace, belief=None, values=None) for trace in unused.traces]
        if len(session.traces) > LAST_TURN:
            # A conversation that goes on without end must not keep all that was ever thought in it.
            old = session.traces[-LAST_TURN - 1]
            session.traces[-LAST_TURN - 1] = replace(old, belief=None, values=None)

    def _open(self, key: Hashable) -> _Session:
        """Start a session and forget the ones unused longest; the lock is held."""
        self._sessions.pop(key, None)
        self._traced.pop(key, None)
        session = self._sessions[key] = _Session(DialogueState(), [], [])
        while len(self._sessions) > self.planner.config.sessions.remembered:
            unused, _ = self._sessions.popitem(last=False)
            self._traced.pop(unused, None)
            self.forgotten += 1
        return session

    def _session(self, session_id: str, fallbacks: list[Fallback]) -> _Session:
        key = _key(session_id)
        with self._lock:
            if (session := self._sessions.get(key)) is not None:
                self._sessions.move_to_end(key)
                return session
            fallbacks.append(Fallback("session", "unknown or forgotten; it starts anew"))
            return self._open(key)

    def _belief(self, state: DialogueState) -> Belief:
        belief = self.planner.belief(state)
        if not np.isfinite(belief.probabilities).all():
            raise ArithmeticError("probabilities are not finite")
        return belief

    def _decide(
        self, belief: Belief, state: DialogueState, fallbacks: list[Fallback]
    ) -> tuple[ActionValues | None, Decision]:
        """Return the best action by rollouts and the values that it rests on, or what stands in for it."""

        def by_rollouts() -> tuple[ActionValues | None, Decision]:
            return self.planner.choose(belief, state)

        def by_splitting() -> Decision:
            return self.planner.decide_by_splitting(belief, state)

        def without_question() -> Decision:
            return _page(belief.rows[:PAGE_LIMIT].tolist())

        return _attempt(
            "rollouts",
            by_rollouts,
            lambda: (None, _attempt("splitting", by_splitting, without_question, fallbacks)),
            fallbacks,
        )

    def _decide_by_search(self, message: str, fallbacks: list[Fallback]) -> Decision:
        """Return ten products by lexical search, filled up with the most rated ones."""
        found = _attempt(
            "lexical", lambda: self.catalog.lexical.top(message, PAGE_LIMIT)[0].tolist(), list, fallbacks
        )
        rows = dict.fromkeys((*found, *self.catalog.popular[:PAGE_LIMIT].tolist()))
        return _page(list(rows)[:PAGE_LIMIT])

    def _word(self, decision: Decision, evidence: Evidence) -> str:
        title = str(self.catalog.titles[decision.rows[0]].as_py()) if decision.rows else ""
        return wording.reply_text(decision, title, wording.understood_text(evidence, self.catalog.lines))

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


def _located(path: str | Path) -> Path:
    """Return where a relative path leads: from the working folder, else from where modules come from."""
    places = (Path(folder) / path for folder in ("", *sys.path))
    return next((place for place in places if place.exists()), Path(path))


def _key(session_id: object) -> Hashable:
    """Return what a session is remembered by: its id, or the print of an id that cannot be hashed."""
    try:
        hash(session_id)
    except TypeError:
        return repr(session_id)
    return session_id


def _text(message: object) -> str:
    if not isinstance(message, str):
        raise TypeError(f"expected a text, got {type(message).__name__}")
    return message


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"expected a whole number from 1, got {value!r}")
    return int(value)


def _at(state: DialogueState, turn: object, fallbacks: list[Fallback]) -> DialogueState:
    """Return the state before the message of the evaluator's ``turn``.

    Where the agent counts otherwise, the later turn holds: messages may have been missed or a session
    forgotten, and the page of the last turn must be full by either count.
    """
    expected = state.messages + 1
    given = _attempt("turn", lambda: _count(turn), lambda: expected, fallbacks)
    if given != expected:
        fallbacks.append(Fallback("turn", f"the evaluator counts {given}, the agent {expected}"))
    return state.at(min(given, LAST_TURN))


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
