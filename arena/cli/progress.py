"""What a running tournament shows on stderr: a live table in a terminal, a line now and then elsewhere."""

from collections.abc import Collection, Iterable
from time import monotonic
from types import TracebackType
from typing import Final, Self

from rich.console import Group
from rich.live import Live
from rich.text import Text

from ballcourt.arena.cli.output import console
from ballcourt.leaderboard.ratings import Ratings
from ballcourt.leaderboard.results import MatchResult
from ballcourt.leaderboard.standings import standings
from ballcourt.leaderboard.tables import to_table

REDRAW_S: Final = 1.0
LINE_S: Final = 10.0


class Progress:
    """Counts matches and shows how far a tournament is; the ratings are those of the moment, not the final ones."""

    def __init__(self, matches: int, played: list[MatchResult], *, live: bool = True) -> None:
        """With `live` a terminal gets a table that is drawn anew; without, it gets lines as any other file does."""
        self.played = {match.key: match for match in played}
        self._matches = matches
        self._before = len(played)
        self._ratings = _rated(played)
        self._console = console(err=True)
        self._draws = live and self._console.is_terminal
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._began = self._shown = monotonic()

    def __enter__(self) -> Self:
        if self._draws:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.stop()

    def add(self, match: MatchResult) -> None:
        """Count a match that has just been played."""
        self.played[match.key] = match
        self._ratings.add(match)
        if monotonic() - self._shown >= (REDRAW_S if self._draws else LINE_S):
            self._show()
            self._shown = monotonic()

    def forget(self, keys: Collection[str]) -> None:
        """Take matches back that do not count."""
        for key in keys:
            self.played.pop(key, None)
        self._ratings = _rated(self.played.values())

    def skip(self, matches: int) -> None:
        """Expect so many matches less."""
        self._matches -= matches

    def line(self) -> str:
        """Say how far the tournament is, how fast it goes and when it will be done."""
        new = len(self.played) - self._before
        rate = new / max(monotonic() - self._began, 1e-3)
        left = round((self._matches - len(self.played)) / rate) if new else 0
        return f"{len(self.played)} of {self._matches} matches, {rate:.1f} per second, {duration(left)} to go"

    def _show(self) -> None:
        if not self._draws:
            self._console.print(self.line())
            return
        played = list(self.played.values())
        table = to_table(played[0].ladder, standings(played, self._ratings), self._console.width)
        self._live.update(Group(table, Text(self.line())), refresh=True)


def _rated(matches: Iterable[MatchResult]) -> Ratings:
    ratings = Ratings()
    for match in matches:
        ratings.add(match)
    return ratings


def duration(seconds: int) -> str:
    """Write a time in its two largest units, hours being the largest."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
