"""The inspect pages: a live conversation, recorded runs, two runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import anyio
import anyio.to_thread
from fastapi import APIRouter, HTTPException, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from experiments.customers.sessions import SCENARIOS
from experiments.live.conversation import BROWSING, LiveConversation, LiveError, ProductShelf
from planner.agent import Agent
from planner.explain import entropy as nats_of
from planner.trace import TurnTrace
from server import charts
from server.registry import BusySession, Registry, UnknownSession
from server.runs import (
    Choice,
    RecordedRun,
    RecordedSession,
    RunReadError,
    RunShelf,
    SessionLine,
    mean_score,
    replay,
)
from server.settings import ServerSettings
from server.views import SpanView, TurnView, attribute, turn_view

SESSIONS_LISTED = 100
FILTERS = {
    "all": "all",
    "misses": "misses",
    "slow": "found in turn 3 or later",
    "ranks": "found below rank 1",
    "fallbacks": "with a fallback",
}
"""What a run's sessions can be filtered by, and how it is called."""


def segments(message: str, spans: list[SpanView]) -> Iterator[tuple[str, SpanView | None]]:
    """Yield the message in pieces, each with the span that it is; of overlapping spans the first counts."""
    done = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start < done or span.end <= span.start:
            continue
        if span.start > done:
            yield message[done : span.start], None
        yield message[span.start : span.end], span
        done = span.end
    if done < len(message):
        yield message[done:], None


def _entropy(trace: TurnTrace | None) -> float | None:
    return None if trace is None or trace.belief is None else nats_of(trace.belief)


def recorded_talk(played: RecordedSession, target: str) -> list[tuple[str, str, str]]:
    """Return message, reply in short, and a note where the target was shown, for each recorded turn."""
    talk = []
    for turn in played.turns:
        asks = "asks nothing" if turn.asked is None else f"asks about {turn.asked.replace('_', ' ')}"
        rank = turn.shown.index(target) + 1 if target in turn.shown else None
        note = "" if rank is None else f"the wanted product is shown at rank {rank}"
        talk.append((turn.message, f"shows {len(turn.shown)}, {asks}", note))
    return talk


def make_templates() -> Environment:
    """Return the templates; whatever they print is escaped."""
    environment = Environment(
        loader=PackageLoader("server"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(charts=charts, segments=segments, scenarios=SCENARIOS, filters=FILTERS)
    environment.globals["recorded_talk"] = recorded_talk
    environment.filters["path"] = lambda text: quote(str(text), safe="")
    return environment


def pages_router(
    agent: Agent, shelf: ProductShelf, runs: RunShelf, settings: ServerSettings, track: str
) -> APIRouter:
    """Return the routes of the pages.

    Args:
        agent: answers live conversations; its planner replays recorded ones.
        shelf: where the simulated customer's product is found.
        runs: the recorded runs.
        settings: limits.
        track: the planner's track, for the page's head.
    """
    router = APIRouter(include_in_schema=False)
    templates = make_templates()
    templates.globals.update(track=track, products=len(agent.catalog))
    live: Registry[LiveConversation] = Registry(settings.sessions)
    threads = anyio.CapacityLimiter(settings.workers)

    def page(template: str, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(templates.get_template(template).render(**values), status)

    async def in_thread(work: Callable[[], Response]) -> Response:
        """Do work off the event loop; what cannot be shown becomes a page that says why."""
        try:
            return await anyio.to_thread.run_sync(work, limiter=threads, abandon_on_cancel=True)
        except UnknownSession:
            return page("error.html", 404, message="This conversation is no longer kept.")
        except BusySession:
            return page("error.html", 409, message="This conversation is answering another message.")
        except RunReadError as error:
            return page("error.html", 404, message=str(error))

    async def form(request: Request) -> dict[str, str]:
        """Return the fields of a form that one of our own pages sent."""
        origin = request.headers.get("origin")
        site = request.headers.get("sec-fetch-site", "same-origin")
        own = origin is None or urlsplit(origin).netloc == request.headers.get("host")
        if not own or site not in ("same-origin", "none"):
            raise HTTPException(403, "forms of other pages are not taken")
        body = (await request.body()).decode(errors="replace")
        return {name: values[-1] for name, values in parse_qs(body, keep_blank_values=True).items()}

    @router.get("/")
    async def home() -> Response:
        """Show where to begin: a live conversation, or a run."""

        def work() -> Response:
            listed: list[tuple[str, RecordedRun | None, list[tuple[str, float]], str]] = []
            for name in runs.names():
                try:
                    run = runs.run(name)
                    listed.append((name, run, [(s, mean_score(run, s)) for s in run.systems], ""))
                except RunReadError as error:
                    listed.append((name, None, [], str(error)))
            systems = sorted({name for _, run, _, _ in listed if run for name in run.systems})
            return page("home.html", runs=listed, systems=systems, folder=runs.folder.name)

        return await in_thread(work)

    @router.post("/live")
    async def begin(request: Request) -> Response:
        """Open a live conversation, with a simulated customer where a product is named."""
        fields = await form(request)

        def work() -> Response:
            target = fields.get("target", "").strip()
            message = fields.get("message", "").strip()[: settings.message_characters]
            name, conversation = live.add(lambda name: LiveConversation(agent, shelf, name))
            try:
                if target:
                    conversation.aim(target, fields.get("scenario") or BROWSING)
                    conversation.let_customer_speak()
                elif message:
                    conversation.say(message)
            except LiveError as error:
                live.remove(name)
                return page("error.html", 422, message=str(error))
            return RedirectResponse(f"/live/{name}", 303)

        return await in_thread(work)

    @router.get("/live/{name}")
    async def show_live(name: str, turn: int | None = None, error: str = "") -> Response:
        """Show a live conversation and what was thought in one of its turns."""

        def work() -> Response:
            with live.use(name) as conversation:
                traces = {trace.turn: trace for trace in conversation.traces()}
                count = len(conversation.exchanges)
                current = min(max(turn or count, 1), count) if count else 0
                view = turn_view(agent.planner, traces[current]) if current in traces else None
                entropies = [
                    None
                    if (trace := traces.get(n)) is None or trace.belief is None
                    else nats_of(trace.belief)
                    for n in range(1, count + 1)
                ]
                said = [
                    (
                        exchange.said.text,
                        exchange.reply["message"],
                        "" if exchange.rank is None else f"found at rank {exchange.rank}",
                    )
                    for exchange in conversation.exchanges
                ]
                return page(
                    "live.html",
                    name=name,
                    said=said,
                    current=current,
                    view=view,
                    entropies=entropies,
                    target=conversation.target,
                    scenario=conversation.scenario,
                    over=conversation.over,
                    full=count >= settings.turns,
                    score=conversation.score,
                    error=error,
                    longest=settings.message_characters,
                )

        return await in_thread(work)

    @router.post("/live/{name}/{act}")
    async def act_live(request: Request, name: str, act: str) -> Response:
        """Go on with a live conversation: say, customer, undo."""
        fields = await form(request)

        def work() -> Response:
            problem = ""
            with live.use(name) as conversation:
                try:
                    if act == "undo":
                        conversation.undo()
                    elif len(conversation.exchanges) >= settings.turns:
                        raise LiveError(f"a conversation ends after {settings.turns} turns")
                    elif act == "customer":
                        conversation.let_customer_speak()
                    elif act == "say":
                        if text := fields.get("message", "").strip():
                            conversation.say(text[: settings.message_characters])
                    else:
                        return page("error.html", 404, message="There is no such page.")
                except LiveError as error:
                    problem = "?" + urlencode({"error": str(error)})
            return RedirectResponse(f"/live/{quote(name, safe='')}{problem}", 303)

        return await in_thread(work)

    @router.get("/runs/{name}")
    async def show_run(
        name: str, system: str = "", show: str = "all", scenario: str = "", set: str = "", start: int = 0
    ) -> Response:
        """List the sessions of a run, filtered."""

        def work() -> Response:
            run = runs.run(name)
            chosen = run.system(system)
            choice = Choice(show, scenario, set)
            taken = [n for n, line in enumerate(run.sessions) if choice.takes(line, chosen)]
            first = min(max(start, 0), max(len(taken) - 1, 0)) // SESSIONS_LISTED * SESSIONS_LISTED
            counts = {
                what: sum(Choice(what, scenario, set).takes(line, chosen) for line in run.sessions)
                for what in FILTERS
            }
            return page(
                "run.html",
                run=run,
                system=chosen,
                choice=choice,
                counts=counts,
                sets=sorted({line.set for line in run.sessions} - {""}),
                numbers=taken[first : first + SESSIONS_LISTED],
                first=first,
                total=len(taken),
                step=SESSIONS_LISTED,
                score=mean_score(run, chosen),
                query=lambda **changes: urlencode(
                    {
                        "system": chosen,
                        "show": show,
                        "scenario": scenario,
                        "set": set,
                        **changes,
                    }
                ),
            )

        return await in_thread(work)

    @router.get("/runs/{name}/{number}")
    async def show_session(name: str, number: int, system: str = "", turn: int = 1) -> Response:
        """Show a recorded session, and what the planner thinks of one of its turns."""

        def work() -> Response:
            run = runs.run(name)
            chosen = run.system(system)
            line = session_of(run, number)
            side = recorded(line, chosen, turn)
            return page("session.html", run=run, number=number, line=line, system=chosen, **side)

        return await in_thread(work)

    @router.get("/compare")
    async def compare(a: str, b: str, sa: str = "", sb: str = "", show: str = "different") -> Response:
        """List the sessions that two runs (or two systems of one) have in common, side by side."""

        def work() -> Response:
            left, right = runs.run(a), runs.run(b)
            of_left, of_right = left.system(sa), right.system(sb)
            places = {line.key: n for n, line in enumerate(right.sessions)}
            pairs = [
                (n, places[line.key], line, line.systems[of_left], other.systems[of_right])
                for n, line in enumerate(left.sessions)
                if line.key in places and (other := right.sessions[places[line.key]])
            ]
            pairs.sort(key=lambda pair: (pair[3].score - pair[4].score, pair[0]))
            different = [pair for pair in pairs if pair[3].outcome != pair[4].outcome]
            totals = [sum(pair[3].score for pair in pairs), sum(pair[4].score for pair in pairs)]
            listed = pairs if show == "all" else different
            return page(
                "compare.html",
                a=left,
                b=right,
                sa=of_left,
                sb=of_right,
                listed=listed[:SESSIONS_LISTED],
                total=len(listed),
                different=len(different),
                common=len(pairs),
                means=[total / max(len(pairs), 1) for total in totals],
                show=show,
                worse=sum(pair[3].score < pair[4].score for pair in pairs),
                better=sum(pair[3].score > pair[4].score for pair in pairs),
            )

        return await in_thread(work)

    @router.get("/compare/{number}")
    async def compare_session(
        number: int, a: str, b: str, sa: str = "", sb: str = "", turn: int = 1
    ) -> Response:
        """Show one session as two systems played it."""

        def work() -> Response:
            left, right = runs.run(a), runs.run(b)
            of_left, of_right = left.system(sa), right.system(sb)
            line = session_of(left, number)
            other = next((other for other in right.sessions if other.key == line.key), None)
            if other is None:
                raise RunReadError(f"run {b} does not have session {line.sample_id}")
            sides = [
                {"run": left, "system": of_left, **recorded(line, of_left, turn)},
                {"run": right, "system": of_right, **recorded(other, of_right, turn)},
            ]
            return page("pair.html", line=line, number=number, turn=turn, sides=sides, a=a, b=b)

        return await in_thread(work)

    def session_of(run: RecordedRun, number: int) -> SessionLine:
        if not 0 <= number < len(run.sessions):
            raise RunReadError(f"run {run.name} has no session number {number}")
        return run.sessions[number]

    def recorded(line: SessionLine, system: str, turn: int) -> dict[str, Any]:
        """Return what a page shows of a session as one system played it."""
        played = line.systems[system]
        current = min(max(turn, 1), len(played.turns))
        view: TurnView | None = None
        own, problem = "", ""
        entropies: list[float | None] = [None] * len(played.turns)
        try:
            traces = replay(agent.planner, played.turns)
        except RunReadError as error:
            problem = str(error)
        else:
            entropies = [_entropy(trace) for trace in traces]
            trace = traces[current - 1]
            view = turn_view(agent.planner, trace)
            if trace.belief is not None and trace.values is not None:
                decision = agent.planner.decide(trace.belief, trace.values)
                if (decision.question, len(decision.rows)) != (
                    trace.decision.question,
                    len(trace.decision.rows),
                ):
                    asks = attribute(decision.question) or "nothing"
                    own = f"This server's planner would ask about {asks} and show {len(decision.rows)}."
        return {
            "played": played,
            "current": current,
            "view": view,
            "own": own,
            "problem": problem,
            "entropies": entropies,
        }

    return router
