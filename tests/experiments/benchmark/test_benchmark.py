"""The written benchmark: catalog, sessions and report; and how many sessions a run plays."""

import json

import orjson
import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from experiments import __main__ as cli
from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source, prepare
from experiments.benchmark.statistics import Comparison
from experiments.commands.options import sample_count
from experiments.customers.sessions import Distribution, Session, draw_sessions, read_sessions, write_sessions
from experiments.generator import generate_products, write_catalog
from experiments.metrics.stopwatch import Stopwatch
from experiments.reports.benchmark_report import build_benchmark_report, markdown

PRODUCTS = 1500


def run(*arguments):
    return CliRunner().invoke(cli.app, ["benchmark", *map(str, arguments)])


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmark")
    result = run("--out", folder, "--products", PRODUCTS, "--seed", 4, "--samples", 40)
    assert result.exit_code == 0, result.output
    return folder, result.output


def test_the_catalog_is_the_one_that_the_numbers_settle(written, tmp_path):
    folder, _ = written
    write_catalog(tmp_path / "again.jsonl", PRODUCTS, 4)
    assert (folder / "catalog.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()


def test_there_are_sessions_of_every_split_and_distribution(written):
    folder, _ = written
    products = list(generate_products(PRODUCTS, 4))
    names = {path.name for path in folder.glob("sessions-*")}
    seeds = {"development": 4, "training": 10_004, "held-out": 20_004}
    assert names == {f"sessions-{d}-{split}.jsonl" for d in Distribution for split in seeds}
    for distribution in Distribution:
        for split, seed in seeds.items():
            sessions = read_sessions(folder / f"sessions-{distribution}-{split}.jsonl")
            assert sessions == draw_sessions(products, 40, seed, distribution)
            assert sessions[0].sample_id.startswith(f"{split}-{seed}-")


def test_the_report_lays_each_figure_beside_the_published_one(written):
    folder, output = written
    report = orjson.loads((folder / "benchmark.json").read_bytes())
    figures = {row["name"]: row for row in report["figures"]}
    lines = [json.loads(line) for line in (folder / "catalog.jsonl").read_text("utf-8").splitlines()]
    priced = sum(line["price"] is not None for line in lines)
    assert figures["missing.price"]["measured"] == pytest.approx(1 - priced / PRODUCTS)
    assert figures["missing.price"]["published"] == 0.792
    assert figures["missing.price"]["ok"] == (abs(1 - priced / PRODUCTS - 0.792) <= 0.01)
    assert report["within_tolerance"] == sum(row["ok"] for row in figures.values())
    assert f"figures within tolerance: {report['within_tolerance']} of {len(figures)}" in output
    text = (folder / "benchmark.md").read_text("utf-8")
    assert all(f"| {name} |" in text for name in figures)
    assert text.count("| **no** |") == sum(not row["ok"] for row in figures.values())
    assert report["catalog"]["products"] == PRODUCTS


def test_the_report_says_what_was_drawn(written):
    folder, _ = written
    report = orjson.loads((folder / "benchmark.json").read_bytes())
    reviews = {
        record["parent_asin"]: record["rating_number"]
        for record in map(json.loads, (folder / "catalog.jsonl").read_text("utf-8").splitlines())
    }
    assert len(report["sessions"]) == 15
    cold = [part for part in report["sessions"] if part["distribution"] == "cold"]
    for part in cold:
        targets = [session.target for session in read_sessions(folder / part["file"])]
        ordered = sorted(reviews[target] for target in targets)
        assert part["median_ratings"] == (ordered[19] + ordered[20]) / 2 < 10
        assert part["different_targets"] == len(set(targets))
        assert part["scenarios"] == {"buying": 16, "browsing": 16, "intent_override": 6, "boundary": 2}


def test_only_what_is_asked_for_is_written(tmp_path):
    catalog = tmp_path / "some.jsonl"
    write_catalog(catalog, 300, 1)
    arguments = ("--split", "training", "--distribution", "uniform", "--distribution", "cold")
    out = tmp_path / "out"
    assert run("--out", out, "--catalog", catalog, *arguments, "--samples", "full").exit_code == 0
    assert {path.name for path in out.iterdir()} == {
        "sessions-uniform-training.jsonl",
        "sessions-cold-training.jsonl",
        "benchmark.json",
        "benchmark.md",
    }
    assert len(read_sessions(out / "sessions-cold-training.jsonl")) == 1000
    assert orjson.loads((out / "benchmark.json").read_bytes())["catalog"]["source"] == "some.jsonl"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--split", "testing"], ["--split", "testing", "training"]),
        (["--seed", "10000"], ["--seed", "10000"]),
        (["--distribution", "odd"], ["--distribution", "odd", "crowded"]),
        (["--samples", "half"], ["--samples", "half", "full"]),
        (["--products", "5", "--catalog", "none.jsonl"], ["--products", "--catalog"]),
        (["--catalog", "none.jsonl"], ["none.jsonl"]),
    ],
)
def test_bad_input_is_one_line(monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.output.startswith("error: ")
    assert result.output.count("\n") == 1
    assert all(word in result.output for word in words)


def test_a_figure_beyond_its_tolerance_is_marked():
    rows = [Comparison("missing.price", 0.8, 0.8, 0.01, True), Comparison("largest", 442, 600, 100, False)]
    report = build_benchmark_report({"catalog": {"products": 3}}, rows, [])
    assert (report["within_tolerance"], report["compared"]) == (1, 2)
    text = markdown(report)
    assert "| missing.price | 0.8 | 0.8 | 0.01 | yes |" in text
    assert "| largest | 442 | 600 | 100 | **no** |" in text


def test_a_number_of_samples_or_all():
    assert sample_count("40") == 40
    assert sample_count("full") == defaults.ALL
    for wrong in ("0", "-3", "", "1.5", "all"):
        with pytest.raises(typer.BadParameter, match="neither a number"):
            sample_count(wrong)


@pytest.mark.parametrize(("asked", "drawn", "taken"), [(None, 200, 3), (2, 2, 2), (defaults.ALL, 1000, 3)])
def test_full_is_a_thousand_drawn_sessions_or_the_whole_file(tmp_path, catalog_file, asked, drawn, taken):
    console = Console(quiet=True)
    source = Source(catalog=catalog_file, samples=asked)
    assert len(prepare(source, console, Stopwatch()).sessions) == drawn
    listed = [Session(str(n), "buying", target, {}) for n, target in enumerate(("TEE", "HAT", "BELT"))]
    write_sessions(tmp_path / "s.jsonl", listed)
    source = Source(catalog=catalog_file, sessions=tmp_path / "s.jsonl", samples=asked)
    assert prepare(source, console, Stopwatch()).sessions == listed[:taken]


def test_products_are_kept_only_on_demand(catalog_file, products):
    source, console = Source(catalog=catalog_file, samples=3), Console(quiet=True)
    kept = prepare(source, console, Stopwatch())
    assert [product.parent_asin for product in kept.products] == [one.parent_asin for one in products]
    played = prepare(source, console, Stopwatch(), keep_products=False)
    assert not played.products
    assert played.shoppers == kept.shoppers
