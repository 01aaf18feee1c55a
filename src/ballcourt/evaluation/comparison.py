"""Two versions of a bot, compared in an output folder: a tournament that ends when the evidence says so."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.entries import Entry, resolve_entry
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.folder.events import BlockVoided, MatchPlayed, RunEvent
from ballcourt.arena.tournament.folder.output import open_folder, record_files
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.playing.run import Start, run_tournament
from ballcourt.arena.tournament.schedules.formats.comparison import copies, matches_in_block
from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch, block_index
from ballcourt.arena.tournament.schedules.sequential import Sequential
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game
from ballcourt.evaluation.differences import story
from ballcourt.evaluation.duels import Duel, Seated, duels, duels_of
from ballcourt.evaluation.evidence import Measure, Weighing
from ballcourt.evaluation.report import Report
from ballcourt.v1.record_pb2 import MatchRecord

NEW: Final = "new"
OLD: Final = "old"
MOST_BLOCKS: Final = 100_000
"""A comparison has no length; this is only an upper bound to count towards."""


def plan_comparison(folder: Path, new: str, old: str, settings: Event, *, build: bool = True) -> Plan:
    """Plan the comparison of two bots, without an end.

    The entrants are copies under the labels new, new-2, ..., then old, old-2, ... Without `build`, workers on other
    machines build the bots. Raises what `plan` raises.
    """
    if len(settings.game or ()) != 1 or len(settings.seats or (0,)) > 1:
        raise SettingsError("a comparison needs one game and one number of seats; give --game")
    seats = settings.seats[0] if settings.seats else default_seats(find_game(*(settings.game or ())))
    entries = _entries(new, old, seats)
    asked = settings.replaced(
        bots=tuple(entries), seats=seats, format="comparison", blocks=MOST_BLOCKS, lifetime="match", seeds="block"
    )
    planned = plan(asked, entries.__getitem__, folder=folder, build=build)
    if planned.policy.judges:
        raise SettingsError(
            "a comparison suspends no bot, as both versions play every block; drop disqualify and probation"
        )
    return planned


def default_seats(game: Game) -> int:
    """Return the largest even number of seats of a game, where a block is two matches; else the largest."""
    return max(game.seat_counts, key=lambda seats: (seats % 2 == 0, seats))


def is_new(label: str) -> bool:
    """Whether an entrant of a comparison, given by its label, is a copy of the new version."""
    return label.partition("-")[0] == NEW


def played_blocks(folder: Path) -> list[list[Duel]]:
    """Return the duels of all whole blocks in a folder, in the order of the schedule; none without the folder.

    Raises RecordError also if these are not the matches of a comparison.
    """
    files = record_files(folder) if folder.exists() else ()
    found = [duels_of(block, is_new) for block in _whole_blocks(files)]
    if not all(found):
        raise RecordError(f"{folder} has matches without a new and an old version; name the folder of a comparison")
    return found


class Comparison:
    """A comparison while it is played, and its result."""

    def __init__(self, folder: Path, planned: Plan, weighing: Weighing, at_least: int, at_most: int | None) -> None:
        """`at_least` and `at_most` bound the number of matches; without `at_most` only the evidence ends it."""
        self._folder = folder
        self._planned = planned
        self._weighing = weighing
        self._at_least = at_least
        self._at_most = at_most
        self._files: dict[str, Path] = {}
        self.faulty: set[str] = set()
        """The matches in which a bot lost its seat."""
        self.evidence = weighing.deciding(())
        """The evidence that decides, after each stage of blocks."""
        self.new, self.old = versions(planned)

    @property
    def matches(self) -> int:
        """How many matches have been played."""
        return len(self._files)

    def play(self, start: Start, tables: int) -> Iterator[RunEvent]:
        """Play until it is decided, at this number of tables at once, and yield what happens."""
        schedule = Sequential(self._planned.schedule, self._is_over, tables, self._at_most)
        ending = replace(self._planned, schedule=schedule)
        with open_folder(self._folder, ending) as folder, closing(run_tournament(ending, folder, start)) as events:
            for event in events:
                if isinstance(event, MatchPlayed):
                    self._files[event.key] = event.path
                    if event.record.faults:
                        self.faulty.add(event.key)
                elif isinstance(event, BlockVoided):
                    self._files = {key: file for key, file in self._files.items() if key not in event.keys}
                    self.faulty.difference_update(event.keys)
                yield event

    def report(self) -> Report:
        """Return what was found. Raises RecordError."""
        weighing, stories = self._weighing, tuple(story(one, is_new) for one in _whole_blocks(self._files.values()))
        blocks = [one.duels for one in stories]
        return Report(
            game=self._planned.games,
            seats=self._planned.seats,
            new=self.new,
            old=self.old,
            weighing=weighing,
            matches=self.matches,
            evidence=weighing.duels(blocks),
            points=weighing.points(blocks),
            stories=stories,
        )

    def line(self) -> str:
        """Return the evidence so far in a line."""
        weighing, found = self._weighing, self.evidence
        asked = weighing.decides_on
        doing = "makes {} points a duel" if weighing.by is Measure.POINTS else "wins {} of the duels"
        share, low, high = (weighing.written(value) for value in (found.share, found.low, found.high))
        return (
            f"{self.matches} matches: new {doing.format(share)} ({low} to {high}); "
            f"evidence for more than {weighing.bound_written(asked.floor)}: {_level(found.better)}, "
            f"for less than {weighing.bound_written(asked.effect)}: {_level(found.short)}"
        )

    def _is_over(self, results: Sequence[PlayedBlock]) -> bool:
        self.evidence = self._weighing.deciding(
            [*duels([_seated(match) for match in block.matches])] for block in results
        )
        played = sum(len(block.matches) for block in results)
        return played >= self._at_least and self.evidence.is_decided


def versions(planned: Plan) -> tuple[BotVersion, BotVersion]:
    """Return both versions of a comparison, as their first copies say."""
    firsts = planned.entrants[0], planned.entrants[len(planned.entrants) // 2]
    new, old = (replace(one.bot, name=one.own_name) for one in firsts)
    return new, old


def _seated(match: PlayedMatch) -> list[Seated]:
    """Return the seats of a match; the first half of the entrants are copies of the new version."""
    first_half = copies(len(match.table))
    return [
        Seated(seat, entrant < first_half, outcome.placement, outcome.score, outcome.vacated)
        for seat, (entrant, outcome) in enumerate(zip(match.table, match.outcomes, strict=True))
    ]


def _whole_blocks(files: Iterable[Path]) -> Iterator[list[MatchRecord]]:
    """Yield the records of each whole block, in the order of the schedule. Raises RecordError."""
    blocks: defaultdict[int, list[Path]] = defaultdict(list)
    for file in files:
        blocks[block_index(file.stem) or 0].append(file)
    for _, named in sorted(blocks.items()):
        records = [read_record(file) for file in sorted(named, key=lambda file: (len(file.stem), file.stem))]
        if len(records) == matches_in_block(len(records[0].entrants)):
            yield records


def _entries(new: str, old: str, seats: int) -> dict[str, Entry]:
    """Return the copies of both versions by label."""
    found = {}
    for label, written in ((NEW, new), (OLD, old)):
        entry = resolve_entry(written)
        for number in range(1, copies(seats) + 1):
            name = label if number == 1 else f"{label}-{number}"
            found[name] = replace(entry, entrant=entry.entrant.labelled(name))
    return found


def _level(evidence: float) -> str:
    return f"{max(0.0, min(evidence, 1.0)):.0%}"
