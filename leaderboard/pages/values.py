"""The values of each page: what its template shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.tournament.schedules.placing import Placed, PlacingPage
from ballcourt.leaderboard.model.results import MatchResult, SeatResult
from ballcourt.leaderboard.model.standings import Standing
from ballcourt.leaderboard.pages.charts import Axis
from ballcourt.leaderboard.pages.happening import Happening
from ballcourt.leaderboard.pages.live import Now
from ballcourt.leaderboard.pages.summaries import Economy, LadderSummary, Point, bot_id
from ballcourt.leaderboard.store.listing import Place, Wanted
from ballcourt.leaderboard.store.tallies import Tally
from ballcourt.leaderboard.studies.combined import Combined
from ballcourt.leaderboard.studies.head_to_head import Meeting
from ballcourt.leaderboard.studies.mistakes import Mistakes
from ballcourt.leaderboard.studies.openings import Opening


@dataclass(frozen=True, slots=True)
class Rows:
    """Which rows of a table are wanted, in which order."""

    sort: str = "rank"
    reverse: bool = False
    words: str = ""
    page: int = 1


@dataclass(frozen=True, slots=True)
class TablePage:
    """Some rows of the table of a ladder."""

    info: LadderSummary
    cells: Mapping[str, list[str]]
    rows: Sequence[Standing]
    count: int
    """How many rows there are on all pages."""
    pages: int
    axis: Axis
    unplayed: Sequence[tuple[BotVersion, str]] = ()
    """Entrants without a match, below the last row."""

    @property
    def is_whole(self) -> bool:
        """Whether these are all rows."""
        return len(self.rows) == self.info.bots

    def trend(self, bot: BotVersion) -> tuple[float, ...]:
        """Return the ratings of a bot after more and more matches."""
        return tuple(point.rating for point in self.info.histories.get(bot_id(bot), ()))


@dataclass(frozen=True, slots=True)
class PlacesPage:
    """Some places of a placing."""

    cells: Mapping[str, list[str]]
    rows: Sequence[Placed]


@dataclass(frozen=True, slots=True)
class PlacingView:
    """Who is where by the rules of a tournament's format."""

    page: PlacingPage
    title: str
    ids: Sequence[str]
    """The id of each entrant; empty for those without a page, as they have no match."""
    first: PlacesPage
    whole: PlacesPage
    groups: Sequence[tuple[str, PlacesPage]]


@dataclass(frozen=True, slots=True)
class BotInLadder:
    """What is known of a bot in one ladder."""

    info: LadderSummary
    row: Standing
    cells: Mapping[str, list[str]]
    tally: Tally
    economy: Economy | None
    opponents: Sequence[tuple[Standing, Meeting]]
    left_out: int
    """How many more opponents there are."""
    history: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page shows."""

    name: str
    has_tournament: bool = False
    trouble: str = ""
    """Why the tables are old; empty if nothing is wrong."""
    computed: str = ""
    """When they were made, in UTC; empty before the first."""


@dataclass(frozen=True, slots=True)
class HomeView:
    """All tables; of several, the first rows."""

    template: ClassVar = "leaderboard.html"
    version: str
    tables: Sequence[TablePage]
    notes: Sequence[list[str]]
    placing: PlacingView | None
    is_combined: bool
    now: Now | None
    """The progress of the tournament, if this is one."""


@dataclass(frozen=True, slots=True)
class LadderView:
    """A page of one table."""

    template: ClassVar = "ladder.html"
    table: TablePage
    rows: Rows
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class MatrixView:
    """Who is placed above whom: some bots by rank, and others."""

    template: ClassVar = "matrix.html"
    info: LadderSummary
    others: Sequence[Standing]
    lines: Sequence[tuple[Standing, list[tuple[Standing, float | None]]]]
    across: int
    down: int
    starts: range


@dataclass(frozen=True, slots=True)
class SeatsView:
    """What each seat is worth."""

    template: ClassVar = "seats.html"
    info: LadderSummary


@dataclass(frozen=True, slots=True)
class OpeningsView:
    """How the newest matches of a table began, or how a bot began in them."""

    template: ClassVar = "openings.html"
    info: LadderSummary
    bot: BotVersion | None
    openings: Sequence[Opening]
    count: int


@dataclass(frozen=True, slots=True)
class CombinedView:
    """One table of all tables."""

    template: ClassVar = "combined.html"
    title: str
    rows: Sequence[Combined]
    cells: Mapping[str, list[str]]
    notes: Sequence[tuple[LadderSummary, list[str]]]


@dataclass(frozen=True, slots=True)
class BotView:
    """What is known of a bot."""

    template: ClassVar = "bot.html"
    bot: BotVersion
    parts: Sequence[BotInLadder]
    matches: Sequence[MatchResult]
    more: Place | None
    mistakes: Sequence[Mistakes]
    versions: Sequence[Standing]


@dataclass(frozen=True, slots=True)
class PairView:
    """What two bots have in common."""

    template: ClassVar = "pair.html"
    bot: BotVersion
    rival: BotVersion
    meetings: Sequence[tuple[LadderSummary, Meeting]]
    duels: Sequence[tuple[MatchResult, list[tuple[int, SeatResult]], list[tuple[int, SeatResult]]]]
    more: Place | None
    after: Place | None


@dataclass(frozen=True, slots=True)
class MatchesView:
    """A page of the list of matches."""

    template: ClassVar = "matches.html"
    matches: Sequence[MatchResult]
    more: Place | None
    after: Place | None
    wanted: Wanted
    games: Sequence[str]
    sizes: Sequence[int]


@dataclass(frozen=True, slots=True)
class TournamentView:
    """What is known of the tournament."""

    template: ClassVar = "tournament.html"
    version: str
    about: Mapping[str, object]
    placing: PlacingView | None
    now: Now | None


@dataclass(frozen=True, slots=True)
class WallView:
    """The boards of running matches."""

    template: ClassVar = "wall.html"
    now: Now
    most_boards: int


@dataclass(frozen=True, slots=True)
class NewsView:
    """What happened, the newest first."""

    template: ClassVar = "news.html"
    news: Sequence[Happening]


@dataclass(frozen=True, slots=True)
class DataView:
    """The addresses for programs, from their OpenAPI schema."""

    template: ClassVar = "data.html"
    paths: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ErrorView:
    """What is wrong with a request."""

    template: ClassVar = "error.html"
    status: int
    detail: str
