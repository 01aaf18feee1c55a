"""Flags that several subcommands have."""

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
        help='What is done about a fault of a bot, e.g. "illegal=retry 2" or "timeout=substitute 1"; may be repeated.',
    ),
]
SandboxFlag = Annotated[
    int | None,
    typer.Option(
        "--sandbox",
        metavar="TIER",
        help="How bots are confined: 0, plain processes, or 1, bubblewrap; `ballcourt doctor` tells what works here.",
    ),
]
LimitFlags = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=NUMBER",
        help="What a bot may use: memory_mb, processes, file_mb, tmp_mb or cpu_s; may be repeated.",
    ),
]
ReadableFlags = Annotated[
    list[Path] | None,
    typer.Option(
        "--readable",
        metavar="PATH",
        help="What bots in sandbox tier 1, and their builds, may read beside the system's programs; may be repeated.",
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
Tokens = Annotated[
    Path, typer.Option("--tokens", metavar="FILE", help="The file that knows the tokens, by their hashes.")
]
