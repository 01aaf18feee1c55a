"""The copies from which bots play: below the output folder of a ladder, so that authors may change the originals."""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import NO_CONTENT, Bot, BotError, is_copy, load_bot
from ballcourt.arena.bots.contents import MOST_BYTES, ContentsError
from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import in_place_of
from ballcourt.arena.ladder.roster import RESIDENT, Roster
from ballcourt.arena.tournament.decisions.changes import withdrawing
from ballcourt.arena.tournament.decisions.trail import Trail, read_trail

BOTS: Final = "bots"
"""The folder of copies in the output folder."""
COPIES: Final = "copies"
"""The rule by which bots without their copy are retired."""


def home_of(folder: Path, bot: BotVersion) -> Path:
    """Return where the copy of a version is in the output folder."""
    return folder / BOTS / bot.name / bot.version


def copied(bot: Bot, source: Path, home: Path, most: int = MOST_BYTES) -> Bot:
    """Copy a bot of at most this number of bytes. Raises BotError if its files change while they are copied."""
    home.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(home, ignore_errors=True)  # of a check that was interrupted
    with in_place_of(home) as temporary:
        found = contents.copy(source, temporary, (*NO_CONTENT, *bot.ignore), most)
    if found != bot.content_hash:
        raise BotError(f"the files of {bot.name} changed while they were copied")
    copy = load_bot(home, hashed=found)
    if copy.directory != home.resolve() and not copy.directory.is_relative_to(home.resolve()):
        raise BotError(f"directory of {bot.name} is outside of its folder, so it cannot be copied")
    return copy


def mend_copies(folder: Path, watched: Path) -> None:
    """Copy bots again whose copies are missing or damaged; decide that those without their files are retired.

    They come back when their folders have these files again. Raises TrailError.
    """
    for version in Roster(read_trail(folder)).playing:
        if (
            version.place == RESIDENT
            or version.is_remote
            or is_copy(folder / version.table.path, version.bot.content_hash)
        ):
            continue
        with suppress(BotError, ContentsError, OSError):
            source = watched / version.place
            if not version.has_owner and is_copy(source, version.bot.content_hash):
                copied(load_bot(source), source, home_of(folder, version.bot))
                continue
        reason = f"its copy {version.table.path} is missing or damaged"
        reason += "" if version.has_owner else f", and the folder {version.place} has other files"
        Trail(folder).decide("withdraw", reason, withdrawing(version.bot, rule=COPIES), LADDER_ITSELF)
