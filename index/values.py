"""Values of catalog records: JSON and cells of any type to the declared types of a product."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import cast

import orjson

from index.fieldmap import FieldMap, LastWords
from index.products import Product

MAX_PRICE = 1e12
"""Prices beyond this are taken for faults: arrays of single precision must hold them."""
MAX_RATING = 5
MAX_COUNT = 2**31 - 1
"""Rating counts beyond this are taken for faults: arrays of 32-bit integers must hold them."""
MAX_DEPTH = 32
"""Deepest nesting of a detail value: it must be printable."""
SURROGATE = re.compile("[\ud800-\udfff]")
"""A code point that no UTF-8 text has."""

_SCALARS = frozenset({str, int, float, bool, type(None)})
_TEXTS = frozenset({str})
_NUMBER = re.compile(r"-?(?:[0-9]{1,15}|[0-9]{1,3}(?:,[0-9]{3}){1,4})(\.[0-9]{1,30})?")
_LISTING = re.compile(r"""\[\s*(?P<quote>['"]).*(?P=quote)\s*\]""", re.DOTALL)

Drop = Callable[[str, object], None]
"""Called with what was expected and what was found, for each field value that is dropped."""


def parse_json(text: bytes | str) -> object:
    """Return the JSON value in ``text``.

    What Python's own ``json`` writes, and standard JSON has not, is read too: NaN, infinities, and escapes of
    lone surrogates, which become replacement characters.

    Raises:
        UnicodeDecodeError: ``text`` is not UTF-8.
        json.JSONDecodeError: it is not JSON.
        ValueError, RecursionError: it is JSON that Python cannot hold.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return _without_surrogates(json.loads(text.decode() if isinstance(text, bytes) else text))


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {SURROGATE.sub("\ufffd", key): _without_surrogates(item) for key, item in value.items()}
    return value


def declared(identifier: str, record: Mapping[str, object]) -> Product | None:
    """Return the product of a record in the kit's form if every field has its declared type, else ``None``.

    The fast path: it gives what :func:`coerced` would.
    """
    get = record.get
    title, store, details = get("title"), get("store"), get("details")
    features, description, categories = get("features"), get("description"), get("categories")
    price, rating, count = get("price"), get("average_rating"), get("rating_number")
    if (
        type(title) is str
        and type(features) is list
        and _TEXTS.issuperset(map(type, features))
        and type(description) is list
        and _TEXTS.issuperset(map(type, description))
        and type(categories) is list
        and _TEXTS.issuperset(map(type, categories))
        and (price is None or (type(price) in (float, int) and 0 <= cast(float, price) <= MAX_PRICE))
        and type(details) is dict
        and _SCALARS.issuperset(map(type, details.values()))
        and (rating is None or (type(rating) is float and 0 <= rating <= MAX_RATING))
        and type(count) is int
        and 0 <= count <= MAX_COUNT
        and (store is None or (type(store) is str and bool(store.strip())))
    ):
        return Product(
            identifier,
            title,
            tuple(features),
            tuple(description),
            cast("float | int | None", price),
            tuple(categories),
            details,
            rating,
            count,
            store,
        )
    return None


def coerced(
    identifier: str, record: Mapping[str, object], fields: FieldMap, drop: Callable[[str, str, object], None]
) -> Product:
    """Return the product of a record; values that cannot be brought to their type go to ``drop``."""

    def value(column: str | None) -> object:
        return None if column is None else record.get(column)

    def lines(columns: tuple[str, ...], drop: Drop) -> tuple[str, ...]:
        return tuple(text for column in columns for text in _texts(record.get(column), drop))

    price = _number_within(value(fields.price), MAX_PRICE, partial(drop, "price"), unit="$")
    if price is not None and fields.price_scale != 1.0:
        price = round(price * fields.price_scale, 2)
    store = _text(value(fields.store), partial(drop, "store"))
    rating = _number_within(value(fields.average_rating), MAX_RATING, partial(drop, "average_rating"))
    return Product(
        parent_asin=identifier,
        title=_text(value(fields.title), partial(drop, "title")),
        features=lines(fields.features, partial(drop, "features")),
        description=lines(fields.description, partial(drop, "description")),
        price=price,
        categories=_categories(record, fields, partial(drop, "categories")),
        details=_details(record, fields, partial(drop, "details")),
        average_rating=None if rating is None else float(rating),
        rating_number=_count(value(fields.rating_number), partial(drop, "rating_number")),
        store=store if store.strip() else None,
    )


def identify(value: object) -> str | None:
    """Return an id as bare text; ``None`` for what is no id."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return None


def _text(value: object, drop: Drop) -> str:
    """Return a text, or a number as text; empty where there is none."""
    if value is None:
        return ""
    text = _printed(value)
    if text is None:
        drop("a text", value)
    return text or ""


def _texts(value: object, drop: Drop) -> list[str]:
    """Return the texts of a list, of a list written as JSON, or the one text."""
    if isinstance(value, str):
        if not value.strip():
            return []
        listed = _decoded(value)
        if not isinstance(listed, list) and _LISTING.fullmatch(value.strip()):
            drop("a list of texts as JSON", value)
            return []
        value = listed if isinstance(listed, list) else [value]
    if value is None:
        return []
    if not isinstance(value, list):
        drop("a list of texts", value)
        return []
    if all(isinstance(item, str) for item in value):
        return value
    kept = [_printed(item) for item in value if item is not None]
    if None in kept:
        drop("a list of texts", value)
    return [item for item in kept if item is not None]


def _printed(value: object) -> str | None:
    """Return a text as it is and a finite number as text; ``None`` for anything else."""
    if isinstance(value, str):
        return value
    number = _number(value)
    return str(number) if number is not None and abs(number) < math.inf else None


def _categories(record: Mapping[str, object], fields: FieldMap, drop: Drop) -> tuple[str, ...]:
    found = list(fields.root_categories)
    for entry in fields.categories:
        if isinstance(entry, LastWords):
            if phrase := entry.phrase(_text(record.get(entry.column), drop)):
                found.append(phrase)
        else:
            found.extend(_texts(record.get(entry), drop))
    return tuple(found)


def _details(record: Mapping[str, object], fields: FieldMap, drop: Drop) -> dict[str, object]:
    if isinstance(fields.details, str):
        found = _mapping(record.get(fields.details), drop)
    else:
        cells = {key: record.get(column) for key, column in fields.details.items()}
        found = {key: cell for key, cell in cells.items() if cell is not None}
    deep = [key for key, value in found.items() if _nested(value, MAX_DEPTH)]
    for key in deep:
        drop(f"values nested at most {MAX_DEPTH} deep", found.pop(key))
    return found


def _mapping(value: object, drop: Drop) -> dict[str, object]:
    """Return the part of a mapping, or of one written as JSON, that has text keys."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    found = _decoded(value) if isinstance(value, str) else value
    if isinstance(found, list) and found and all(isinstance(item, tuple) for item in found):
        found = dict(found)  # a Parquet map
    if not isinstance(found, dict):
        drop("a mapping with text keys", value)
        return {}
    texts = {key: item for key, item in found.items() if isinstance(key, str)}
    if len(texts) < len(found):
        drop("a mapping with text keys", value)
    return texts


def _nested(value: object, depth: int) -> bool:
    """Return whether ``value`` is nested more than ``depth`` deep."""
    if not isinstance(value, dict | list):
        return False
    members = value.values() if isinstance(value, dict) else value
    return depth == 0 or any(_nested(member, depth - 1) for member in members)


def _decoded(text: str) -> object:
    """Return the list or mapping that ``text`` holds as JSON, ``None`` where it holds none."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        return None


def _number(value: object) -> int | float | None:
    """Return a number as it is given, a text as the number that it spells; ``None`` for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, Decimal):
        return int(value) if value.as_tuple().exponent == 0 else float(value)
    if isinstance(value, str) and (match := _NUMBER.fullmatch(value.strip())):
        plain = match[0].replace(",", "")
        return float(plain) if match[1] else int(plain)
    return None


def _number_within(value: object, limit: float, drop: Drop, unit: str = "") -> int | float | None:
    """Return the number from 0 to ``limit`` that ``value`` is or spells, its unit before it or not."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    number = _number(value.strip().removeprefix(unit) if isinstance(value, str) else value)
    if number is None:
        drop("a number", value)
    elif not 0 <= number <= limit:
        drop(f"a number from 0 to {limit:g}", value)
    else:
        return number
    return None


def _count(value: object, drop: Drop) -> int:
    """Return the whole number that ``value`` is or spells, 0 where there is none."""
    number = _number_within(value, MAX_COUNT, drop)
    if number is None:
        return 0
    if number != int(number):
        drop("a whole number", value)
        return 0
    return int(number)
