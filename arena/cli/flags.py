"""Flags that several commands have in common."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
FaultFlags = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar='"KIND=REMEDY"',
        help='What to do about a fault of a bot, such as "illegal=retry 2" or "timeout=substitute 1"; may be repeated.',
    ),
]
SandboxFlag = Annotated[
    int | None,
    typer.Option(
        "--sandbox",
        metavar="TIER",
        help="How bots are confined: 0: plain processes, 1: bubblewrap; `ballcourt doctor` shows what works here.",
    ),
]
LimitFlags = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=NUMBER",
        help="A limit for each bot: memory_mb, processes, file_mb, tmp_mb or cpu_s; may be repeated.",
    ),
]
ReadableFlags = Annotated[
    list[Path] | None,
    typer.Option(
        "--readable",
        metavar="PATH",
        help="A path that bots in sandbox tier 1, and their builds, may read in addition to the system's programs; "
        "may be repeated.",
    ),
]
ClockFlags = Annotated[
    list[str] | None,
    typer.Option(
        "--clock",
        metavar="NAME=VALUE",
        help="A time budget in milliseconds: bank_ms, increment_ms, cap_ms, startup_ms, match_start_ms or grace_ms; "
        "work=UNITS per decision, for bots that count their work; ponder=true. May be repeated.",
    ),
]
Format = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="How the blocks are chosen; round-robin by default.")
]
Rounds = Annotated[
    int | None,
    typer.Option("--rounds", metavar="N", help="Play N rounds, in each of which every group of bots plays one block."),
]
Blocks = Annotated[
    int | None,
    typer.Option(
        "--blocks",
        metavar="N",
        help="Play N blocks (instead of --rounds): one table of bots each, in all its seat rotations.",
    ),
]
Matches = Annotated[
    int | None,
    typer.Option(
        "--matches", metavar="N", help="Play at least N matches, rounded up to whole blocks (instead of --rounds)."
    ),
]
Tokens = Annotated[Path, typer.Option("--tokens", metavar="FILE", help="The file with the hashes of the tokens.")]
