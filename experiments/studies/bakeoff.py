"""The bake-off: every reference system and the planner on the same sessions, in one report."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import joblib
import psutil
from rich.console import Console
from rich.progress import track

from experiments.baselines import BASELINES
from experiments.customers.conversation import play
from experiments.customers.customer import Shopper
from experiments.customers.sessions import Distribution, scenario_mix, target_weights
from experiments.metrics.bootstrap import Bootstrap
from experiments.oracle import Oracle, Plan, Population, make_plans
from experiments.reports.report import OVERALL, build_report
from experiments.running.evaluate import Run, System, planner_system
from index.catalog import Catalog
from index.products import Product
from planner.config import PlannerConfig

TRACKS = ("robust", "wildcard")
MEMORY_SESSIONS = 25
"""Sessions that a system plays before its memory is measured."""

_ORACLE = "oracle"
_MIB = 2**20


@dataclass(frozen=True, slots=True)
class Contestant:
    """A system of the bake-off.

    Attributes:
        system: its name, and how it is made.
        track: the track whose planner it is compared with.
        published: the score that its authors report on the public kit's 200 sessions, ``None`` for none.
    """

    system: System
    track: str
    published: float | None = None

    @property
    def is_oracle(self) -> bool:
        """Whether this is no agent, but the oracle."""
        return self.system.name.startswith(_ORACLE)


def planner_name(track: str) -> str:
    """Return the name under which the planner plays on ``track``."""
    return f"planner-{track}"


def contestants(plans: Mapping[str, Plan] | None = None) -> list[Contestant]:
    """Return the reference systems, the planner on both tracks, and the oracle on each that has a plan."""
    references = [
        Contestant(System(name, baseline.make), baseline.track, baseline.published)
        for name, baseline in BASELINES.items()
    ]
    planners = [
        Contestant(planner_system(planner_name(track), PlannerConfig.load(track)), track) for track in TRACKS
    ]
    oracles = [
        Contestant(System(f"{_ORACLE}-{track}", partial(Oracle, plan=plan)), track)
        for track, plan in (plans or {}).items()
    ]
    return [*references, *planners, *oracles]


def oracle_plans(
    products: Sequence[Product],
    shoppers: Sequence[Shopper],
    distribution: Distribution,
    workers: int,
    console: Console | None = None,
) -> dict[str, Plan]:
    """Return the oracle's plan for ``shoppers`` on each track; ``distribution`` is how targets are drawn."""
    population = Population(products, target_weights(products, distribution), scenario_mix())
    return make_plans(population, shoppers, TRACKS, workers, console)


def added_memory(
    catalog: Catalog, systems: Sequence[System], shoppers: Sequence[Shopper], console: Console | None = None
) -> dict[str, float]:
    """Return by system the memory in MiB that its agent adds to that of the index.

    Each system has a process of its own, which holds the whole catalog index in private memory and has
    imported the system's modules. What counts is the growth of its unique set size (the memory that would be
    free if the process ended) from before the agent is made until it has played the ``shoppers``: its own
    tables, what it keeps of sessions, and what numba loads for it. Each system plays once here before, so
    that numba's compiler, which runs once on a machine, is not counted.
    """
    known = frozenset(map(str, catalog.ids))
    for system in systems:
        play(system.make(catalog), shoppers[0], known, "warm-up")
    with tempfile.TemporaryDirectory(prefix="memory-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "catalog.joblib"
        joblib.dump(catalog, path)
        added = {}
        for system in track(
            systems, "Memory", console=console or Console(quiet=True), transient=True, total=len(systems)
        ):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                added[system.name] = pool.submit(_grow, path, system, tuple(shoppers)).result()
    return added


def _grow(path: Path, system: System, shoppers: Sequence[Shopper]) -> float:
    catalog = joblib.load(path)
    known = frozenset(map(str, catalog.ids))
    before = _unique_set_size()
    agent = system.make(catalog)
    for number, shopper in enumerate(shoppers, 1):
        play(agent, shopper, known, str(number))
    return max(0, _unique_set_size() - before) / _MIB


def _unique_set_size() -> int:
    gc.collect()
    return int(psutil.Process().memory_full_info().uss)


def build_bakeoff(
    record: Mapping[str, Any],
    entries: Sequence[Contestant],
    runs: Sequence[Run],
    timing: Mapping[str, Any],
    bootstrap: Bootstrap,
) -> dict[str, Any]:
    """Return the report of ``runs``, one for each of ``entries``, the planner's on every track among them.

    As :func:`experiments.reports.report.build_report`, with each system's track, its published score, and
    under ``difference`` what it has over the planner of its track, session by session. All that differs
    between two runs of the same inputs stands under ``timing``.
    """
    by_name = {run.system: run for run in runs}
    reports = {
        track: build_report(
            {},
            [
                by_name[planner_name(track)],
                *(by_name[e.system.name] for e in entries if e.track == track and not _is_planner(e)),
            ],
            timing,
            bootstrap,
        )
        for track in TRACKS
    }
    systems = {}
    turns = {}
    for entry in entries:
        name, report = entry.system.name, reports[entry.track]
        ours = report["differences"].get(f"{planner_name(entry.track)} - {name}")
        systems[name] = {
            "track": entry.track,
            "published": entry.published,
            **report["systems"][name],
            "difference": None if ours is None else _reversed(ours[OVERALL]),
        }
        turns[name] = report["timing"]["turns"][name]
    common = reports[TRACKS[0]]
    return {
        **record,
        "versions": common["versions"],
        "bootstrap": common["bootstrap"],
        "systems": systems,
        "timing": {**timing, "turns": turns},
    }


def _is_planner(entry: Contestant) -> bool:
    return entry.system.name == planner_name(entry.track)


def _reversed(difference: Mapping[str, Any]) -> dict[str, Any]:
    """Return the difference seen from the other side."""
    intervals = {name: [-high, -low] for name, (low, high) in difference["intervals"].items()}
    return {
        name: value if name == "sample_count" else -value
        for name, value in difference.items()
        if name != "intervals"
    } | {"intervals": intervals}
