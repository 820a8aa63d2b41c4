"""A conversation with the simulated customer as plain text, as the README shows one."""

from __future__ import annotations

import textwrap

from experiments.live.conversation import Exchange, LiveConversation
from planner.explain import explain

_WIDTH = 110
_INDENT = 10


def transcript(conversation: LiveConversation) -> list[str]:
    """Let the simulated customer speak until it leaves; return what was said, shown and why, in lines.

    Raises:
        LiveError: there is no simulated customer.
    """
    lines: list[str] = []
    while not lines or not conversation.over:
        lines += _turn(conversation.let_customer_speak())
    turn, score = len(conversation.exchanges), conversation.score
    if score is None:
        lines.append(f"not found in {turn} turns: score 0")
    else:
        lines.append(f"found in turn {turn} at rank {conversation.found}: score {score:.3f}")
    trace = conversation.trace()
    place = (conversation.found or 1) - 1
    shown = trace.decision.rows[place : place + 1]
    for product in explain(trace, conversation.agent.planner.scorer, shown).products:
        lines += ["", *_part("why?", f"It {product.sentence}")]
    return lines


def _turn(exchange: Exchange) -> list[str]:
    shown = exchange.reply["recommendations"]
    page = f"[shows {len(shown)}, p = {shown[0]['score']:.1%}]" if shown else "[shows none]"
    return [
        *_part("customer", exchange.said.text),
        *_part("planner", f"{exchange.reply['message']}  {page}"),
    ]


def _part(who: str, text: str) -> list[str]:
    head, margin = f"{who:{_INDENT}}", " " * _INDENT
    return textwrap.wrap(text, _WIDTH, initial_indent=head, subsequent_indent=margin, break_long_words=False)
