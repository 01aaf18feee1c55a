"""How a finished position and the vacated seats become placements; replays of a record use the same function."""

from collections.abc import Mapping

from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from engine.core import State

Vacated = Mapping[int, tuple[int, Termination]]
"""By seat: the index of the decision from which on it was played for, and why."""


def seat_results(state: State, vacated: Vacated) -> list[SeatResult]:
    """Place all seats, in seat order: those that played to the end as the game says, vacated ones behind them.

    Of several vacated seats the earlier vacated is placed lower; those vacated at the same moment share a place.
    """
    results = [SeatResult(score=score, termination=Termination.TERMINATION_OK) for score in state.scores()]
    for seat, (_, termination) in vacated.items():
        results[seat].termination = termination
    place = 1
    for group in [*_playing(state, vacated), *_leaving(vacated)]:
        for seat in group:
            results[seat].placement = place
        place += len(group)
    return results


def _playing(state: State, vacated: Vacated) -> list[list[int]]:
    groups = ([seat for seat in group if seat not in vacated] for group in state.placements())
    return [group for group in groups if group]


def _leaving(vacated: Vacated) -> list[list[int]]:
    moments = sorted({decision for decision, _ in vacated.values()}, reverse=True)
    return [[seat for seat, (decision, _) in vacated.items() if decision == moment] for moment in moments]
