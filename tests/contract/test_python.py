"""The Python SDK keeps the contract, and a bot that breaks it is reported."""

import asyncio
import shutil
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.contract import Conversation, conversations, play_conversations
from ballcourt.bots.sdk.python import mirror
from tests.contract.recording import recordings

MIRROR = Path(mirror.__path__[0])
NO_CLOSE = """
    from ballcourt.bots.sdk.python import stream
    async def leave_at_once(call): call.cancel()
    stream._close_both = leave_at_once
    run(MirrorBot)
"""
KNOWN = {conversation.name: conversation for conversation in conversations()}


def complaint(bot: Bot, conversation: Conversation) -> str:
    (outcome,) = asyncio.run(play_conversations(bot, [conversation]))
    return outcome.complaint


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if number % 8 else ()) for number, name in enumerate(KNOWN)]
)
def test_the_python_mirror_bot_follows(name: str) -> None:
    assert complaint(load_bot(MIRROR), KNOWN[name]) == ""


def test_every_recording_is_a_conversation() -> None:
    assert {f"{name}.json" for name in KNOWN} == set(recordings())


def changed(text: str, old: str, new: str, folder: Path) -> Bot:
    """Return a mirror bot with a bug: `new` in place of `old`."""
    assert old in text
    shutil.copy(MIRROR / "bot.toml", folder)
    (folder / "bot.py").write_text(text.replace(old, new))
    return load_bot(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "conversation", "noticed"),
    [
        ("% 1000", "% 999", "maya", 'the bot sent {"action"'),
        (".corn", ".corn + 1", "tzolkin", 'the bot sent {"action"'),
        ("self.ended += 1", "pass", "several_matches", "ended 1"),
        ("self.pushed += 1", "pass", "observe", "pushed 8"),
        ("run(MirrorBot)", "pass", "closed", "ended with exit code 0 before it opened stream 0"),
        ("run(MirrorBot)", "import nothing_such", "closed", "ended with exit code 1 before it opened stream 0"),
        ("run(MirrorBot)", "import os; os.kill(os.getpid(), 9)", "closed", "was killed by SIGKILL before it opened"),
        ("run(MirrorBot)", "import nothing_such", "refused", "| ModuleNotFoundError: No module named 'nothing_such'"),
        ("run(MirrorBot)", NO_CLOSE, "solo", "did not close its side of the stream after Goodbye"),
        ("observes = work_limited = True", "observes = True", "work_limited", "workLimited"),
        ("clock.work", "clock.cap_ms", "work_limited", "work 250"),
        ("run(MirrorBot)", "import signal; signal.pthread_sigmask(0, {15}); run(MirrorBot)", "sigterm", "SIGKILL"),
    ],
)
def test_a_mirror_bot_with_a_bug_is_reported(
    old: str, new: str, conversation: str, noticed: str, tmp_path: Path
) -> None:
    bot = changed((MIRROR / "bot.py").read_text(), old, new, tmp_path)
    assert noticed in complaint(bot, KNOWN[conversation])


@pytest.mark.slow
def test_a_bot_may_take_a_second_to_leave(tmp_path: Path) -> None:
    slow = "import os, time; leave = os._exit; os._exit = lambda code: (time.sleep(1), leave(code)); run(MirrorBot)"
    bot = changed((MIRROR / "bot.py").read_text(), "run(MirrorBot)", slow, tmp_path)
    assert complaint(bot, KNOWN["sigterm"]) == ""
