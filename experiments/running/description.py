"""A run as one TOML file: the catalog, the sets of sessions, the systems to compare, where it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import tomli_w
from rich.console import Console

from experiments.baselines import BASELINES
from experiments.benchmark import defaults
from experiments.benchmark.prepare import default_catalog, shoppers_of
from experiments.customers.customer import Shopper
from experiments.customers.sessions import (
    Distribution,
    Session,
    SessionError,
    draw_sessions,
    read_sessions,
    split_of,
    with_known_targets,
)
from experiments.errors import InputError
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.stopwatch import Stopwatch
from experiments.running.backends import BackendName
from experiments.running.evaluate import System, config_of, planner_system
from index.catalog import Catalog
from index.products import Product
from index.readers import read_products
from planner.config import PlannerConfig
from scoring.config import Count, Settings

_INTERVALS = Bootstrap()

Name = Annotated[str, msgspec.Meta(min_length=1)]


class DescriptionError(InputError):
    """A description that cannot be used; the message names file and key."""


class CatalogPart(Settings, frozen=True, kw_only=True):
    """``[catalog]``: a ``file`` with its field map, or a generated one of ``products`` products."""

    file: str | None = None
    fields: str | None = None
    products: Count = defaults.PRODUCTS
    seed: int = defaults.SEED


class SessionsPart(Settings, frozen=True, kw_only=True):
    """``[[sessions]]``: a set of sessions, of a ``file`` or drawn.

    Attributes:
        name: what reports call the set.
        file: a sessions file; without it sessions are drawn.
        skip_missing: leave out sessions of the file whose target is not in the catalog.
        samples: how many sessions to draw for each seed, or to take of the file (``None``: all).
        seeds: of the drawn sessions.
        distribution: how targets are drawn.
    """

    name: Name
    file: str | None = None
    skip_missing: bool = False
    samples: Count | None = None
    seeds: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)] = (defaults.SEED,)
    distribution: Distribution = Distribution.PUBLIC


class SystemPart(Settings, frozen=True, kw_only=True):
    """``[[systems]]``: the planner under a ``config``, or a ``baseline``.

    ``config`` is a preset's name, the path of a TOML file, or a table as such a file holds it.
    """

    name: Name
    config: str | dict[str, Any] | None = None
    baseline: str | None = None


class BootstrapPart(Settings, frozen=True, kw_only=True):
    """``[bootstrap]``: the intervals (see :class:`experiments.metrics.bootstrap.Bootstrap`)."""

    level: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)] = _INTERVALS.level
    resamples: Count = _INTERVALS.resamples
    seed: Annotated[int, msgspec.Meta(ge=0)] = _INTERVALS.seed


class ExecutionPart(Settings, frozen=True, kw_only=True):
    """``[execution]``: where sessions are played, on which no result depends."""

    backend: Literal["joblib", "dask"] = BackendName.JOBLIB.value
    scheduler: str | None = None
    workers: Count | None = None
    scratch: str | None = None


class RunDescription(Settings, frozen=True, kw_only=True):
    """A whole run; the first system is compared with each of the others."""

    catalog: CatalogPart = CatalogPart()
    sessions: Annotated[tuple[SessionsPart, ...], msgspec.Meta(min_length=1)]
    systems: Annotated[tuple[SystemPart, ...], msgspec.Meta(min_length=1)]
    bootstrap: BootstrapPart = BootstrapPart()
    execution: ExecutionPart = ExecutionPart()

    @classmethod
    def load(cls, path: Path) -> RunDescription:
        """Read a description; its paths start from its own folder and are absolute in the result.

        Raises:
            DescriptionError: no TOML, a missing or unknown key, or a value that cannot be used.
            OSError: the file cannot be read.
        """
        try:
            found = msgspec.toml.decode(path.read_bytes(), type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DescriptionError(f"{path}: {error}") from None
        placed = found._placed(path.resolve().parent)
        placed._check(path)
        return placed

    def resolved(self, systems: Sequence[System]) -> dict[str, Any]:
        """Return the description with every default and every setting stated, where it is played apart."""
        tables: dict[str, Any] = _stated(msgspec.to_builtins(self))
        del tables["execution"]
        for table, system in zip(tables["systems"], systems, strict=True):
            if (config := config_of(system)) is not None:
                table["config"] = config.tables()
        return tables

    def _placed(self, folder: Path) -> RunDescription:
        def at(path: str | None) -> str | None:
            return None if path is None else str((folder / path).resolve())

        replace = msgspec.structs.replace
        return replace(
            self,
            catalog=replace(self.catalog, file=at(self.catalog.file), fields=at(self.catalog.fields)),
            sessions=tuple(replace(part, file=at(part.file)) for part in self.sessions),
            systems=tuple(
                replace(part, config=at(part.config))
                if isinstance(part.config, str) and part.config.endswith(".toml")
                else part
                for part in self.systems
            ),
            execution=replace(self.execution, scratch=at(self.execution.scratch)),
        )

    def _check(self, path: Path) -> None:
        for key, names in (
            ("sessions", [part.name for part in self.sessions]),
            ("systems", [part.name for part in self.systems]),
        ):
            for place, name in enumerate(names):
                if name in names[:place]:
                    raise DescriptionError(f"{path}: {name!r} is named twice - at `$.{key}[{place}].name`")
        for place, part in enumerate(self.systems):
            if (part.config is None) == (part.baseline is None):
                raise DescriptionError(
                    f"{path}: Expected either `config` or `baseline` - at `$.systems[{place}]`"
                )
            if part.baseline is not None and part.baseline not in BASELINES:
                raise DescriptionError(
                    f"{path}: {part.baseline!r} is none of {', '.join(BASELINES)} - "
                    f"at `$.systems[{place}].baseline`"
                )
        for place, sessions in enumerate(self.sessions):
            for seed in () if sessions.file else sessions.seeds:
                try:
                    split_of(seed)
                except SessionError as error:
                    raise DescriptionError(f"{path}: {error} - at `$.sessions[{place}].seeds`") from None


@dataclass(frozen=True, slots=True)
class SessionSet:
    """A set of sessions, ready to be played.

    Attributes:
        name: what reports call it.
        sessions: who wants which product.
        shoppers: what each session's shopper can say.
        record: where they come from, as a report states it.
    """

    name: str
    sessions: Sequence[Session]
    shoppers: Sequence[Shopper]
    record: Mapping[str, Any]


def make_systems(description: RunDescription) -> list[System]:
    """Return the systems of a description.

    Raises:
        planner.config.ConfigError: a configuration cannot be used.
    """
    systems = []
    for part in description.systems:
        if part.baseline is not None:
            systems.append(System(part.name, BASELINES[part.baseline].make))
            continue
        if isinstance(part.config, dict):
            config = PlannerConfig.of(part.config, f"system {part.name!r}")
        else:
            config = PlannerConfig.load(part.config or "")
        systems.append(planner_system(part.name, config))
    return systems


def make_sets(
    description: RunDescription, console: Console, watch: Stopwatch
) -> tuple[Catalog, list[SessionSet], dict[str, Any]]:
    """Return the indexed catalog, the sets of sessions, and what the catalog is, as a report states it.

    Raises:
        SessionError: sessions cannot be used.
        index.readers.CatalogError: the catalog cannot be used.
    """
    part = description.catalog
    path = Path(part.file) if part.file else default_catalog(part.products, part.seed, console)
    watch.lap("generate")
    console.print(f"Reading and indexing {path} ...", markup=False, highlight=False, soft_wrap=True)
    fields = Path(part.fields) if part.fields else None
    products, read = read_products(path, fields)
    watch.lap("read")
    sets = [_session_set(one, products) for one in description.sessions]
    watch.lap("sessions")
    catalog = Catalog.open(path, fields)
    watch.lap("index")
    record = {"source": path.name, "products": len(products), "read": read.summary().splitlines()}
    return catalog, sets, record


def _session_set(part: SessionsPart, products: Sequence[Product]) -> SessionSet:
    skipped = 0
    if part.file is None:
        sessions = [
            session
            for seed in part.seeds
            for session in draw_sessions(products, part.samples or defaults.SAMPLES, seed, part.distribution)
        ]
        origin: dict[str, Any] = {
            "source": f"drawn, {part.distribution}",
            "distribution": part.distribution.value,
            "seeds": list(part.seeds),
            "splits": list(dict.fromkeys(map(split_of, part.seeds))),
        }
    else:
        listed = read_sessions(part.file)[: part.samples]
        sessions = with_known_targets(
            listed, {product.parent_asin for product in products}, skip=part.skip_missing
        )
        skipped = len(listed) - len(sessions)
        origin = {"source": Path(part.file).name, "distribution": None, "seeds": [], "splits": []}
    record = {**origin, "count": len(sessions), "skipped": skipped}
    return SessionSet(part.name, sessions, shoppers_of(sessions, products), record)


def to_toml(tables: Mapping[str, Any]) -> str:
    """Return plain values as TOML; ``None``, which TOML has not, is left out."""
    return tomli_w.dumps(_stated(tables))


def _stated(value: Any) -> Any:
    """Return plain values without those that are ``None``."""
    if isinstance(value, Mapping):
        return {key: _stated(part) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_stated(part) for part in value]
    return value
