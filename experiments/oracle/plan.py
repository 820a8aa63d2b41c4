"""The oracle's plan: a solution for every opening that a set of sessions begins with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import joblib
import numpy as np
from rich.console import Console
from rich.progress import track as progress

from experiments.customers.customer import Customer, Shopper
from experiments.oracle.shoppers import Group, Population, questions
from experiments.oracle.solve import Solution, solve
from experiments.oracle.tree import GraphBuilder, Horizon


class Plan:
    """What the oracle does on a track.

    Attributes:
        ids: the id of each product of the population.
        likeliest: all rows, most probable target first.
        solutions: by opening.
    """

    def __init__(
        self, ids: Sequence[str], likeliest: Sequence[int], solutions: Mapping[str, Solution]
    ) -> None:
        self.ids = ids
        self.likeliest = likeliest
        self.solutions = solutions

    def __repr__(self) -> str:
        """Return a name that stands for the content."""
        content = repr((self.ids, self.likeliest, sorted(self.solutions.items())))
        return f"Plan({hashlib.blake2b(content.encode(errors='replace'), digest_size=16).hexdigest()})"

    def expected(self, shoppers: Iterable[Shopper]) -> tuple[float, float]:
        """Return the mean over sessions of the expected score that the policy reaches, and of the bound."""
        found = [self.solutions[Customer(shopper).opening()] for shopper in shoppers]
        return (
            float(np.mean([solution.reached for solution in found])),
            float(np.mean([solution.bound for solution in found])),
        )


def make_plans(
    population: Population,
    shoppers: Iterable[Shopper],
    tracks: Sequence[str],
    workers: int,
    console: Console | None = None,
) -> dict[str, Plan]:
    """Solve the openings of ``shoppers`` on each track, in parallel; a progress bar goes to ``console``."""
    openings = sorted({Customer(shopper).opening() for shopper in shoppers})
    tasks = [(name, opening) for name in tracks for opening in openings]
    calls = (joblib.delayed(solve_group)(population.group(opening), name) for name, opening in tasks)
    solved = progress(
        joblib.Parallel(n_jobs=workers, return_as="generator")(calls),
        "Oracle",
        total=len(tasks),
        console=console or Console(quiet=True),
        transient=True,
    )
    by_track: dict[str, dict[str, Solution]] = {name: {} for name in tracks}
    for (name, opening), solution in zip(tasks, solved, strict=True):
        by_track[name][opening] = solution
    likeliest = np.argsort(-population.weights, kind="stable").tolist()
    return {name: Plan(population.ids, likeliest, solutions) for name, solutions in by_track.items()}


def solve_group(group: Group, track: str) -> Solution:
    """Return the solution for one group under the session's rules."""
    horizon = Horizon()
    return solve(group, GraphBuilder(group, questions(track), horizon).build(), horizon)
