"""The HTTP API: open a session, send the shopper's messages, read what the planner thought."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import anyio
import anyio.to_thread
from fastapi import APIRouter, HTTPException, Path, Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from planner.agent import Agent
from planner.facts import product_facts
from rollouts.reward import PAGE_LIMIT
from server.registry import BusySession, Registry, UnknownSession
from server.settings import ServerSettings
from server.views import TurnView, turn_view

T = TypeVar("T")


class Problem(BaseModel):
    """Why a request was refused, in one line."""

    detail: str


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewSession(_Body):
    """What a shop knows of its shopper; all of it may be left out."""

    user_profile: dict[str, Any] | None = None


class SessionOpened(BaseModel):
    """The session's name; who knows it can use the session."""

    session_id: str


class Recommendation(BaseModel):
    """A product that is shown."""

    parent_asin: str
    title: str
    score: float = Field(description="The probability that it is the one.")


class Answer(BaseModel):
    """The planner's reply."""

    turn: int
    message: str
    ask_attribute: str | None
    recommendations: list[Recommendation]


class Trace(BaseModel):
    """What the planner thought in the turns that are kept."""

    session_id: str
    turns: list[TurnView]


class Health(BaseModel):
    """That the server runs, and over what."""

    status: str
    products: int
    sessions: int


@dataclass(slots=True)
class ApiSession:
    """A session of the API.

    Attributes:
        turns: how many messages have been answered.
    """

    turns: int = 0


def _whole(value: object) -> object:
    """Return a number without a fraction as an integer: JSON knows one kind of number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_SessionId = Annotated[str, Path(max_length=64, description="The name that opening the session gave.")]
_REFUSED: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body cannot be read."},
    422: {"model": Problem, "description": "The request is not of the form described here."},
    413: {"model": Problem, "description": "The body is too large."},
    429: {"model": Problem, "description": "Too many requests; `Retry-After` says when to try again."},
    503: {"model": Problem, "description": "No answer in time."},
}
_OF_SESSION: dict[int | str, dict[str, Any]] = {
    **_REFUSED,
    404: {"model": Problem, "description": "No such session is kept."},
    409: {"model": Problem, "description": "The session is over, or another message is being answered."},
}


def api_router(agent: Agent, settings: ServerSettings) -> APIRouter:
    """Return the routes of the API over one agent."""
    router = APIRouter()
    sessions: Registry[ApiSession] = Registry(settings.sessions)
    threads = anyio.CapacityLimiter(settings.workers)

    async def in_thread(work: Callable[[], T]) -> T:
        try:
            return await anyio.to_thread.run_sync(work, limiter=threads, abandon_on_cancel=True)
        except UnknownSession:
            raise HTTPException(404, "no such session is kept") from None
        except BusySession:
            raise HTTPException(409, "another message of this session is being answered") from None

    class NewMessage(_Body):
        """A message of the shopper."""

        message: str = Field(max_length=settings.message_characters)
        top_k: Annotated[int, BeforeValidator(_whole)] = Field(
            PAGE_LIMIT, ge=1, le=PAGE_LIMIT, description="At most so many products are shown."
        )

    @router.get("/health", responses={429: _REFUSED[429], 503: _REFUSED[503]})
    async def health() -> Health:
        """Tell that the server runs."""
        return Health(status="ok", products=len(agent.catalog), sessions=len(sessions))

    @router.post("/sessions", status_code=201, responses=_REFUSED)
    async def open_session(body: NewSession | None = None) -> SessionOpened:
        """Open a session."""
        profile = None if body is None else body.user_profile

        def begin(name: str) -> ApiSession:
            agent.reset(name, profile)
            return ApiSession()

        return SessionOpened(session_id=sessions.add(begin)[0])

    @router.post("/sessions/{session_id}/messages", responses=_OF_SESSION)
    async def send_message(session_id: _SessionId, body: NewMessage) -> Answer:
        """Answer a message of the shopper."""

        def answer() -> Answer:
            with sessions.use(session_id) as session:
                if session.turns >= settings.turns:
                    raise HTTPException(409, f"the session is over after {settings.turns} turns")
                reply = agent.respond(session_id, body.message, None, body.top_k)
                session.turns += 1
                ids = agent.catalog.ids
                return Answer(
                    turn=session.turns,
                    message=reply["message"],
                    ask_attribute=reply["ask_attribute"],
                    recommendations=[
                        Recommendation(
                            title=product_facts(agent.catalog, ids.index(entry["parent_asin"]).as_py()).title,
                            **entry,
                        )
                        for entry in reply["recommendations"]
                    ],
                )

        return await in_thread(answer)

    @router.get("/sessions/{session_id}/trace", responses=_OF_SESSION)
    async def read_trace(
        session_id: _SessionId,
        turn: Annotated[int | None, Query(ge=1, description="One turn alone.")] = None,
        explain: Annotated[bool, Query(description="Whether products carry their evidence.")] = False,
    ) -> Trace:
        """Tell what the planner thought, turn by turn."""

        def view() -> Trace:
            with sessions.use(session_id):
                kept = [trace for trace in agent.trace(session_id) if turn is None or trace.turn == turn]
                if turn is not None and not kept:
                    raise HTTPException(404, f"turn {turn} of this session is not kept")
                turns = [turn_view(agent.planner, trace, explained=explain) for trace in kept]
                return Trace(session_id=session_id, turns=turns)

        return await in_thread(view)

    @router.delete("/sessions/{session_id}", status_code=204, responses=_OF_SESSION)
    async def close_session(session_id: _SessionId) -> None:
        """Forget a session."""

        def close() -> None:
            sessions.remove(session_id)
            agent.reset(session_id)

        await in_thread(close)

    return router
