"""Questions to ask a bot again, taken from a match record or a fault bundle."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from google.protobuf.message import DecodeError

from ballcourt.arena.debug.questions import RecordedQuestion, asked, conversation
from ballcourt.arena.records.bundle import FAULT, read_bundle
from ballcourt.arena.records.decisions import decided_by
from ballcourt.arena.records.readable import read_request
from ballcourt.arena.records.replay import opening
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Decide, MatchEnd, MatchStart
from ballcourt.v1.record_pb2 import MatchRecord, SeatFault


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the messages before it in the match, and the recorded answer."""

    title: str
    start: MatchStart
    before: Sequence[tuple[ArenaMessage, int | None]]
    """The earlier messages: questions with their recorded answers, and pushes with None."""
    question: Decide
    answer: int | None
    """The recorded answer; None when there was none."""
    fault: str = ""
    """The fault of the bot at this question; empty when there was none."""
    end: MatchEnd | None = None
    """How the match ended, as it was sent to the bot; None if it was not."""


class CaseSource(ABC):
    """A source of one question."""

    game: Game

    @abstractmethod
    async def case(self, *, observes: bool) -> Case:
        """Return the question as a case. `observes` says whether the bot asked for a push after every decision."""


class FromRecord(CaseSource):
    """A decision of a match record. Raises RecordError when no bot was asked for it, or the rules differ."""

    def __init__(self, record: MatchRecord, number: int) -> None:
        self.game, _ = opening(record)
        self._record = record
        self._number = number
        self._seat = _seat_asked(record, number)

    async def case(self, *, observes: bool) -> Case:
        """Rebuild the question by replaying the match. Raises RecordError when the record contradicts itself."""
        seat, record = self._seat, self._record
        start, *sent = await conversation(record, seat, observes=observes)
        before: list[tuple[ArenaMessage, int | None]] = []
        entries = iter(asked(record)[seat])
        for message in sent:
            entry = next(entries) if message.HasField("decide") else None
            if entry and entry.number == self._number:
                fault = entry.fault.sentence if entry.fault else ""
                end = sent[-1].match_end if sent[-1].HasField("match_end") else None
                return Case(self._title(), start.match_start, before, message.decide, _action(entry), fault, end)
            before.append((message, _action(entry) if entry else None))
        raise RecordError(f"match {record.key} contradicts itself: its replay does not reach decision {self._number}")

    def _title(self) -> str:
        entrant, seats = self._record.entrants[self._seat], len(self._record.entrants)
        return (
            f"match {self._record.key} of {self.game.name}, decision {self._number}: "
            f"seat {self._seat} of {seats}, {entrant.name} {entrant.version}"
        )


class FromBundle(CaseSource):
    """The last question to a bot that lost its seat, from a fault bundle.

    Raises RecordError when the bundle contains no question, or one of other rules.
    """

    def __init__(self, fault: SeatFault) -> None:
        self._requests = [read_request(exchange.request) for exchange in fault.last]
        numbers = [number for number, request in enumerate(self._requests) if request.HasField("decide")]
        if not numbers:
            raise RecordError("this bundle contains no question that could be asked again; see its README.txt")
        self._start = start = self._requests[0].match_start
        self._last = numbers[-1]
        self._fault = fault
        self.game = find_game(start.game)
        if start.rules_version != self.game.rules_version:
            raise RecordError(
                f"the bundle is of rules version {start.rules_version} of {start.game}; "
                f"installed is {self.game.rules_version}"
            )

    async def case(self, *, observes: bool) -> Case:
        """Return the messages as they were sent; `observes` makes no difference."""
        start, fault = self._start, self._fault
        before = [(self._requests[number], _answered(fault, number)) for number in range(1, self._last)]
        title = f"the last question before a seat was lost in {start.game}: seat {start.seat} of {start.seats}"
        if fault.left_out:
            title += (
                f"; {fault.left_out} earlier messages are not in the bundle, but they are in the record of the match"
            )
        question = self._requests[self._last].decide
        return Case(title, start, before, question, _answered(fault, self._last), fault.detail)


def find_question(target: str) -> CaseSource:
    """Return the question of RECORD@DECISION or of a bundle's folder. Raises RecordError or UnknownGame."""
    if (Path(target) / FAULT).exists():
        return FromBundle(read_bundle(Path(target)))
    path, _, number = target.rpartition("@")
    if not path or not number.isdecimal():
        raise RecordError(
            f"'{target}' does not name a decision; give RECORD@DECISION, such as {path or target}@0, "
            "or the folder of a fault bundle"
        )
    return FromRecord(read_record(Path(path)), int(number))


def _seat_asked(record: MatchRecord, number: int) -> int:
    """Return the seat whose bot was asked for a decision. Raises RecordError when none was."""
    count = len(record.decisions.seats)
    if number >= count:
        raise RecordError(f"match {record.key} has decisions 0 to {count - 1}, not {number}; {_overview(record)}")
    seat: int = record.decisions.seats[number]
    numbers = [entry.number for entry in asked(record)[seat]]
    if number in numbers:
        return seat
    if decided_by(record, number) == "nobody":
        raise RecordError(
            f"at decision {number} of match {record.key} the bot of seat {seat} had lost its seat; "
            f"the last it was asked for is {numbers[-1] if numbers else 'none'}"
        )
    if decided_by(record, number) == "record":
        raise RecordError(
            f"decision {number} was taken over from match {record.branched_from.key}; debug that one, or a decision "
            f"from {record.branched_from.decision} on"
        )
    near = sorted(sorted(numbers, key=lambda other: abs(other - number))[:4])
    raise RecordError(
        f"decision {number} of match {record.key} had a single legal action, so no bot was asked; "
        f"near it seat {seat} was asked for {', '.join(map(str, near)) or 'none'}"
    )


def _overview(record: MatchRecord) -> str:
    spans = [
        f"seat {seat} was asked {len(entries)} times"
        + (f" from {entries[0].number} to {entries[-1].number}" if entries else "")
        for seat, entries in enumerate(asked(record))
    ]
    return ", ".join(spans)


def _action(entry: RecordedQuestion) -> int | None:
    return entry.answer.action if entry.answer else None


def _answered(fault: SeatFault, number: int) -> int | None:
    """Return the answer among the replies to a request; None if there is none."""
    for data in fault.last[number].replies:
        try:
            reply = BotMessage.FromString(data)
        except DecodeError:
            continue
        if reply.HasField("action"):
            return reply.action.action
    return None
