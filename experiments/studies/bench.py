"""How fast and how large the planner is, beside plain implementations of the same work in the same run."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from experiments.benchmark import defaults
from experiments.errors import InputError
from experiments.running.provenance import versions
from experiments.studies.bench_parts import Values

_ROOT = Path(__file__).resolve().parents[2]
_MB = 1e6
LONG_RUN = 20_000
"""Turns after which memory is to be what it was after a tenth of them."""


class BenchError(InputError):
    """A part that could not be measured; the message names it and the reason."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    Attributes:
        part: what is measured.
        value: the median of the runs.
        unit: of the value.
        target: what it should not exceed, ``None`` where nothing is asked.
        cpu: the processor time of the same work, of all processes together; ``None`` where it is not told.
        reference: the same for a plain implementation, ``None`` where there is none.
        basis: what that implementation is.
    """

    part: str
    value: float
    unit: str
    target: float | None = None
    cpu: float | None = None
    reference: float | None = None
    basis: str = ""

    @property
    def ratio(self) -> float | None:
        """Return how many times faster, or smaller, than the reference it is."""
        return None if self.reference is None else self.reference / self.value


def run_part(name: str, environment: Mapping[str, str] | None = None, **arguments: object) -> Values:
    """Run a part of :mod:`experiments.studies.bench_parts` in a fresh process and return its values.

    Raises:
        BenchError: the process failed.
    """
    done = subprocess.run(
        [sys.executable, "-m", "experiments.studies.bench_parts", name, orjson.dumps(arguments).decode()],
        cwd=_ROOT,
        env={**os.environ, **(environment or {})},
        capture_output=True,
    )
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no word"]
        raise BenchError(f"bench: the part {name} failed: {last[0]}")
    values: Values = orjson.loads(done.stdout)
    return values


def measure(catalog: Path, repeat: int, sessions: int, console: Console) -> tuple[list[Row], dict[str, Any]]:
    """Measure every part on one catalog file; return the table's rows and all values by part."""
    runs: dict[str, list[Values]] = {}
    path = str(catalog.resolve())

    def run(
        name: str, part: str, times: int = 1, environment: Mapping[str, str] | None = None, **more: object
    ) -> None:
        console.print(f"{name} ...", highlight=False)
        runs[name] = [run_part(part, environment, **more) for _ in range(times)]

    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        cache = f"{folder}/cache"
        run(
            "first start",
            "load",
            catalog=path,
            cache=cache,
            environment={"NUMBA_CACHE_DIR": f"{folder}/numba"},
        )
        run("kernels, cached", "load", catalog=path, cache=cache)
        run("build", "build", repeat, catalog=path, save=f"{folder}/saved")
        run("load", "load", repeat, catalog=path, cache=cache)
        run("load, unpickled", "load_pickle", repeat, catalog=path, cache=cache)
        run("turns", "turns", catalog=path, cache=cache, sessions=sessions, seed=defaults.SEED)
        run("sessions", "open_sessions", catalog=path, cache=cache, sessions=sessions, seed=defaults.SEED)
        run("long run", "long_run", catalog=path, cache=cache, turns=LONG_RUN, seed=defaults.SEED)
        run("kernels", "kernels", repeat, catalog=path, cache=cache, repeat=20, budget=2048)
        interpreted = {"NUMBA_DISABLE_JIT": "1"}
        run("kernels, interpreted", "kernels", 1, interpreted, catalog=path, cache=cache, repeat=1, budget=32)
        run("build, of dictionaries", "reference_build", catalog=path, products=5000)
    return rows(runs), runs


def rows(runs: Mapping[str, list[Values]]) -> list[Row]:
    """Return the table's rows: medians of the runs of each part."""

    def median(name: str, *keys: str) -> float:
        values: list[Any] = list(runs[name])
        for key in keys:
            values = [value[key] for value in values]
        return float(statistics.median(values))

    products = median("build", "products")
    plain = median("build, of dictionaries", "seconds") / median("build, of dictionaries", "products")
    interpreted = "the kernels interpreted"
    each = median("sessions", "bytes_each")
    remembered = median("sessions", "remembered")
    return [
        Row(
            "build: file to ready",
            median("build", "seconds"),
            "s",
            4.0,
            median("build", "cpu"),
            plain * products,
            "dictionaries, one core",
        ),
        Row("store: write", median("build", "write"), "s"),
        Row("load: stored index to first answer", median("load", "seconds"), "s", 0.4, median("load", "cpu")),
        Row(
            "load: the index alone",
            median("load, unpickled", "stored"),
            "s",
            reference=median("load, unpickled", "seconds"),
            basis="unpickled",
        ),
        Row(
            "first start ever: index and kernels made",
            median("first start", "ready"),
            "s",
            20.0,
            median("first start", "ready_cpu"),
        ),
        Row("turn: median", median("turns", "ms", "median"), "ms", 5.0),
        Row("turn: 95th percentile", median("turns", "ms", "95th percentile"), "ms", 20.0),
        Row("turn: rollouts", median("turns", "rollouts_per_turn"), ""),
        Row(
            "belief",
            1000 * median("kernels", "belief"),
            "ms",
            reference=1000 * median("kernels, interpreted", "belief"),
            basis=interpreted,
        ),
        Row(
            "rollout",
            1e6 * median("kernels", "rollout"),
            "µs",
            reference=1e6 * median("kernels, interpreted", "rollout"),
            basis=interpreted,
        ),
        Row("memory: the agent, after its first answer", median("load", "resident_bytes") / _MB, "MB", 400.0),
        Row("memory: peak while building", median("build", "peak_bytes") / _MB, "MB"),
        Row("stored index", median("build", "stored_bytes") / _MB, "MB"),
        Row(f"sessions: {remembered:,.0f} of ten turns", each * remembered / _MB, "MB", 500.0),
        Row(
            f"long run: memory of its own grown from turn {median('long run', 'turns') / 10:,.0f} "
            f"to {median('long run', 'turns'):,.0f}",
            median("long run", "grown_bytes") / _MB,
            "MB",
            10.0,
        ),
        Row("long run: files mapped meanwhile", median("long run", "mapped_bytes") / _MB, "MB"),
    ]


def machine() -> dict[str, Any]:
    """Return what the figures were measured on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line
        ]
        model = names[0] if names else model
    return {
        "system": platform.platform(),
        "processor": model,
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": list(os.getloadavg()),
        "versions": versions(),
    }


def print_rows(table_rows: list[Row], title: str, console: Console) -> None:
    """Print the table."""
    table = Table(title=title)
    for name in ("part", "measured", "target", "CPU", "reference", "ratio", "reference is"):
        table.add_column(name, justify="left" if name in ("part", "reference is") else "right")
    for row in table_rows:
        table.add_row(
            row.part,
            f"{row.value:,.4g} {row.unit}",
            "" if row.target is None else f"<= {row.target:g} {row.unit}",
            "" if row.cpu is None else f"{row.cpu:,.4g} {row.unit}",
            "" if row.reference is None else f"{row.reference:,.4g} {row.unit}",
            "" if row.ratio is None else f"{row.ratio:,.1f}",
            row.basis,
        )
    console.print(table)


def measure_scale(catalogs: list[Path], sessions: int, console: Console) -> list[Values]:
    """Measure catalogs of several sizes, smallest first.

    Building is that of the first start: from the file to the first answer, the index stored on the way.
    """
    found = []
    for catalog in catalogs:
        console.print(f"{catalog.name} ...", highlight=False)
        path = str(catalog.resolve())
        with tempfile.TemporaryDirectory(prefix="bench-", dir=catalog.parent) as folder:
            cache = f"{folder}/cache"
            built = run_part("load", catalog=path, cache=cache)
            loaded = run_part("load", catalog=path, cache=cache)
            talked = run_part("turns", catalog=path, cache=cache, sessions=sessions, seed=defaults.SEED)
        found.append(
            {
                "products": built["products"],
                "file_bytes": catalog.stat().st_size,
                "build_seconds": built["seconds"],
                "build_cpu": built["cpu"],
                "peak_bytes": built["peak_bytes"],
                "peak_of_helpers_bytes": built["peak_of_helpers_bytes"],
                "stored_bytes": built["stored_bytes"],
                "load_seconds": loaded["seconds"],
                "resident_bytes": loaded["resident_bytes"],
                "turn_median_ms": talked["ms"]["median"],
                "turn_95th_ms": talked["ms"]["95th percentile"],
            }
        )
    return sorted(found, key=lambda values: values["products"])


def exponent(sizes: list[float], values: list[float]) -> float:
    """Return b of the least-squares fit ``log value = a + b log size``."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


_CURVES = {
    "build": ("build_seconds", 1.0, "s"),
    "build, processor time": ("build_cpu", 1.0, "s"),
    "peak memory": ("peak_bytes", _MB, "MB"),
    "stored index": ("stored_bytes", _MB, "MB"),
    "load": ("load_seconds", 1.0, "s"),
    "turn, median": ("turn_median_ms", 1.0, "ms"),
}
"""What is drawn: the value, what it is divided by, and the unit then."""


def draw_scale(found: list[Values], path: Path) -> dict[str, float]:
    """Draw each figure over the number of products, both logarithmic; return the fitted exponents."""
    sizes = [float(values["products"]) for values in found]
    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    ax = figure.subplots()
    exponents = {}
    for name, (key, divisor, unit) in _CURVES.items():
        points = [float(values[key]) / divisor for values in found]
        exponents[name] = exponent(sizes, points) if len(sizes) > 1 else float("nan")
        ax.loglog(sizes, points, marker="o", label=f"{name} ({unit}): exponent {exponents[name]:.2f}")
    ax.set_xlabel("products")
    ax.legend(fontsize="small")
    ax.grid(visible=True, which="both", alpha=0.3)
    figure.savefig(path)
    return exponents
