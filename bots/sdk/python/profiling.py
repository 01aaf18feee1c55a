"""What the functions of a bot cost, measured in its own process by cProfile."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ballcourt.bots.sdk.python.bot import Bot
from ballcourt.bots.sdk.python.session import Session

if TYPE_CHECKING:
    from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage

VARIABLE = "BALLCOURT_PROFILE"
"""The variable that names the folder for profiles; without it nothing is measured."""
SUFFIX = ".prof"

T = TypeVar("T")


class Profile:
    """The costs of all calls so far. Without a folder, calls are plain calls and nothing is written."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._measured: Any = None
        if folder:
            import cProfile  # few processes need it

            self._measured = cProfile.Profile()

    @classmethod
    def asked(cls, environment: Mapping[str, str]) -> Profile:
        """Return the profile that the environment asks for."""
        return cls(environment.get(VARIABLE, ""))

    def call(self, function: Callable[..., T], *arguments: object) -> T:
        """Call a function; return what it returns."""
        if self._measured is None:
            return function(*arguments)
        result: T = self._measured.runcall(function, *arguments)
        return result

    def write(self) -> None:
        """Write a file that `pstats` reads, which is named by the process. Raises OSError."""
        if self._measured is not None:
            self._measured.dump_stats(Path(self._folder) / f"{os.getpid()}{SUFFIX}")


class ProfiledSession(Session):
    """A session that measures what the bot does with messages, and no waiting for them."""

    def __init__(self, bot: Bot, profile: Profile) -> None:
        super().__init__(bot)
        self._profile = profile

    def handle(self, message: ArenaMessage) -> BotMessage | None:
        """Pass a message on."""
        return self._profile.call(super().handle, message)
