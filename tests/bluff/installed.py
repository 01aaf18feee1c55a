"""The game `bluff` among the installed games."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ballcourt.engine import registry


@contextmanager
def bluff_installed() -> Iterator[None]:
    """Make the game known to this process, and those it starts, in this context."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.ENVIRONMENT, "tests.bluff:GAME")
        registry.registered.cache_clear()
        yield
    registry.registered.cache_clear()
