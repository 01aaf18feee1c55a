"""`ballcourt examiner`: examines the submissions of a contest."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from ballcourt.arena.sandbox.tiers import unavailable
from ballcourt.cli.contest import demand_confinement, opened
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.flags import LogFlag, Unconfined
from ballcourt.cli.journal import LogForm, keep_log
from ballcourt.cli.output import note
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import token_for
from ballcourt.contest.examining.desks import OwnDesk
from ballcourt.contest.examining.examiner import examine_for_ever
from ballcourt.contest.examining.far_desk import FarDesk
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.refusals import ContestError


def examiner(
    contest: Annotated[str, argument("CONTEST|URL", "Its file or folder, or the address of one on another machine.")],
    unconfined: Unconfined = False,
    parent: Annotated[int, option("End with the process of this id; 0: go on.", "PID", min=0)] = 0,
    log: LogFlag = "text",
) -> None:
    """Examine the submissions of a contest, and play its scrimmages, as long as it is left running.

    `ballcourt serve --contest` starts some by itself; more may run beside it. Each examines one submission at a time:
    it unpacks the archive in the sandbox, runs `check bot` as the ladder would, and hands an accepted bot over. If none
    waits, it plays a scrimmage. End it at any time, even by kill -9: another examiner takes up what it held.

    On another machine, give the address of the contest. An organiser's token for it comes from `ballcourt contest token
    --examine`, by `ballcourt login` or BALLCOURT_CONTEST_TOKEN. At least one examiner must run on the contest's
    machine: it compares the files of accepted bots and hands them over.

    \b
    Examples:
      ballcourt examiner cup/contest.toml
      ballcourt examiner https://cup.example.org
    """
    keep_log(LogForm(log), "examiner")

    def is_over() -> bool:
        return bool(parent) and os.getppid() != parent

    if contest.startswith(("http://", "https://")):
        _examine_for(contest, is_over, unconfined=unconfined)
        return
    with opened(Path(contest), unconfined=unconfined) as found:
        demand_confinement(found.ladder.sandbox.sandbox().tier, str(found.settings.ladder), unconfined=unconfined)
        note(f"examining the submissions of {found.settings.name}; Ctrl-C ends this")
        examine_for_ever(lambda _: OwnDesk(found, Handover(found)), is_over, note)


def _examine_for(url: str, is_over: Callable[[], bool], *, unconfined: bool) -> None:
    """Examine the submissions of a contest on another machine."""
    place, token = token_for(url.rstrip("/"))
    server = ContestServer(place, token, note)
    about = server.about()
    tier = int(about["sandbox"].get("tier", 0))
    if lack := unavailable(tier):
        raise ContestError(f"{about['name']} examines in sandbox tier {tier}, and {lack}")
    demand_confinement(tier, f"the ladder of {about['name']}", unconfined=unconfined)
    note(f"examining the submissions of {about['name']} at {place}; Ctrl-C ends this")
    examine_for_ever(lambda scratch: FarDesk(server, scratch), is_over, note)
