"""`ballcourt demo`: a first tournament, from anywhere."""

from pathlib import Path
from typing import Annotated

from ballcourt.arena import files
from ballcourt.cli.declaring import option
from ballcourt.cli.flags import EventFlags, Json, LengthFlags, MachineFlags, OutcomeFlags, Treatment
from ballcourt.cli.output import note
from ballcourt.cli.tournament import tournament


def demo(
    output: Annotated[Path, option("The output folder.", "FOLDER")] = Path("runs/demo"),
    as_json: Json = False,
) -> None:
    """Play a tournament of the four reference bots.

    They play Tzolk'in for about half a minute, then you see their table. Run it again to see the table again.

    \b
    Examples:
      ballcourt demo
      ballcourt demo --output /tmp/demo --json
    """
    file = files.PACKAGE / "demo.toml"
    outcome = OutcomeFlags(output, as_json)
    tournament(EventFlags(), LengthFlags(), Treatment(), MachineFlags(), outcome, file, plan=False, times=None)
    note(f"its settings, to copy and change: {file}")
