"""What the baselines share: reading the shopping protocol's sentences, sessions, and the form of a reply."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from index.attributes import MATERIAL_WORDS, VALUE_WORDS
from index.cards import ATTRIBUTES
from index.catalog import MATRIX_COLUMNS, Catalog
from index.fingerprint import UNKNOWN
from index.text import fingerprint, normalise, words
from planner import sentences

State = TypeVar("State")

QUESTIONS = ("material", "color", "size", "style", "budget", "feature", "use_case")
"""The named attributes of which the index records values."""

PRICE_EDGES = (10.0, 25.0, 50.0, 100.0)
"""Bounds in dollars between the price bands that answer a question about the budget."""

_CHANGED_MIND = re.compile(
    r"\b(ignore|forget|scrap|disregard|instead|changed? my mind|on second thought)\b", re.IGNORECASE
)
_NO_PREFERENCE = re.compile(
    r"\b(no (additional |particular |strong )?preferences?|(don't|do not) (have a|care|mind)|up to you)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a message says.

    Attributes:
        form: ``requirement``, ``preference`` or ``exploring`` for an opening, else ``answer``, ``override``,
            ``refusal``, ``silence``, ``nothing asked``, or ``free`` for a sentence outside the protocol.
        text: the constraints as said, without the sentence around them: ``X``, or ``X; Y`` in an answer;
            the whole message where the form is ``free``, empty where nothing is said.
        category: the words for the kind of product, in an opening.
        attribute: the attribute that a refusal or a silence names, empty where it names none.
    """

    form: str
    text: str = ""
    category: str = ""
    attribute: str = ""


def parse(message: str) -> Heard:
    """Return what ``message`` says, by the fixed beginnings and ends of the protocol's sentences.

    An opening that states a preference is split at its first period.
    """
    text = " ".join(message.split())
    if text.startswith(sentences.OPENING):
        wish = text.removeprefix(sentences.OPENING)
        if wish.endswith(sentences.EXPLORING):
            return Heard("exploring", category=wish.removesuffix(sentences.EXPLORING))
        category, found, requirement = wish.partition(sentences.REQUIREMENT_FOLLOWS)
        if found:
            return Heard("requirement", requirement.removesuffix("."), category)
        category, _, preference = wish.partition(". ")
        return Heard("preference", preference, category)
    if text.startswith(sentences.ANSWER):
        return Heard("answer", text.removeprefix(sentences.ANSWER).removesuffix("."))
    if text.startswith(sentences.OVERRIDE):
        return Heard("override", text.removeprefix(sentences.OVERRIDE).removesuffix("."))
    if text == sentences.NOTHING_ASKED:
        return Heard("nothing asked")
    for form, pattern in (("refusal", sentences.REFUSAL), ("silence", sentences.SILENCE)):
        if match := pattern.fullmatch(text):
            return Heard(form, attribute=match[1])
    return Heard("free", text)


def by_cues(heard: Heard) -> Heard:
    """Return a ``free`` sentence as the override or the refusal that its words make it, if they do.

    A system that is told to hold against paraphrase reads so; one that relies on fixed sentences does not.
    """
    if heard.form != "free":
        return heard
    if _CHANGED_MIND.search(heard.text):
        return Heard("override", heard.text)
    if _NO_PREFERENCE.search(heard.text):
        return Heard("refusal")
    return heard


def reply(
    catalog: Catalog, message: str, ask: str | None, rows: Iterable[int], scores: Iterable[float]
) -> dict[str, Any]:
    """Return a reply in the protocol's form: the products in ``rows``, best first, with their scores."""
    return {
        "message": message,
        "ask_attribute": ask,
        "recommendations": [
            {"parent_asin": str(catalog.ids[int(row)]), "score": float(score)}
            for row, score in zip(rows, scores, strict=True)
        ],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0},
    }


@dataclass(frozen=True, slots=True)
class Move:
    """What an agent does in a turn: the attribute it asks about, and the rows it shows with their scores."""

    ask: str | None
    rows: Sequence[int] | NDArray[np.int64]
    scores: Sequence[float] | NDArray[np.float64]


class SessionAgent(ABC, Generic[State]):
    """A plug-in that keeps one state for each open session; a subclass says what it holds and does."""

    def __init__(self, catalog: Catalog) -> None:
        """Recommend from ``catalog``."""
        self.catalog = catalog
        self._sessions: dict[str, State] = {}

    def reset(self, session_id: str, user_profile: dict[str, Any]) -> None:
        """Open a session."""
        self._sessions[session_id] = self.open(user_profile)

    def respond(self, session_id: str, user_message: str, turn: int, top_k: int) -> dict[str, Any]:
        """Answer a message; a session that was never opened has no profile."""
        if session_id not in self._sessions:
            self.reset(session_id, {})
        move = self.move(self._sessions[session_id], parse(user_message), turn, top_k)
        if move.ask is None:
            message = "Here is what fits so far."
        else:
            message = f"Here is what fits so far. What matters to you in {move.ask.replace('_', ' ')}?"
        return reply(self.catalog, message, move.ask, move.rows, move.scores)

    @abstractmethod
    def open(self, profile: dict[str, Any]) -> State:
        """Return the state of a new session."""

    @abstractmethod
    def move(self, state: State, heard: Heard, turn: int, top_k: int) -> Move:
        """Take in what was heard and return what to do; ``state`` is changed."""


def best_first(scores: NDArray[Any], last: Collection[int] = ()) -> NDArray[np.int64]:
    """Return all places of ``scores`` (N,), highest first, ties by place; those in ``last`` go to the end."""
    behind = np.zeros(len(scores), dtype=bool)
    behind[list(last)] = True
    return np.lexsort((-scores, behind))


def recorded_values(catalog: Catalog, row: int) -> dict[str, set[int]]:
    """Return what is recorded of a product under each of :data:`QUESTIONS`, as numbers for the values.

    Material and color are the words of the index's vocabulary that stand anywhere in the product's text, the
    budget is the band of the price (:data:`PRICE_EDGES`), and the others are the product's spec lines by
    the class that their whole words give them.
    """
    values: dict[str, set[int]] = {attribute: set() for attribute in QUESTIONS}
    bits = int(catalog.attributes.values[row])
    for place, word in enumerate(VALUE_WORDS):
        if bits >> place & 1:
            values["material" if word in MATERIAL_WORDS else "color"].add(place)
    if catalog.matrix[row, MATRIX_COLUMNS.index("has_price")]:
        price = round(float(np.expm1(catalog.matrix[row, MATRIX_COLUMNS.index("log_price")])), 2)
        values["budget"].add(int(np.searchsorted(PRICE_EDGES, price, side="right")))
    lines = catalog.lines.of_product[row]
    for line, code in zip(lines.tolist(), catalog.lines.classes[1][lines].tolist(), strict=True):
        if (attribute := ATTRIBUTES[code]) not in ("material", "color", "budget"):
            values[attribute].add(line)
    return values


def readings(answer: str) -> list[tuple[str, ...]]:
    """Return what ``answer`` may mean: one constraint, or two, split at any of its ``; ``."""
    cuts = re.finditer("; ", answer)
    return [(answer,), *((answer[: cut.start()], answer[cut.end() :]) for cut in cuts)]


def unexplained(catalog: Catalog, constraints: Sequence[str]) -> int:
    """Return the number of words in ``constraints`` that no spec line of the catalog accounts for.

    A line is found by its beginning, so the words that run on beyond its text are counted too.
    """
    count = 0
    for text, line in zip(constraints, catalog.lines.find(constraints).tolist(), strict=True):
        said = len(words(text))
        count += said if line == UNKNOWN else max(0, said - len(words(catalog.lines.text(line))))
    return count


def likeliest_reading(catalog: Catalog, answer: str) -> tuple[str, ...]:
    """Return the reading of ``answer`` that leaves the fewest words unexplained, the first of equal ones."""
    return min(readings(answer), key=lambda constraints: unexplained(catalog, constraints))


def popularity_places(catalog: Catalog) -> NDArray[np.int64]:
    """Return (N,) the place of each product among all, most rated first, ties by row."""
    places = np.empty(len(catalog), dtype=np.int64)
    places[catalog.popular] = np.arange(len(catalog))
    return places


class ProductTexts:
    """The normalised titles and spec lines of products, each made when it is first asked for."""

    def __init__(self, catalog: Catalog) -> None:
        """Read from ``catalog``."""
        self._catalog = catalog
        self._texts: dict[int, str] = {}

    def hold(self, rows: NDArray[np.integer[Any]], phrase: str) -> NDArray[np.bool_]:
        """Return for each of ``rows`` whether ``phrase`` stands in the product's text, as whole words.

        Of a long phrase the beginning must: the part by which the index knows a line.
        """
        whole, known = normalise(phrase), fingerprint(phrase)
        if not known:
            return np.zeros(len(rows), dtype=bool)
        wanted = f" {known} " if known == whole else f" {known}"
        return np.array([wanted in self._text(row) for row in rows.tolist()], dtype=bool)

    def _text(self, row: int) -> str:
        if row not in self._texts:
            lines = self._catalog.lines
            said = [lines.text(line) for line in lines.of_product[row].tolist()]
            # A bar, which no normalised text holds, keeps a phrase from running over the end of a line.
            self._texts[row] = " | ".join(["", *map(normalise, [str(self._catalog.titles[row]), *said]), ""])
        return self._texts[row]


def tally(masks: Sequence[NDArray[np.bool_]], size: int) -> NDArray[np.int64]:
    """Return (size,) how many of ``masks``, each (size,), hold at each place; there may be none."""
    return np.array(masks, dtype=np.int64).reshape(len(masks), size).sum(axis=0)
