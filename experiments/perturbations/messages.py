"""Changes of a sentence's letters and words, and of what stands around it."""

from __future__ import annotations

import re

from experiments.perturbations.perturbation import Draw

TYPO_SHARE = 0.08
FILLER_SHARE = 0.15

_NEIGHBOURS = {
    "q": "wa", "w": "qes", "e": "wrd", "r": "etf", "t": "ryg", "y": "tuh", "u": "yij", "i": "uok",
    "o": "ipl", "p": "ol", "a": "qsz", "s": "awdx", "d": "sefc", "f": "drgv", "g": "fthb", "h": "gyjn",
    "j": "hukm", "k": "jil", "l": "kop", "z": "asx", "x": "zsdc", "c": "xdfv", "v": "cfgb", "b": "vghn",
    "n": "bhjm", "m": "njk",
}  # fmt: skip
_LETTERS = re.compile(r"[^\W\d_]{4,}")
_WORD = re.compile(r"\w(?:[\w'-]*\w)?")
_JOINED = re.compile(r"(?<=\w)[-/&,;:](?=\w)")
_SIGN = re.compile(r"(?<!\d)[.]|[.](?!\d)|[^\w\s.]|_")


def lower_case(message: str, draw: Draw) -> str:
    """Write all in small letters."""
    return message.lower()


def upper_case(message: str, draw: Draw) -> str:
    """Write all in capitals."""
    return message.upper()


def no_punctuation(message: str, draw: Draw) -> str:
    """Leave out all signs; one that parts two words becomes a space, a decimal point stays."""
    return " ".join(_SIGN.sub("", _JOINED.sub(" ", message)).split())


def double_spaces(message: str, draw: Draw) -> str:
    """Put two spaces for each."""
    return message.replace(" ", "  ")


def greeting_before(message: str, draw: Draw) -> str:
    """Greet first."""
    return f"{draw.rng.choice(draw.bank.around['greetings'])} {message}"


def thanks_after(message: str, draw: Draw) -> str:
    """Thank afterwards."""
    return f"{message} {draw.rng.choice(draw.bank.around['thanks'])}"


def fillers(message: str, draw: Draw) -> str:
    """Put a filler before some of the words, and one in any case."""
    words = message.split(" ")
    places = {place for place in range(len(words)) if draw.rng.random() < FILLER_SHARE}
    places = places or {draw.rng.randrange(len(words))}
    return " ".join(
        f"{draw.rng.choice(draw.bank.around['fillers'])} {word}" if place in places else word
        for place, word in enumerate(words)
    )


def rambling(message: str, draw: Draw) -> str:
    """Talk of something else before and after."""
    before, after, more = draw.rng.sample(list(draw.bank.around["rambling"]), 3)
    tail = f" {more}" if draw.rng.random() < 0.5 else ""
    return f"{before} {message} {after}{tail}"


def last_word_lost(message: str, draw: Draw) -> str:
    """Break off before the last word."""
    return message.rsplit(maxsplit=1)[0]


def typing_errors(message: str, draw: Draw) -> str:
    """Mistype some of the words of four letters and more.

    A letter is lost, doubled, swapped with the next one, or the key beside it is hit.
    """
    return _LETTERS.sub(
        lambda found: _mistyped(found[0], draw) if draw.rng.random() < TYPO_SHARE else found[0], message
    )


def synonyms(message: str, draw: Draw) -> str:
    """Call materials, colors and garments by another name."""

    def other(found: re.Match[str]) -> str:
        names = draw.bank.synonyms.get(found[0].lower())
        if not names:
            return found[0]
        name = draw.rng.choice(names)
        return name[0].upper() + name[1:] if found[0][0].isupper() else name

    return _WORD.sub(other, message)


def _mistyped(word: str, draw: Draw) -> str:
    place = draw.rng.randrange(1, len(word) - 1)
    match draw.rng.choice(("lost", "doubled", "swapped", "beside")):
        case "lost":
            return word[:place] + word[place + 1 :]
        case "doubled":
            return word[: place + 1] + word[place:]
        case "swapped":
            return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        case _:
            beside = _NEIGHBOURS.get(word[place].lower(), word[place])
            return word[:place] + draw.rng.choice(beside) + word[place + 1 :]
