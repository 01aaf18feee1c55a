"""`ballcourt submit`: enters a bot into a contest."""

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any, Final

import typer

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.checks.bot_check import BotCheck
from ballcourt.arena.checks.check import Outcome
from ballcourt.arena.tournament.event.setups import setups_of
from ballcourt.arena.tournament.event.tables import ClockTable, SetUpTable
from ballcourt.arena.workers.speed import speed
from ballcourt.cli import output
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.failures import ARENA_FAILED, CHECK_FAILED
from ballcourt.cli.flags import ContestUrl, Json
from ballcourt.cli.output import dump, note, say
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import token_for
from ballcourt.contest.client.packing import pack
from ballcourt.contest.refusals import ContestError

REFUSED: Final = ("refused",)
GONE: Final = ("failed",)
COMMIT: Final = ("GITHUB_SHA", "CI_COMMIT_SHA")


def submit(
    folder: Annotated[Path, argument("FOLDER", "The folder of the bot.")] = Path(),
    to: ContestUrl = None,
    wait: Annotated[bool, switch("--wait", "Wait until it has been examined.")] = False,
    note: Annotated[str, option("A note for your team.", "TEXT")] = "",
    unchecked: Annotated[bool, switch("--unchecked", "Do not run `check bot` on this machine first.")] = False,
    status: Annotated[bool, switch("--status", "Send nothing; say how the bot's newest submission stands.")] = False,
    as_json: Json = False,
) -> None:
    """Enter a bot into a contest.

    First `check bot` runs here; then the folder is packed, without what the bot's own `ignore` leaves out, and sent. A
    broken connection does no harm. The same files are the same submission, so the command can be repeated.

    \b
    Exit codes: 0 accepted, or without --wait not refused; 1 refused; 2 wrong use, or the contest does not take it now;
    3 the server failed or cannot be reached.
    Examples:
      ballcourt submit ./mine --wait
      ballcourt submit ./mine --to https://cup.example.org --note "deeper search"
      ballcourt submit ./mine --status
    """
    bot = load_bot(folder)
    server = ContestServer(*token_for(to), output.note)
    submission = server.newest(bot.name) if status else _entered(server, bot, note, unchecked=unchecked)
    if wait:
        submission = _followed(server, submission)
    failures = server.failures(submission["id"]) if submission["state"] in REFUSED else []
    if as_json:
        dump({**submission, "failures": failures, "page": f"{server.url}/submissions/{submission['id']}"})
    else:
        say([_sentence(submission), *(line for failure in failures for line in failure.splitlines())])
        say([f"{server.url}/submissions/{submission['id']}"])
    if submission["state"] in REFUSED:
        raise typer.Exit(CHECK_FAILED)
    raise typer.Exit(ARENA_FAILED if submission["state"] in GONE else 0)


def _entered(server: ContestServer, bot: Bot, note: str, *, unchecked: bool) -> dict[str, Any]:
    about = server.about()
    if not unchecked:
        _check(bot, about)
    with TemporaryFile() as archive:
        size, sha256 = pack(bot, archive)
        most = int(about["upload"]["mb"])
        if size > most << 20:
            raise ContestError(
                f"the packed bot has {size >> 20} MB, and {most} MB are allowed; name what it does not need in `ignore`"
            )
        return server.submit(archive, size, sha256, bot.name, note, _origin())


def _check(bot: Bot, about: Mapping[str, Any]) -> None:
    """Run `check bot` as the contest does, but without its sandbox. Exit if it fails."""
    clock = ClockTable.model_validate(about["clock"]).clock().on(speed())
    setups = setups_of(map(SetUpTable.model_validate, about["setups"]))
    for found in BotCheck(bot.folder, clock=clock, setups=setups).run():
        if found.outcome is Outcome.FAIL:
            say(f"check {found.line}".splitlines())
            say([f"-> {found.advice}"] if found.advice else [])
            note("the bot is not ready, so it was not sent; --unchecked sends it all the same")
            raise typer.Exit(CHECK_FAILED)


def _followed(server: ContestServer, submission: dict[str, Any]) -> dict[str, Any]:
    for found in server.followed("/submissions", submission["id"]):
        place = f"; {found['place']} before it" if found["place"] else ""
        note(f"submission {found['number']}: {found['state']}{place}")
        submission = found
    return submission


def _sentence(submission: Mapping[str, Any]) -> str:
    why = f": {submission['sentence']}" if submission["sentence"] else ""
    return f"submission {submission['number']}, {submission['bot']}: {submission['state']}{why}"


def _origin() -> str:
    """Return where this was sent from: a commit in CI."""
    commit = next((os.environ[name] for name in COMMIT if os.environ.get(name)), "")
    return f"ci {commit[:40]}" if commit else "command line"
