"""A sweep to read: Markdown, the course of the search, and which settings mattered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.reports.figures import course, importance_bars, save_figure
from experiments.running.runs import FIGURES

SWEEP_MARKDOWN = "sweep.md"


def write_sweep(folder: Path, report: Mapping[str, Any]) -> Path:
    """Write ``sweep.md`` with its figures, and return its path; ``report`` as the sweep command makes it."""
    scores = [trial["score"] for trial in report["trials"]]
    save_figure(folder / FIGURES / "course.png", course, scores)
    lines = [
        "# Sweep",
        "",
        f"Preset `{report['preset']}`, {report['catalog']['source']}; {len(scores)} trials on "
        f"{report['samples']['training']} training sessions each (seed {report['seeds']['training']}). "
        f"The best trial scored {max(scores):.4f}, the base {scores[0]:.4f}, on the sessions that chose it.",
        "",
        "| score, best - base, paired | on held-out sessions | n |",
        "| --- | ---: | ---: |",
    ]
    for name, part in report["held_out"].items():
        low, high = part["intervals"]["score"]
        lines.append(f"| {name} | {part['score']:+.4f} [{low:+.4f}, {high:+.4f}] | {part['sample_count']} |")
    lines += ["", "| setting | base | best | importance |", "| --- | ---: | ---: | ---: |"]
    for name, (old, new) in report["settings"].items():
        share = report["importance"].get(name)
        lines.append(
            f"| `{name}` | {_text(old)} | {_text(new)} | {'-' if share is None else f'{share:.2f}'} |"
        )
    lines += ["", f"![the course of the search]({FIGURES}/course.png)", ""]
    if report["importance"]:
        save_figure(folder / FIGURES / "importance.png", importance_bars, report["importance"])
        lines += [f"![importance]({FIGURES}/importance.png)", ""]
    path = folder / SWEEP_MARKDOWN
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
