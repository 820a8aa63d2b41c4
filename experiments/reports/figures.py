"""Figures of reports. Each function draws on the axes that it is given; ``save_figure`` gives a file's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.reports.report import OVERALL, parts_of
from index.cards import ATTRIBUTES
from rollouts.engine import ActionValues
from rollouts.kernels import NO_QUESTION
from scoring.posterior import Belief

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = {"robust": "tab:blue", "wildcard": "tab:orange"}
"""The color of each track."""

_INCHES = (7.0, 4.0)
_DOTS_PER_INCH = 120
_LARGEST_MARK = 150.0
_LONGEST_TITLE = 40
_OFFSET = 0.8
"""Of the width between two scenarios, the part over which the systems' marks are spread."""
_SPREAD = 0.5
"""Of the width between two questions, the part over which the pages' marks are spread."""


def save_figure(path: Path, draw: Any, *what: Any, inches: tuple[float, float] = _INCHES) -> None:
    """Write what ``draw(ax, *what)`` draws as a picture of its own."""
    from matplotlib.figure import Figure

    path.parent.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=inches, layout="constrained")
    draw(figure.add_subplot(), *what)
    figure.savefig(path, dpi=_DOTS_PER_INCH)


def scores(ax: Axes, report: Mapping[str, Any]) -> None:
    """Draw each system's score with its interval, best at the top, and the published score as a cross."""
    ordered = sorted(report["systems"], key=lambda name: report["systems"][name][OVERALL]["score"])
    for place, name in enumerate(ordered):
        system = report["systems"][name]
        score = system[OVERALL]["score"]
        low, high = system[OVERALL]["intervals"]["score"]
        color = COLORS[system["track"]]
        ax.errorbar(score, place, xerr=[[score - low], [high - score]], fmt="o", color=color, capsize=3)
        if system["published"] is not None:
            ax.plot(system["published"], place, "x", color="black")
    ax.set_yticks(range(len(ordered)), ordered)
    ax.set_xlabel(f"score, with {report['bootstrap']['level']:.0%} interval; cross: published")
    _track_legend(ax, report)


def scores_by_scenario(ax: Axes, report: Mapping[str, Any]) -> None:
    """Draw each system's score with its interval, overall and by scenario."""
    systems = report["systems"]
    names = parts_of(next(iter(systems.values())))
    for place, (system, parts) in enumerate(systems.items()):
        score = np.array([parts[name]["score"] for name in names])
        bounds = np.array([parts[name]["intervals"]["score"] for name in names])
        across = np.arange(len(names)) + _OFFSET * ((place + 0.5) / len(systems) - 0.5)
        errors = np.maximum(np.abs(bounds.T - score), 0.0)
        ax.errorbar(across, score, yerr=errors, fmt="o", capsize=3, label=system)
    ax.set_xticks(range(len(names)), names)
    ax.set_ylabel(f"score, with {report['bootstrap']['level']:.0%} interval")
    ax.legend(fontsize="small")


def mean_turns(ax: Axes, report: Mapping[str, Any]) -> None:
    """Draw each system's mean turn of the hit with its interval; a miss counts as turn 11."""
    systems = report["systems"]
    for place, system in enumerate(systems.values()):
        mean = system[OVERALL]["mttc"]
        low, high = system[OVERALL]["intervals"]["mttc"]
        color = COLORS[system["track"]]
        ax.bar(place, mean, yerr=[[mean - low], [high - mean]], color=color, capsize=3)
    ax.set_xticks(range(len(systems)), list(systems), rotation=30, ha="right")
    ax.set_ylabel("mean turn of the hit (11: miss)")
    _track_legend(ax, report)


def hits_by_turn(ax: Axes, report: Mapping[str, Any]) -> None:
    """Draw for each system the share of sessions hit by the end of each turn."""
    dashed = False
    for name, system in report["systems"].items():
        shares = system["hits_by_turn"]
        wildcard = system.get("track") == "wildcard"
        dashed |= wildcard
        ax.plot(range(1, len(shares) + 1), shares, "--" if wildcard else "-", marker=".", label=name)
    ax.set_xlabel("turn")
    ax.set_ylabel("share of sessions hit")
    ax.set_ylim(0, 1.02)
    ax.legend(loc="lower right", fontsize="small", title="dashed: wildcard" if dashed else None)


def heat_map(
    ax: Axes, values: Sequence[Sequence[float]], rows: Sequence[str], columns: Sequence[str]
) -> None:
    """Draw scores (rows, columns) as colored cells; all below 0.5 look alike, NaN stays blank."""
    table = np.array(values, dtype=np.float64)
    ax.imshow(table, cmap="RdYlGn", vmin=0.5, vmax=1.0, aspect="auto")
    ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right")
    ax.set_yticks(range(len(rows)), rows)
    for (row, column), value in np.ndenumerate(table):
        if np.isfinite(value):
            ax.text(column, row, f"{value:.3f}", ha="center", va="center", fontsize="x-small")


def reliability_diagram(ax: Axes, bins: Sequence[Sequence[float]], label: str | None = None) -> None:
    """Draw the share that came true over what was stated; the area of a mark is the bin's count.

    ``bins`` are (count, mean probability, share that came true), as
    :func:`experiments.studies.calibration.measure` gives them. On the diagonal a belief means what it says.
    """
    count, stated, true = np.array(bins, dtype=np.float64).T
    ax.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    (line,) = ax.plot(stated, true, linewidth=1, alpha=0.7)
    ax.scatter(stated, true, s=_LARGEST_MARK * count / count.max(), color=line.get_color(), label=label)
    ax.set_xlim(0, 1.03)
    ax.set_ylim(0, 1.03)
    ax.set_xlabel("probability stated")
    ax.set_ylabel("share that came true")


def importance_bars(ax: Axes, importance: Mapping[str, float]) -> None:
    """Draw the share of each setting in the variance of the objective, the largest at the top."""
    ordered = sorted(importance.items(), key=lambda item: item[1])
    ax.barh([name for name, _ in ordered], [share for _, share in ordered])
    ax.set_xlabel("importance (PED-ANOVA)")


def course(ax: Axes, scores: Sequence[float]) -> None:
    """Draw the objective of each trial, and the best one so far."""
    ax.plot(range(len(scores)), scores, ".", label="trial")
    ax.plot(range(len(scores)), np.maximum.accumulate(scores), label="best so far")
    ax.axhline(scores[0], color="0.7", linewidth=1, label="base")
    ax.set_xlabel("trial")
    ax.set_ylabel("score on training sessions")
    ax.legend(fontsize="small")


def belief_bars(ax: Axes, belief: Belief, titles: Sequence[str], count: int = 10) -> None:
    """Draw the ``count`` largest probabilities; ``titles`` (N,) name the catalog's rows."""
    rows = belief.rows[:count]
    places = np.arange(len(rows))[::-1]
    ax.barh(places, belief.probabilities[:count])
    ax.set_yticks(places, [_short(str(titles[row])) for row in rows])
    ax.set_xlim(0, 1)
    ax.set_xlabel("probability")


def action_value_marks(ax: Axes, values: ActionValues) -> None:
    """Draw the value of each question with each page, with two standard errors of the rollouts."""
    labels = ["no question" if code == NO_QUESTION else ATTRIBUTES[code] for code in values.questions]
    names = list(dict.fromkeys(labels))
    places = np.array([names.index(label) for label in labels], dtype=np.float64)
    pages = np.unique(values.pages)
    for number, page in enumerate(pages):
        chosen = values.pages == page
        across = places[chosen] + _SPREAD * ((number + 0.5) / len(pages) - 0.5)
        errors = 2 * values.standard_errors[chosen]
        ax.errorbar(across, values.means[chosen], yerr=errors, fmt="o", capsize=3, label=f"show {page}")
    ax.plot(places[values.best], values.means[values.best], "x", color="black", label="chosen")
    ax.set_xticks(range(len(names)), names, rotation=30, ha="right")
    ax.set_ylabel("expected session score")
    ax.legend(fontsize="small")


def gain_by_confidence(
    ax: Axes, confidence: NDArray[np.float64], gain: NDArray[np.float64], bins: int = 10
) -> None:
    """Draw (T,) gains over (T,) confidences, with the mean of each bin of confidence."""
    ax.axhline(0, color="0.7", linewidth=1)
    ax.plot(confidence, gain, ".", alpha=0.4)
    places = np.minimum((confidence * bins).astype(int), bins - 1)
    filled = np.unique(places)
    means = [gain[places == place].mean() for place in filled]
    ax.plot((filled + 0.5) / bins, means, "k-", label="mean")
    ax.set_xlabel("confidence in the top product")
    ax.legend(fontsize="small")


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"


def _track_legend(ax: Axes, report: Mapping[str, Any]) -> None:
    for track in dict.fromkeys(system["track"] for system in report["systems"].values()):
        ax.plot([], [], "s", color=COLORS[track], label=track)
    ax.legend(loc="best", fontsize="small")
