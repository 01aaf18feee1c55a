"""The questions rebuilt from a record, compared with the messages sent to bots during the match."""

import asyncio

import pytest

from ballcourt import Bot, Decision
from ballcourt.arena.debug.questions import asked, conversation
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.match.policy import FaultPolicy, parse_policy
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.records.store import RecordError
from ballcourt.bots.sdk.python.session import Session
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage
from ballcourt.v1.record_pb2 import MatchRecord
from tests.bots.honest import Lowest, Random


class Wiretap(Session):
    """A session that keeps the bytes of all messages to its bot in a match."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot)
        self.heard: list[bytes] = []

    def handle(self, message: ArenaMessage) -> BotMessage | None:
        if message.WhichOneof("message") != "welcome":
            self.heard.append(_anonymous(message))
        return super().handle(message)


class Cheat(Random):
    """Gives an illegal answer to its third question."""

    count = 0

    def choose(self, decision: Decision) -> int:
        self.count += 1
        return 999 if self.count == 3 else super().choose(decision)


def _anonymous(message: ArenaMessage) -> bytes:
    """Serialize a message without the random id of its match."""
    copy = ArenaMessage.FromString(message.SerializeToString())
    if copy.HasField("match_start"):
        copy.match_start.match_id = ""
    if copy.HasField("match_end"):
        copy.match_end.match_id = ""
    return copy.SerializeToString(deterministic=True)


def played(game: str, *bots: Bot, policy: FaultPolicy | None = None) -> tuple[MatchRecord, list[Wiretap]]:
    lines = [Wiretap(bot) for bot in bots]
    return play_in_process(game, lines, seed=3, policy=policy), lines


@pytest.mark.parametrize("game", ["bluff", "tzolkin"])
def test_a_rebuilt_conversation_equals_the_original_byte_for_byte(game: str) -> None:
    record, lines = played(game, Random(), Lowest(), Random())  # Random asks for pushes
    for seat, line in enumerate(lines):
        messages = asyncio.run(conversation(record, seat, observes=line.bot.observes))
        assert [_anonymous(message) for message in messages] == line.heard


def test_a_conversation_ends_where_the_seat_was_vacated_and_continues_for_the_others() -> None:
    record, lines = played("tzolkin", Cheat(), Lowest())
    assert record.faults[0].decision > 0
    for seat, line in enumerate(lines):
        messages = asyncio.run(conversation(record, seat, observes=line.bot.observes))
        assert [_anonymous(message) for message in messages] == line.heard


def test_forced_decisions_are_not_questions_and_the_last_question_of_a_vacated_seat_has_no_answer() -> None:
    record, lines = played("tzolkin", Cheat(), Lowest())
    cheated, honest = asked(record)
    assert [entry.answer is None for entry in cheated] == [False, False, True]
    assert cheated[-1].number >= record.faults[0].decision
    questions = [data for data in lines[1].heard if ArenaMessage.FromString(data).HasField("decide")]
    assert len(honest) == len(questions) < list(record.decisions.seats).count(1)
    assert [entry.answer.action for entry in honest if entry.answer] == [
        record.decisions.actions[entry.number] for entry in honest
    ]


def test_a_bot_that_counts_its_work_is_granted_the_same_amount_again() -> None:
    class Counting(Lowest):
        work_limited = True

    lines = [Wiretap(Counting()), Wiretap(Lowest())]
    record = play_in_process("bluff", lines, clock=Clock(work=50))
    for seat, line in enumerate(lines):
        messages = asyncio.run(conversation(record, seat))
        assert [_anonymous(message) for message in messages] == line.heard
        assert messages[0].match_start.clock.work == (50, 0)[seat]


def test_a_record_with_an_invalid_clock_is_refused() -> None:
    record, _ = played("bluff", Lowest())
    record.clock.bank_ms = 0
    with pytest.raises(RecordError, match="cannot be played again: bank_ms is 0; it must be a whole number"):
        asyncio.run(conversation(record, 0))


@pytest.mark.parametrize("remedy", ["retry 9", "substitute 9"])
def test_a_tolerated_fault_is_replayed_with_its_think_time(remedy: str) -> None:
    class Stubborn(Random):
        """Gives an illegal answer to a fifth of its questions."""

        def choose(self, decision: Decision) -> int:
            return 999 if self.random.random() < 0.2 else super().choose(decision)

    record, lines = played("bluff", Stubborn(), Lowest(), policy=parse_policy({"illegal": remedy}))
    assert record.tolerated
    for seat, line in enumerate(lines):
        messages = asyncio.run(conversation(record, seat, observes=line.bot.observes))
        assert [_anonymous(message) for message in messages] == line.heard
    rejected = [entry for entry in asked(record)[0] if entry.fault]
    assert [entry.number for entry in rejected] == [fault.decision for fault in record.tolerated]
