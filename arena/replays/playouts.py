"""A judge that knows no game: it plays positions to their end at random, from samples of what the seat cannot see.

All actions are tried from the same samples with the same luck, so that their differences are less by chance.
"""

from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean
from typing import Final

from ballcourt.arena.records.replay import opening, positions, questions
from ballcourt.arena.replays.document import Appraisal, Ranked
from ballcourt.arena.replays.judgement import JudgedDecision
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import ended
from ballcourt.v1.record_pb2 import MatchRecord

MOST_TRIED: Final = 5
"""How many actions are tried at a decision: the one that was played, and others that are drawn."""


def by_playouts(record: MatchRecord, count: int, tell: Callable[[int], None]) -> Iterator[JudgedDecision]:
    """Yield what `count` playouts show of each decision that was not forced; `tell` gets the number of each decision.

    Raises RecordError if the record cannot be executed here.
    """
    game, _ = opening(record)
    decisions = record.decisions
    made = zip(decisions.seats, decisions.actions, questions(record), positions(record), strict=False)
    for number, (seat, action, question, state) in enumerate(made):
        tell(number)
        if len(state.legal_actions(seat)) > 1:
            chance = stream(record.seed, f"judge {number}")
            found = estimate(game, state, seat, action, count, chance)
            yield {"decision": number, "question": question, "estimate": found}


def estimate(game: Game, state: State, seat: int, played: int, count: int, chance: Stream) -> Appraisal:
    """Return what playouts show of a position, as its seat knows it, and of the actions that it may choose."""
    tried = _tried(state.legal_actions(seat), played, chance)
    seen = observe(state, seat)
    ends: dict[int, list[State]] = {action: [] for action in tried}
    for _ in range(max(1, count // len(tried))):
        position, luck = game.sample(seen, chance), chance.next64()
        for action in tried:
            ends[action].append(ended(position, seat, action, Random(luck).choice))
    ranked: list[Ranked] = [
        {
            "action": action,
            "label": game.choice(state, seat, action)["label"],
            "value": round(fmean(end.returns()[seat] for end in found), 4),
            "visits": len(found),
        }
        for action, found in ends.items()
    ]
    everything = [end for found in ends.values() for end in found]
    return {
        "values": _means([end.returns() for end in everything]),
        "wins": _means([_wins(end) for end in everything]),
        "points": _means([end.scores() for end in everything]),
        "ranked": sorted(ranked, key=lambda one: -one["value"]),
        "marks": [],
    }


def _tried(legal: list[int], played: int, chance: Stream) -> list[int]:
    others = [action for action in legal if action != played]
    return sorted([played, *chance.shuffled(others)[: MOST_TRIED - 1]])


def _wins(end: State) -> list[float]:
    """Return each seat's share of the first place."""
    first = end.placements()[0]
    return [1 / len(first) if seat in first else 0.0 for seat in range(end.seats)]


def _means(rows: list[list[float]]) -> list[float]:
    return [round(fmean(column), 4) for column in zip(*rows, strict=True)]
