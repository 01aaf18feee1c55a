"""A match that is played in this process, among people and bot processes."""

import asyncio
from dataclasses import replace

import pytest

from ballcourt.arena.match.person import UNHURRIED, Person, person_entrant
from ballcourt.arena.match.spec import Clock, Scale
from ballcourt.arena.records.replay import verify
from ballcourt.arena.workers.local_match import CannotContinueError, LocalMatch, open_pool, play_on, seats_here
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import LOWEST
from tests.arena.matches import match_of


async def test_a_person_plays_with_a_bot_process() -> None:
    match = match_of("k", "bluff", {}, 5, (LOWEST, LOWEST))
    entrants = (person_entrant("anna"), LOWEST.entrant)
    match = replace(match, spec=replace(match.spec, entrants=entrants, seat_clocks=(UNHURRIED, Clock())))

    def answer() -> None:
        if person.question:
            asyncio.get_running_loop().call_soon(person.act, 3)

    person = Person(find_game("bluff"), "anna", answer)
    async with open_pool() as pool:
        record = await LocalMatch(match, seats_here(match, pool, {0: person})).play()
    assert verify(record).agrees
    assert list(record.decisions.actions) == [3, 1] * 3
    assert [entrant.name for entrant in record.entrants] == ["anna", LOWEST.name]
    assert record.seat_clocks[0].bank_ms == UNHURRIED.bank_ms


def test_a_match_is_not_continued_with_other_bots_or_one_whose_files_have_changed() -> None:
    match = match_of("k", "bluff", {}, 5, (LOWEST, LOWEST))
    entrants = (person_entrant("anna"), LOWEST.entrant)
    match = replace(match, spec=replace(match.spec, entrants=entrants, seat_clocks=(UNHURRIED, Clock())))
    begun = MatchRecord(entrants=[{"name": "anna"}, {"name": "low", "version": "1", "content_hash": "other"}])

    async def begin() -> None:
        async with open_pool() as pool:
            LocalMatch(match, seats_here(match, pool, {0: Person(find_game("bluff"), "anna")}), begun)

    with pytest.raises(CannotContinueError, match=r"seat 1 was played by low 1, whose files have changed"):
        asyncio.run(begin())
    begun.entrants.add(name="third")
    with pytest.raises(CannotContinueError, match="the saved match k has 3 seats, and its table 2 bots"):
        asyncio.run(begin())


@pytest.mark.slow
def test_a_match_among_bots_is_on_the_clock_of_this_machine_whose_speed_is_in_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.local_match.speed", lambda: 0.5)
    match = match_of("k", "bluff", {}, 5, (LOWEST, LOWEST), Clock(cap_ms=10_000, scale=Scale.REFERENCE))
    record = asyncio.run(play_on(match))
    assert verify(record).agrees
    assert (record.clock.cap_ms, record.host.speed) == (20_000, 0.5)
