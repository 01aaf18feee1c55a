"""Placements, computed from a finished position and the vacated seats, when a match is played and when replayed."""

from collections.abc import Mapping

from ballcourt.engine.core import State
from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from ballcourt.v1.record_pb2 import RivalResult

Vacated = Mapping[int, tuple[int, Termination]]
"""By seat: the index of the decision from which it was vacant, and why."""


def seat_results(state: State, vacated: Vacated) -> list[SeatResult]:
    """Return the results in seat order: seats that played to the end are placed by the game, vacated ones behind them.

    A seat that was vacated earlier is placed lower; seats that were vacated at the same moment share a place.
    """
    places = _places(state, vacated)
    results = [
        SeatResult(placement=places[seat], score=score, termination=Termination.TERMINATION_OK)
        for seat, score in enumerate(state.scores())
    ]
    for seat, (_, termination) in vacated.items():
        results[seat].termination = termination
    return results


def rival_results(state: State, vacated: Vacated) -> list[RivalResult]:
    """Return the results of the players that the rules play, placed among the seats."""
    places = _places(state, vacated)
    return [
        RivalResult(name=rival.name, placement=places[player], score=rival.score)
        for player, rival in enumerate(state.rivals(), start=state.seats)
    ]


def _places(state: State, vacated: Vacated) -> dict[int, int]:
    places: dict[int, int] = {}
    for group in [*_playing(state, vacated), *_leaving(vacated)]:
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def _playing(state: State, vacated: Vacated) -> list[list[int]]:
    groups = ([player for player in group if player not in vacated] for group in state.placements())
    return [group for group in groups if group]


def _leaving(vacated: Vacated) -> list[list[int]]:
    moments = sorted({decision for decision, _ in vacated.values()}, reverse=True)
    return [[seat for seat, (decision, _) in vacated.items() if decision == moment] for moment in moments]
