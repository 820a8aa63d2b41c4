"""Systems times sessions, in parallel, with results that do not depend on the number of workers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import joblib
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from experiments.conversation import SessionResult, ShoppingAgent, play
from experiments.customer import Shopper
from index.catalog import Catalog


@dataclass(frozen=True, slots=True)
class System:
    """A system to evaluate: its name, and how an agent is made of a catalog (importable by the workers)."""

    name: str
    make: Callable[[Catalog], ShoppingAgent]


@dataclass(frozen=True, slots=True)
class Run:
    """What one system did in every session, in the order of the sessions."""

    system: str
    results: tuple[SessionResult, ...]


def evaluate(
    catalog: Catalog,
    systems: Sequence[System],
    customers: Sequence[Shopper],
    workers: int,
    console: Console | None = None,
) -> list[Run]:
    """Play every session with every system; a progress bar goes to ``console``.

    A worker process has one agent for each system and plays sessions one by one. An agent is given the
    catalog, and from a session its profile and messages; the session's id is its running number.

    Raises:
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
    with tempfile.TemporaryDirectory(prefix="evaluate-", ignore_cleanup_errors=True) as folder, progress:
        joblib.dump((catalog, tuple(systems)), Path(folder) / _DUMP)
        tasks = (
            joblib.delayed(_play)(folder, system, str(number), shopper)
            for system in range(len(systems))
            for number, shopper in enumerate(customers, 1)
        )
        bar = progress.add_task("Sessions", total=len(systems) * len(customers))
        results: list[SessionResult] = []
        for result in joblib.Parallel(n_jobs=workers, return_as="generator")(tasks):
            results.append(result)
            progress.advance(bar)
    by_system = [results[i : i + len(customers)] for i in range(0, len(results), len(customers))]
    return [Run(system.name, tuple(part)) for system, part in zip(systems, by_system, strict=True)]


_DUMP = "catalog-and-systems.joblib"


@dataclass(frozen=True)
class _Bench:
    """What a worker keeps between sessions."""

    catalog: Catalog
    systems: tuple[System, ...]
    known: frozenset[str]
    agents: dict[int, ShoppingAgent]


@lru_cache(maxsize=1)
def _bench(folder: str) -> _Bench:
    catalog, systems = joblib.load(Path(folder) / _DUMP, mmap_mode="r")
    return _Bench(catalog, systems, frozenset(map(str, catalog.ids)), {})


def _play(folder: str, system: int, session_id: str, shopper: Shopper) -> SessionResult:
    bench = _bench(folder)
    if system not in bench.agents:
        bench.agents[system] = bench.systems[system].make(bench.catalog)
    return play(bench.agents[system], shopper, bench.known, session_id)
