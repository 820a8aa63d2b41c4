"""Figures of reports. Each function draws on the axes that it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from experiments.report import OVERALL

COLORS = {"robust": "tab:blue", "wildcard": "tab:orange"}
"""The color of each track."""


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
    for name, system in report["systems"].items():
        shares = system["hits_by_turn"]
        style = "-" if system["track"] == "robust" else "--"
        ax.plot(range(1, len(shares) + 1), shares, style, marker=".", label=name)
    ax.set_xlabel("turn")
    ax.set_ylabel("share of sessions hit")
    ax.set_ylim(0, 1.02)
    ax.legend(loc="lower right", fontsize="small", title="solid: robust, dashed: wildcard")


def heat_map(
    ax: Axes, values: Sequence[Sequence[float]], rows: Sequence[str], columns: Sequence[str]
) -> None:
    """Draw ``values`` (rows, columns), 0 to 1, as colored cells with their figures; NaN stays blank."""
    table = np.array(values, dtype=np.float64)
    ax.imshow(table, cmap="RdYlGn", vmin=0.0, vmax=1.0, aspect="auto")
    ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right")
    ax.set_yticks(range(len(rows)), rows)
    for (row, column), value in np.ndenumerate(table):
        if np.isfinite(value):
            ax.text(column, row, f"{value:.3f}", ha="center", va="center", fontsize="x-small")


def _track_legend(ax: Axes, report: Mapping[str, Any]) -> None:
    for track in dict.fromkeys(system["track"] for system in report["systems"].values()):
        ax.plot([], [], "s", color=COLORS[track], label=track)
    ax.legend(loc="best", fontsize="small")
