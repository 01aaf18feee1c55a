"""What shared deals cost or save, in simulated leagues whose luck is known."""

import numpy as np
import pytest

from ballcourt.arena.tournament.event.seeds import Deals
from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch, SeatOutcome, keyed_seatings
from ballcourt.leaderboard.model.scale import BETA
from ballcourt.leaderboard.studies.deals import FEWEST_BLOCKS, shared_deals
from tests.bench.leagues.simulated import SEATS, League, schedule

ENTRANTS = 12


def seat_luck(blocks: int) -> list[PlayedBlock]:
    """A league in which a deal suits a seat, with any bot."""
    chance = np.random.default_rng(1)
    found = []
    for block in schedule("balanced", ENTRANTS, SEATS * blocks).stage(()):
        suits = chance.normal(0, BETA, SEATS)
        matches = []
        for key, table in keyed_seatings(block):
            achieved = suits + chance.normal(0, 0.5 * BETA, SEATS)
            places = 1 + np.argsort(np.argsort(-achieved))
            matches.append(PlayedMatch(key, table, tuple(SeatOutcome(int(place), 0.0, False) for place in places)))
        found.append(PlayedBlock(block, tuple(matches)))
    return found


@pytest.mark.parametrize("luck", [0.0, 0.5])
def test_luck_of_the_bot_takes_more_matches(luck: float) -> None:
    results = League(ENTRANTS, 2, luck).played(schedule("balanced", ENTRANTS, 400 * SEATS))
    found = shared_deals([(results, ENTRANTS)])
    assert found
    low, high = found.interval
    assert found.recommended is Deals.MATCH
    assert low > 1.5 if luck else low < 1 < high


def test_luck_of_the_seat_takes_fewer_matches() -> None:
    found = shared_deals([(seat_luck(100), ENTRANTS)])
    assert found
    assert found.interval[1] < 0.5
    assert found.recommended is Deals.BLOCK


def test_a_few_blocks_say_nothing() -> None:
    assert shared_deals([(seat_luck(FEWEST_BLOCKS - 1), ENTRANTS)]) is None
    assert shared_deals([([], ENTRANTS)]) is None


def test_several_tables_are_measured_together() -> None:
    found = shared_deals([(seat_luck(20), ENTRANTS), (seat_luck(15), ENTRANTS)])
    assert found and found.blocks == 35
