"""The planner's configuration: one TOML file, read strictly."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path

import msgspec

from configs import FOLDER
from rollouts.config import RolloutConfig
from scoring.config import Count, ScoringConfig, Settings, Share


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names file and key."""


class QuestionConfig(Settings, frozen=True, kw_only=True):
    """Which questions may be asked.

    Attributes:
        other: whether the shopper may be asked for anything at all (the wildcard).
        times: how often one attribute may be asked in a session.
        least_mass: least probability that the target can answer, for a question to be considered.
    """

    other: bool
    times: Count
    least_mass: Share


class SessionConfig(Settings, frozen=True, kw_only=True):
    """How many sessions are remembered; the one unused longest is forgotten first."""

    remembered: Count


class PlannerConfig(Settings, frozen=True, kw_only=True):
    """All settings of the planner; ``track`` is the name that reports print."""

    track: str
    scoring: ScoringConfig
    rollouts: RolloutConfig
    questions: QuestionConfig
    sessions: SessionConfig

    @classmethod
    def load(cls, name: str | Path) -> PlannerConfig:
        """Read a preset by its name in ``configs/`` (such as ``robust``) or a TOML file by its path.

        A file may start from another one with ``base`` (a preset's name, or a path from the file's own
        folder) and state only what differs.

        Raises:
            ConfigError: no such file, no TOML, a missing or unknown key, or a value of the wrong type or out
                of its range.
        """
        path = _resolve(name)
        tables = _read_tables(path)
        if (place := next(_not_finite(tables, "$"), None)) is not None:
            raise ConfigError(f"{path}: Expected a finite number - at `{place}`")
        try:
            return msgspec.convert(tables, cls, strict=True)
        except msgspec.ValidationError as error:
            raise ConfigError(f"{path}: {error}") from None


def _resolve(name: str | Path) -> Path:
    """Return the file of a preset's name or a path."""
    path = Path(name)
    if path.suffix != ".toml":
        path = FOLDER / f"{name}.toml"
    if not path.is_file():
        presets = sorted(str(file.relative_to(FOLDER).with_suffix("")) for file in FOLDER.rglob("*.toml"))
        known = ", ".join(preset for preset in presets if not preset.startswith("catalogs"))
        raise ConfigError(f"{path}: no such configuration; presets are {known}")
    return path


def _decode(path: Path) -> dict[str, object]:
    try:
        tables: dict[str, object] = msgspec.toml.decode(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    return tables


def _read_tables(path: Path) -> dict[str, object]:
    """Return the tables of a file laid over those of its base."""
    tables = _decode(path)
    base = tables.pop("base", None)
    if base is None:
        return tables
    if not isinstance(base, str):
        raise ConfigError(f"{path}: Expected `str`, got `{type(base).__name__}` - at `$.base`")
    try:
        below = _decode(_resolve(path.parent / base if base.endswith(".toml") else base))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error} - at `$.base`") from None
    if "base" in below:
        raise ConfigError(f"{path}: Expected a configuration that has no base itself - at `$.base`")
    return _overlay(below, tables)


def _overlay(below: dict[str, object], above: dict[str, object]) -> dict[str, object]:
    """Return ``below`` with the values of ``above``, tables merged key by key."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _overlay(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _not_finite(value: object, place: str) -> Iterator[str]:
    """Yield the places of the numbers in ``value`` that are infinite or none."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _not_finite(part, f"{place}.{key}")
    elif isinstance(value, float) and not isfinite(value):
        yield place
