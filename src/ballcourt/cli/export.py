"""`ballcourt export`: writes match records as a dataset."""

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.output import say, writing
from ballcourt.cli.replay import Records, named_records
from ballcourt.engine.core import WrongInput


class NoArrow(WrongInput):
    """The library that writes Parquet is not installed."""


def export(
    paths: Records,
    output: Annotated[
        Path, typer.Option("--output", metavar="FOLDER", help="A new folder for the dataset.", show_default=False)
    ],
) -> None:
    """Write every decision of match records into Parquet files, to learn from.

    A row has what the seat could know, as a vector of named features, its legal actions, the action and the outcome.
    The folder has a part for each game, with a card that says what is in it.

    \b
    Examples:
      ballcourt export runs/cup --output cup-decisions
      ballcourt export runs/cup runs/play --output decisions
    """
    try:
        from ballcourt.env.dataset import write_dataset
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise NoArrow("datasets need pyarrow, which is not installed; run pip install 'ballcourt[data]'") from None
    with writing(output):
        parts = write_dataset(named_records(paths), output)
    say(f"{output / part}" for part in parts)
