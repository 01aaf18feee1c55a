"""What happened in a tournament or ladder besides matches: decisions, and who went to another division."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ballcourt.arena.ladder.divisions import moved
from ballcourt.arena.tournament.decisions.trail import Decision
from ballcourt.arena.tournament.event.stages import Divisions, Stage, read_stages
from ballcourt.arena.tournament.schedules.schedule import block_index
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.pages.news.happening import MOST, Happening

NAMED: Final = 10
"""How many of those who go to another division at once are named; the others are counted."""
PAGE: Final = ("tournament",)


@dataclass(frozen=True, slots=True)
class DivisionChange:
    """A stage of a ladder that has other divisions than the one before it."""

    stage: Stage
    before: Divisions


def division_changes(folder: Path, entrants: int) -> Sequence[DivisionChange]:
    """Return the newest changes of a ladder's divisions, the oldest of them first. Raises StagesError."""
    found, before = deque[DivisionChange](maxlen=MOST), Divisions()
    for stage, _ in read_stages(folder, entrants):
        if stage.divisions != before:
            found.append(DivisionChange(stage, before))
        before = stage.divisions
    return found


def decided(decisions: Sequence[Decision]) -> Iterator[Happening]:
    """Yield the newest decisions about an event."""
    for one in decisions[-MOST:]:
        yield Happening(one.time, one.sentence, PAGE, f"decision {one.number} {one.time}")


def moves(
    changes: Iterable[DivisionChange], names: Sequence[str], matches: Iterable[MatchResult]
) -> Iterator[Happening]:
    """Yield who went to another division, at the first match of a stage; `names` are those of the entrants."""
    told = {one.stage.number: (one.stage, sentence) for one in changes if (sentence := _sentence(one, names))}
    stage_of: dict[int | None, int] = {
        block: stage.number for stage, _ in told.values() for block in range(stage.first_block, stage.end)
    }
    began: dict[int, str] = {}
    for match in matches:
        number = stage_of.get(block_index(match.key))
        if number is not None:
            began[number] = min(began.get(number, match.started), match.started)
    for number, when in began.items():
        yield Happening(when, told[number][1], PAGE, f"divisions {number} {when}")


def _sentence(change: DivisionChange, names: Sequence[str]) -> str:
    """Say who has gone to another division; empty if only newcomers have got into one."""
    before, after = change.before, change.stage.divisions
    if before and len(before) != len(after):
        return f"the field has {len(after)} division{'s' if len(after) > 1 else ''} from now on"
    found = moved(before, after)
    order = sorted(found.items(), key=lambda one: (min(one[1]), one[1][1], names[one[0]]))
    words = [f"{names[bot]} goes {'up' if new < old else 'down'} to division {new}" for bot, (old, new) in order]
    rest = [f"{len(words) - NAMED} more change theirs"] if len(words) > NAMED else []
    return ", ".join(words[:NAMED] + rest)
