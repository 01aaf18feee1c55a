"""What the author of a candidate can learn from its matches, in words that fit into a prompt.

How it did, how it lost seats, the decisions that cost most, and where points came from. The decisions are judged as
`ballcourt replay evaluate` judges them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Final

from ballcourt.arena.printable import cut, printable
from ballcourt.arena.records.decisions import answered, termination
from ballcourt.arena.replays.judgement import JudgedDecision
from ballcourt.arena.replays.playouts import by_playouts, lead, points_of
from ballcourt.arena.replays.story import loss
from ballcourt.arena.replays.view import scene_at
from ballcourt.engine.core.view.prompts import scene_lines
from ballcourt.engine.registry import find_game
from ballcourt.evaluation.assessment import Assessment
from ballcourt.evaluation.terms import candidate_seats
from ballcourt.v1.record_pb2 import MatchRecord

MOST_CHARACTERS: Final = 6000
"""About 2,000 tokens at most, as code and numbers have three characters to a token."""
MOST_MOMENTS: Final = 3
LOOKED_AT: Final = 6
"""How many decisions are judged finely, of those that cost most by a rough judgement."""
ROUGH: Final = 15
FINE: Final = 150
"""How many playouts judge a decision."""
NONE: Final = "playouts cannot tell any that they tried from something better"
LONGEST_LINE: Final = 400
LONGEST_POSITION: Final = 1300
"""How many characters of a position are shown, so that all moments fit."""
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
    loss: float
    """How much better the other action was, in the measure of the judge."""
    points: float | None
    """The same in points; None if the game states no spread of points."""
    position: tuple[str, ...]
    """What the seat saw, the question last, in lines."""

    def __str__(self) -> str:
        more = "a better place" if self.points is None else f"about {self.points:.0f} points more"
        return f"decision {self.number} of {self.match}: chose '{self.chosen}'; '{self.better}' leads to {more}"

    def lines(self) -> Iterator[str]:
        """Yield the decision in words, then what the seat saw: the question, and as much of the rest as fits."""
        yield str(self)
        left = LONGEST_POSITION
        for line in (self.position[-1], *self.position[:-1]):
            shown = cut(printable(line), min(left, LONGEST_LINE))
            left -= len(shown) + 3
            if left > 0:
                yield f"  {shown}"


@dataclass(frozen=True, slots=True)
class PointSource:
    """The points that one source, by the game's own name, brings in a match, on average."""

    source: str
    own: float
    others: float


def feedback_text(found: Assessment, records: Sequence[MatchRecord]) -> str:
    """Return the feedback, at most `MOST_CHARACTERS` long. `records` are those that were kept."""
    whole = [
        (record, seats[0])
        for record in records
        if len(seats := candidate_seats(record)) == 1 and termination(record, seats[0]) == "OK"
    ]
    dear = [line for moment in costly_moments(whole) for line in moment.lines()]
    sections = [
        ("result", [str(found)]),
        ("faults", [line for fault in found.faults for line in fault.splitlines()]),
        ("points in a match, by source", [*_sheet(point_sources(whole))]),
        ("costly decisions, by random continuations", dear or [NONE] * bool(whole)),
    ]
    lines = [line for title, body in sections if body for line in (f"## {title}", *body)]
    return cut("\n".join(cut(printable(line), LONGEST_LINE) for line in lines), MOST_CHARACTERS - 50)


def point_sources(whole: Sequence[tuple[MatchRecord, int]]) -> list[PointSource]:
    """Return where points came from, the largest first, for the candidate and for each other player on average."""
    own: defaultdict[str, float] = defaultdict(float)
    others: defaultdict[str, float] = defaultdict(float)
    for record, seat in whole:
        sheets = scene_at(record, len(record.decisions.seats)).get("sources", [])
        for player, sheet in enumerate(sheets):
            for source, points in sheet.items():
                if player == seat:
                    own[source] += points / len(whole)
                else:
                    others[source] += points / len(whole) / (len(sheets) - 1)
    found = [PointSource(source, own[source], others[source]) for source in own | others]
    return sorted(found, key=lambda one: (-max(abs(one.own), abs(one.others)), one.source))[:MOST_SOURCES]


def costly_moments(whole: Sequence[tuple[MatchRecord, int]]) -> list[CostlyMoment]:
    """Return the decisions that cost most, in the matches that the candidate lost by most."""
    lost = sorted(whole, key=lambda played: lead([result.score for result in played[0].results], played[1]))
    found = [moment for record, seat in lost[:MOST_MATCHES] for moment in _moments(record, seat)]
    return sorted(found, key=lambda moment: -moment.loss)[:MOST_MOMENTS]


def _moments(record: MatchRecord, seat: int) -> Iterator[CostlyMoment]:
    """Judge the decisions of a seat roughly, and those that seem to cost most finely."""
    game, chosen = find_game(record.game), record.decisions.actions

    def judged(playouts: int, only: Collection[int]) -> Iterator[JudgedDecision]:
        return by_playouts(record, playouts, lambda _: None, only)

    def seeming(one: JudgedDecision) -> float:
        value = {ranked["action"]: ranked["value"] for ranked in one["estimate"]["ranked"]}
        return max(value.values()) - value[chosen[one["decision"]]]

    rough = nlargest(LOOKED_AT, judged(ROUGH, set(answered(record, seat))), key=seeming)
    for one in judged(FINE, {one["decision"] for one in rough}):  # by other playouts than those that chose them
        number, estimate = one["decision"], one["estimate"]
        if lost := loss(estimate, chosen[number]):
            label = {ranked["action"]: ranked["label"] for ranked in estimate["ranked"]}
            yield CostlyMoment(
                match=record.key,
                number=number,
                chosen=label[chosen[number]],
                better=estimate["ranked"][0]["label"],
                loss=lost,
                points=points_of(game, lost),
                position=tuple(scene_lines(scene_at(record, number, seat), seat)),
            )


def _sheet(sources: Sequence[PointSource]) -> Iterator[str]:
    for source in sources:
        yield f"{source.source}: {source.own:.1f}, the others {source.others:.1f}"
