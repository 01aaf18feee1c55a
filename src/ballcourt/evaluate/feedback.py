"""What the author of a candidate can learn from its matches, in words that fit into a prompt.

How it did, how it lost seats, the decisions that cost most, and where points came from. The decisions are judged by
what the bot `flat-monte-carlo` goes by: the mean result of playing on at random, here in points ahead of the others,
from positions as the seat may have imagined them.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Final

from ballcourt.arena.printable import cut, printable
from ballcourt.arena.records.decisions import answered, termination
from ballcourt.arena.records.replay import positions, questions
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import ended, playout
from ballcourt.engine.registry import find_game
from ballcourt.evaluate.assessment import Assessment
from ballcourt.evaluate.terms import candidate_seats
from ballcourt.v1.record_pb2 import MatchRecord

MOST_CHARACTERS: Final = 6000
"""About 2,000 tokens at most, as code and numbers have three characters to a token."""
MOST_MOMENTS: Final = 3
LOOKED_AT: Final = 6
"""How many decisions are judged of those after which the outlook fell most."""
ROUGH: Final = 4
"""How often a position is played on to see where the outlook falls."""
FINE: Final = 12
"""How often to judge an action."""
MOST_ACTIONS: Final = 6
"""How many other actions a decision is compared with; drawn where there are more."""
MOST_MATCHES: Final = 2
"""In how many matches decisions are judged."""
MOST_SOURCES: Final = 12


@dataclass(frozen=True, slots=True)
class CostlyMoment:
    """A decision after which the outlook was worse than after another one."""

    match: str
    number: int
    chosen: str
    better: str
    points: float
    """How many points more the other action leads to, by the estimate."""

    def __str__(self) -> str:
        return (
            f"decision {self.number} of {self.match}: chose '{self.chosen}'; '{self.better}' leads to about "
            f"{self.points:.0f} points more"
        )


@dataclass(frozen=True, slots=True)
class QuestionPoints:
    """The points that one kind of question brings in a match, on average."""

    question: str
    own: float
    others: float


def feedback_text(found: Assessment, records: Sequence[MatchRecord]) -> str:
    """Return the feedback, at most `MOST_CHARACTERS` long. `records` are those that were kept."""
    whole = [
        (record, seats[0])
        for record in records
        if len(seats := candidate_seats(record)) == 1 and termination(record, seats[0]) == "OK"
    ]
    moments = costly_moments(whole)
    sections = [
        ("result", [str(found)]),
        ("faults", [line for fault in found.faults for line in fault.splitlines()]),
        ("costly decisions, by random continuations", [str(moment) for moment in moments]),
        ("points by kind of question, in a match", [*_sheet(point_sources(whole))]),
    ]
    lines = [line for title, body in sections if body for line in (f"## {title}", *body)]
    return cut("\n".join(cut(printable(line), 400) for line in lines), MOST_CHARACTERS - 50)


def point_sources(whole: Sequence[tuple[MatchRecord, int]]) -> list[QuestionPoints]:
    """Return where points came from, the largest first, for the candidate and for each other seat on average."""
    own: defaultdict[str, float] = defaultdict(float)
    others: defaultdict[str, float] = defaultdict(float)
    for record, seat in whole:
        rest = max(1, len(record.entrants) - 1)
        for question, before, after in _gains(record):
            own[question] += after[seat] - before[seat]
            gained = sum(after) - sum(before) - (after[seat] - before[seat])
            others[question] += gained / rest
    count = max(1, len(whole))
    sources = [QuestionPoints(name, own[name] / count, others[name] / count) for name in own]
    ranked = sorted(sources, key=lambda source: -max(abs(source.own), abs(source.others)))
    return [source for source in ranked if source.own or source.others][:MOST_SOURCES]


def costly_moments(whole: Sequence[tuple[MatchRecord, int]]) -> list[CostlyMoment]:
    """Return the decisions that cost most, in the matches that the candidate lost by most."""
    lost = sorted(whole, key=lambda played: _lead([result.score for result in played[0].results], played[1]))
    found = [moment for record, seat in lost[:MOST_MATCHES] for moment in _moments(record, seat)]
    return sorted(found, key=lambda moment: -moment.points)[:MOST_MOMENTS]


def _gains(record: MatchRecord) -> Iterator[tuple[str, list[float], list[float]]]:
    """Yield the kind of each question, and the scores before and after it was answered."""
    scores = (list(state.scores()) for state in positions(record))
    for question, (before, after) in zip(questions(record), pairwise(scores), strict=True):
        yield question, before, after


def _moments(record: MatchRecord, seat: int) -> Iterator[CostlyMoment]:
    """Judge the decisions of a seat after which its outlook fell most."""
    game, chance = find_game(record.game), Random(record.seed)
    asked = set(answered(record, seat))
    before = [(number, state.clone()) for number, state in enumerate(positions(record)) if number in asked]
    outlooks = [_outlook(state, seat, chance, ROUGH) for _, state in before]
    falls = sorted(range(len(before) - 1), key=lambda at: outlooks[at + 1] - outlooks[at])
    for at in falls[:LOOKED_AT]:
        number, state = before[at]
        if moment := _judged(game, record, number, state, seat, chance):
            yield moment


def _judged(
    game: Game, record: MatchRecord, number: int, state: State, seat: int, chance: Random
) -> CostlyMoment | None:
    """Compare a decision with others; None if it was as good as any."""
    chosen = record.decisions.actions[number]
    legal = [action for action in state.legal_actions(seat) if action != chosen]
    compared = [chosen, *(chance.sample(legal, MOST_ACTIONS) if len(legal) > MOST_ACTIONS else legal)]
    imagined = [game.sample(observe(state, seat), Stream(chance.getrandbits(64))) for _ in range(FINE)]
    worth = {
        action: fmean(_lead(ended(position, seat, action, chance.choice).scores(), seat) for position in imagined)
        for action in compared
    }
    best = max(compared, key=worth.__getitem__)
    if best == chosen:
        return None
    label = {action: game.choice(state, seat, action)["label"] for action in (chosen, best)}
    return CostlyMoment(record.key, number, label[chosen], label[best], worth[best] - worth[chosen])


def _outlook(state: State, seat: int, chance: Random, times: int) -> float:
    """Return by how many points a seat is ahead of the others at the end, when the match is played on at random."""
    leads = []
    for _ in range(times):
        played = state.clone()
        playout(played, chance.choice)
        leads.append(_lead(played.scores(), seat))
    return fmean(leads)


def _lead(scores: Sequence[float], seat: int) -> float:
    others = [score for number, score in enumerate(scores) if number != seat]
    return scores[seat] - (fmean(others) if others else 0.0)


def _sheet(sources: Sequence[QuestionPoints]) -> Iterator[str]:
    for source in sources:
        yield f"{source.question}: {source.own:.1f}, the others {source.others:.1f}"
