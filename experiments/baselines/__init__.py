"""Reference systems to measure the planner against, each rebuilt on the shared index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from experiments.baselines.dual_layer import DualLayerAgent
from experiments.baselines.fangrybirds import FangryBirds
from experiments.baselines.lab_rats import LabRats
from experiments.baselines.splitting import WILDCARD, SplittingPlanner
from experiments.baselines.star_labs import StarLabs
from experiments.baselines.weak import WeakBaseline
from experiments.customers.conversation import ShoppingAgent
from index.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Baseline:
    """A reference system.

    Attributes:
        make: makes the agent from a catalog; importable by worker processes.
        track: ``robust`` where it asks named attributes only, ``wildcard`` where it asks ``other`` too.
        published: the score that its authors report on the public kit's 200 sessions, ``None`` for none.
    """

    make: Callable[[Catalog], ShoppingAgent]
    track: str
    published: float | None


BASELINES: dict[str, Baseline] = {
    "weak": Baseline(WeakBaseline, "robust", 0.106710),
    "splitting": Baseline(SplittingPlanner, "robust", 0.823394),
    "splitting-wildcard": Baseline(partial(SplittingPlanner, settings=WILDCARD), "wildcard", 0.855036),
    "dual-layer": Baseline(DualLayerAgent, "robust", 0.865111),
    "lab-rats": Baseline(LabRats, "wildcard", None),
    "fangrybirds": Baseline(FangryBirds, "wildcard", 0.979),
    "fangrybirds-ungated": Baseline(partial(FangryBirds, gated=False), "wildcard", 0.914),
    "star-labs": Baseline(StarLabs, "wildcard", 0.98),
}
"""The reference systems by name, in the order of the reports' tables."""
