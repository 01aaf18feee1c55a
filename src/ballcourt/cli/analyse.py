"""`ballcourt replay analyse`: a recorded match in a browser, with a bot to ask and seats to take."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.known import find_bots
from ballcourt.arena.records.store import check_writable, write_record
from ballcourt.arena.records.summaries import check_range
from ballcourt.arena.terminal.matches import DEFAULT_ADVISER, HUMAN, adviser_for, branched, match_of
from ballcourt.arena.terminal.saved import saved_path, write_saved
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.flags import Port, RecordFile, RecordFolder, SandboxFlag, Treatment
from ballcourt.cli.loopback import listening
from ballcourt.cli.output import say
from ballcourt.cli.play import say_saved
from ballcourt.cli.records import named_record
from ballcourt.cli.setting_up import setup_of
from ballcourt.v1.record_pb2 import MatchRecord


def analyse(
    file: RecordFile,
    bots: Annotated[
        list[str] | None,
        argument(
            "BOT",
            "Who plays on in each seat that you do not take, in seat order; by default the bots of the record that "
            "are known here by name, and the bot of --hints for the others.",
        ),
    ] = None,
    at: Annotated[int, option("Begin at this decision.", "DECISION", min=0)] = 0,
    hints: Annotated[str, option("The bot to ask.", "BOT")] = DEFAULT_ADVISER,
    sandbox: SandboxFlag = None,
    record_dir: RecordFolder = Path("runs/play"),
    port: Port = 8000,
) -> None:
    """Analyse a recorded match in a browser: ask a bot what it would do, or branch off and play on.

    The page is the replay; at every decision you may ask the bot, or take a seat. A bot sees what the seat knew, and
    gives its thoughts. In a seat you see what it knew; the position, hidden cards included, and the luck to come are
    those of the record. The match that you play becomes a record that says where it branched off. It can be verified
    like any other, and counts in no leaderboard.

    This command starts bots when the page asks for it, so the page works only at the address with the token that is
    printed here, and on this machine. The pages of `ballcourt serve` start nothing.
    Needs the extra `web`: pip install 'ballcourt[web]'.

    \b
    Examples:
      ballcourt replay analyse runs/demo/records/b000000-r0.match
      ballcourt replay analyse match.match --at 40 --hints ismcts
      ballcourt replay analyse match.match greedy ./mine
    """
    from ballcourt.arena.browser.analysis import Branch, Helpers, hold_analysis  # they need an extra

    record = named_record(file)
    check_range(record, at, None)
    words = _players(record, bots, hints)
    setup = setup_of(record.game, words, None, None, Treatment(sandbox=sandbox))
    confined = setup.conditions.sandbox.sandbox()
    adviser = adviser_for(record.game, hints, confined)
    if adviser is None:
        raise BotError(f"{hints} does not play {record.game}; name a bot that does with --hints BOT")
    check_writable(record_dir)

    def opened(address: str) -> None:
        say([f"open {address}#{at}/all in a browser; Ctrl-C ends this"])

    begun: list[Path] = []

    def branch_off(number: int, seat: int) -> Branch:
        players = tuple(HUMAN if place == seat else word for place, word in enumerate(setup.bots))
        own, so_far = branched(setup.model_copy(update={"bots": players}), record, number)
        saved = saved_path(record_dir, so_far.key)
        begun.append(saved)

        def finish(played: MatchRecord) -> Path:
            path = write_record(record_dir, played)
            saved.unlink(missing_ok=True)
            return path

        return Branch(match_of(own, HUMAN, so_far), so_far, lambda now: write_saved(saved, own, now), finish)

    helpers = Helpers(adviser, words, confined)
    try:
        with listening(port) as listener:
            asyncio.run(hold_analysis(record, helpers, branch_off, listener, opened))
    finally:
        for path in begun:
            say_saved(path)


def _players(record: MatchRecord, bots: Sequence[str] | None, stand_in: str) -> tuple[str, ...]:
    """Return the words for who plays on in each seat. Raises BadParameter."""
    if bots and len(bots) != len(record.entrants):
        raise typer.BadParameter(f"the match has {len(record.entrants)} seats; name a bot for each, or none at all")
    if bots:
        return (*bots,)
    known = find_bots().bots
    return tuple(
        (f"{entrant.name}={entrant.bot}" if entrant.bot else entrant.name)
        if (entrant.bot or entrant.name) in known
        else stand_in
        for entrant in record.entrants
    )
