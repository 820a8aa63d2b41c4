"""Where reports are printed."""

from __future__ import annotations

from rich.console import Console


def report_console(width: int) -> Console:
    """Return a console on standard output: as wide as the terminal, or ``width`` where there is none."""
    console = Console()
    return console if console.is_terminal else Console(width=width)
