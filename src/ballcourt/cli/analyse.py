"""`ballcourt replay analyse`: a recorded match in a browser, with a bot to ask and seats to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.flags import SandboxFlag
from ballcourt.cli.output import confinement, say
from ballcourt.cli.setting_up import DEFAULT_ADVISER, HUMAN, adviser_for, branched, match_of, setup_of

if TYPE_CHECKING:
    from ballcourt.arena.browser.analysis import Branch
    from ballcourt.arena.terminal.saved import Setup
    from ballcourt.v1.record_pb2 import MatchRecord


def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record file.", show_default=False)],
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT",
            help="Who plays on in each seat that you do not take, in seat order; by default the bots of the record "
            "that are known here by name, and the bot of --hints for the others.",
            show_default=False,
        ),
    ] = None,
    at: Annotated[int, typer.Option(metavar="DECISION", min=0, help="Begin at this decision.")] = 0,
    hints: Annotated[str, typer.Option(metavar="BOT", help="The bot to ask.")] = DEFAULT_ADVISER,
    sandbox: SandboxFlag = None,
    record_dir: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for new records.")] = Path("runs/play"),
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="The port; 0 chooses a free one.")] = 8000,
) -> None:
    """Analyse a recorded match in a browser: ask a bot what it would do, or branch off and play on.

    The page is the replay; at every decision you may ask the bot, or take a seat. A bot is told what the seat knew, and
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
    import asyncio

    from ballcourt.arena.bots.bot import BotError
    from ballcourt.arena.records.store import check_writable, read_record
    from ballcourt.arena.records.summaries import check_range
    from ballcourt.arena.terminal.saved import saved_path
    from ballcourt.arena.tournament.event.reading import parse_event
    from ballcourt.cli.play import say_saved
    from ballcourt.cli.serve import listening, web_server

    record = read_record(file)
    check_range(record, at, None)
    words = _players(record, bots, hints)
    setup = setup_of(record.game, words, None, None, None, confinement(sandbox, None, None, strict=False))
    confined = parse_event(setup.said, "the command line", Path()).sandbox.sandbox()
    adviser = adviser_for(record.game, hints, confined)
    if adviser is None:
        raise BotError(f"{hints} does not play {record.game}; name a bot that does with --hints BOT")
    check_writable(record_dir)
    web_server()
    from ballcourt.arena.browser.analysing import Helpers, hold_analysis
    from ballcourt.leaderboard.pages.app import guard

    def opened(address: str) -> None:
        say([f"open {address}#{at}/all in a browser; Ctrl-C ends this"])

    begun: list[Path] = []

    def branch_off(number: int, seat: int) -> Branch:
        players = tuple(HUMAN if place == seat else word for place, word in enumerate(setup.bots))
        own, so_far = branched(replace(setup, bots=players), record, number)
        begun.append(saved_path(record_dir, so_far.key))
        return _branch(own, so_far, begun[-1])

    helpers = Helpers(adviser, words, confined)
    try:
        with listening(port) as listener:
            asyncio.run(hold_analysis(record, helpers, branch_off, listener, opened, guard))
    finally:
        for path in begun:
            say_saved(path)


def _branch(setup: Setup, begun: MatchRecord, saved: Path) -> Branch:
    """Return a match with a person that is to be played on; `saved` keeps it until it is over. Raises WrongInput."""
    from ballcourt.arena.browser.analysis import Branch
    from ballcourt.arena.records.store import write_record
    from ballcourt.arena.terminal.saved import write_saved

    def finish(played: MatchRecord) -> Path:
        path = write_record(saved.parent, played)
        saved.unlink(missing_ok=True)
        return path

    return Branch(match_of(setup, HUMAN, begun), begun, lambda so_far: write_saved(saved, setup, so_far), finish)


def _players(record: MatchRecord, bots: Sequence[str] | None, stand_in: str) -> tuple[str, ...]:
    """Return the words for who plays on in each seat. Raises BadParameter."""
    from ballcourt.arena.bots.known import find_bots

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
