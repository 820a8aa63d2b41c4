"""Functions compiled by numba, whose compiled code is loaded without numba's compiler.

Before numba looks into its cache it registers all that it could compile, and imports for that, among much
else, SciPy's linear algebra: a third of a second. Code that is in the cache already needs numba's runtime
alone. Where it is not, numba compiles, and registers by itself what it needs for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import rtsys

F = TypeVar("F", bound=Callable[..., Any])


class _Cache(FunctionCache):
    """numba's cache of a function, beside its source."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code compiled for a signature, ``None`` where there is none."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def compiled(**options: bool) -> Callable[[F], F]:
    """Return a decorator that compiles a function at its first call, or loads what was compiled before.

    Args:
        options: further ones of :func:`numba.njit`.
    """

    def decorate(function: F) -> F:
        dispatcher = njit(**options)(function)
        if isinstance(dispatcher, Dispatcher):  # not where NUMBA_DISABLE_JIT is set
            dispatcher._cache = _Cache(function)  # type: ignore[attr-defined]
        return cast(F, dispatcher)

    return decorate
