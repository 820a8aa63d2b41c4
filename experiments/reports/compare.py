"""Two runs side by side: paired differences by metric and scenario, and whether one replaces the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from experiments.customers.sessions import SCENARIOS
from experiments.errors import InputError
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.scorer import DIGITS, METRICS, session_values
from experiments.reports.report import OVERALL, SESSIONS_FILE, difference_record
from experiments.reports.tables import with_interval
from experiments.running.runs import RUN_FILE

_SCORE = METRICS.index("score")


class CompareError(InputError):
    """Runs that cannot be compared; the message says why, in one line."""


class Verdict(StrEnum):
    """What a comparison says of its first run."""

    WIN = "win"
    TIE = "tie"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class ShipRule:
    """When a run is worth replacing another.

    Attributes:
        least: the least gain in score that counts as a win.
        sessions: so many sessions of ``split`` at least, controls apart.
        split: the split that the sessions' seeds must be of.
        control: the distribution on which nothing may be lost.
    """

    least: float = 0.02
    sessions: int = 1_000
    split: str = "held-out"
    control: str = "uniform"


class Outcome(msgspec.Struct, frozen=True):
    """How a system ended a session."""

    turn: int | None
    rank: int | None


class SessionLine(msgspec.Struct, frozen=True):
    """A line of ``sessions.jsonl``, as far as a comparison needs it."""

    sample_id: str
    scenario_type: str
    target: str
    systems: dict[str, Outcome]
    set: str = ""


class _SetRecord(msgspec.Struct, frozen=True):
    distribution: str | None = None
    splits: tuple[str, ...] = ()


class _RunRecord(msgspec.Struct, frozen=True):
    sets: dict[str, _SetRecord]


_Key = tuple[str, str, str, str]
"""What makes two sessions the same: distribution (or set), session, scenario, target."""


@dataclass(frozen=True, slots=True)
class Side:
    """One system of one run: its outcomes by session, and the splits of each distribution (or set)."""

    folder: Path
    system: str
    outcomes: Mapping[_Key, Outcome]
    splits: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, folder: Path, system: str | None = None) -> Side:
        """Read a run's folder; without a name, its first system.

        Raises:
            CompareError: the folder holds no finished run, or not that system.
        """
        record = _decoded(folder / RUN_FILE, _RunRecord)[0]
        lines = _decoded(folder / SESSIONS_FILE, SessionLine, by_line=True)
        names = list(lines[0].systems) if lines else []
        if not names or (system is not None and system not in names):
            raise CompareError(f"{folder} has no system {system!r}; it has {', '.join(names) or 'none'}")
        chosen = system or names[0]
        outcomes: dict[_Key, Outcome] = {}
        splits: dict[str, tuple[str, ...]] = {}
        for line in lines:
            origin = record.sets.get(line.set, _SetRecord())
            name = origin.distribution or line.set
            outcomes[name, line.sample_id, line.scenario_type, line.target] = line.systems[chosen]
            splits[name] = origin.splits
        return cls(folder, chosen, outcomes, splits)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first run against the other.

    Attributes:
        names: of the two systems.
        rule: the rule that the verdict follows.
        differences: by set of sessions and scenario: count, mean difference and interval of each metric.
        unpaired: sessions that only one of the runs has, by run.
        verdict: what the rule says.
        reasons: why, a line each.
    """

    names: tuple[str, str]
    rule: ShipRule
    differences: Mapping[str, Mapping[str, Mapping[str, Any]]]
    unpaired: tuple[int, int]
    verdict: Verdict
    reasons: tuple[str, ...]


def compare(first: Side, other: Side, rule: ShipRule, bootstrap: Bootstrap) -> Comparison:
    """Return the paired comparison of two systems on the sessions that both have played.

    Raises:
        CompareError: they have no session in common.
    """
    common = [key for key in first.outcomes if key in other.outcomes]
    if not common:
        raise CompareError(f"{first.folder} and {other.folder} have no session in common")
    values = session_values([first.outcomes[key] for key in common]) - session_values(
        [other.outcomes[key] for key in common]
    )
    names = np.array([key[0] for key in common])
    scenarios = np.array([key[2] for key in common])
    differences = {
        name: _by_scenario(values[names == name], scenarios[names == name], bootstrap)
        for name in dict.fromkeys(names.tolist())
    }
    verdict, reasons = _verdict(first, names, values, rule, bootstrap)
    return Comparison(
        names=(f"{first.folder}:{first.system}", f"{other.folder}:{other.system}"),
        rule=rule,
        differences=differences,
        unpaired=(len(first.outcomes) - len(common), len(other.outcomes) - len(common)),
        verdict=verdict,
        reasons=tuple(reasons),
    )


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison in plain values."""
    return asdict(comparison)


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print the differences, the verdict and its reasons."""
    table = Table(title="{} - {}, paired".format(*comparison.names))
    table.add_column("sessions")
    for heading in ("n", "HR@10", "MRR", "MTTC", "efficiency", "score"):
        table.add_column(heading, justify="right")
    for name, parts in comparison.differences.items():
        for scenario, part in parts.items():
            table.add_row(
                name if scenario == OVERALL else f"  {scenario}",
                str(part["sample_count"]),
                *(f"{part[metric]:+.3f}" for metric in METRICS[:-1]),
                with_interval(part["score"], part["intervals"]["score"], "+"),
                style="bold" if scenario == OVERALL else None,
            )
        table.add_section()
    console.print(table)
    if any(comparison.unpaired):
        console.print("not paired: {} sessions of the first, {} of the other".format(*comparison.unpaired))
    for reason in comparison.reasons:
        console.print(f"- {reason}", highlight=False, markup=False)
    console.print(f"verdict: {comparison.verdict}", highlight=False)


def _verdict(
    first: Side,
    names: NDArray[np.str_],
    values: NDArray[np.float64],
    rule: ShipRule,
    bootstrap: Bootstrap,
) -> tuple[Verdict, list[str]]:
    """Return win, tie or loss, and why.

    A loss is an interval of the score's difference that lies below zero, on the sessions or on the control. A
    win is a gain of ``rule.least`` or more whose interval lies above zero, on enough sessions of the right
    split, with a control that is no loss. All else is a tie.
    """
    control = names == rule.control
    main = ~control
    of_split = main & np.isin(names, [n for n, splits in first.splits.items() if splits == (rule.split,)])
    reasons = []
    won = lost = False
    if main.any():
        mean, low, high = _score_interval(values[main], bootstrap)
        won, lost = mean >= rule.least and low > 0, high < 0
        reasons.append(
            f"score {with_interval(mean, (low, high), '+')} on {main.sum()} sessions; "
            f"a win takes {rule.least:+.4f} with an interval above zero"
        )
    if of_split.sum() < rule.sessions:
        won = False
        reasons.append(f"{of_split.sum()} {rule.split} sessions; a win takes {rule.sessions}")
    if control.any():
        mean, low, high = _score_interval(values[control], bootstrap)
        lost = lost or high < 0
        reasons.append(
            f"control ({rule.control}): score {with_interval(mean, (low, high), '+')} "
            f"on {control.sum()} sessions{'; a loss' if high < 0 else ''}"
        )
    else:
        won = False
        reasons.append(f"no {rule.control} sessions to control; a win takes them")
    return Verdict.LOSS if lost else Verdict.WIN if won else Verdict.TIE, reasons


def _score_interval(values: NDArray[np.float64], bootstrap: Bootstrap) -> tuple[float, float, float]:
    """Return mean and bounds of the score's difference, rounded as they are printed in reports."""
    column = values[:, [_SCORE]]
    low, high = bootstrap.intervals(column)[0]
    return tuple(round(float(value), DIGITS) for value in (column.mean(), low, high))  # type: ignore[return-value]


def _by_scenario(
    values: NDArray[np.float64], scenarios: NDArray[np.str_], bootstrap: Bootstrap
) -> dict[str, dict[str, Any]]:
    parts = {OVERALL: values, **{name: values[scenarios == name] for name in SCENARIOS}}
    return {name: difference_record(part, bootstrap) for name, part in parts.items() if len(part)}


def _decoded(path: Path, kind: type[Any], *, by_line: bool = False) -> Sequence[Any]:
    """Return the objects of a file."""
    if not path.exists():
        raise CompareError(f"{path.parent} holds no finished run: no {path.name}")
    content = path.read_bytes()
    decoder = msgspec.json.Decoder(kind)
    found = []
    for number, line in enumerate(content.splitlines() if by_line else [content], 1):
        try:
            found.append(decoder.decode(line))
        except msgspec.MsgspecError as error:
            raise CompareError(f"{path}, line {number}: {error}") from None
    return found
