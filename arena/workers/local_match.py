"""A match between seats that are ready, and one that is played in this process, among people and bots."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

from ballcourt.arena.match.person import VERSION, Person, PersonSeat
from ballcourt.arena.match.referee import Match, Onlooker
from ballcourt.arena.match.seats import Seat
from ballcourt.arena.match.stream.session import open_server
from ballcourt.arena.processes.bot_process import Role
from ballcourt.arena.processes.plain import open_starter
from ballcourt.arena.workers.capacity import require_files
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.pool import Pool, ProcessSeat
from ballcourt.arena.workers.speed import speed
from ballcourt.engine.core import IllegalAction, WrongInput
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord


class CannotContinueError(WrongInput):
    """A match cannot be continued from what was decided so far; the sentence says why."""


class LocalMatch:
    """A match and its seats, which are released after it, however it ends."""

    def __init__(
        self,
        match: PlayableMatch,
        seats: Sequence[Seat],
        begun: MatchRecord | None = None,
        onlooker: Onlooker | None = None,
    ) -> None:
        """Set up the match; `begun` is what `so_far` or `branch` returned of a match to be continued.

        Raises InvalidOption, ArenaError, and CannotContinueError if `begun` does not fit the match.
        """
        self._playable = match
        self._seats = seats
        self._match = Match(find_game(match.spec.game), match.spec, seats, onlooker)
        if begun:
            self._resume(begun)

    def _resume(self, begun: MatchRecord) -> None:
        spec = self._playable.spec
        if begun.entrants and len(begun.entrants) != len(spec.entrants):
            raise CannotContinueError(
                f"the saved match {spec.key} has {len(begun.entrants)} seats, and its table {len(spec.entrants)} bots"
            )
        for seat, before in enumerate(begun.entrants):  # none yet, if it branches off from another match
            now = spec.entrants[seat]
            if now.bot.content_hash != before.content_hash:
                bot, began = self._playable.bots.get(now), begun.started
                files = bot.changed_since(datetime.fromisoformat(began).timestamp()) if bot and began else ""
                raise CannotContinueError(
                    f"seat {seat} was played by {before.name} {before.version}, whose files have changed since the "
                    f"match was saved{f' ({files})' if files else ''}; restore them, or play a new match"
                )
        try:
            self._match.resume(begun)
        except IllegalAction as error:
            raise CannotContinueError(f"the saved match {spec.key} cannot be continued: {error}") from error

    def so_far(self) -> MatchRecord:
        """Return the record of the unfinished match, which has no results."""
        return self._described(self._match.so_far())

    async def play(self) -> MatchRecord:
        """Play the match to its end and return its record. Raises ArenaError."""
        finished = False
        try:
            record = await self._match.play()
            if any(seat.beside for seat in self._seats):
                record.beside.extend(seat.beside for seat in self._seats)
            if self._playable.logs:
                record.logs.extend([await seat.log() for seat in self._seats])
            finished = True
        finally:
            for seat in self._seats:
                seat.release(finished=finished)
        return self._described(record)

    def _described(self, record: MatchRecord) -> MatchRecord:
        self._playable.describe(record)
        return record


def seats_of_people(match: PlayableMatch) -> list[int]:
    """Return the seats in which people sit."""
    return [
        seat
        for seat, entrant in enumerate(match.spec.entrants)
        if entrant.bot.version == VERSION and entrant not in match.bots
    ]


@asynccontextmanager
async def open_pool() -> AsyncIterator[Pool]:
    """Start what bot processes need in this process; on leaving, end them all.

    Raises CapacityError if this process may not have enough open files.
    """
    require_files()
    async with open_starter() as starter, open_server(starter.socket_folder) as server:
        pool = Pool(starter, server)
        try:
            yield pool
        finally:
            await pool.dismiss()


async def play_on(match: PlayableMatch, begun: MatchRecord | None = None) -> MatchRecord:
    """Play a match of bots to its end, from what was decided so far if it has begun.

    Raises ArenaError and CannotContinueError.
    """
    index = speed()
    here = replace(match, spec=match.spec.on(index))
    async with open_pool() as pool:
        record = await LocalMatch(here, seats_here(here, pool, {}), begun).play()
    record.host.speed = index
    return record


def seats_here(match: PlayableMatch, pool: Pool, people: Mapping[int, Person]) -> list[Seat]:
    """Return the seats of a match: of people by seat, and of bots of this machine in the other seats."""
    game = find_game(match.spec.game)

    def seat_for(seat: int) -> Seat:
        clock = match.spec.clock_of(seat)
        if seat in people:
            return PersonSeat(people[seat], clock)
        entrant = match.spec.entrants[seat]
        return ProcessSeat(
            Role(match.bots[entrant], game, match.sandbox, entrant.bot.name), clock, pool, match.lifetime
        )

    return [seat_for(seat) for seat in range(len(match.spec.entrants))]
