"""Blocks that are played at random in this process, to learn about a game before anything is started."""

from collections.abc import Iterator
from random import Random
from typing import Final

from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.arena.tournament.schedules.schedule import (
    Field,
    PlayedBlock,
    PlayedMatch,
    Seating,
    SeatOutcome,
    keyed_seatings,
)
from ballcourt.engine.core.playout import playout

BLOCKS: Final = 60
"""A few seconds of play. The players are all alike, so no strengths have to be learnt as well."""


def random_blocks(setup: SetUp, number: int = BLOCKS) -> Iterator[PlayedBlock]:
    """Play blocks whose rotations share a deal, always with the same random players; they have as many seats."""
    for index in range(number):
        block = Field(setup.seats, setup.seats).rotated(index, index, tuple(range(setup.seats)))
        yield PlayedBlock(block, tuple(_played(setup, index, seating) for seating in keyed_seatings(block)))


def _played(setup: SetUp, deal: int, seating: Seating) -> PlayedMatch:
    key, table = seating
    state = setup.rules.initial_state(setup.seats, deal, setup.options)
    playout(state, Random(key).choice)
    places: dict[int, int] = {}
    for group in state.placements():
        places |= dict.fromkeys(group, len(places) + 1)
    scores = state.scores()
    return PlayedMatch(key, table, tuple(SeatOutcome(places[seat], scores[seat], False) for seat in range(setup.seats)))
