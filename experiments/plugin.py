"""Puts the agent into an evaluator's kit as ``starter/agent.py``."""

from __future__ import annotations

from pathlib import Path

from experiments.errors import InputError

MARK = "# Written by `python -m experiments plugin`; written anew by the same command."

_SOURCE = '''{mark}
"""The shopping planner as the kit's agent."""

import sys
from importlib.util import find_spec

if find_spec("planner") is None:
    sys.path.append({root!r})

from planner.agent import Agent  # noqa: E402

__all__ = ["Agent"]
'''


class PluginError(InputError):
    """The plug-in cannot be written; the message says why, in one line."""


def write_plugin(kit: str | Path, *, force: bool = False) -> Path:
    """Write ``starter/agent.py`` into the folder ``kit`` and return its path.

    The file imports the agent from wherever it runs: as installed, else from the folder that holds the
    project now.

    Raises:
        PluginError: there is no such folder, or the file exists, was not written by this function, and
            ``force`` is not set.
    """
    folder = Path(kit)
    if not folder.is_dir():
        raise PluginError(f"no such folder: {folder}")
    package = folder / "starter"
    target = package / "agent.py"
    if target.exists() and not force and MARK not in target.read_text(encoding="utf-8", errors="replace"):
        raise PluginError(f"{target} was not written by this command; --force replaces it")
    package.mkdir(exist_ok=True)
    (package / "__init__.py").touch()
    root = str(Path(__file__).resolve().parents[1])
    target.write_text(_SOURCE.format(mark=MARK, root=root), encoding="utf-8")
    return target
