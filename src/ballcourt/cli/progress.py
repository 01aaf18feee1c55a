"""What a running tournament shows on stderr: a live table in a terminal, a line now and then elsewhere."""

from collections import defaultdict
from collections.abc import Collection
from time import monotonic
from types import TracebackType
from typing import Final, Self

from rich.console import Group
from rich.live import Live
from rich.text import Text

from ballcourt.arena.printable import values_of
from ballcourt.arena.tournament.folder.events import BlockVoided, MatchesSkipped, MatchPlayed, RunEvent
from ballcourt.arena.tournament.folder.overview import Overview
from ballcourt.cli.output import console
from ballcourt.leaderboard.model.ratings import Ratings
from ballcourt.leaderboard.model.results import Ladder, MatchResult, from_record
from ballcourt.leaderboard.model.standings import by_ladder, standings
from ballcourt.leaderboard.show.terminal import to_table

REDRAW_S: Final = 1.0
LINE_S: Final = 10.0


class Progress:
    """Follows the matches of a tournament and shows how far it is and who plays; its ratings are provisional.

    Call it with every event.
    """

    def __init__(self, *, live: bool = True) -> None:
        """With `live`, a terminal gets a table that is redrawn; otherwise it gets lines, like any other file."""
        self.overview = Overview()
        self.played: dict[str, MatchResult] = {}
        self._ratings: dict[Ladder, Ratings] = defaultdict(Ratings)
        self._console = console(err=True)
        self._draws = live and self._console.is_terminal
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._shown = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.update(Text())  # when it stops, it would draw all that a low window had cut off
        self._live.stop()

    def __call__(self, event: RunEvent) -> None:
        """Count what happened, and show it if it is time to."""
        self.overview.add(values_of(event), monotonic())
        match event:
            case MatchPlayed():
                self._add(from_record(event.record, event.path), is_new=event.is_new)
            case BlockVoided() | MatchesSkipped():
                self._forget(event.keys)
            case _:
                pass

    def _add(self, match: MatchResult, *, is_new: bool) -> None:
        self.played[match.key] = match
        if self._draws:
            self._ratings[match.ladder].add(match)
        if not is_new:
            self._shown = monotonic()
        elif monotonic() - self._shown >= (REDRAW_S if self._draws else LINE_S):
            self._show()
            self._shown = monotonic()

    def _forget(self, keys: Collection[str]) -> None:
        if not self.played.keys() & set(keys):
            return
        for key in keys:
            self.played.pop(key, None)
        self._ratings.clear()
        for match in self.played.values() if self._draws else ():
            self._ratings[match.ladder].add(match)

    def _show(self) -> None:
        now = monotonic()
        if not self._draws:
            self._console.print(self.overview.line(now))
            return
        self._live.start()
        tables = (
            to_table(ladder, standings(played, self._ratings[ladder]), self._console.width)
            for ladder, played in by_ladder(self.played.values()).items()
        )
        lines = map(Text, (self.overview.line(now), *self.overview.tables(now)))
        self._live.update(Group(*lines, *tables), refresh=True)  # a low window cuts off the end
