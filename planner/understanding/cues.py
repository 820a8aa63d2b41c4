"""The acts of a conversation, by their cues.

Patterns are for normalised text: lower case, words and single spaces only, so that "I'm" is ``i m``. The
fixed parts of the shopping protocol's sentences stand here, the cues of general English in
``configs/language/cues.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from index.cards import ATTRIBUTES
from planner.config import load_language
from scoring.config import Settings


def _cue(alternatives: Sequence[str]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(alternatives) + r")\b")


FORM_OPENING = re.compile(r"\bi ?m looking for ")
FORM_REQUIREMENT = re.compile(r" a key requirement is\b")
FORM_EXPLORING = re.compile(r"(?: but)? i ?m still exploring\b")
FORM_ANSWER = re.compile(r"\bfor that what matters is\b")
FORM_OVERRIDE = re.compile(r"\bactually ignore my earlier preference what i need is\b")
FORM_NOTHING_ASKED = re.compile(
    r"^those options are not quite right yet ask me about one specific attribute$"
)
_NAMES = "|".join(name.replace("_", " ?") for name in ATTRIBUTES) + r"|\w+"
FORM_REFUSAL = re.compile(rf"\bi don ?t have a preference for ({_NAMES}) please use your judgment\b")
FORM_SILENCE = re.compile(rf"\bi don ?t have an additional preference for ({_NAMES})\b")


class _Cues(Settings, frozen=True, kw_only=True):
    looking: list[str]
    needed: list[str]
    preferred: list[str]
    exploring: list[str]
    changed: list[str]
    retracted: list[str]
    retraction_ends: list[str]
    indifferent: list[str]
    articles: list[str]
    instead: list[str]
    searching: list[str]
    kind_ends: list[str]
    nothing_more: list[str]
    left_open: list[str]
    story: list[str]
    unwanted: list[str]
    unwanted_ends: list[str]


_CUES = load_language("cues", _Cues)

LOOKING = _cue(_CUES.looking)
"""What comes before the kind of product."""
NEEDED = _cue(_CUES.needed)
"""What comes before a requirement."""
PREFERRED = _cue(_CUES.preferred)
"""What a wish that may change is said with."""
EXPLORING = _cue(_CUES.exploring)
"""What one says who does not know yet."""
CHANGED = _cue(_CUES.changed)
"""What takes back what was said before."""
RETRACTED = _cue(_CUES.retracted)
"""What comes before what is taken back by its name."""
RETRACTION_ENDS = frozenset(_CUES.retraction_ends)
"""Words at which what is taken back ends."""
INDIFFERENT = _cue(_CUES.indifferent)
"""What comes after what does not matter (any more)."""
ARTICLES = frozenset(_CUES.articles)
"""Words before a thing that was spoken of."""
INSTEAD = _cue(_CUES.instead)
"""What says that something takes the place of what was wanted."""
SEARCHING = _cue(_CUES.searching)
"""What opens a search for a kind of product, even in the middle of a conversation."""
KIND_ENDS = frozenset(_CUES.kind_ends)
"""Words at which the name of a kind of product ends."""
NOTHING_MORE = _cue(_CUES.nothing_more)
"""What one says who has nothing to add."""
LEFT_OPEN = _cue(_CUES.left_open)
"""What one says who leaves the answer to others."""
STORY = _cue(_CUES.story)
"""What a sentence has that tells of people and of what has been."""
UNWANTED = _cue(_CUES.unwanted)
"""What comes before what is not wanted."""
ASKING = (LOOKING, NEEDED, PREFERRED, CHANGED, UNWANTED)
"""The cues of one who asks for something."""
UNWANTED_ENDS = frozenset(_CUES.unwanted_ends)
"""Words at which what is not wanted ends."""


def attribute_code(name: str) -> int | None:
    """Return the code of the attribute called ``name``, spelt with a space or as it is."""
    name = name.replace(" ", "_")
    if name == "usecase":
        name = "use_case"
    return ATTRIBUTES.index(name) if name in ATTRIBUTES else None
