"""Fitting how shoppers are heard: the weights of the noisy channel, of shoppers who stray, and of silence.

By maximum likelihood: the belief in each turn of finished sessions should give the product wanted as much
probability as it can, over a mixture of shoppers who keep to the protocol and shoppers who do not. Weights
stay on a grid of round numbers, and where they are while nothing better is near.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from experiments.customers.conversation import SessionResult
from experiments.running.replay import replay
from index.catalog import Catalog
from planner.config import PlannerConfig
from planner.planner import Planner
from scoring.config import Settings
from scoring.evidence import Evidence
from scoring.posterior import Scorer

SPACE = Path(__file__).with_name("hearing.toml")
"""The kinds of shopper and the weights that are fitted to them."""

RIVALS = 200
"""Products beside the one wanted whose probability is worked out again: the most probable ones."""


class HearingSpace(Settings, frozen=True, kw_only=True):
    """What a fit goes through.

    Attributes:
        kinds: perturbations by name.
        weights: by the name of a setting, the values that it may have.
    """

    kinds: tuple[str, ...]
    weights: dict[str, Annotated[tuple[float, ...], msgspec.Meta(min_length=2)]]


def read_space(path: Path = SPACE) -> HearingSpace:
    """Return the space that a file describes.

    Raises:
        msgspec.MsgspecError: the file holds something else.
        OSError: it cannot be read.
    """
    return msgspec.toml.decode(path.read_bytes(), type=HearingSpace)


@dataclass(frozen=True, slots=True)
class HeardTurn:
    """What a session had shown after a message.

    Attributes:
        evidence: that.
        rows: (K,) the product wanted, then others that were probable.
    """

    evidence: Evidence
    rows: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HeardSession:
    """The turns of a finished session, and the kind of its shopper; all kinds count alike."""

    kind: str
    turns: tuple[HeardTurn, ...]


def observe_heard(
    planner: Planner,
    kind: str,
    results: Sequence[SessionResult],
    targets: Sequence[str],
    rows: Mapping[str, int],
) -> list[HeardSession]:
    """Return what was shown in the turns of finished sessions.

    Args:
        planner: who reads the messages.
        kind: of shopper.
        results: the sessions, as they were played.
        targets: the id of each session's target.
        rows: the row of each id (see :func:`experiments.replay.rows_by_id`).
    """
    return [
        HeardSession(
            kind,
            tuple(
                HeardTurn(turn.state.evidence, np.append(rows[target], others[others != rows[target]]))
                for turn in replay(planner, result, rows)
                for others in [turn.belief.rows[:RIVALS]]
            ),
        )
        for result, target in zip(results, targets, strict=True)
    ]


def surprise(scorer: Scorer, heard: HeardTurn, turn: int) -> float:
    """Return the negative log-probability (nats) of the product wanted, among those that were probable."""
    posterior = scorer.config.posterior
    scores = scorer.scores(heard.rows, heard.evidence, turn)
    share = softmax(scores / posterior.temperature)[0]
    return -float(np.log((1.0 - posterior.floor) * share + posterior.floor / scorer.config.candidates.kept))


def losses(scorer: Scorer, sessions: Sequence[HeardSession]) -> dict[str, float]:
    """Return for each kind of shopper the mean over sessions of the mean surprise (nats) of a turn."""
    found: dict[str, list[float]] = {}
    for session in sessions:
        turns = [surprise(scorer, heard, turn) for turn, heard in enumerate(session.turns, 1)]
        found.setdefault(session.kind, []).append(float(np.mean(turns)))
    return {kind: float(np.mean(values)) for kind, values in found.items()}


@dataclass(frozen=True, slots=True)
class HearingFit:
    """Where a fit came to.

    Attributes:
        values: the settings by name.
        loss: their loss.
        before: the loss of the settings at the start.
        profile: by setting, the loss at each value that was tried with the others as they are.
    """

    values: Mapping[str, float]
    loss: float
    before: float
    profile: Mapping[str, Mapping[float, float]]


def fit_grid(
    loss: Callable[[Mapping[str, float]], float],
    start: Mapping[str, float],
    grids: Mapping[str, Sequence[float]],
    tolerance: float,
    passes: int,
) -> HearingFit:
    """Return the point of least loss that single steps lead to (pattern search, Hooke and Jeeves 1961).

    One setting after the other goes to a neighbouring value while the loss falls by more than ``tolerance``,
    until a pass over all changes nothing, or ``passes`` are over. Then both neighbours of each are looked at.

    Args:
        loss: of settings by name; smaller is better.
        start: where the search starts; off the grid counts as the nearest value at first.
        grids: the values of each setting.
        tolerance: what a step must gain.
        passes: at most.
    """
    known: dict[tuple[float, ...], float] = {}

    def at(values: Mapping[str, float]) -> float:
        key = tuple(values.values())
        if key not in known:
            known[key] = loss(values)
        return known[key]

    def neighbours(name: str, value: float) -> list[float]:
        lower = [other for other in grids[name] if other < value]
        higher = [other for other in grids[name] if other > value]
        return [*([max(lower)] if lower else []), *([min(higher)] if higher else [])]

    best = {name: float(start[name]) for name in grids}
    before = at(best)
    for _ in range(passes):
        moved = False
        for name in grids:
            for direction in (0, 1):
                while True:
                    near = neighbours(name, best[name])
                    side = next((value for value in near if (value > best[name]) == direction), None)
                    if side is None or at(best | {name: side}) > at(best) - tolerance:
                        break
                    best[name] = side
                    moved = True
        if not moved:
            break
    profile = {
        name: {
            value: at(best | {name: value}) for value in sorted([best[name], *neighbours(name, best[name])])
        }
        for name in grids
    }
    return HearingFit(best, at(best), before, profile)


def mean_loss(
    catalog: Catalog,
    tracks: Sequence[PlannerConfig],
    sessions: Sequence[Sequence[HeardSession]],
    values: Mapping[str, float],
) -> float:
    """Return the mean loss (nats) of some settings over tracks and kinds of shopper.

    Args:
        catalog: what is shopped in.
        tracks: the configuration of each.
        sessions: those of each track.
        values: of the settings by name.
    """
    found = [
        np.mean(list(losses(Scorer(catalog, config.changed(dict(values)).scoring), of_track).values()))
        for config, of_track in zip(tracks, sessions, strict=True)
    ]
    return float(np.mean(found))
