"""`ballcourt examiner`: examines the submissions of a contest."""

import os
from collections.abc import Callable
from pathlib import Path

from ballcourt.arena.sandbox.tiers import unavailable
from ballcourt.cli.contest import opened
from ballcourt.cli.journal import LogForm, keep_log
from ballcourt.cli.output import note
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import token_for
from ballcourt.contest.examining.desks import OwnDesk
from ballcourt.contest.examining.examiner import examine_for_ever
from ballcourt.contest.examining.far_desk import FarDesk
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.refusals import ContestError


def examiner(contest: str, parent: int, log: str) -> None:
    """Run `ballcourt examiner`."""
    keep_log(LogForm(log), "examiner")

    def is_over() -> bool:
        return bool(parent) and os.getppid() != parent

    if contest.startswith(("http://", "https://")):
        _examine_for(contest, is_over)
        return
    with opened(Path(contest)) as found:
        note(f"examining the submissions of {found.settings.name}; Ctrl-C ends this")
        examine_for_ever(lambda _: OwnDesk(found, Handover(found)), is_over, note)


def _examine_for(url: str, is_over: Callable[[], bool]) -> None:
    """Examine the submissions of a contest on another machine."""
    place, token = token_for(url.rstrip("/"))
    server = ContestServer(place, token, note)
    about = server.about()
    if lack := unavailable(int(about["sandbox"]["tier"])):
        raise ContestError(f"{about['name']} examines in sandbox tier {about['sandbox']['tier']}, and {lack}")
    note(f"examining the submissions of {about['name']} at {place}; Ctrl-C ends this")
    examine_for_ever(lambda scratch: FarDesk(server, scratch), is_over, note)
