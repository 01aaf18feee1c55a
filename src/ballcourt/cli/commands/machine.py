"""Commands about this machine: what it offers, its documents, and the chores of an organiser."""

from pathlib import Path
from typing import Annotated

from ballcourt.cli.declaring import Panel, argument, option, switch
from ballcourt.cli.flags import Json, LogFlag, Tokens

PANEL = Panel("Machine")
TOKENS = Path("tokens.json")


@PANEL.command("doctor")
def doctor(
    tier: Annotated[int | None, option("Fail unless this sandbox tier is available.", "TIER", min=0, max=2)] = None,
    strict: Annotated[
        bool,
        switch("--strict", "Fail unless this machine can enforce all that the tier promises; tier 1 by default."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Show what this machine offers, and how to get more out of it.

    That is: sandbox tiers, resource limits, the precision of the clocks, how many workers fit, and how fast
    the machine is.

    \b
    Exit codes: 0 success; 1 the tier of --tier is not available, or with --strict one of its walls.
    Examples:
      ballcourt doctor
      ballcourt doctor --tier 1 --json
    """


@PANEL.command("documents")
def docs(
    page: Annotated[str | None, argument("PAGE", "The page to show.")] = None,
) -> None:
    """Show a page of the documentation, or list the pages.

    \b
    Examples:
      ballcourt docs
      ballcourt docs protocol
    """


admin = PANEL.group("admin", "Manage tokens of remote bots, the cache of builds, and workers of a cluster.")
token = admin.group("token", "Make, revoke and list the tokens that let remote bots in.")


@token.command("token")
def new(
    bot: Annotated[str, argument("BOT", "The name that the bot gives in its Hello.")],
    owner: Annotated[str, option("The owner of the bot.", "NAME")],
    tokens: Tokens = TOKENS,
    as_json: Json = False,
) -> None:
    """Make a token and show it once; the file keeps only its hash.

    Give it to the bot's owner, who runs `ballcourt connect`. A bot may have several, for example one per machine.

    \b
    Example:
      ballcourt admin token new alice-bot --owner alice > alice-bot.token
    """


@token.command("token")
def revoke(
    token_id: Annotated[str, argument("ID", "The ID; `ballcourt admin token list` shows it.")],
    tokens: Tokens = TOKENS,
    as_json: Json = False,
) -> None:
    """Revoke a token; a bot that is connected with it is refused when it dials next."""


@token.command("token", "list")
def list_all(tokens: Tokens = TOKENS, as_json: Json = False) -> None:
    """List all tokens, including revoked ones."""


cache = admin.group(
    "cache",
    "Show and empty the cache: built bots, images for confined ones, and what compilers keep between builds.\n\n"
    "It is in ~/.cache/ballcourt, or where BALLCOURT_CACHE says.",
)


@cache.command("cache")
def show(as_json: Json = False) -> None:
    """Show what the cache holds."""


@cache.command("cache")
def clear(
    bots: Annotated[list[str] | None, argument("BOT", "Names of bots; all by default.")] = None,
    older_than: Annotated[
        str | None, option("Keep what was used within this time, such as 30d, 12h or 90m.", "AGE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Remove what the cache holds, except what a running command needs.

    Bots are built again when they play next.

    \b
    Examples:
      ballcourt admin cache clear
      ballcourt admin cache clear mine --older-than 12h
    """


@admin.command("worker", extra="cluster", linux=True)
def worker(
    address: Annotated[str, argument("ADDRESS", "The scheduler: tls://HOST:PORT or tcp://HOST:PORT.")],
    name: Annotated[
        str | None, option("What records and reports call this worker; by default a name is drawn.", "NAME")
    ] = None,
    slots: Annotated[
        int | None,
        option(
            "How many matches it plays at a time; one per processor by default.",
            "N",
            "--slots",
            "--tables",
            min=1,
            max=1024,
        ),
    ] = None,
    processors: Annotated[
        str | None, option("Use only these processors, such as 0,1,4; all by default.", "LIST")
    ] = None,
    ca: Annotated[
        Path | None, option("For tls://: the certificate that has signed all those of the cluster (PEM).", "FILE")
    ] = None,
    cert: Annotated[Path | None, option("For tls://: the certificate of this machine (PEM).", "FILE")] = None,
    key: Annotated[Path | None, option("For tls://: its private key (PEM).", "FILE")] = None,
    wait: Annotated[
        float, option("How long to wait for a scheduler, also for one that ended.", "SECONDS", min=1, max=86400)
    ] = 60.0,
    log: LogFlag = "text",
) -> None:
    """Let this machine play matches for a tournament that runs elsewhere.

    The tournament is started with --cluster and the same address; the scheduler between them is `dask scheduler`. Bots
    come from there, and are built here in the tournament's sandbox. Anyone who reaches the scheduler can run programs
    on this machine: with tls:// only those who have a certificate can.

    \b
    Exit codes: 2 it cannot join, or cannot play what it was sent; 3 the cluster has ended; 130, 143 a
    signal ended it.
    Examples:
      ballcourt admin worker tls://head.example.org:8786 --ca ca.pem --cert mine.pem --key mine.key
      ballcourt admin worker tcp://127.0.0.1:8786 --slots 2
    """
