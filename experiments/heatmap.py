"""A table of scores as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure


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
            ax.text(column, row, f"{value:.3f}", ha="center", va="center", fontsize=7)


def save_heat_map(
    path: Path, values: Sequence[Sequence[float]], rows: Sequence[str], columns: Sequence[str]
) -> None:
    """Write :func:`heat_map` as a picture of its own."""
    figure = Figure(figsize=(3 + 0.8 * len(columns), 1.5 + 0.25 * len(rows)), layout="constrained")
    heat_map(figure.add_subplot(), values, rows, columns)
    figure.savefig(path)
