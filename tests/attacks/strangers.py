"""Bots of strangers in folders of their own, and what they say when they play."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.building.builds import ready
from ballcourt.arena.processes.cache import CACHE
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.tournament.folder.events import MatchPlayed
from ballcourt.arena.tournament.playing.play import play_tournament
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import BOTS, fixture_bot
from tests.arena.matches import match_of
from tests.attacks.in_match import GAME, HONEST, OPTIONS, PATIENT, SEED, played

SCRIPTS = ("talking.py", "prying.py", "honest.py")


def stranger(
    folder: Path,
    command: Sequence[str],
    *,
    name: str = "stranger",
    build: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
) -> Path:
    """Write a bot with these files and the scripts of hostile bots; return its folder."""
    folder.mkdir(parents=True)
    for script in SCRIPTS:
        shutil.copy(BOTS / script, folder)
    for path, text in (files or {}).items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    lines = [f'name = "{name}"', 'version = "1"', f"command = {json.dumps(command)}"]
    lines += [f"build = {json.dumps(build)}"] if build else []
    (folder / "bot.toml").write_text("\n".join(lines) + "\n")
    return folder


@contextmanager
def caching(folder: Path) -> Iterator[Path]:
    """Set the folder in which the arena keeps builds and images."""
    before = os.environ.get(CACHE)
    os.environ[CACHE] = str(folder)
    try:
        yield folder
    finally:
        os.environ.pop(CACHE)
        if before is not None:
            os.environ[CACHE] = before


def heard(sandbox: Sandbox, *strangers: Bot) -> list[str]:
    """Play a match with each bot, ready for the sandbox; return what was seen of it when it failed."""
    return [
        _told(played(match_of("heard", GAME, OPTIONS, SEED, table, PATIENT, sandbox=sandbox, lifetime=Lifetime.MATCH)))
        for table in ((stranger, fixture_bot(HONEST)) for stranger in strangers)
    ]


def heard_in(folder: Path, **settings: object) -> list[MatchRecord]:
    """Play a small tournament in a folder; return its records."""
    events = play_tournament(game=GAME, options=OPTIONS, output=folder, workers=1, **settings)
    return [event.record for event in events if isinstance(event, MatchPlayed)]


def loaded(folder: Path, sandbox: Sandbox) -> Bot:
    """Return a bot as a tournament in the sandbox plays it."""
    (found,) = ready([load_bot(folder)], sandbox)
    return found


def told(records: Sequence[MatchRecord]) -> str:
    """Return all that bots which lost their seats said."""
    return "".join(map(_told, records))


def _told(record: MatchRecord) -> str:
    return "".join(f"{fault.detail}\n{fault.stderr_tail}" for fault in record.faults)
