"""Files that are either there in full or not there at all."""

import os
from pathlib import Path

TEMPORARY = ".ballcourt-tmp"


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file under a temporary name and move it into place; its folder exists. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def discard_temporaries(folder: Path) -> None:
    """Remove what a killed process left half written in a folder that nobody else writes to now."""
    for leftover in folder.glob(f".*{TEMPORARY}"):
        leftover.unlink(missing_ok=True)
