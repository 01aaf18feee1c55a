"""The build of a bot that was examined on another machine, in a process of its own: the ladder plays on meanwhile.

The module is a program that reads a line of JSON, an `Unbuilt`, and prints why the bot cannot be built. It ends when
its parent does.
"""

from dataclasses import replace
from pathlib import Path

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.building.builds import ready
from ballcourt.arena.models import Model
from ballcourt.arena.processes.asked import AskedProcess, answer
from ballcourt.arena.tournament.event.tables import SandboxTable
from ballcourt.arena.workers.process import environment
from ballcourt.engine.core import WrongInput


class Unbuilt(Model):
    """A bot that is to be built, and in what."""

    files: str
    """Its folder."""
    hash: str
    owner: str
    sandbox: SandboxTable


class Build(AskedProcess[str]):
    """The build of a bot, in a process that this starts."""

    def __init__(self, unbuilt: Unbuilt) -> None:
        super().__init__(__name__, unbuilt, str, environment(), "its build")


def needs_build(bot: Bot) -> bool:
    """Return whether a bot has a build step or an environment of its own."""
    return bool(bot.build or bot.python or bot.requirements)


def build(unbuilt: Unbuilt) -> str:
    """Put the build of a bot into the cache; return why it cannot be built, in a line, or an empty string."""
    try:
        bot = load_bot(Path(unbuilt.files), hashed=unbuilt.hash)
        ready([replace(bot, owner=unbuilt.owner)], unbuilt.sandbox.sandbox())
    except WrongInput as error:
        return str(error).partition("\n")[0]
    return ""


if __name__ == "__main__":
    answer(Unbuilt, build)
