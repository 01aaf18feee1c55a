"""What a running comparison of two versions shows on stderr: the evidence so far, and how long it may still take."""

from collections import defaultdict
from collections.abc import Sequence
from time import monotonic
from types import TracebackType
from typing import Final, Self

from rich.live import Live
from rich.text import Text

from ballcourt.arena.durations import duration
from ballcourt.arena.tournament.folder.events import BlockVoided, MatchPlayed, RunEvent
from ballcourt.arena.tournament.schedules.schedule import block_index
from ballcourt.cli.output import console
from ballcourt.evaluation.differences import BlockStory, story
from ballcourt.evaluation.duels import Duel
from ballcourt.evaluation.evidence import Evidence
from ballcourt.evaluation.versions import is_new
from ballcourt.evaluation.weighing import Measure, Weighing
from ballcourt.v1.record_pb2 import MatchRecord

REDRAW_S: Final = 1.0
LINE_S: Final = 10.0


class EvidenceView:
    """Follows the matches of a comparison, and keeps what its whole blocks show. Call it with every event."""

    def __init__(self, weighing: Weighing, block_size: int) -> None:
        self.matches = 0
        self.faulty: set[str] = set()
        """The matches in which a bot lost its seat."""
        self._weighing = weighing
        self._block_size = block_size
        self._stories: dict[int, BlockStory] = {}
        self._open: defaultdict[int, dict[str, MatchRecord]] = defaultdict(dict)
        self._before = 0
        self._console = console(err=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._began = self._shown = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.stop()

    def __call__(self, event: RunEvent) -> None:
        """Take in what happened, and show the evidence if it is time to."""
        match event:
            case MatchPlayed():
                self._add(event.record, is_new=event.is_new)
            case BlockVoided():
                self._forget(event.keys)
            case _:
                pass

    @property
    def stories(self) -> list[BlockStory]:
        """What the whole blocks show, in the order of the schedule."""
        return [self._stories[index] for index in sorted(self._stories)]

    @property
    def duels(self) -> list[Sequence[Duel]]:
        """The duels of the whole blocks."""
        return [story.duels for story in self.stories]

    def line(self) -> str:
        """Return the evidence that decides, and how long it may still take, in a line."""
        weighing, found = self._weighing, self._weighing.deciding(self.duels)
        asked = weighing.decides_on
        doing = "makes {} points a duel" if weighing.by is Measure.POINTS else "wins {} of the duels"
        share, low, high = (weighing.written(value) for value in (found.share, found.low, found.high))
        text = f"{self.matches} matches: new {doing.format(share)} ({low} to {high}); "
        text += f"evidence for more than {weighing.bound_written(asked.floor)}: {_level(found.better)}, "
        text += f"for less than {weighing.bound_written(asked.effect)}: {_level(found.short)}"
        return text + self._to_go(found)

    def _to_go(self, found: Evidence) -> str:
        new = self.matches - self._before
        blocks = found.blocks_to_go
        if not blocks or not new:
            return ""
        matches = blocks * self._block_size
        seconds = round(matches * (monotonic() - self._began) / new)
        return f"; about {matches} matches, {duration(seconds)}, to go"

    def _add(self, record: MatchRecord, *, is_new: bool) -> None:
        self.matches += 1
        if record.faults:
            self.faulty.add(record.key)
        index = block_index(record.key) or 0
        block = self._open[index]
        block[record.key] = record
        if len(block) == self._block_size:
            self._stories[index] = _story_of(self._open.pop(index))
        if not is_new:
            self._before += 1
            self._began = self._shown = monotonic()
        elif monotonic() - self._shown >= (REDRAW_S if self._console.is_terminal else LINE_S):
            self._show()
            self._shown = monotonic()

    def _forget(self, keys: Sequence[str]) -> None:
        self.faulty.difference_update(keys)
        index = block_index(keys[0]) or 0
        whole = self._stories.pop(index, None)
        self.matches -= self._block_size if whole else len(self._open.pop(index, ()))

    def _show(self) -> None:
        if not self._console.is_terminal:
            self._console.print(self.line())
            return
        self._live.start()
        self._live.update(Text(self.line()), refresh=True)


def _story_of(block: dict[str, MatchRecord]) -> BlockStory:
    return story([block[key] for key in sorted(block, key=_number)], is_new)


def _number(key: str) -> int:
    """Return the number of a match in its block."""
    return int(key.rpartition("-r")[2])


def _level(evidence: float) -> str:
    return f"{max(0.0, min(evidence, 1.0)):.0%}"
