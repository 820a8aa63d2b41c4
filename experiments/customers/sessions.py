"""Shopping sessions, read, written, and drawn from a catalog: who wants which product."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from experiments.errors import InputError
from experiments.generator.reference import reference_figures
from index.cards import category_words, intent_card
from index.products import Product

SCENARIOS = ("buying", "browsing", "intent_override", "boundary")

DEVELOPMENT = range(0, 10_000)
TRAINING = range(10_000, 20_000)
HELD_OUT = range(20_000, 30_000)
"""Seeds by what they are for: measuring while building, fitting, and the figures that are quoted."""

SPLITS: Mapping[str, range] = {"development": DEVELOPMENT, "training": TRAINING, "held-out": HELD_OUT}

_BANDED = ("average_rating", "price", "rating_number")
"""Fields by whose bands public targets are drawn; where not all shares can be had, those of the last hold."""

_RAKING_SWEEPS = 500
_RAKING_TOLERANCE = 1e-9


class SessionError(InputError):
    """Sessions that cannot be read or drawn; the message says where and why, in one line."""


class Distribution(StrEnum):
    """How targets are drawn.

    ``public``: as often rated, priced and liked as the published targets; ``uniform``: every product alike;
    ``cold``: among the products that few have rated; ``crowded``: among the products of the largest
    categories; ``shared_card``: among the products of whose intent card another product has the same.
    """

    PUBLIC = "public"
    UNIFORM = "uniform"
    COLD = "cold"
    CROWDED = "crowded"
    SHARED_CARD = "shared_card"

    @property
    def control(self) -> Distribution:
        """The distribution on which nothing may be lost by what is gained on this one."""
        return Distribution.PUBLIC if self is Distribution.UNIFORM else Distribution.UNIFORM


@dataclass(frozen=True, slots=True)
class Session:
    """One shopping session. Only ``profile`` is for the agent's eyes.

    Attributes:
        sample_id: the session's name.
        scenario: one of ``SCENARIOS``.
        target: id of the product that the shopper wants.
        profile: what a shop would know of the shopper.
    """

    sample_id: str
    scenario: str
    target: str
    profile: Mapping[str, Any]


def split_of(seed: int) -> str:
    """Return the name of the split that ``seed`` belongs to.

    Raises:
        SessionError: the seed lies in none.
    """
    for name, seeds in SPLITS.items():
        if seed in seeds:
            return name
    ranges = ", ".join(f"{name} {seeds[0]} to {seeds[-1]}" for name, seeds in SPLITS.items())
    raise SessionError(f"seed {seed} is in no split ({ranges})")


def require_split(seed: int, split: str) -> None:
    """Refuse a seed that is not of ``split``.

    Raises:
        SessionError: the seed is of another split, or of none.
    """
    if (found := split_of(seed)) != split:
        raise SessionError(f"seed {seed} is a {found} seed; a {split} seed is needed")


def read_sessions(path: str | Path) -> list[Session]:
    """Read a sessions file, one JSON object a line; empty lines are skipped, unknown fields ignored.

    Raises:
        SessionError: the file cannot be read, holds no session, or a line is not a session; the message names
            file, line and field.
    """
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError as error:
        raise SessionError(f"cannot read sessions {path}: {error.strerror}") from error
    sessions: dict[str, Session] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            session = _parse(line)
            if session.sample_id in sessions:
                raise SessionError(f"field sample_id repeats {session.sample_id!r}")
        except SessionError as error:
            raise SessionError(f"{path}, line {number}: {error}") from None
        sessions[session.sample_id] = session
    if not sessions:
        raise SessionError(f"{path} holds no session")
    return list(sessions.values())


def write_sessions(path: str | Path, sessions: Iterable[Session]) -> None:
    """Write sessions in the form that :func:`read_sessions` reads."""
    with Path(path).open("wb") as file:
        for session in sessions:
            record = {
                "sample_id": session.sample_id,
                "scenario_type": session.scenario,
                "ground_truth": {"parent_asin": session.target},
                "user_profile": session.profile,
            }
            file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def with_known_targets(
    sessions: Sequence[Session], known: Collection[str], *, skip: bool = False
) -> list[Session]:
    """Return the sessions whose target is among the ids ``known``.

    Raises:
        SessionError: a target is unknown and ``skip`` is not set, or every target is.
    """
    kept = [session for session in sessions if session.target in known]
    missing = {session.target: session for session in sessions if session.target not in known}
    if missing and not skip:
        target, session = next(iter(missing.items()))
        rest = f" (and {len(missing) - 1} more targets)" if len(missing) > 1 else ""
        raise SessionError(f"target {target!r} of session {session.sample_id!r} is not in the catalog{rest}")
    if not kept:
        raise SessionError("no session has a target in the catalog")
    return kept


def scenario_mix() -> dict[str, int]:
    """Return how many sessions of each scenario the public set has."""
    return dict(_settings()["mix"])


def draw_sessions(
    products: Sequence[Product],
    samples: int,
    seed: int,
    distribution: Distribution | str = Distribution.PUBLIC,
) -> list[Session]:
    """Draw ``samples`` sessions with targets from ``products``, independently and with replacement.

    The scenarios stand in the mix of the public set, as exactly as ``samples`` allows. The same arguments
    give the same sessions; the split of the seed (see ``SPLITS``) is part of the random generator's key and
    of the sessions' names.

    Raises:
        SessionError: no product is eligible, ``samples`` is not positive, or the seed is in no split.
    """
    return draw_by_weights(products, target_weights(products, distribution), samples, seed)


def draw_by_weights(
    products: Sequence[Product], weights: NDArray[np.float64], samples: int, seed: int
) -> list[Session]:
    """Draw sessions as :func:`draw_sessions` does, from the targets' ``weights`` (N,)."""
    split = split_of(seed)
    if samples < 1:
        raise SessionError(f"at least one session must be drawn, not {samples}")
    settings = _settings()
    rng = random.Random(f"sessions\0{split}\0{seed}")
    scenarios = [name for name, n in _apportion(settings["mix"], samples).items() for _ in range(n)]
    rng.shuffle(scenarios)
    targets = rng.choices(products, weights=weights.tolist(), k=samples)
    return [
        Session(
            sample_id=f"{split}-{seed}-{number:04d}",
            scenario=scenario,
            target=target.parent_asin,
            profile=_draw_profile(rng, settings["profile"]),
        )
        for number, (scenario, target) in enumerate(zip(scenarios, targets, strict=True), 1)
    ]


def target_weights(
    products: Sequence[Product], distribution: Distribution | str = Distribution.PUBLIC
) -> NDArray[np.float64]:
    """Return (N,) the probability of each product to be a target.

    ``public`` starts from a probability in proportion to the number of ratings (one where there is none: a
    purchase leads to a rating as often for every product) and rakes it until the bands of ratings, price and
    stars hold the shares of the published targets, with a bound on the share of a single product. A band with
    no product passes its share on to the others, so that a catalog without review counts is drawn by price
    and stars alone. The published shares come from
    :func:`experiments.generator.reference.reference_figures`. Every other distribution draws its products
    evenly.

    Raises:
        SessionError: no product is eligible.
    """
    if not products:
        raise SessionError("there is no product to draw a target from")
    settings = _settings()
    match Distribution(distribution):
        case Distribution.UNIFORM:
            weights = np.ones(len(products))
        case Distribution.COLD:
            limit = settings["cold"]["fewer_ratings_than"]
            weights = np.array([product.rating_number < limit for product in products], dtype=np.float64)
            if not weights.any():
                raise SessionError(f"no product has fewer than {limit} ratings")
        case Distribution.CROWDED:
            weights = _in_largest(
                [category_words(product.categories) for product in products], **settings["crowded"]
            )
        case Distribution.SHARED_CARD:
            cards = [intent_card(product) for product in products]
            holders = Counter(cards)
            weights = np.array([holders[card] > 1 for card in cards], dtype=np.float64)
            if not weights.any():
                raise SessionError("no two products have the same intent card")
        case Distribution.PUBLIC:
            reviews = np.array([product.rating_number for product in products], dtype=np.float64)
            margins = [_margin(products, field) for field in _BANDED]
            weights = rake(np.maximum(reviews, 1), margins, settings["public"]["largest_share"])
    return weights / weights.sum()


def _in_largest(categories: Sequence[str], share_of_products: float) -> NDArray[np.float64]:
    """Return (N,) 1.0 for products in the fewest categories that hold ``share_of_products`` of all, else 0.0.

    Of categories of one size, the one that the catalog has first comes first.
    """
    largest: set[str] = set()
    held = 0
    for category, size in Counter(categories).most_common():
        if held >= share_of_products * len(categories):
            break
        largest.add(category)
        held += size
    return np.array([category in largest for category in categories], dtype=np.float64)


def rake(
    base: NDArray[np.float64],
    margins: Sequence[tuple[NDArray[np.intp], NDArray[np.float64]]],
    largest_share: float = 1.0,
) -> NDArray[np.float64]:
    """Scale the weights ``base`` to sum to one until every margin's bands hold their shares.

    Iterative proportional fitting (Deming and Stephan 1940). A margin is (band of each item (N,), share of
    each band (B,)). Bands without weight are left out and the shares of the others scaled up; a margin all of
    whose shares lie in such bands is ignored. No weight exceeds ``largest_share``. Where not all of that can
    be had together, the last margin holds.
    """
    weights = base / base.sum()
    for _ in range(_RAKING_SWEEPS):
        before = weights
        weights = np.minimum(weights, largest_share)
        weights = weights / weights.sum()
        for bands, shares in margins:
            held = np.bincount(bands, weights, minlength=len(shares))
            wanted = np.where(held > 0, shares, 0.0)
            if wanted.sum() > 0:
                factors = np.divide(wanted / wanted.sum(), held, out=np.zeros_like(held), where=held > 0)
                weights = weights * factors[bands]
        if np.abs(weights - before).max() < _RAKING_TOLERANCE:
            break
    return weights


def _margin(products: Sequence[Product], field: str) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the band of each product's ``field``, the last one where it is missing, and their shares."""
    figures = reference_figures()[f"{field}_bands"]
    edges = figures["edges"]
    values = [getattr(product, field) for product in products]
    numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    bands = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, len(edges) - 1)
    shares = np.array([*figures["targets"], figures.get("missing_targets", 0.0)])
    return np.where(np.isnan(numbers), len(edges), bands), shares


def _apportion(parts: Mapping[str, int], total: int) -> dict[str, int]:
    """Return whole numbers in the proportion of ``parts`` that sum to ``total`` (largest remainder)."""
    whole = sum(parts.values())
    counts = {name: total * part // whole for name, part in parts.items()}
    by_remainder = sorted(parts, key=lambda name: -(total * parts[name] % whole))
    for name in by_remainder[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


def _draw_profile(rng: random.Random, settings: Mapping[str, Any]) -> dict[str, Any]:
    def pick(weights: Mapping[str, int]) -> str:
        return rng.choices(list(weights), weights=list(weights.values()))[0]

    style = pick(settings["rating_style"])
    pool = dict(settings["preference_tags"])
    tags: list[str] = []
    for _ in range(int(pick(settings["tag_count"]))):
        tags.append(pick(pool))
        del pool[tags[-1]]
    return {
        "average_prior_rating": float(pick(settings["average_prior_rating"][style])),
        "purchase_frequency": pick(settings["purchase_frequency"]),
        "rating_style": style,
        "preference_tags": tags,
        "summary": f"Earlier purchases were chosen for {', '.join(tags)}; ratings given: {style}.",
    }


def _parse(line: bytes) -> Session:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise SessionError(f"not JSON ({error})") from None
    if not isinstance(record, dict):
        raise SessionError("not a JSON object")
    truth = _field(record, "ground_truth", dict)
    session = Session(
        sample_id=_field(record, "sample_id", str),
        scenario=_field(record, "scenario_type", str),
        target=_field(truth, "parent_asin", str, within="ground_truth.").strip(),
        profile=_field(record, "user_profile", dict),
    )
    if session.scenario not in SCENARIOS:
        raise SessionError(f"field scenario_type is {session.scenario!r}, not one of {', '.join(SCENARIOS)}")
    return session


def _field(record: Mapping[str, Any], name: str, kind: type, within: str = "") -> Any:
    value = record.get(name)
    if not isinstance(value, kind) or (kind is str and not value):
        noun = "a text" if kind is str else "an object"
        found = "is missing" if name not in record else f"is {value!r}, not {noun}"
        raise SessionError(f"field {within}{name} {found}")
    return value


@cache
def _settings() -> dict[str, Any]:
    return tomllib.loads(files("experiments.customers").joinpath("sessions.toml").read_text(encoding="utf-8"))
