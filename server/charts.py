"""Charts as SVG, drawn on the server; their colors are classes of the style sheet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup, escape

from server.views import ActionView, CandidateView

_WIDTH = 390
_LABEL = 74
_ROW = 30
_AXIS = 26
_TICKS = 4
_LEAST_TERM = 0.05
"""Nats below which a term prints as zero."""
_INTERVAL = 1.96
"""Standard errors on each side of a value: a 95 % interval."""


def action_values(actions: Sequence[ActionView]) -> Markup:
    """Return a chart of all actions: a row for each question, a mark with its interval for each page."""
    if not actions:
        return Markup("")
    questions = list(dict.fromkeys(action.question for action in actions))
    pages = sorted({action.page for action in actions})
    margins = [_INTERVAL * action.standard_error for action in actions]
    low = min(action.value - margin for action, margin in zip(actions, margins, strict=True))
    high = max(action.value + margin for action, margin in zip(actions, margins, strict=True))
    room = max(0.05 * (high - low), 0.002)
    low, high = low - room, high + room
    height = _ROW * len(questions) + _AXIS

    def x(value: float) -> float:
        return _LABEL + (value - low) / (high - low) * (_WIDTH - _LABEL - 14)

    parts = [_ticks(low, high, x_of=x, bottom=height - _AXIS)]
    for action, margin in zip(actions, margins, strict=True):
        kind = 0 if action.page == pages[0] else 1
        y = _ROW * questions.index(action.question) + _ROW / 2 + (-5 if kind == 0 else 5)
        left, right, middle = x(action.value - margin), x(action.value + margin), x(action.value)
        name = action.question or "no question"
        title = f"{name}, show {action.page}: {action.value:.4f} ± {margin:.4f}"
        shape = (
            f'<circle cx="{middle:.1f}" cy="{y:.1f}" r="4"/>'
            if kind == 0
            else f'<rect x="{middle - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
        )
        ring = f'<circle class="ring" cx="{middle:.1f}" cy="{y:.1f}" r="8"/>' if action.taken else ""
        parts.append(
            f'<g class="page{kind}"><title>{escape(title)}</title>'
            f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>{shape}{ring}</g>'
        )
    for place, question in enumerate(questions):
        y = _ROW * place + _ROW / 2 + 4
        taken = any(action.taken for action in actions if action.question == question)
        style = ' class="taken"' if taken else ""
        parts.append(f'<text{style} x="0" y="{y:.1f}">{escape(question or "nothing")}</text>')
    return _svg(parts, height, "Simulated value of every question and page, with 95 % intervals")


def telling_terms(candidates: Sequence[CandidateView]) -> list[str]:
    """Return the names of the terms that are not zero for all of the candidates."""
    names = candidates[0].terms if candidates else ()
    return [name for name in names if any(abs(one.terms[name]) >= _LEAST_TERM for one in candidates)]


def _ticks(low: float, high: float, x_of: object, bottom: float) -> str:
    assert callable(x_of)
    step = (high - low) / _TICKS
    exponent = 10.0 ** np.floor(np.log10(step))
    step = float(min((factor * exponent for factor in (1, 2, 5, 10)), key=lambda size: abs(size - step)))
    digits = max(0, int(np.ceil(-np.log10(step) - 1e-9)))
    parts = []
    for tick in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step:
        place = x_of(float(tick))
        parts.append(
            f'<line class="grid" x1="{place:.1f}" x2="{place:.1f}" y1="0" y2="{bottom:.1f}"/>'
            f'<text class="tick" x="{place:.1f}" y="{bottom + 17:.1f}">{tick:.{digits}f}</text>'
        )
    return "".join(parts)


def entropy_line(entropies: Sequence[float | None], current: int) -> Markup:
    """Return a small chart of the belief's entropy after each turn; ``current`` (from 1) is marked."""
    known = [(place, nats) for place, nats in enumerate(entropies) if nats is not None]
    if len(known) < 2:
        return Markup("")
    height, top, left, right = 84, 14, 34, 12
    most = max(nats for _, nats in known) or 1.0
    width = _WIDTH - left - right

    def point(place: int, nats: float) -> tuple[float, float]:
        x = left + place / max(len(entropies) - 1, 1) * width
        return x, top + (1.0 - nats / most) * (height - top - 22)

    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (point(*pair) for pair in known))
    base = height - 22
    parts = [
        f'<line class="grid" x1="{left}" x2="{_WIDTH - right}" y1="{base}" y2="{base}"/>',
        f'<text class="tick end" x="{left - 6}" y="{base + 4}">0</text>',
        f'<text class="tick end" x="{left - 6}" y="{top + 4}">{most:.1f}</text>',
        f'<polyline points="{path}"/>',
    ]
    for place, nats in known:
        x, y = point(place, nats)
        style = "dot now" if place + 1 == current else "dot"
        parts.append(
            f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>turn {place + 1}: '
            f"{nats:.2f} nats</title></circle>"
            f'<text class="tick" x="{x:.1f}" y="{height - 5}">{place + 1}</text>'
        )
    return _svg(parts, height, "Entropy of the belief after each turn, in nats")


def share_bar(share: float) -> Markup:
    """Return a bar as long as a share of its room."""
    width = 100.0 * min(max(share, 0.0), 1.0)
    return Markup(
        '<svg class="bar" aria-hidden="true"><rect class="room" width="100%" height="100%"/>'
        f'<rect width="{width:.2f}%" height="100%"/></svg>'
    )


def nats_bar(nats: float, most: float) -> Markup:
    """Return a bar from the middle: to the right for the product, to the left against it."""
    width = 50.0 * min(abs(nats) / most, 1.0) if most > 0.0 else 0.0
    start = 50.0 if nats >= 0.0 else 50.0 - width
    style = "pro" if nats >= 0.0 else "contra"
    return Markup(
        '<svg class="bar nats" aria-hidden="true"><rect class="middle" x="50%" width="1" height="100%"/>'
        f'<rect class="{style}" x="{start:.2f}%" width="{width:.2f}%" height="100%"/></svg>'
    )


def _svg(parts: Sequence[str], height: float, label: str) -> Markup:
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {height:g}" role="img" aria-label="{escape(label)}">'
        + "".join(parts)
        + "</svg>"
    )
