"""Plays conversations to a bot process and reports where its answers differ."""

import asyncio
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from google.protobuf.json_format import MessageToDict

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.contract.conversation import Conversation, ScriptStep
from ballcourt.arena.faults import BotFault, describe_end, excerpt
from ballcourt.arena.match.stream.session import StreamServer, StreamSession
from ballcourt.arena.processes.handles import LauncherProcess
from ballcourt.arena.processes.starter import Process
from ballcourt.arena.temporary import private_folder

START_S = 60.0
REPLY_S = 10.0
GRACE_S = 4.0  # not an SDK's fault if the machine is loaded
AT_ONCE = 4
"""How many conversations are played at the same time: most of each is the start of a process, and waiting for it."""
TOKEN = "$TOKEN"
"""The placeholder for the token of the process in conversations."""
QUOTED_LINES = 12


@dataclass(frozen=True, slots=True)
class ConversationResult:
    """The result of a conversation; an empty complaint means that the bot kept to it."""

    conversation: Conversation
    complaint: str


async def play_conversations(bot: Bot, conversations: Sequence[Conversation]) -> list[ConversationResult]:
    """Play conversations to a mirror bot, a few at a time, and return the outcome of each."""
    places = asyncio.Semaphore(AT_ONCE)

    async def result(conversation: Conversation) -> ConversationResult:
        async with places:
            return ConversationResult(conversation, await _Play(bot, conversation, launcher).complaint())

    async with LauncherProcess(lambda: None) as launcher:
        return [*await asyncio.gather(*map(result, conversations))]


class _Departure(Exception):
    """The bot did not do what the conversation expects."""


class _HandoverServer(StreamServer):
    """A server that hands over each stream before its first message."""

    def __init__(self, socket: Path) -> None:
        super().__init__([socket])
        self.arrivals: asyncio.Queue[StreamSession] = asyncio.Queue()

    async def shake_hands(self, session: StreamSession) -> bool:
        """Queue the session; the conversation also expects the Hello."""
        self.arrivals.put_nowait(session)
        return True


class _Play:
    """One conversation with one process."""

    def __init__(self, bot: Bot, conversation: Conversation, launcher: LauncherProcess) -> None:
        self._bot = bot
        self._conversation = conversation
        self._launcher = launcher
        self._token = secrets.token_urlsafe(24)
        self._streams: list[StreamSession] = []
        self._refusals: list[asyncio.Task[None]] = []

    async def complaint(self) -> str:
        """Carry out all steps and end the process; return where the bot departed from them, or an empty string."""
        with private_folder() as folder:
            socket = Path(folder) / "arena.sock"
            async with _HandoverServer(socket) as server:
                process = self._launcher.spawn(self._bot, self._environment(str(socket)))
                try:
                    return await self._steps(server, process)
                finally:
                    self._launcher.kill(process)
                    await process.exited
                    await asyncio.gather(*self._refusals)
                    for session in self._streams:
                        session.closed.set()

    def _environment(self, address: str) -> dict[str, str]:
        given = {**self._bot.environment({"BALLCOURT_SOCKET": address}, self._token), **self._conversation.environment}
        return {name: value for name, value in given.items() if value is not None}

    async def _steps(self, server: _HandoverServer, process: Process) -> str:
        for number, step in enumerate(self._conversation.steps, start=1):
            try:
                await self._carry_out(step, server, process)
            except (_Departure, BotFault) as departure:
                return f"step {number}: {departure}{await self._printed(process)}"
        return ""

    async def _carry_out(self, step: ScriptStep, server: _HandoverServer, process: Process) -> None:
        if step.kind == "signal":
            self._launcher.kill(process, GRACE_S)
        elif step.kind == "exit":
            await _expect_exit(process, step)
        else:
            await self._on_stream(step, await self._stream(step.stream, server, process))

    async def _on_stream(self, step: ScriptStep, session: StreamSession) -> None:
        if step.kind == "close":
            session.closed.set()
        elif step.kind == "break":
            await session.abort("the stream is broken to see it resumed")
        elif step.kind == "bot":
            await self._expect(session, step)
        elif step.kind == "closes":
            await _expect_close(session)
        else:
            await session.send(message := step.message())
            if message.HasField("refused"):
                self._refusals.append(asyncio.create_task(_end(session)))

    async def _stream(self, number: int, server: _HandoverServer, process: Process) -> StreamSession:
        """Return a stream of the bot; wait until it is opened."""
        while len(self._streams) <= number:
            arrival = asyncio.create_task(server.arrivals.get())
            await asyncio.wait((arrival, process.exited), timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
            if not arrival.done():
                arrival.cancel()
                raise _Departure(_absence(number, process))
            self._streams.append(arrival.result())
        return self._streams[number]

    async def _expect(self, session: StreamSession, step: ScriptStep) -> None:
        try:
            async with asyncio.timeout(REPLY_S):
                sent = MessageToDict(await session.receive())
        except TimeoutError:
            raise _Departure(f"the bot sent nothing for {REPLY_S:g} s instead of {json.dumps(step.value)}") from None
        expected = json.loads(json.dumps(step.value).replace(TOKEN, self._token))
        if not _agrees(sent, expected):
            raise _Departure(f"the bot sent {json.dumps(sent)} instead of {json.dumps(step.value)}")

    async def _printed(self, process: Process) -> str:
        """End the process and quote what it printed."""
        self._launcher.kill(process)
        end = await process.exited
        return "".join(f"\n| {line}" for line in excerpt(end.failure or end.tail, QUOTED_LINES))


def _absence(number: int, process: Process) -> str:
    """Return why a stream of the bot was not opened."""
    if not process.exited.done():
        return f"the bot did not open stream {number} within {START_S:g} s"
    end = process.exited.result()
    ended = "could not be started" if end.failure else describe_end(end.code)
    return f"the bot {ended} before it opened stream {number}"


async def _end(session: StreamSession) -> None:
    """End the stream of a refused bot as an arena does: after the bot has closed its side, or soon."""
    await session.half_closed()
    session.closed.set()


async def _expect_close(session: StreamSession) -> None:
    """Expect the bot to close its side of the stream, then end the stream with status OK."""
    if not (await session.half_closed(REPLY_S) and await session.is_whole()):
        raise _Departure(
            "the bot did not close its side of the stream after Goodbye and wait for the arena to end it, but broke it "
            f"or left it open for {REPLY_S:g} s; half-close, then read until the status arrives"
        )
    session.closed.set()


async def _expect_exit(process: Process, step: ScriptStep) -> None:
    await asyncio.wait((process.exited,), timeout=REPLY_S)
    if not process.exited.done():
        raise _Departure(f"the bot was still running after {REPLY_S:g} s; it should have exited")
    end = process.exited.result()
    if end.code != step.value:
        raise _Departure(f"the bot {describe_end(end.code)} instead of exit code {step.value}")
    if step.prints not in end.tail:
        raise _Departure(f"the bot did not print '{step.prints}' before it ended")


def _agrees(sent: object, expected: object) -> bool:
    """Return whether `sent` contains everything in `expected`; it may contain more."""
    if isinstance(expected, dict):
        return isinstance(sent, dict) and all(_agrees(sent.get(key), value) for key, value in expected.items())
    return sent == expected
