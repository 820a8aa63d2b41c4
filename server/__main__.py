"""``python -m server``: serve the API and the inspect pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
import uvicorn
from rich.console import Console

from experiments.__main__ import OneLineErrors
from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source, default_catalog
from experiments.commands.options import (
    CatalogOption,
    CatalogSeedOption,
    ConfigOption,
    FieldsOption,
    NoCacheOption,
    ProductsOption,
    Track,
    TrackOption,
)
from experiments.live.conversation import ProductShelf
from index.catalog import Catalog
from planner.agent import Agent
from planner.config import PlannerConfig
from server.app import make_app
from server.pages import pages_router
from server.runs import RunShelf
from server.settings import ServerSettings

_DEFAULTS = ServerSettings()
_KEEP_ALIVE_SECONDS = 5

app = typer.Typer(cls=OneLineErrors, add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def main() -> None:
    """Serve the shopping planner on this machine."""


@app.command("serve")
def serve(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    no_cache: NoCacheOption = False,
    products: ProductsOption = None,
    seed: CatalogSeedOption = defaults.SEED,
    runs: Annotated[Path, typer.Option(help="Folder of recorded runs.")] = Path("runs"),
    host: Annotated[
        str, typer.Option(help="Address to listen on; the pages are served on a loopback address only.")
    ] = _DEFAULTS.host,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = _DEFAULTS.port,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="Name under which the server may be called.")
    ] = None,
    api_only: Annotated[bool, typer.Option("--api-only", help="Serve the API without the pages.")] = False,
    rate: Annotated[
        float, typer.Option(min=0.01, help="Requests a second that one client may make.")
    ] = _DEFAULTS.rate,
    burst: Annotated[
        int, typer.Option(min=1, help="Requests that one client may make at once.")
    ] = _DEFAULTS.burst,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds until a request is given up.")
    ] = _DEFAULTS.timeout,
    body_bytes: Annotated[int, typer.Option(min=1, help="Largest body of a request.")] = _DEFAULTS.body_bytes,
    sessions: Annotated[int, typer.Option(min=1, help="Sessions that are kept.")] = _DEFAULTS.sessions,
    workers: Annotated[int, typer.Option(min=1, help="Turns computed at the same time.")] = _DEFAULTS.workers,
) -> None:
    """Serve the API and the inspect pages."""
    planner_config = PlannerConfig.load(config or track.value)
    settings = ServerSettings(
        host=host,
        port=port,
        hosts=tuple(name or ()),
        body_bytes=body_bytes,
        rate=rate,
        burst=burst,
        timeout=timeout,
        sessions=sessions,
        workers=workers,
    )
    Source(catalog, fields, seed=seed, products=products).check()
    console = Console(stderr=True)
    path = catalog or default_catalog(products or defaults.PRODUCTS, seed, console)
    with console.status("Reading and indexing the catalog ..."):
        agent = Agent.on(Catalog.open(path, fields), planner_config)
    pages = None
    if settings.is_local and not api_only:
        shelf = ProductShelf(path, fields)
        pages = pages_router(agent, shelf, RunShelf(runs), settings, planner_config.track)
    url = f"http://{host}:{port}"
    console.print(f"{url}/ to inspect, {url}/docs for the API" if pages else f"{url}/docs for the API")
    uvicorn.run(
        make_app(agent, settings, pages=pages),
        host=host,
        port=port,
        log_level="warning",
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        server_header=False,
    )


if __name__ == "__main__":
    app()
