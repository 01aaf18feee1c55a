"""Files that are either there in full or not there at all."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

TEMPORARY = ".ballcourt-tmp"


def write_atomically(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file under a temporary name and move it into place; its folder exists. Raises OSError.

    `mode` says who may read and write it, less what the umask forbids.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        temporary.unlink(missing_ok=True)  # one that a killed process of our number left keeps its own mode
        with open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_folder_atomically(path: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder with these files under a temporary name and move it into place, in place of an older one.

    The folder above it exists. Raises OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir()
        for name, data in files.items():
            (temporary / name).write_bytes(data)
        if path.exists():
            shutil.rmtree(path)
        temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def discard_temporaries(folder: Path) -> None:
    """Remove what a killed process left half written in a folder that nobody else writes to now."""
    for leftover in folder.glob(f".*{TEMPORARY}"):
        if leftover.is_dir():
            shutil.rmtree(leftover, ignore_errors=True)
        else:
            leftover.unlink(missing_ok=True)
