"""`ballcourt replay analyse`: a recorded match in a browser, with a bot to ask and seats to take."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import typer

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.known import find_bots
from ballcourt.arena.browser.analysing import Helpers, hold_analysis
from ballcourt.arena.browser.analysis import Branch
from ballcourt.arena.records.store import check_writable, write_record
from ballcourt.arena.records.summaries import check_range
from ballcourt.arena.terminal.saved import Setup, saved_path, write_saved
from ballcourt.arena.tournament.event.reading import parse_event
from ballcourt.cli.flags import Treatment
from ballcourt.cli.output import say
from ballcourt.cli.play import say_saved
from ballcourt.cli.records import named_record
from ballcourt.cli.serve import listening
from ballcourt.cli.setting_up import HUMAN, adviser_for, branched, match_of, setup_of
from ballcourt.v1.record_pb2 import MatchRecord


def analyse(
    file: Path,
    bots: list[str] | None,
    at: int,
    hints: str,
    sandbox: int | None,
    record_dir: Path,
    port: int,
) -> None:
    """Run `ballcourt replay analyse`."""
    record = named_record(file)
    check_range(record, at, None)
    words = _players(record, bots, hints)
    setup = setup_of(record.game, words, None, None, Treatment(sandbox=sandbox))
    confined = parse_event(setup.said, "the command line", Path()).sandbox.sandbox()
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
        begun.append(saved_path(record_dir, so_far.key))
        return _branch(own, so_far, begun[-1])

    helpers = Helpers(adviser, words, confined)
    try:
        with listening(port) as listener:
            asyncio.run(hold_analysis(record, helpers, branch_off, listener, opened))
    finally:
        for path in begun:
            say_saved(path)


def _branch(setup: Setup, begun: MatchRecord, saved: Path) -> Branch:
    """Return a match with a person that is to be played on; `saved` keeps it until it is over. Raises WrongInput."""

    def finish(played: MatchRecord) -> Path:
        path = write_record(saved.parent, played)
        saved.unlink(missing_ok=True)
        return path

    return Branch(match_of(setup, HUMAN, begun), begun, lambda so_far: write_saved(saved, setup, so_far), finish)


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
