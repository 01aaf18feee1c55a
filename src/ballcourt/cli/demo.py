"""`ballcourt demo`: a first tournament, from anywhere."""

from pathlib import Path

from ballcourt.arena import files
from ballcourt.cli.flags import EventFlags, LengthFlags, MachineFlags, Treatment
from ballcourt.cli.output import note
from ballcourt.cli.tournament import tournament


def demo(output: Path, as_json: bool) -> None:
    """Run `ballcourt demo`."""
    file = files.PACKAGE / "demo.toml"
    tournament(
        EventFlags(),
        LengthFlags(),
        Treatment(),
        MachineFlags(),
        file,
        plan=False,
        times=None,
        output=output,
        fail_on_fault=False,
        as_json=as_json,
    )
    note(f"its settings, to copy and change: {file}")
