"""`ballcourt replay export`: writes match records as a dataset."""

from pathlib import Path

from ballcourt.cli.output import say, writing
from ballcourt.cli.records import named_records
from ballcourt.env.dataset import write_dataset


def export(paths: list[Path], output: Path) -> None:
    """Run `ballcourt replay export`."""
    with writing(output):
        parts = write_dataset(named_records(paths), output)
    say(f"{output / part}" for part in parts)
