"""Plays one match: asks, keeps the clocks, applies, and writes down everything that happened.

A bot at fault loses its seat. From then on its lowest legal action is played, so that the match counts for the others.
"""

import asyncio
import secrets
from collections.abc import Coroutine, Iterable, Sequence
from time import perf_counter_ns

from arena.faults import ArenaError, BotFault, describe_exit
from arena.match import ARENA, Bank, MatchSpec, bot_seed
from arena.records import FORMAT
from arena.results import seat_results
from arena.seats import Answer, Evidence, Seat
from ballcourt.v1.protocol_pb2 import ArenaMessage, Event, MatchEnd, MatchStart, Observe, SeatResult, Termination
from ballcourt.v1.record_pb2 import Decisions, Entrant, MatchRecord, SeatFault
from engine.core import Game, State, digest
from engine.core.wire import Encoder


async def play_match(game: Game, spec: MatchSpec, seats: Sequence[Seat]) -> MatchRecord:
    """Play a match to its end. Raises ArenaError when the arena or the rules fail, whatever the bots do."""
    if len(seats) != len(spec.entrants):
        raise ArenaError(f"{len(spec.entrants)} entrants need as many seats, not {len(seats)}")
    options = game.check(len(seats), spec.options)
    try:
        return await _Match(game, spec, seats, options).play()
    except ArenaError:
        raise
    except Exception as error:
        raise ArenaError(f"match {spec.key} of {game.name} broke off: {type(error).__name__}: {error}") from error


class _Match:
    """A match in progress."""

    def __init__(self, game: Game, spec: MatchSpec, seats: Sequence[Seat], options: dict[str, str]) -> None:
        self.game = game
        self.spec = spec
        self.seats = seats
        self.options = options
        self.match_id = secrets.token_hex(8)  # says nothing about the tournament or the opponents
        self.state = game.initial_state(len(seats), spec.seed, options)
        self.wire = game.wire()
        self.encoder = Encoder(self.wire)
        self.banks = [Bank(spec.clock) for _ in seats]
        self.events: list[list[Event]] = [[] for _ in seats]  # per seat, since it last heard from us
        self.faults: dict[int, SeatFault] = {}  # in the order the seats were vacated
        self.autopsies: dict[int, asyncio.Task[Evidence]] = {}
        self.observers: list[int] = []
        self.log = _Log(self.state)

    async def play(self) -> MatchRecord:
        """Play from the first decision to the last."""
        await _together(self._start(seat) for seat in range(len(self.seats)))
        self.observers = [s for s in range(len(self.seats)) if s not in self.faults and self.seats[s].observes]
        while pending := self.state.pending_seats():
            await self._round(pending)
        vacated = {seat: (fault.decision, fault.termination) for seat, fault in self.faults.items()}
        results = seat_results(self.state, vacated)
        end = MatchEnd(match_id=self.match_id, results=results)
        await _together(self._finish(seat, end) for seat in range(len(self.seats)) if seat not in self.faults)
        for seat, autopsy in self.autopsies.items():
            _add_evidence(self.faults[seat], await autopsy)
        return self._record(results)

    def _record(self, results: list[SeatResult]) -> MatchRecord:
        return MatchRecord(
            format=FORMAT,
            key=self.spec.key,
            game=self.game.name,
            rules_version=self.game.rules_version,
            options=self.options,
            seed=self.spec.seed,
            entrants=[Entrant(name=b.name, version=b.version, content_hash=b.content_hash) for b in self.spec.entrants],
            clock=self.spec.clock.to_message(),
            arena=ARENA,
            decisions=self.log.decisions(),
            results=results,
            faults=self.faults.values(),
            opening_hash=self.log.opening_hash,
            overhead_p99_us=self.log.overhead_p99_us(),
            dropped=[seat.dropped for seat in self.seats],
        )

    async def _start(self, seat: int) -> None:
        start = MatchStart(
            match_id=self.match_id,
            game=self.game.name,
            rules_version=self.game.rules_version,
            options=self.options,
            seat=seat,
            seats=len(self.seats),
            clock=self.spec.clock.to_message(),
            bot_seed=bot_seed(self.spec.seed, seat),
            observation_type=self.wire.observation_type,
        )
        try:
            await self.seats[seat].start(start)
        except BotFault as fault:
            self._vacate(seat, fault)

    async def _finish(self, seat: int, end: MatchEnd) -> None:
        try:
            await self.seats[seat].finish(end)
        except BotFault as fault:
            await self.seats[seat].vacate(fault.termination)  # it has played all its decisions: its result stands

    async def _round(self, pending: list[int]) -> None:
        """Take one action of every pending seat, asked at the same time, applied in seat order."""
        began, lost = perf_counter_ns(), len(self.faults)
        if len(pending) == 1:  # the common case needs no task
            answers = [await self._answer(pending[0])]
        else:
            answers = await self._answers(pending)
        for seat, answer in zip(pending, answers, strict=True):
            self._apply(seat, answer)
        if self.observers:
            await _together(self._observe(seat) for seat in self.observers if pending != [seat])
        thought_us = max([answer.think_us for answer in answers])
        if thought_us and lost == len(self.faults):
            self.log.overheads_us.append((perf_counter_ns() - began) / 1000 - thought_us)
        elif self.faults:
            await asyncio.sleep(0)  # there may be nobody left to wait for: let the other matches of this loop go on

    async def _answers(self, pending: list[int]) -> list[Answer]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._answer(seat)) for seat in pending]
        return [task.result() for task in tasks]

    async def _answer(self, seat: int) -> Answer:
        """Ask a seat, unless it has no choice, or no bot any more."""
        legal = self.state.legal_actions(seat)
        if len(legal) == 1 or seat in self.faults:
            return Answer(legal[0])
        try:
            answer = await self.seats[seat].decide(self._question(seat, legal))
            if answer.action not in legal:
                raise self._illegal(answer.action, legal)
        except BotFault as fault:
            self._vacate(seat, fault)
            return Answer(legal[0])
        self.banks[seat].spend(answer.think_us)
        return answer

    def _question(self, seat: int, legal: list[int]) -> ArenaMessage:
        message = ArenaMessage()
        decide = message.decide
        decide.observation = self.encoder.encode(self.state, seat)
        decide.legal.extend(legal)
        decide.events.extend(self._news(seat))
        decide.bank_ms = int(self.banks[seat].left_ms)
        decide.limit_ms = self.banks[seat].limit_ms()
        return message

    def _illegal(self, action: int, legal: list[int]) -> BotFault:
        names = self.game.action_names
        allowed = ", ".join(f"{option} {names[option]}" for option in legal)
        name = names[action] if action < len(names) else "no action of this game"
        return BotFault(
            Termination.TERMINATION_ILLEGAL, f"the bot answered with action {action} ({name}); legal were {allowed}"
        )

    def _apply(self, seat: int, answer: Answer) -> None:
        if len(self.log.actions) >= self.game.max_decisions:
            raise ArenaError(
                f"{self.game.name} did not end within its own limit of {self.game.max_decisions} decisions"
            )
        self.state.apply(seat, answer.action)
        self.log.add(self.state, seat, answer)
        for observer, news in enumerate(self.events):
            if observer not in self.faults:
                seen = self.state.seen_action(seat, answer.action, observer)
                news.append(Event(seat=seat, action=seen))

    async def _observe(self, seat: int) -> None:
        if seat in self.faults:
            return
        push = Observe(observation=self.encoder.encode(self.state, seat), events=self._news(seat))
        try:
            await self.seats[seat].observe(push)
        except BotFault as fault:
            self._vacate(seat, fault)

    def _news(self, seat: int) -> list[Event]:
        news = self.events[seat]
        self.events[seat] = []
        return news

    def _vacate(self, seat: int, fault: BotFault) -> None:
        self.faults[seat] = SeatFault(
            seat=seat, decision=len(self.log.actions), termination=fault.termination, detail=fault.sentence
        )
        self.events[seat] = []
        self.autopsies[seat] = asyncio.create_task(self.seats[seat].vacate(fault.termination))


class _Log:
    """What the record says about the decisions."""

    def __init__(self, opening: State) -> None:
        self.opening_hash = digest(opening)
        self.actions: list[int] = []
        self.overheads_us: list[float] = []
        self._seats: list[int] = []
        self._think_us: list[int] = []
        self._hashes = [self.opening_hash]
        self._thoughts: dict[int, str] = {}

    def add(self, state: State, seat: int, answer: Answer) -> None:
        """Write down an action that has just been applied."""
        if answer.thoughts:
            self._thoughts[len(self.actions)] = answer.thoughts
        self._seats.append(seat)
        self.actions.append(answer.action)
        self._think_us.append(answer.think_us)
        self._hashes.append(digest(state, self._hashes[-1]))

    def decisions(self) -> Decisions:
        """Everything so far, as the record keeps it."""
        return Decisions(
            seats=self._seats,
            actions=self.actions,
            think_us=self._think_us,
            hashes=b"".join(self._hashes[1:]),
            thoughts=self._thoughts,
        )

    def overhead_p99_us(self) -> float:
        """The time that 99 % of the rounds did not exceed beyond the thinking; 0 when nobody was asked."""
        ordered = sorted(self.overheads_us)
        return ordered[len(ordered) * 99 // 100] if ordered else 0.0


def _add_evidence(fault: SeatFault, evidence: Evidence) -> None:
    fault.exit_code = evidence.exit_code
    fault.stderr_tail = evidence.stderr_tail
    if evidence.exit_code:
        fault.detail += f" ({describe_exit(evidence.exit_code)})"


async def _together(work: Iterable[Coroutine[None, None, None]]) -> None:
    """Run coroutines at the same time; the first exception cancels the others and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            for coroutine in work:
                group.create_task(coroutine)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
