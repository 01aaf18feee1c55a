"""The opponents of candidates: bots by name or folder, a folder of bots, or the bots of a ladder."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import BOT_FILE, check_plays
from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.bots.entries import REMOTE, Entry, resolve_entry
from ballcourt.arena.bots.known import built_in_names
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.ladder.roster import RESIDENT, Roster, Version
from ballcourt.arena.tournament.decisions.trail import TRAIL, read_trail
from ballcourt.engine.core import Game, WrongInput

LADDER: Final = "ladder:"
"""The prefix of a ladder's output folder, or of its name in ./runs."""


class OpponentError(WrongInput):
    """There are no such opponents; the sentence says what can be named."""


def opponents_of(names: Iterable[str | Path | Entry], game: Game) -> tuple[Entry, ...]:
    """Return the opponents that are named or given, each once. Raises OpponentError, BotError and TrailError."""
    found: dict[str, Entry] = {}
    for name in names:
        for entry in (name,) if isinstance(name, Entry) else _named(str(name)):
            if entry.bot is None:
                raise OpponentError(f"{name} is a remote bot, which candidates cannot be played against; leave it out")
            check_plays(entry.bot, game)
            found.setdefault(entry.entrant.bot.content_hash, entry)
    if not found:
        raise OpponentError("no opponents are named; name bots, a folder of bots, or ladder:NAME")
    return tuple(found.values())


def is_ours(entry: Entry) -> bool:
    """Whether an opponent came with Ballcourt, so that it may see a deal again: it remembers nothing."""
    home = entry.bot.home.resolve() if entry.bot else Path("/")
    return entry.entrant.bot.name in built_in_names() and home.is_relative_to((PACKAGE / "bots").resolve())


def _named(name: str) -> Iterator[Entry]:
    folder = Path(name)
    if name.startswith(LADDER):
        yield from _of_ladder(name.removeprefix(LADDER))
    elif name.startswith(REMOTE) or not folder.is_dir() or (folder / BOT_FILE).exists():
        yield resolve_entry(name)
    elif within := sorted(folder.glob(f"*/{BOT_FILE}")):
        yield from (resolve_entry(str(file.parent.resolve())) for file in within)
    else:
        raise OpponentError(
            f"{name} is neither a bot nor a folder of bots: neither it nor a folder in it has a {BOT_FILE}"
        )


def _of_ladder(name: str) -> Iterator[Entry]:
    """Yield the bots that play in a ladder. Raises OpponentError."""
    folder = next((place for place in (Path("runs") / name, Path(name)) if (place / TRAIL).is_file()), None)
    if folder is None:
        raise OpponentError(
            f"there is no ladder '{name}': neither runs/{name} nor {name} has a {TRAIL}; name the output folder of one"
        )
    playing = [version for version in Roster(read_trail(folder)).playing if not version.is_remote]
    if not playing:
        raise OpponentError(
            f"no bot whose files are here plays in the ladder {folder} at the moment; name other opponents"
        )
    yield from (_version(folder, version) for version in playing)


def _version(folder: Path, version: Version) -> Entry:
    """Return a bot of a ladder. Raises OpponentError if its copy has other files than the ladder let in."""
    is_resident = version.place == RESIDENT
    place = version.table.path if is_resident else str((folder / version.table.path).resolve())
    entry = version.table.entry(lambda _: resolve_entry(place))
    if entry.entrant.bot.content_hash != version.bot.content_hash:
        raise OpponentError(f"{place} is not the bot {version.bot} that the ladder {folder} let in; restore its files")
    owner = "" if entry.entrant.owner == LADDER_ITSELF else entry.entrant.owner
    return replace(entry, entrant=replace(entry.entrant, owner=owner))
