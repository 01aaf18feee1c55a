"""A judge that knows no game: it plays positions to their end at random, from samples of what the seat cannot see.

All actions are tried from the same samples with the same luck, so that their differences are less by chance. They are
compared by how far the seat ends ahead in points, which says more than places: with 300 playouts a decision, they
liked what `planner` chose in 63 % of its decisions in Maya and 52 % in Tzolk'in, by places in 50 % and 32 %. Neither
playouts that are cut short nor those that go for points were better in the same time.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from statistics import fmean, stdev
from typing import Final

from ballcourt.arena.records.replay import opening, positions, questions
from ballcourt.arena.replays.document import Appraisal, Gain, Ranked
from ballcourt.arena.replays.judgement import JudgedDecision
from ballcourt.arena.replays.story import errors
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.observation import Observation, observe
from ballcourt.engine.core.playout import End, at_random, playouts
from ballcourt.v1.record_pb2 import MatchRecord

MOST_TRIED: Final = 5
"""How many actions are tried at a decision: the one that was played, and others that are drawn."""
FEWEST: Final = 4
"""From so few pairs of playouts nothing follows."""
UNKNOWN: Final = 1e6


def by_playouts(
    record: MatchRecord, count: int, tell: Callable[[int], None], only: Collection[int] | None = None
) -> Iterator[JudgedDecision]:
    """Yield what `count` playouts show of each decision that was not forced; `tell` gets the number of each decision.

    With `only`, these decisions are judged, by number. Another count of playouts means other samples.

    Raises RecordError if the record cannot be executed here.
    """
    game, _ = opening(record)
    decisions = record.decisions
    made = zip(decisions.seats, decisions.actions, questions(record), positions(record), strict=False)
    for number, (seat, action, question, state) in enumerate(made):
        tell(number)
        if (only is None or number in only) and len(state.legal_actions(seat)) > 1:
            chance = stream(record.seed, f"judge {number} by {count}")
            found = estimate(game, state, seat, action, count, chance)
            yield {"decision": number, "question": question, "estimate": found}


def estimate(game: Game, state: State, seat: int, played: int, count: int, chance: Stream) -> Appraisal:
    """Return what playouts show of a position, as its seat knows it, and of the actions that it may choose."""
    tried = _tried(state.legal_actions(seat), played, chance)
    seen = observe(state, seat)
    ends: dict[int, list[End]] = {action: [] for action in tried}
    for _ in range(max(1, count // len(tried))):
        position, luck = game.sample(seen, chance), chance.next64()
        siblings = [_after(position, seat, action) for action in tried]
        for action, (end,) in zip(tried, playouts(siblings, at_random, [luck]), strict=True):
            ends[action].append(end)
    worth = {action: [_ahead(game, end, seat) for end in found] for action, found in ends.items()}
    ranked: list[Ranked] = [
        {
            "action": action,
            "label": game.choice(state, seat, action)["label"],
            "value": round(fmean(found), 4),
            "visits": len(found),
        }
        for action, found in worth.items()
    ]
    ranked.sort(key=lambda one: -one["value"])
    everything = [end for found in ends.values() for end in found]
    spread = _spread(_differences(worth[ranked[0]["action"]], worth[played]))
    others = [fmean(tries) for tries in zip(*(worth[action] for action in tried if action != played), strict=True)]
    gains = _differences(worth[played], others)
    error = round(_spread(gains) * errors(len(gains)) / len(gains) ** 0.5, 4)
    gain: Gain = {"value": round(fmean(gains), 4), "error": error}
    return {**_outlook(everything), "ranked": ranked, "spread": spread, "gain": gain}


def outlook(game: Game, seen: Observation, count: int, chance: Stream) -> Appraisal:
    """Return what playouts show of a position to one who knows this much of it; it ranks no actions."""
    return _outlook([playouts([game.sample(seen, chance)], at_random, [chance.next64()])[0][0] for _ in range(count)])


def _after(position: State, seat: int, action: int) -> State:
    after = position.clone()
    after.apply(seat, action)
    return after


def _outlook(ends: Sequence[End]) -> Appraisal:
    """Return by seat how matches end in the mean."""
    return {
        "values": _means([end.returns for end in ends]),
        "wins": _means([_wins(end) for end in ends]),
        "points": _means([end.scores for end in ends]),
        "ranked": [],
        "marks": [],
    }


def points_of(game: Game, value: float) -> float | None:
    """Return how many points the value of an action stands for; None if the game states no spread of points."""
    return value * game.points_spread if game.points_spread else None


def _ahead(game: Game, end: End, seat: int) -> float:
    """Return how far a seat is ahead of the others: 1 is as much as is usual in the game, or all places."""
    if not game.points_spread:
        return end.returns[seat]
    return lead(end.scores, seat) / game.points_spread


def lead(scores: Sequence[float], seat: int) -> float:
    """Return how many points a seat is ahead of the others, on average."""
    others = [score for other, score in enumerate(scores) if other != seat]
    return scores[seat] - (fmean(others) if others else 0.0)


def _differences(some: Sequence[float], others: Sequence[float]) -> list[float]:
    return [one - other for one, other in zip(some, others, strict=True)]


def _spread(differences: Sequence[float]) -> float:
    """Return the standard deviation of the differences of pairs, or much more if there are too few of them."""
    return round(stdev(differences), 4) if len(differences) >= FEWEST else UNKNOWN


def _tried(legal: list[int], played: int, chance: Stream) -> list[int]:
    others = [action for action in legal if action != played]
    return sorted([played, *chance.shuffled(others)[: MOST_TRIED - 1]])


def _wins(end: End) -> list[float]:
    """Return each seat's share of the first place."""
    first = end.placements[0]
    return [1 / len(first) if seat in first else 0.0 for seat in range(len(end.scores))]


def _means(rows: list[list[float]]) -> list[float]:
    return [round(fmean(column), 4) for column in zip(*rows, strict=True)]
