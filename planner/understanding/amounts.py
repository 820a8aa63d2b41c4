"""Amounts of money in a message."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.\d{1,2})?"
_SIGN = r"(?:us ?)?[$£€]|\b(?:usd|eur|gbp|dollars?|bucks?|euros?|pounds?)\s"
_UNIT = r"(?:\s?(?:dollars?|bucks?|usd|eur|euros?|gbp|pounds?|quid|[$£€])(?!\w))"
_AMOUNT = rf"(?:{_SIGN})?\s?({_NUMBER}){_UNIT}?"
_MONEY = rf"(?:(?:{_SIGN})\s?({_NUMBER}){_UNIT}?|({_NUMBER}){_UNIT})"
_SPENDING = (
    r"\b(?:budget|price[sd]?|spend(?:ing)?|cost(?:s|ing)?|pay(?:ing)?|afford|cheaper|dollars?|bucks?|usd)\b"
)

_BETWEEN = re.compile(rf"(?:between|from)?\s*{_AMOUNT}\s?(?:-|–|to|and|or)\s?{_AMOUNT}", re.IGNORECASE)
_UP_TO = (
    r"under|below|less than|no more than|not more than|at most|up to|max(?:imum)?(?: of| is)?|within|"
    r"cheaper than|not over|no higher than|<=?"
)
_AT_MOST = re.compile(
    rf"(?:{_UP_TO})\s*(?:about |around )?{_AMOUNT}|"
    rf"{_AMOUNT}\s*(?:or (?:less|under|below|cheaper)|max(?:imum)?|tops|at most)\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    rf"(?:over|above|more than|at least|no less than|min(?:imum)?(?: of| is)?|>=?)\s*{_AMOUNT}|"
    rf"{_AMOUNT}\s*(?:or (?:more|over|above)|and up|at least|minimum)\b",
    re.IGNORECASE,
)
_NEAR = (
    r"around|about|roughly|approximately|approx\.?|near(?:ly)?|close to|some|circa|"
    r"budget(?: is| of| would be|:)?|~"
)
_ABOUT = re.compile(rf"(?:{_NEAR})\s*(?:of |is |about |around )?{_AMOUNT}", re.IGNORECASE)
_PLAIN = re.compile(_MONEY, re.IGNORECASE)
_MEASURE = re.compile(
    r"^\s?(?:\"|”|''|%|(?:in|inch|inches|cm|mm|oz|ounces?|lbs?|g|kg|ml|years?|months?|days?|hours?|x|mm|size|"
    r"pairs?|pcs|pieces?|pack|k|karat|gauge|denier|spf|feet|ft|foot|meters?|m)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """Money asked for: from ``least`` to ``most``; both are one where a price was named and no limit.

    ``start`` and ``end`` are its characters.
    """

    least: float
    most: float
    start: int
    end: int


def amounts(text: str, *, about_price: bool) -> list[Amount]:
    """Return the amounts of money in ``text``; bare numbers count only where it is ``about_price``."""
    spending = about_price or re.search(_SPENDING, text, re.IGNORECASE) is not None
    found: list[Amount] = []
    for pattern, kind in (
        (_BETWEEN, "range"),
        (_AT_MOST, "most"),
        (_AT_LEAST, "least"),
        (_ABOUT, "one"),
        (_PLAIN, "one"),
    ):
        for match in pattern.finditer(text):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            if _MEASURE.match(text[match.end() :]) or not (spending or re.search(_PLAIN, match[0])):
                continue
            numbers = [float(group.replace(",", "")) for group in match.groups() if group]
            if kind == "range" and (len(numbers) < 2 or numbers[0] > numbers[1]):
                continue
            least = 0.0 if kind == "most" else numbers[0]
            most = float("inf") if kind == "least" else numbers[-1]
            found.append(Amount(least, most, match.start(), match.end()))
    if not found and about_price:
        found = [
            Amount(
                float(match[0].replace(",", "")), float(match[0].replace(",", "")), match.start(), match.end()
            )
            for match in re.finditer(rf"(?<![\w.]){_NUMBER}(?!\w)", text)
            if not _MEASURE.match(text[match.end() :])
        ][:1]
    return found
