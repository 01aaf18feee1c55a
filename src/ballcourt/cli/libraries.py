"""Keeps libraries that need much address space from being imported where a process may not have it.

Without it they end the process, or never return.
"""

import os
import resource
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Final

LARGE: Final = ("numpy", "pyarrow", "fastapi", "grpc")
"""Those that commands import, directly or through others."""


def guard_address_space() -> None:
    """If the address space of this process is limited, check before large libraries are imported that they fit."""
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each takes some, and if there is none, NumPy never returns
        sys.meta_path.insert(0, _Guard())


class _Guard(MetaPathFinder):
    """Finds no modules; raises CapacityError for those that would not fit."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if fullname in LARGE:
            from ballcourt.arena.workers.capacity import require_address_space

            require_address_space()
