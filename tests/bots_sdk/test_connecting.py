"""`connect`: a bot of a script or a notebook plays in an arena elsewhere."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ballcourt import Bot, Decision, Refused, connect
from ballcourt.v1 import protocol_pb2 as wire
from tests.bots_sdk.arena_double import Script, Stream, serving_remotely


class Last(Bot):
    """Chooses the highest legal action."""

    name, version = "last", "7"

    def choose(self, decision: Decision) -> int:
        return decision.legal[-1]


def connected(script: Script, **options: Any) -> None:  # noqa: ANN401
    """Connect to a scripted arena, from a thread beside its loop."""

    async def main() -> None:
        async with serving_remotely(script) as address:
            await asyncio.to_thread(lambda: connect(Last, address, insecure=True, **options))

    asyncio.run(main())


def test_a_bot_plays_until_goodbye_with_the_token_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    received: list[wire.BotMessage] = []

    async def arena(stream: Stream) -> None:
        received.append(await stream.read())
        await stream.write(wire.ArenaMessage(welcome=wire.Welcome(protocol=1)))
        await stream.write(wire.ArenaMessage(match_start=wire.MatchStart(match_id="a", game="bluff", seats=2)))
        received.append(await stream.read())
        await stream.write(wire.ArenaMessage(decide=wire.Decide(decision_id=5, legal=[1, 2, 3])))
        received.append(await stream.read())
        await stream.write(wire.ArenaMessage(goodbye=wire.Goodbye()))
        await stream.read()

    (tmp_path / "mine.token").write_text("a-token\n")
    connected(arena, token_file=tmp_path / "mine.token")
    hello = received[0].hello
    assert (hello.token, hello.bot.name, hello.bot.version) == ("a-token", "last", "7")
    assert received[2].action.action == 3
    assert "last dials in to the arena at 127.0.0.1:" in capsys.readouterr().err


def test_a_refusal_reaches_the_caller() -> None:
    async def arena(stream: Stream) -> None:
        await stream.read()
        await stream.write(wire.ArenaMessage(refused=wire.Refused(reason="no seat for you")))

    with pytest.raises(Refused, match="no seat for you"):
        connected(arena, token="t")


def test_it_works_where_a_loop_is_running_as_in_a_notebook() -> None:
    async def arena(stream: Stream) -> None:
        await stream.read()
        await stream.write(wire.ArenaMessage(refused=wire.Refused(reason="heard")))

    async def notebook() -> None:
        async with serving_remotely(arena) as address:
            # the server shares the loop that `connect` blocks, so it is asked from a loop of its own
            def cell() -> None:
                async def running() -> None:
                    connect(Last, address, token="t", insecure=True)

                asyncio.run(running())

            await asyncio.to_thread(cell)

    with pytest.raises(Refused, match="heard"):
        asyncio.run(notebook())


@pytest.mark.parametrize(
    ("address", "options", "sentence"),
    [
        ("arena", {}, "^address is 'arena'; it must be HOST:PORT"),
        ("arena.example.org:1", {"insecure": True}, "^insecure is True and address is 'arena.*: leave insecure out"),
        ("localhost:1", {"ca": "none.pem"}, "^ca is 'none.pem'; it must be the path of a readable PEM file"),
        ("localhost:1", {}, "the token is empty; give token, or token_file"),
        ("localhost:1", {"token_file": "none"}, "^token_file is 'none', which cannot be read"),
        ("localhost:1", {"token_file": "/dev/null"}, "^token_file is '/dev/null'; it must hold one line, the token"),
    ],
)
def test_wrong_arguments_are_explained(address: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        connect(Last, address, **options)


def test_an_arena_that_is_not_there_is_told() -> None:
    with pytest.raises(ConnectionError, match=r"no connection to the arena at 127\.0\.0\.1:1:"):
        connect(Last, "127.0.0.1:1", token="t", insecure=True)
