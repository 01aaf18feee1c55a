"""`ballcourt admin worker`: lets this machine play matches for a cluster."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.cluster.security import Credentials, check_address, security
from ballcourt.arena.naming import name_objection
from ballcourt.arena.workers.cores import parse_processors, usable
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.failures import INTERRUPTED, TERMINATED
from ballcourt.cli.flags import LogFlag
from ballcourt.cli.journal import LogForm, keep_log
from ballcourt.cli.output import note


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
    """Play matches on this machine for a tournament that runs elsewhere.

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
    from ballcourt.arena.cluster.dask_worker import drawn_name, work  # it needs an extra

    keep_log(LogForm(log), "worker")
    check_address(address)
    if name and (objection := name_objection(name)):
        raise typer.BadParameter(f"it is '{name}'; {objection}", param_hint="--name")
    safe = security(address, Credentials(ca, cert, key))
    if processors:
        os.sched_setaffinity(0, parse_processors(processors))

    ended = work(address, safe, name or drawn_name(), slots or len(usable()), wait, note)
    raise typer.Exit(TERMINATED if ended == 15 else INTERRUPTED)
