"""Catalog readers: JSON lines, CSV and Parquet files to a stream of products.

A line that cannot be used is skipped, a field that cannot be used is left empty; both are counted and named
in a :class:`ReadReport`, and neither ends the reading. Only a damaged file, or one without a product, is an
error.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import reprlib
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

import pyarrow

from index.fieldmap import KIT, FieldMap, known_field_maps
from index.products import Product
from index.values import SURROGATE, coerced, declared, identify, parse_json

PROBLEMS_KEPT = 20
"""Problems that a report keeps in full; beyond them it only counts."""

_PARQUET_ROWS = 1024
_BOM = b"\xef\xbb\xbf"
_SUFFIXES: Mapping[str, Literal["jsonl", "csv", "parquet"]] = {
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}

_shown = reprlib.Repr()
_shown.maxstring = _shown.maxother = 60


class CatalogError(ValueError):
    """A catalog file that cannot be read; the message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing in a catalog file that could not be used.

    Attributes:
        file: name of the file.
        line: line number, 1 for the first; the first line of a CSV row; the row number in a Parquet file.
        field: the product's field; empty where the line as a whole is meant.
        expected: what stands there in a sound file.
        found: what stands there, shortened.
    """

    file: str
    line: int
    field: str
    expected: str
    found: str

    def __str__(self) -> str:
        """Return the problem as one sentence."""
        place = f"{self.file}, line {self.line}" + (f", field {self.field}" if self.field else "")
        return f"{place}: expected {self.expected}, found {self.found}"


@dataclass(slots=True)
class ReadReport:
    """What reading a catalog gave: each line that is not blank is a product, skipped, or a duplicate.

    Attributes:
        products: products read.
        skipped: lines that gave no product, duplicates aside.
        duplicates: lines whose id was read before; the first one counts.
        dropped: fields of products that were left out, in whole or in part.
        problems: the first :data:`PROBLEMS_KEPT` problems.
        counts: number of all problems by (field, expected).
    """

    products: int = 0
    skipped: int = 0
    duplicates: int = 0
    dropped: int = 0
    problems: list[Problem] = field(default_factory=list)
    counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def note(self, problem: Problem) -> None:
        """Count ``problem``, and keep it if it is among the first."""
        kind = (problem.field, problem.expected)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(problem)

    def add(self, other: ReadReport) -> None:
        """Add what reading a later part of the same file gave."""
        self.products += other.products
        self.skipped += other.skipped
        self.duplicates += other.duplicates
        self.dropped += other.dropped
        self.problems += other.problems[: PROBLEMS_KEPT - len(self.problems)]
        for kind, number in other.counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + number

    def summary(self) -> str:
        """Return the counts, how often each kind of problem came up, and the problems that were kept."""
        lines = [
            f"{self.products} products read; {self.skipped} lines skipped, {self.duplicates} duplicates, "
            f"{self.dropped} fields dropped"
        ]
        for (name, expected), count in Counter(self.counts).most_common():
            lines.append(f"  {count} x {f'field {name}' if name else 'line'}: expected {expected}")
        lines.extend(f"  {problem}" for problem in self.problems)
        if unnamed := sum(self.counts.values()) - len(self.problems):
            lines.append(f"  and {unnamed} more")
        return "\n".join(lines)


def read_products(
    path: str | Path, fields: FieldMap | str | Path | None = None
) -> tuple[list[Product], ReadReport]:
    """Read all products of a catalog file; see :func:`iter_products`."""
    report = ReadReport()
    return list(iter_products(path, report, fields)), report


def iter_products(
    path: str | Path, report: ReadReport, fields: FieldMap | str | Path | None = None
) -> Iterator[Product]:
    """Stream the products of a catalog file in its order, ids unique.

    The format follows from the suffix (``.jsonl``, ``.json``, ``.ndjson``, ``.csv``, each also ``.gz``;
    ``.parquet``, ``.pq``), or from the content where the suffix does not tell. The file is resolved, and its
    columns are looked at, when this is called; its lines are read as the products are drawn.

    Args:
        path: the catalog file.
        report: counts and problems are added to it while products are drawn.
        fields: the field map, or the path of one. Without it JSON lines have the kit's names; so has a table
            with a column ``parent_asin``; another table is read by the known field map that fits its columns.

    Raises:
        CatalogError: no such file, an empty or corrupt one, columns that no field map fits (all at the call);
            damage further on, or no usable product in it (while drawing).
        index.fieldmap.FieldMapError: ``fields`` is the path of something that is not a field map.
    """
    source = Path(path).resolve()
    fields = FieldMap.of(fields)
    if not source.exists():
        raise CatalogError(f"{source}: no such file")
    if not source.is_file():
        raise CatalogError(f"{source}: not a file")
    try:
        if source.stat().st_size == 0:
            raise CatalogError(f"{source}: the file is empty")
        kind, packed = _format(source)
        if kind == "jsonl":
            return _products(source, partial(_json_rows, source, packed), report, fields or KIT)
        columns = _parquet_columns(source) if kind == "parquet" else _csv_columns(source, packed)
        fields = _fitting(source, columns, fields)
        if kind == "csv":
            return _products(source, partial(_csv_rows, source, packed), report, fields)
        wanted = [name for name in columns if name in fields.columns()]
        return _products(source, partial(_parquet_rows, source, wanted), report, fields)
    except _DAMAGE as error:
        raise CatalogError(f"{source}: cannot be read: {error}") from error


_DAMAGE = (OSError, EOFError, zlib.error, pyarrow.ArrowException)
_Skip = Callable[[int, str, str], None]
_Rows = Iterator[tuple[int, dict[str, object]]]


def _format(path: Path) -> tuple[Literal["jsonl", "csv", "parquet"], bool]:
    """Return the format of a file and whether it is gzipped."""
    packed = path.suffix.lower() == ".gz"
    suffix = Path(path.stem).suffix if packed else path.suffix
    if kind := _SUFFIXES.get(suffix.lower()):
        return kind, packed
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with _opened(path, packed) as file:
        start = file.read(4096)
    if start.startswith(b"PAR1"):
        return "parquet", packed
    return ("jsonl" if start.removeprefix(_BOM).lstrip().startswith(b"{") else "csv"), packed


def _opened(path: Path, packed: bool) -> BinaryIO:
    if packed:
        return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, gzip.open(path, "rb")), 1 << 18))
    return path.open("rb")


def _fitting(path: Path, columns: list[str], fields: FieldMap | None) -> FieldMap:
    """Return the field map by which a table with these columns is read."""
    if fields is not None:
        if missing := fields.columns().difference(columns):
            raise CatalogError(
                f"{path}: the field map reads columns that the file lacks: {_listed(sorted(missing))}; "
                f"it has {_listed(columns)}"
            )
        return fields
    if KIT.parent_asin in columns:
        return KIT
    fitting = [known for known in known_field_maps().values() if known.columns() <= set(columns)]
    if not fitting:
        raise CatalogError(f"{path}: {_unknown_columns(columns)}")
    return max(fitting, key=lambda known: len(known.columns()))


def _unknown_columns(columns: list[str]) -> str:
    return (
        f"no field map fits its columns ({_listed(columns)}); write one, a TOML file that names the column "
        "of each product field, and pass it as `fields` or put it in configs/catalogs/, which has an example"
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_shown.repr, names))


def _json_rows(path: Path, packed: bool, skip: _Skip) -> _Rows:
    with _opened(path, packed) as file:
        yield from _json_lines(file, 1, skip)


def _json_lines(lines: Iterable[bytes], first: int, skip: _Skip) -> _Rows:
    for number, raw in enumerate(lines, first):
        line = raw.removeprefix(_BOM) if number == 1 else raw
        try:
            record = parse_json(line)
        except UnicodeDecodeError as error:
            skip(number, "UTF-8 text", f"byte {line[error.start]:#04x} at position {error.start + 1}")
        except json.JSONDecodeError as error:
            if line.strip():
                skip(number, "a JSON object", f"broken JSON at position {error.pos + 1}: {error.msg}")
        except (ValueError, RecursionError) as error:
            skip(number, "a JSON object", f"JSON that cannot be held: {error}")
        else:
            if isinstance(record, dict):
                yield number, record
            else:
                skip(number, "a JSON object", _shown.repr(record))


def _csv_text(path: Path, packed: bool) -> io.TextIOWrapper:
    """Open a CSV file; bytes that are not UTF-8 come out as surrogates, which nothing else gives."""
    return io.TextIOWrapper(_opened(path, packed), "utf-8-sig", errors="surrogateescape", newline="")


def _csv_columns(path: Path, packed: bool) -> list[str]:
    with _csv_text(path, packed) as text:
        try:
            header = _header(next(csv.reader(text), []))
        except csv.Error as error:
            raise CatalogError(f"{path}, line 1: not a CSV header: {error}") from error
    if not any(header):
        raise CatalogError(f"{path}, line 1: a CSV header is expected, and the line is empty")
    return header


def _header(row: list[str]) -> list[str]:
    return [SURROGATE.sub("\ufffd", name.strip()) for name in row]


def _csv_rows(path: Path, packed: bool, skip: _Skip) -> _Rows:
    with _csv_text(path, packed) as text:
        reader = csv.reader(text)
        header = _header(next(reader))
        while True:
            number = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                skip(number, "a CSV row", f"a broken one: {error}")
                continue
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if SURROGATE.search("".join(cells)):
                skip(number, "UTF-8 text", "other bytes")
            elif len(cells) < len(header) or any(cells[len(header) :]):
                skip(number, f"{len(header)} cells", str(len(cells)))
            else:
                yield number, {name: cell or None for name, cell in zip(header, cells, strict=False)}


def _parquet(path: Path) -> Any:
    from pyarrow import parquet  # takes its time, which other files need not

    return parquet.ParquetFile(path)


def _parquet_columns(path: Path) -> list[str]:
    with _parquet(path) as file:
        return list(file.schema_arrow.names)


def _parquet_rows(path: Path, columns: list[str], skip: _Skip) -> _Rows:
    number = 0
    with _parquet(path) as file:
        for batch in file.iter_batches(batch_size=_PARQUET_ROWS, columns=columns):
            for record in _batch_records(batch):
                number += 1
                if record is None:
                    skip(number, "UTF-8 text", "other bytes")
                else:
                    yield number, {name: _without_nulls(value) for name, value in record.items()}


def _batch_records(batch: pyarrow.RecordBatch) -> Iterator[dict[str, object] | None]:
    """Yield the rows of ``batch``, ``None`` for one with text that is not UTF-8."""
    try:
        yield from batch.to_pylist()
    except UnicodeDecodeError:
        for row in range(batch.num_rows):
            try:
                yield batch.slice(row, 1).to_pylist()[0]
            except UnicodeDecodeError:
                yield None


def _without_nulls(value: object) -> object:
    """Return ``value`` without the null members of structs: there a missing member is a null."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return value


class _Usable:
    """Turns rows into products; counts and names in ``report`` what is not used."""

    def __init__(self, file: str, report: ReadReport, fields: FieldMap) -> None:
        self.seen: set[str] = set()
        self.first_columns: list[str] | None = None
        self._file = file
        self._report = report
        self._fields = fields

    def skip(self, number: int, expected: str, found: str, name: str = "") -> None:
        """Count a row that gives no product."""
        self._report.skipped += 1
        self._report.note(Problem(self._file, number, name, expected, found))

    def products(self, rows: _Rows) -> Iterator[Product]:
        """Yield the products of ``rows``."""
        report, fields, seen = self._report, self._fields, self.seen
        for number, record in rows:
            if self.first_columns is None:
                self.first_columns = list(record)
            value = record.get(fields.parent_asin)
            identifier = identify(value)
            if identifier is None:
                self.skip(number, "an id", "nothing" if value is None else _shown.repr(value), "parent_asin")
                continue
            if identifier in seen:
                report.duplicates += 1
                report.note(
                    Problem(
                        self._file, number, "parent_asin", "an id not seen before", _shown.repr(identifier)
                    )
                )
                continue
            seen.add(identifier)
            product = declared(identifier, record) if fields is KIT else None
            report.products += 1
            yield product or coerced(identifier, record, fields, partial(self._drop, number))

    def _drop(self, number: int, name: str, expected: str, value: object) -> None:
        self._report.dropped += 1
        self._report.note(Problem(self._file, number, name, expected, _shown.repr(value)))


def _products(
    path: Path, rows: Callable[[_Skip], _Rows], report: ReadReport, fields: FieldMap
) -> Iterator[Product]:
    """Yield the products of a file; a damaged one, and one without a product, is an error."""
    first_problem = len(report.problems)
    usable = _Usable(path.name, report, fields)
    try:
        yield from usable.products(rows(usable.skip))
    except _DAMAGE as error:
        raise CatalogError(f"{path}: damaged after {len(usable.seen)} products: {error}") from error
    if usable.seen:
        return
    if usable.first_columns is not None and fields.parent_asin not in usable.first_columns:
        raise CatalogError(f"{path}: no usable product: {_unknown_columns(usable.first_columns)}")
    named = report.problems[first_problem:]
    raise CatalogError(f"{path}: no usable product" + (f"; first problem: {named[0]}" if named else " in it"))


@dataclass(frozen=True, slots=True)
class Span:
    """Whole lines of a JSON lines file: from byte ``start``, ``length`` bytes, the first of them ``line``."""

    start: int
    length: int
    line: int


def json_spans(path: str | Path, size: int, fields: FieldMap | None) -> list[Span] | None:
    """Return a plain JSON lines file in spans of about ``size`` bytes, ``None`` for a file of another kind.

    Raises:
        CatalogError: see :func:`iter_products`.
    """
    source = Path(path).resolve()
    iter_products(source, ReadReport(), fields)
    if _format(source) != ("jsonl", False):
        return None
    spans = []
    with source.open("rb") as file:
        start, line = 0, 1
        while block := file.read(size):
            block += file.readline()
            spans.append(Span(start, len(block), line))
            start += len(block)
            line += block.count(b"\n")
    return spans


def span_products(
    path: str | Path, span: Span, report: ReadReport, fields: FieldMap | None, taken: Iterable[str] = ()
) -> Iterator[Product]:
    """Yield the products of one span, as :func:`iter_products` would, were the ids ``taken`` read before.

    Raises:
        OSError: the file cannot be read.
    """
    with Path(path).open("rb") as file:
        file.seek(span.start)
        content = file.read(span.length)
    usable = _Usable(Path(path).name, report, fields or KIT)
    usable.seen.update(taken)
    yield from usable.products(_json_lines(io.BytesIO(content), span.line, usable.skip))
