"""One session over a gRPC stream: which steps wait for a write, and which do not."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, cast

import grpc.aio
import pytest

from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.stream.session import StreamSession
from ballcourt.v1.protocol_pb2 import Action, ArenaMessage, BotMessage, Decide


class Stream:
    """A stream whose writes end when the test says so."""

    def __init__(self) -> None:
        self.written: list[int] = []
        self.writes: list[asyncio.Future[None]] = []

    async def write(self, data: bytes) -> None:
        self.written.append(ArenaMessage.FromString(data).decide.decision_id)
        self.writes.append(asyncio.get_running_loop().create_future())
        await self.writes[-1]

    async def read(self) -> bytes:
        return BotMessage(action=Action(decision_id=self.written[-1])).SerializeToString()


def over(act: Callable[[StreamSession, Stream], Coroutine[Any, Any, None]]) -> None:
    stream = Stream()
    asyncio.run(act(StreamSession(cast("Any", stream)), stream))


def question(number: int) -> ArenaMessage:
    return ArenaMessage(decide=Decide(decision_id=number))


def test_an_answer_is_read_before_the_question_is_known_to_be_written() -> None:
    async def act(session: StreamSession, stream: Stream) -> None:
        await session.begin(question(1))
        assert (await session.receive()).action.decision_id == 1
        assert not stream.writes[0].done()

    over(act)


def test_a_message_waits_until_the_one_before_is_written() -> None:
    async def act(session: StreamSession, stream: Stream) -> None:
        await session.begin(question(1))
        second = asyncio.create_task(session.send(question(2)))
        await asyncio.sleep(0)
        assert stream.written == [1]
        stream.writes[0].set_result(None)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert stream.written == [1, 2]
        assert not second.done()
        stream.writes[1].set_result(None)
        await second

    over(act)


def test_a_write_that_failed_meanwhile_is_a_broken_stream_for_the_next() -> None:
    async def act(session: StreamSession, stream: Stream) -> None:
        await session.begin(question(1))
        stream.writes[0].set_exception(grpc.aio.InternalError("the peer is gone"))
        with pytest.raises(BotFault, match="stream ended"):
            await session.begin(question(2))

    over(act)
