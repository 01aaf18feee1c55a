"""Lets a bot play in an arena on another machine, from a script or a notebook.

Every program of a bot imports this module, also one that ends by a mistake before it plays, so asyncio, which takes
longer than all the rest of the SDK, is imported only to play.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ballcourt.bots.sdk.python.address import AddressError, Words, remote
from ballcourt.bots.sdk.python.bot import Bot
from ballcourt.bots.sdk.python.main import ONE_THREAD, folder_of, introduce
from ballcourt.bots.sdk.python.session import Session

Result = TypeVar("Result")
AS_GIVEN = Words("address", "ca", "insecure is True", "leave insecure out")


def connect(
    bot_class: type[Bot],
    address: str,
    *,
    token: str = "",
    token_file: str | Path | None = None,
    ca: str | Path | None = None,
    insecure: bool = False,
) -> None:
    """Play in the arena at HOST:PORT, one match at a time, until it says Goodbye.

    The organiser issues a token for the bot's name: the `name` of the class or, if that is empty, the one in its
    bot.toml. `token_file` is the file that holds it. `ca` is a PEM file with the certificates to trust, by default
    the system's; `insecure` does without TLS, for an arena on this machine.

        connect(Mine, "arena.example.org:7433", token_file="mine.token")

    Raises ValueError for a wrong argument, Refused with the arena's reason, ConnectionError if the arena cannot be
    reached or goes away, and whatever the bot raises.
    """
    arena = remote(address, str(ca or ""), tls=not insecure, words=AS_GIVEN)
    secret = _read(Path(token_file)) if token_file is not None else token
    if not secret:
        raise AddressError("the token is empty; give token, or token_file with the path of the file that holds it")
    os.environ.setdefault("GRPC_EXPERIMENTS", ONE_THREAD)  # before grpc is loaded
    import asyncio

    from ballcourt.bots.sdk.python.stream import converse

    bot = bot_class()
    introduce(bot, folder_of(bot_class))
    sys.stderr.write(f"{bot.name} dials in to the arena at {address} and plays when its matches are due\n")
    without_a_loop(lambda: asyncio.run(converse(Session(bot), arena, secret)))


def without_a_loop(play: Callable[[], Result]) -> Result:
    """Call a function that starts an event loop, in a thread if one is running already, as in a notebook."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return play()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(play).result()


def _read(file: Path) -> str:
    try:
        words = file.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise AddressError(f"token_file is '{file}', which cannot be read: {error}") from None
    if len(words) != 1:
        raise AddressError(f"token_file is '{file}'; it must hold one line, the token")
    return words[0]
