"""A search for better settings: optuna over a space of named settings, its objective on training sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from experiments.errors import InputError
from planner.config import PlannerConfig, setting
from scoring.config import Settings

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

SPACE = Path(__file__).with_name("sweep.toml")
"""The space that is searched by default."""

FEWEST_FOR_IMPORTANCE = 8
"""Trials below which nothing is said of importance."""

_DIGITS = 4
"""Significant digits of a setting that is tried."""


class SpaceError(InputError):
    """A search space that cannot be used; the message names file and key."""


class Range(Settings, frozen=True, kw_only=True):
    """What one setting may be: from ``low`` to ``high``, or one of ``choices``."""

    low: float | None = None
    high: float | None = None
    log: bool = False
    whole: bool = False
    choices: tuple[Any, ...] | None = None

    def distribution(self) -> BaseDistribution:
        """Return the range as the sampler knows it; of ``choices`` the places, as lists are no categories."""
        from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

        if self.choices is not None:
            return CategoricalDistribution(range(len(self.choices)))
        low, high = self.low or 0.0, self.high or 0.0
        if self.whole:
            return IntDistribution(int(low), int(high), log=self.log)
        return FloatDistribution(low, high, log=self.log)

    def value(self, drawn: Any) -> object:
        """Return the setting that the sampler's value stands for, as it can be read: to four digits."""
        if self.choices is not None:
            return self.choices[drawn]
        return drawn if self.whole else float(f"{drawn:.{_DIGITS}g}")

    def drawn(self, value: Any) -> Any:
        """Return the sampler's value of a setting, ``None`` for one out of range."""
        if self.choices is not None:
            places = [msgspec.to_builtins(choice) for choice in self.choices]
            plain = msgspec.to_builtins(value)
            plain = list(plain) if isinstance(plain, tuple) else plain
            return places.index(plain) if plain in places else None
        return value if (self.low or 0.0) <= value <= (self.high or 0.0) else None

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
        number: of the best trial, the earliest among equals.
        importance: the share of each setting in the variance of the objective (PED-ANOVA, Watanabe et al.
            2023); empty with few trials.
    """

    attempts: tuple[Attempt, ...]
    number: int
    importance: Mapping[str, float]

    @property
    def best(self) -> Mapping[str, object]:
        """The settings of the best trial."""
        return self.attempts[self.number].values


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
        base: where settings that the space does not name stay; its own settings are the first trial, from
            which the sampler learns too if they lie within the space.
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
    ranges = {name: one.distribution() for name, one in space.items()}
    own = {name: setting(base, name) for name in space}
    attempts = [Attempt(own, objective(0, base))]
    known = {name: one.drawn(own[name]) for name, one in space.items()}
    if None not in known.values():
        study.add_trial(
            optuna.trial.create_trial(params=known, distributions=ranges, value=attempts[0].score)
        )
    for number in range(1, trials):
        trial = study.ask(ranges)
        values = {name: one.value(trial.params[name]) for name, one in space.items()}
        score = objective(number, base.changed(values))
        study.tell(trial, score)
        attempts.append(Attempt(values, score))
    best = max(range(trials), key=lambda number: attempts[number].score)
    importance: Mapping[str, float] = {}
    if len(attempts) > FEWEST_FOR_IMPORTANCE:
        importance = get_param_importances(study, evaluator=PedAnovaImportanceEvaluator())
    return Sweep(tuple(attempts), best, importance)
