"""Makes a bot class a program."""

import os
import signal
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from bots.sdk.python.bot import Bot
from bots.sdk.python.session import Refused, Session

BY_HAND = """\
This is a bot: the arena starts it, and BALLCOURT_SOCKET and BALLCOURT_TOKEN then tell it where to play.
To see it play, run `ballcourt check-bot {folder}`.
"""


def run(bot_class: type[Bot]) -> NoReturn:
    """Play for the arena that started this process, then end the process.

    Exit codes: 0 the arena said Goodbye or asked the process to end, 1 it refused the bot or went away,
    2 no arena started this process.
    """
    folder = Path(sys.modules[bot_class.__module__].__file__ or "").resolve().parent
    socket, token = os.environ.get("BALLCOURT_SOCKET"), os.environ.get("BALLCOURT_TOKEN")
    if not socket or not token:
        sys.stderr.write(BY_HAND.format(folder=folder))
        sys.exit(2)
    signal.signal(signal.SIGTERM, _leave)
    bot = bot_class()
    introduce(bot, folder)
    sys.exit(_play(Session(bot), socket, token))


def introduce(bot: Bot, folder: Path) -> None:
    """Fill in what the bot does not say about itself from the bot.toml in its folder, if there is one."""
    file = folder / "bot.toml"
    manifest = tomllib.loads(file.read_text()) if file.exists() else {}
    bot.name = bot.name or manifest.get("name", folder.name)
    bot.version = bot.version or manifest.get("version", "")
    bot.author = bot.author or manifest.get("author", "")
    bot.url = bot.url or manifest.get("url", "")
    bot.games = bot.games or tuple(manifest.get("games", ()))


def _play(session: Session, socket: str, token: str) -> int:
    # here and not above, so that a bot hosted in another process never loads grpc
    import asyncio

    from bots.sdk.python.stream import Disconnected, converse

    try:
        asyncio.run(converse(session, socket, token))
    except Refused as refusal:
        sys.stderr.write(f"the arena refused the bot: {refusal}\n")
        return 1
    except Disconnected as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _leave(signum: int, frame: FrameType | None) -> None:
    """End at once: a SystemExit raised here could be lost in one of gRPC's callbacks."""
    with suppress(RuntimeError):  # the signal came in the middle of a print
        sys.stdout.flush()
    os._exit(0)
