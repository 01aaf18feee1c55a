"""Linear algebra on one processor."""

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar, cast

import scipy.linalg  # noqa: F401 - loads the libraries that are limited, which NumPy and SciPy bring
from threadpoolctl import ThreadpoolController

P = ParamSpec("P")
R = TypeVar("R")

_LIBRARIES: Final = ThreadpoolController()


def one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that works on matrices.

    Threads of BLAS wait for each other in loops that use a processor. For matrices of a thousand entrants they save
    little on an idle machine; next to matches, which keep all processors busy, a fit took ten times the CPU time.
    """
    return cast(Callable[P, R], _LIBRARIES.wrap(limits=1, user_api="blas")(function))
