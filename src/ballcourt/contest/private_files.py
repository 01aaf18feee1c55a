"""What the ladder keeps for the author of a bot: what it printed in each match, and the bundles of its faults.

They can be read once the block of the match is complete: all rotations of a block may play one deal, and a bot that
reads what it printed in the first could know the cards of the others.
"""

import re
from collections.abc import Iterable
from heapq import nlargest
from pathlib import Path
from typing import Final

from ballcourt.arena.files import read_regular
from ballcourt.arena.records.bundle import FAULTS, LOGS, README
from ballcourt.arena.records.store import SUFFIX, RecordError, read_record
from ballcourt.arena.tournament.folder.output import RECORDS
from ballcourt.contest.refusals import NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.visible import NOTHING, BotView

SHOWN_LOGS: Final = 50
MOST_LOG: Final = 1 << 20
ENTRY: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9.-]{0,98}-r\d{1,4})-seat(\d{1,2})")
"""The key of a match, and a seat."""


def newest_logs(contest: Contest, bot: BotView) -> list[str]:
    """Return the newest matches and seats of which there is a log, such as b000012-r1-seat0."""
    return _newest(path.stem for path in (_output(contest) / LOGS / bot.name).glob("*.txt"))


def newest_faults(contest: Contest, bot: BotView) -> list[str]:
    """Return the newest matches and seats in which the bot lost its seat."""
    end = f"-{bot.name}"
    found = (path.name for path in (_output(contest) / FAULTS).glob(f"*-seat*{end}"))
    return _newest(name.removesuffix(end) for name in found)


def read_log(contest: Contest, bot: BotView, entry: str) -> bytes:
    """Return what a bot printed in a match. Raises NotThereError, and StateError while its block is being played."""
    return _read(contest, entry, _output(contest) / LOGS / bot.name / f"{entry}.txt")


def read_fault(contest: Contest, bot: BotView, entry: str) -> bytes:
    """Return what is known about a lost seat, with the end of what the bot printed. Raises as `read_log` does."""
    return _read(contest, entry, _output(contest) / FAULTS / f"{entry}-{bot.name}" / README)


def _read(contest: Contest, entry: str, file: Path) -> bytes:
    parts = ENTRY.fullmatch(entry)
    if parts is None or not file.is_file():
        raise NotThereError(NOTHING)
    if not _is_complete(_output(contest) / RECORDS, parts[1]):
        raise StateError("this can be read when all matches of its block have been played")
    return read_regular(file, MOST_LOG)


def _is_complete(records: Path, key: str) -> bool:
    """Whether all rotations of the block of a match have been played; there is one for each seat."""
    block = key.rpartition("-r")[0]
    try:
        seats = len(read_record(records / f"{key}{SUFFIX}").entrants)
    except RecordError:
        return False
    return all((records / f"{block}-r{rotation}{SUFFIX}").is_file() for rotation in range(seats))


def _newest(names: Iterable[str]) -> list[str]:
    return nlargest(SHOWN_LOGS, (name for name in names if ENTRY.fullmatch(name)))


def _output(contest: Contest) -> Path:
    return Path(str(contest.ladder.output))
