"""A bot that dialled in: a session that outlives its streams, and the seat it plays.

Either side counts the messages it has received. When a stream breaks and the bot comes back in time, each tells the
other its count, and each sends again what the other lacks. The clocks go on meanwhile.
"""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable
from typing import Final

from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.handshake import welcome
from ballcourt.arena.match.seats import Evidence, Seat
from ballcourt.arena.match.session import StreamSession
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.transcript import Transcript
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Goodbye, Hello, Termination

KEPT: Final = 1024
"""So many messages that a bot may have missed are kept for it; only one that never decides is sent more."""
REMEMBERED: Final = 32
"""So many matches are remembered for which a Ready may come late."""
LEAVE_S: Final = 2.0
MOST_UNREAD: Final = 128
"""So many messages of a bot may wait for being read."""


class RemoteSession:
    """A conversation with a remote bot, over one stream after another.

    Each stream is read and written by tasks of its own: gRPC does not survive that a match which is broken off, or a
    watchdog, breaks off a read or a write.
    """

    def __init__(self, hello: Hello, reconnect_ms: int, tell: Callable[[str], None]) -> None:
        """`tell` is called with "broken" when a stream breaks and with "left" when the bot is lost."""
        self.id = secrets.token_urlsafe(16)
        self.hello = hello
        self.asked = 0
        self.transcript = Transcript()
        self.patient = True
        self.received = 0
        """How many messages of the bot have come so far."""
        self.lost = False
        """Whether the bot left, or did not come back in time."""
        self._reconnect_ms = reconnect_ms
        self._tell = tell
        self._sent = 0
        self._matches: deque[str] = deque(maxlen=REMEMBERED)  # ids, the one being played last
        self._kept: deque[ArenaMessage] = deque(maxlen=KEPT)  # what the bot may not have received
        self._inbox: deque[BotMessage | BotFault] = deque()  # its last entry is where reading ended, if it is a fault
        self._news = asyncio.Event()
        self._due = asyncio.Event()
        self._stream: StreamSession | None = None
        self._tasks: list[asyncio.Task[None]] = []  # the reader and the writer of the stream
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def is_attached(self) -> bool:
        """Whether there is a stream to the bot now."""
        return self._stream is not None

    def can_resume(self, received: int) -> bool:
        """Whether everything that a bot with so many of our messages lacks is still here."""
        return not self.lost and self._sent - len(self._kept) <= received <= self._sent

    def can_begin_anew(self, hello: Hello) -> bool:
        """Whether a bot with this Hello is the one that is gone, started again, and missed nothing it could miss.

        It is when it says the same as before, as long as it has said no more than that.
        """
        is_free = not self.is_attached and self.received == 0 and self.can_resume(0)
        return is_free and hello.session != self.id and _introduction(hello) == _introduction(self.hello)

    def attach(self, stream: StreamSession, received: int = 0) -> None:
        """Go on over a stream, in place of any other: with Welcome, and what a bot with so many messages lacks."""
        self.detach()
        if self._expiry:
            self._expiry.cancel()
        self._stream = stream
        first = welcome(self.id, self.received, self._reconnect_ms)
        self._tasks = [
            asyncio.create_task(self._read(stream)),
            asyncio.create_task(self._write(stream, first, received)),
        ]

    def detach(self) -> None:
        """Be without a stream, until the bot comes back or its time to do so is over."""
        stream, self._stream = self._stream, None
        if stream is None:
            return
        stream.closed.set()
        for task in self._tasks:
            task.cancel()
        self._expiry = asyncio.get_running_loop().call_later(self._reconnect_ms / 1000, self._lose)
        if not self.lost:
            self._tell("broken")

    async def send(self, message: ArenaMessage) -> None:
        """Have a message written, now or when the bot is back; so this never waits."""
        if message.HasField("match_start"):
            self._matches.append(message.match_start.match_id)
        self.transcript.sent(message.SerializeToString())
        self._put(message)

    async def receive(self) -> BotMessage:
        """Wait for a message. Raises BotFault when the bot is lost, or for a message that is none."""
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
        message = self._inbox.popleft()
        assert isinstance(message, BotMessage), "faults are raised above"
        return message

    def _is_belated(self, message: BotMessage) -> bool:
        """Whether it is the Ready of a match that began without the bot, which has been called to another since."""
        return message.HasField("ready") and message.ready.match_id in [*self._matches][:-1]

    async def farewell(self, reason: str) -> None:
        """Say Goodbye; the bot is not waited for any more, but has a moment to end its side of the stream.

        If ours ended first, gRPC would throw away what a bot that is thinking has not read yet: the Goodbye.
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
            f"the bot's stream broke and it did not come back within {self._reconnect_ms} ms",
        )

    def _note(self, message: BotMessage) -> None:
        self.transcript.received(message.SerializeToString())
        if message.WhichOneof("message") == "ready" or message.action.decision_id >= self.asked:
            self._kept.clear()  # it answers what was sent last

    async def _read(self, stream: StreamSession) -> None:
        """Take messages as they come."""
        try:
            while not self._take(await stream.receive()):
                pass
        except BotFault as fault:
            if fault.termination != Termination.TERMINATION_CRASH:
                self._inbox.append(fault)
                await self.farewell(fault.sentence)
        if stream is self._stream:
            self.detach()

    async def _write(self, stream: StreamSession, first: ArenaMessage, position: int) -> None:
        """Write a first message, then the others as they come, from the one at a position on; Goodbye is the last."""
        with contextlib.suppress(BotFault):  # that the stream is broken is noticed where it is read
            await stream.send(first)
            while True:
                position = max(position, self._sent - len(self._kept))  # what was answered before it came is not due
                if position == self._sent:
                    self._due.clear()
                    await self._due.wait()
                    continue
                message = self._kept[position - self._sent]
                position += 1
                await stream.send(message)
                if message.HasField("goodbye"):
                    return

    def _take(self, message: BotMessage) -> bool:
        """Keep a message until it is asked for; True for the last one. Raises BotFault for one too many."""
        self.received += 1
        if self.lost:  # nobody will ask
            return False
        if len(self._inbox) >= MOST_UNREAD:
            raise BotFault(
                Termination.TERMINATION_PROTOCOL_ERROR, f"the bot sent {MOST_UNREAD} messages nobody asked for"
            )
        self._inbox.append(message)
        self._news.set()
        if is_last := message.HasField("goodbye"):
            self._lose()
        return is_last

    def _lose(self) -> None:
        if not self.lost:
            self.lost = True
            self._news.set()
            self._tell("left")


def _introduction(hello: Hello) -> Hello:
    """What a bot says of itself, the same whenever it is started."""
    said = Hello()
    said.CopyFrom(hello)
    said.ClearField("session")
    said.ClearField("received")
    return said


class RemoteSeat(Seat):
    """A seat played by a bot from outside. It has no process here that could be looked at or frozen."""

    def __init__(self, session: RemoteSession, clock: Clock) -> None:
        super().__init__(clock)
        self._remote = session

    async def connect(self) -> RemoteSession:
        """The bot has said Hello long ago."""
        return self._remote

    async def vacate(self, cause: Termination) -> Evidence:
        """End the session of a bot that does not keep to the protocol; one that is slow or wrong may play again."""
        if cause == Termination.TERMINATION_PROTOCOL_ERROR:
            await self._remote.farewell("the bot broke the protocol; the record of the match says how")
        return Evidence()

    def release(self, *, finished: bool) -> None:
        """The lobby takes the session back."""
