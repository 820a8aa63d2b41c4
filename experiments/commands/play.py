"""``play``: a conversation in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from rich.console import Console

from experiments.benchmark import defaults
from experiments.benchmark.prepare import Source, default_catalog
from experiments.commands.options import (
    CatalogOption,
    CatalogSeedOption,
    ConfigOption,
    FieldsOption,
    NoCacheOption,
    ProductsOption,
    Track,
    TrackOption,
)
from experiments.customers.sessions import SCENARIOS
from experiments.live.conversation import BROWSING, LiveConversation, ProductShelf, load
from experiments.live.terminal import COMMANDS, Terminal, printable
from experiments.live.transcript import transcript
from index.catalog import Catalog
from planner.agent import Agent
from planner.config import PlannerConfig

PROMPT = "you  "
_PIPED_WIDTH = 110


def play_command(
    track: TrackOption = Track.ROBUST,
    config: ConfigOption = None,
    catalog: CatalogOption = None,
    fields: FieldsOption = None,
    no_cache: NoCacheOption = False,
    products: ProductsOption = None,
    seed: CatalogSeedOption = defaults.SEED,
    think: Annotated[
        bool, typer.Option("--think", help="Show the belief and the values of all actions.")
    ] = False,
    target: Annotated[
        str | None, typer.Option("--target", help="Id of the product that a simulated customer wants.")
    ] = None,
    scenario: Annotated[
        str, typer.Option("--scenario", help=f"How that customer shops: {', '.join(SCENARIOS)}.")
    ] = BROWSING,
    as_text: Annotated[
        bool,
        typer.Option("--transcript", help="Print the conversation with --target as text, and end."),
    ] = False,
    resume: Annotated[Path | None, typer.Option("--load", help="A kept conversation to go on with.")] = None,
) -> None:
    """Talk with the planner; also reads lines from a pipe."""
    settings = PlannerConfig.load(config or track.value)
    Source(catalog, fields, seed=seed, products=products).check()
    console = Console(stderr=True)
    path = catalog or default_catalog(products or defaults.PRODUCTS, seed, console)
    with console.status("Reading and indexing the catalog ..."):
        agent = Agent.on(Catalog.open(path, fields), settings)
    conversation = LiveConversation(agent, ProductShelf(path, fields), "play")
    output = Console(highlight=False)
    if not output.is_terminal:
        output = Console(highlight=False, width=_PIPED_WIDTH)
    if as_text:
        conversation.aim(target, scenario)
        typer.echo("\n".join(transcript(conversation)))
        return
    terminal = Terminal(conversation, output, think=think)
    terminal.welcome()
    if resume is not None:
        load(conversation, resume)
    if target is not None:
        conversation.aim(target, scenario)
        terminal.handle("")
    for line in _typed() if sys.stdin.isatty() else _piped(output):
        if not terminal.handle(line):
            break


def _piped(output: Console) -> Iterator[str]:
    """Yield the lines of a pipe, printed as if they were typed."""
    for line in sys.stdin:
        output.print(f"{PROMPT}{printable(line)}", markup=False)
        yield line


def _typed() -> Iterator[str]:
    """Yield what is typed, with line editing, completion of commands, and history over sessions.

    Ctrl-C clears the line, Ctrl-D ends.
    """
    names = [command.split()[0] for command in COMMANDS if command.startswith("/")]
    session: PromptSession[str] = PromptSession(
        PROMPT,
        history=_history(),
        auto_suggest=AutoSuggestFromHistory(),
        completer=WordCompleter(names, sentence=True),
        complete_while_typing=False,
    )
    while True:
        try:
            yield session.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _history() -> History:
    """Return the history kept for the user; for this session alone where it cannot be kept."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    path = Path(state) / "shopping-planner" / "history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))
