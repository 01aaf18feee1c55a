"""The bots that have a name here: those that come with Ballcourt, and those of BALLCOURT_BOTS.

What is wrong with one of them never keeps the others from playing.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import BOT_FILE, Bot, BotError, load_bot
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.printable import cut
from ballcourt.engine.core import did_you_mean

ENVIRONMENT: Final = "BALLCOURT_BOTS"
"""The environment variable with the folders of more bots, or folders that contain them, separated by `os.pathsep`."""


@dataclass(frozen=True, slots=True)
class KnownBots:
    """The bots by name, and a sentence for each name and each place that cannot be used."""

    bots: Mapping[str, Bot]
    ambiguous: Mapping[str, str]
    """The names that several bots have; none of them is among the bots."""
    unusable: tuple[str, ...]
    """What is wrong with entries of BALLCOURT_BOTS."""


def find_bots() -> KnownBots:
    """Find all bots that are known by name, in alphabetical order."""
    found: defaultdict[str, list[Bot]] = defaultdict(list)
    unusable: list[str] = []
    for file in dict.fromkeys(file.resolve() for file in _bot_files()):
        try:
            bot = load_bot(file)
        except (BotError, OSError) as error:
            unusable.append(f"left out of {ENVIRONMENT}: {error}")
        else:
            found[bot.name].append(bot)
    ambiguous = {
        name: f"two bots are called '{name}': {bots[0].folder} and {bots[1].folder}; "
        f"give the folder of one, or rename one in its {BOT_FILE}"
        for name, bots in sorted(found.items())
        if len(bots) > 1
    }
    bots = {name: bots[0] for name, bots in sorted(found.items()) if name not in ambiguous}
    return KnownBots(bots, ambiguous, tuple(unusable))


def resolve_bot(name_or_path: str) -> Bot:
    """Return the bot of a name, or of the path of a folder. Raises BotError."""
    path = Path(name_or_path)
    if os.sep in name_or_path:
        return load_bot(path)
    known = find_bots()
    if name_or_path in known.bots:
        return known.bots[name_or_path]
    if name_or_path in known.ambiguous:
        raise BotError(known.ambiguous[name_or_path])
    if os.path.exists(path):  # noqa: PTH110  # Path raises for a name that is too long
        return load_bot(path)
    sentence = BotError(
        f"there is no bot '{cut(name_or_path)}'; known bots: {', '.join(known.bots) or 'none'}; "
        f"the path of a folder with a {BOT_FILE} works too{did_you_mean(name_or_path, known.bots)}"
    )
    for why in known.unusable:
        sentence.add_note(why)
    raise sentence


@cache
def built_in_names() -> frozenset[str]:
    """Return the names of the bots that come with Ballcourt."""
    return frozenset(load_bot(file).name for file in _built_in())


def _bot_files() -> Iterator[Path]:
    yield from _built_in()
    for folder in os.environ.get(ENVIRONMENT, "").split(os.pathsep):
        if folder:
            yield from _in_place(Path(folder))


def _built_in() -> list[Path]:
    return sorted((PACKAGE / "bots").glob(f"*/{BOT_FILE}"))


def _in_place(folder: Path) -> list[Path]:
    """Return the bot.toml of a bot's folder, or those of the folders in it; the former, missing, if there is none."""
    own = folder / BOT_FILE
    return [own] if own.exists() else sorted(folder.glob(f"*/{BOT_FILE}")) or [own]
