"""Sessions on processes and on a real dask cluster, with workers that die in the middle."""

import os
import signal
from functools import partial
from pathlib import Path

import dask
import numpy as np
import pytest

from experiments.benchmark.prepare import shoppers_of
from experiments.customers.sessions import Session
from experiments.running import backends
from experiments.running.backends import BackendError, DaskBackend, JoblibBackend, make_backend
from experiments.running.evaluate import System, evaluate
from index.catalog import Catalog
from index.products import Product

WORDS = ["amber", "beryl", "coral", "diamond", "emerald", "flint", "garnet", "jade"]
PRODUCTS = [
    Product(f"P{n}", title=f"{word} thing", features=(f"{word} feature", "Imported"), categories=(word,))
    for n, word in enumerate(WORDS)
]
SCENARIOS = ["buying", "browsing", "intent_override", "boundary"]
SESSIONS = [Session(f"sample-{n}", SCENARIOS[n % 4], f"P{n % 8}", {}) for n in range(24)]


class InOrder:
    """Shows product n in turn n + 1."""

    def __init__(self, catalog, **settings):
        self.ids = list(map(str, catalog.ids))

    def reset(self, session_id, user_profile):
        pass

    def respond(self, session_id, user_message, turn, top_k):
        return {"message": "", "ask_attribute": None, "recommendations": self.ids[turn - 1 : turn]}


class Mortal(InOrder):
    """Kills its process at its first turn of session 9, as often as there are files to take away."""

    def __init__(self, catalog, lives):
        super().__init__(catalog)
        self.lives = Path(lives)

    def respond(self, session_id, user_message, turn, top_k):
        if session_id == "9" and turn == 1:
            for life in self.lives.iterdir():
                life.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
        return super().respond(session_id, user_message, turn, top_k)


def lives(folder, count):
    folder.mkdir()
    for number in range(count):
        (folder / str(number)).touch()
    return System("mortal", partial(Mortal, lives=str(folder)))


class Telling(InOrder):
    """Writes down where its catalog comes from, and whether its arrays are mapped."""

    def __init__(self, catalog, folder):
        super().__init__(catalog)
        mapped = isinstance(catalog.matrix.base, np.memmap)
        Path(folder, str(os.getpid())).write_text(f"{catalog.origin.folder} {mapped}")


@pytest.fixture(scope="module")
def catalog():
    return Catalog.build(PRODUCTS)


@pytest.fixture(scope="module")
def shoppers():
    return shoppers_of(SESSIONS, PRODUCTS)


@pytest.fixture(scope="module")
def cluster():
    backend = DaskBackend(2)
    yield backend
    backend.close()


def turns(runs):
    return [result.turn for result in runs[0].results]


def test_a_dask_cluster_gives_what_one_process_gives(catalog, shoppers, cluster):
    systems = [System("in order", InOrder)]
    alone = evaluate(catalog, systems, shoppers, workers=1)
    assert evaluate(catalog, systems, shoppers, 1, backend=cluster) == alone
    # product n is shown in turn n + 1, where no override comes in turn 3 or 4
    certain = [n for n in range(24) if n % 4 != 2]
    assert [turns(alone)[n] for n in certain] == [n % 8 + 1 for n in certain]


@pytest.mark.parametrize("backend", ["joblib", "dask"])
def test_a_killed_worker_costs_time_and_no_results(catalog, shoppers, cluster, tmp_path, backend):
    chosen = cluster if backend == "dask" else JoblibBackend(2)
    runs = evaluate(catalog, [lives(tmp_path / "lives", 1)], shoppers, 1, backend=chosen)
    assert list((tmp_path / "lives").iterdir()) == []
    assert turns(runs) == turns(evaluate(catalog, [System("mortal", InOrder)], shoppers, 1))


def test_a_session_that_always_ends_its_worker_ends_the_run(catalog, shoppers, tmp_path, monkeypatch):
    monkeypatch.setattr(backends, "LOST_WORKERS", 1)
    with pytest.raises(BackendError, match="died 2 times in a row"):
        evaluate(catalog, [lives(tmp_path / "lives", 50)], shoppers[8:9] * 9, 1, backend=JoblibBackend(2))


def noted(folder):
    (folder / str(os.getpid())).touch()


def dies():
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_start_before_there_is_work(tmp_path):
    backend = JoblibBackend(2)
    backend.start(partial(noted, tmp_path))
    backend.started()
    workers = {int(file.name) for file in tmp_path.iterdir()}
    assert workers
    assert os.getpid() not in workers
    assert sorted(backend.run(divmod, [(7, 2), (9, 4)], [])) == [(0, (3, 1)), (1, (2, 1))]


def test_workers_that_die_before_there_is_work_cost_nothing():
    backend = JoblibBackend(2)
    backend.start(dies)
    backend.started()
    assert sorted(backend.run(divmod, [(7, 2), (9, 4)], [])) == [(0, (3, 1)), (1, (2, 1))]


def test_a_worker_that_cannot_read_the_index_is_named(cluster, tmp_path):
    with pytest.raises(BackendError, match=r"dask worker tcp://\S+ cannot read .*nowhere: name by --scratch"):
        list(cluster.run(len, [("ab",)], [Path(__file__), tmp_path / "nowhere"]))


def test_a_cluster_is_joined_by_its_address(catalog, shoppers, cluster):
    joined = DaskBackend(1, cluster.client.scheduler_info()["address"])
    try:
        assert sorted(joined.run(len, [("ab",), ("a",)], [Path(__file__)])) == [(0, 2), (1, 1)]
    finally:
        joined.close()
    assert len(cluster.client.scheduler_info()["workers"]) == 2


def test_what_cannot_be_reached_is_said():
    with pytest.raises(BackendError, match=r"--scheduler .* needs --backend dask"):
        make_backend("joblib", 1, "tcp://localhost:1")
    nowhere = DaskBackend(1, "tcp://127.0.0.1:9")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}),
        pytest.raises(BackendError, match=r"no dask scheduler answers at tcp://127.0.0.1:9"),
    ):
        _ = nowhere.client


class TestTheIndex:
    """Workers map the stored index into memory; none is sent to them."""

    @staticmethod
    def told(catalog, shoppers, folder, backend, **options):
        folder.mkdir()
        evaluate(
            catalog, [System("t", partial(Telling, folder=str(folder)))], shoppers, backend=backend, **options
        )
        return {path.read_text() for path in folder.iterdir()}

    @pytest.mark.parametrize("backend", ["joblib", "dask"])
    def test_a_stored_index_is_mapped_where_it_stands(self, catalog, shoppers, cluster, tmp_path, backend):
        catalog.save(tmp_path / "stored")
        stored = Catalog.load(tmp_path / "stored")
        chosen = cluster if backend == "dask" else JoblibBackend(2)
        told = self.told(stored, shoppers, tmp_path / "told", chosen)
        assert told == {f"{tmp_path / 'stored'} True"}

    def test_one_in_memory_is_mapped_from_a_copy_that_goes(self, catalog, shoppers, tmp_path):
        (told,) = self.told(catalog, shoppers, tmp_path / "told", JoblibBackend(1))
        folder, mapped = told.rsplit(" ", 1)
        assert mapped == "True"
        assert not Path(folder).exists()

    def test_a_scratch_folder_keeps_it_for_the_next_run(self, catalog, shoppers, tmp_path):
        catalog.save(tmp_path / "stored")
        stored = Catalog.load(tmp_path / "stored")
        for name in ("first", "second"):
            told = self.told(
                stored, shoppers, tmp_path / name, JoblibBackend(1), scratch=tmp_path / "scratch"
            )
            (kept,) = (tmp_path / "scratch").iterdir()
            assert told == {f"{kept} True"}
        kept.rename(tmp_path / "gone")
        assert Catalog.load(tmp_path / "gone").ids == catalog.ids

    def test_another_index_in_its_place_is_no_result(self, catalog, shoppers, tmp_path):
        catalog.save(tmp_path / "stored")
        stored = Catalog.load(tmp_path / "stored")
        Catalog.build(PRODUCTS[::-1]).save(tmp_path / "stored")
        with pytest.raises(BackendError, match="stored holds another index"):
            evaluate(stored, [System("in order", InOrder)], shoppers)
