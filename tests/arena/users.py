"""Runs commands as an ordinary user, also when the tests are run by root."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.sandbox.visible import visible_paths

USER = "60998"
ROOT = Path(__file__).parents[2]


def ordinarily(command: Sequence[str], bot: Bot) -> list[str]:
    """The command as an ordinary user runs it; what this installation and the bot need is opened to that user."""
    if os.geteuid():
        return [*command]
    needed = [*visible_paths(bot), *(ROOT / part for part in ("arena", "leaderboard", "bots", "tests"))]
    rights = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    to_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    return ["bwrap", "--dev-bind", "/", "/", *_opened(needed), *rights, "--", *to_user, *command]


def _opened(needed: Iterable[Path]) -> Iterator[str]:
    """Put folders that only root can enter behind others, which hold nothing but what is needed."""
    behind = {path: gate for path in sorted(needed) if (gate := _closed(path))}
    for gate in set(behind.values()):
        yield from ("--perms", "0755", "--tmpfs", str(gate))
    for path, gate in behind.items():
        for folder in reversed(path.relative_to(gate).parents[:-1]):
            yield from ("--perms", "0755", "--dir", str(gate / folder))
        yield from ("--ro-bind", str(path), str(path))


def _closed(path: Path) -> Path | None:
    """The outermost folder above the path that others may not enter."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 1), None)
