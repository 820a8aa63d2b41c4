"""What each part of the planner brings: the full planner beside ones that lack or change a single part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.scorer import DIGITS, METRICS, metrics, session_values
from experiments.running.evaluate import Run, System, planner_system
from planner.config import PlannerConfig
from rollouts.horizon import HORIZON_TERMS

FULL = "full"
_SCORE = METRICS.index("score")

VARIANTS: Mapping[str, Mapping[str, object]] = {
    "no rollouts: splitting heuristic": {"rollouts.method": "splitting"},
    "no rollouts: exact first ply alone": {"rollouts.method": "first_ply"},
    "depth 0": {"rollouts.depth": 0},
    "depth 4": {"rollouts.depth": 4},
    "depth 9": {"rollouts.depth": 9},
    "256 rollouts": {"rollouts.budget": 256, "rollouts.limit": 256},
    "16,384 rollouts": {"rollouts.budget": 16_384, "rollouts.limit": 16_384},
    "rollouts alike on all actions": {"rollouts.halving": False},
    "no more rollouts for close calls": {"rollouts.separation": 0.0},
    "horizon: plan without answers": {f"rollouts.horizon.{term}": 0.0 for term in HORIZON_TERMS},
    "16 candidates imagined": {"rollouts.candidates": 16},
    "256 candidates imagined": {"rollouts.candidates": 256},
    "pages of 1": {"rollouts.pages": [1]},
    "pages of 10": {"rollouts.pages": [10]},
    "pages of 1, 2, 3, 5, 10": {"rollouts.pages": [1, 2, 3, 5, 10]},
    "prior: uniform": {"scoring.prior.strength": 0.0},
    "prior: half strength": {"scoring.prior.strength": 0.5},
    "prior: 5% uniform": {"scoring.prior.uniform_share": 0.05},
    "prior: 60% uniform": {"scoring.prior.uniform_share": 0.6},
    "silence says nothing": {"scoring.shopper.silent": 0.0, "scoring.shopper.omitted": 0.0},
    "refused questions stay closed": {"questions.after_refusal": 0.0},
    "category says nothing": {"scoring.text.category_miss": 0.0},
}
"""The variants by name: settings that differ from the full planner's."""


def ablated(config: PlannerConfig, names: Sequence[str] | None = None) -> list[System]:
    """Return the full planner and its variants (all, or those named) as systems."""
    chosen = {name: VARIANTS[name] for name in (names or VARIANTS)}
    return [
        planner_system(FULL, config),
        *(planner_system(name, config.changed(values)) for name, values in chosen.items()),
    ]


def ablation_rows(runs: Sequence[Run], bootstrap: Bootstrap) -> dict[str, dict[str, Any]]:
    """Return by system its metrics and times, and its score against the full planner's (paired bootstrap)."""
    full = session_values(runs[0].results)[:, _SCORE]
    rows = {}
    for run in runs:
        difference = session_values(run.results)[:, [_SCORE]] - full[:, None]
        low, high = bootstrap.intervals(difference)[0]
        found = metrics(run.results)
        rows[run.system] = {
            "score": found.score,
            "hit_rate_at_10": found.hit_rate_at_10,
            "mrr": found.mrr,
            "mttc": found.mttc,
            "difference": round(float(difference.mean()), DIGITS),
            "interval": [round(float(low), DIGITS), round(float(high), DIGITS)],
        }
    return rows


def median_ms(run: Run) -> float:
    """Return the median time of a turn in milliseconds."""
    return float(np.median([turn.ms for result in run.results for turn in result.turns]))
