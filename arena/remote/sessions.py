"""A remote bot: a session that outlives its streams, and the seat that it plays.

Both sides count the messages they have received. When a stream breaks and the bot reconnects in time, they exchange
their counts, and each sends the messages that the other lacks. Clocks keep running meanwhile.
"""

import asyncio
import contextlib
import math
import secrets
from collections import deque
from collections.abc import Callable
from typing import Final

from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.seats import Evidence, Seat
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.stream.handshake import welcome
from ballcourt.arena.match.stream.session import StreamSession, parsed
from ballcourt.arena.match.stream.transcript import Transcript
from ballcourt.arena.remote.visitors import Pulse
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Goodbye, Hello, Termination

KEEPALIVE_S: Final = 10.0
"""How often the arena pings a silent connection, and how long it waits for the answer."""
SILENT_S: Final = 1.5 * KEEPALIVE_S
"""A bot gets no further match while its connection has been silent for longer."""
LONGEST_FAREWELL_S: Final = 60.0
"""How long the SDKs dial again; the longest wait for a bot that only needs a Goodbye."""
KEPT: Final = 1024
"""How many messages that a bot may have missed are kept; only a bot that never decides is sent more."""
REMEMBERED: Final = 32
"""How many matches are remembered whose Ready may still arrive."""
LEAVE_S: Final = 2.0
MOST_UNREAD: Final = 128
"""How many messages of a bot may be unread."""
MOST_UNREAD_BYTES: Final = 256 * 1024
"""And how many bytes of them. They are kept unparsed, because a parsed message may be a hundred times larger."""


class RemoteSession:
    """A conversation with a remote bot, over one stream after another.

    Each stream has its own reading and writing task, because gRPC cannot go on with a stream after a match or a
    watchdog cancels a read or write.
    """

    def __init__(self, hello: Hello, reconnect_ms: int, report: Callable[[str], None]) -> None:
        """Call `report` with what happens to the connection.

        "broken": the stream broke; "left": the bot is lost; "silent": it gives no sign of life; "heard": it does again.
        """
        self.id = secrets.token_urlsafe(16)
        self.hello = hello
        self.asked = 0
        self.transcript = Transcript()
        self.patient = True
        self.received = 0
        """How many messages of the bot have arrived."""
        self.lost = False
        """Whether the bot left, or did not reconnect in time."""
        self._gone = asyncio.Event()
        self._dismissed = False
        self._pulse = Pulse()
        self._doubted_s = -math.inf
        self._is_awaited = False
        self._reconnect_ms = reconnect_ms
        self._report = report
        self._sent = 0
        self._written = 0  # how many of them the stream was given
        self._matches: deque[str] = deque(maxlen=REMEMBERED)  # ids, the one being played last
        self._kept: deque[ArenaMessage] = deque(maxlen=KEPT)  # what the bot may not have received
        self._unread_bytes = 0
        self._inbox: deque[bytes | BotFault] = deque()  # if reading ended with a fault, that is the last entry
        self._news = asyncio.Event()
        self._due = asyncio.Event()
        self._stream: StreamSession | None = None
        self._tasks: list[asyncio.Task[None]] = []  # the reader and the writer of the stream
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def is_attached(self) -> bool:
        """Whether there is a stream to the bot."""
        return self._stream is not None

    def can_resume(self, received: int) -> bool:
        """Whether all messages after the first `received` are still kept."""
        return not self.lost and self._sent - len(self._kept) <= received <= self._sent

    def can_restart(self, hello: Hello) -> bool:
        """Whether this Hello is the disconnected bot restarted, with no message lost.

        It is if it introduces itself as before, and the bot sent nothing else before it disconnected.
        """
        is_free = not self.is_attached and self.received == 0 and self.can_resume(0)
        return is_free and hello.session != self.id and _introduction(hello) == _introduction(self.hello)

    def answers(self) -> bool:
        """Return whether the bot is connected and gives signs of life, so that it can start a match.

        A bot that was late answers again when anything has come from it since.
        """
        if not self.is_attached:
            return False
        if self._pulse.last_s > self._doubted_s and self._pulse.silent_s() < SILENT_S:
            return True
        if not self._is_awaited:
            self._is_awaited = True
            self._pulse.call_at_next(self._heard)
            asyncio.get_running_loop().call_soon(self._report, "silent")
        return False

    def doubt(self) -> None:
        """Expect a sign of life before the next match: the bot was late."""
        self._doubted_s = self._pulse.last_s

    def _heard(self) -> None:
        self._is_awaited = False
        if self.is_attached:
            self._report("heard")

    def attach(self, stream: StreamSession, received: int = 0, pulse: Pulse | None = None) -> None:
        """Continue over a new stream: send Welcome, then all messages after the first `received`.

        `pulse` is that of the stream's connection.
        """
        self.detach()
        self._pulse, self._doubted_s, self._is_awaited = pulse or Pulse(), -math.inf, False
        if self._expiry:
            self._expiry.cancel()
        self._stream, self._written = stream, received
        first = welcome(self.id, self.received, self._reconnect_ms)
        self._tasks = [
            asyncio.create_task(self._read(stream)),
            asyncio.create_task(self._write(stream, first)),
        ]

    def detach(self) -> None:
        """Drop the stream; the bot is lost unless it reconnects in time."""
        stream, self._stream = self._stream, None
        if stream is None:
            return
        stream.closed.set()
        for task in self._tasks:
            task.cancel()
        self._expiry = asyncio.get_running_loop().call_later(self._reconnect_ms / 1000, self._lose)
        if not self.lost:
            self._report("broken")

    async def send(self, message: ArenaMessage) -> None:
        """Queue a message, to be written now or when the bot has reconnected. Never waits."""
        if message.HasField("match_start"):
            self._matches.append(message.match_start.match_id)
        self.transcript.sent(message.SerializeToString())
        self._put(message)

    begin = send

    async def receive(self) -> BotMessage:
        """Wait for a message. Raises BotFault if the bot is lost or its message is malformed."""
        while self._is_belated(message := await self._next()):
            pass
        self._note(message)
        return message

    async def _next(self) -> BotMessage:
        while not self._inbox:
            if self.lost:
                raise self._left()
            self._news.clear()
            await self._news.wait()
        if isinstance(self._inbox[0], BotFault):
            raise self._inbox[0]
        data = self._inbox.popleft()
        assert isinstance(data, bytes), "faults are raised above"
        self._unread_bytes -= len(data)
        return parsed(data)

    def _is_belated(self, message: BotMessage) -> bool:
        """Whether the message is a Ready for an earlier match, which began without the bot."""
        return message.HasField("ready") and message.ready.match_id in [*self._matches][:-1]

    async def dismiss(self, reason: str) -> None:
        """Say Goodbye, on every stream until the bot has closed its side of one, or has not dialled again in time."""
        self._dismissed = True
        self._put(ArenaMessage(goodbye=Goodbye(reason=reason)))
        if stream := self._stream:
            await asyncio.wait(self._tasks, timeout=LEAVE_S)
            if stream is self._stream:
                self.detach()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(self._reconnect_ms / 1000, LONGEST_FAREWELL_S)):
                await self._gone.wait()

    async def farewell(self, reason: str) -> None:
        """Say Goodbye, and give the bot a moment to close its side of the stream.

        If our side closed first, gRPC would discard what the bot has not read yet, including the Goodbye.
        """
        self._lose()
        if stream := self._stream:
            self._put(ArenaMessage(goodbye=Goodbye(reason=reason)))
            await asyncio.wait([task for task in self._tasks if task is not asyncio.current_task()], timeout=LEAVE_S)
            stream.closed.set()

    def _put(self, message: ArenaMessage) -> None:
        self._sent += 1
        self._kept.append(message)
        self._due.set()

    def _left(self) -> BotFault:
        return BotFault(
            Termination.TERMINATION_CRASH,
            f"the bot's stream broke and the bot did not reconnect within {self._reconnect_ms} ms",
        )

    def _note(self, message: BotMessage) -> None:
        self.transcript.received(message.SerializeToString())
        if message.WhichOneof("message") == "ready" or message.action.decision_id >= self.asked:
            while self._sent - len(self._kept) < self._written:  # an answer means that these arrived
                self._kept.popleft()

    async def _read(self, stream: StreamSession) -> None:
        """Read messages until the stream ends."""
        try:
            while not self._take(await stream.receive_bytes()):
                pass
        except BotFault as fault:
            if fault.termination != Termination.TERMINATION_CRASH:
                self._inbox.append(fault)
                await self.farewell(fault.sentence)
        if self._dismissed and await stream.is_whole():
            self._lose()
        if stream is self._stream:
            self.detach()

    async def _write(self, stream: StreamSession, first: ArenaMessage) -> None:
        """Write a first message, then all that are not written, as they are queued; Goodbye is the last."""
        with contextlib.suppress(BotFault):  # the reading task notices that the stream is broken
            await stream.send(first)
            while True:
                self._written = max(self._written, self._sent - len(self._kept))  # only the last KEPT are kept
                if self._written == self._sent:
                    self._due.clear()
                    await self._due.wait()
                    continue
                message = self._kept[self._written - self._sent]
                self._written += 1
                await stream.send(message)
                if message.HasField("goodbye"):
                    return

    def _take(self, data: bytes) -> bool:
        """Add a message to the inbox; return whether it is the last.

        Raises BotFault if it is malformed or the inbox is full.
        """
        self.received += 1
        if self.lost:  # nothing reads it
            return False
        is_last = parsed(data).HasField("goodbye")
        self._unread_bytes += len(data)
        if len(self._inbox) >= MOST_UNREAD or self._unread_bytes > MOST_UNREAD_BYTES:
            most = f"{MOST_UNREAD} messages or {MOST_UNREAD_BYTES} bytes"
            raise BotFault(Termination.TERMINATION_PROTOCOL_ERROR, f"the bot sent more than {most} unsolicited")
        self._inbox.append(data)
        self._news.set()
        if is_last:
            self._lose()
        return is_last

    def _lose(self) -> None:
        if not self.lost:
            self.lost = True
            self._gone.set()
            self._news.set()
            self._report("left")


def _introduction(hello: Hello) -> Hello:
    """Return the part of a Hello that is the same whenever the bot is started."""
    copy = Hello()
    copy.CopyFrom(hello)
    copy.ClearField("session")
    copy.ClearField("received")
    return copy


class RemoteSeat(Seat):
    """A seat played by a remote bot. It has no process here to measure or freeze."""

    def __init__(self, session: RemoteSession, clock: Clock) -> None:
        super().__init__(clock)
        self._remote = session

    async def connect(self) -> RemoteSession:
        """Return the session; the bot has already sent Hello."""
        return self._remote

    async def vacate(self, cause: Termination) -> Evidence:
        """End the session of a bot that broke the protocol; after other faults it may play again."""
        if cause == Termination.TERMINATION_TIMEOUT:
            self._remote.doubt()
        if cause == Termination.TERMINATION_PROTOCOL_ERROR:
            await self._remote.farewell("the bot broke the protocol; the record of the match says how")
        return Evidence()

    def release(self, *, finished: bool) -> None:
        """Do nothing: the registry takes the session back."""
