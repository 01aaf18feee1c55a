"""How often a judge agreed with a bot, by kind of question: from what `replay evaluate` kept beside the records."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.replays.judgement import Opinion, judged_at, judgement_beside, opinions
from ballcourt.leaderboard.model.results import MatchResult


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The answers of a bot to one kind of question, according to one judge."""

    judge: str
    question: str
    judged: int
    told: int
    """How many of them the judge could tell from what else might have been answered."""
    agreed: int
    """With how many of these it agreed."""
    lost: float
    """How much better it held something else in all, in its measure."""


def mistakes_of(bot: BotVersion, matches: Sequence[MatchResult]) -> list[Mistakes]:
    """Return what judges say of a bot's answers in some matches, the most frequent questions first."""
    found: defaultdict[tuple[str, str], list[Opinion]] = defaultdict(list)
    for match in matches:
        own = {number for number, seat in enumerate(match.seats) if seat.entrant == bot}
        for judge, one in _found(match, judged_at(Path(match.record))):
            if one.seat in own:
                found[judge, one.question].append(one)
    mistakes = [
        Mistakes(
            judge,
            question,
            judged=len(ones),
            told=sum(one.agrees is not None for one in ones),
            agreed=sum(one.agrees is True for one in ones),
            lost=sum(one.loss or 0.0 for one in ones),
        )
        for (judge, question), ones in found.items()
    ]
    return sorted(mistakes, key=lambda one: -one.judged)


@lru_cache(maxsize=256)
def _found(match: MatchResult, at: int) -> tuple[tuple[str, Opinion], ...]:
    """Return what a judge says of each decision of a match; nothing if its record cannot be read, or is not judged.

    `at` is when it was judged, 0 if it was not.
    """
    if not at:
        return ()
    try:
        record = read_record(Path(match.record))
        judgement = judgement_beside(Path(match.record), record)
    except RecordError:
        return ()
    if judgement is None:
        return ()
    return tuple((judgement["judge"], one) for one in opinions(record, judgement))
