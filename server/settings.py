"""Settings of the server: where it listens, and the limits that keep one client from taking it all."""

from __future__ import annotations

from dataclasses import dataclass

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names of this machine to itself."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where the server listens and what it allows.

    Attributes:
        host: address to listen on; the inspect pages are served on a loopback address only.
        port: port to listen on.
        hosts: names under which it may be called, besides those of the loopback; guards against pages that
            point a name of theirs at this machine.
        body_bytes: largest body of a request.
        message_characters: longest message of a shopper.
        rate: requests a second that one client may make in the long run.
        burst: requests that one client may make at once.
        clients: clients whose rate is remembered, the one unused longest is forgotten first.
        timeout: seconds until a request is given up.
        workers: turns that are computed at the same time.
        sessions: sessions that are kept, the one unused longest is forgotten first.
        turns: turns after which a session is over.
    """

    host: str = "127.0.0.1"
    port: int = 8321
    hosts: tuple[str, ...] = ()
    body_bytes: int = 32_768
    message_characters: int = 2_000
    rate: float = 20.0
    burst: int = 60
    clients: int = 10_000
    timeout: float = 10.0
    workers: int = 2
    sessions: int = 1_000
    turns: int = 50

    @property
    def is_local(self) -> bool:
        """Return whether only this machine can call."""
        return self.host in LOOPBACK
