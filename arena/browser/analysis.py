"""The analysis of a recorded match in a browser: ask a bot about a decision, or branch off and play on.

The page shows everything, as replays do. Bots and people still receive only what their seat knew: a bot gets the
observation of the seat, and a person who plays on sees the match as that seat, with the hidden cards of the record.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ballcourt.arena.browser.personal import PersonalView
from ballcourt.arena.browser.playing import seat_person
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.person import PendingQuestion
from ballcourt.arena.records.narrative import account
from ballcourt.arena.records.replay import opening
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.workers.adviser import Adviser, estimate_of, events_seen, start_of
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.pool import Pool
from ballcourt.engine.core import State, WrongInput
from ballcourt.v1.protocol_pb2 import Event
from ballcourt.v1.record_pb2 import MatchRecord


@dataclass(frozen=True)
class Branch:
    """A match that is to be played on by a person."""

    match: PlayableMatch
    begun: MatchRecord
    keep: Callable[[MatchRecord], None]
    """Gets what was decided so far whenever the person is asked."""
    finish: Callable[[MatchRecord], Path]
    """Writes the record of the finished match and returns its path."""


class NoDecision(WrongInput):
    """There is nothing to decide at this point of the match, or not by this seat."""


class Analysis:
    """A recorded match, a bot to ask, and the match that a person plays on from it, one at a time."""

    def __init__(
        self, record: MatchRecord, pool: Pool, adviser: Adviser, branch_off: Callable[[int, int], Branch]
    ) -> None:
        """`branch_off` returns the match that branches off before a decision, with a person in a seat."""
        self.record = record
        self.adviser = adviser
        self.view: PersonalView | None = None
        """What the person sees of the match that was branched off last."""
        self._game, _ = opening(record)
        self._pool = pool
        self._branch_off = branch_off
        self._playing: asyncio.Task[None] | None = None
        self._asking = asyncio.Lock()

    async def advise(self, number: int) -> dict[str, Any]:
        """Return what the adviser would do at a decision, in words, its thoughts, and what else it considered.

        Raises NoDecision, BotFault and ArenaError.
        """
        seat, state, events = self._before(number)
        legal = tuple(state.legal_actions(seat))
        if len(legal) == 1:
            raise NoDecision("the rules leave no choice here: there is a single legal action")
        start = start_of(self.record, self._game, seat)
        async with self._asking:  # one process of the bot is enough for one person
            answer = await self.adviser.advise(start, PendingQuestion(state, legal, (), 0.0), events)
        estimate = estimate_of(self._game, state, seat, answer)
        label = self._game.choice(state, seat, answer.action)["label"] if answer.action in legal else ""
        return {"label": label, "thoughts": answer.thoughts, "estimate": estimate}

    def _before(self, number: int) -> tuple[int, State, list[Event]]:
        """Return who makes a decision, the position before it, and what its seat has seen. Raises NoDecision."""
        decisions = self.record.decisions
        if not 0 <= number < len(decisions.seats):
            raise NoDecision("the match is over here")
        seat = decisions.seats[number]
        return seat, *events_seen(self.record, number, seat)

    async def branch(self, number: int, seat: int) -> None:
        """Branch off before a decision, with a person in a seat; save a match that was being played.

        Raises WrongInput and ArenaError.
        """
        if not 0 <= seat < len(self.record.entrants):
            raise NoDecision(f"there is no seat {seat} at this table")
        branch = await asyncio.to_thread(self._branch_off, number, seat)
        await self.end()
        self.view, local = seat_person(branch.match, branch.begun, self._pool, branch.keep, self.adviser)
        self._playing = asyncio.create_task(self._play(self.view, local.play, branch))

    async def _play(self, view: PersonalView, play: Callable[[], Any], branch: Branch) -> None:
        try:
            record = await play()
            view.end(record, [*account(record), f"The record is {branch.finish(record)}"])
        except (ArenaError, RecordError, OSError) as error:
            view.results = [f"The match broke off: {error}"]

    async def end(self) -> None:
        """End the match that is being played, if any."""
        if self._playing:
            self._playing.cancel()
            with suppress(asyncio.CancelledError):
                await self._playing
