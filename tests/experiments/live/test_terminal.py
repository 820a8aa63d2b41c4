"""The terminal: its commands, what it prints, and reading from a pipe and from a terminal."""

import io
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from experiments import __main__ as cli
from experiments.live.conversation import LiveConversation, ProductShelf
from experiments.live.terminal import Terminal, printable
from index.catalog import Catalog
from index.products import Product
from planner.agent import Agent

ROOT = Path(__file__).resolve().parents[3]
LONGEST_SILENCE = 60.0
SCARF = "I'm looking for Accessories Scarves. A key requirement is: Made in Italy."


@pytest.fixture
def terminal(catalog, catalog_file):
    return make_terminal(catalog, catalog_file)


def make_terminal(catalog, catalog_file):
    console = Console(file=io.StringIO(), width=120)
    return Terminal(LiveConversation(Agent.on(catalog), ProductShelf(catalog_file), "t"), console)


def say(terminal, line):
    """Handle a line; return what is printed for it."""
    terminal.console.file.seek(0)
    terminal.console.file.truncate()
    assert terminal.handle(line)
    return terminal.console.file.getvalue()


def test_a_turn_shows_message_and_products(terminal):
    text = say(terminal, SCARF)
    assert "planner  Accessories Scarves with “Made in Italy”, noted. My best guess is Linen Scarf." in text
    assert "accessories scarves  19.50  4.5 (800)" in text
    assert "SCARF" in text
    assert "belief:" not in text


def test_thinking_shows_the_belief_and_every_action(terminal):
    assert "thinking is shown" in say(terminal, "/think")
    text = say(terminal, SCARF)
    trace = terminal.conversation.trace()
    assert f"belief: {len(trace.belief.rows)} candidates" in text
    assert f"confidence {trace.belief.confidence:.1%}" in text
    (heading,) = [line for line in text.splitlines() if "terms in nats" in line]
    told = {name for name, part in trace.belief.terms.items() if np.any(np.abs(part[:10]) >= 0.05)}
    assert set(heading.split()) == {"p", "product;", "terms", "in", "nats", *told}
    assert "prior" in told
    assert f"{trace.values.means[trace.values.best]:.4f}" in text
    assert "show 1 " in text
    assert "show 10" in text
    assert "Asks about" in text
    say(terminal, "/think")
    assert "belief:" not in say(terminal, "in linen")


def test_thinking_may_be_asked_for_after_the_turn(terminal):
    say(terminal, SCARF)
    assert "confidence" in say(terminal, "/think")


def test_why_names_the_evidence_of_a_place_or_an_id(terminal):
    say(terminal, SCARF)
    text = say(terminal, "/why 1")
    assert "; quotes your “Made in Italy” word for word, which no other product says" in text
    assert "Hand wash; lay flat to dry" in text
    assert text.count("“Made in Italy” word for word") == 2
    assert "does not say your “Made in Italy”" in say(terminal, "/why TEE")
    assert "error: no product 11 on the page (it has 1), nor one of that id" in say(terminal, "/why 11")


def test_the_customer_answers_on_empty_lines(terminal):
    text = say(terminal, "/target SCARF intent_override")
    assert "customer  I'm looking for Accessories Scarves. " in text
    turns = 1
    while not terminal.conversation.over:
        text = say(terminal, "")
        turns += 1
    assert f"found in turn {turns} at rank 1: score {0.8 + 0.02 * (11 - turns):.3f}" in text
    assert "error: the simulated customer has left" in say(terminal, "")


def test_undo_save_load_and_new(terminal, tmp_path):
    say(terminal, SCARF)
    say(terminal, "in linen")
    text = say(terminal, "/undo")
    assert text.startswith("turn 1\n")
    assert "Made in Italy" in text
    path = tmp_path / "talk.json"
    assert "written" in say(terminal, f"/save {path}")
    assert "a new conversation" in say(terminal, "/new")
    assert terminal.conversation.exchanges == []
    assert "Made in Italy" in say(terminal, f"/load {path}")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("/nonsense", "no command /nonsense; /help lists them"),
        ("/undo", "there is nothing to undo"),
        ("/why 1", "nothing has been said yet"),
        ("/target", "/target needs the id of a product"),
        ("/target NONE", "no product 'NONE' in the catalog"),
        ("/target TEE loud", "no scenario 'loud'"),
        ("/save", "/save needs the name of a file"),
        ("/load", "/load needs the name of a file"),
        ("/load /no/such/file", "No such file or directory: /no/such/file"),
        ("/save /no/such/folder/file", "No such file or directory"),
    ],
)
def test_faults_are_told_in_one_line(terminal, line, error):
    text = say(terminal, line)
    assert text.startswith("error: ")
    assert error in text
    assert text.count("\n") == 1


def test_help_and_quit(terminal):
    assert "/why N" in say(terminal, "/help")
    assert say(terminal, "") == ""
    assert not terminal.handle("/quit")


def test_no_control_characters_and_no_markup_reach_the_terminal(tmp_path):
    nasty = Product("X", "\x1b]0;title\x07\x1b[31m [bold]red[/bold] scarf", features=("\x1b[2J [link]wool",))
    terminal = make_terminal(Catalog.build([nasty]), tmp_path / "none")
    terminal.think = True
    text = say(terminal, "a \x1b[2J[red]scarf") + say(terminal, "/why 1")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "[bold]red[/bold] scarf" in text
    assert "[link]wool" in text


def test_printable():
    assert printable("a\tb\n\x1b[0m\u202ec") == "a b [0m c"


def test_lines_come_from_a_pipe(catalog_file):
    lines = "\n".join([SCARF, "/why 1", "/quit", "never read"])
    done = CliRunner().invoke(cli.app, ["play", "--catalog", str(catalog_file)], input=lines)
    assert done.exit_code == 0, done.output
    assert f"you  {SCARF}" in done.output
    assert "My best guess is Linen Scarf" in done.output
    assert "never read" not in done.output


def test_the_command_starts_with_a_target(catalog_file):
    done = CliRunner().invoke(
        cli.app, ["play", "--catalog", str(catalog_file), "--target", "BELT", "--think"]
    )
    assert done.exit_code == 0, done.output
    assert "customer  I'm looking for Accessories Belts, but I'm still exploring." in done.output
    assert "belief: " in done.output


@pytest.mark.parametrize(
    "options", [["--target", "NONE"], ["--load", "/no/such"], ["--products", "5"], ["--config", "none"]]
)
def test_options_that_cannot_be_used(catalog_file, options, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.app(["play", "--catalog", str(catalog_file), *options])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("error: ")


def test_editing_and_history_in_a_terminal(catalog_file, tmp_path):
    """Types into a real terminal: a slip is corrected, the line before is fetched back, Ctrl-D ends."""
    master, slave = pty.openpty()
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm"}
    environment["PROMPT_TOOLKIT_NO_CPR"] = "1"
    command = [sys.executable, "-m", "experiments", "play", "--catalog", str(catalog_file)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    seen = ""

    def read_until(text):
        """Read until ``text`` is followed by a prompt; an empty text waits for the end."""
        nonlocal seen
        seen = ""
        while not text or "you" not in seen.partition(text)[2]:
            assert select.select([master], [], [], LONGEST_SILENCE)[0], f"silence after: {seen}"
            try:
                seen += os.read(master, 65536).decode(errors="replace")
            except OSError:  # the other end is closed
                break

    try:
        read_until("lists the commands")
        os.write(master, b"/halp\x7f\x7f\x7felp\r")
        read_until("end (also Ctrl-D)")
        os.write(master, b"\x1b[A\r")
        read_until("end (also Ctrl-D)")
        os.write(master, b"\x04")
        read_until("")
        assert process.wait(timeout=LONGEST_SILENCE) == 0
    finally:
        process.kill()
        os.close(master)
    assert "+/help" in (tmp_path / "shopping-planner" / "history").read_text(encoding="utf-8")


def test_a_conversation_as_text(catalog_file):
    options = ["play", "--catalog", str(catalog_file), "--transcript", "--scenario", "intent_override"]
    done = CliRunner().invoke(cli.app, [*options, "--target", "SCARF"])
    assert done.exit_code == 0, done.output
    text = done.stdout
    assert text.startswith("customer  I'm looking for Accessories Scarves. ")
    turns = text.count("\ncustomer  ") + 1
    assert f"\nfound in turn {turns} at rank 1: score {0.8 + 0.02 * (11 - turns):.3f}\n" in text
    assert "customer  Actually, ignore my earlier preference." in text
    assert text.count("[shows ") == turns
    assert "\nwhy?      It " in text
    assert max(map(len, text.splitlines())) <= 110
    refused = CliRunner().invoke(cli.app, options)
    assert refused.exit_code == 2
    assert "error: no simulated customer" in refused.stderr
