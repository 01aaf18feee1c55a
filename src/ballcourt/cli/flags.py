"""Flags that several commands have in common."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")]
Place = Annotated[
    str,
    typer.Argument(
        metavar="FOLDER|URL", help="A tournament's output folder or the URL of a database.", show_default=False
    ),
]
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
        help="How bots are confined: 0: plain processes, 1: bubblewrap, 2: gVisor; `ballcourt doctor` shows what works "
        "here.",
    ),
]
StrictFlag = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Refuse unless bots are confined and this machine can enforce everything that their sandbox tier "
        "promises; see `ballcourt doctor`. Exit with 1 if a bot loses its seat.",
    ),
]
FailOnFault = Annotated[
    bool,
    typer.Option("--fail-on-fault", help="Exit with 1 if a bot loses its seat, for scripts; --strict does so too."),
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
        help="A path that confined bots, and their builds, may read in addition to the system's programs; "
        "may be repeated; none: no path, whatever the file says.",
    ),
]
ClockFlags = Annotated[
    list[str] | None,
    typer.Option(
        "--clock",
        metavar="NAME=VALUE",
        help="A time budget in milliseconds: bank_ms, increment_ms, cap_ms, startup_ms, match_start_ms or grace_ms; "
        "work=UNITS per decision, for bots that count their work; ponder=true; scale=reference, for times that follow "
        "the speed of the machine. May be repeated.",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="How the blocks are chosen: round-robin, balanced, adaptive, swiss, gauntlet, single-elimination, "
        "double-elimination or groups-final. By default round-robin, in large fields balanced.",
    ),
]
Focus = Annotated[
    list[str] | None,
    typer.Option("--focus", metavar="NAME", help="A bot that meets all others in a gauntlet; may be repeated."),
]
Groups = Annotated[
    int | None, typer.Option("--groups", metavar="N", help="The number of groups in groups-final; 2 by default.")
]
Advance = Annotated[
    int | None,
    typer.Option("--advance", metavar="N", help="How many of each group play the final; by default a table full."),
]
GameName = Annotated[
    str, typer.Option("--game", metavar="NAME", help="The game; `ballcourt games` lists them.", show_default=False)
]
EvenSeats = Annotated[
    int | None,
    typer.Option("--seats", metavar="N", help="The seats at a table; by default the largest even number."),
]
Workers = Annotated[
    int | None, typer.Option(metavar="N", help="The number of worker processes; one per processor by default.")
]
Cpus = Annotated[
    int | None,
    typer.Option(
        "--cpus",
        metavar="N",
        help="Give the bots of each worker N processors of their own; without it they share all with the arena.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play with the workers of a cluster: tls://HOST:PORT or tcp://HOST:PORT of its scheduler, or local:N "
        "for N workers on this machine. `ballcourt worker` starts one elsewhere.",
    ),
]
Ca = Annotated[
    Path | None,
    typer.Option(
        "--ca", metavar="FILE", help="For tls://: the certificate that has signed all those of the cluster (PEM)."
    ),
]
Cert = Annotated[
    Path | None, typer.Option("--cert", metavar="FILE", help="For tls://: the certificate of this machine (PEM).")
]
Key = Annotated[Path | None, typer.Option("--key", metavar="FILE", help="For tls://: its private key (PEM).")]
Rounds = Annotated[
    int | None,
    typer.Option("--rounds", metavar="N", help="Play N rounds; what a round is depends on the format."),
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
StopFlags = Annotated[
    list[str] | None,
    typer.Option(
        "--stop",
        metavar="WHEN",
        help="End the tournament early: 'top 3 separated at 95%', '±1.0' (rating points, 95% intervals) or '6 h'. "
        "May be repeated; the first that holds ends it. Without a length, the tournament goes on until then.",
    ),
]
Tokens = Annotated[Path, typer.Option("--tokens", metavar="FILE", help="The file with the hashes of the tokens.")]
GameFilter = Annotated[
    str | None, typer.Option("--game", metavar="NAME", help="Only matches of this game.", show_default=False)
]
SeatsFilter = Annotated[
    int | None, typer.Option("--seats", metavar="N", help="Only matches with N seats.", show_default=False)
]
SinceFilter = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="DATE",
        help="Only matches that began on this date or later, in UTC: 2026-11-22 or 2026-11-22T18:30:05Z.",
        show_default=False,
    ),
]
OwnerFilter = Annotated[
    list[str] | None,
    typer.Option(
        "--owner",
        metavar="NAME",
        help="Show only the rows of bots that this owner entered; may be repeated.",
        show_default=False,
    ),
]
BotFilter = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="NAME",
        help="Show only the rows of this bot, or of one version: 'NAME VERSION'; may be repeated.",
        show_default=False,
    ),
]
