"""Digesting a catalog file: in spans, by this process and helpers on the other cores, in the file's order."""

from __future__ import annotations

import logging
import os
import pickle
import queue
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from index.chunks import Chunk
from index.fieldmap import FieldMap
from index.products import Product
from index.readers import CatalogError, ReadReport, Span, iter_products, json_spans, span_products

_CHUNK = 4096
"""Products that are digested at a time where they come one by one."""
_SPAN = 4 << 20
"""Bytes of a JSON lines file that are digested at a time: about as many products."""
_SPANS_WORTH_HELP = 4
"""A file of fewer spans is digested before a helper has started."""
_MOST_HELPERS = 15

_HELPER = "import sys; sys.path.insert(0, sys.argv[1]); from index.workers import serve; serve()"

_log = logging.getLogger(__name__)

_Digest = tuple[Chunk, ReadReport]


def in_chunks(products: Iterable[Product]) -> Iterator[Chunk]:
    """Yield the chunks of a stream of products."""
    products = iter(products)
    while len(chunk := Chunk.of(islice(products, _CHUNK))):
        yield chunk


def digested(
    path: str | Path, report: ReadReport, fields: FieldMap | None, helpers: int | None = None
) -> Iterator[Chunk]:
    """Yield the chunks of a catalog file in its order; counts and problems are added to ``report``.

    A plain JSON lines file is digested on several cores: each helper is a Python process of its own, which
    imports nothing but the index. The chunks are the same for any number of helpers.

    Args:
        path: the catalog file.
        report: see :func:`index.readers.iter_products`.
        fields: the field map.
        helpers: processes beside this one; by default one for each further core, if the file is worth it.

    Raises:
        index.readers.CatalogError: the file cannot be read or holds no usable product.
    """
    spans = json_spans(path, _SPAN, fields)
    if spans is None:
        yield from in_chunks(iter_products(path, report, fields))
        return
    if helpers is None:
        helpers = min(_cores() - 1, _MOST_HELPERS) if len(spans) >= _SPANS_WORTH_HELP else 0
    seen: set[str] = set()
    try:
        for span, (chunk, part) in zip(spans, _in_order(str(path), spans, fields, helpers), strict=True):
            ids = chunk.ids.to_pylist()
            if taken := seen.intersection(ids):
                chunk, part = _digest(str(path), span, fields, taken)
            seen.update(ids)
            report.add(part)
            yield chunk
    except OSError as error:
        raise CatalogError(f"{path}: damaged after {len(seen)} products: {error}") from error
    if not seen:
        # Read once more, it says what is wrong with the file as a whole.
        yield from in_chunks(iter_products(path, ReadReport(), fields))


def _digest(path: str, span: Span, fields: FieldMap | None, taken: Iterable[str] = ()) -> _Digest:
    report = ReadReport()
    return Chunk.of(span_products(path, span, report, fields, taken)), report


def _in_order(path: str, spans: list[Span], fields: FieldMap | None, helpers: int) -> Iterator[_Digest]:
    """Yield the digest of each span in order; this process takes those that no helper has begun."""
    with ExitStack() as stack:
        idle: queue.SimpleQueue[_Helper] = queue.SimpleQueue()
        for _ in range(helpers):
            try:
                idle.put(stack.enter_context(_Helper()))
            except OSError as error:
                _log.warning("indexing on fewer cores: no helper could be started: %s", error)
                break
        pool = stack.enter_context(ThreadPoolExecutor(max(1, idle.qsize())))

        def ask(span: Span) -> _Digest:
            helper = idle.get()
            try:
                return helper.digest(path, span, fields)
            finally:
                idle.put(helper)

        futures = [pool.submit(ask, span) for span in spans] if not idle.empty() else []
        stack.callback(pool.shutdown, wait=False, cancel_futures=True)
        own: dict[int, _Digest] = {}
        for place, span in enumerate(spans):
            while futures and place not in own and not futures[place].done():
                free = next((later for later in range(place, len(spans)) if futures[later].cancel()), None)
                if free is None:
                    break
                own[free] = _digest(path, spans[free], fields)
            if place in own:
                yield own.pop(place)
            elif not futures:
                yield _digest(path, span, fields)
            else:
                try:
                    yield futures[place].result()
                except (OSError, EOFError, pickle.PickleError) as error:
                    _log.warning("a helper failed, its part is indexed again: %s", error)
                    yield _digest(path, span, fields)


class _Helper:
    """A process that digests spans, one after the other."""

    def __init__(self) -> None:
        root = str(Path(__file__).resolve().parents[1])
        self._process = subprocess.Popen(
            [sys.executable, "-c", _HELPER, root], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> _Helper:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def digest(self, path: str, span: Span, fields: FieldMap | None) -> _Digest:
        """Return the digest of a span.

        Raises:
            OSError, EOFError, pickle.PickleError: the process has failed.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump((path, span, fields), self._process.stdin)
        self._process.stdin.flush()
        answer: _Digest | Exception = pickle.load(self._process.stdout)
        if isinstance(answer, Exception):
            raise OSError(str(answer)) from answer
        return answer


def serve() -> None:
    """Answer the spans that come in on standard input until it ends: the life of a helper."""
    answers: BinaryIO = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what is printed is no answer
    while True:
        try:
            path, span, fields = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer: _Digest | Exception = _digest(path, span, fields)
        except Exception as error:
            answer = OSError(f"{type(error).__name__}: {error}")
        pickle.dump(answer, answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
