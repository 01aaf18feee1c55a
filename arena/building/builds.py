"""Makes bots ready before any clock runs: their environment, their build step, and the image that confined ones get.

A build works on a copy of the bot's folder in the cache, and the copy plays. So the content hash never depends on what
a compiler leaves behind, and an author can edit the bot while a tournament runs. `arena.processes.cache` says where
everything is, `arena.building.steps` how a step runs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import NO_CONTENT, Bot, BotError, is_copy
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import Entry
from ballcourt.arena.bots.image import make_image
from ballcourt.arena.building.steps import BuildError, Step, carry_out, home_of, say
from ballcourt.arena.building.venvs import in_venv
from ballcourt.arena.extras import needs_linux
from ballcourt.arena.processes.cache import (
    BOTS,
    BUILDS,
    IMAGES,
    USES,
    BuildNotes,
    fill_once,
    is_done,
    is_held,
    lease,
    locked,
    place_to_build,
    private_folder,
    remove,
    set_done,
)
from ballcourt.arena.python import our_python
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, BuildPlan, Sandbox, SandboxError, check_startable, require
from ballcourt.arena.sandbox.trial import import_failure
from ballcourt.arena.sandbox.visible import is_whole


def ready(bots: Sequence[Bot], sandbox: Sandbox) -> tuple[Bot, ...]:
    """Build the bots and check that they can be started in the sandbox. Raises SandboxError and BuildError."""
    require(sandbox)
    if any(bot.command[0] == our_python() for bot in bots) and (why := import_failure(our_python(), sandbox)):
        raise SandboxError(why)
    started = tuple(built(bot, sandbox) for bot in bots)
    for bot in started:
        check_startable(bot, sandbox)
    return tuple(map(_with_image, started)) if sandbox.tier else started


def ready_entries(entries: Iterable[Entry], sandbox: Sandbox, *, in_place: bool = False) -> dict[Entrant, Bot]:
    """Like `ready`, for the bots of entries; return them by entrant. Remote entrants have none.

    Unless they play in place, unconfined ones get copies of their folders too: neither what they write there nor what
    their authors change meanwhile makes others of them.
    """
    bots = {one.entrant: replace(one.bot, owner=one.entrant.owner) for one in entries if one.bot}
    prepared = ready([*bots.values()], sandbox)
    return dict(zip(bots, prepared if in_place or sandbox.tier else map(_in_copy, prepared), strict=True))


def built(bot: Bot, sandbox: Sandbox = NO_SANDBOX) -> Bot:
    """Return the bot ready to be started: in its environment if it has one, and its built copy if it has a build step.

    Both are made in the sandbox. Existing ones are used however they were made: an unconfined build has
    decided to trust that build. Raises BuildError with the output of a failed build, and SandboxError if the sandbox
    cannot start it.
    """
    return _after_its_build(in_venv(bot, sandbox), sandbox)


def _after_its_build(bot: Bot, sandbox: Sandbox) -> Bot:
    if not bot.build:
        return bot
    needs_linux(f"bot {bot.name} has a build step, which needs")
    kept = bot.lease or lease(bot.content_hash)
    copy = private_folder(BUILDS) / bot.content_hash
    fill_once(copy, lambda: _build(bot, copy, sandbox))
    return replace(
        bot, folder=copy, directory=copy / bot.directory.relative_to(bot.folder), source=bot.folder, lease=kept
    )


def _in_copy(bot: Bot) -> Bot:
    """Return the bot with a copy of its folder, as it was hashed, if that and its environment are all that it needs.

    The copy is made again if earlier processes have changed it, unless others need it now. Raises BotError.
    """
    if bot.build or not is_whole(bot):
        return bot
    folder = private_folder(BOTS) / bot.content_hash
    with locked(folder):
        in_use = is_held(private_folder(USES) / bot.content_hash)
        kept = bot.lease or lease(bot.content_hash)
        if not (is_done(folder) and (in_use or is_copy(folder, bot.content_hash))):
            set_done(folder, done=False)
            remove(folder)
            if contents.copy(bot.folder, folder, (*NO_CONTENT, *bot.ignore)) != bot.content_hash:
                raise BotError(f"the files of bot {bot.name} changed since it was loaded; run the command again")
            set_done(folder, done=True)
    return replace(
        bot, folder=folder, directory=folder / bot.directory.relative_to(bot.folder), source=bot.folder, lease=kept
    )


def _with_image(bot: Bot) -> Bot:
    """Return the bot with an image of its folder. Raises BotError if the folder is not what was hashed."""
    kept = bot.lease or lease(bot.content_hash)
    image = private_folder(IMAGES) / bot.content_hash
    with locked(image):
        if not is_done(image):
            remove(image)
            try:
                found = make_image(bot.folder, image, () if bot.build else (*NO_CONTENT, *bot.ignore))
            except contents.ContentsError as error:
                raise BotError(str(error)) from error
            if not bot.build and found != bot.content_hash:
                raise BotError(f"the files of bot {bot.name} changed since it was loaded; run the command again")
            set_done(image, done=True)
    return replace(bot, image=image, lease=kept)


def _build(bot: Bot, copy: Path, sandbox: Sandbox) -> BuildNotes:
    """Copy and build; return what that took."""
    say(f"building {bot.name} {bot.version}; the first time this may take minutes ...")
    set_done(private_folder(IMAGES) / bot.content_hash, done=False)
    if contents.copy(bot.folder, copy, (*NO_CONTENT, *bot.ignore)) != bot.content_hash:
        raise BuildError(f"bot {bot.name} cannot be built: its files changed meanwhile; run the command again")
    step = Step(bot.name, BuildPlan(bot.build, copy, bot.venv), copy)
    with place_to_build(sandbox.build.at_once, bot.owner), home_of(bot.name, bot.content_hash, sandbox) as home:
        notes = carry_out(step, home, sandbox)
    _check_result(bot, copy)
    say(f"built {bot.name} {bot.version} in {notes.describe()}")
    return notes


def _check_result(bot: Bot, copy: Path) -> None:
    """Raise BuildError if a build left what no bot may consist of."""
    try:
        for _ in contents.items(copy):
            pass
    except contents.ContentsError as error:
        raise BuildError(f"bot {bot.name} cannot be built: {error}") from error
