"""The virtual environment of a bot: the Python that its bot.toml names, and the packages that it requires.

Bots with the same Python and the same requirements share one, unless the requirements name files of the bot's folder.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.interpreters import Interpreter, find_interpreter, our_interpreter
from ballcourt.arena.bots.packages import PackageList
from ballcourt.arena.bots.requirements import Requirements
from ballcourt.arena.files import PACKAGE

SDK_NEEDS: Final = ("grpcio>=1.66,<2", "protobuf>=6.31.1,<8", "tomli>=2; python_version < '3.11'")
"""What the SDK for Python needs, as in its pyproject.toml."""
LIBRARIES: Final = ("site-packages", "dist-packages")
"""The names of folders on the import path that hold installed packages."""


@dataclass(frozen=True)
class Venv:
    """A virtual environment that a bot is started in."""

    interpreter: Interpreter
    requirements: Requirements | None
    files: str
    """The content hash of the bot if the environment is its alone, else empty."""
    listed: PackageList | None = None
    """The packages of which it may consist; None: any."""

    @property
    def key(self) -> str:
        """What it is kept by in the cache, hexadecimal. The arena is part of it, because it gives the bot its SDK."""
        required = self.requirements
        requirements = [required.text, required.is_lock] if required else []
        parts = [str(self.interpreter.program), self.interpreter.version, str(PACKAGE), requirements, self.files]
        parts += [[*map(str, self.listed.packages)]] if self.listed else []
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def venv_of(python: str, requirements: Requirements | None, files: str) -> Venv | None:
    """Return the environment of a bot with these entries in its bot.toml, and this content hash; None if it needs none.

    Raises NoInterpreter.
    """
    interpreter = find_interpreter(python) if python else our_interpreter()
    if not requirements and interpreter.is_ours:
        return None
    return Venv(interpreter, requirements, "" if not requirements or requirements.is_plain else files)


def program_in(folder: Path) -> Path:
    """Return the interpreter in the folder of a virtual environment."""
    return folder / "bin" / "python"


def give_sdk(folder: Path, interpreter: Interpreter) -> None:
    """Make Ballcourt importable in a new virtual environment.

    Those of our interpreter also find what else is installed for us, after what is installed in the environment.
    """
    packages = folder / "lib" / f"python{interpreter.minor}" / "site-packages"
    (packages / PACKAGE.name).symlink_to(PACKAGE)
    if interpreter.is_ours:
        lines = "".join(f"import site; site.addsitedir({str(path)!r})\n" for path in our_libraries())
        (packages / "arena.pth").write_text(lines, encoding="utf-8")


def our_libraries() -> Iterator[Path]:
    """Yield the folders in which packages are installed for us."""
    yield from (path for path in map(Path, sys.path) if path.name in LIBRARIES)
