"""The rules as a service for bots in other languages: `python -I -m ballcourt.bots.sdk.python.rules`.

A bot starts it, so it runs in the sandbox of the bot, within its limits and on its account. It draws positions from
what the bot sends it, the observation of its own seat, and knows nothing else of the match. rules.proto has the
messages.
"""

import struct
import sys
from typing import BinaryIO, Final

from google.protobuf.message import DecodeError

from ballcourt.engine.core import Game, Observation, State, Stream
from ballcourt.engine.core.playout import decisions, playout
from ballcourt.engine.errors import EngineError
from ballcourt.engine.registry import find_game
from ballcourt.v1.rules_pb2 import RulesAnswer, RulesCall, RulesReply, RulesRequest

LENGTH: Final = struct.Struct("<I")
TO_THE_END: Final = 10_000
"""Decisions that no match has, so that a playout of more need not be counted."""


class UnknownPosition(EngineError):
    """No position is kept under this number."""


class Rules:
    """The positions of a bot since its last observation."""

    def __init__(self) -> None:
        self._seen: tuple[Game, Observation] | None = None
        self._kept: dict[int, State] = {}

    def reply(self, request: RulesRequest) -> RulesReply:
        """Carry out the calls of a request. What is wrong with it, or with a call, is said in its answer."""
        reply = RulesReply()
        try:
            if request.observation:
                self._look(request.game, request.observation)
            if self._seen is None:
                raise UnknownPosition("there is no observation yet; the first request must have one")
        except EngineError as error:
            reply.refused = str(error)
            return reply
        for call in request.calls:
            self._answer(call, reply.answers.add(), *self._seen)
        return reply

    def _look(self, name: str, observation: bytes) -> None:
        self._kept.clear()
        self._seen = None
        game = find_game(name)
        self._seen = game, game.wire().decode(observation)

    def _answer(self, call: RulesCall, answer: RulesAnswer, game: Game, observation: Observation) -> None:
        chance = Stream(call.seed)
        try:
            state = self._start(call.position, game, observation, chance)
            for action in call.actions:
                state.apply(_next(state, observation.seat), action)
        except EngineError as error:
            answer.refused = str(error)
            return
        limit = call.playout
        if limit:
            answer.decisions = _played(state, chance, limit)
        _describe(state, answer, observation.seat, judged=limit > 0)
        if call.keep:
            self._kept[call.keep] = state

    def _start(self, number: int, game: Game, observation: Observation, chance: Stream) -> State:
        if not number:
            return game.sample(observation, chance)
        if number not in self._kept:
            raise UnknownPosition(f"no position is kept as {number}; a new observation forgets those before it")
        return self._kept[number].clone()


def _next(state: State, own: int) -> int:
    """Return the seat that acts next: the bot's own if it is asked, else the first that is. Raises UnknownPosition."""
    pending = state.pending_seats()
    if not pending:
        raise UnknownPosition("the match is over; no action can be carried out")
    return own if own in pending else pending[0]


def _played(state: State, chance: Stream, limit: int) -> int:
    """Play a position on at random; return the number of decisions."""
    if limit >= TO_THE_END:
        return playout(state, chance.choice)
    return sum(1 for _ in decisions(state, chance.choice, limit=limit))


def _describe(state: State, answer: RulesAnswer, own: int, *, judged: bool) -> None:
    pending = state.pending_seats()
    if pending:
        answer.seats.extend(pending)
        answer.legal.extend(state.legal_actions(own if own in pending else pending[0]))
    if judged or not pending:
        answer.scores.extend(state.scores())
        answer.returns.extend(state.returns())


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until the input ends. Raises DecodeError for bytes that are not a request."""
    rules = Rules()
    while len(head := requests.read(LENGTH.size)) == LENGTH.size:
        (size,) = LENGTH.unpack(head)
        data = rules.reply(RulesRequest.FromString(requests.read(size))).SerializeToString()
        replies.write(LENGTH.pack(len(data)) + data)
        replies.flush()


def main() -> None:
    """Serve the process that started this one."""
    replies, sys.stdout = sys.stdout.buffer, sys.stderr  # what a game prints must not stand between replies
    try:
        serve(sys.stdin.buffer, replies)
    except BrokenPipeError:
        pass  # the bot has ended
    except DecodeError as error:
        sys.exit(f"the rules were sent bytes that are not a RulesRequest: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
