"""A conversation with the planner in a terminal: what is typed, what is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from experiments.customers.sessions import SCENARIOS
from experiments.live.conversation import BROWSING, Exchange, LiveConversation, LiveError, load, save
from index.cards import ATTRIBUTES
from index.catalog import Catalog
from planner.explain import entropy, explain
from planner.facts import ProductFacts, product_facts, product_lines
from planner.trace import TurnTrace
from planner.wording import shortened
from rollouts.kernels import NO_QUESTION
from scoring.posterior import Belief
from scoring.scenario import SCENARIOS as SHOPPER_SCENARIOS

_BELIEF_SHOWN = 10
_BELIEF_TITLE = 40
_LEAST_TERM = 0.05
"""Nats below which a term prints as zero."""
_LINES_SHOWN = 8
_LINE_LENGTH = 90
_MESSAGE_LENGTH = 1000

COMMANDS = {
    "/help": "this list",
    "/why N": "the evidence for and against product N of the last page, or the product of that id",
    "/think": "show or hide the belief and the values of all actions after each turn",
    "/target ID [SCENARIO]": f"start anew; a simulated customer wants ID ({', '.join(SCENARIOS)})",
    "(empty line)": "let the simulated customer say its next message",
    "/undo": "take back the last turn",
    "/new": "start anew",
    "/save FILE": "keep the conversation",
    "/load FILE": "go on with a kept conversation",
    "/quit": "end (also Ctrl-D)",
}


class Terminal:
    """Turns typed lines into what is printed.

    Args:
        conversation: the conversation.
        console: where it is printed.
        think: whether each turn also shows the belief and the action values.
    """

    def __init__(self, conversation: LiveConversation, console: Console, *, think: bool = False) -> None:
        self.conversation = conversation
        self.console = console
        self.think = think
        self._commands: dict[str, Callable[[str], None]] = {
            "/help": self._help,
            "/why": self._why,
            "/think": self._think,
            "/target": self._target,
            "/undo": self._undo,
            "/new": self._new,
            "/save": self._save,
            "/load": self._load,
        }

    def handle(self, line: str) -> bool:
        """Do what a line says; return whether the conversation goes on. A fault is printed in one line."""
        command, _, argument = line.strip().partition(" ")
        if command in ("/quit", "/exit"):
            return False
        try:
            if not command:
                self._customer_speaks()
            elif command in self._commands:
                self._commands[command](argument.strip())
            elif command.startswith("/"):
                raise LiveError(f"no command {command}; /help lists them")
            else:
                self._print_turn(self.conversation.say(line.strip()))
        except LiveError as error:
            self._print_error(str(error))
        except OSError as error:
            self._print_error(f"{error.strerror}: {error.filename}")
        return True

    def welcome(self) -> None:
        """Print what one can do."""
        count = len(self.conversation.catalog)
        self.console.print(
            Text(f"{count:,} products. Say what you are looking for; /help lists the commands.", "dim")
        )

    def _customer_speaks(self) -> None:
        if self.conversation.target is None:
            return
        exchange = self.conversation.let_customer_speak()
        self.console.print(Text.assemble(("customer  ", "bold magenta"), printable(exchange.said.text)))
        self._print_turn(exchange)

    def _help(self, _argument: str) -> None:
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for command, meaning in COMMANDS.items():
            table.add_row(Text(command, "bold"), Text(meaning))
        self.console.print(table)

    def _think(self, _argument: str) -> None:
        self.think = not self.think
        self.console.print(Text(f"thinking is {'shown' if self.think else 'hidden'}", "dim"))
        if self.think and self.conversation.exchanges:
            self._print_thoughts(self.conversation.trace())

    def _target(self, argument: str) -> None:
        target, _, scenario = argument.partition(" ")
        if not target:
            raise LiveError("/target needs the id of a product")
        self.conversation.aim(target, scenario.strip() or BROWSING)
        about = f"A customer who wants {target} ({self.conversation.scenario}); an empty line goes on."
        self.console.print(Text(about, "dim"))
        self._customer_speaks()

    def _undo(self, _argument: str) -> None:
        self.conversation.undo()
        self._print_state()

    def _new(self, _argument: str) -> None:
        self.conversation.aim(None, BROWSING)
        self.console.print(Text("a new conversation", "dim"))

    def _save(self, argument: str) -> None:
        if not argument:
            raise LiveError("/save needs the name of a file")
        save(self.conversation, Path(argument).expanduser())
        self.console.print(Text(f"written: {argument}", "dim"))

    def _load(self, argument: str) -> None:
        if not argument:
            raise LiveError("/load needs the name of a file")
        load(self.conversation, Path(argument).expanduser())
        self._print_state()

    def _print_state(self) -> None:
        """Print where the conversation stands: its last turn."""
        turns = len(self.conversation.exchanges)
        self.console.print(Text(f"turn {turns}", "dim"))
        if turns:
            exchange = self.conversation.exchanges[-1]
            who = "customer  " if exchange.said.by_customer else "you  "
            self.console.print(Text.assemble((who, "bold magenta"), printable(exchange.said.text)))
            self._print_turn(exchange)

    def _why(self, argument: str) -> None:
        trace = self.conversation.trace()
        row = self._row(argument or "1", trace)
        catalog = self.conversation.catalog
        facts = product_facts(catalog, row)
        (product,) = explain(trace, self.conversation.agent.planner.scorer, (row,)).products
        self.console.print(Text.assemble((facts.title, "bold"), f"  {facts.id}"))
        self.console.print(Text(f"It {product.sentence}"))
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
        table.add_column("nats", justify="right")
        table.add_column("evidence")
        for reason in product.reasons:
            style = "green" if reason.nats > 0.0 else "red" if reason.nats < 0.0 else "dim"
            table.add_row(Text(f"{reason.nats:+.2f}", style), Text(reason.text))
        self.console.print(table)
        for line in product_lines(catalog, row, _LINE_LENGTH)[:_LINES_SHOWN]:
            self.console.print(Text(f"  · {line}", "dim"))

    def _row(self, argument: str, trace: TurnTrace) -> int:
        """Return the catalog row of a place on the page, or of an id."""
        rows = trace.decision.rows
        if argument.isdecimal() and 1 <= int(argument) <= len(rows):
            return rows[int(argument) - 1]
        ids = self.conversation.catalog.ids
        if (row := ids.index(argument).as_py()) >= 0:
            return int(row)
        raise LiveError(f"no product {argument} on the page (it has {len(rows)}), nor one of that id")

    def _print_turn(self, exchange: Exchange) -> None:
        catalog, trace = self.conversation.catalog, self.conversation.trace()
        self.console.print(Text.assemble(("planner  ", "bold cyan"), printable(exchange.reply["message"])))
        scores = zip(trace.decision.rows, trace.decision.scores, strict=True)
        shown = [(product_facts(catalog, row), score) for row, score in scores]
        self.console.print(_product_table(shown, self.conversation.target))
        for fallback in trace.fallbacks:
            self.console.print(Text(f"fallback, {fallback}", "yellow"))
        if self.think:
            self._print_thoughts(trace)
        if exchange.rank is not None:
            turn, score = len(self.conversation.exchanges), self.conversation.score
            text = f"found in turn {turn} at rank {exchange.rank}: score {score:.3f}"
            self.console.print(Text(text, "bold green"))
        elif self.conversation.over:
            self.console.print(Text("not found in ten turns: score 0", "bold red"))

    def _print_thoughts(self, trace: TurnTrace) -> None:
        belief, values, catalog = trace.belief, trace.values, self.conversation.catalog
        if belief is None:
            self.console.print(Text("no belief: the products come from a plain search", "yellow"))
            return
        nats = entropy(belief)
        scenario = ", ".join(
            f"{name} {p:.0%}"
            for name, p in zip(SHOPPER_SCENARIOS, belief.scenario.probabilities, strict=True)
        )
        self.console.print(
            Text(
                f"belief: {len(belief.rows)} candidates, entropy {nats:.2f} nats "
                f"(as of {np.exp(nats):.3g} equal ones), confidence {belief.confidence:.1%}\n"
                f"shopper: {scenario}",
                "dim",
            )
        )
        self.console.print(_belief_table(belief, catalog))
        decision = explain(trace, self.conversation.agent.planner.scorer, ()).decision
        if values is not None:
            self.console.print(_value_table(trace))
            self.console.print(Text("the session's expected score, ± a standard error; bold: chosen", "dim"))
        self.console.print(Text(decision.question, "dim"))
        self.console.print(Text(decision.page, "dim"))

    def _print_error(self, message: str) -> None:
        self.console.print(Text(f"error: {printable(message)}", "red"))


def printable(text: str) -> str:
    """Return ``text`` as it may go to a terminal: one line, no control characters."""
    return shortened(text, _MESSAGE_LENGTH)


def _product_table(shown: list[tuple[ProductFacts, float]], target: str | None) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("#", justify="right")
    table.add_column("product", ratio=1)
    table.add_column("kind")
    table.add_column("price", justify="right")
    table.add_column("rated", justify="right")
    table.add_column("p", justify="right")
    table.add_column("id", no_wrap=True)
    for place, (facts, score) in enumerate(shown, 1):
        rated = f"{facts.rating:.1f} ({facts.ratings:,})" if facts.rating else f"({facts.ratings:,})"
        table.add_row(
            str(place),
            Text(facts.title),
            Text(facts.kind),
            "" if facts.price is None else f"{facts.price:,.2f}",
            rated,
            f"{score:.1%}",
            Text(facts.id),
            style="bold green" if facts.id == target else None,
        )
    return table


def _belief_table(belief: Belief, catalog: Catalog) -> Table:
    """Return the likeliest products with their terms, but for those that are zero for all of them."""
    count = min(_BELIEF_SHOWN, len(belief.rows))
    told = {
        name: [f"{value:.1f}" for value in part[:count]]
        for name, part in belief.terms.items()
        if np.any(np.abs(part[:count]) >= _LEAST_TERM)
    }
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("p", justify="right", no_wrap=True)
    table.add_column(
        "product; terms in nats", no_wrap=True, overflow="ellipsis", min_width=_BELIEF_TITLE // 2
    )
    for name in told:
        table.add_column(name, justify="right", no_wrap=True)
    for place in range(count):
        title = product_facts(catalog, int(belief.rows[place])).title
        table.add_row(
            f"{belief.probabilities[place]:.1%}",
            Text(shortened(title, _BELIEF_TITLE)),
            *(values[place] for values in told.values()),
        )
    return table


def _value_table(trace: TurnTrace) -> Table:
    """Return the simulated value of each action: a row for each question, a column for each page."""
    values = trace.values
    assert values is not None
    sizes = sorted(set(values.pages.tolist()))
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("ask")
    for size in sizes:
        table.add_column(f"show {size}", justify="right")
    for question in dict.fromkeys(values.questions.tolist()):
        cells = []
        for size in sizes:
            places = np.flatnonzero((values.questions == question) & (values.pages == size))
            if len(places) == 0:
                cells.append(Text(""))
                continue
            action = int(places[0])
            mean, error = values.means[action], values.standard_errors[action]
            cells.append(Text(f"{mean:.4f} ± {error:.4f}", "bold" if action == values.best else ""))
        table.add_row("nothing" if question == NO_QUESTION else ATTRIBUTES[question], *cells)
    return table
