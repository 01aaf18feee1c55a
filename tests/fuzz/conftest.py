"""Installs the game `bluff` for the fuzz tests."""

from collections.abc import Iterator

import pytest

from ballcourt.engine import registry


@pytest.fixture(scope="module", autouse=True)
def bluff_is_installed() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.ENVIRONMENT, "tests.bluff:GAME")
        registry.games.cache_clear()
        yield
    registry.games.cache_clear()
