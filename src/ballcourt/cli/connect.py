"""`ballcourt connect`: lets a bot on this machine play in an arena on another one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.output import note


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
    wait: Annotated[
        float,
        typer.Option(min=0, max=86_400, metavar="SECONDS", help="How long to wait for an arena that is not open."),
    ] = 60.0,
) -> None:
    """Let a bot on this machine play in an arena on another one.

    It plays until the arena says Goodbye. The bot's command is started with BALLCOURT_ADDRESS, BALLCOURT_TOKEN,
    BALLCOURT_CA and BALLCOURT_STREAMS in its environment; all SDKs read them. What the bot prints is shown.

    \b
    Exit codes: 0 every stream ended with Goodbye; 1 one did not, or the arena cannot be reached; it says why.
    Examples:
      ballcourt connect ./mine arena.example.org:7433 --token-file mine.token
      ballcourt connect ./mine localhost:7433 --token-file mine.token --ca cert.pem --streams 2
    """
    from ballcourt.arena.bots.known import resolve_bot
    from ballcourt.arena.processes.builds import built
    from ballcourt.arena.remote.arrival import Unreachable, look_at, trusted
    from ballcourt.arena.remote.connect import environment_for, run

    variables = environment_for(address, token_file, ca, insecure=insecure)
    tls = None if insecure else trusted(ca)
    ready = built(resolve_bot(bot))
    try:
        look_at(address, tls, ca=ca, wait_s=wait)
    except Unreachable as error:
        note(str(error))
        if error.is_certain:
            raise typer.Exit(CHECK_FAILED) from error
    if run(ready, variables, streams):
        raise typer.Exit(CHECK_FAILED)
