"""The parts that ``bench`` measures, each in a process of its own.

``python -m experiments.studies.bench_parts NAME ARGUMENTS`` runs one. A part is a function of plain
arguments that returns plain values; times are wall-clock seconds, and
``cpu`` is the processor time of the same work, of all processes together.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import re
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import numpy as np
import orjson
import pyarrow as pa

from experiments.benchmark.prepare import shoppers_of
from experiments.customers.conversation import play
from experiments.customers.customer import Shopper
from experiments.customers.sessions import Distribution, draw_sessions
from index import store
from index.cards import card_lines, category_words, search_text
from index.catalog import Catalog
from index.readers import ReadReport, iter_products, read_products
from index.text import normalise
from planner.agent import Agent
from planner.config import PlannerConfig
from planner.planner import Planner

Values = dict[str, Any]

OPENING = "I'm looking for {}, but I'm still exploring."
_KERNEL_SOURCES = 5
_FEW_SESSIONS = 64
"""Conversations on which the kernels are timed, each of two messages."""


def build(catalog: str, save: str = "") -> Values:
    """From the catalog file to an agent ready to answer, numba's kernels cached, nothing stored."""
    before = _resident()
    start, cpu = perf_counter(), _cpu()
    agent = Agent(catalog, cache=False)
    ready = perf_counter() - start
    values = {
        "seconds": ready,
        "cpu": _cpu() - cpu,
        "imports_bytes": before,
        "products": len(agent.catalog),
        **_peaks(),
    }
    if save:
        start = perf_counter()
        agent.catalog.save(save)
        values["write"] = perf_counter() - start
        values["stored_bytes"] = sum(path.stat().st_size for path in Path(save).iterdir())
    return values


def load(catalog: str, cache: str) -> Values:
    """From a stored index to the first answer; where none is stored, it is made and stored first."""
    before = _resident()
    start, cpu = perf_counter(), _cpu()
    agent = Agent(catalog, cache=cache)
    ready, ready_cpu = perf_counter() - start, _cpu() - cpu
    phrase = agent.catalog.categories.phrases[-1]
    agent.reset("first")
    agent.respond("first", OPENING.format(phrase), 1, 10)
    answered = perf_counter() - start
    origin = agent.catalog.origin
    assert origin.folder is not None
    return {
        "seconds": answered,
        "cpu": _cpu() - cpu,
        "ready": ready,
        "ready_cpu": ready_cpu,
        "loaded": origin.loaded,
        "products": len(agent.catalog),
        "stored_bytes": sum(path.stat().st_size for path in origin.folder.iterdir()),
        "imports_bytes": before,
        "resident_bytes": _resident(),
        "parts": memory_by_part(agent.catalog),
        **_peaks(),
    }


def load_pickle(catalog: str, cache: str) -> Values:
    """The reference of loading: the same index, unpickled."""
    index = Catalog.open(catalog, cache=cache)
    with tempfile.TemporaryFile() as file:
        pickle.dump(index, file, protocol=pickle.HIGHEST_PROTOCOL)
        file.seek(0)
        start = perf_counter()
        pickle.load(file)
        pickled = perf_counter() - start
    start = perf_counter()
    Catalog.open(catalog, cache=cache)
    return {"seconds": pickled, "stored": perf_counter() - start}


def _shoppers(catalog: str, sessions: int, seed: int, distribution: Distribution) -> list[Shopper]:
    """Return the shoppers of sessions drawn from a catalog file, whose products are not kept."""
    products, _ = read_products(catalog)
    return shoppers_of(draw_sessions(products, sessions, seed, distribution), products)


def turns(catalog: str, cache: str, sessions: int, seed: int) -> Values:
    """Turns of whole conversations with simulated customers, and where their time goes."""
    agent = Agent(catalog, cache=cache)
    shoppers = _shoppers(catalog, sessions, seed, Distribution.PUBLIC)
    resident = _resident()
    known = frozenset(map(str, agent.catalog.ids))
    stages: Counter[str] = Counter()
    planner = agent.planner
    for owner, name, label in (
        (planner, "understand", "understanding"),
        (planner.scorer, "belief", "belief"),
        (planner, "action_values", "rollouts"),
        (agent, "_word", "wording"),
    ):
        _time_calls(owner, name, label, stages)
    conversations = 0
    spent: list[float] = []
    for number, shopper in enumerate(shoppers):
        result = play(agent, shopper, known, str(number))
        spent += [turn.ms for turn in result.turns]
        conversations += sum(
            int(turn.values.rollouts.sum()) for turn in agent.trace(str(number)) if turn.values is not None
        )
    total = sum(spent)
    profile = {label: 1000 * seconds / len(spent) for label, seconds in stages.items()}
    profile["the rest"] = total / len(spent) - sum(profile.values())
    return {
        "turns": len(spent),
        "ms": {
            "median": float(np.median(spent)),
            "mean": total / len(spent),
            "95th percentile": float(np.percentile(spent, 95)),
            "99th percentile": float(np.percentile(spent, 99)),
        },
        "rollouts_per_turn": conversations / len(spent),
        "ms_by_stage": profile,
        "fallbacks": dict(agent.fallbacks),
        "grown_bytes": _resident() - resident,
    }


def _time_calls(owner: object, name: str, label: str, spent: Counter[str]) -> None:
    """Add the seconds of each call of a method to ``spent[label]``."""
    method = getattr(owner, name)

    def timed(*args: object) -> object:
        start = perf_counter()
        try:
            return method(*args)
        finally:
            spent[label] += perf_counter() - start  # type: ignore[assignment]

    setattr(owner, name, timed)


def open_sessions(catalog: str, cache: str, sessions: int, seed: int, settling: int = 50) -> Values:
    """Memory of sessions of ten turns each that stay open, beyond those traced whole and some to settle."""
    agent = Agent(catalog, cache=cache)
    shoppers = _shoppers(catalog, sessions, seed, Distribution.PUBLIC)
    whole = agent.planner.config.sessions.traced

    def talk(first: int, last: int) -> int:
        for number in range(first, last):
            # Nothing is ever found, so that each session takes its ten turns.
            play(agent, shoppers[number % len(shoppers)], frozenset(), str(number))
        return _resident()

    settled = talk(0, whole + settling)
    grown = talk(whole + settling, whole + settling + sessions) - settled
    return {
        "sessions": sessions,
        "bytes_each": grown / sessions,
        "traced_whole": whole,
        "remembered": agent.planner.config.sessions.remembered,
    }


def long_run(catalog: str, cache: str, turns: int, seed: int) -> Values:
    """Memory after a tenth of many turns, and after all of them, where few sessions are remembered.

    Pages of files, of the index above all, are told apart: they are mapped when they are first read, and the
    system takes them back when it needs the room.
    """
    config = PlannerConfig.load("robust")
    few = msgspec.structs.replace(config.sessions, remembered=_FEW_SESSIONS)
    agent = Agent(catalog, config=msgspec.structs.replace(config, sessions=few), cache=cache)
    shoppers = _shoppers(catalog, turns // 10, seed, Distribution.UNIFORM)
    played, settled = 0, (0, 0)
    for number, shopper in enumerate(shoppers):
        # Nothing is ever found, so that each session takes its ten turns.
        played += len(play(agent, shopper, frozenset(), str(number)).turns)
        if not settled[0] and played * 10 >= turns:
            settled = _private(), _mapped()
    return {
        "turns": played,
        "settled_bytes": settled[0],
        "grown_bytes": _private() - settled[0],
        "mapped_bytes": _mapped() - settled[1],
        "fallbacks": dict(agent.fallbacks),
    }


def kernels(catalog: str, cache: str, repeat: int, budget: int) -> Values:
    """Seconds of a belief and of a rollout; with ``NUMBA_DISABLE_JIT=1`` those of the kernels interpreted."""
    index = Catalog.open(catalog, cache=cache)
    config = PlannerConfig.load("robust")
    rollouts = msgspec.structs.replace(config.rollouts, budget=budget, limit=budget)
    planner = Planner(index, msgspec.structs.replace(config, rollouts=rollouts))
    messages = []
    for row in index.popular[:_KERNEL_SOURCES].tolist():
        phrase = index.categories.phrases[int(index.categories.of_product[row])]
        line = index.lines.text(int(index.lines.cards[row, -1 if index.lines.cards[row, -1] >= 0 else 0]))
        messages.append((OPENING.format(phrase), f"For that, what matters is: {line}."))
    states = [planner.dialogue(pair, [(7, (0,))]) for pair in messages]
    jitted = "NUMBA_DISABLE_JIT" not in os.environ
    beliefs = [planner.belief(state) for state in states] if jitted else []
    for belief, state in zip(beliefs, states, strict=False):
        planner.action_values(belief, state)  # loads the kernels
    start = perf_counter()
    for _ in range(repeat):
        beliefs = [planner.belief(state) for state in states]
    belief_seconds = (perf_counter() - start) / repeat / len(states)
    played = 0
    start = perf_counter()
    for _ in range(repeat):
        for belief, state in zip(beliefs, states, strict=True):
            played += int(planner.action_values(belief, state).rollouts.sum())
    return {
        "belief": belief_seconds,
        "rollout": (perf_counter() - start) / played,
        "rollouts": played,
    }


def reference_build(catalog: str, products: int) -> Values:
    """The reference of indexing: dictionaries of Python objects, one product after the other."""
    start = perf_counter()
    lines: dict[str, list[int]] = {}
    cards: list[list[str]] = []
    words: dict[str, dict[int, int]] = {}
    categories: dict[str, list[int]] = {}
    lengths = []
    row = -1
    for row, product in zip(range(products), iter_products(catalog, ReadReport()), strict=False):
        keys = [normalise(line)[:120] for line in card_lines(product)]
        for key in dict.fromkeys(keys):
            lines.setdefault(key, []).append(row)
        cards.append(keys[:4])
        name = category_words(product.categories)
        categories.setdefault(normalise(name), []).append(row)
        found = re.findall(r"\w+", f"{search_text(product)} {product.title} {name}".lower())
        lengths.append(len(found))
        for word, times in Counter(found).items():
            words.setdefault(word, {})[row] = times
    count, mean = row + 1, sum(lengths) / (row + 1)
    rarity = {key: math.log(count / len(rows)) for key, rows in lines.items()}
    for rows in words.values():
        idf = math.log(1 + (count - len(rows) + 0.5) / (len(rows) + 0.5))
        for place, times in rows.items():
            rows[place] = idf * times / (times + 1.5 * (0.25 + 0.75 * lengths[place] / mean))  # type: ignore[assignment]
    assert len(rarity) == len(lines)
    return {"seconds": perf_counter() - start, "products": count}


def memory_by_part(catalog: Catalog) -> dict[str, int]:
    """Return the bytes of each part of an index."""
    sizes: Counter[str] = Counter()
    for name, leaf in store.leaves(catalog):
        part = name.split(".")[0]
        if isinstance(leaf, np.ndarray | pa.Array):
            sizes[part] += leaf.nbytes
        else:
            sizes[part] += len(msgspec.msgpack.encode(leaf))
    return {part.name: sizes[part.name] for part in fields(catalog) if part.name in sizes}


def _resident() -> int:
    """Return the bytes of memory that this process holds."""
    return _private() + _mapped()


def _private() -> int:
    """Return the bytes of memory of its own that this process holds."""
    resident, shared = _pages()
    return (resident - shared) * resource.getpagesize()


def _mapped() -> int:
    """Return the bytes of files that this process has in memory."""
    return _pages()[1] * resource.getpagesize()


def _pages() -> tuple[int, int]:
    """Return the pages that this process has in memory, and those of them that stand for files."""
    resident, shared = Path("/proc/self/statm").read_text(encoding="ascii").split()[1:3]
    return int(resident), int(shared)


def _cpu() -> float:
    """Return the seconds of processor time of this process and of those that it started and outlived."""
    return sum(os.times()[:4])


def _peaks() -> Values:
    """Return the most bytes that this process held, and the largest of those that it started."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {"peak_bytes": own.ru_maxrss * 1024, "peak_of_helpers_bytes": others.ru_maxrss * 1024}


PARTS: dict[str, Callable[..., Values]] = {
    part.__name__: part
    for part in (build, load, load_pickle, turns, open_sessions, long_run, kernels, reference_build)
}


def main() -> None:
    """Run the part that the command line names, on the arguments that it gives as JSON."""
    name, arguments = sys.argv[1:]
    sys.stdout.buffer.write(orjson.dumps(PARTS[name](**json.loads(arguments))))


if __name__ == "__main__":
    main()
