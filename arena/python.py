"""The Python that runs this program, by paths without "..": a sandbox shows the folders that are needed alone."""

import os
import sys
from pathlib import Path


def our_python() -> str:
    """Return the path of the interpreter."""
    found = Path(sys.executable)  # in an environment of its own it is a link, which decides what can be imported
    return str(_straight(found.parent) / found.name)


def our_prefixes() -> tuple[Path, Path]:
    """Return the folder of its environment, and that of the installation which the environment belongs to."""
    return _straight(Path(sys.prefix)), _straight(Path(sys.base_prefix))


def _straight(folder: Path) -> Path:
    """Return a folder by a path that leads nowhere back: without links, if leaving out ".." names another folder."""
    short = Path(os.path.normpath(folder))
    return short if short.exists() and short.samefile(folder) else folder.resolve()
