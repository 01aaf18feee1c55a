"""The plan of a ladder: from its file to a tournament whose entrants join while it is played."""

import os
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import Entry, remote_entry, resolve_entry
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.building.builds import ready_entries
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.sandbox.tiers import require
from ballcourt.arena.tournament.decisions.changes import Changes
from ballcourt.arena.tournament.event.model import Conditions, Event, SettingsError
from ballcourt.arena.tournament.event.setups import SetUp, open_setups, renewed, setups_of
from ballcourt.arena.tournament.event.stages import LADDER, NO_END, WrittenSchedule
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import decided
from ballcourt.arena.tournament.schedules.schedule import Design, FormatOptions, Length

DESIGN: Final = Design(LADDER, Length("blocks", NO_END), FormatOptions())


def plan_ladder(ladder: LadderFile) -> Plan:
    """Return the tournament of a ladder, without its entrants.

    Raises SettingsError, SandboxError or EngineError, and FolderError if the output folder holds another tournament.
    """
    folder = ladder.output
    setups = _with_earlier(setups_of(ladder.played), folder)
    seats = max(setup.seats for setup in setups)
    if seats < 2:
        raise SettingsError("a ladder needs at least 2 seats; with 1 seat all bots play alone: run a tournament")
    common = {name: value for name, value in ladder.given().items() if name in Conditions.model_fields}
    event, seed = decided(Event(**common), seats, (), folder)
    require(event.sandbox.sandbox())
    return Plan(event, setups, (), DESIGN, WrittenSchedule(folder, seats), seed)


def _with_earlier(asked: tuple[SetUp, ...], folder: Path) -> tuple[SetUp, ...]:
    """Return what is asked for, after what the ladder in a folder played under rules that were replaced.

    Raises SettingsError if its organiser has not decided to go on under the rules that are installed.
    """
    kept = kept_plan(folder)
    if kept is None or kept.design.format != LADDER:
        return asked
    for setup in asked:
        version = kept.rules_versions.get(setup.game, setup.rules_version)
        if version != setup.rules_version:
            raise SettingsError(
                f"{folder} is played under rules {version} of {setup.game}, and rules {setup.rules_version} are "
                f"installed; to go on under these: ballcourt event renew {folder} --reason WHY"
            )
    setups = renewed(kept.setups, asked)
    played = [setups[index].replaced(after="") for index in open_setups(setups)]
    return setups if played == list(asked) else asked


@dataclass
class Company:
    """The bots of a ladder that play at the moment, ready to be started."""

    folder: Path
    base: Plan
    build: bool = True
    """Whether this machine builds the bots; if not, workers on other machines do."""

    def __post_init__(self) -> None:
        self._ready: dict[BotVersion, tuple[Entrant, Bot | None]] = {}
        self._entrants: list[Entrant] = []  # by index
        self._is_running = False

    def tournament(self, roster: Roster, changes: Changes, seated: Collection[int]) -> Plan:
        """Return the tournament with all bots that have ever joined. Raises BotError and BuildError.

        Only those who play now, or are `seated` at its tables by index, have bots.
        """
        playing = {version.bot: version for version in (*roster.playing, *(roster[index] for index in seated))}
        self._ready = {bot: ready for bot, ready in self._ready.items() if bot in playing}
        for version in islice(roster, len(self._entrants), None):
            self._entrants.append(Entrant(version.bot))
        missing = [version for bot, version in playing.items() if bot not in self._ready]
        with ThreadPoolExecutor(self.base.sandbox.build.at_once or None) as builders:
            for version, ready in zip(missing, builders.map(self._made_ready, missing), strict=True):
                self._ready[version.bot] = ready
                self._entrants[version.index] = ready[0]
        self._is_running = True
        bots = {entrant: bot for entrant, bot in self._ready.values() if bot}
        return replace(self.base, entrants=tuple(self._entrants), bots=bots, changes=changes)

    def _made_ready(self, version: Version) -> tuple[Entrant, Bot | None]:
        entry = version.table.entry(partial(self._resolve, version))
        if entry.entrant.bot != version.bot:
            raise SettingsError(
                f"{self.folder / version.table.path} is not the bot {version.bot} that was admitted; "
                "restore its files, or withdraw it"
            )
        if not self.build:
            return entry.entrant, entry.bot
        bots: Mapping[Entrant, Bot] = ready_entries([entry], self.base.sandbox)
        return entry.entrant, bots.get(entry.entrant)

    def _resolve(self, version: Version, path: str) -> Entry:
        """Return the bot of a version; hash its copy only at the start, since later ones have just been hashed."""
        if version.is_remote:
            return remote_entry(version.bot.name, version.bot.version, version.owner)
        if os.sep not in path:
            return resolve_entry(path)
        bot = load_bot((self.folder / path).absolute(), hashed=version.bot.content_hash if self._is_running else "")
        return Entry(bot.entrant, bot)
