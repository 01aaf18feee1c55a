"""`ballcourt examiner`: examines the submissions of a contest."""

import os
from pathlib import Path

from ballcourt.cli.contest import opened
from ballcourt.cli.journal import LogForm, keep_log
from ballcourt.cli.output import note
from ballcourt.contest.examining.examiner import examine_for_ever


def examiner(contest: Path, parent: int, log: str) -> None:
    """Run `ballcourt examiner`."""
    keep_log(LogForm(log), "examiner")
    with opened(contest) as found:
        note(f"examining the submissions of {found.settings.name}; Ctrl-C ends this")
        examine_for_ever(found, lambda: bool(parent) and os.getppid() != parent, note)
