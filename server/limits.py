"""What stands before every request: size, rate, time, and the headers of every answer."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.settings import ServerSettings

SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}

_log = logging.getLogger(__name__)


class TokenBuckets:
    """How many requests each client may still make: a bucket of ``burst``, refilled at ``rate`` a second."""

    def __init__(self, settings: ServerSettings, clock: Callable[[], float] = monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Take one request from a client's bucket; return 0, or the seconds until it has one again."""
        now, settings = self._clock(), self._settings
        tokens, since = self._buckets.pop(client, (float(settings.burst), now))
        tokens = min(settings.burst, tokens + (now - since) * settings.rate)
        allowed = tokens >= 1.0
        self._buckets[client] = (tokens - 1.0 if allowed else tokens, now)
        while len(self._buckets) > settings.clients:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1.0 - tokens) / settings.rate


class Limits:
    """Middleware: refuses bodies that are too large (413) and clients that are too fast (429).

    A request that takes too long ends with 503. Every answer carries the security headers.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings
        self._buckets = TokenBuckets(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        settings = self._settings
        too_large = f"the body is larger than {settings.body_bytes} bytes"
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        async def refuse(status: int, detail: str, **headers: str) -> None:
            if not started:
                answer = JSONResponse({"detail": detail}, status, headers)
                await answer(scope, receive, send_with_headers)

        client = scope["client"][0] if scope.get("client") else ""
        if wait := self._buckets.wait(client):
            seconds = str(int(wait) + 1)
            await refuse(429, f"too many requests; try again in {seconds} s", **{"retry-after": seconds})
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > settings.body_bytes:
            await refuse(413, too_large)
            return
        read = 0

        async def receive_within_limit() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > settings.body_bytes:
                raise HTTPException(413, too_large)
            return message

        try:
            async with asyncio.timeout(settings.timeout):
                await self._app(scope, receive_within_limit, send_with_headers)
        except TimeoutError:
            _log.warning("given up after %s s: %s %s", settings.timeout, scope["method"], scope["path"])
            await refuse(503, f"no answer within {settings.timeout:g} s", **{"retry-after": "1"})
