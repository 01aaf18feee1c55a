"""Libraries that `ballcourt[rl]` installs, for tests of the adapters."""

import importlib
import os
from types import ModuleType

import pytest


def library(name: str) -> ModuleType:
    """Import a library. Skip the tests of the module without it; fail if BALLCOURT_REQUIRE names `rl`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if "rl" in os.environ.get("BALLCOURT_REQUIRE", "").split():
            pytest.fail(f"BALLCOURT_REQUIRE names rl, but {name} is missing: pip install ballcourt[rl]")
        pytest.skip(f"{name} is not installed: pip install ballcourt[rl]", allow_module_level=True)
