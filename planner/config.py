"""The planner's configuration: one TOML file, read strictly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from configs import FOLDER
from rollouts.config import RolloutConfig
from scoring.config import Count, ScoringConfig, Settings, Share

T = TypeVar("T")


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names file and key."""


class QuestionConfig(Settings, frozen=True, kw_only=True):
    """Which questions may be asked.

    Attributes:
        other: whether the shopper may be asked for anything at all (the wildcard).
        times: how often one attribute may be asked in a session.
        least_mass: least probability that the target can answer, for a question to be considered.
        after_refusal: how far a question that was refused counts, as a share of that probability: it is asked
            again where it still promises more than each of the others.
    """

    other: bool
    times: Count
    least_mass: Share
    after_refusal: Share


class SessionConfig(Settings, frozen=True, kw_only=True):
    """How much is remembered of sessions; the one unused longest is forgotten first.

    Attributes:
        remembered: sessions whose conversation can go on.
        traced: sessions of which the beliefs and action values of the last ten turns are kept too.
    """

    remembered: Count
    traced: Count


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
        return cls.of(_decode(path), str(path), path.parent)

    @classmethod
    def of(
        cls, tables: Mapping[str, object], source: str = "configuration", folder: Path = Path()
    ) -> PlannerConfig:
        """Return the configuration that ``tables`` describe as a file would, ``base`` included.

        Args:
            tables: the settings, by name.
            source: what they are called in an error.
            folder: where the path of a base starts from.

        Raises:
            ConfigError: see :meth:`load`.
        """
        complete = _with_base(tables, source, folder)
        if (place := next(_not_finite(complete, "$"), None)) is not None:
            raise ConfigError(f"{source}: Expected a finite number - at `{place}`")
        try:
            return msgspec.convert(complete, cls, strict=True)
        except msgspec.ValidationError as error:
            raise ConfigError(f"{source}: {error}") from None

    @property
    def version(self) -> str:
        """Return a digest of all that decides how a conversation goes, the horizon's own weights aside."""
        tables = self.tables()
        tables["rollouts"] = {**tables["rollouts"], "horizon": None}
        decisive = {name: tables[name] for name in ("scoring", "rollouts", "questions")}
        return sha256(msgspec.json.encode(decisive, order="deterministic")).hexdigest()[:12]

    @property
    def horizon_is_current(self) -> bool:
        """Return whether the horizon's weights were fitted to the play of this very configuration."""
        return self.rollouts.horizon.fitted_for == self.version

    def tables(self) -> dict[str, Any]:
        """Return all settings as plain values, as :meth:`of` takes them."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        return values

    def changed(self, values: Mapping[str, object]) -> PlannerConfig:
        """Return the configuration with some values replaced, named such as ``scoring.posterior.floor``.

        Raises:
            ConfigError: there is no such setting, or it cannot have that value.
        """
        return PlannerConfig.of(_overlay(self.tables(), nested(values)), "changed settings")


def setting(config: PlannerConfig, name: str) -> Any:
    """Return the value of a setting named such as ``scoring.posterior.floor``.

    Raises:
        KeyError: there is none.
    """
    value: Any = config.tables()
    for key in name.split("."):
        value = value[key]
    return value


def nested(values: Mapping[str, object]) -> dict[str, object]:
    """Return values named such as ``scoring.posterior.floor`` as tables within tables."""
    tables: dict[str, object] = {}
    for name, value in values.items():
        for key in reversed(name.split(".")):
            value = {key: value}
        tables = _overlay(tables, value) if isinstance(value, dict) else tables
    return tables


def load_language(name: str, kind: type[T]) -> T:
    """Return what the reader of messages knows of English, from ``configs/language/``.

    Raises:
        ConfigError: the file cannot be used.
    """
    path = FOLDER / "language" / f"{name}.toml"
    try:
        return msgspec.convert(_decode(path), kind, strict=True)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}") from None


def _resolve(name: str | Path) -> Path:
    """Return the file of a preset's name or a path."""
    path = Path(name)
    if path.suffix != ".toml":
        path = FOLDER / f"{name}.toml"
    if not path.is_file():
        presets = sorted(str(file.relative_to(FOLDER).with_suffix("")) for file in FOLDER.rglob("*.toml"))
        known = ", ".join(preset for preset in presets if not preset.startswith(("catalogs", "language")))
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


def _with_base(
    tables: Mapping[str, object], source: str, folder: Path, above: tuple[Path, ...] = ()
) -> dict[str, object]:
    """Return ``tables`` laid over those of their base, that of its own base, and so on."""
    own = dict(tables)
    base = own.pop("base", None)
    if base is None:
        return own
    if not isinstance(base, str):
        raise ConfigError(f"{source}: Expected `str`, got `{type(base).__name__}` - at `$.base`")
    try:
        path = _resolve(folder / base if base.endswith(".toml") else base).resolve()
        if path in above:
            raise ConfigError(f"{path}: Expected a configuration that is not based on itself")
        below = _with_base(_decode(path), str(path), path.parent, (*above, path))
    except ConfigError as error:
        raise ConfigError(f"{source}: {error} - at `$.base`") from None
    return _overlay(below, own)


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
