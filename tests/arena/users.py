"""Runs commands as an ordinary user, even when the tests are run by root.

`python -m tests.arena.users COMMAND` does so with a command that needs only this checkout and its Python.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.sandbox.visible import visible_paths
from tests.needs import lack

USER = "60998"
ROOT = Path(__file__).parents[2]


def ordinarily(command: Sequence[str], bot: Bot) -> list[str]:
    """Return the command as an ordinary user runs it, with read access to this installation and the bot."""
    return readably(
        command, [*visible_paths(bot), *(ROOT / part for part in ("arena", "leaderboard", "bots", "tests"))]
    )


def readably(command: Sequence[str], needed: Iterable[Path]) -> list[str]:
    """Return the command as an ordinary user runs it, with read access to these files and folders."""
    if os.geteuid():
        return [*command]
    if not shutil.which("bwrap"):
        lack("sandbox")
    rights = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    to_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    return ["bwrap", "--dev-bind", "/", "/", *_opened(needed), *rights, "--", *to_user, *command]


def _opened(needed: Iterable[Path]) -> Iterator[str]:
    """Hide each folder that only root can enter behind one that contains only what is needed."""
    behind = {path: gate for path in sorted(needed) if (gate := _closed(path))}
    for gate in set(behind.values()):
        yield from ("--perms", "0755", "--tmpfs", str(gate))
    for path, gate in behind.items():
        for folder in reversed(path.relative_to(gate).parents[:-1]):
            yield from ("--perms", "0755", "--dir", str(gate / folder))
        yield from ("--ro-bind", str(path), str(path))


def _closed(path: Path) -> Path | None:
    """Return the outermost folder above the path that others may not enter."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 1), None)


if __name__ == "__main__":
    program = readably(sys.argv[1:], [ROOT, Path(sys.prefix), Path(sys.base_prefix)])
    os.execvp(program[0], program)
