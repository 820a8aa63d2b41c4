"""What ``bench`` measures and how it is told."""

from dataclasses import fields

import numpy as np
import orjson
import pytest
from rich.console import Console
from typer.testing import CliRunner

from experiments.__main__ import app
from experiments.studies import bench, bench_parts
from experiments.studies.bench import BenchError, Row, exponent, print_rows, rows, run_part
from index.catalog import Catalog


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return str(tmp_path_factory.mktemp("bench"))


def test_the_exponent_of_a_power_law():
    assert exponent([10, 100, 1000], [2 * 10**1.5, 2 * 100**1.5, 2 * 1000**1.5]) == pytest.approx(1.5)
    assert exponent([1, 2], [3, 3]) == pytest.approx(0)


def test_a_ratio_says_how_many_times_better_than_the_reference():
    assert Row("x", 2.0, "s", reference=10.0).ratio == 5
    assert Row("x", 2.0, "s").ratio is None


def test_building_is_measured_and_stored(catalog_file, tmp_path):
    values = bench_parts.build(str(catalog_file), str(tmp_path / "saved"))
    assert values["products"] == 12
    assert values["seconds"] > 0
    assert values["stored_bytes"] == sum(path.stat().st_size for path in (tmp_path / "saved").iterdir())
    assert len(Catalog.load(tmp_path / "saved")) == 12
    assert values["peak_bytes"] > values["imports_bytes"] > 1e7


def test_loading_is_that_of_a_stored_index(catalog_file, cache):
    first = bench_parts.load(str(catalog_file), cache)
    assert not first["loaded"]
    assert first["products"] == 12
    values = bench_parts.load(str(catalog_file), cache)
    assert values["loaded"]
    assert values["stored_bytes"] == first["stored_bytes"] > 0
    assert values["seconds"] >= values["ready"] > 0
    assert bench_parts.load_pickle(str(catalog_file), cache)["seconds"] > 0


def test_memory_by_part(catalog):
    parts = bench_parts.memory_by_part(catalog)
    assert parts["matrix"] == 12 * 6 * 4
    assert parts["popular"] == 12 * 4
    assert parts["attributes"] == 12 * 8 + 2 * 10 * 8
    assert set(parts) == {part.name for part in fields(Catalog)} - {"origin"}


def test_a_turn_s_stages_make_up_its_time(catalog_file, cache):
    values = bench_parts.turns(str(catalog_file), cache, sessions=3, seed=0)
    assert values["turns"] >= 3
    assert values["rollouts_per_turn"] > 0
    assert not values["fallbacks"]
    stages = values["ms_by_stage"]
    assert set(stages) == {"understanding", "belief", "rollouts", "wording", "the rest"}
    assert sum(stages.values()) == pytest.approx(values["ms"]["mean"])
    assert min(stages.values()) > 0


def test_open_sessions_are_ten_turns_each(catalog_file, cache, monkeypatch):
    told = []
    original = bench_parts.play

    def play(*args):
        result = original(*args)
        told.append(len(result.turns))
        return result

    monkeypatch.setattr(bench_parts, "play", play)
    values = bench_parts.open_sessions(str(catalog_file), cache, sessions=2, seed=0, settling=0)
    assert set(told) == {10}
    assert len(told) == values["traced_whole"] + 2
    assert values["remembered"] == 10_000


def test_a_long_run_plays_as_many_turns_and_remembers_few_sessions(catalog_file, cache, monkeypatch):
    agents = []

    class Watched(bench_parts.Agent):
        def __init__(self, *args, **more):
            super().__init__(*args, **more)
            agents.append(self)

    monkeypatch.setattr(bench_parts, "Agent", Watched)
    monkeypatch.setattr(bench_parts, "_FEW_SESSIONS", 3)
    values = bench_parts.long_run(str(catalog_file), cache, turns=200, seed=0)
    assert bench_parts.PARTS["long_run"] is bench_parts.long_run
    assert values["turns"] == 200
    assert values["settled_bytes"] > 0
    assert agents[0].forgotten == 20 - 3
    assert not values["fallbacks"]


def test_kernels_and_the_plain_index(catalog_file, cache):
    values = bench_parts.kernels(str(catalog_file), cache, repeat=1, budget=16)
    assert values["belief"] > 0
    assert values["rollout"] > 0
    assert values["rollouts"] >= 16
    assert bench_parts.reference_build(str(catalog_file), 5)["products"] == 5


def test_a_part_that_fails_is_named(tmp_path):
    with pytest.raises(BenchError, match=r"^bench: the part build failed: .*no such file"):
        run_part("build", catalog=str(tmp_path / "none.jsonl"))


RUNS = {
    "first start": [{"ready": 9.0, "ready_cpu": 8.0}],
    "build": [
        {"seconds": s, "cpu": 5.0, "products": 100, "write": 0.1, "peak_bytes": 4e8, "stored_bytes": 7e7}
        for s in (3.0, 2.0, 9.0)
    ],
    "load": [{"seconds": 0.3, "cpu": 0.2, "resident_bytes": 2.5e8}],
    "load, unpickled": [{"seconds": 0.5, "stored": 0.1}],
    "turns": [{"ms": {"median": 4.0, "95th percentile": 8.0}, "rollouts_per_turn": 2500.0}],
    "sessions": [{"bytes_each": 20_000.0, "remembered": 10_000}],
    "long run": [{"turns": 20_000, "grown_bytes": 2e6, "mapped_bytes": 5e6}],
    "kernels": [{"belief": 0.001, "rollout": 1e-6}],
    "kernels, interpreted": [{"belief": 0.05, "rollout": 1e-3}],
    "build, of dictionaries": [{"seconds": 2.0, "products": 50}],
}


def test_rows_are_medians_and_references_of_as_much_work():
    found = {row.part: row for row in rows(RUNS)}
    built = found["build: file to ready"]
    assert (built.value, built.target, built.cpu, built.reference) == (3.0, 4.0, 5.0, 4.0)
    assert found["belief"].ratio == pytest.approx(50)
    assert found["rollout"].ratio == pytest.approx(1000)
    assert found["load: the index alone"].ratio == pytest.approx(5)
    assert found["sessions: 10,000 of ten turns"].value == pytest.approx(200)
    assert found["long run: memory of its own grown from turn 2,000 to 20,000"].value == pytest.approx(2)
    assert found["long run: files mapped meanwhile"].value == pytest.approx(5)
    console = Console(record=True, width=140)
    print_rows(list(found.values()), "title", console)
    text = console.export_text()
    assert "dictionaries, one core" in text
    assert "<= 0.4 s" in text


def test_growth_is_measured_drawn_and_fitted(catalog_file, tmp_path, monkeypatch):
    def part(name, environment=None, **arguments):
        size = 10 if "small" in arguments["catalog"] else 1000
        return {
            "products": size,
            "seconds": size / 10,
            "cpu": size / 5,
            "peak_bytes": 1e6 * size,
            "peak_of_helpers_bytes": 1,
            "stored_bytes": 1e3 * size,
            "resident_bytes": 1,
            "ms": {"median": 2.0, "95th percentile": 3.0},
        }

    monkeypatch.setattr(bench, "run_part", part)
    for name in ("large.jsonl", "small.jsonl"):
        (tmp_path / name).write_bytes(b"x")
    options = ["--scale", str(tmp_path / "large.jsonl"), "--scale", str(tmp_path / "small.jsonl")]
    done = CliRunner().invoke(app, ["bench", *options, "--out", str(tmp_path / "out")])
    assert done.exit_code == 0
    report = orjson.loads((tmp_path / "out" / "scale.json").read_bytes())
    assert [size["products"] for size in report["sizes"]] == [10, 1000]
    assert report["exponents"]["build"] == pytest.approx(1)
    assert report["exponents"]["turn, median"] == pytest.approx(0, abs=1e-9)
    assert report["machine"]["versions"]["numpy"] == np.__version__
    assert (tmp_path / "out" / "scale.svg").read_bytes().startswith(b"<?xml")


def test_no_catalog_no_growth(tmp_path):
    done = CliRunner().invoke(app, ["bench", "--scale", str(tmp_path / "none.jsonl")])
    assert done.exit_code == 2
    assert "no such catalog file" in done.output
