"""`ballcourt mcp`: seats an agent that speaks the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import ClockFlags, LimitFlags, Options, ReadableFlags, SandboxFlag, StrictFlag
from ballcourt.cli.output import confinement, note
from ballcourt.cli.setting_up import match_of, seats_of_people, setup_of

if TYPE_CHECKING:
    from ballcourt.v1.record_pb2 import MatchRecord

AGENT = "agent"
"""What the agent is called among the bots."""


def mcp(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game; `ballcourt games` lists them.", show_default=False)
    ],
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="Bots in seat order: names, folders, or LABEL=BOT; one of them is agent.",
            show_default=False,
        ),
    ],
    seed: Annotated[int | None, typer.Option(metavar="N", help="The seed of all chance; drawn by default.")] = None,
    option: Options = None,
    clock: ClockFlags = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    readable: ReadableFlags = None,
    strict: StrictFlag = False,
    record_dir: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the record.")] = Path("runs/mcp"),
) -> None:
    """Serve one match to an agent over the Model Context Protocol, on standard input and output.

    The agent takes the seat named agent, or LABEL=agent, and has the tools rules, observe, legal and act. It has no
    clock. If it leaves before the end it loses its seat, and the others play on. The command ends when the agent
    leaves. Name it in the settings of a program with agents, with the record folder as a full path.

    \b
    Examples:
      ballcourt mcp maya agent greedy
      ballcourt mcp tzolkin planner claude=agent greedy --record-dir /tmp/matches
    """
    import asyncio

    from ballcourt.arena.records.store import check_writable, write_record

    try:
        from ballcourt.arena.agents.server import host_agent
    except ModuleNotFoundError as error:
        raise typer.BadParameter(f"{error.name} is not installed; pip install 'ballcourt[mcp]'") from error
    seats = seats_of_people(bots, AGENT)
    if len(seats) != 1:
        raise typer.BadParameter(f"{len(seats)} seats are named {AGENT}; name exactly one", param_hint="BOT")
    confined = confinement(sandbox, limit, readable, strict=strict)
    match = match_of(setup_of(game, bots, seed, option, clock, confined), AGENT)
    check_writable(record_dir)

    lost: list[int] = []

    def keep(record: MatchRecord) -> None:
        note(f"the record is {write_record(record_dir, record)}")
        lost.extend(fault.seat for fault in record.faults)

    asyncio.run(host_agent(match, seats[0], keep))
    if strict and lost:
        raise typer.Exit(CHECK_FAILED)
