"""Unpacks archives in the sandbox in which bots are built, by a program that knows only the standard library."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import BOT_FILE, NO_CONTENT
from ballcourt.arena.bots.causes import no_bot
from ballcourt.arena.bots.contents import MOST_NAMES, matches
from ballcourt.arena.building.steps import BuildError, Step, carry_out
from ballcourt.arena.faults import ArenaError, notes_of
from ballcourt.arena.printable import cut
from ballcourt.arena.python import our_python
from ballcourt.arena.sandbox.tiers import MB, BuildLimits, BuildPlan, Limits, Sandbox, SandboxError
from ballcourt.contest.examining import unpacker
from ballcourt.contest.refusals import ContestError

TIME_S: Final = 180
MEMORY_MB: Final = 512
BESIDE: Final = (".*", *NO_CONTENT, "README*", "[Rr]eadme*", "LICEN[CS]E*", "*.md", "*.txt", "*.pdf")
"""Files that an archive may have next to the folder of the bot; they are ignored."""
MOST_NAMED: Final = 4
Unpack = Callable[[Path, Path, int, int | None], Path]
"""Unpacks an archive into a folder, at most this number of megabytes, in a sandbox tier; returns the bot's folder."""


class GridError(ContestError):
    """An archive is not unpacked; the sentence is for its author."""


def unpack(archive: Path, folder: Path, most_mb: int, tier: int | None) -> Path:
    """Unpack an archive into a new folder of `folder`, which is private; return the folder of the bot in it.

    Raises GridError for an archive that is refused, and ArenaError if the sandbox fails.
    """
    unpacked, home = folder / "unpacked", folder / "home"
    for place in (unpacked, home):
        place.mkdir()
    words = (str(archive), str(unpacked), str(most_mb * MB), str(MOST_NAMES))
    plan = BuildPlan((our_python(), "-I", "-S", str(Path(unpacker.__file__).resolve()), *words), unpacked)
    try:
        carry_out(Step("of the archive", plan, unpacked), home, _sandbox(archive, most_mb, tier))
    except SandboxError as error:
        raise ArenaError(f"the archive could not be unpacked: {error}") from error
    except BuildError as error:
        raise GridError(_reason(error)) from error
    return _root(unpacked)


def _sandbox(archive: Path, most_mb: int, tier: int | None) -> Sandbox:
    """Return the sandbox of a program that sees one archive and reaches nothing; that of a build, but smaller."""
    if not tier:
        return Sandbox(build=BuildLimits(time_s=TIME_S, memory_mb=MEMORY_MB))
    limits = BuildLimits(time_s=TIME_S, memory_mb=MEMORY_MB, processes=16, disk_mb=most_mb + 64, hosts=())
    return Sandbox(1, Limits(), (str(archive),), limits)  # also for bots in gVisor: the program is ours


def _reason(error: BuildError) -> str:
    """Return what the program said, or what the sandbox says about its end."""
    refusals = [line.partition(unpacker.REFUSED)[2] for line in notes_of(error) if unpacker.REFUSED in line]
    if refusals:
        return f"the archive is refused: {refusals[0]}"
    _, _, end = str(error).rpartition("' ")  # after the command
    return f"the archive is refused: unpacking it {end}"


def _root(unpacked: Path) -> Path:
    """Return the folder with bot.toml: the whole, or the only folder in it. Raises GridError."""
    if (unpacked / BOT_FILE).is_file():
        return unpacked
    inside = sorted(path for path in unpacked.iterdir() if not matches(path.name, BESIDE))
    bots = [path for path in inside if (path / BOT_FILE).is_file()]
    if len(inside) == len(bots) == 1:
        return bots[0]
    if bots:
        names = ", ".join(path.name for path in inside[:MOST_NAMED])
        where = f"it has {cut(names)} at its top; pack the folder of one bot, with all that belongs to it inside"
    else:
        where = no_bot(unpacked, BOT_FILE, NO_CONTENT)
    sentence = f"the archive is refused: it has no {BOT_FILE}, neither at its top nor in its only folder"
    raise GridError(sentence + (f"; {where}" if where else ""))
