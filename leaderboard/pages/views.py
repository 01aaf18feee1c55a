"""What each page shows: from a summary and matches to the values of its template. Servers and static files share it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import permutations
from pathlib import Path
from time import monotonic
from typing import Any, Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.durations import duration
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.replays.judgement import judged_at
from ballcourt.arena.tournament.schedules.placing import Placed, PlacingPage
from ballcourt.leaderboard.model.filters import is_named, one_named
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult, SeatResult
from ballcourt.leaderboard.model.standings import Standing
from ballcourt.leaderboard.pages.charts import Axis
from ballcourt.leaderboard.pages.live import Now
from ballcourt.leaderboard.pages.source import Source
from ballcourt.leaderboard.pages.summaries import LadderSummary, Point, Summary, bot_id
from ballcourt.leaderboard.show import by_rules
from ballcourt.leaderboard.show.explanation import explanation, warnings
from ballcourt.leaderboard.show.terminal import columns
from ballcourt.leaderboard.store.database import Database
from ballcourt.leaderboard.store.listing import Place, Wanted
from ballcourt.leaderboard.store.tallies import Tally
from ballcourt.leaderboard.studies.combined import cells, combined
from ballcourt.leaderboard.studies.head_to_head import Meeting
from ballcourt.leaderboard.studies.mistakes import mistakes_of
from ballcourt.leaderboard.studies.openings import openings
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.web.render import Page

ROWS: Final = 100
"""How many rows of a table a page has."""
FIRST_ROWS: Final = 10
"""How many rows of each ladder the home page has if there are several."""
CELLS: Final = 30
"""How many bots a page of the matrix compares with how many others."""
MOST_OPPONENTS: Final = 100
SHOWN: Final = 50
"""How many matches a list has on a page."""
NEWEST: Final = 20
"""How many of its newest matches a bot's page lists."""
MOST_OPENINGS: Final = 300
"""Of how many of its newest matches a table shows the first decisions."""
KINDS: Final = tuple(
    name.removeprefix("TERMINATION_") for name, number in Termination.items() if number > Termination.TERMINATION_OK
)
"""How a bot can lose its seat."""

SORTED_BY: Final = {
    "rank": lambda row: row.rank,
    "bot": lambda row: (row.entrant.name.lower(), row.entrant.version),
    "rating": lambda row: -row.rating,
    "matches": lambda row: -row.matches,
    "beaten": lambda row: -(row.beaten or 0),
    "wins": lambda row: -row.wins,
    "score": lambda row: -(row.score or 0),
    "faults": lambda row: -row.faults,
}
"""How rows can be sorted on the server: the order that most want first."""

LESS_IMPORTANT: Final = ("95% interval", "ranks", "above next", "beaten", "by points")
"""The columns of a table that come last: what narrow windows do not show."""
RANKED_FROM: Final = 6
"""After how many matches a table shows the rank of a bot."""

OLD_S: Final = 300.0
"""Pages say how old they are when nothing has looked at the results for longer."""


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

    @property
    def contenders(self) -> int:
        """How many bots may be the best, at 95 % confidence."""
        return sum(row.estimate is not None and row.estimate.ranks[0] == 1 for row in self.info.board.rows)

    @property
    def sure_leader(self) -> bool:
        """Whether the results leave only one bot in the first place."""
        return self.contenders == 1 and len(self.info.board.rows) > 1


@dataclass(frozen=True, slots=True)
class BotInLadder:
    """What is known of a bot in one ladder."""

    info: LadderSummary
    row: Standing
    cells: Mapping[str, list[str]]
    tally: Tally
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
    game: str = ""
    """The game that is played, the first of several; empty while that is not known."""


FIRST: Final = Rows()


class NoPageError(LookupError):
    """There is nothing at an address; the sentence says what is missing."""


@dataclass(slots=True)
class Views:
    """The values of all pages about a source."""

    source: Source
    database: Database
    summary: Summary = field(default_factory=Summary)
    _looked: float = field(default_factory=monotonic)

    def show(self, summary: Summary | None) -> None:
        """Show another summary from now on; None: the results were looked at, and it is still right."""
        self.summary = summary or self.summary
        if not self.summary.trouble:
            self._looked = monotonic()

    def age_s(self) -> float:
        """Return how long ago the results were looked at, in seconds."""
        return monotonic() - self._looked

    def newest(self) -> Summary:
        """Return the summary that is shown now; if it is old, with the reason."""
        age_s = self.age_s()
        if age_s < OLD_S or self.summary.trouble:
            return self.summary
        return replace(self.summary, trouble=f"the results were looked at {duration(round(age_s))} ago")

    def state(self) -> tuple[str, str]:
        """Return what differs whenever a page without matches does."""
        summary = self.newest()
        return summary.version, summary.trouble

    def frame(self) -> Frame:
        """Return what every page shows."""
        summary = self.newest()
        about, ladders = summary.tournament, self.ladders()
        game = ladders[0].ladder.game if ladders else about["game"] if about else ""
        return Frame(self.source.name, about is not None, summary.trouble, summary.at, game)

    def ladders(self) -> list[LadderSummary]:
        """Return all ladders, in canonical order."""
        return [*self.summary.ladders.values()]

    def bots(self) -> list[str]:
        """Return the ids of all bots."""
        return sorted({bot for info in self.ladders() for bot in info.rows})

    def pairs(self, most: int) -> list[tuple[str, str]]:
        """Return the ids of all pairs of bots that have met, in both orders; none if there are more than `most`."""
        if sum(info.bots * (info.bots - 1) for info in self.ladders()) > 2 * most:
            return []
        met = {
            (one, other)
            for info in self.ladders()
            for one, other in permutations(info.rows, 2)
            if info.meeting(one, other)
        }
        return sorted(met) if len(met) <= most else []

    def is_combined(self) -> bool:
        """Whether there are several tables and bots that have played in all."""
        played = [{row.entrant for row in board.rows} for board in self.summary.boards().values()]
        return len(played) > 1 and len(set.intersection(*played)) > 1

    def combined(self) -> Page:
        """Return one table of all tables. Raises NoPageError."""
        if not self.is_combined():
            raise NoPageError("there are not several tables with bots that have played in all of them")
        rows = combined(self.summary.boards())[:ROWS]
        notes = [(one, found) for one in self.ladders() if (found := [*warnings(one.board)])]
        title, table = f"{len(self.summary.boards())} tables combined", cells([*self.summary.boards()], rows)
        return Page("combined.html", {"title": title, "rows": rows, "cells": table, "notes": notes})

    def bot(self, name: str) -> BotVersion:
        """Return a bot by its id. Raises NoPageError."""
        for _, row in self._played(name):
            return row.entrant
        raise NoPageError("there is no bot at this address")

    def match(self, name: str) -> MatchResult:
        """Return a match by its identity or its key. Raises NoPageError."""
        found = self.database.match(name)
        if found is None:
            raise NoPageError("there is no match at this address")
        return found

    def recorded(self, name: str) -> MatchResult:
        """Return a match whose record is here. Raises NoPageError."""
        found = self.match(name)
        if not Path(found.record).is_file():
            raise NoPageError("the record of this match is no longer kept; /api/matches.csv has its result")
        return found

    # -- pages

    def home(self, now: Now | None = None) -> Page:
        """Return all tables; of several, the first rows. `now` is the progress of the tournament, if this is one."""
        summary = self.summary
        most = ROWS if len(summary.ladders) == 1 else FIRST_ROWS
        tables = [_table_page(one, FIRST, most) for one in summary.ladders.values()]
        notes = [list(explanation(one.info.board, None)) for one in tables]
        return Page(
            "leaderboard.html",
            {
                "last": summary.last if summary.last and Path(summary.last.record).is_file() else None,
                "version": summary.version,
                "tables": tables,
                "notes": notes,
                "placing": self._placing(),
                "is_combined": self.is_combined(),
                "about": summary.tournament,
                "now": now,
            },
        )

    def ladder(self, ladder: str, rows: Rows = FIRST, most: int = ROWS) -> Page:
        """Return a page of one table."""
        info = self._info(ladder)
        table, notes = _table_page(info, rows, most), list(explanation(info.board, None))
        return Page("ladder.html", {"table": table, "rows": rows, "notes": notes})

    def matrix(self, ladder: str, across: int = 1, down: int = 1) -> Page:
        """Return who is placed above whom, for `CELLS` bots by rank from page `down` and others from page `across`."""
        info = self._info(ladder)
        along, aside = (slice(CELLS * (page - 1), CELLS * page) for page in (down, across))
        some, others = info.board.rows[along], info.board.rows[aside]
        if not (some and others):
            raise NoPageError("the table has no bots of these ranks")
        shares = info.placed_above(along, aside)
        lines = [(row, [*zip(others, own, strict=True)]) for row, own in zip(some, shares, strict=True)]
        shown = {"info": info, "others": others, "lines": lines, "starts": range(1, info.bots + 1, CELLS)}
        return Page("matrix.html", {**shown, "across": across, "down": down})

    def seats(self, ladder: str) -> Page:
        """Return what each seat is worth."""
        return Page("seats.html", {"info": self._info(ladder)})

    def openings(self, ladder: str, bot: str = "") -> Page:
        """Return how the newest matches of a table began, or how a bot began in them."""
        info = self._info(ladder)
        entrant = self.named(bot) if bot else None
        wanted = Wanted(bot=entrant, game=info.ladder.game, seats=info.ladder.seats)
        listed, _ = self.database.listed(wanted, None, MOST_OPENINGS)
        found, count = openings([match for match in listed if match.ladder == info.ladder], entrant)
        return Page("openings.html", {"info": info, "bot": entrant, "openings": found, "count": count})

    def bot_page(self, name: str) -> Page:
        """Return what is known of a bot."""
        bot = self.bot(name)
        matches, end = self.database.listed(Wanted(bot=bot), None, NEWEST)
        parts = self.bot_by_ladder(name)
        about = {"bot": bot, "author": _author(bot, matches), "parts": parts, "versions": _versions(bot, parts)}
        return Page("bot.html", {**about, "matches": matches, "more": end, "mistakes": mistakes_of(bot, matches)})

    def newest_of(self, name: str) -> tuple[tuple[str, str, int], ...]:
        """Return what differs whenever the matches on a bot's page do, or one is judged. Raises NoPageError."""
        records = self.database.records(Wanted(bot=self.bot(name)), NEWEST)
        return tuple((identity, checksum, judged_at(path)) for identity, checksum, path in records)

    def bot_by_ladder(self, name: str) -> list[BotInLadder]:
        """Return what is known of a bot in each ladder where it has played."""
        found = []
        for info, row in self._played(name):
            opponents, left_out = info.opponents(name, MOST_OPPONENTS)
            tally = info.tally(row.entrant)
            history = info.histories.get(name, ())
            found.append(BotInLadder(info, row, columns([row]), tally, opponents, left_out, history))
        return found

    def _played(self, bot: str) -> list[tuple[LadderSummary, Standing]]:
        """Return the ladders where a bot, named by its id, has played, with its rows."""
        return [(info, row) for info in self.ladders() if (row := info.standing(bot))]

    def pair(self, one: str, other: str, after: Place | None) -> Page:
        """Return what two bots have in common."""
        first, second = self.bot(one), self.bot(other)
        meetings = [(info, met) for info in self.ladders() if (met := info.meeting(one, other))]
        matches, end = self.database.listed(Wanted(bot=first, rival=second), after, SHOWN)
        duels = [(match, _seats_of(match, first), _seats_of(match, second)) for match in matches]
        about = {"bot": first, "rival": second, "meetings": meetings}
        return Page("pair.html", {**about, "duels": duels, "more": end, "after": after})

    def matches(self, wanted: Wanted, after: Place | None) -> Page:
        """Return a page of the list of matches."""
        found, end = self.database.listed(wanted, after, SHOWN)
        ladders = self.ladders()
        games, sizes = {one.ladder.game for one in ladders}, {one.ladder.seats for one in ladders}
        choice = {"wanted": wanted, "games": sorted(games), "sizes": sorted(sizes)}
        return Page("matches.html", {"matches": found, "more": end, "after": after, **choice})

    def tournament(self, now: Now | None = None) -> Page:
        """Return what is known of the tournament; `now` is its progress. Raises NoPageError."""
        summary = self.summary
        if summary.tournament is None:
            raise NoPageError("these results are not those of one tournament")
        about, placing = summary.tournament, self._placing()
        if placing:
            placing["watched"] = self._watched(placing["page"])
        return Page("tournament.html", {"version": summary.version, "about": about, "placing": placing, "now": now})

    def named(self, words: str) -> BotVersion:
        """Return the bot with this id, or the only one with this name. Raises LeaderboardError."""
        for _, row in self._played(words):
            return row.entrant
        return one_named(words, {row.entrant for info in self.ladders() for row in info.board.rows})

    def _placing(self) -> dict[str, Any] | None:
        """Return who is where by the rules of the tournament; None if ratings decide."""
        page = self.summary.placing
        if page is None:
            return None
        known = {*self.bots()}
        ids = [bot_id(BotVersion(one.name, one.version, one.content_hash)) for one in page.bots]
        places, groups = page.placing.places, page.placing.groups
        return {
            "page": page,
            "title": by_rules.title(page),
            "ids": [one if one in known else "" for one in ids],  # those without a match have no page
            "first": _places(page, places[:ROWS]),
            "whole": _places(page, places),
            "groups": [(group.name, _places(page, group.places)) for group in groups],
        }

    def _watched(self, page: PlacingPage) -> dict[int, str]:
        """Return the key of a match of each block of the rounds that was played."""
        firsts = {table.block: f"b{table.block:06}-r0" for one in page.placing.rounds for table in one.tables}
        known = self.database.known(firsts.values()) if firsts else ()
        return {block: key for block, key in firsts.items() if key in known}

    def _info(self, ladder: str) -> LadderSummary:
        """Return a ladder by its id. Raises NoPageError."""
        if found := self.summary.ladders.get(ladder):
            return found
        raise NoPageError("there is no table with this address")


def _author(bot: BotVersion, matches: Sequence[MatchResult]) -> str:
    """Return who wrote a bot, as the record of its newest match says; empty where that is not said or not kept."""
    with suppress(RecordError, IndexError):
        entrants = read_record(Path(matches[0].record)).entrants
        return next((one.author for one in entrants if (one.name, one.version) == (bot.name, bot.version)), "")
    return ""


def _table_page(info: LadderSummary, rows: Rows, most: int) -> TablePage:
    """Return one page of a table, with at most this many rows. Raises LeaderboardError."""
    chosen = _chosen(info.board.rows, rows)
    shown = chosen[most * (rows.page - 1) : most * rows.page]
    pages = max(1, -(-len(chosen) // most))
    unplayed = info.board.unplayed if rows.page == pages and not rows.words else []
    found, whole = columns(shown, unplayed), info.board.rows
    cells = {label: found[label] for label in sorted(found, key=lambda label: label in LESS_IMPORTANT)}
    axis = Axis(min((row.low for row in whole), default=0), max((row.high for row in whole), default=1), 4, 116)
    return TablePage(info, cells, shown, len(chosen), pages, axis, unplayed)


def _chosen(standings: Sequence[Standing], rows: Rows) -> list[Standing]:
    """Return the rows with all these words, sorted. Raises LeaderboardError for a column that does not exist."""
    if rows.sort not in SORTED_BY:
        raise LeaderboardError(f"sort is '{rows.sort}'; it must be one of {', '.join(SORTED_BY)}")
    words = rows.words.lower().split()
    found = [
        row
        for row in standings
        if not words or is_named(rows.words, row.entrant) or all(word in str(row.entrant).lower() for word in words)
    ]
    return sorted(found, key=SORTED_BY[rows.sort], reverse=rows.reverse)


def _places(page: PlacingPage, rows: Sequence[Placed]) -> dict[str, Any]:
    return {"cells": by_rules.columns(page, rows), "rows": rows}


def _versions(bot: BotVersion, parts: Sequence[BotInLadder]) -> list[Standing]:
    """Return the other bots of this name in the ladders where it has played, without doubles."""
    found = {
        row.entrant: row
        for part in parts
        for row in part.info.board.rows
        if row.entrant.name == bot.name and row.entrant != bot
    }
    return [found[entrant] for entrant in sorted(found)][:ROWS]


def _seats_of(match: MatchResult, bot: BotVersion) -> list[tuple[int, SeatResult]]:
    return [(number, seat) for number, seat in enumerate(match.seats) if seat.entrant == bot]
