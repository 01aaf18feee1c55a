"""The rules as a service for bots in other languages."""

import io
from itertools import count

import pytest

from ballcourt.bots.sdk.python.rules import LENGTH, TO_THE_END, Rules, serve
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.registry import find_game, games
from ballcourt.v1.rules_pb2 import RulesAnswer, RulesCall, RulesReply, RulesRequest
from tests.bluff.installed import bluff_installed

MAYA = find_game("maya")


def position(game: Game, steps: int = 12) -> State:
    """Return a position after some first-legal decisions."""
    state = game.initial_state(game.seat_counts[-1], 3)
    for _ in decisions(state, min, limit=steps):
        pass
    return state


def request(game: Game, state: State, *calls: RulesCall) -> RulesRequest:
    observation = Encoder(game.wire()).encode(state, state.pending_seats()[0])
    return RulesRequest(game=game.name, observation=observation, calls=calls)


def answered(rules: Rules, *calls: RulesCall) -> list[RulesAnswer]:
    reply = rules.reply(RulesRequest(calls=calls))
    assert reply.refused == ""
    return [*reply.answers]


def rules_of(game: Game, state: State) -> Rules:
    rules = Rules()
    assert rules.reply(request(game, state)) == RulesReply()
    return rules


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_a_sample_asks_the_same_question_and_knows_no_more_than_the_observation(game: Game) -> None:
    state = position(game)
    seat = state.pending_seats()[0]
    rules = rules_of(game, state)
    for seed in range(4):
        (answer,) = answered(rules, RulesCall(seed=seed, keep=1))
        assert list(answer.legal) == state.legal_actions(seat)
        assert list(answer.seats) == state.pending_seats()
        assert observe(rules._kept[1], seat) == observe(state, seat)
    assert len({str(rules_of(game, state).reply(request(game, state, _drawn(seed)))) for seed in range(8)}) > 1


def _drawn(seed: int) -> RulesCall:
    return RulesCall(seed=seed, playout=TO_THE_END)


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_a_chain_of_calls_leads_where_its_actions_lead_at_once(game: Game) -> None:
    rules = rules_of(game, position(game))
    (root,) = answered(rules, RulesCall(seed=5, keep=1))
    path: list[int] = []
    answer, numbers = root, count(2)
    for _ in range(6):
        action = answer.legal[-1]
        path.append(action)
        (answer,) = answered(rules, RulesCall(position=next(numbers) - 1, actions=[action], keep=len(path) + 1))
    assert answered(rules, RulesCall(position=1, actions=path)) == [answer]
    assert answered(rules, RulesCall(seed=5, actions=path)) == [answer]
    assert answered(rules, RulesCall(position=1)) == [root], "a kept position never changes"


def test_where_several_seats_are_asked_the_bots_own_acts_first() -> None:
    with bluff_installed():
        bluff = find_game("bluff")
        state = bluff.initial_state(3, 1)
        last = state.pending_seats()[-1]
        assert last != state.pending_seats()[0]
        rules = Rules()
        rules.reply(RulesRequest(game="bluff", observation=Encoder(bluff.wire()).encode(state, last)))
        before, after = answered(rules, RulesCall(), RulesCall(actions=[state.legal_actions(last)[0]]))
    assert list(before.seats) == [0, 1, 2]
    assert list(after.seats) == [0, 1]


def test_a_playout_ends_the_match_or_after_a_number_of_decisions() -> None:
    rules = rules_of(MAYA, position(MAYA))
    whole, again, other, short = answered(
        rules,
        _drawn(1),
        _drawn(1),
        _drawn(2),
        RulesCall(seed=1, playout=3),
    )
    assert whole == again != other
    assert list(whole.seats) == list(whole.legal) == []
    assert len(whole.returns) == len(whole.scores) == 4
    assert abs(sum(whole.returns)) < 1e-9
    assert (short.decisions, len(short.returns)) == (3, 4)
    assert short.legal
    assert not answered(rules, RulesCall())[0].scores, "they cost time and nothing was played"


def test_a_call_that_cannot_be_carried_out_says_why_and_the_others_are_carried_out() -> None:
    rules = rules_of(MAYA, position(MAYA))
    illegal, unknown, over, good = answered(
        rules,
        RulesCall(actions=[9999]),
        RulesCall(position=7),
        RulesCall(position=8, actions=[1]),
        RulesCall(),
    )
    assert "action 9999 of seat" in illegal.refused
    assert unknown.refused.startswith("no position is kept as 7")
    assert over.refused
    assert good.legal
    (ended,) = answered(rules, RulesCall(playout=TO_THE_END, keep=8))
    assert not ended.refused
    assert answered(rules, RulesCall(position=8, actions=[1]))[0].refused.startswith("the match is over")


def test_a_new_observation_forgets_what_was_kept() -> None:
    rules = rules_of(MAYA, position(MAYA))
    answered(rules, RulesCall(keep=1))
    assert not answered(rules, RulesCall(position=1))[0].refused
    rules.reply(request(MAYA, position(MAYA, 14)))
    assert answered(rules, RulesCall(position=1))[0].refused


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (RulesRequest(calls=[RulesCall()]), "there is no observation yet"),
        (RulesRequest(game="go", observation=b"x"), "there is no game 'go'"),
        (RulesRequest(game="maya", observation=b"\xff"), "not an observation of maya"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_in_a_sentence(asked: RulesRequest, sentence: str) -> None:
    rules = rules_of(MAYA, position(MAYA)) if asked.observation else Rules()
    assert sentence in rules.reply(asked).refused
    assert rules.reply(RulesRequest()).refused, "what was seen before does not count any more"


def test_requests_are_read_and_answered_one_after_the_other() -> None:
    first, second = request(MAYA, position(MAYA), RulesCall()), RulesRequest(calls=[RulesCall(), RulesCall()])
    written = io.BytesIO()
    serve(io.BytesIO(b"".join(map(_framed, (first, second)))), written)
    replies, data = [], written.getvalue()
    while data:
        (size,) = LENGTH.unpack(data[: LENGTH.size])
        replies.append(RulesReply.FromString(data[LENGTH.size : LENGTH.size + size]))
        data = data[LENGTH.size + size :]
    assert [len(reply.answers) for reply in replies] == [1, 2]


def _framed(message: RulesRequest) -> bytes:
    data = message.SerializeToString()
    return LENGTH.pack(len(data)) + data
