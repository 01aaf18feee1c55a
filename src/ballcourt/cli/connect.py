"""`ballcourt connect`: lets a bot on this machine play in an arena on another one."""

from pathlib import Path

import typer

from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.processes.builds import built
from ballcourt.arena.remote.arrival import Unreachable, look_at, trusted
from ballcourt.arena.remote.connect import environment_for, run
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.output import note


def connect(
    bot: str, address: str, token_file: Path | None, ca: Path | None, insecure: bool, streams: int, wait: float
) -> None:
    """Run `ballcourt connect`."""
    variables = environment_for(address, token_file, ca, insecure=insecure)
    tls = None if insecure else trusted(ca)
    ready = built(resolve_bot(bot))
    try:
        look_at(address, tls, ca=ca, wait_s=wait)
    except Unreachable as error:
        note(str(error))
        if error.is_certain:
            raise typer.Exit(CHECK_FAILED) from error
    else:
        note(
            f"the arena at {address} is open; {ready.name} dials in and plays when its matches are due; Ctrl-C ends it"
        )
    if run(ready, variables, streams):
        raise typer.Exit(CHECK_FAILED)
