"""Options that mean the same in every command, as typer takes them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from experiments import defaults
from experiments.sessions import Distribution


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
SamplesOption = Annotated[
    int | None,
    typer.Option(
        "--samples", min=1, help=f"Sessions to draw ({defaults.SAMPLES}), or to take of the file (all)."
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", help="Seed of the generated catalog and of the drawn sessions.")
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, help="Worker processes; by default one for each core.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="Folder for the report; by default runs/<time>-<command>.")
]
ProductsOption = Annotated[
    int | None,
    typer.Option("--products", min=1, help=f"Size of the generated catalog ({defaults.PRODUCTS})."),
]
DistributionOption = Annotated[
    Distribution | None, typer.Option("--distribution", help="How targets are drawn (public).")
]
