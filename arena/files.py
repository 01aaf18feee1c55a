"""Files that are either there in full or not there at all, and those that people write."""

import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import ballcourt

TEMPORARY = ".ballcourt-tmp"
PACKAGE: Final = Path(ballcourt.__path__[0])
"""Where Ballcourt is: in site-packages or in a checkout."""


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file. Raises OSError, and ValueError with what is wrong when it is not valid TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:  # tables nested too deeply for the parser; else it raises a ValueError
        raise ValueError(str(error)) from error


@contextmanager
def in_place_of(path: Path) -> Iterator[Path]:
    """Give a temporary name beside the path, and move what is there in the end into place, after an error nothing.

    The folder above exists. Raises OSError, which names the path and not the temporary name.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        _discard(temporary)  # one that a killed process of our number left keeps its own mode
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        _discard(temporary)


def write_atomically(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file under a temporary name and move it into place; its folder exists. Raises OSError.

    `mode` says who may read and write it, less what the umask forbids.
    """
    with (
        in_place_of(path) as temporary,
        open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file,
    ):
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_folder_atomically(path: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder with these files under a temporary name and move it into place, in place of an older one.

    The folder above it exists. Raises OSError.
    """
    with in_place_of(path) as temporary:
        temporary.mkdir()
        for name, data in files.items():
            (temporary / name).write_bytes(data)
        if path.exists():
            shutil.rmtree(path)


def discard_temporaries(folder: Path) -> None:
    """Remove what a killed process left half written in a folder that nobody else writes to now."""
    for leftover in folder.glob(f".*{TEMPORARY}"):
        _discard(leftover)


def _discard(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    elif path.exists():
        path.unlink()
