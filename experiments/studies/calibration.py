"""The planner's beliefs against what was true: collected from finished sessions, measured, fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from experiments.customers.conversation import PAGE_SIZE, SessionResult
from experiments.customers.sessions import SCENARIOS
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.scorer import DIGITS
from experiments.reports.report import OVERALL
from experiments.running.replay import replay
from planner.config import PlannerConfig
from planner.planner import Planner
from scoring.calibration import (
    BeliefTable,
    PosteriorFit,
    brier_score,
    fit_posterior,
    log_loss,
    reliability,
)
from scoring.priors import log_prior

STATEMENTS: Mapping[str, str] = {
    "top": "the top product is the target",
    "ten": "the target is among the ten most probable products",
    "page": "the target is on the page shown",
}
"""What a belief states in each turn, by the name of the statement."""

LEAST_FLOOR = 0.002
"""The least share of the belief that stays spread evenly, against shoppers unlike those of the fit."""


@dataclass(frozen=True, slots=True)
class Observations:
    """What was believed in T turns of finished sessions, and what was true.

    Attributes:
        session: (T,) the place of the session.
        turn: (T,) from 1.
        scenario: (T,) the session's scenario.
        stated: by statement (see ``STATEMENTS``), (T,) the probability that the belief gives it.
        true: by statement, (T,) whether it is so.
        table: the whole beliefs.
    """

    session: NDArray[np.int64]
    turn: NDArray[np.int64]
    scenario: NDArray[np.str_]
    stated: Mapping[str, NDArray[np.float64]]
    true: Mapping[str, NDArray[np.bool_]]
    table: BeliefTable


def observe(
    planner: Planner, results: Sequence[SessionResult], targets: Sequence[str], rows: Mapping[str, int]
) -> Observations:
    """Return what ``planner`` believes in every turn of finished sessions.

    Args:
        planner: whose beliefs they are.
        results: the sessions, as they were played.
        targets: the id of each session's target.
        rows: the row of each id (see :func:`experiments.running.replay.rows_by_id`).
    """
    sessions, turns, scenarios, candidates, evidence, truth = [], [], [], [], [], []
    stated: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    true: dict[str, list[bool]] = {name: [] for name in STATEMENTS}
    for number, (result, target) in enumerate(zip(results, targets, strict=True)):
        wanted = rows[target]
        for turn in replay(planner, result, rows):
            belief = turn.belief
            sessions.append(number)
            turns.append(turn.turn)
            scenarios.append(result.scenario)
            candidates.append(belief.rows)
            evidence.append(belief.scores - belief.terms["prior"])
            found = np.flatnonzero(belief.rows == wanted)
            truth.append(int(found[0]) if len(found) else -1)
            for name, shown in (
                ("top", belief.rows[:1]),
                ("ten", belief.rows[:PAGE_SIZE]),
                ("page", np.array(turn.shown, dtype=np.int64)),
            ):
                stated[name].append(min(1.0, float(belief.probabilities[np.isin(belief.rows, shown)].sum())))
                true[name].append(wanted in shown)
    width = max(map(len, candidates))
    return Observations(
        session=np.array(sessions),
        turn=np.array(turns),
        scenario=np.array(scenarios),
        stated={name: np.array(values) for name, values in stated.items()},
        true={name: np.array(values) for name, values in true.items()},
        table=BeliefTable(
            rows=np.stack([_padded(part, width, -1) for part in candidates]),
            evidence=np.stack([_padded(part, width, -np.inf) for part in evidence]),
            truth=np.array(truth),
        ),
    )


def fit(planner: Planner, observed: Observations, least_floor: float = LEAST_FLOOR) -> PosteriorFit:
    """Return the temperature, floor and prior strength that fit the observations best by log loss."""
    prior = planner.config.scoring.prior

    def at(strength: float) -> NDArray[np.float64]:
        return log_prior(planner.catalog, msgspec.structs.replace(prior, strength=strength))

    posterior = planner.config.scoring.posterior
    return fit_posterior(observed.table, at, posterior, prior.strength, least_floor)


def fitted_values(fitted: PosteriorFit) -> dict[str, object]:
    """Return a fit as settings by name, rounded to what sessions can tell apart."""
    return {
        "scoring.prior.strength": round(fitted.strength, 3),
        "scoring.posterior.temperature": round(fitted.posterior.temperature, 3),
        "scoring.posterior.floor": round(fitted.posterior.floor, 4),
    }


def loss_under(planner: Planner, observed: Observations, config: PlannerConfig) -> float:
    """Return the log loss (nats) that a configuration's prior and posterior have on the same evidence."""
    prior = log_prior(planner.catalog, config.scoring.prior)
    return observed.table.loss(prior, config.scoring.posterior)


def measure(observed: Observations, bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the calibration of each statement overall, by scenario and by turn, in plain values.

    Intervals of the calibration error are percentile bootstrap over whole sessions. The error is a mean of
    absolute values: with few turns it lies above zero for perfect beliefs too, and its interval with it.
    """
    parts = {OVERALL: np.ones(len(observed.turn), dtype=bool)}
    parts |= {name: observed.scenario == name for name in SCENARIOS}
    parts |= {f"turn {turn}": observed.turn == turn for turn in np.unique(observed.turn)}
    return {
        "turns": len(observed.turn),
        "sessions": int(observed.session.max()) + 1,
        "no_candidate": round(float(np.mean(observed.table.truth < 0)), DIGITS),
        "statements": {
            statement: {
                name: _figures(observed, statement, chosen, bootstrap)
                for name, chosen in parts.items()
                if chosen.any()
            }
            for statement in STATEMENTS
        },
    }


def _figures(
    observed: Observations, statement: str, chosen: NDArray[np.bool_], bootstrap: Bootstrap
) -> dict[str, Any]:
    stated, true = observed.stated[statement][chosen], observed.true[statement][chosen]
    bins = reliability(stated, true)
    return {
        "turns": len(stated),
        "stated": round(float(stated.mean()), DIGITS),
        "true": round(float(true.mean()), DIGITS),
        "calibration_error": round(bins.expected_calibration_error, DIGITS),
        "interval": _error_interval(stated, true, observed.session[chosen], bootstrap),
        "brier": round(brier_score(stated, true), DIGITS),
        "log_loss": round(log_loss(stated, true), DIGITS),
        "bins": [
            [int(count), round(float(said), DIGITS), round(float(came), DIGITS)]
            for count, said, came in zip(bins.counts, bins.confidence, bins.frequency, strict=True)
            if count
        ],
    }


def _error_interval(
    stated: NDArray[np.float64], true: NDArray[np.bool_], sessions: NDArray[np.int64], bootstrap: Bootstrap
) -> list[float]:
    """Return the bounds of the calibration error, sessions resampled whole.

    The error is the sum over bins of |sum of (stated - true)| over the number of turns: with the sums of each
    session and bin, a resample is a weighting of sessions.
    """
    bins = len(reliability(stated, true).counts)
    numbers, place = np.unique(sessions, return_inverse=True)
    cell = place * bins + np.minimum((stated * bins).astype(np.int64), bins - 1)
    gaps = np.bincount(cell, stated - true, minlength=len(numbers) * bins).reshape(-1, bins)
    turns = np.bincount(place, minlength=len(numbers))
    rng = np.random.default_rng(bootstrap.seed)
    weights = rng.multinomial(len(numbers), np.full(len(numbers), 1 / len(numbers)), bootstrap.resamples)
    errors = np.abs(weights @ gaps).sum(axis=1) / (weights @ turns)
    tail = (1 - bootstrap.level) / 2
    return [round(float(bound), DIGITS) for bound in np.quantile(errors, [tail, 1 - tail])]


def _padded(values: NDArray[Any], width: int, filler: float) -> NDArray[Any]:
    return np.pad(values, (0, width - len(values)), constant_values=filler)
