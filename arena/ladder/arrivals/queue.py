"""Whose turn it is among the bots that wait for their check, and what is remembered of those that were refused.

Those of owners with the fewest refusals come first, then the bots with the fewest, then those of the owner whose bots
were examined least lately, so that owners take turns however many bots they bring, then those that have waited longest.
After each refusal a bot waits twice as long as after the one before, and all bots of its owner a little longer. It is
kept on disk, so that a ladder that is started again neither examines the same files again nor forgets who has to wait.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Final

from ballcourt.arena.files import MOST_JSON, read_regular, write_atomically
from ballcourt.arena.models import Model

ARRIVALS: Final = "arrivals.json"
LONGEST_PAUSE_S: Final = 3600.0
REMEMBERED_S: Final = 86400.0
"""How long refusals count."""


class Heard(Model):
    """What is known of a folder that was examined."""

    owner: str
    seen: str
    """What the folder looked like; as long as it does, it is not examined again."""
    refused: str = ""
    """The content hash of the files that were refused last; empty if its bot plays."""
    refusals: int = 0
    """How many times in a row its bot was refused."""
    refused_s: float = 0.0
    """When it was refused last, in seconds since 1970."""

    def counts(self, now_s: float) -> bool:
        """Whether its refusals still count; after a jump of the clock into the past they do not."""
        return bool(self.refusals) and 0 <= now_s - self.refused_s < REMEMBERED_S


class _Kept(Model):
    places: dict[str, Heard]


@dataclass(frozen=True, slots=True)
class _Tally:
    """The refusals of an owner's bots together, and when the last one was."""

    refusals: int = 0
    last_s: float = 0.0


class AdmissionQueue:
    """What is known of the folders in the watched folder, by place."""

    def __init__(self, folder: Path, pause_s: float) -> None:
        """`folder` is the output folder of the ladder; `pause_s` how long a bot waits after its first refusal."""
        self._path = folder / ARRIVALS
        self._pause_s = pause_s
        self._heard: dict[str, Heard] = {}
        self._turns: Counter[str] = Counter()  # by owner, when a check of theirs began last: a number that grows
        with suppress(OSError, ValueError):  # without it, all are examined again
            self._heard.update(_Kept.read_json(read_regular(self._path, MOST_JSON)).places)

    def seen(self, playing: Collection[str]) -> dict[str, str]:
        """Return what the folders looked like that need not be examined again, if bots of these places play."""
        return {place: heard.seen for place, heard in self._heard.items() if heard.refused or place in playing}

    @property
    def refused(self) -> set[str]:
        """The places of bots that were refused."""
        return {place for place, heard in self._heard.items() if heard.refused}

    def refused_hash(self, place: str) -> str:
        """Return the content hash of the files that were refused last; empty if there are none."""
        heard = self._heard.get(place)
        return heard.refused if heard else ""

    def ordered(self, places: Iterable[str], owners: Mapping[str, str]) -> list[str]:
        """Return the places that need not wait longer, those first whose turn it is.

        `places` are in the order in which they arrived.
        """
        now_s = time()
        tallies = self._tallies(now_s)
        ready = [place for place in places if self._until_s(place, tallies[owners[place]], now_s) <= now_s]
        ready.sort(key=lambda place: (tallies[owners[place]].refusals, self._own(place, now_s)))
        rank, before = {}, Counter[str]()
        for place in ready:
            owner = owners[place]
            rank[place] = tallies[owner].refusals, self._own(place, now_s), before[owner], self._turns[owner]
            before[owner] += 1
        return sorted(ready, key=rank.__getitem__)

    def begin(self, owner: str) -> None:
        """Note that the check of a bot of this owner begins."""
        self._turns[owner] = max(self._turns.values(), default=0) + 1

    def admit(self, place: str) -> None:
        """Forget what is known of a bot. Raises OSError."""
        if self._heard.pop(place, None):
            self._keep()

    def plays(self, place: str, owner: str, seen: str) -> None:
        """Remember that the bot of a folder plays already. Raises OSError."""
        self._heard[place] = Heard(owner=owner, seen=seen)
        self._keep()

    def refuse(self, place: str, owner: str, seen: str, refused: str) -> float:
        """Remember that a bot was refused; return until when it has to wait, in seconds since 1970. Raises OSError."""
        now_s = time()
        refusals = min(self._own(place, now_s) + 1, 1000)
        self._heard[place] = Heard(owner=owner, seen=seen, refused=refused, refusals=refusals, refused_s=now_s)
        self._keep()
        return self._until_s(place, self._tallies(now_s)[owner], now_s)

    def forget_files(self, place: str) -> None:
        """Forget which files of a bot were refused, but not that it was. Raises OSError."""
        if heard := self._heard.get(place):
            self._heard[place] = heard.model_copy(update={"seen": "", "refused": ""})
            self._keep()

    def drop(self, present: Collection[str]) -> None:
        """Forget the folders that are gone, once their refusals do not count any more. Raises OSError."""
        now_s = time()
        gone = [place for place, heard in self._heard.items() if place not in present and not heard.counts(now_s)]
        for place in gone:
            del self._heard[place]
        if gone:
            self._keep()

    def _own(self, place: str, now_s: float) -> int:
        heard = self._heard.get(place)
        return heard.refusals if heard and heard.counts(now_s) else 0

    def _tallies(self, now_s: float) -> defaultdict[str, _Tally]:
        """Return the refusals that count, by owner."""
        tallies = defaultdict[str, _Tally](_Tally)
        for heard in self._heard.values():
            if heard.counts(now_s):
                before = tallies[heard.owner]
                last_s = max(before.last_s, heard.refused_s)
                tallies[heard.owner] = _Tally(before.refusals + heard.refusals, last_s)
        return tallies

    def _until_s(self, place: str, of_owner: _Tally, now_s: float) -> float:
        """Return until when a bot has to wait, in seconds since 1970."""
        own = self._own(place, now_s)
        pause_s = min(self._pause_s * 2.0 ** (own - 1), LONGEST_PAUSE_S) if own else 0.0
        owner_s = min(self._pause_s * of_owner.refusals, LONGEST_PAUSE_S)
        return max(self._heard[place].refused_s + pause_s if own else 0.0, of_owner.last_s + owner_s)

    def _keep(self) -> None:
        write_atomically(self._path, _Kept(places=self._heard).model_dump_json(exclude_defaults=True).encode())
