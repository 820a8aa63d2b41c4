"""Presets of the planner (``*.toml``) and field maps of known catalogs (``catalogs/*.toml``)."""

from importlib.resources import files
from pathlib import Path

FOLDER = Path(str(files(__name__)))
"""The folder that holds the presets, in a checkout and in an installed wheel alike."""
