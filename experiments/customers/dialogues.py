"""Shoppers who speak in their own words: what each would say is written down, answer by attribute."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.customers.customer import Customer, Shopper
from experiments.customers.sessions import Session
from index.cards import ATTRIBUTES, IntentCard

_TEXTS = ("target", "manner", "opening", "otherwise")


class DialogueError(ValueError):
    """A file of dialogues that cannot be used; the message says where and why, in one line."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What one shopper would say.

    Attributes:
        target: id of the product that the shopper wants.
        manner: how the shopper writes, in a word or two.
        opening: the first message.
        answers: by attribute asked for.
        otherwise: said where nothing is asked, or where there is no answer.
        turns: said in its turn whatever was asked, a change of mind for instance.
    """

    target: str
    manner: str
    opening: str
    otherwise: str
    answers: Mapping[str, str] = field(default_factory=dict)
    turns: Mapping[int, str] = field(default_factory=dict)


def read_dialogues(path: str | Path) -> list[Dialogue]:
    """Read the ``[[dialogue]]`` tables of a TOML file.

    Raises:
        DialogueError: the file is no TOML, or a table lacks a text or has one too many.
        OSError: the file cannot be read.
    """
    try:
        tables = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("dialogue", [])
    except tomllib.TOMLDecodeError as error:
        raise DialogueError(f"{path}: {error}") from None
    return [_dialogue(table, f"{path}, dialogue {number}") for number, table in enumerate(tables, 1)]


def _dialogue(table: Mapping[str, Any], place: str) -> Dialogue:
    for name in _TEXTS:
        if not isinstance(table.get(name), str) or not table[name].strip():
            raise DialogueError(f"{place}: field {name} is missing or no text")
    answers = {name: text for name, text in table.items() if name not in (*_TEXTS, "turns")}
    for name, text in answers.items():
        if name not in ATTRIBUTES or not isinstance(text, str):
            raise DialogueError(f"{place}: field {name} is no attribute, or no text")
    turns = table.get("turns", {})
    if not all(turn.isdecimal() and int(turn) > 1 for turn in turns):
        raise DialogueError(f"{place}: field turns names a turn that is no number from 2")
    texts = {name: table[name] for name in _TEXTS}
    return Dialogue(**texts, answers=answers, turns={int(turn): text for turn, text in turns.items()})


@dataclass(frozen=True, slots=True)
class SpeakingShopper(Shopper):
    """A shopper who says what a dialogue has written down."""

    dialogue: Dialogue | None = None

    @classmethod
    def saying(cls, dialogue: Dialogue, sample_id: str) -> SpeakingShopper:
        """Return the shopper of ``dialogue``, of whom nothing else is known."""
        session = Session(sample_id, "browsing", dialogue.target, {})
        return cls(session, "", IntentCard((), ()), dialogue=dialogue)

    def customer(self) -> Customer:
        """Return the shopper at the start of its conversation."""
        return _Speaker(self)


class _Speaker(Customer):
    def __init__(self, shopper: SpeakingShopper) -> None:
        assert shopper.dialogue is not None
        super().__init__(shopper)
        self._dialogue = shopper.dialogue

    def opening(self) -> str:
        return self._dialogue.opening

    def message(self, turn: int, asked: str | None) -> str:
        said = self._dialogue
        return said.turns.get(turn) or said.answers.get(asked or "", said.otherwise)
