"""Systems times sessions, in parallel, with results that do not depend on backend or number of workers."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import joblib
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from experiments.customers.conversation import SessionResult, ShoppingAgent, play
from experiments.customers.customer import Shopper
from experiments.running.backends import Backend, BackendError, JoblibBackend
from experiments.running.journal import Journal
from index import store
from index.catalog import Catalog
from planner.agent import Agent
from planner.config import PlannerConfig


@dataclass(frozen=True, slots=True)
class System:
    """A system to evaluate: its name, and how an agent is made of a catalog (importable by the workers)."""

    name: str
    make: Callable[[Catalog], ShoppingAgent]


def planner_system(name: str, config: PlannerConfig) -> System:
    """Return the planner under a configuration."""
    return System(name, partial(Agent.on, config=config))


def config_of(system: System) -> PlannerConfig | None:
    """Return the planner's configuration in a system, ``None`` for another agent."""
    config = getattr(system.make, "keywords", {}).get("config")
    return config if isinstance(config, PlannerConfig) else None


@dataclass(frozen=True, slots=True)
class Run:
    """What one system did in every session, in the order of the sessions."""

    system: str
    results: tuple[SessionResult, ...]


def evaluate(
    catalog: Catalog,
    systems: Sequence[System],
    customers: Sequence[Shopper],
    workers: int = 1,
    console: Console | None = None,
    *,
    backend: Backend | None = None,
    journal: Journal | None = None,
    scratch: Path | None = None,
) -> list[Run]:
    """Play every session with every system; a progress bar goes to ``console``.

    A worker has one agent for each system and plays sessions one by one. An agent is given the catalog, and
    from a session its profile and messages; the session's id is its running number.

    Args:
        catalog: the index; workers map the folder that it is stored in into memory.
        systems: what to evaluate.
        customers: the shopper of each session.
        workers: processes on this machine, where no backend is given.
        console: for the progress bar.
        backend: where sessions are played.
        journal: sessions that it holds are not played again, and those finished are added to it.
        scratch: folder that every worker sees under the same path: the index is stored there, and kept for
            the next run. By default workers map the index where it is stored already, or, if it is in memory
            only, from a folder of temporary files.

    Raises:
        experiments.running.backends.BackendError: sessions cannot be played there.
        Exception: an agent's constructor or ``reset`` failed, which ends the run.
    """
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console or Console(quiet=True),
        transient=True,
    )
    tasks = [
        (system, number, shopper)
        for system in range(len(systems))
        for number, shopper in enumerate(customers, 1)
    ]
    index = store.checksum(catalog)
    keys = _keys(index, systems, tasks) if journal is not None else [""] * len(tasks)
    results: dict[int, SessionResult] = {}
    for place, key in enumerate(keys):
        if journal is not None and (done := journal.get(key)) is not None:
            results[place] = done
    left = [place for place in range(len(tasks)) if place not in results]
    with progress:
        bar = progress.add_task("Sessions", total=len(tasks), completed=len(results))
        played = _play_all(
            catalog, index, systems, [tasks[p] for p in left], backend or JoblibBackend(workers), scratch
        )
        for done_place, result in played:
            place = left[done_place]
            results[place] = result
            if journal is not None:
                journal.add(keys[place], systems[tasks[place][0]].name, result)
            progress.advance(bar)
    ordered = [results[place] for place in range(len(tasks))]
    return [
        Run(system.name, tuple(ordered[place * len(customers) : (place + 1) * len(customers)]))
        for place, system in enumerate(systems)
    ]


def ready() -> None:
    """Do nothing: a worker that can has imported what it plays with (:meth:`Backend.start`)."""


_Task = tuple[int, int, Shopper]
"""A session to play: place of the system, number of the session from 1, shopper."""


def _play_all(
    catalog: Catalog,
    index: str,
    systems: Sequence[System],
    tasks: Sequence[_Task],
    backend: Backend,
    scratch: Path | None,
) -> Iterator[tuple[int, SessionResult]]:
    """Yield each task's place and result as they finish."""
    if not tasks:
        return
    if scratch is not None:
        scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="evaluate-", dir=scratch, ignore_cleanup_errors=True) as folder:
        own = Path(folder).resolve()
        bench = own / "bench.joblib"
        where = _stored(catalog, index, own if scratch is None else scratch.resolve(), scratch is None)
        joblib.dump(_Bench(str(where), index, tuple(systems)), bench)
        calls = [(str(bench), system, str(number), shopper) for system, number, shopper in tasks]
        yield from backend.run(_play, calls, [bench, where / store.MANIFEST])


def _stored(catalog: Catalog, index: str, folder: Path, as_it_stands: bool) -> Path:
    """Return where an index of checksum ``index`` is stored: ``as_it_stands``, else in ``folder``."""
    if as_it_stands and catalog.origin.folder is not None:
        return catalog.origin.folder.resolve()
    place = folder / f"index-{index}"
    try:
        Catalog.load(place)
    except (OSError, store.StoreError):
        catalog.save(place)
    return place


def _keys(index: str, systems: Sequence[System], tasks: Sequence[_Task]) -> list[str]:
    """Return for each task a key of all that its result depends on, the program's text apart.

    ``index`` is the checksum of the catalog's index.
    """
    made = [f"{system.name} {described(system.make)}" for system in systems]
    return [
        hashlib.blake2b(
            f"{index} {made[system]} {number} ".encode() + msgspec.json.encode(shopper, enc_hook=described),
            digest_size=16,
        ).hexdigest()
        for system, number, shopper in tasks
    ]


def described(make: Callable[..., object]) -> str:
    """Return how an agent is made, as a text: the function and its settings, the same in every process."""
    if isinstance(make, partial):
        settings = msgspec.json.encode([make.args, make.keywords], enc_hook=repr, order="sorted")
        return f"{described(make.func)} {settings.decode()}"
    owner = getattr(make, "__module__", ""), getattr(make, "__qualname__", repr(make))
    return ".".join(owner)


@dataclass(frozen=True, slots=True)
class _Bench:
    """What a worker needs: the folder of the index, its checksum, the systems."""

    folder: str
    index: str
    systems: tuple[System, ...]


@dataclass(frozen=True, slots=True)
class _Worker:
    """What a worker keeps between sessions; ``agents`` by system and thread."""

    catalog: Catalog
    systems: tuple[System, ...]
    known: frozenset[str]
    agents: dict[tuple[int, int], ShoppingAgent]


_LOADING = threading.Lock()


@lru_cache(maxsize=1)
def _mapped(folder: str, index: str) -> Catalog:
    """Return the index stored in ``folder``, whose checksum must be ``index``.

    Raises:
        BackendError: it cannot be used, or another one was put in its place.
    """
    try:
        catalog = Catalog.load(folder)
    except (OSError, store.StoreError) as error:
        raise BackendError(f"a worker cannot use the index at {folder}: {error}") from None
    if store.checksum(catalog) != index:
        raise BackendError(f"{folder} holds another index than when the run began: start the command again")
    return catalog


@lru_cache(maxsize=1)
def _worker(bench: str) -> _Worker:
    found: _Bench = joblib.load(bench, mmap_mode="r")
    catalog = _mapped(found.folder, found.index)
    return _Worker(catalog, found.systems, frozenset(map(str, catalog.ids)), {})


def _play(bench: str, system: int, session_id: str, shopper: Shopper) -> SessionResult:
    """Play one session in a worker. Threads of one worker share the index, and have agents of their own."""
    with _LOADING:
        worker = _worker(bench)
        place = (system, threading.get_ident())
        if place not in worker.agents:
            worker.agents[place] = worker.systems[system].make(worker.catalog)
    return play(worker.agents[place], shopper, worker.known, session_id)
