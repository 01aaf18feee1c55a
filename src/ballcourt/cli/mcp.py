"""`ballcourt mcp`: seats an agent that speaks the Model Context Protocol."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.records.store import RecordError, check_writable, write_record
from ballcourt.arena.terminal.matches import match_of, seats_of_people
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Game, Options, RecordFolder, Seed, Treatment
from ballcourt.cli.output import note
from ballcourt.cli.setting_up import setup_of
from ballcourt.v1.record_pb2 import MatchRecord

RECORDS = Path("runs/mcp")
AGENT = "agent"
"""What the agent is called among the bots."""
MOST_SEED = 2**64 - 1


def mcp(
    game: Game,
    bots: Annotated[
        list[str], argument("BOT", "Bots in seat order: names, folders, or LABEL=BOT; one of them is agent.")
    ],
    treatment: Treatment,
    seed: Seed = None,
    option: Options = None,
    disguise: Annotated[
        int | None, option("Give the agent the game under other names and numbers.", "SEED", min=0, max=MOST_SEED)
    ] = None,
    record_dir: RecordFolder = RECORDS,
) -> None:
    """Serve one match to an agent over the Model Context Protocol, on standard input and output.

    The agent takes the seat named agent, or LABEL=agent, and has the tools rules, observe, legal and act. It has no
    clock. If it leaves before the end it loses its seat, and the others play on. The command ends when the agent
    leaves. Name it in the settings of a program with agents (`ballcourt docs language-models`); where the folder for
    records cannot be written, they go to ~/.local/share/ballcourt/mcp.

    With --disguise places, cards, goods and actions have other names and numbers for the agent, by that seed. The
    record is that of the game as it is.

    \b
    Examples:
      ballcourt mcp maya agent greedy
      ballcourt mcp maya agent greedy --disguise 7
      ballcourt mcp tzolkin planner claude=agent greedy --record-dir /tmp/matches
    """
    from ballcourt.arena.agents.server import host_agent  # it needs an extra

    seats = seats_of_people(bots, AGENT)
    if len(seats) != 1:
        raise typer.BadParameter(f"{len(seats)} seats are named {AGENT}; name exactly one", param_hint="BOT")
    match = match_of(setup_of(game, bots, seed, option, treatment), AGENT)
    record_dir = _writable(record_dir)

    lost: list[int] = []

    def keep(record: MatchRecord) -> None:
        note(f"the record is {write_record(record_dir, record)}")
        lost.extend(fault.seat for fault in record.faults)

    asyncio.run(host_agent(match, seats[0], keep, disguise))
    if treatment.strict and lost:
        raise typer.Exit(CHECK_FAILED)


def _writable(folder: Path) -> Path:
    """Return the folder for the record: by default one of the user's where this one cannot be written.

    Programs with agents start a server in any folder, such as /. Raises RecordError.
    """
    try:
        check_writable(folder)
    except RecordError:
        if folder != RECORDS:
            raise
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share").expanduser() / "ballcourt/mcp"
        check_writable(folder)
    return folder
