"""Field maps: which columns of a foreign catalog the fields of a product come from.

A field map is a TOML file. Every key but ``parent_asin`` may be left out::

    parent_asin = "ProductID"
    title = "ProductName"
    features = ["Description"]
    price = "Price (INR)"
    price_scale = 0.012                 # dollars for one unit of the column
    root_categories = ["Clothing, Shoes & Jewelry"]
    categories = ["Gender", { column = "ProductName", last_words = 2 }]

    [details]
    Color = "PrimaryColor"
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated

import msgspec

import configs

_Column = Annotated[str, msgspec.Meta(min_length=1)]
_HAS_DIGIT = re.compile(r"\d")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


class FieldMapError(ValueError):
    """A field map that cannot be used; the message names the file and the key."""


class LastWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The kind of product, taken from the end of a column that holds its name.

    Attributes:
        column: the column that holds the name.
        last_words: the most words that are taken, counted from the end.
        cut_at: words at the first of which the name ends ("Kurta *with* Palazzos").
        stop_words: words that say nothing of the kind. Those at the end are passed over; one further to the
            left ends the phrase. A word with a digit (a size, a model number) is always a stop word.
    """

    column: _Column
    last_words: Annotated[int, msgspec.Meta(ge=1)]
    cut_at: frozenset[str] = frozenset()
    stop_words: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Refuse words that could never match."""
        for key in ("cut_at", "stop_words"):
            for word in sorted(getattr(self, key)):
                if word != word.lower() or len(word.split()) != 1:
                    raise ValueError(f"`{key}` takes single words in lower case, got {word!r}")

    def phrase(self, name: str) -> str:
        """Return the last words of ``name``, bare of punctuation and each capitalised ("Casual Shirt").

        The result is empty where nothing but stop words is left.
        """
        taken: list[str] = []
        for word in reversed(self._words(name)):
            if word in self.stop_words or _HAS_DIGIT.search(word):
                if taken:
                    break
            else:
                taken.append(word.capitalize())
                if len(taken) == self.last_words:
                    break
        return " ".join(reversed(taken))

    def _words(self, name: str) -> list[str]:
        found: list[str] = []
        for raw in name.lower().split():
            if raw in self.cut_at and found:
                break
            if word := _EDGES.sub("", raw):
                found.append(word)
        return found


class FieldMap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the fields of a product come from: a column, or several, for each.

    Attributes:
        parent_asin: column of the id.
        title: column of the name.
        features: columns of feature lines, in order.
        description: columns of description paragraphs, in order.
        price: column of the price.
        price_scale: the kit's dollars for one unit of the price column; scaled prices are rounded to cents.
        root_categories: categories that every product of the catalog has, root first.
        categories: columns of the categories below them, in order.
        details: column by detail key, or the one column that holds a whole mapping.
        average_rating: column of the mean rating, 0 to 5.
        rating_number: column of the number of ratings.
        store: column of the brand or seller.
    """

    parent_asin: _Column
    title: _Column | None = None
    features: tuple[_Column, ...] = ()
    description: tuple[_Column, ...] = ()
    price: _Column | None = None
    price_scale: float = 1.0
    root_categories: tuple[str, ...] = ()
    categories: tuple[_Column | LastWords, ...] = ()
    details: _Column | dict[str, _Column] = {}
    average_rating: _Column | None = None
    rating_number: _Column | None = None
    store: _Column | None = None

    def __post_init__(self) -> None:
        """Refuse a scale that is no exchange rate, or that nothing would read."""
        if not (self.price_scale > 0 and math.isfinite(self.price_scale)):
            raise ValueError(f"`price_scale` must be a positive number, got {self.price_scale}")
        if self.price_scale != 1.0 and self.price is None:
            raise ValueError("`price_scale` needs `price`, the column that it scales")

    @classmethod
    def load(cls, path: str | Path) -> FieldMap:
        """Read the field map in the TOML file at ``path``.

        Raises:
            FieldMapError: the file cannot be read, is not TOML, or has an unknown, missing or wrong key.
        """
        try:
            return msgspec.toml.decode(Path(path).read_bytes(), type=cls)
        except (OSError, UnicodeDecodeError, msgspec.MsgspecError) as error:
            raise FieldMapError(f"{path}: not a field map: {error}") from error

    @classmethod
    def of(cls, fields: FieldMap | str | Path | None) -> FieldMap | None:
        """Return a field map as it is, or the one in the file at a path.

        Raises:
            FieldMapError: the file is not a field map.
        """
        return cls.load(fields) if isinstance(fields, str | Path) else fields

    def columns(self) -> frozenset[str]:
        """Return every column that the map reads."""
        scalars = (
            self.parent_asin,
            self.title,
            self.price,
            self.average_rating,
            self.rating_number,
            self.store,
        )
        details = [self.details] if isinstance(self.details, str) else self.details.values()
        categories = (entry if isinstance(entry, str) else entry.column for entry in self.categories)
        return frozenset(filter(None, (*scalars, *self.features, *self.description, *categories, *details)))


KIT = FieldMap(
    parent_asin="parent_asin",
    title="title",
    features=("features",),
    description=("description",),
    price="price",
    categories=("categories",),
    details="details",
    average_rating="average_rating",
    rating_number="rating_number",
    store="store",
)
"""The kit's own catalogs: every field comes from the column of its name."""


def known_field_maps() -> dict[str, FieldMap]:
    """Return the field maps that come with the planner (``configs/catalogs/*.toml``) by name, sorted."""
    return {path.stem: FieldMap.load(path) for path in sorted((configs.FOLDER / "catalogs").glob("*.toml"))}
