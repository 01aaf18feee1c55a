"""Plays a match with a person at a page in the browser. Needs the extra `web`."""

import asyncio
from pathlib import Path

import typer

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.browser.playing import hold_match
from ballcourt.arena.terminal.matches import HUMAN, seats_of_people
from ballcourt.arena.terminal.saved import Setup, write_saved
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.cli.loopback import listening
from ballcourt.cli.output import note, say
from ballcourt.v1.record_pb2 import MatchRecord


def play_in_browser(
    match: PlayableMatch,
    setup: Setup,
    path: Path,
    port: int,
    adviser: Bot | None,
    begun: MatchRecord | None,
    *,
    as_json: bool,
) -> MatchRecord | None:
    """Play in this process, with a server for the page; return the record, or None if the match was saved."""
    if (people := len(seats_of_people(setup.bots, HUMAN))) != 1:
        raise typer.BadParameter(f"--browser is for one person; {people} seats are human")

    def opened(address: str) -> None:
        sentence = f"open {address} in a browser and play; Ctrl-C saves the match"
        note(sentence) if as_json else say([sentence])

    def keep(record: MatchRecord) -> None:
        write_saved(path, setup, record)

    with listening(port) as listener:
        return asyncio.run(hold_match(match, begun, setup.token, listener, opened, keep, adviser))
