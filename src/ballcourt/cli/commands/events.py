"""Commands to run events: tournaments, ladders, remote bots, and what their organiser decides."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ballcourt.cli.declaring import Panel, argument, option, switch
from ballcourt.cli.flags import (
    Cluster,
    EventFlags,
    Json,
    LengthFlags,
    LogFlag,
    MachineFlags,
    OutcomeFlags,
    StrictFlag,
    TournamentFile,
    Treatment,
)

PANEL = Panel("Run events", is_large=True)
REMOTE = "Remote bots"


@PANEL.command("tournament", linux=True)
def tournament(
    event: EventFlags,
    length: LengthFlags,
    treatment: Treatment,
    machines: MachineFlags,
    outcome: OutcomeFlags,
    file: Annotated[Path | None, argument("FILE", "A tournament file (TOML).")] = None,
    plan: Annotated[
        bool,
        switch(
            "--plan",
            "Only say what the tournament will take: matches, time, processes, precision; start nothing.",
            panel="Output",
        ),
    ] = False,
    times: Annotated[
        Path | None,
        option(
            "For --plan: an output folder whose records show how long matches of the bots take.",
            "FOLDER",
            panel="Output",
        ),
    ] = None,
) -> None:
    """Play a tournament and show its table.

    The settings come from a file or from flags; a flag overrides the file. Every match is kept as soon as it ends.
    After an interruption of any kind, run the same command again: it plays the remaining matches. A longer tournament
    (more rounds, blocks or matches) continues a shorter one in the same folder.

    \b
    Examples:
      ballcourt tournament cup.toml
      ballcourt tournament --game tzolkin --bot random --bot greedy --bot ./mine --rounds 20
      ballcourt tournament cup.toml --blocks 50 --workers 4
      ballcourt tournament cup.toml --set stop='6 h' --set database=sqlite:///all.sqlite
      ballcourt tournament cup.toml --blocks 5000 --plan
      ballcourt tournament cup.toml --cluster tls://head.example.org:8786
    """


@dataclass(frozen=True, slots=True)
class HostingFlags:
    """Where bots dial in, and what they find there."""

    listen: Annotated[
        str | None,
        option(
            "The address for bots to dial; 0.0.0.0:7433 by default. Port 0 is any free one.", "HOST:PORT", panel=REMOTE
        ),
    ] = None
    cert: Annotated[Path | None, option("The certificate chain (PEM).", "FILE", panel=REMOTE)] = None
    key: Annotated[Path | None, option("The private key (PEM), if it is in a separate file.", "FILE", panel=REMOTE)] = (
        None
    )
    insecure: Annotated[bool, switch("--insecure", "Do not use TLS; only for bots on this machine.", panel=REMOTE)] = (
        False
    )
    tokens: Annotated[Path, option("The file with the hashes of the tokens.", "FILE", panel=REMOTE)] = Path(
        "tokens.json"
    )
    concurrent: Annotated[
        int | None,
        option("The number of matches at the same time; one per processor by default.", "N", min=1, panel=REMOTE),
    ] = None
    reconnect_ms: Annotated[
        int, option("How long a bot may be disconnected during a match.", "MS", min=0, max=600000, panel=REMOTE)
    ] = 10_000
    reflection: Annotated[
        bool, switch("--reflection", "Describe the services to tools such as grpcurl.", panel=REMOTE)
    ] = False


@PANEL.command("ladder", linux=True)
def ladder(
    file: Annotated[Path, argument("FILE", "The file of the ladder (TOML).")],
    hosting: HostingFlags,
    matches: Annotated[
        int | None, option("End when the ladder has N matches in all, rounded up to whole blocks.", "N", min=1)
    ] = None,
    hours: Annotated[float | None, option("Begin no block after this number of hours.", "H", min=0.0)] = None,
    strict: StrictFlag = False,
    cluster: Cluster = None,
    set: Annotated[
        list[str] | None,
        option(
            "For tls://: cluster.ca, cluster.cert or cluster.key, a PEM file each; may be repeated.",
            "KEY=VALUE",
            panel="Machines",
        ),
    ] = None,
    log: LogFlag = "text",
) -> None:
    """Play a ladder that bots join from a watched folder, as long as it is left running.

    Put the folder of a bot into the watched folder, and it joins once `check bot` has passed in the sandbox of the
    ladder. A bot that is refused gets a report next to its folder. To enter a new version, change the files and the
    version in bot.toml. Copy a folder under a name that begins with a dot, and rename it when it is complete.

    With --cluster other machines play the matches, and this one checks the bots that arrive.

    With --cert or --insecure bots also dial in from elsewhere, by `ballcourt connect`: all that have a token. They play
    while they are connected.

    End it at any time, even by kill -9: the same command goes on. `ballcourt leaderboard`, `serve` and `event` work on
    its output folder; `ballcourt event pause` lets it wait.

    \b
    A file:
      game = "tzolkin"
      bots = "bots"
      seats = 4
      versions = 2
    The other keys: missing, provisional, across, divisions, and most of a tournament file.
    `ballcourt docs ladder` explains them.
    \b
    Examples:
      ballcourt ladder ladder.toml
      ballcourt ladder ladder.toml --hours 12
      ballcourt ladder ladder.toml --matches 400
      ballcourt ladder ladder.toml --cert cert.pem --key key.pem
      ballcourt ladder ladder.toml --cluster tls://head.example.org:8786 --set cluster.ca=ca.pem
    """


@PANEL.command("host", linux=True)
def host(
    file: TournamentFile, length: LengthFlags, treatment: Treatment, hosting: HostingFlags, outcome: OutcomeFlags
) -> None:
    """Play a tournament with bots that dial in from other machines.

    They use TCP with TLS, and each has a token. In the tournament file their names begin with "remote:". Play begins
    when all of them are connected, or at the time `start_at` without those that are absent; `event withdraw` lets it
    begin without one. Later, a match is played whenever its bots are connected, or after `start_at` soon without them.
    Arrivals, departures and refusals are written to stderr, one JSON object per line. After an interruption of any
    kind, run the same command again: it plays the remaining matches.

    \b
    Examples:
      ballcourt admin token new alice-bot --owner alice
      ballcourt host event.toml --cert cert.pem --key key.pem
      ballcourt host event.toml --insecure --listen 127.0.0.1:0
      ballcourt host event.toml --cert cert.pem --set start_at=2030-12-01T18:00:00Z --set absent=skip
    """


@PANEL.command("connect")
def connect(
    bot: Annotated[str, argument("BOT", "The bot: a name or a folder; its token is for this name.")],
    address: Annotated[str, argument("HOST:PORT", "Where the arena listens.")],
    token_file: Annotated[
        Path | None, option("The file with the token; by default the token is in BALLCOURT_TOKEN.", "FILE")
    ] = None,
    ca: Annotated[Path | None, option("Certificates to trust (PEM); the system's by default.", "FILE")] = None,
    insecure: Annotated[bool, switch("--insecure", "Do not use TLS; only for an arena on this machine.")] = False,
    streams: Annotated[int, option("The number of matches it may play at the same time.", "N", min=1, max=16)] = 1,
    wait: Annotated[
        float, option("How long to wait for an arena that is not open.", "SECONDS", min=0, max=86400)
    ] = 60.0,
) -> None:
    """Let a bot on this machine play in an arena on another one.

    It plays until the arena says Goodbye; meanwhile this command says how the event stands for it. The bot's command is
    started with BALLCOURT_ADDRESS, BALLCOURT_TOKEN, BALLCOURT_CA and BALLCOURT_STREAMS in its environment; all SDKs
    read them. What the bot prints is shown.

    \b
    Exit codes: 0 every stream ended with Goodbye; 1 one did not, or the arena cannot be reached; it says why.
    Examples:
      ballcourt connect ./mine arena.example.org:7433 --token-file mine.token
      ballcourt connect ./mine localhost:7433 --token-file mine.token --ca cert.pem --streams 2
    """


event = PANEL.group(
    "event",
    "Watch an event, change it after it has begun, or sign and verify its results.\n\n"
    "Every decision is kept with its time, author and reason in the event's folder. A run that plays the event, in "
    "whatever terminal, notices it before it begins another block; otherwise the next run does.",
)

Folder = Annotated[Path, argument("FOLDER", "The event's output folder.")]
Reason = Annotated[str, option("Why; the trail of the event keeps it.", "TEXT", "--reason")]
Match = Annotated[str, argument("MATCH", "A match, such as b000012-r1, or a block, such as b000012.")]


@event.command("watch")
def watch(
    folder: Folder,
    once: Annotated[bool, switch("--once", "Show how far it is now, and leave.")] = False,
    as_json: Annotated[
        bool, switch("--json", "Print the events of its run, one JSON object a line, for programs.")
    ] = False,
) -> None:
    """Follow a tournament that runs in another terminal.

    Shows how far it is, the matches being played and the table so far; when the tournament is over, the whole table.
    If its run stops or is killed, waits until it is continued. A run never waits for those who watch it. Its events are
    in FOLDER/events.jsonl.

    \b
    Examples:
      ballcourt event watch runs/cup
      ballcourt event watch runs/cup --once
      ballcourt event watch runs/cup --json
    """


@event.command("event")
def withdraw(
    folder: Folder,
    bot: Annotated[str, argument("BOT", "A bot: NAME, or 'NAME VERSION'.")],
    reason: Reason,
    strike: Annotated[
        bool, switch("--strike", "Its past matches do not count either, for anybody at their tables.")
    ] = False,
) -> None:
    """Play no more matches with a bot.

    \b
    Example:
      ballcourt event withdraw runs/cup mine --strike --reason "plays by network"
    """


@event.command("event")
def void(folder: Folder, match: Match, reason: Reason) -> None:
    """Let a match or a block not count; it is not played again.

    Where later rounds depend on it, such as in a Swiss tournament, those whose pairings change are played again.
    """


@event.command("event")
def repeat(
    folder: Folder,
    reason: Reason,
    match: Annotated[str | None, argument("MATCH", "A match, such as b000012-r1, or a block, such as b000012.")] = None,
    worker: Annotated[
        str | None, option("Instead: all blocks in which this worker of a cluster has played.", "NAME")
    ] = None,
) -> None:
    """Play a match or a block again, with another deal; what it was before does not count.

    With --worker, do so with all blocks of a worker that stands out; end that worker first, or it may get them again.

    Where later rounds depend on it, such as in a Swiss tournament, those whose pairings change are played again.
    """


@event.command("event")
def add(
    folder: Folder,
    bot: Annotated[str, argument("BOT", "A bot: a name, a folder, or LABEL=BOT.")],
    reason: Reason,
    owner: Annotated[str, option("Who entered it.", "NAME")] = "",
    arg: Annotated[list[str] | None, option("A word to add to its command; may be repeated.", "WORD")] = None,
    clock: Annotated[
        list[str] | None, option("What differs from the clock of the event; may be repeated.", "NAME=VALUE")
    ] = None,
) -> None:
    """Let a bot join. From the next block on, the rest of the event is scheduled for all who play then.

    It is built now, in the event's sandbox, and plays only as long as its files stay as they are.

    \b
    Example:
      ballcourt event add runs/cup ./late --owner ann --reason "its owner was ill"
    """


@event.command("event")
def lengthen(
    folder: Folder,
    reason: Reason,
    rounds: Annotated[int | None, option("Play N rounds in all.", "N", min=1)] = None,
    blocks: Annotated[int | None, option("Play N blocks in all.", "N", min=1)] = None,
    matches: Annotated[int | None, option("Play at least N matches in all.", "N", min=1)] = None,
) -> None:
    """Let the event be longer; give what it has in all, counted from its beginning."""


@event.command("event")
def pause(folder: Folder, reason: Reason) -> None:
    """Begin no more blocks until the event is resumed; those that have begun are played to their end."""


@event.command("event")
def resume(folder: Folder, reason: Reason) -> None:
    """Let a paused event go on."""


@event.command("event")
def renew(folder: Folder, reason: Reason) -> None:
    """Let a ladder go on under the rules of its games that are installed, after they have changed.

    Its tables and records under the older rules stay. Bots play on; their ratings begin where they are, but less
    certain. End the ladder first, and run it again afterwards.

    \b
    Example:
      ballcourt event renew runs/ladder --reason "rules 4 mend the scoring of temples"
    """


@event.command("event")
def log(folder: Folder, as_json: Json = False) -> None:
    """Show what has been decided about an event."""


@event.command("event")
def certificate(folder: Folder, as_json: Json = False) -> None:
    """Count what an event has given each bot so far: matches, seats, opponents, and who sat before whom.

    Only matches that count are counted. Where rounds depend on results, as in a Swiss tournament, nothing can be
    counted before play; the plan says the same in advance where it can.
    """


@event.command("event")
def key(
    file: Annotated[Path, argument("FILE", "A new file for the private key.")],
) -> None:
    """Make a key that signs bundles, and print its public half, to be published before the event."""


@event.command("event")
def bundle(
    folder: Folder,
    key: Annotated[Path, option("The private key.", "FILE")],
    output: Annotated[Path, option("The bundle, such as final.zip.", "FILE")],
) -> None:
    """Close an event that is over, and sign a bundle with which anybody can check it.

    The bundle reveals the seed, so the event cannot be changed or go on afterwards. It holds all records, the table,
    the organiser's decisions, and event.toml, which plays the event again. `ballcourt event verify` checks it.

    \b
    Example:
      ballcourt event key organiser.key
      ballcourt event bundle runs/cup --key organiser.key --output cup.zip
    """


@event.command("verify")
def verify(
    bundle: Annotated[Path, argument("BUNDLE", "The signed bundle.")],
    key: Annotated[str | None, option("The public key that must have signed the bundle.", "HEX")] = None,
    commitment: Annotated[
        str | None,
        option(
            "The commitment to the seed that was published before the event; the revealed seed must fit it.",
            "sha256:HEX",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a signed bundle: the signature, the commitment to the seed, every match executed again, and the table.

    Two things have to be published before play, so that they cannot be chosen afterwards: the public key, which
    `ballcourt event key` prints, and the commitment to the seed, which `ballcourt tournament` prints. Give them with
    --key and --commitment; otherwise the bundle's own are shown.

    \b
    Exit codes: 0 everything agrees; 1 something does not; 2 it is not a bundle.
    Example:
      ballcourt event verify cup.zip --key 5f0c... --commitment sha256:9b1d...
    """
