"""`ballcourt worker`: lets this machine play matches for a cluster."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from ballcourt.cli.failures import INTERRUPTED, TERMINATED
from ballcourt.cli.flags import Ca, Cert, Key
from ballcourt.cli.output import note


def worker(
    address: Annotated[
        str,
        typer.Argument(
            metavar="ADDRESS", help="The scheduler: tls://HOST:PORT or tcp://HOST:PORT.", show_default=False
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What records and reports call this worker; by default a name is drawn."),
    ] = None,
    slots: Annotated[
        int | None,
        typer.Option(
            "--slots",
            "--tables",
            min=1,
            max=1024,
            metavar="N",
            help="How many matches it plays at a time; one per processor by default.",
        ),
    ] = None,
    processors: Annotated[
        str | None, typer.Option(metavar="LIST", help="Use only these processors, such as 0,1,4; all by default.")
    ] = None,
    ca: Ca = None,
    cert: Cert = None,
    key: Key = None,
    wait: Annotated[
        float, typer.Option(min=1, max=86_400, metavar="SECONDS", help="How long to wait for a scheduler.")
    ] = 60.0,
) -> None:
    """Let this machine play matches for a tournament that runs elsewhere.

    The tournament is started with --cluster and the same address; the scheduler between them is `dask scheduler`. Bots
    come from there, and are built here in the tournament's sandbox. Whoever reaches the scheduler can run programs on
    this machine: with tls:// only those who have a certificate can.

    \b
    Exit codes: 2 it cannot join, or cannot play what it was sent; 3 the cluster has ended; 130, 143 a
    signal ended it.
    Examples:
      ballcourt worker tls://head.example.org:8786 --ca ca.pem --cert mine.pem --key mine.key
      ballcourt worker tcp://127.0.0.1:8786 --slots 2
    """
    from ballcourt.arena.bots.naming import name_objection
    from ballcourt.arena.cluster.security import Credentials, caution, check_address, require_distributed, security
    from ballcourt.arena.match.policy import counted
    from ballcourt.arena.workers.cores import parse_processors, usable

    require_distributed()
    check_address(address)
    if name and (objection := name_objection(name)):
        raise typer.BadParameter(f"it is '{name}'; {objection}", param_hint="--name")
    safe = security(address, Credentials(ca, cert, key))
    if sentence := caution(address):
        note(f"caution: {sentence}")
    if processors:
        os.sched_setaffinity(0, parse_processors(processors))
    from ballcourt.arena.cluster.dask_worker import drawn_name, work

    name, slots = name or drawn_name(), slots or len(usable())
    joined = lambda: note(f"{name} has joined {address}, for {counted(slots, 'match')} at a time")  # noqa: E731
    ended = work(address, safe, name, slots, wait, joined)
    raise typer.Exit(TERMINATED if ended == 15 else INTERRUPTED)
