"""The load test, against a small server."""

import re
from socket import socket
from threading import Timer

import pytest
from typer.testing import CliRunner

from server.load import app, await_server, converse


def test_it_tells_how_fast_the_turns_were(small_server):
    options = ["--url", small_server, "--sessions", "3", "--at-once", "2", "--turns", "2"]
    done = CliRunner().invoke(app, options)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("3 conversations of 2 turns, 2 at once: ")
    median, high, worst = map(float, re.findall(r"([\d.]+) ms", done.output))
    assert 0.0 < median <= high <= worst


def test_a_refusal_is_told(small_server):
    with pytest.raises(RuntimeError, match="409"):
        converse(small_server, 51)
    done = CliRunner().invoke(app, ["--url", "http://127.0.0.1:9", "--sessions", "1"])
    assert done.exit_code == 2


def test_it_waits_for_a_server_that_starts():
    with socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        with pytest.raises(ConnectionRefusedError):
            await_server(url, 0.0)
        later = Timer(0.3, listening.listen)
        later.start()
        await_server(url, 30.0)
        later.join()
