"""Repeats a task of a command whenever a bot is saved."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import sleep
from typing import Final, Never

import typer

from ballcourt.arena.bots.bot import NO_CONTENT, Bot
from ballcourt.arena.bots.contents import signature
from ballcourt.arena.faults import ArenaError
from ballcourt.cli.failures import explain
from ballcourt.cli.output import note
from ballcourt.engine.core import WrongInput

LOOK_S: Final = 0.3
"""How long to wait between looks at the folders, in seconds."""


def at_every_save(bots: Sequence[Bot], task: Callable[[], None]) -> Never:
    """Run a task, and again after every change in the folders of the bots, until KeyboardInterrupt.

    What is wrong at the first time is raised. Later it is printed and the next change is awaited, because a program
    that is being written is often wrong.
    """
    failing = suppress(typer.Exit)  # what failed has been said
    before = _looked(bots)
    with failing:
        task()
    while True:
        note("waiting for a change in the folders of the bots; Ctrl-C ends it")
        before = _changed(bots, before)
        try:
            with failing:
                task()
        except (WrongInput, ArenaError, OSError) as error:
            explain(error)


def _changed(bots: Sequence[Bot], before: list[str]) -> list[str]:
    """Wait until something differs and then stays the same for a moment: editors save in several steps."""
    earlier = before
    while (now := _looked(bots)) == before or now != earlier:
        earlier = now
        sleep(LOOK_S)
    return now


def _looked(bots: Sequence[Bot]) -> list[str]:
    return [signature(bot.home, (*NO_CONTENT, *bot.ignore)) for bot in bots]
