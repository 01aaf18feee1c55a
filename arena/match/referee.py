"""The referee of one match: asks the seats, keeps the clocks, applies the actions and makes the record.

A bot at fault loses its seat, unless the fault policy tolerates the fault. From then on the referee plays the seat's
lowest legal action, so that the match counts for the others.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter_ns
from typing import TypeVar

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.faults import ArenaError, BotFault, Unjudged
from ballcourt.arena.match.circumstances import host, now, rules_package
from ballcourt.arena.match.log import Log
from ballcourt.arena.match.policy import Tolerated
from ballcourt.arena.match.seats import Answer, Evidence, Seat
from ballcourt.arena.match.spec import ARENA, Bank, MatchSpec
from ballcourt.arena.records.placements import rival_results, seat_results
from ballcourt.arena.records.remedy import Remedy
from ballcourt.engine.core import Game, public_part
from ballcourt.engine.core.chance import bot_seed
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.v1.protocol_pb2 import ArenaMessage, Event, MatchEnd, MatchStart, Observe, SeatResult, Termination
from ballcourt.v1.record_pb2 import DecidedBy, FaultPolicy, MatchRecord, Origin, SeatFault, ToleratedFault
from ballcourt.v1.record_pb2 import Entrant as RecordedEntrant

T = TypeVar("T")

Onlooker = Callable[[int, int], None]
"""Called with every decision once it is applied: the seat and the action. Must be quick and raise nothing."""


async def play_match(game: Game, spec: MatchSpec, seats: Sequence[Seat]) -> MatchRecord:
    """Play a match to its end; return its record. Raises ArenaError if the arena or the rules fail."""
    return await Match(game, spec, seats).play()


class Match:
    """A match in progress."""

    def __init__(self, game: Game, spec: MatchSpec, seats: Sequence[Seat], onlooker: Onlooker | None = None) -> None:
        """Set up the table. Raises InvalidOption, and ArenaError if there are not as many seats as entrants."""
        if len(seats) != len(spec.entrants):
            raise ArenaError(f"{len(spec.entrants)} entrants need as many seats, not {len(seats)}")
        options = game.check(len(seats), spec.options)
        self.game = game
        self.onlooker = onlooker
        self.spec = spec
        self.seats = seats
        self.options = options
        self.match_id = secrets.token_hex(8)  # random, so it reveals nothing about the tournament or the opponents
        with _blaming_the_arena(game, spec):
            self.state = game.initial_state(len(seats), spec.seed, options)
        self.wire = game.wire()
        self.encoder = Encoder(self.wire)
        self.banks = [Bank(spec.clock_of(seat)) for seat in range(len(seats))]
        self.work = [0] * len(seats)
        self.events: list[list[Event]] = [[] for _ in seats]  # per seat, since its last message
        self.faults: dict[int, SeatFault] = {}  # in the order the seats were vacated
        self.tolerated: list[ToleratedFault] = []
        self.policy = Tolerated(spec.policy)
        for seat in seats:
            seat.patient = spec.policy.timeout.times > 0
        self.autopsies: dict[int, asyncio.Task[Evidence]] = {}
        self.observers: list[int] = []
        self.pending: list[int] = []
        self.waits_ns: list[int] = []  # for the answers of this round
        self.rows = self.state.to_rows()
        self.log = Log(self.rows)
        self.started = now()
        self.origin: Origin | None = None

    async def play(self) -> MatchRecord:
        """Play to the end and return the record. Raises ArenaError if the arena or the rules fail."""
        with _blaming_the_arena(self.game, self.spec):
            return await self._play()

    def resume(self, begun: MatchRecord) -> None:
        """Continue a match of the same seed and options from what `so_far` or `branch` returned. Call it before `play`.

        The first question to each seat comes with all events since the opening. Raises IllegalAction if a decision
        cannot be executed.
        """
        decisions = begun.decisions
        rows = zip(decisions.seats, decisions.actions, decisions.think_us, decisions.decided_by, strict=True)
        for number, (seat, action, think_us, by) in enumerate(rows):
            evaluation = decisions.evaluations.get(number)
            self._apply(seat, Answer(action, think_us, decisions.thoughts.get(number, ""), by, evaluation))
        self.faults = {fault.seat: fault for fault in begun.faults}
        self.tolerated += begun.tolerated
        self.policy = Tolerated(self.spec.policy, begun.tolerated)
        self.started = begun.started or self.started
        self.origin = begun.branched_from if begun.HasField("branched_from") else None

    def so_far(self) -> MatchRecord:
        """Return the record of an unfinished match, which has no results."""
        return self._record([])

    async def _play(self) -> MatchRecord:
        await _together(self._start(seat) for seat in self._seated())
        for seat in self._seated():
            self.work[seat] = self.seats[seat].work
            self.banks[seat] = Bank(self.spec.clock_of(seat), runs=not self.work[seat])
        for seat, think_us in self.log.times():  # of a match that was resumed
            self.banks[seat].spend(think_us)
        self.observers = [seat for seat in self._seated() if self.seats[seat].observes]
        while pending := self.state.pending_seats():
            await self._round(pending)
        for seat in self._seated():
            self._check_share(seat)
        for seat, autopsy in self.autopsies.items():
            (await autopsy).add_to(self.faults[seat])
        results = seat_results(self.state, self._vacated())
        await _together(self._finish(seat, results) for seat in self._seated())
        return self._record(results)

    def _seated(self) -> list[int]:
        """List the seats that are not vacated."""
        return [seat for seat in range(len(self.seats)) if seat not in self.faults]

    def _record(self, results: list[SeatResult]) -> MatchRecord:
        return MatchRecord(
            key=self.spec.key,
            game=self.game.name,
            rules_version=self.game.rules_version,
            options=self.options,
            seed=self.spec.seed,
            entrants=[_recorded(entrant) for entrant in self.spec.entrants],
            clock=self.spec.clock.to_message(),
            seat_clocks=[clock.to_message() for clock in self.spec.seat_clocks],
            arena=ARENA,
            decisions=self.log.decisions(),
            results=results,
            rivals=rival_results(self.state, self._vacated()) if results else (),
            faults=self.faults.values(),
            opening_hash=self.log.opening_hash,
            overhead_p50_us=self.log.overhead_us(50),
            overhead_p99_us=self.log.overhead_us(99),
            dropped=[seat.dropped for seat in self.seats],
            work=self.work if any(self.work) else (),
            cpu_us=[max(0, seat.cpu_us()) for seat in self.seats],
            fault_policy=FaultPolicy(**self.spec.policy.table()),
            tolerated=self.tolerated,
            started=self.started,
            host=host(),
            rules_package=rules_package(self.game),
            remote=[seat for seat, entrant in enumerate(self.spec.entrants) if entrant.remote],
            branched_from=self.origin,
            after=self.spec.after,
        )

    def _vacated(self) -> dict[int, tuple[int, Termination]]:
        return {seat: (fault.decision, fault.termination) for seat, fault in self.faults.items()}

    async def _start(self, seat: int) -> None:
        start = MatchStart(
            match_id=self.match_id,
            game=self.game.name,
            rules_version=self.game.rules_version,
            options=self.options,
            seat=seat,
            seats=len(self.seats),
            clock=self.spec.clock_of(seat).to_message(),
            bot_seed=bot_seed(self.spec.seed, seat),
            observation_type=self.wire.observation_type,
        )
        while True:
            try:
                return await self.seats[seat].start(start)
            except BotFault as fault:
                failed = fault.termination == Termination.TERMINATION_FAILED_TO_START
                if not failed or self._remedy(seat, fault, 0) is Remedy.FORFEIT:
                    return self._vacate(seat, fault)
                await self.seats[seat].vacate(fault.termination)
            except Unjudged as error:
                error.seat = seat
                raise

    async def _finish(self, seat: int, results: list[SeatResult]) -> None:
        """Send a seat the results, and the position that its last decision led to."""
        end = MatchEnd(
            match_id=self.match_id, results=results, observation=self._observation(seat), events=self._news(seat)
        )
        try:
            await self.seats[seat].finish(end)
        except (BotFault, Unjudged):  # it has played all its decisions: its result stands
            await self.seats[seat].vacate(Termination.TERMINATION_CRASH)

    async def _round(self, pending: list[int]) -> None:
        """Ask all pending seats at the same time; apply their actions in seat order."""
        began, faults = perf_counter_ns(), len(self.faults) + len(self.tolerated)
        self.pending = pending
        self.waits_ns.clear()
        if len(pending) == 1:  # the common case needs no task
            answers = [await self._answer(pending[0])]
        else:
            answers = await _together(self._answer_and_rest(seat) for seat in pending)
        for seat, answer in zip(pending, answers, strict=True):
            self._apply(seat, answer)
        if self.observers:
            await _together(self._observe(seat) for seat in self.observers if pending != [seat])
        if self.waits_ns and faults == len(self.faults) + len(self.tolerated):
            self.log.overheads_us.append((perf_counter_ns() - began - max(self.waits_ns)) / 1000)
        elif self.faults:
            await asyncio.sleep(0)  # there may be no bot left to wait for; let other matches of this loop run

    async def _answer_and_rest(self, seat: int) -> Answer:
        answer = await self._answer(seat)
        if seat not in self.faults:
            self.seats[seat].freeze()  # while the others think
        return answer

    async def _answer(self, seat: int, spent_us: int = 0, rejected: str = "") -> Answer:
        """Ask a seat; forced and vacated seats are answered for. `spent_us`: time used by rejected attempts."""
        legal = self.state.legal_actions(seat)
        if len(legal) == 1:
            return Answer(legal[0], decided_by=DecidedBy.DECIDED_BY_RULES)
        if seat in self.faults:
            return Answer(legal[0], decided_by=DecidedBy.DECIDED_BY_NOBODY)
        self._freeze_the_others()
        try:
            if self.banks[seat].is_overdrawn:
                raise BotFault(Termination.TERMINATION_TIMEOUT, "the bot did not answer in time: its bank is overdrawn")
            answer = await self.seats[seat].decide(self._question(seat, legal, spent_us, rejected), self.log.bot_thinks)
            self.waits_ns.append(self.seats[seat].waited_ns)
            if answer.action not in legal:
                raise self._illegal(answer, legal)
            self._check_fallback(seat, answer)
        except BotFault as fault:
            return await self._remedied(seat, legal[0], fault, spent_us + fault.think_us)
        except Unjudged as error:
            error.seat = seat
            raise
        self.banks[seat].spend(spent_us + answer.think_us)
        return answer._replace(think_us=spent_us + answer.think_us) if spent_us else answer

    def _freeze_the_others(self) -> None:
        """Freeze the seats that are not asked. A seat that is asked several times in a row keeps running in between."""
        for seat, other in enumerate(self.seats):
            if seat not in self.pending and seat not in self.faults:
                other.freeze()

    async def _remedied(self, seat: int, lowest: int, fault: BotFault, spent_us: int) -> Answer:
        """Return an answer after a fault, as the policy says; the bank pays for every attempt."""
        number = len(self.log.actions) + self.state.pending_seats().index(seat)
        match self._remedy(seat, fault, number):
            case Remedy.RETRY:
                return await self._answer(seat, spent_us, fault.sentence)
            case Remedy.SUBSTITUTE:
                self.banks[seat].spend(spent_us)
                return Answer(lowest, decided_by=DecidedBy.DECIDED_BY_SUBSTITUTE)
            case _:
                self._vacate(seat, fault)
                return Answer(lowest, decided_by=DecidedBy.DECIDED_BY_NOBODY)

    def _remedy(self, seat: int, fault: BotFault, decision: int) -> Remedy:
        """Decide what is done about a fault; record it if it is tolerated."""
        remedy = self.policy.remedy(seat, fault.termination)
        if remedy is not Remedy.FORFEIT:
            tolerated = ToleratedFault(
                seat=seat,
                decision=decision,
                termination=fault.termination,
                detail=fault.sentence,
                remedy=remedy,
                think_us=fault.think_us,
            )
            self.tolerated.append(tolerated)
        return remedy

    def _question(self, seat: int, legal: list[int], spent_us: int = 0, rejected: str = "") -> ArenaMessage:
        message = ArenaMessage()
        decide = message.decide
        decide.observation = self._observation(seat)
        decide.legal.extend(legal)
        decide.events.extend(self._news(seat))
        decide.bank_ms = self.banks[seat].left_ms
        decide.limit_ms = self.banks[seat].limit_ms()
        if rejected:
            decide.rejected = rejected
            decide.bank_ms = max(0, decide.bank_ms - spent_us // 1000)
            decide.limit_ms = max(0, decide.limit_ms - spent_us // 1000)
        return message

    def _illegal(self, answer: Answer, legal: list[int]) -> BotFault:
        names, action = self.game.action_names, answer.action
        allowed = ", ".join(f"{option} {names[option]}" for option in legal)
        name = names[action] if action < len(names) else "no action of this game"
        return BotFault(
            Termination.TERMINATION_ILLEGAL,
            f"the bot answered with action {action} ({name}); legal were {allowed}",
            answer.think_us,
        )

    def _check_fallback(self, seat: int, answer: Answer) -> None:
        """Raise BotFault if a bot says once more than is accepted that it did not choose its action itself."""
        accepted, before = self.spec.policy.fallback, self.log.fallbacks[seat]
        if accepted is None or accepted.percent:
            return
        if answer.decided_by == DecidedBy.DECIDED_BY_FALLBACK and before >= accepted.times:
            raise BotFault(
                Termination.TERMINATION_FALLBACK,
                f"the bot did not choose {before + 1} of its actions itself; a match accepts {accepted.times} of them",
                answer.think_us,
            )

    def _check_share(self, seat: int) -> None:
        """Vacate a seat, now that the game is over, if more of its decisions were fallbacks than is accepted."""
        accepted, fell_back, answered = self.spec.policy.fallback, self.log.fallbacks[seat], self.log.answered[seat]
        if accepted and accepted.percent and 100 * fell_back > accepted.percent * answered:
            what = f"the bot did not choose {fell_back} of its {answered} actions itself"
            sentence = f"{what}; a match accepts {accepted.percent}% of them"
            self._vacate(seat, BotFault(Termination.TERMINATION_FALLBACK, sentence))

    def _apply(self, seat: int, answer: Answer) -> None:
        if len(self.log.actions) >= self.game.max_decisions:
            raise ArenaError(
                f"{self.game.name} did not end within its own limit of {self.game.max_decisions} decisions"
            )
        self.state.apply(seat, answer.action)
        self.rows = self.state.to_rows()
        self.log.add(self.rows, seat, answer)
        self._notify(Event(seat=seat, action=answer.action))
        if self.onlooker:
            self.onlooker(seat, answer.action)

    def _notify(self, event: Event) -> None:
        """Queue an event for every bot, until its next question or push."""
        for observer, news in enumerate(self.events):
            if observer not in self.faults:
                seen = self.state.seen_action(event.seat, event.action, observer)
                news.append(event if seen == event.action else Event(seat=event.seat, action=seen))

    def _observation(self, seat: int) -> bytes:
        return self.encoder.encode(self.state, seat, public_part(self.rows))

    async def _observe(self, seat: int) -> None:
        if seat in self.faults:
            return
        push = Observe(observation=self._observation(seat), events=self._news(seat))
        try:
            self.banks[seat].pay(await self.seats[seat].observe(push))
        except BotFault as fault:
            self._vacate(seat, fault)
        except Unjudged as error:
            error.seat = seat
            raise

    def _news(self, seat: int) -> list[Event]:
        news = self.events[seat]
        self.events[seat] = []
        return news

    def _vacate(self, seat: int, fault: BotFault) -> None:
        self.faults[seat] = SeatFault(
            seat=seat,
            decision=len(self.log.actions),
            termination=fault.termination,
            detail=fault.sentence,
            last=self.seats[seat].exchanges(),
            left_out=self.seats[seat].left_out(),
        )
        self.events[seat] = []
        autopsy = self.autopsies[seat] = asyncio.create_task(self.seats[seat].vacate(fault.termination))
        autopsy.add_done_callback(lambda task: task.cancelled() or task.exception())  # it may never be awaited


def _recorded(entrant: Entrant) -> RecordedEntrant:
    return RecordedEntrant(
        name=entrant.bot.name,
        version=entrant.bot.version,
        content_hash=entrant.bot.content_hash,
        author=entrant.author,
        bot=entrant.own_name,
        owner=entrant.owner,
    )


@contextmanager
def _blaming_the_arena(game: Game, spec: MatchSpec) -> Iterator[None]:
    """Turn any exception into an ArenaError: no bot is at fault."""
    try:
        yield
    except ArenaError:
        raise
    except Exception as error:
        raise ArenaError(f"match {spec.key} of {game.name} broke off: {type(error).__name__}: {error}") from error


async def _together(work: Iterable[Coroutine[None, None, T]]) -> list[T]:
    """Run coroutines at the same time; the first exception cancels the others and is raised unwrapped."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine) for coroutine in work]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]
