"""Flags that several commands have in common: single ones, and groups of them.

A command that has a group as a parameter has its flags; see `declaring`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from ballcourt.cli.declaring import argument, key, option, switch

Json = Annotated[bool, switch("--json", "Print JSON, for programs.", panel="Output")]
Csv = Annotated[bool, switch("--csv", "Print CSV, for spreadsheets.", panel="Output")]
Place = Annotated[
    str, argument("FOLDER|URL|FILE", "A tournament's output folder, a database URL, or a file of results.")
]
PlaceOrNewest = Annotated[
    str | None,
    argument(
        "FOLDER|URL|FILE",
        "A tournament's output folder, a database URL, or a file of results; by default the newest folder in ./runs.",
    ),
]
Folder = Annotated[Path, argument("FOLDER", "The event's output folder.")]
TournamentFile = Annotated[Path, argument("FILE", "A tournament file (TOML).")]
Game = Annotated[str, argument("GAME", "A game; `ballcourt games` lists them.")]
Options = Annotated[
    list[str] | None, option("An option of the game; may be repeated.", "NAME=VALUE", "--option", "-o", panel="Event")
]
RecordFile = Annotated[
    Path, argument("RECORD", "A record file, a folder for its newest, or `last` for the newest in ./runs.")
]
Records = Annotated[list[Path], argument("RECORD", "Record files, folders with record files, or output folders.")]
RecordFolder = Annotated[Path, option("The folder for the record.", "FOLDER", "--record-dir", panel="Output")]
OutputFolder = Annotated[
    Path | None, option("The output folder; by default one in ./runs.", "FOLDER", "--output", panel="Output")
]
Port = Annotated[int, option("The port; 0 chooses a free one.", "PORT", "--port", min=0, max=65535)]
LogFlag = Annotated[
    Literal["text", "json"],
    option(
        "How to report what happens, on stderr: sentences, or a JSON object a line.", "FORM", "--log", panel="Output"
    ),
]
SandboxFlag = Annotated[
    int | None,
    option(
        "How bots are confined: 0: plain processes, 1: bubblewrap, 2: gVisor; `ballcourt doctor` shows what works "
        "here.",
        "TIER",
        "--sandbox",
        panel="Bots",
    ),
]
Unconfined = Annotated[
    bool, switch("--unconfined", "Run what strangers send without a sandbox where there is none.", "Sandbox")
]
StrictFlag = Annotated[
    bool,
    switch(
        "--strict",
        "Refuse unless bots are confined and this machine can enforce everything that their sandbox tier promises; "
        "see `ballcourt doctor`. Exit with 1 if a bot loses its seat.",
        panel="Bots",
    ),
]
FailOnFault = Annotated[
    bool,
    switch(
        "--fail-on-fault",
        "Exit with 1 if a bot loses its seat, for scripts; --strict does so too.",
        panel="Output",
    ),
]
ClockFlag = Annotated[
    list[str] | None,
    option(
        "A time budget in milliseconds: bank_ms, increment_ms, cap_ms, startup_ms, match_start_ms or grace_ms; "
        "work=UNITS per decision, for bots that count their work; ponder=true; scale=reference, for times that "
        "follow the speed of the machine. May be repeated.",
        "NAME=VALUE",
        "--clock",
        panel="Bots",
    ),
]
SetFlag = Annotated[
    list[str] | None,
    option(
        "Any other key of a tournament file, such as sandbox.memory_mb=512 or faults.illegal='retry 2'; may be "
        "repeated. `ballcourt docs tournament-file` lists them.",
        "KEY=VALUE",
        "--set",
        panel="Event",
    ),
]
Workers = Annotated[int | None, key("N", "Machines", "--workers")]
Cluster = Annotated[
    str | None,
    option(
        "Play with the workers of a cluster: tls://HOST:PORT or tcp://HOST:PORT of its scheduler, or local:N for N "
        "workers on this machine. `ballcourt admin worker` starts one elsewhere. With tls://, set cluster.ca, "
        "cluster.cert and cluster.key to PEM files.",
        "ADDRESS",
        "--cluster",
        panel="Machines",
    ),
]
Tokens = Annotated[Path, option("The file with the hashes of the tokens.", "FILE", "--tokens")]
OnlyBot = Annotated[str | None, argument("[BOT]", "Only this bot: 'NAME' or 'NAME VERSION'.")]
OneBot = Annotated[str, argument("BOT", "'NAME' or 'NAME VERSION'.")]
BotPath = Annotated[str, argument("BOT", "A bot: a name or a folder.")]
ContestUrl = Annotated[
    str | None, option("The address of the contest; by default that of the last `ballcourt login`.", "URL")
]
Seed = Annotated[int | None, option("The seed of all chance; drawn by default.", "N", "--seed", panel="Event")]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which matches are looked at."""

    game: Annotated[str | None, option("Only matches of this game.", "NAME", "--game", panel="Matches")] = None
    seats: Annotated[int | None, option("Only matches with N seats.", "N", "--seats", panel="Matches")] = None
    since: Annotated[
        str | None,
        option(
            "Only matches that began on this date or later, in UTC: 2026-11-22 or 2026-11-22T18:30:05Z.",
            "DATE",
            "--since",
            panel="Matches",
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

    game: Annotated[list[str] | None, key("NAME", "Event", repeated=True)] = None
    bots: Annotated[list[str] | None, key("BOT", "Event", "--bot", repeated=True)] = None
    seats: Annotated[list[int] | None, key("N", "Event", repeated=True)] = None
    format: Annotated[
        str | None,
        option(
            "How the blocks are chosen: round-robin, balanced, adaptive, swiss, gauntlet, single-elimination, "
            "double-elimination or groups-final. By default round-robin, in large fields balanced.",
            "NAME",
            panel="Event",
        ),
    ] = None
    seed: Annotated[int | None, key("N", "Event")] = None
    option: Options = None


@dataclass(frozen=True, slots=True)
class DuelFlags:
    """What two versions of a bot play."""

    game: Annotated[str, option("The game; `ballcourt games` lists them.", "NAME", "--game", panel="Event")]
    seats: Annotated[
        int | None, option("The seats at a table; by default the largest even number.", "N", "--seats", panel="Event")
    ] = None
    option: Options = None


@dataclass(frozen=True, slots=True)
class LengthFlags:
    """How long a tournament is; only one of them is given."""

    rounds: Annotated[int | None, key("N", "Length")] = None
    blocks: Annotated[int | None, key("N", "Length")] = None
    matches: Annotated[int | None, key("N", "Length")] = None


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


@dataclass(frozen=True, slots=True)
class PrintFlags:
    """Where a command keeps what it did, and how it prints it."""

    output: OutputFolder = None
    as_json: Json = False

    @property
    def folder(self) -> str | None:
        """The output folder as a tournament file has it."""
        return str(self.output) if self.output else None


@dataclass(frozen=True, slots=True)
class OutcomeFlags(PrintFlags):
    """The same for matches in which bots may lose their seats."""

    fail_on_fault: FailOnFault = False
