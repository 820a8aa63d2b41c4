"""What systems are measured on: an indexed catalog and the shoppers of its sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from experiments.benchmark import defaults
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
from experiments.metrics.stopwatch import Stopwatch
from index.catalog import Catalog
from index.products import Product
from index.readers import ReadReport, read_products
from planner.warmup import kernels_made_beside


@dataclass(frozen=True, slots=True)
class Source:
    """Where a benchmark comes from; ``None`` is the default.

    Attributes:
        catalog: a catalog file; without it one is generated and kept.
        fields: the field map of a foreign catalog.
        sessions: a sessions file; without it sessions are drawn.
        skip_missing: leave out sessions whose target is not in the catalog.
        samples: how many sessions to draw, or to take of the file (``defaults.ALL``: all).
        seed: of the generated catalog and of the drawn sessions.
        products: size of the generated catalog.
        distribution: how targets are drawn.
    """

    catalog: Path | None = None
    fields: Path | None = None
    sessions: Path | None = None
    skip_missing: bool = False
    samples: int | None = None
    seed: int = defaults.SEED
    products: int | None = None
    distribution: Distribution | None = None

    def check(self) -> None:
        """Refuse options that exclude each other.

        Raises:
            SessionError: the message names the options.
        """
        if self.catalog and self.products:
            raise SessionError("--products sets the size of the generated catalog; it excludes --catalog")
        if self.fields and not self.catalog:
            raise SessionError("--fields describes a catalog file; it needs --catalog")
        if self.sessions and self.distribution:
            raise SessionError("--distribution is for drawn sessions; it excludes --sessions")
        split_of(self.seed)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A catalog and its sessions.

    Attributes:
        catalog: the index.
        products: its products, in the same order; none where they were not to be kept.
        sessions: who wants which product.
        shoppers: what each session's shopper can say.
        skipped: sessions left out, their target being unknown.
        read: what the reader saw.
        record: options, seeds, catalog and sessions as a report states them.
    """

    catalog: Catalog
    products: Sequence[Product]
    sessions: Sequence[Session]
    shoppers: Sequence[Shopper]
    skipped: int
    read: ReadReport
    record: dict[str, Any]


def prepare(source: Source, console: Console, watch: Stopwatch, *, keep_products: bool = True) -> Benchmark:
    """Read or generate the catalog, read or draw the sessions, and index; compile the planner's kernels.

    Whoever only plays the sessions needs no products, and saves their memory without ``keep_products``.

    Raises:
        SessionError: options exclude each other, or sessions cannot be used.
        index.readers.CatalogError: the catalog cannot be used.
    """
    source.check()
    size = source.products or defaults.PRODUCTS
    distribution = source.distribution or Distribution.PUBLIC
    with kernels_made_beside():
        path = source.catalog or default_catalog(size, source.seed, console)
        watch.lap("generate")
        console.print(f"Reading and indexing {escape(str(path))} ...", highlight=False, soft_wrap=True)
        records, read = read_products(path, source.fields)
        watch.lap("read")
        sessions, skipped = _sessions(records, source, distribution)
        watch.lap("sessions")
        catalog = Catalog.open(path, source.fields)
        watch.lap("index")
    record = {
        "options": {
            "catalog": str(source.catalog) if source.catalog else None,
            "fields": str(source.fields) if source.fields else None,
            "sessions": str(source.sessions) if source.sessions else None,
            "skip_missing": source.skip_missing,
            "samples": len(sessions),
            "seed": source.seed,
            "products": None if source.catalog else size,
            "distribution": None if source.sessions else distribution.value,
        },
        "seeds": {
            "catalog": None if source.catalog else source.seed,
            "sessions": None if source.sessions else source.seed,
            "split": None if source.sessions else split_of(source.seed),
        },
        "catalog": {
            "source": path.name,
            "products": len(records),
            "read": read.summary().splitlines(),
        },
        "sessions": {
            "source": source.sessions.name if source.sessions else f"drawn, {distribution}",
            "count": len(sessions),
            "skipped": skipped,
        },
    }
    shoppers = shoppers_of(sessions, records)
    return Benchmark(catalog, records if keep_products else (), sessions, shoppers, skipped, read, record)


def origin_of(source: Source) -> dict[str, Any]:
    """Return distribution, seeds and splits of drawn sessions; none of them where sessions are read."""
    if source.sessions:
        return {"distribution": None, "seeds": [], "splits": []}
    distribution = source.distribution or Distribution.PUBLIC
    return {"distribution": distribution.value, "seeds": [source.seed], "splits": [split_of(source.seed)]}


def shoppers_of(sessions: Sequence[Session], products: Sequence[Product]) -> list[Shopper]:
    """Return the shopper of each session; every target must be among ``products``."""
    wanted = {session.target for session in sessions}
    targets = {product.parent_asin: product for product in products if product.parent_asin in wanted}
    return [Shopper.of(session, targets[session.target]) for session in sessions]


def default_catalog(products: int, seed: int, console: Console) -> Path:
    """Return the file of the generated catalog of this size and seed, which is made if it is not kept yet."""
    path = defaults.generated_catalog_path(products, seed)
    if not path.exists():
        console.print(
            f"First run: generating a catalog of {products} products (seed {seed}), kept as "
            f"{escape(str(path))} ...",
            highlight=False,
            soft_wrap=True,
        )
        defaults.make_catalog(path, products, seed, console)
    return path


def _sessions(
    products: Sequence[Product], source: Source, distribution: Distribution
) -> tuple[list[Session], int]:
    """Return the sessions to play and the number of those skipped."""
    if source.sessions is None:
        return draw_sessions(products, defaults.samples_to_draw(source.samples), source.seed, distribution), 0
    listed = read_sessions(source.sessions)[: source.samples]
    kept = with_known_targets(listed, {product.parent_asin for product in products}, skip=source.skip_missing)
    return kept, len(listed) - len(kept)
