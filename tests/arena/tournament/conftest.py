"""A small tournament of bots that are never started."""

from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan


def write_bot(folder: Path, name: str, extra: str = "") -> str:
    """A bot that is never started."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\ncommand = ["true"]\n{extra}')
    return str(folder)


@pytest.fixture
def settings(tmp_path: Path) -> Event:
    bots = tuple(write_bot(tmp_path / "bots" / name, name) for name in ("ann", "bob", "cid"))
    return Event().replaced(game="bluff", bots=bots, seats=2, rounds=2, seed=5)


@pytest.fixture
def planned(settings: Event) -> Plan:
    return plan(settings)
