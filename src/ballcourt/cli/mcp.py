"""`ballcourt mcp`: seats an agent that speaks the Model Context Protocol."""

import asyncio
from pathlib import Path

import typer

from ballcourt.arena.agents.server import host_agent
from ballcourt.arena.records.store import check_writable, write_record
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Treatment
from ballcourt.cli.output import note
from ballcourt.cli.setting_up import match_of, seats_of_people, setup_of
from ballcourt.v1.record_pb2 import MatchRecord

AGENT = "agent"
"""What the agent is called among the bots."""


def mcp(
    game: str, bots: list[str], treatment: Treatment, seed: int | None, option: list[str] | None, record_dir: Path
) -> None:
    """Run `ballcourt mcp`."""
    seats = seats_of_people(bots, AGENT)
    if len(seats) != 1:
        raise typer.BadParameter(f"{len(seats)} seats are named {AGENT}; name exactly one", param_hint="BOT")
    match = match_of(setup_of(game, bots, seed, option, treatment), AGENT)
    check_writable(record_dir)

    lost: list[int] = []

    def keep(record: MatchRecord) -> None:
        note(f"the record is {write_record(record_dir, record)}")
        lost.extend(fault.seat for fault in record.faults)

    asyncio.run(host_agent(match, seats[0], keep))
    if treatment.strict and lost:
        raise typer.Exit(CHECK_FAILED)
