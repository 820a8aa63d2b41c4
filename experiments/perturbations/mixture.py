"""Customers of all kinds in one set: some keep to the protocol's letter, the others depart from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.customers.customer import Shopper
from experiments.perturbations.perturbation import Perturbation, perturbed
from index.products import Product


def mixture(
    shoppers: Sequence[Shopper],
    products: Mapping[str, Product],
    kinds: Sequence[Perturbation],
    share: float,
    seed: int,
) -> list[Shopper]:
    """Return the shoppers with a ``share`` of them perturbed, spread evenly, each kind in turn.

    Args:
        shoppers: as the protocol has them.
        products: by id; the targets must be among them.
        kinds: the perturbations that occur.
        share: in [0, 1].
        seed: chooses the bank of wordings (by its split) and the draws.

    Raises:
        experiments.customers.sessions.SessionError: the seed lies in no split.
    """
    mixed, departed = list(shoppers), 0
    for place, shopper in enumerate(shoppers):
        if int((place + 1) * share) > departed:
            (mixed[place],) = perturbed(kinds[departed % len(kinds)], [shopper], products, seed)
            departed += 1
    return mixed
