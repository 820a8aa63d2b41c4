"""Options that mean the same in every command, as typer takes them."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.benchmark import defaults
from experiments.customers.sessions import Distribution, require_split
from experiments.running.backends import BackendName
from index.cache import CACHE_VARIABLE

FULL = "full"
"""What ``--samples`` takes for all sessions."""


def _of_split(split: str) -> Callable[[int], int]:
    """Return a callback that lets seeds of ``split`` alone pass."""

    def seed_of(seed: int) -> int:
        require_split(seed, split)
        return seed

    return seed_of


class Track(StrEnum):
    """Whether the planner asks named attributes only, or ``other`` too; also its preset's name."""

    ROBUST = "robust"
    WILDCARD = "wildcard"


TrackOption = Annotated[Track, typer.Option("--track", help="Rules for the planner's questions.")]
CatalogOption = Annotated[
    Path | None, typer.Option("--catalog", help="Catalog file; without it one is generated and kept.")
]
FieldsOption = Annotated[
    Path | None, typer.Option("--fields", help="Field map for a foreign catalog, a TOML file.")
]
SessionsOption = Annotated[
    Path | None,
    typer.Option("--sessions", help="Sessions file; without it sessions are drawn from the catalog."),
]
SkipMissingOption = Annotated[
    bool, typer.Option("--skip-missing", help="Leave out sessions whose target is not in the catalog.")
]


def sample_count(text: str, least: int = 1) -> int:
    """Return a number of samples, :data:`experiments.benchmark.defaults.ALL` for ``full``.

    Raises:
        typer.BadParameter: it is neither ``full`` nor a number of at least ``least``.
    """
    if text == FULL:
        return defaults.ALL
    if not text.isdecimal() or int(text) < least:
        raise typer.BadParameter(f"{text!r} is neither a number of at least {least} nor {FULL!r}")
    return int(text)


def samples_option(what: str, default: int, least: int = 1) -> Any:
    """Return the option ``--samples``: sessions of ``what`` to draw."""

    def count(text: str) -> int:
        return sample_count(text, least)

    return typer.Option(
        "--samples",
        parser=count,
        metavar="N|full",
        help=f"Sessions to draw{what} ({default}; full: {defaults.FULL_SAMPLES}).",
    )


SamplesOption = Annotated[int | None, samples_option(", or to take of the file (all)", defaults.SAMPLES)]
TrainingOption = Annotated[
    int,
    typer.Option("--training", callback=_of_split("training"), help="Training seed, of what is fitted."),
]
HeldOutOption = Annotated[
    int, typer.Option("--held-out", callback=_of_split("held-out"), help="Held-out seed, of the report.")
]
SeedOption = Annotated[
    int, typer.Option("--seed", help="Seed of the generated catalog and of the drawn sessions.")
]
CatalogSeedOption = Annotated[int, typer.Option("--seed", help="Seed of the generated catalog.")]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, help="Worker processes; by default one for each core.")
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help="Folder of the run; by default runs/<time>-<command>. One that holds this run already goes on.",
    ),
]
RestartOption = Annotated[
    bool, typer.Option("--restart", help="Start anew where the folder holds a run already.")
]
ConfigOption = Annotated[
    str | None,
    typer.Option("--config", help="The planner's preset, or a TOML file; by default the track's preset."),
]
BackendOption = Annotated[
    BackendName,
    typer.Option("--backend", help="Where sessions are played: on this machine, or on a dask cluster."),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        help="Address of a running dask scheduler (tcp://host:8786); without it dask starts on this machine.",
    ),
]
ScratchOption = Annotated[
    Path | None,
    typer.Option(
        "--scratch",
        help="Folder for the index that workers map into memory; workers elsewhere must see it too.",
    ),
]


def _store_nothing(no_cache: bool) -> bool:
    if no_cache:
        os.environ[CACHE_VARIABLE] = ""
    return no_cache


NoCacheOption = Annotated[
    bool,
    typer.Option(
        "--no-cache", callback=_store_nothing, help="Index the catalog anew, and do not store the index."
    ),
]
ProductsOption = Annotated[
    int | None,
    typer.Option("--products", min=1, help=f"Size of the generated catalog ({defaults.PRODUCTS})."),
]
DistributionsOption = Annotated[
    list[Distribution] | None,
    typer.Option("--distribution", help="How targets are drawn; may be repeated."),
]
DistributionOption = Annotated[
    Distribution | None, typer.Option("--distribution", help="How targets are drawn (public).")
]
