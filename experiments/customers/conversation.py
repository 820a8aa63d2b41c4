"""One session played between an agent and a simulated customer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

from experiments.customers.customer import OTHER, Shopper
from index.cards import ATTRIBUTES

MAX_TURNS = 10
PAGE_SIZE = 10


class ShoppingAgent(Protocol):
    """What the shopping protocol asks of an agent."""

    def reset(self, session_id: str, user_profile: dict[str, Any]) -> object:
        """Open a session."""

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int) -> object:
        """Answer a message; a reply that breaks the protocol counts as an empty one."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An agent's reply as the customer takes it.

    Attributes:
        asked: the attribute asked about, ``other`` for a name outside the list, ``None`` for no question.
        shown: known ids, each once, best first, at most ``PAGE_SIZE``.
        faults: what was wrong with the reply, a name for each occurrence.
    """

    asked: str | None = None
    shown: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn: the customer's message, what the agent asked and showed, and its time in milliseconds."""

    message: str
    asked: str | None
    shown: tuple[str, ...]
    ms: float = field(compare=False)


@dataclass(frozen=True, slots=True)
class SessionResult:
    """How a session went.

    Attributes:
        sample_id: the session's name.
        scenario: its scenario.
        turn: the turn of the hit, ``None`` for a miss.
        rank: the target's place in the reply that hit, from 1; ``None`` for a miss.
        turns: what was said and shown; times take no part in comparisons.
        faults: how often replies broke the protocol, by fault.
        fallbacks: how often the agent fell back on a simpler stage, by stage, as the agent counts it.
    """

    sample_id: str
    scenario: str
    turn: int | None
    rank: int | None
    turns: tuple[TurnRecord, ...]
    faults: Mapping[str, int]
    fallbacks: Mapping[str, int]


def read_reply(reply: object, known: Collection[str]) -> Reply:
    """Return what a customer takes from an agent's reply; ``known`` are the catalog's ids.

    A result that is no dict, or whose message is no string, is an empty reply. Ids are stripped, unknown ones
    and repeats dropped, the first ``PAGE_SIZE`` kept.
    """
    if not isinstance(reply, dict):
        return Reply(faults=("result is no dict",))
    if not isinstance(reply.get("message"), str):
        return Reply(faults=("message is no string",))
    faults: list[str] = []
    asked = reply.get("ask_attribute") or None
    if asked is not None and asked not in ATTRIBUTES:
        faults.append("attribute unknown")
        asked = OTHER
    entries = reply.get("recommendations") or ()
    if not isinstance(entries, list | tuple):
        faults.append("recommendations are no list")
        entries = ()
    shown: dict[str, None] = {}
    for entry in entries:
        identifier = entry.get("parent_asin") if isinstance(entry, dict) else entry
        identifier = identifier.strip() if isinstance(identifier, str) else ""
        if identifier not in known:
            faults.append("id unknown")
        elif identifier in shown:
            faults.append("id repeated")
        elif len(shown) == PAGE_SIZE:
            faults.append("too many ids")
        else:
            shown[identifier] = None
    return Reply(asked, tuple(shown), tuple(faults))


def play(
    agent: ShoppingAgent,
    shopper: Shopper,
    known: Collection[str],
    session_id: str,
    clock: Callable[[], float] = perf_counter,
) -> SessionResult:
    """Play one session to its end.

    Args:
        agent: gets the profile and the customer's messages, nothing else.
        shopper: the customer's side.
        known: the catalog's ids.
        session_id: the name under which the agent knows the session; it should say nothing of the sample.
        clock: seconds, for the time of a turn.

    Raises:
        Exception: whatever the agent's ``reset`` raises; faults of ``respond`` are counted instead.
    """
    session = shopper.session
    customer = shopper.customer()
    before = _fallbacks(agent)
    faults: Counter[str] = Counter()
    turns: list[TurnRecord] = []
    rank = None
    agent.reset(session_id, deepcopy(dict(session.profile)))
    message = customer.opening()
    for turn in range(1, MAX_TURNS + 1):
        start = clock()
        try:
            answer = agent.respond(session_id, message, turn, PAGE_SIZE)
        except Exception as error:
            reply = Reply(faults=(f"exception {type(error).__name__}",))
        else:
            reply = read_reply(answer, known)
        turns.append(TurnRecord(message, reply.asked, reply.shown, (clock() - start) * 1000))
        faults.update(reply.faults)
        if session.target in reply.shown and customer.counts(turn):
            rank = reply.shown.index(session.target) + 1
            break
        message = customer.message(turn + 1, reply.asked)
    return SessionResult(
        sample_id=session.sample_id,
        scenario=session.scenario,
        turn=None if rank is None else len(turns),
        rank=rank,
        turns=tuple(turns),
        faults=dict(faults),
        fallbacks=dict(_fallbacks(agent) - before),
    )


def _fallbacks(agent: ShoppingAgent) -> Counter[str]:
    return Counter(getattr(agent, "fallbacks", {}))
