"""Flags that several commands have in common: single ones, and groups of them.

A command that has a group as a parameter has its flags; see `declaring`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.", rich_help_panel="Output")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.", rich_help_panel="Output")]
Place = Annotated[
    str,
    typer.Argument(
        metavar="FOLDER|URL", help="A tournament's output folder or the URL of a database.", show_default=False
    ),
]
PlaceOrNewest = Annotated[
    str | None,
    typer.Argument(
        metavar="FOLDER|URL",
        help="A tournament's output folder or a database URL; the newest tournament in ./runs by default.",
        show_default=False,
    ),
]
TournamentFile = Annotated[Path, typer.Argument(metavar="FILE", help="A tournament file (TOML).", show_default=False)]
Game = Annotated[str, typer.Argument(metavar="GAME", help="A game; `ballcourt games` lists them.", show_default=False)]
GameName = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="NAME",
        help="The game; `ballcourt games` lists them.",
        show_default=False,
        rich_help_panel="Event",
    ),
]
EvenSeats = Annotated[
    int | None,
    typer.Option(
        "--seats",
        metavar="N",
        help="The seats at a table; by default the largest even number.",
        rich_help_panel="Event",
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated.", rich_help_panel="Event"
    ),
]
RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="A record file.", show_default=False)]
Records = Annotated[
    list[Path],
    typer.Argument(
        metavar="RECORD", help="Record files, folders with record files, or output folders.", show_default=False
    ),
]
RecordFolder = Annotated[
    Path, typer.Option("--record-dir", metavar="FOLDER", help="The folder for the record.", rich_help_panel="Output")
]
OutputFolder = Annotated[
    Path | None,
    typer.Option(
        "--output", metavar="FOLDER", help="The output folder; by default one in ./runs.", rich_help_panel="Output"
    ),
]
Port = Annotated[int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="The port; 0 chooses a free one.")]
SandboxFlag = Annotated[
    int | None,
    typer.Option(
        "--sandbox",
        metavar="TIER",
        help="How bots are confined: 0: plain processes, 1: bubblewrap, 2: gVisor; `ballcourt doctor` shows what works "
        "here.",
        rich_help_panel="Bots",
    ),
]
StrictFlag = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Refuse unless bots are confined and this machine can enforce everything that their sandbox tier "
        "promises; see `ballcourt doctor`. Exit with 1 if a bot loses its seat.",
        rich_help_panel="Bots",
    ),
]
FailOnFault = Annotated[
    bool,
    typer.Option(
        "--fail-on-fault",
        help="Exit with 1 if a bot loses its seat, for scripts; --strict does so too.",
        rich_help_panel="Output",
    ),
]
ClockFlag = Annotated[
    list[str] | None,
    typer.Option(
        "--clock",
        metavar="NAME=VALUE",
        help="A time budget in milliseconds: bank_ms, increment_ms, cap_ms, startup_ms, match_start_ms or grace_ms; "
        "work=UNITS per decision, for bots that count their work; ponder=true; scale=reference, for times that follow "
        "the speed of the machine. May be repeated.",
        rich_help_panel="Bots",
    ),
]
SetFlag = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Any other key of a tournament file, such as sandbox.memory_mb=512 or faults.illegal='retry 2'; may be "
        "repeated. `ballcourt docs tournament-file` lists them.",
        rich_help_panel="Event",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        help="The number of worker processes; one per processor by default.",
        rich_help_panel="Machines",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play with the workers of a cluster: tls://HOST:PORT or tcp://HOST:PORT of its scheduler, or local:N "
        "for N workers on this machine. `ballcourt admin worker` starts one elsewhere. With tls://, set cluster.ca, "
        "cluster.cert and cluster.key to PEM files.",
        rich_help_panel="Machines",
    ),
]
Tokens = Annotated[Path, typer.Option("--tokens", metavar="FILE", help="The file with the hashes of the tokens.")]
OnlyBot = Annotated[
    str | None, typer.Argument(metavar="[BOT]", help="Only this bot: 'NAME' or 'NAME VERSION'.", show_default=False)
]
OneBot = Annotated[str, typer.Argument(metavar="BOT", help="'NAME' or 'NAME VERSION'.", show_default=False)]
BotPath = Annotated[str, typer.Argument(metavar="BOT", help="A bot: a name or a folder.", show_default=False)]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="The seed of all chance; drawn by default.", rich_help_panel="Event"),
]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which matches are looked at."""

    game: Annotated[
        str | None,
        typer.Option("--game", metavar="NAME", help="Only matches of this game.", rich_help_panel="Matches"),
    ] = None
    seats: Annotated[
        int | None, typer.Option("--seats", metavar="N", help="Only matches with N seats.", rich_help_panel="Matches")
    ] = None
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="DATE",
            help="Only matches that began on this date or later, in UTC: 2026-11-22 or 2026-11-22T18:30:05Z.",
            rich_help_panel="Matches",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Form:
    """How results are printed: as tables, as JSON or as CSV."""

    as_json: Json = False
    as_csv: Csv = False


@dataclass(frozen=True, slots=True)
class EventFlags:
    """What is played, and by whom."""

    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="The game; `ballcourt games` lists them. Repeat it to play several.",
            rich_help_panel="Event",
        ),
    ] = None
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT", help="A bot: a name, a folder, or LABEL=BOT; repeat for each.", rich_help_panel="Event"
        ),
    ] = None
    seats: Annotated[
        list[int] | None,
        typer.Option(
            metavar="N",
            help="The seats at a table; by default as many as possible. May be repeated.",
            rich_help_panel="Event",
        ),
    ] = None
    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How the blocks are chosen: round-robin, balanced, adaptive, swiss, gauntlet, single-elimination, "
            "double-elimination or groups-final. By default round-robin, in large fields balanced.",
            rich_help_panel="Event",
        ),
    ] = None
    option: Options = None
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="The seed of all chance; by default drawn, kept, and secret.", rich_help_panel="Event"
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class LengthFlags:
    """How long a tournament is; only one of them is given."""

    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Play N rounds; what a round is depends on the format.", rich_help_panel="Length"
        ),
    ] = None
    blocks: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Play N blocks (instead of --rounds): one table of bots each, in all its seat rotations.",
            rich_help_panel="Length",
        ),
    ] = None
    matches: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Play at least N matches, rounded up to whole blocks (instead of --rounds).",
            rich_help_panel="Length",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Treatment:
    """How bots are treated: their clock, their sandbox, and all that --set may say."""

    clock: ClockFlag = None
    sandbox: SandboxFlag = None
    strict: StrictFlag = False
    set: SetFlag = None


@dataclass(frozen=True, slots=True)
class MachineFlags:
    """Where matches are played."""

    workers: Workers = None
    cluster: Cluster = None
