"""A sweep to read: Markdown, the course of the search, and which settings mattered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.reports.figures import course, importance_bars, save_figure
from experiments.reports.tables import markdown_table, with_interval
from experiments.running.runs import FIGURES

SWEEP_MARKDOWN = "sweep.md"


def write_sweep(folder: Path, report: Mapping[str, Any]) -> Path:
    """Write ``sweep.md`` with its figures, and return its path; ``report`` as the sweep command makes it."""
    scores = [trial["score"] for trial in report["trials"]]
    save_figure(folder / FIGURES / "course.png", course, scores)
    rows = {"training, which chose it": report["training"], **report["held_out"]}
    lines = [
        "# Sweep",
        "",
        f"Preset `{report['preset']}`, {report['catalog']['source']}; {len(scores)} trials on "
        f"{report['samples']['training']} training sessions each ({report['distribution']} targets, seed "
        f"{report['seeds']['training']}). The best trial is number {report['best']} with "
        f"{max(scores):.4f}; number 0, the base, has {scores[0]:.4f}.",
        "",
        conclusion(report),
        "",
        *markdown_table(
            ("sessions", "score, best - base, paired", "n"),
            [(name, _gain(part), str(part["sample_count"])) for name, part in rows.items()],
        ),
        "",
        *markdown_table(
            ("setting", "base", "best", "importance"),
            [
                (f"`{name}`", _text(old), _text(new), f"{share:.2f}" if share is not None else "-")
                for name, share, (old, new) in _by_importance(report)
            ],
        ),
    ]
    lines += ["", f"![the course of the search]({FIGURES}/course.png)", ""]
    if report["importance"]:
        save_figure(folder / FIGURES / "importance.png", importance_bars, report["importance"])
        lines += [f"![importance]({FIGURES}/importance.png)", ""]
    path = folder / SWEEP_MARKDOWN
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def conclusion(report: Mapping[str, Any]) -> str:
    """Return in a sentence what the held-out sessions say of the best settings."""
    bounds = {name: part["intervals"]["score"] for name, part in report["held_out"].items()}
    lost = [name for name, (_, high) in bounds.items() if high < 0]
    (main, (low, _)), *_ = bounds.items()
    if lost:
        return f"The best settings lose on {' and '.join(lost)}: the base stays."
    if low > 0:
        return f"The best settings gain on {main} and lose nowhere; `compare` says whether that is enough."
    return "The best settings are no better than the base on held-out sessions: the base stays."


def _by_importance(report: Mapping[str, Any]) -> list[tuple[str, float | None, tuple[object, object]]]:
    """Return name, importance, and values of the base and of the best, the most important first."""
    shares = report["importance"]
    ordered = sorted(report["settings"].items(), key=lambda item: -shares.get(item[0], 0.0))
    return [(name, shares.get(name), tuple(values)) for name, values in ordered]


def _gain(part: Mapping[str, Any]) -> str:
    return with_interval(part["score"], part["intervals"]["score"], "+")


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(list(value)) if isinstance(value, tuple) else str(value)
