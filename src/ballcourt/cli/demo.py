"""`ballcourt demo`: a first tournament, from anywhere."""

from pathlib import Path

from ballcourt.arena import files
from ballcourt.cli.flags import EventFlags, LengthFlags, MachineFlags, OutcomeFlags, Treatment
from ballcourt.cli.output import note
from ballcourt.cli.tournament import tournament


def demo(output: Path, as_json: bool) -> None:
    """Run `ballcourt demo`."""
    file = files.PACKAGE / "demo.toml"
    outcome = OutcomeFlags(output, as_json)
    tournament(EventFlags(), LengthFlags(), Treatment(), MachineFlags(), outcome, file, plan=False, times=None)
    note(f"its settings, to copy and change: {file}")
