"""How systems fare with customers who depart from the protocol: a row for each perturbation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table

from experiments.benchmark.prepare import Benchmark, shoppers_of
from experiments.customers.conversation import SessionResult
from experiments.customers.customer import Shopper
from experiments.customers.sessions import SCENARIOS, Distribution, draw_sessions
from experiments.metrics.bootstrap import Bootstrap
from experiments.metrics.scorer import DIGITS, METRICS, metrics, session_values
from experiments.perturbations import CLEAN, PERTURBATIONS, Perturbation, perturbed
from experiments.reports.figures import heat_map, save_figure
from experiments.reports.report import counted, result_record, total, write_json
from experiments.reports.tables import markdown_table, with_interval
from experiments.running.backends import Backend
from experiments.running.evaluate import System, evaluate
from experiments.running.journal import Journal
from experiments.running.provenance import versions

REPORT_FILE = "robustness.json"
TABLE_FILE = "robustness.md"
HEAT_MAP_FILE = "robustness.png"
SESSIONS_FILE = "sessions.jsonl"

_SCORE = METRICS.index("score")


@dataclass(frozen=True, slots=True)
class Condition:
    """A perturbation and the shoppers under it."""

    perturbation: Perturbation
    shoppers: Sequence[Shopper]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What every system did under one perturbation: by system, the sessions' results in order."""

    perturbation: Perturbation
    results: Mapping[str, Sequence[SessionResult]]


def conditions(benchmark: Benchmark, names: Iterable[str], seed: int) -> list[Condition]:
    """Return the conditions to play, the unperturbed one first.

    All have the benchmark's sessions but the one for cold targets, whose sessions are drawn for it; where the
    sessions come from a file there is nothing to draw, and it is left out.
    """
    products = {product.parent_asin: product for product in benchmark.products}
    drawn = benchmark.record["options"]["sessions"] is None
    played = []
    for name in dict.fromkeys((CLEAN.name, *names)):
        perturbation = PERTURBATIONS[name]
        shoppers = benchmark.shoppers
        if perturbation.cold:
            if not drawn:
                continue
            sessions = draw_sessions(benchmark.products, len(shoppers), seed, Distribution.COLD)
            shoppers = shoppers_of(sessions, benchmark.products)
        played.append(Condition(perturbation, perturbed(perturbation, shoppers, products, seed)))
    return played


def play_all(
    benchmark: Benchmark,
    systems: Sequence[System],
    played: Sequence[Condition],
    console: Console | None = None,
    *,
    backend: Backend,
    journal: Journal | None = None,
    scratch: Path | None = None,
) -> list[Outcome]:
    """Play every condition with every system in one run (:func:`experiments.running.evaluate.evaluate`)."""
    shoppers = [shopper for condition in played for shopper in condition.shoppers]
    runs = evaluate(
        benchmark.catalog,
        systems,
        shoppers,
        console=console,
        backend=backend,
        journal=journal,
        scratch=scratch,
    )
    streams = {run.system: iter(run.results) for run in runs}
    return [
        Outcome(
            condition.perturbation,
            {name: list(islice(stream, len(condition.shoppers))) for name, stream in streams.items()},
        )
        for condition in played
    ]


def build_report(
    record: Mapping[str, Any], outcomes: Sequence[Outcome], timing: Mapping[str, Any], bootstrap: Bootstrap
) -> dict[str, Any]:
    """Return the report; the first outcome is the unperturbed one, the first system the one that is judged.

    ``record`` says what was played and heads the report; all that differs between two runs of the same
    inputs stands under ``timing``.
    """
    clean = outcomes[0]
    return {
        **record,
        "versions": versions(),
        "bootstrap": asdict(bootstrap),
        "systems": list(clean.results),
        "perturbations": {outcome.perturbation.name: _row(outcome, clean, bootstrap) for outcome in outcomes},
        "timing": dict(timing),
    }


def write_report(folder: Path, report: Mapping[str, Any], outcomes: Sequence[Outcome]) -> None:
    """Write the report as JSON, as a Markdown table and as a heat map, and the sessions, one a line."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / REPORT_FILE, report)
    (folder / TABLE_FILE).write_text(markdown(report), encoding="utf-8")
    scores, rows, columns = _heat(report)
    inches = (3 + 0.8 * len(columns), 1.5 + 0.25 * len(rows))
    save_figure(folder / HEAT_MAP_FILE, heat_map, scores, rows, columns, inches=inches)
    with (folder / SESSIONS_FILE).open("wb") as file:
        for outcome in outcomes:
            for system, results in outcome.results.items():
                for result in results:
                    line = _session_line(outcome.perturbation.name, system, result)
                    file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))


def table_rows(report: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the cells of the report's table."""
    first, *others = report["systems"]
    level = f"{report['bootstrap']['level']:.0%}"
    headings = ["perturbation", "HR@10", "MRR", "MTTC", f"score [{level}]", f"to clean [{level}]"]
    headings += ["at least", "reference", "met", *others]
    rows = []
    for name, row in report["perturbations"].items():
        figures = row["systems"][first]
        rows.append(
            [
                name,
                f"{figures['hit_rate_at_10']:.3f}",
                f"{figures['mrr']:.3f}",
                f"{figures['mttc']:.2f}",
                with_interval(figures["score"], figures["score_interval"]),
                with_interval(row["to_clean"]["score"], row["to_clean"]["interval"], "+")
                if row["to_clean"]
                else "",
                _goal(row["at_least"]),
                _goal(row["reference"]),
                {True: "yes", False: f"no, {row['margin']:+.4f}" if row["margin"] is not None else "no"}.get(
                    row["met"], ""
                ),
                *(f"{row['systems'][system]['score']:.4f}" for system in others),
            ]
        )
    return headings, rows


def print_report(report: Mapping[str, Any], console: Console) -> None:
    """Print the table, and the counts of fallbacks and faults."""
    headings, rows = table_rows(report)
    table = Table(title=f"Robustness of {report['systems'][0]}, {report['track']} track")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == headings[0] else "right")
    for row, cells in zip(report["perturbations"].values(), rows, strict=True):
        table.add_row(*cells, style={True: "green", False: "red"}.get(row["met"], "bold"))
    console.print(table)
    for kind in ("fallbacks", "faults"):
        of_first = [row["systems"][report["systems"][0]][kind] for row in report["perturbations"].values()]
        console.print(f"{kind}: {counted(total(of_first))}", highlight=False)


def markdown(report: Mapping[str, Any]) -> str:
    """Return the table in Markdown, with what each perturbation does."""
    headings, rows = table_rows(report)
    headings.insert(1, "what")
    for row, cells in zip(report["perturbations"].values(), rows, strict=True):
        cells.insert(1, row["what"])
    options = report["options"]
    head = (
        f"{report['track']} track, {options['samples']} sessions each, seed {options['seed']}, "
        f"catalog {report['catalog']['source']}"
    )
    return "\n".join([f"{head}\n", *markdown_table(headings, rows, texts=2)]) + "\n"


def _row(outcome: Outcome, clean: Outcome, bootstrap: Bootstrap) -> dict[str, Any]:
    perturbation = outcome.perturbation
    first, *others = outcome.results
    values = {system: session_values(results) for system, results in outcome.results.items()}
    score = float(values[first][:, _SCORE].mean())
    goal, best = perturbation.at_least, None
    if perturbation.beats_baselines and others:
        best = max(others, key=lambda system: float(values[system][:, _SCORE].mean()))
        goal = float(values[best][:, _SCORE].mean())
    margin = None if goal is None else round(score - goal, DIGITS)
    met = None if margin is None else (margin > 0 if perturbation.beats_baselines else margin >= 0)
    paired = outcome is not clean and not perturbation.cold
    return {
        "what": perturbation.what,
        "at_least": None if goal is None else round(goal, DIGITS),
        "reference": perturbation.reference,
        "best_baseline": best,
        "to_best_baseline": best and _difference(values[first], values[best], bootstrap),
        "met": met,
        "margin": margin,
        "to_clean": _difference(values[first], session_values(clean.results[first]), bootstrap)
        if paired
        else None,
        "systems": {
            system: {
                **asdict(metrics(results)),
                "score_interval": bootstrap.intervals(values[system][:, [_SCORE]])[0].round(DIGITS).tolist(),
                "scenarios": _by_scenario(results),
                "fallbacks": total(result.fallbacks for result in results),
                "faults": total(result.faults for result in results),
            }
            for system, results in outcome.results.items()
        },
    }


def _difference(ours: Any, theirs: Any, bootstrap: Bootstrap) -> dict[str, Any]:
    values = (ours - theirs)[:, [_SCORE]]
    return {
        "score": round(float(values.mean()), DIGITS),
        "interval": bootstrap.intervals(values)[0].round(DIGITS).tolist(),
    }


def _by_scenario(results: Sequence[SessionResult]) -> dict[str, float]:
    parts = {name: [result for result in results if result.scenario == name] for name in SCENARIOS}
    return {name: metrics(part).score for name, part in parts.items() if part}


def _heat(report: Mapping[str, Any]) -> tuple[list[list[float]], list[str], list[str]]:
    """Return scores, row names and column names: the first system, its scenarios, then the others."""
    first, *others = report["systems"]
    rows = report["perturbations"]
    scenarios = list(next(iter(rows.values()))["systems"][first]["scenarios"])
    scores = [
        [
            row["systems"][first]["score"],
            *(row["systems"][first]["scenarios"].get(name, float("nan")) for name in scenarios),
            *(row["systems"][system]["score"] for system in others),
        ]
        for row in rows.values()
    ]
    return scores, list(rows), [first, *scenarios, *others]


def _session_line(perturbation: str, system: str, result: SessionResult) -> dict[str, Any]:
    return {
        "perturbation": perturbation,
        "system": system,
        "sample_id": result.sample_id,
        "scenario_type": result.scenario,
        **result_record(result),
    }


def _goal(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
