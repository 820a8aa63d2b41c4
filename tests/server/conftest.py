"""Servers over the small catalog, with a recorded run beside them."""

import threading
import time
from contextlib import ExitStack, contextmanager

import pytest
import uvicorn
from starlette.testclient import TestClient

from experiments.customers.conversation import play
from experiments.live.conversation import ProductShelf
from experiments.reports.report import SESSIONS_FILE, session_lines
from experiments.running.evaluate import Run
from planner.agent import Agent
from server.app import make_app
from server.pages import pages_router
from server.runs import RunShelf
from server.settings import ServerSettings

GENEROUS = {"rate": 1e6, "burst": 10**6}


class TitleSearch:
    """A weak system: ten products of the catalog, always the same ones."""

    def __init__(self, catalog):
        self.ids = [str(name) for name in catalog.ids][:10]

    def reset(self, session_id, user_profile):
        pass

    def respond(self, session_id, user_message, turn, top_k):
        return {"message": "", "ask_attribute": "color", "recommendations": self.ids[turn - 1 :: 3]}


@pytest.fixture(scope="session")
def runs_folder(catalog, products, tmp_path_factory):
    """Two runs: the planner beside a weak system, and the weak system alone."""
    from experiments.customers.customer import Shopper
    from experiments.customers.sessions import Session

    scenarios = ("buying", "browsing", "intent_override", "boundary")
    sessions = [
        Session(f"s{n}", scenarios[n % 4], product.parent_asin, {}) for n, product in enumerate(products)
    ]
    shoppers = [Shopper.of(session, product) for session, product in zip(sessions, products, strict=True)]
    known = {product.parent_asin for product in products}
    made = {"planner": Agent.on(catalog), "weak": TitleSearch(catalog)}
    runs = [
        Run(name, tuple(play(agent, shopper, known, str(n)) for n, shopper in enumerate(shoppers)))
        for name, agent in made.items()
    ]
    folder = tmp_path_factory.mktemp("runs")
    for name, part in (("first", runs), ("second", runs[1:])):
        (folder / name).mkdir()
        (folder / name / SESSIONS_FILE).write_bytes(b"".join(session_lines(sessions, part, "drawn")))
    (folder / "other").mkdir()
    (folder / "other" / SESSIONS_FILE).write_bytes(b"".join(session_lines(sessions, runs, "another set")))
    (folder / "unfinished").mkdir()
    return folder


@pytest.fixture
def make_client(catalog, catalog_file, runs_folder):
    """Start a server: ``make_client(**settings)`` returns a client of it, with the agent as its ``agent``."""

    opened = ExitStack()

    def make(catalog=catalog, path=catalog_file, folder=runs_folder, pages=True, **changes):
        settings = ServerSettings(**{**GENEROUS, **changes})
        agent = Agent.on(catalog)
        router = pages_router(agent, ProductShelf(path), RunShelf(folder), settings, "robust")
        app = make_app(agent, settings, pages=router if pages else None)
        client = TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)
        opened.enter_context(client)
        client.agent = agent
        return client

    with opened:
        yield make


@pytest.fixture
def client(make_client):
    return make_client()


@contextmanager
def serving(catalog, path, runs):
    """Serve in a thread; give the address."""
    settings = ServerSettings(port=0, rate=1e6, burst=10**6)
    agent = Agent.on(catalog)
    pages = pages_router(agent, ProductShelf(path), RunShelf(runs), settings, "robust")
    config = uvicorn.Config(
        make_app(agent, settings, pages=pages), host=settings.host, port=0, log_level="error"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def serve():
    """Serve in a thread: ``with serve(catalog, path, runs) as address``."""
    return serving


@pytest.fixture(scope="session")
def small_server(catalog, catalog_file, runs_folder):
    """The address of a server over the small catalog."""
    with serving(catalog, catalog_file, runs_folder) as address:
        yield address
