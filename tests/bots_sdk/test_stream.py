"""The SDK as a process: what a bot does over a real stream, and how it ends."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest

from ballcourt.v1 import protocol_pb2 as wire
from tests.arena.conftest import PATIENCE_S, bounded
from tests.bots_sdk.arena_double import TOKEN, Script, Stream, serving, spawn

LAST = """
from ballcourt import Bot, run

class Last(Bot):
    version = "7"

    def choose(self, decision):
        return decision.legal[-1]

if __name__ == "__main__":
    run(Last)
"""


def ended(source: str, folder: Path, script: Script) -> tuple[int, str]:
    """Run a bot against a scripted arena; return its exit code and what it wrote."""

    async def main() -> tuple[int, str]:
        async with serving(script) as socket:
            process = await spawn(source, folder, socket)
            _, written = await asyncio.wait_for(process.communicate(), PATIENCE_S)
            return process.returncode or 0, written.decode()

    return asyncio.run(main())


def start(match: str) -> wire.ArenaMessage:
    return wire.ArenaMessage(match_start=wire.MatchStart(match_id=match, game="bluff", seats=2))


def decide(number: int) -> wire.ArenaMessage:
    return wire.ArenaMessage(decide=wire.Decide(decision_id=number, legal=[1, 2, 3]))


def test_a_bot_plays_match_after_match_on_one_stream_and_leaves_on_goodbye(tmp_path: Path) -> None:
    received: list[wire.BotMessage] = []

    async def arena(stream: Stream) -> None:
        received.append(await stream.read())
        for match in ("a", "b"):
            for message in (start(match), decide(5)):
                await stream.write(message)
                received.append(await stream.read())
            await stream.write(wire.ArenaMessage(match_end=wire.MatchEnd(match_id=match)))
        await stream.write(wire.ArenaMessage(goodbye=wire.Goodbye()))

    assert ended(LAST, tmp_path, arena) == (0, "")
    hello, *replies = received
    assert (hello.hello.token, hello.hello.bot.version) == (TOKEN, "7")
    assert [reply.ready.match_id or reply.action.action for reply in replies] == ["a", 3, "b", 3]


def test_a_refused_bot_reports_the_reason_and_fails(tmp_path: Path) -> None:
    async def arena(stream: Stream) -> None:
        await stream.read()
        await stream.write(wire.ArenaMessage(refused=wire.Refused(reason="the token is used up")))

    assert ended(LAST, tmp_path, arena) == (1, "the arena refused the bot: the token is used up\n")


def test_a_bot_that_loses_the_arena_reports_it_and_fails(tmp_path: Path) -> None:
    async def arena(stream: Stream) -> None:
        await stream.read()
        await stream.abort(grpc.StatusCode.UNAVAILABLE, "closing")

    code, written = ended(LAST, tmp_path, arena)
    assert code == 1
    assert ": closing" in written
    assert "Traceback" not in written


async def test_a_bot_that_finds_no_arena_reports_it_and_fails(tmp_path: Path) -> None:
    process = await spawn(LAST, tmp_path, f"{tmp_path}/nobody")
    _, written = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    code, written = process.returncode, written
    assert code == 1
    assert written.startswith(f"no connection to the arena at {tmp_path}/nobody: ".encode())


def test_an_exception_of_the_bot_ends_it_with_a_traceback(tmp_path: Path) -> None:
    async def arena(stream: Stream) -> None:
        await stream.read()
        await stream.write(start("a"))
        await stream.read()
        await stream.write(decide(1))
        await stream.read()

    code, written = ended(LAST.replace("return", "raise KeyError #"), tmp_path, arena)
    assert code == 1
    assert "in choose" in written


@pytest.mark.slow
@pytest.mark.parametrize("hook", ["__init__", "match_started", "choose"])
def test_a_bot_that_cannot_play_says_why_in_one_sentence(hook: str, tmp_path: Path) -> None:
    async def arena(stream: Stream) -> None:
        for message in (start("a"), decide(1)):
            await stream.read()
            await stream.write(message)
        await stream.read()

    raising = f"""
    def {hook}(self, *_):
        raise CannotPlay("there are no weights; train the bot first")

if __name__"""
    source = LAST.replace("Bot, run", "Bot, CannotPlay, run").replace("\nif __name__", raising)
    assert ended(source, tmp_path, arena) == (1, "there are no weights; train the bot first\n")


def test_sigterm_quietly_ends_a_waiting_bot(tmp_path: Path) -> None:
    assert terminated(LAST, tmp_path, [], "") == (0, "")


def test_sigterm_makes_a_thinking_bot_say_where_it_was(tmp_path: Path) -> None:
    thinking = LAST.replace("return", "print('thinking', flush=True)\n        while True: pass #")
    code, written = terminated(thinking, tmp_path, [start("a"), decide(1)], "thinking\n")
    assert code == 0
    assert written.startswith("it was asked to end while it was here:\n")
    assert "in choose" in written


def terminated(source: str, folder: Path, messages: list[wire.ArenaMessage], first: str) -> tuple[int, str]:
    """Send messages to a bot, and SIGTERM once it has printed a line, if it is to; return how `ended` does."""

    async def main() -> tuple[int, str]:
        asked = asyncio.Event()

        async def arena(stream: Stream) -> None:
            await stream.read()
            for message in messages:
                await stream.write(message)
            asked.set()
            await stream.read()
            await stream.read()

        async with serving(arena) as socket:
            process = await spawn(source, folder, socket)
            assert process.stdout
            await asyncio.wait_for(asked.wait(), PATIENCE_S)
            if first:
                assert (await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)).decode() == first
            process.send_signal(signal.SIGTERM)
            _, written = await asyncio.wait_for(process.communicate(), PATIENCE_S)
            return process.returncode or 0, written.decode()

    return asyncio.run(main())


def test_a_bot_run_by_hand_explains_how_to_run_it(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(LAST)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BALLCOURT")}
    command = [sys.executable, str(tmp_path / "bot.py")]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert finished.returncode == 2
    assert f"ballcourt check bot {tmp_path}" in finished.stderr


def test_a_bot_that_hangs_before_it_runs_shows_where(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import time\nfrom ballcourt import Bot\nprint('hanging', flush=True); time.sleep(3600)\n"
    )
    program, variables = [sys.executable, str(tmp_path / "bot.py")], os.environ | {"BALLCOURT_TOKEN": "mine"}
    process = subprocess.Popen(program, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with bounded(process):
        assert process.stdout is not None
        assert process.stdout.readline() == "hanging\n"
        process.terminate()
        _, messages = process.communicate()
    assert process.returncode == -signal.SIGTERM
    assert f'File "{tmp_path}/bot.py", line 3' in messages
