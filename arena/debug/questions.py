"""The exact questions of a recorded match, rebuilt by replaying it with the referee and the recorded answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.policy import parse_policy
from ballcourt.arena.match.referee import Match
from ballcourt.arena.match.scripted_seats import ScriptedSeat
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.records.branches import decisions_before
from ballcourt.arena.records.decisions import decided_by
from ballcourt.arena.records.replay import opening, positions, wrong_decider
from ballcourt.arena.records.store import RecordError
from ballcourt.v1.protocol_pb2 import ArenaMessage, Decide, Termination
from ballcourt.v1.record_pb2 import Entrant as RecordedEntrant
from ballcourt.v1.record_pb2 import MatchRecord


@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """A question to a bot: the index of its decision in the match, and its answer or fault."""

    number: int
    answer: Answer | None = None
    fault: BotFault | None = None


def asked(record: MatchRecord) -> list[list[RecordedQuestion]]:
    """List the questions to the bot of each seat; a retried decision has several, one without a choice has none.

    Raises RecordError when the record cannot be executed here.
    """
    decisions = record.decisions
    found: list[list[RecordedQuestion]] = [[] for _ in record.entrants]
    lost: set[int] = set()
    for number, (seat, state) in enumerate(zip(decisions.seats, positions(record), strict=False)):  # and the end
        by = decided_by(record, number)
        if wrong := wrong_decider(record, state, number):
            raise RecordError(f"match {record.key} is damaged at decision {number}: {wrong}")
        if by == "rules" or seat in lost:
            continue
        found[seat] += _tolerated(record, seat, number)
        if by == "nobody":
            found[seat].append(_lost(record, seat, number))
            lost.add(seat)
        elif by in ("bot", "fallback"):
            spent_us = sum(entry.fault.think_us for entry in found[seat] if entry.fault and entry.number == number)
            think_us = decisions.think_us[number] - spent_us
            answer = Answer(decisions.actions[number], think_us, decided_by=decisions.decided_by[number])
            found[seat].append(RecordedQuestion(number, answer))
    return found


async def conversation(record: MatchRecord, seat: int, *, observes: bool = False) -> list[ArenaMessage]:
    """Return all messages to the bot of a seat in order, exactly as they were sent except for the random match id.

    The ids of questions also differ if its stream had carried other matches before. `observes` says whether the bot
    asked for pushes, which is not recorded. Raises RecordError when the record cannot be executed here.
    """
    game, _ = opening(record)
    works = [*record.work, *(0 for _ in record.entrants)]
    seats = [
        ScriptedSeat(_recorded(entries), observes=observes and number == seat, work=work)
        for number, (entries, work) in enumerate(zip(asked(record), works, strict=False))
    ]
    match = Match(game, _spec(record), seats)
    match.resume(MatchRecord(decisions=decisions_before(record, record.branched_from.decision)))
    await match.play()
    return seats[seat].sent


def _recorded(entries: Sequence[RecordedQuestion]) -> Callable[[Decide], Answer]:
    following = iter(entries)

    def choose(_: Decide) -> Answer:
        entry = next(following)
        if entry.answer is None:
            assert entry.fault, "it is one or the other"
            raise entry.fault
        return entry.answer

    return choose


def _tolerated(record: MatchRecord, seat: int, number: int) -> list[RecordedQuestion]:
    return [
        RecordedQuestion(number, fault=BotFault(fault.termination, fault.detail, fault.think_us))
        for fault in record.tolerated
        if (fault.seat, fault.decision) == (seat, number)
        and fault.termination != Termination.TERMINATION_FAILED_TO_START
    ]


def _lost(record: MatchRecord, seat: int, number: int) -> RecordedQuestion:
    """Return the question at which a seat was vacated: the first without an answer. Raises RecordError."""
    for fault in record.faults:
        if fault.seat == seat:
            return RecordedQuestion(number, fault=BotFault(fault.termination, fault.detail))
    raise RecordError(f"match {record.key} is damaged: no one made decision {number}, but seat {seat} was not lost")


def _spec(record: MatchRecord) -> MatchSpec:
    entrants = tuple(_entrant(entrant) for entrant in record.entrants)
    try:
        clock = Clock.from_message(record.clock)
        clocks = tuple(map(Clock.from_message, record.seat_clocks))
        policy = parse_policy({entry.name: text for entry, text in record.fault_policy.ListFields()})
    except ValueError as error:
        raise RecordError(f"match {record.key} cannot be played again: {error}") from error
    return MatchSpec(record.key, record.game, dict(record.options), record.seed, entrants, clock, policy, clocks)


def _entrant(entrant: RecordedEntrant) -> Entrant:
    bot = BotVersion(entrant.name, entrant.version, entrant.content_hash)
    return Entrant(bot, entrant.author, own_name=entrant.bot, owner=entrant.owner)
