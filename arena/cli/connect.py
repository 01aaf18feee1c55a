"""`ballcourt connect`: lets a bot on this machine play in an arena on another one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.cli.failures import CHECK_FAILED


def connect(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot: a name or a folder; its token is for this name.")],
    address: Annotated[str, typer.Argument(metavar="HOST:PORT", help="Where the arena listens.", show_default=False)],
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file with the token; by default the token is in BALLCOURT_TOKEN."),
    ] = None,
    ca: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Certificates to trust (PEM); the system's by default.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Do not use TLS; only for an arena on this machine.")
    ] = False,
    streams: Annotated[
        int, typer.Option(min=1, max=16, metavar="N", help="The number of matches it may play at the same time.")
    ] = 1,
) -> None:
    """Let a bot on this machine play in an arena on another one.

    It plays until the arena says Goodbye. The bot's command is started with BALLCOURT_ADDRESS, BALLCOURT_TOKEN,
    BALLCOURT_CA and BALLCOURT_STREAMS in its environment; all SDKs read them. What the bot prints is shown.

    \b
    Exit codes: 0 every stream ended with Goodbye; 1 one did not, and the bot printed why.
    Examples:
      ballcourt connect ./mine arena.example.org:7433 --token-file mine.token
      ballcourt connect ./mine localhost:7433 --token-file mine.token --ca cert.pem --streams 2
    """
    from ballcourt.arena.bots.bot import resolve_bot
    from ballcourt.arena.processes.builds import built
    from ballcourt.arena.remote.connect import environment_for, run

    variables = environment_for(address, token_file, ca, insecure=insecure)
    if run(built(resolve_bot(bot)), variables, streams):
        raise typer.Exit(CHECK_FAILED)
