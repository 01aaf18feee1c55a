"""Ladders whose matches are played in this process, and whose bots are checked by looking for a file."""

from collections.abc import Generator
from contextlib import nullcontext
from pathlib import Path
from typing import cast

from ballcourt.arena.ladder.admission import Admission
from ballcourt.arena.ladder.inbox import Inbox
from ballcourt.arena.ladder.model import LadderFile, read_ladder
from ballcourt.arena.ladder.plan import plan_ladder
from ballcourt.arena.ladder.run import Bounds, run_ladder
from ballcourt.arena.tournament.folder.events import RunEvent
from ballcourt.arena.tournament.folder.output import open_folder
from ballcourt.arena.workers.runner import Runner
from tests.arena.tournament.in_process import InProcess

BAD = "bad"
"""A bot with a file of this name fails its check."""


class Looked:
    """An exam that is over at once."""

    is_over = True

    def __init__(self, folder: Path) -> None:
        self._failed = (folder / BAD).exists()

    def failures(self) -> list[str]:
        return ["check 5, full match: illegal at decision 3\n-> fix it"] if self._failed else []

    def end(self) -> None:
        pass


def put(watched: Path, place: str, name: str = "", version: str = "1", **files: str) -> Path:
    """Put a bot into the watched folder; it is never started."""
    folder = watched / place
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text)
    (folder / "bot.toml").write_text(f'name = "{name or place}"\nversion = "{version}"\ncommand = ["true"]\n')
    return folder


def settings_in(place: Path, **values: object) -> LadderFile:
    """Return the settings of a small ladder; its watched folder is `bots`, its output folder `out`."""
    (place / "bots").mkdir(exist_ok=True)
    asked = {"game": "bluff", "seats": 2, "seed": 5, "bots": place / "bots", "output": place / "out", "provisional": 4}
    return LadderFile.model_validate(asked | values)


def admission_of(settings: LadderFile) -> Admission:
    """Return an admission that looks at the watched folder at every step."""
    return Admission(settings.output, Inbox(settings.bots), "bluff", Looked, look_s=0.0)


def play(settings: LadderFile, matches: int | None = None, seconds: float | None = None) -> Generator[RunEvent]:
    """Play a ladder until it has this number of matches."""
    planned = plan_ladder(settings)
    with open_folder(settings.output, planned) as folder:
        yield from run_ladder(
            planned, settings, folder, admission_of(settings), lambda: nullcontext(cast("Runner", InProcess())),
            Bounds(matches, seconds),
        )  # fmt: skip


def let_in(file: Path) -> None:
    """Let the bots in the watched folder of a ladder join without their checks, and play the first block."""
    for _ in play(read_ladder(file), matches=1):
        pass
