"""Messages as text for people; typed observations are shown field by field."""

import pytest

from ballcourt.arena.records.readable import reply_lines, request_lines
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import (
    Action,
    ArenaMessage,
    BotMessage,
    Decide,
    Event,
    MatchEnd,
    Observe,
    Ready,
    SeatResult,
    Termination,
)
from tests.bluff import GAME as BLUFF


def shown(message: ArenaMessage, game: str = "bluff") -> list[str]:
    return list(request_lines(BLUFF if game == "bluff" else find_game(game), message.SerializeToString()))


def answered(data: bytes) -> list[str]:
    return list(reply_lines(BLUFF, data))


def test_a_question_shows_its_clock_legal_actions_and_events() -> None:
    events = [Event(seat=0, action=2), Event(seat=1)]
    decide = Decide(decision_id=4, legal=[1, 3], events=events, bank_ms=900, limit_ms=500)
    first, legal, news, *_ = shown(ArenaMessage(decide=decide))
    assert first == "Decide 4: 500 ms for this decision, 900 ms in the bank"
    assert legal == "  legal: 1 BID_1, 3 BID_3"
    assert news == "  events: seat 0 2 BID_2, seat 1 (hidden)"


def test_an_observation_is_shown_with_its_field_names() -> None:
    game = find_game("tzolkin")
    state = game.initial_state(2, 7)
    observation = Encoder(game.wire()).encode(state, 0)
    lines = shown(ArenaMessage(observe=Observe(observation=observation)), "tzolkin")
    assert lines[:2] == ["Observe", "  observation, a ballcourt.v1.TzolkinObservation:"]
    assert any(line.strip().startswith("players {") for line in lines)


def test_an_undecodable_observation_is_shown_by_its_size() -> None:
    lines = shown(ArenaMessage(observe=Observe(observation=b"\xff\xff")), "tzolkin")
    assert lines[1:] == ["  observation: 2 bytes that are not a ballcourt.v1.TzolkinObservation"]


def test_other_messages_are_shown_as_protobuf_text() -> None:
    end = MatchEnd(match_id="m", results=[SeatResult(placement=1, termination=Termination.TERMINATION_OK)])
    lines = shown(ArenaMessage(match_end=end))
    assert lines[0] == "MatchEnd"
    assert '  match_id: "m"' in lines
    assert "    termination: TERMINATION_OK" in lines
    assert shown(ArenaMessage()) == ["0 bytes that are not an ArenaMessage"]
    assert list(request_lines(BLUFF, b"\xff\xff")) == ["2 bytes that are not an ArenaMessage"]


@pytest.mark.parametrize(
    ("reply", "lines"),
    [
        (
            Action(decision_id=4, action=2, thoughts="why\nnot"),
            ["Action to decision 4: 2 BID_2", "  thoughts: why", "  thoughts: not"],
        ),
        (Action(decision_id=4, action=9), ["Action to decision 4: 9 (no action of bluff)"]),
        (Ready(match_id="m"), ["Ready", '  match_id: "m"']),
    ],
)
def test_a_reply_is_shown_with_the_name_of_its_action(reply: Action | Ready, lines: list[str]) -> None:
    message = BotMessage(action=reply) if isinstance(reply, Action) else BotMessage(ready=reply)
    assert answered(message.SerializeToString()) == lines


def test_an_undecodable_message_is_shown_as_bytes() -> None:
    assert answered(b"\xffGET /") == [r"6 bytes or more that are not a BotMessage: b'\xffGET /'"]
    assert answered(b"\xff" * 100)[0].endswith("'...")
    assert answered(b"") == ["a BotMessage without any field that protocol 1 knows"]
