"""The watched folder of a ladder: which folders in it have changed and then settled.

A folder counts once two looks at it, some seconds apart, find the same names, sizes and times: then no one is copying
into it. Names that begin with a dot are ignored, and so is everything that is not a folder. To be sure, copy a bot to
`.mine` first and rename it to `mine`.
"""

import os
import pwd
from collections import deque
from collections.abc import Mapping
from itertools import islice
from math import inf
from pathlib import Path
from time import monotonic
from typing import Final

from ballcourt.arena.bots.contents import MOST_NAMES, signature
from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.naming import line_objection, name_objection
from ballcourt.arena.tournament.event.model import SettingsError

LOOK_S: Final = 5.0
"""How long to wait between two looks."""


class Inbox:
    """The folders in a watched folder, as the last looks found them."""

    def __init__(self, path: Path) -> None:
        """Raise SettingsError if there is no such folder."""
        if not path.is_dir():
            raise SettingsError(f"{path}, the folder from which bots join, does not exist; make it, even if empty")
        self.path = path
        self.looks = 0
        """How many looks are complete."""
        self.is_away = False
        """Whether another folder without bots is at its path, such as where a network share is mounted."""
        self._home: tuple[int, int] | None = None
        self._coming: deque[str] | None = None  # what is left of a look
        self._seen: dict[str, str] = {}  # by it so far
        self._found: dict[str, str] = {}
        self._settled: dict[str, str] = {}
        self._handled: dict[str, str] = {}
        self._waiting: dict[str, None] = {}  # in the order in which they arrived

    @property
    def places(self) -> frozenset[str]:
        """The names of all folders that the last look found."""
        return frozenset(self._found)

    def look(self, most_s: float = inf) -> bool:
        """Begin a look at all folders, or go on with it, for about this time; return whether it is complete.

        Raises OSError if the watched folder cannot be read.
        """
        if self._coming is None:
            self._coming, self._seen = deque(self._names()), {}
        ends_s = monotonic() + most_s
        while self._coming:
            name = self._coming.popleft()
            self._seen[name] = signature(self.path / name)
            if self._coming and monotonic() >= ends_s:
                return False
        self._coming = None
        self._end_look()
        return True

    def _names(self) -> list[str]:
        """List the folders, and see whether this is the watched folder."""
        at = self.path.stat()
        with os.scandir(self.path) as entries:
            names = [
                entry.name
                for entry in islice(entries, MOST_NAMES)
                if not entry.name.startswith(".")
                and not line_objection(entry.name)
                and entry.is_dir(follow_symlinks=False)
            ]
        home = at.st_dev, at.st_ino
        self.is_away = not names and home != self._home
        self._home = home if names else self._home
        return sorted(names)

    def _end_look(self) -> None:
        self._settled = {name: seen for name, seen in self._seen.items() if self._found.get(name) == seen}
        self._found = self._seen
        if not self.is_away:  # one that comes back counts as changed
            self._handled = {name: seen for name, seen in self._handled.items() if name in self._found}
        waiting = [name for name, seen in self._settled.items() if self._handled.get(name) != seen]
        self._waiting = dict.fromkeys([*(name for name in self._waiting if name in waiting), *waiting])
        self.looks += 1

    def arrivals(self) -> list[str]:
        """Return the folders that have settled and have changed since they were handled, the first to come first."""
        return [*self._waiting]

    def handled(self, place: str) -> str:
        """Ignore a folder until it differs from what it was when it settled; return what it looked like then."""
        self._waiting.pop(place, None)
        self._handled[place] = self._settled[place]
        return self._handled[place]

    def handled_before(self, seen: Mapping[str, str]) -> None:
        """Ignore folders as long as they look like this."""
        self._handled.update(seen)

    def is_unchanged(self, place: str) -> bool:
        """Whether a folder is as it was when it settled."""
        return signature(self.path / place) == self._settled.get(place)

    def wait_for(self, place: str) -> None:
        """Report a folder as changed, once it has settled again."""
        self._handled.pop(place, None)
        self._waiting.pop(place, None)
        self._settled.pop(place, None)
        self._found[place] = ""

    def forget(self, place: str) -> None:
        """Report a folder as changed."""
        self._handled.pop(place, None)
        if place in self._settled:
            self._waiting[place] = None

    def user_of(self, place: str) -> str:
        """Return the account that owns a folder, or its number; empty if the folder is gone."""
        try:
            user = (self.path / place).lstat().st_uid
        except OSError:
            return ""
        try:
            name = pwd.getpwuid(user).pw_name
        except KeyError:
            return f"uid-{user}"
        return f"uid-{user}" if name == LADDER_ITSELF or name_objection(name) else name
