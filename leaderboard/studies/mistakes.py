"""How often a judge agreed with a bot, by kind of question: from what `replay evaluate` kept beside the records."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.replays.judgement import judged_at, judgement_beside, swings
from ballcourt.leaderboard.model.results import MatchResult


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The answers of a bot to one kind of question, according to one judge."""

    judge: str
    question: str
    judged: int
    better: int
    """How often the judge preferred something else, as far as that is not by chance."""
    lost: float
    """How much worse the answers were in all, in the judge's measure."""


def mistakes_of(bot: BotVersion, matches: Sequence[MatchResult]) -> list[Mistakes]:
    """Return what judges say of a bot's answers in some matches, the most frequent questions first."""
    judged: Counter[tuple[str, str]] = Counter()
    better: Counter[tuple[str, str]] = Counter()
    lost: dict[tuple[str, str], float] = defaultdict(float)
    for match in matches:
        own = {number for number, seat in enumerate(match.seats) if seat.entrant == bot}
        for judge, question, seat, is_worse, loss in _found(match, judged_at(Path(match.record))):
            if seat in own:
                kind = judge, question
                judged[kind] += 1
                better[kind] += is_worse
                lost[kind] += loss
    return [Mistakes(*kind, count, better[kind], lost[kind]) for kind, count in judged.most_common()]


@lru_cache(maxsize=256)
def _found(match: MatchResult, at: int) -> tuple[tuple[str, str, int, bool, float], ...]:
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
    worse = {one.decision: one.loss or 0.0 for one in swings(record, judgement)}
    return tuple(
        (
            judgement["judge"],
            one["question"],
            record.decisions.seats[one["decision"]],
            one["decision"] in worse,
            worse.get(one["decision"], 0.0),
        )
        for one in judgement["decisions"]
    )
