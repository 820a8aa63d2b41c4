"""A search for better settings: optuna over a space of named settings, its objective on training sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from planner.config import PlannerConfig, setting
from scoring.config import Settings

if TYPE_CHECKING:
    from optuna.trial import Trial

SPACE = Path(__file__).with_name("sweep.toml")
"""The space that is searched by default."""

FEWEST_FOR_IMPORTANCE = 8
"""Trials below which nothing is said of importance."""


class SpaceError(ValueError):
    """A search space that cannot be used; the message names file and key."""


class Range(Settings, frozen=True, kw_only=True):
    """What one setting may be: from ``low`` to ``high``, or one of ``choices``."""

    low: float | None = None
    high: float | None = None
    log: bool = False
    whole: bool = False
    choices: tuple[Any, ...] | None = None

    def suggest(self, trial: Trial, name: str) -> object:
        """Return the value that the sampler tries next."""
        if self.choices is not None:
            # Lists are no categories of optuna's: their places are.
            return self.choices[trial.suggest_categorical(name, list(range(len(self.choices))))]
        low, high = self.low or 0.0, self.high or 0.0
        if self.whole:
            return trial.suggest_int(name, int(low), int(high), log=self.log)
        return trial.suggest_float(name, low, high, log=self.log)

    def fault(self) -> str | None:
        """Return what is wrong with the range, ``None`` for nothing."""
        if self.choices is not None:
            odd = self.low is not None or self.high is not None or len(self.choices) < 2
            return "Expected two `choices` or more, without `low` and `high`" if odd else None
        if self.low is None or self.high is None or not self.low < self.high:
            return "Expected `low` below `high`, or `choices`"
        return "Expected `low` above 0 where `log` is set" if self.log and self.low <= 0 else None


def read_space(path: Path, base: PlannerConfig) -> dict[str, Range]:
    """Read a search space, and see that the settings it names are there.

    Raises:
        SpaceError: no TOML, a range that is none, or a name that is no setting.
        OSError: the file cannot be read.
    """
    try:
        space = msgspec.toml.decode(path.read_bytes(), type=dict[str, Range])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SpaceError(f"{path}: {error}") from None
    if not space:
        raise SpaceError(f"{path} names no setting")
    for name, one in space.items():
        try:
            setting(base, name)
        except KeyError:
            raise SpaceError(f"{path}: no such setting - at `{name}`") from None
        if fault := one.fault():
            raise SpaceError(f"{path}: {fault} - at `{name}`")
    return space


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trial: its settings and the objective."""

    values: Mapping[str, object]
    score: float


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a search found.

    Attributes:
        attempts: all trials in order; the first has the settings of the base.
        best: the settings of the best trial, the earliest among equals.
        importance: the share of each setting in the variance of the objective (PED-ANOVA, Watanabe et al.
            2023); empty with few trials.
    """

    attempts: tuple[Attempt, ...]
    best: Mapping[str, object]
    importance: Mapping[str, float]


def search(
    base: PlannerConfig,
    space: Mapping[str, Range],
    objective: Callable[[int, PlannerConfig], float],
    trials: int,
    seed: int,
) -> Sweep:
    """Search for settings with a large objective by tree-structured Parzen estimators (Bergstra et al. 2011).

    The same arguments and the same objective lead to the same trials.

    Args:
        base: where settings that the space does not name stay; its own settings are the first trial.
        space: what may vary.
        objective: the value of a trial's number and settings, larger is better.
        trials: how many, the first included.
        seed: of the sampler.
    """
    # Imported here: it takes a second, and every command imports this module.
    import optuna
    from optuna.importance import PedAnovaImportanceEvaluator, get_param_importances
    from optuna.samplers import TPESampler

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=TPESampler(seed=seed))
    attempts = [Attempt({name: setting(base, name) for name in space}, objective(0, base))]

    def run(trial: Trial) -> float:
        values = {name: one.suggest(trial, name) for name, one in space.items()}
        score = objective(trial.number + 1, base.changed(values))
        attempts.append(Attempt(values, score))
        return score

    study.optimize(run, n_trials=max(0, trials - 1))
    best = max(attempts, key=lambda attempt: attempt.score)
    importance: Mapping[str, float] = {}
    if len(attempts) > FEWEST_FOR_IMPORTANCE:
        importance = get_param_importances(study, evaluator=PedAnovaImportanceEvaluator())
    return Sweep(tuple(attempts), best.values, importance)
