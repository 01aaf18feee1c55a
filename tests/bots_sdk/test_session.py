"""The SDK without a network: what a bot sees, what it answers, and which mistakes are reported."""

import re
from random import Random

import numpy as np
import pytest
from google.protobuf.struct_pb2 import ListValue

from ballcourt import Bot, Decision, ProtocolError, Refused, Session, UnknownObservation, View
from ballcourt.v1 import protocol_pb2 as wire

MATCH = wire.MatchStart(
    match_id="m", game="bluff", seat=1, seats=2, bot_seed=42, observation_type="google.protobuf.ListValue"
)


class Recorder(Bot):
    """Answers from a script and records what it sees."""

    name = "recorder"
    answer: object = 2
    thoughts = ""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def choose(self, decision: Decision) -> int:
        self.seen.append(decision)
        decision.thoughts = self.thoughts
        return self.answer  # type: ignore[return-value]

    def match_started(self) -> None:
        self.seen.append("started")

    def observed(self, view: View) -> None:
        self.seen.append(view)

    def match_ended(self, end: wire.MatchEnd) -> None:
        self.seen.append(end)


def started(bot: Bot) -> Session:
    session = Session(bot)
    reply = session.handle(wire.ArenaMessage(match_start=MATCH))
    assert reply == wire.BotMessage(ready=wire.Ready(match_id="m"))
    return session


def test_a_reply_says_whether_the_bot_chose_itself() -> None:
    class Unsure(Bot):
        def choose(self, decision: Decision) -> int:
            decision.fallback = decision.rejected != ""
            return 2

    session = started(Unsure())
    replies = [session.handle(asked(rejected=reason)) for reason in ("", "no")]
    assert [reply and reply.action.fallback for reply in replies] == [False, True]


def asked(**fields: object) -> wire.ArenaMessage:
    return wire.ArenaMessage(decide=wire.Decide(decision_id=7, legal=[1, 2, 3], **fields))  # type: ignore[arg-type]


def test_hello_names_the_bot_and_its_protocol_version() -> None:
    bot = Recorder()
    bot.version, bot.games, bot.observes, bot.work_limited = "3", ("bluff",), True, True
    hello = Session(bot).hello("token").hello
    assert (hello.token, hello.protocol_min, hello.protocol_max) == ("token", 1, 1)
    assert (hello.bot.name, hello.bot.version) == ("recorder", "3")
    assert [support.game for support in hello.games] == ["bluff"]
    assert hello.capabilities.observe
    assert hello.capabilities.work_limited


def test_a_decision_has_observation_legal_actions_events_and_clock() -> None:
    bot = Recorder()
    observation = ListValue()
    observation.append(5)
    message = asked(
        observation=observation.SerializeToString(), events=[wire.Event(seat=0, action=3)], bank_ms=60, limit_ms=9
    )
    reply = started(bot).handle(message)
    assert reply == wire.BotMessage(action=wire.Action(decision_id=7, action=2))
    decision = bot.seen[-1]
    assert isinstance(decision, Decision)
    assert (decision.observation[0], decision.legal, decision.bank_ms, decision.limit_ms) == (5, [1, 2, 3], 60, 9)
    assert [(event.seat, event.action) for event in decision.events] == [(0, 3)]
    assert decision.match.seat == 1


def test_the_random_numbers_of_a_bot_are_seeded_for_every_match() -> None:
    bot = Recorder()
    session = started(bot)
    first = bot.random.random()
    session.handle(wire.ArenaMessage(match_start=MATCH))
    assert bot.random.random() == first == Random(42).random()


def test_thoughts_are_sent_with_the_action_and_truncated_between_characters() -> None:
    bot = Recorder()
    bot.thoughts = "x" + "é" * 3000
    reply = started(bot).handle(asked())
    assert reply is not None
    assert reply.action.thoughts == "x" + "é" * 2047


def test_an_observing_bot_sees_the_actions_of_others_and_owes_no_answer() -> None:
    bot = Recorder()
    reply = started(bot).handle(wire.ArenaMessage(observe=wire.Observe(events=[wire.Event(seat=0, action=1)])))
    assert reply is None
    assert isinstance(bot.seen[-1], View)


def test_the_bot_gets_the_results_at_the_end_of_a_match() -> None:
    bot = Recorder()
    end = wire.MatchEnd(match_id="m", results=[wire.SeatResult(placement=2), wire.SeatResult(placement=1)])
    assert started(bot).handle(wire.ArenaMessage(match_end=end)) is None
    assert bot.seen == ["started", end]


def test_goodbye_ends_the_session() -> None:
    session = Session(Recorder())
    session.handle(wire.ArenaMessage(welcome=wire.Welcome(protocol=1)))
    assert not session.ended
    session.handle(wire.ArenaMessage(goodbye=wire.Goodbye()))
    assert session.ended


def test_a_message_of_a_later_protocol_is_ignored() -> None:
    assert Session(Recorder()).handle(wire.ArenaMessage.FromString(b"\xfa\x01\x00")) is None


def test_a_refusal_carries_the_arenas_reason() -> None:
    with pytest.raises(Refused, match=r"^no game bluff here$"):
        Session(Recorder()).handle(wire.ArenaMessage(refused=wire.Refused(reason="no game bluff here")))


@pytest.mark.parametrize("message", [asked(), wire.ArenaMessage(match_end=wire.MatchEnd())])
def test_a_match_that_never_started_cannot_continue(message: wire.ArenaMessage) -> None:
    with pytest.raises(ProtocolError, match="before its MatchStart"):
        Session(Recorder()).handle(message)


@pytest.mark.parametrize("answer", [np.int64(2), np.uint8(2), np.array(2), 2])
def test_a_whole_number_of_any_library_is_an_answer(answer: object) -> None:
    bot = Recorder()
    bot.answer = answer
    reply = started(bot).handle(asked())
    assert reply and reply.action.action == 2


@pytest.mark.parametrize("answer", [None, "2", 1.0, -1, 2**32, np.float64(2), np.int64(-1), True, np.True_])
def test_an_answer_that_is_not_an_action_is_reported(answer: object) -> None:
    bot = Recorder()
    bot.answer = answer
    shown = f"choose returned {answer!r} ({type(answer).__name__}); return one of the numbers in decision.legal"
    with pytest.raises(TypeError, match=re.escape(shown)):
        started(bot).handle(asked())


def test_a_bot_without_choose_is_refused_with_advice() -> None:
    with pytest.raises(NotImplementedError, match=r"Bot must define choose\(self, decision\)"):
        started(Bot()).handle(asked())


def test_missing_generated_code_is_reported_only_when_the_observation_is_read() -> None:
    match = wire.MatchStart(game="go", observation_type="go.v1.Board")
    decision = Decision(match, wire.Decide(legal=[1, 2]))
    with pytest.raises(UnknownObservation, match=r"'go\.v1\.Board', the observation of the game 'go'"):
        _ = decision.observation


def welcomed(session: Session, name: str, received: int = 0, reconnect_ms: int = 500) -> wire.BotMessage | None:
    """Start a stream; return the reply that the bot repeats on it."""
    welcome = wire.Welcome(protocol=1, session=name, received=received, reconnect_ms=reconnect_ms)
    return session.handle(wire.ArenaMessage(welcome=welcome))


def resuming(session: Session) -> tuple[str, int]:
    """Return the session and the count that the bot would resume with on another stream."""
    hello = session.hello("token").hello
    return hello.session, hello.received


def test_a_session_is_resumed_with_the_count_of_received_messages() -> None:
    session = Session(Recorder())
    assert resuming(session) == ("", 0)
    assert welcomed(session, "s") is None
    assert session.resumable
    for message in (wire.ArenaMessage(match_start=MATCH), asked(), wire.ArenaMessage(observe=wire.Observe())):
        session.handle(message)
    assert resuming(session) == ("s", 3)


def test_a_lost_reply_is_sent_again_without_asking_the_bot() -> None:
    bot = Recorder()
    session = Session(bot)
    welcomed(session, "s")
    session.handle(wire.ArenaMessage(match_start=MATCH))
    reply = session.handle(asked())
    assert welcomed(session, "s", received=1) == reply
    assert welcomed(session, "s", received=2) is None
    assert sum(isinstance(seen, Decision) for seen in bot.seen) == 1


def test_a_session_with_another_id_starts_from_the_beginning() -> None:
    session = Session(Recorder())
    welcomed(session, "s")
    session.handle(wire.ArenaMessage(match_start=MATCH))
    assert welcomed(session, "t") is None
    assert resuming(session) == ("t", 0)
    with pytest.raises(ProtocolError, match="before its MatchStart"):
        session.handle(asked())


def test_a_bot_does_not_reconnect_to_an_arena_that_does_not_wait() -> None:
    session = Session(Recorder())
    welcomed(session, "", reconnect_ms=0)
    assert not session.resumable
