"""How reports print: where, and tables and intervals as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console


def report_console(width: int = 110) -> Console:
    """Return a console on standard output: as wide as the terminal, or ``width`` where there is none."""
    console = Console()
    return console if console.is_terminal else Console(width=width)


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> list[str]:
    """Return a Markdown table whose first ``texts`` columns stand left and whose others stand right."""
    marks = ["---"] * texts + ["---:"] * (len(headings) - texts)
    return [f"| {' | '.join(cells)} |" for cells in (headings, marks, *rows)]


def with_interval(value: float, bounds: Sequence[float], sign: str = "") -> str:
    """Return a figure with the bounds of its interval; ``sign`` is ``+`` for a difference."""
    low, high = bounds
    return f"{value:{sign}.4f} [{low:{sign}.4f}, {high:{sign}.4f}]"
