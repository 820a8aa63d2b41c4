"""The catalog as the planner sees it: arrays over products, and the indexes that lead into them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from index import store
from index.attributes import AttributeIndex
from index.cache import IndexOrigin, default_cache, open_index
from index.categories import CategoryIndex
from index.fieldmap import FieldMap
from index.fingerprint import FingerprintIndex
from index.lexical import LexicalIndex
from index.linewords import LineWords
from index.products import MATRIX_COLUMNS as MATRIX_COLUMNS
from index.products import Product
from index.readers import CatalogError, ReadReport

if TYPE_CHECKING:
    # What only building needs is loaded where it is used: a start that finds its index stored has no need.
    from index.chunks import Chunk


@dataclass(frozen=True, slots=True)
class Catalog:
    """A catalog of N products, ready to be asked.

    Attributes:
        ids: (N,) product ids; a product's row is its place in the file.
        titles: (N,) titles.
        matrix: (N, 6) float32, columns ``MATRIX_COLUMNS``.
        popular: (N,) int32, all rows, most rated first.
        lines: spec fingerprints and intent cards.
        line_words: the words of those lines.
        categories: category phrases.
        attributes: attribute values, coverage, fragmentation.
        lexical: BM25 over the whole text.
        report: what the reader saw; empty for a catalog built from records.
        origin: where the index came from.
    """

    ids: pa.LargeStringArray
    titles: pa.LargeStringArray
    matrix: NDArray[np.float32]
    popular: NDArray[np.int32]
    lines: FingerprintIndex
    line_words: LineWords
    categories: CategoryIndex
    attributes: AttributeIndex
    lexical: LexicalIndex
    report: ReadReport | None = None
    origin: IndexOrigin = field(default=IndexOrigin(), metadata=store.NOT_STORED)

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.matrix)

    @classmethod
    def read(cls, path: str | Path, fields: FieldMap | str | Path | None = None) -> Catalog:
        """Read a catalog file (JSONL, CSV, Parquet; see :mod:`index.readers`) and index it.

        Raises:
            CatalogError: the file cannot be read or holds no usable product.
        """
        from index.workers import digested

        report = ReadReport()
        return cls._of(digested(path, report, FieldMap.of(fields)), report)

    @classmethod
    def open(
        cls,
        path: str | Path,
        fields: FieldMap | str | Path | None = None,
        cache: str | Path | bool = True,
    ) -> Catalog:
        """Return the stored index of a catalog file, or read the file, index it, and store the index.

        An index that is stale, torn or foreign, or cannot be stored, is no error: it is named in the result's
        ``origin`` and logged, and the index is made anew.

        Args:
            path: the catalog file.
            fields: see :func:`index.readers.iter_products`.
            cache: the folder of stored indexes; ``True`` is that of :func:`index.cache.default_cache`,
                ``False`` none.

        Raises:
            CatalogError: the file cannot be read or holds no usable product.
        """
        place = default_cache() if cache is True else Path(cache) if cache else None
        if place is None:
            return cls.read(path, fields)
        fields = FieldMap.of(fields)
        catalog, origin = open_index(cls, path, fields, place, lambda: cls.read(path, fields))
        return replace(catalog, origin=origin)

    @classmethod
    def load(cls, folder: str | Path) -> Catalog:
        """Return the index stored in ``folder``, whatever it was made from; its arrays are memory-mapped.

        Raises:
            OSError: there is no such folder, or it cannot be read.
            index.store.StoreError: the index is stale, torn or foreign.
        """
        return replace(store.read(Path(folder), cls), origin=IndexOrigin(Path(folder), loaded=True))

    def save(self, folder: str | Path) -> None:
        """Store the index as ``folder``, for :meth:`load`; an index that stands there is replaced.

        Raises:
            OSError: the folder cannot be written, or holds something else.
        """
        store.write(Path(folder), self)

    @classmethod
    def build(cls, products: Iterable[Product], report: ReadReport | None = None) -> Catalog:
        """Index products, one after the other.

        Raises:
            CatalogError: there is no product.
        """
        from index.workers import in_chunks

        return cls._of(in_chunks(products), report)

    @classmethod
    def _of(cls, chunks: Iterable[Chunk], report: ReadReport | None) -> Catalog:
        from index.chunks import Chunk

        parts = [chunk for chunk in chunks if len(chunk)]
        if not parts:
            raise CatalogError("the catalog holds no product")
        whole = Chunk.joined(parts)
        lines = FingerprintIndex.build(whole.lines, whole.popularity)
        lexical = LexicalIndex.build(whole.words)
        catalog = cls(
            ids=whole.ids,
            titles=whole.titles,
            matrix=whole.matrix,
            popular=np.argsort(-whole.popularity, kind="stable").astype(np.int32),
            lines=lines,
            line_words=LineWords.build(whole.lines, lexical.numbers),
            categories=CategoryIndex.build(whole.categories, whole.popularity),
            attributes=AttributeIndex.build(lexical, lines),
            lexical=lexical,
            report=report,
        )
        for _, leaf in store.leaves(catalog):
            if isinstance(leaf, np.ndarray):
                # As a stored index is: the kernels are compiled for arrays of one kind only.
                leaf.flags.writeable = False
        return catalog
