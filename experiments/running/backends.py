"""Where sessions are played: processes of this machine (joblib), or a dask cluster. Results are the same."""

from __future__ import annotations

import logging
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import joblib

from experiments.errors import InputError

if TYPE_CHECKING:
    from distributed import Client

R = TypeVar("R")

LOST_WORKERS = 3
"""So many workers may be lost to one task before it is held to be at fault; dask's own default."""

log = logging.getLogger(__name__)

# A worker that has mapped an index holds far more than before: joblib takes that for a leak and replaces it
# between two tasks. Nothing is lost by it, and one that dies in a task is told of below.
warnings.filterwarnings("ignore", message="A worker stopped while some jobs were given", category=UserWarning)
# Where the input turns out to be at fault, workers that start have nothing to do.
warnings.filterwarnings("ignore", message=".* tasks which were still being processed", category=UserWarning)


class BackendError(InputError):
    """Work that could not be done where it was sent; the message says why, in one line."""


class BackendName(StrEnum):
    """Where sessions are played."""

    JOBLIB = "joblib"
    DASK = "dask"


class Backend(Protocol):
    """Something that calls a function many times, somewhere."""

    name: BackendName
    workers: int

    def start(self, imports: Callable[[], object]) -> None:
        """Have the workers start, and import the module of a function, while the caller does other work."""

    def started(self) -> None:
        """Wait for the workers that were told to start."""

    def run(
        self, function: Callable[..., R], tasks: Sequence[tuple[Any, ...]], needs: Sequence[Path]
    ) -> Iterator[tuple[int, R]]:
        """Yield the place of each task and ``function(*task)``, in the order in which they finish.

        Args:
            function: importable by the workers.
            tasks: the arguments of each call.
            needs: files that the workers read.

        Raises:
            BackendError: a worker cannot be reached or cannot read ``needs``, or a task ends its workers.
            Exception: whatever ``function`` raises.
        """


def make_backend(
    name: BackendName | str, workers: int | None = None, scheduler: str | None = None
) -> Backend:
    """Return the backend of that name.

    Args:
        name: ``joblib`` or ``dask``.
        workers: processes on this machine, by default one for each core; a running cluster has its own.
        scheduler: address of a running dask scheduler; without one, dask starts a cluster on this machine.

    Raises:
        BackendError: a scheduler is named for joblib, or dask is not installed.
    """
    processes = workers or joblib.cpu_count()
    if BackendName(name) is BackendName.DASK:
        if find_spec("distributed") is None:
            raise BackendError("the dask backend needs the extra: pip install 'shopping-planner[cluster]'")
        return DaskBackend(processes, scheduler)
    if scheduler:
        raise BackendError("--scheduler is the address of a dask cluster; it needs --backend dask")
    return JoblibBackend(processes)


class JoblibBackend:
    """Processes of this machine. Tasks of a worker that dies are done again by others."""

    name = BackendName.JOBLIB

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._starting: Iterator[object] = iter(())

    def start(self, imports: Callable[[], object]) -> None:
        """See :class:`Backend`; one worker is this process itself."""
        if self.workers > 1:
            self._starting = self._parallel()(joblib.delayed(imports)() for _ in range(self.workers))

    def started(self) -> None:
        """See :class:`Backend`; in place of those that died meanwhile others start."""
        with suppress(BrokenProcessPool):
            deque(self._starting, maxlen=0)

    def run(
        self, function: Callable[..., R], tasks: Sequence[tuple[Any, ...]], needs: Sequence[Path]
    ) -> Iterator[tuple[int, R]]:
        """See :class:`Backend`."""
        left = dict(enumerate(tasks))
        losses = 0
        while left:
            try:
                self.started()
                for place, result in self._parallel()(
                    joblib.delayed(_placed)(place, function, task) for place, task in list(left.items())
                ):
                    del left[place]
                    losses = 0
                    yield place, result
            except BrokenProcessPool as error:
                losses += 1
                if losses > LOST_WORKERS:
                    raise BackendError(
                        f"worker processes died {losses} times in a row: out of memory?"
                    ) from error
                log.warning("a worker process died; %d unfinished tasks are dealt out again", len(left))

    def _parallel(self) -> joblib.Parallel:
        return joblib.Parallel(n_jobs=self.workers, return_as="generator_unordered")


class DaskBackend:
    """A dask cluster: the one of ``scheduler``, or one of ``workers`` processes started on this machine.

    Dask deals the tasks of a worker that dies to the others. The cluster is started on first use and closed
    with the process.
    """

    name = BackendName.DASK

    def __init__(self, workers: int, scheduler: str | None = None) -> None:
        self.workers = workers
        self.scheduler = scheduler
        self._client: Client | None = None

    def start(self, imports: Callable[[], object]) -> None:
        """See :class:`Backend`; a cluster is started on first use."""

    def started(self) -> None:
        """See :class:`Backend`."""

    @property
    def client(self) -> Client:
        """Return the connection to the cluster, made on first use.

        Raises:
            BackendError: nothing answers at the scheduler's address, or dask is not installed.
        """
        if self._client is None:
            self._client = self._connect()
        return self._client

    def run(
        self, function: Callable[..., R], tasks: Sequence[tuple[Any, ...]], needs: Sequence[Path]
    ) -> Iterator[tuple[int, R]]:
        """See :class:`Backend`."""
        from distributed import KilledWorker, as_completed

        self._check(needs)
        places = {
            future: place
            for place, future in enumerate(
                self.client.map(_placed, range(len(tasks)), [function] * len(tasks), tasks, pure=False)
            )
        }
        try:
            for _, (place, result) in as_completed(places, with_results=True):
                yield place, result
        except KilledWorker as error:
            raise BackendError(f"a task ended its worker {LOST_WORKERS} times: out of memory?") from error
        finally:
            self.client.cancel(list(places))

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._client is not None:
            cluster = self._client.cluster
            self._client.close()
            if cluster is not None:
                cluster.close()
            self._client = None

    def _connect(self) -> Client:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise BackendError("dask is not installed: pip install 'shopping-planner[experiments]'") from None
        if self.scheduler is None:
            # No memory limit: a memory-mapped index counts as a worker's own, and several workers share it.
            cluster = LocalCluster(
                n_workers=self.workers,
                threads_per_worker=1,
                memory_limit=None,
                dashboard_address=None,
                silence_logs=logging.ERROR,
            )
            return Client(cluster)
        try:
            return Client(self.scheduler)
        except (OSError, ValueError) as error:
            raise BackendError(f"no dask scheduler answers at {self.scheduler}: {error}") from None

    def _check(self, needs: Sequence[Path]) -> None:
        """Refuse a cluster whose workers have not the project, or not the files.

        Raises:
            BackendError: the message names a worker and what it lacks.
        """
        self.client.wait_for_workers(1)
        answers = self.client.run(_unreadable, list(map(str, needs)), on_error="return")
        for worker, answer in answers.items():
            if isinstance(answer, ImportError):
                raise BackendError(
                    f"dask worker {worker} cannot import the project: install it there ({answer})"
                )
            if isinstance(answer, BaseException):
                raise BackendError(f"dask worker {worker} fails: {answer!r}")
            if answer:
                raise BackendError(
                    f"dask worker {worker} cannot read {answer}: name by --scratch a folder that this "
                    "machine and every worker see under the same path"
                )


def _placed(place: int, function: Callable[..., R], task: tuple[Any, ...]) -> tuple[int, R]:
    return place, function(*task)


def _unreadable(paths: Sequence[str]) -> str | None:
    """Return the first of some files that a worker cannot read."""
    for path in paths:
        try:
            with Path(path).open("rb"):
                pass
        except OSError:
            return path
    return None
