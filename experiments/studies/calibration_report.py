"""A calibration to read: Markdown, and reliability diagrams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from experiments.reports.figures import reliability_diagram
from experiments.reports.report import OVERALL
from experiments.reports.tables import with_interval
from experiments.studies.calibration import STATEMENTS

_INCHES = 3.2
_DOTS_PER_INCH = 110
_FEW = 30
"""Parts of fewer turns are not drawn."""


def write_calibration(folder: Path, report: Mapping[str, Any], figures: Path, prefix: str = "") -> Path:
    """Write ``calibration.md`` and its figures, and return the former.

    Args:
        folder: of the Markdown.
        report: see :mod:`experiments.commands.calibrate`.
        figures: folder of the figures, within ``folder``.
        prefix: of their files' names.
    """
    figures.mkdir(parents=True, exist_ok=True)
    drawn = {"overall": [OVERALL], "scenarios": [], "turns": []}
    after = report["after"]["statements"]["top"]
    for name, part in after.items():
        if name != OVERALL and part["turns"] >= _FEW:
            drawn["turns" if name.startswith("turn ") else "scenarios"].append(name)
    pictures = {}
    for kind, parts in drawn.items():
        if parts:
            pictures[kind] = figures / f"{prefix}{kind}.png"
            _save(pictures[kind], report, parts)
    path = folder / "calibration.md"
    links = {kind: picture.relative_to(folder).as_posix() for kind, picture in pictures.items()}
    path.write_text("\n".join(_lines(report, links)), encoding="utf-8")
    return path


def _save(path: Path, report: Mapping[str, Any], parts: Sequence[str]) -> None:
    """Draw before and after, a row for each of the statements top and ten, a column for each part."""
    statements = ("top", "ten")
    size = (_INCHES * len(parts), _INCHES * len(statements))
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(statements), len(parts), squeeze=False)
    for row, statement in zip(axes, statements, strict=True):
        for ax, part in zip(row, parts, strict=True):
            for when in ("before", "after"):
                figures = report[when]["statements"][statement].get(part)
                if figures:
                    reliability_diagram(ax, figures["bins"], when)
            ax.set_title(f"{statement}: {part}", fontsize="medium")
            ax.legend(fontsize="small", loc="upper left")
    figure.savefig(path, dpi=_DOTS_PER_INCH)


def _lines(report: Mapping[str, Any], pictures: Mapping[str, str]) -> list[str]:
    before, after = report["before"], report["after"]
    lines = [
        "# Calibration",
        "",
        f"Preset `{report['preset']}`, {report['catalog']['source']} "
        f"({report['catalog']['products']} products). "
        f"Fitted by log loss on {report['training']['sessions']} training sessions "
        f"({report['training']['turns']} turns, seed {report['seeds']['training']}), in "
        f"{report['departing']:.0%} of which the customer departs from the protocol in one of the ways of "
        f"the robustness suite; all below is "
        f"measured on {after['sessions']} held-out sessions (seed {report['seeds']['held-out']}), "
        f"played under the settings before and after.",
        "",
        "| setting | before | after |",
        "| --- | ---: | ---: |",
        *(f"| `{name}` | {old:g} | {new:g} |" for name, (old, new) in report["settings"].items()),
        "",
        "Log loss (nats a turn) of the target: training "
        f"{report['training']['loss'][0]:.4f} before, {report['training']['loss'][1]:.4f} after; held-out, "
        f"on the same turns, {report['loss'][0]:.4f} and {report['loss'][1]:.4f}. "
        f"The target was no candidate in {after['no_candidate']:.2%} of the turns.",
        "",
        f"Intervals are {report['bootstrap']['level']:.0%} bootstrap intervals over sessions.",
        "",
        "| score | after - before, paired | n |",
        "| --- | ---: | ---: |",
        *(
            f"| {name} | {with_interval(part['score'], part['intervals']['score'], '+')} "
            f"| {part['sample_count']} |"
            for name, part in report["scores"].items()
        ),
        "",
    ]
    for statement, words in STATEMENTS.items():
        lines += [
            f"## {words[0].upper()}{words[1:]}",
            "",
            "| turns of | n | stated | true | calibration error before | after | Brier before | after "
            "| log loss before | after |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        for name, part in after["statements"][statement].items():
            old = before["statements"][statement].get(name)
            lines.append(_row(name, old, part))
        lines.append("")
    titles = {"overall": "All turns", "scenarios": "By scenario", "turns": "By turn"}
    for kind, picture in pictures.items():
        lines += [f"## {titles[kind]}", "", f"![reliability diagrams]({picture})", ""]
    return lines


def _row(name: str, old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> str:
    def error(part: Mapping[str, Any]) -> str:
        low, high = part["interval"]
        return f"{part['calibration_error']:.3f} [{low:.3f}, {high:.3f}]"

    def pair(key: str) -> str:
        return f"{old[key]:.3f} | {new[key]:.3f}" if old else f"- | {new[key]:.3f}"

    return (
        f"| {name} | {new['turns']} | {new['stated']:.3f} | {new['true']:.3f} | "
        f"{error(old) if old else '-'} | {error(new)} | {pair('brier')} | {pair('log_loss')} |"
    )
