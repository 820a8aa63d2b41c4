"""``python -m server.load``: how many turns a running server answers, and how fast."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from socket import create_connection
from time import perf_counter, sleep
from typing import Annotated
from urllib.parse import urlsplit

import numpy as np
import typer

MESSAGES = (
    "I'm looking for Shirts T-Shirts, but I'm still exploring.",
    "For that, what matters is: 100% Cotton.",
    "I don't have an additional preference for color.",
    "something soft that can be machine washed",
    "I don't have an additional preference for size.",
)
"""What each shopper says, turn by turn."""
_POLL_SECONDS = 0.2


def converse(url: str, turns: int) -> list[float]:
    """Hold one conversation; return the milliseconds of each turn.

    Raises:
        OSError: the server does not answer.
        RuntimeError: it refuses; the message has its words.
    """
    place = urlsplit(url)
    connection = HTTPConnection(place.hostname or "", place.port)

    def post(path: str, body: dict[str, str]) -> dict[str, str]:
        connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {answer.status} {text}")
        return dict(json.loads(text))

    session = post("/sessions", {})["session_id"]
    times = []
    for turn in range(turns):
        start = perf_counter()
        post(f"/sessions/{session}/messages", {"message": MESSAGES[turn % len(MESSAGES)]})
        times.append((perf_counter() - start) * 1000.0)
    connection.close()
    return times


def await_server(url: str, seconds: float) -> None:
    """Return once a server accepts connections.

    Raises:
        OSError: none does within ``seconds``.
    """
    place, end = urlsplit(url), perf_counter() + seconds
    while True:
        try:
            create_connection((place.hostname or "", place.port or 80), timeout=1.0).close()
            return
        except OSError:
            if perf_counter() > end:
                raise
        sleep(_POLL_SECONDS)


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    url: Annotated[str, typer.Option(help="Where the server is.")] = "http://127.0.0.1:8321",
    sessions: Annotated[int, typer.Option(min=1, help="Conversations to hold.")] = 100,
    at_once: Annotated[int, typer.Option(min=1, help="Conversations at the same time.")] = 8,
    turns: Annotated[int, typer.Option(min=1, help="Turns of each conversation.")] = len(MESSAGES),
    wait: Annotated[float, typer.Option(min=0.0, help="Seconds to wait for a server that starts.")] = 0.0,
) -> None:
    """Hold many conversations with a running server and print how fast its turns were."""
    try:
        await_server(url, wait)
        start = perf_counter()
        with ThreadPoolExecutor(at_once) as pool:
            times = [ms for part in pool.map(lambda _: converse(url, turns), range(sessions)) for ms in part]
    except (OSError, RuntimeError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    seconds = perf_counter() - start
    median, high, worst = np.percentile(times, [50, 95, 100])
    typer.echo(
        f"{sessions} conversations of {turns} turns, {at_once} at once: {len(times) / seconds:.0f} turns "
        f"a second; a turn {median:.1f} ms median, {high:.1f} ms 95th percentile, {worst:.1f} ms at most"
    )


if __name__ == "__main__":
    app()
