"""`ballcourt admin worker`: lets this machine play matches for a cluster."""

import os
from pathlib import Path

import typer

from ballcourt.arena.cluster.dask_worker import drawn_name, work
from ballcourt.arena.cluster.security import Credentials, check_address, security
from ballcourt.arena.naming import name_objection
from ballcourt.arena.workers.cores import parse_processors, usable
from ballcourt.cli.failures import INTERRUPTED, TERMINATED
from ballcourt.cli.journal import LogForm, keep_log
from ballcourt.cli.output import note


def worker(
    address: str,
    name: str | None,
    slots: int | None,
    processors: str | None,
    ca: Path | None,
    cert: Path | None,
    key: Path | None,
    wait: float,
    log: str,
) -> None:
    """Run `ballcourt admin worker`."""
    keep_log(LogForm(log), "worker")
    check_address(address)
    if name and (objection := name_objection(name)):
        raise typer.BadParameter(f"it is '{name}'; {objection}", param_hint="--name")
    safe = security(address, Credentials(ca, cert, key))
    if processors:
        os.sched_setaffinity(0, parse_processors(processors))

    ended = work(address, safe, name or drawn_name(), slots or len(usable()), wait, note)
    raise typer.Exit(TERMINATED if ended == 15 else INTERRUPTED)
