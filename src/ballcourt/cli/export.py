"""`ballcourt replay export`: writes match records as a dataset."""

from pathlib import Path
from typing import Annotated

from ballcourt.arena.tournament.folder.named import named_files
from ballcourt.cli.declaring import option
from ballcourt.cli.flags import Records
from ballcourt.cli.output import say, writing


def export(
    paths: Records,
    output: Annotated[Path, option("A new folder for the dataset.", "FOLDER")],
) -> None:
    """Write every decision of match records into Parquet files, to learn from.

    A row has what the seat could know, as a vector of named features, its legal actions, the action and the outcome.
    The folder has a part for each game, with a card that says what is in it.

    \b
    Examples:
      ballcourt replay export runs/cup --output cup-decisions
      ballcourt replay export runs/cup runs/play --output decisions
    """
    from ballcourt.env.dataset import write_dataset  # it needs an extra

    with writing(output):
        parts = write_dataset(named_files(paths), output)
    say(f"{output / part}" for part in parts)
