"""What an organiser may decide about an event in a folder, checked before it is added to the trail.

A run that plays the event notices a decision before it begins another block; otherwise the next run does.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import check_plays
from ballcourt.arena.bots.entries import REMOTE, resolve_entry
from ballcourt.arena.building.builds import ready_entries
from ballcourt.arena.naming import line_objection
from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.decisions.changes import Joining, joining, withdrawing
from ballcourt.arena.tournament.decisions.trail import Action, Addition, Decision, Trail
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.reading import parse_event
from ballcourt.arena.tournament.event.seeds import Deals
from ballcourt.arena.tournament.event.stages import LADDER
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.output import holder, played_keys, record_files
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.schedules.schedule import Length
from ballcourt.engine.core import WrongInput

COMPARISON: Final = "comparison"
REPEATS_NONE: Final = "repeats no match; void it"
_MATCH: Final = re.compile(r"b\d{6,12}(-r\d+)?")


class OrganiserError(WrongInput):
    """A decision that the event does not allow; the sentence says why and what is allowed."""


@dataclass(frozen=True, slots=True)
class Organiser:
    """Decides about the event in a folder, for a reason that the trail keeps.

    Every method adds a decision and returns it. It raises OrganiserError, and FolderError or TrailError if the folder
    cannot be used.
    """

    folder: Path
    reason: str

    def __post_init__(self) -> None:
        if not self.reason.strip() or line_objection(self.reason):
            objection = line_objection(self.reason) or "it must say something"
            raise OrganiserError(f"the reason is {self.reason!r}; {objection}")

    def withdraw(self, bot: str, *, strike: bool = False) -> Decision:
        """Play no more matches with an entrant, given by name, or by name and version.

        Its past matches stay, unless they are struck: then they do not count for anybody.
        """
        kept = self._kept()
        index = _entrant(kept, bot)
        if index in kept.changes.withdrawn and (not strike or kept.changes.withdrawn[index] == 0):
            how = "retired by a rule" if index in kept.changes.retired else "withdrawn"
            raise OrganiserError(f"{bot} has been {how} already")
        return self._decide("withdraw", withdrawing(kept.entrants[index].bot, strike=strike))

    def void(self, match: str) -> Decision:
        """Annul a match or a block; it is not played again."""
        kept = self._kept()
        keys = self._played(match)
        if all(kept.changes.is_void(key) for key in keys):
            raise OrganiserError(f"{match} does not count already")
        return self._decide("void", {"match": match})

    def repeat(self, match: str) -> Decision:
        """Play a match or a block again, with another deal; what it was before does not count."""
        kept = self._kept(REPEATS_NONE)
        if match not in kept.changes.rulings:
            self._played(match)
        block = match.partition("-")[0]
        if kept.deals is Deals.BLOCK and match != block:
            raise OrganiserError(
                f"all matches of {block} have one deal, so {match} cannot be repeated alone; give {block}"
            )
        return self._decide("repeat", {"match": match})

    def repeat_worker(self, worker: str) -> list[Decision]:
        """Play all blocks again in which a worker of a cluster has played, with other deals."""
        self._kept(REPEATS_NONE)
        played: defaultdict[str, set[str]] = defaultdict(set)
        for file in record_files(self.folder):
            record = read_record(file)
            if record.worker:
                played[record.worker].add(record.key.partition("-")[0])
        if worker not in played:
            known = ", ".join(sorted(played)) or "none, since no cluster played them"
            raise OrganiserError(f"no match here was played by a worker called '{worker}'; the workers: {known}")
        return Trail(self.folder).decide_all(
            "repeat", self.reason, [{"match": block} for block in sorted(played[worker])]
        )

    def add(self, table: Mapping[str, object]) -> Decision:
        """Admit a bot, given as in a `[[bot]]` table. It is built now, and plays as it is now.

        Raises BotError, BuildError and ScheduleError too.
        """
        kept = self._kept("lets bots join from its watched folder; put the bot there")
        (bot,) = parse_event({"bot": [dict(table)]}, "the bot to add", Path()).entered
        if bot.path.startswith(REMOTE):
            raise OrganiserError(f"{bot.path} is remote; remote bots cannot join an event that has begun")
        entry = bot.entry(resolve_entry)
        assert entry.bot, "remote bots are refused"
        for setup in kept.setups:
            check_plays(entry.bot, setup.rules)
        entrant = entry.entrant
        pending = [decision.version for decision in kept.changes.pending if isinstance(decision, Addition)]
        known = [*(one.bot for one in kept.entrants), *pending]
        if str(entrant.bot) in map(str, known) or (bot.label and bot.label in {one.name for one in known}):
            raise OrganiserError(f"an entrant is called {entrant.bot} already; give --label")
        members = tuple(range(len(kept.entrants) + 1))
        kept.joined_by(Joining(bot, entrant.bot, entrant.owner, kept.schedule.blocks, members))
        ready_entries([entry], kept.sandbox)
        return self._decide("add", joining(bot, entrant))

    def lengthen(self, length: Length) -> Decision:
        """Set the length of the event, counted from its beginning."""
        kept = self._kept("has no end, so it cannot be longer")
        schedule = kept.schedule
        now, longer = schedule.blocks, kept.changed(replace(kept.changes, length=length)).schedule.blocks
        if not schedule.can_be_extended:
            raise OrganiserError(f"{kept.design.format} has a fixed end, so the event cannot be longer")
        if longer <= now:
            raise OrganiserError(
                f"{length.unit} = {length.number} gives {longer} blocks in all, and the event has {now} already; "
                "give more"
            )
        return self._decide("lengthen", {"unit": length.unit, "number": length.number})

    def pause(self) -> Decision:
        """Begin no more blocks until the event is resumed."""
        if self._kept().changes.pause:
            raise OrganiserError("the event is paused already; `ballcourt event resume` lets it go on")
        return self._decide("pause", {})

    def resume(self) -> Decision:
        """Resume a paused event."""
        if not self._kept().changes.pause:
            raise OrganiserError("the event is not paused")
        return self._decide("resume", {})

    def renew(self) -> list[Decision]:
        """Continue a ladder under the installed rules; return None if it already uses them.

        Its ratings begin where they are, but less certain, and its next run begins with these rules.
        """
        kept = self._kept()
        if kept.design.format != LADDER:
            raise OrganiserError(f"{self.folder} holds a tournament, which ends with the rules with which it began")
        if run := holder(self.folder):
            raise OrganiserError(f"process {run} plays {self.folder} under the older rules; end it first")
        other = [
            {"game": game.name, "version": game.rules_version}
            for game in kept.rules
            if game.rules_version != kept.rules_versions[game.name]
        ]
        return Trail(self.folder).decide_all("renew", self.reason, other)

    def close(self) -> Decision:
        """Allow no more changes, since the seed is going to be revealed."""
        kept = self._kept("has no end, so there is no bundle of it")
        if kept.changes.pending:
            raise OrganiserError("no run has followed the last decisions yet; run the tournament again first")
        return self._decide("close", {})

    def _decide(self, action: Action, details: Mapping[str, object]) -> Decision:
        return Trail(self.folder).decide(action, self.reason, details)

    def _kept(self, of_ladder: str = "") -> Plan:
        """Return the event with all decisions so far; those that no run has noticed apply after its last block.

        `of_ladder` says what a ladder does instead, where it does not allow the decision.
        """
        kept = event_in(self.folder)
        if of_ladder and kept.design.format == LADDER:
            raise OrganiserError(f"{self.folder} holds a ladder, which {of_ladder}")
        if kept.design.format == COMPARISON:
            raise OrganiserError(f"{self.folder} holds a comparison, which its test alone decides")
        if kept.changes.closed:
            raise OrganiserError(f"nothing can be decided any more: {kept.changes.closed.sentence}")
        return kept

    def _played(self, match: str) -> list[str]:
        """Return the keys of the matches of a block, or of one match, that have been played."""
        if not _MATCH.fullmatch(match):
            raise OrganiserError(f"'{match}' is neither a match, such as b000012-r1, nor a block, such as b000012")
        keys = played_keys(self.folder)
        found = [key for key in keys if match in (key, key.partition("-")[0])]
        if not found:
            raise OrganiserError(f"{match} has not been played; the records in {self.folder} name what has")
        return found


def event_in(folder: Path) -> Plan:
    """Return the event in a folder. Raises OrganiserError if there is none, FolderError or TrailError."""
    kept = kept_plan(folder)
    if kept is None:
        raise OrganiserError(f"{folder} is not the output folder of a tournament: it has no {MANIFEST}")
    return kept


def _entrant(kept: Plan, bot: str) -> int:
    """Return the index of an entrant that is given by name, or by name and version."""
    known = [entrant.bot for entrant in kept.entrants]
    found = [index for index, one in enumerate(known) if bot in (str(one), one.name)]
    if not found:
        raise OrganiserError(f"{bot} does not play in the event; its bots: {', '.join(map(str, known))}")
    found = [index for index in found if index not in kept.changes.withdrawn] or found
    if len(found) > 1:
        versions = ", ".join(str(known[index]) for index in found)
        raise OrganiserError(f"several versions of {bot} play: {versions}; name one")
    return found[0]
