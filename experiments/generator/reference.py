"""The published figures of the reference catalog and of its targets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import orjson


@cache
def reference_figures() -> Mapping[str, Any]:
    """Return the published figures by name; shares are fractions."""
    text = files("experiments.generator").joinpath("reference.json").read_bytes()
    figures: Mapping[str, Any] = orjson.loads(text)
    return figures
