"""What each page shows: from answers and matches to the values of its template. Servers and static files share it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ballcourt.leaderboard.model.filters import is_named, one_named
from ballcourt.leaderboard.model.results import Entrant, Ladder, LeaderboardError, MatchResult, SeatResult
from ballcourt.leaderboard.model.standings import Board, Standing
from ballcourt.leaderboard.pages.addresses import bot_id
from ballcourt.leaderboard.pages.answers import STATUS, VERSION, Answers
from ballcourt.leaderboard.pages.charts import Axis
from ballcourt.leaderboard.pages.source import Source
from ballcourt.leaderboard.pages.summaries import CELLS
from ballcourt.leaderboard.show.explanation import explanation
from ballcourt.leaderboard.show.terminal import columns
from ballcourt.leaderboard.store.database import Database
from ballcourt.leaderboard.store.listing import Place, Wanted
from ballcourt.leaderboard.store.snapshot import decoded
from ballcourt.v1.protocol_pb2 import Termination

ROWS: Final = 100
"""How many rows of a table a page has."""
FIRST_ROWS: Final = 10
"""How many rows of each ladder the home page has if there are several."""
MOST_OPPONENTS: Final = 100
SHOWN: Final = 50
"""How many matches a list has on a page."""
NEWEST: Final = 20
"""How many of its newest matches a bot's page lists."""
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

Values = dict[str, Any]


class NoPageError(LookupError):
    """There is nothing at an address; the sentence says what is missing."""


@dataclass(frozen=True, slots=True)
class LadderInfo:
    """A ladder, and how much there is of it."""

    id: str
    ladder: Ladder
    matches: int
    bots: int


@dataclass(frozen=True, slots=True)
class Rows:
    """Which rows of a table are wanted, in which order."""

    sort: str = "rank"
    reverse: bool = False
    words: str = ""
    page: int = 1


FIRST: Final = Rows()


@dataclass(frozen=True, slots=True)
class Table:
    """The table of a ladder as it is in one version of the answers."""

    version: str
    board: Board
    by_id: Mapping[str, Standing]
    """The rows by the ids of their bots."""
    trends: Mapping[str, tuple[float, ...]]
    """The ratings of each bot, by its id, after more and more matches; empty before there are histories."""


@dataclass(slots=True)
class Views:
    """The values of all pages about a source."""

    source: Source
    database: Database
    answers: Answers
    _tables: dict[str, Table] = field(default_factory=dict)
    """The tables that were last read, by the ids of their ladders."""
    _strings: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Strings about whole tables, by name, each with the version of the answers it was made from."""

    def common(self) -> Values:
        """Return what every page shows."""
        status, tournament = self.answers.get(STATUS, "tournament")
        return {
            "name": self.source.name,
            "has_tournament": tournament is not None,
            "trouble": (status or {}).get("trouble", ""),
            "computed": (status or {}).get("at", ""),
        }

    def ladders(self) -> list[LadderInfo]:
        """Return all ladders, in canonical order."""
        (overview,) = self.answers.get("overview")
        return [
            LadderInfo(one["id"], _ladder(one["ladder"]), one["matches"], one["bots"])
            for one in (overview or {"ladders": []})["ladders"]
        ]

    def table(self, ladder: str) -> Table:
        """Return the table of a ladder by its id. Raises NoPageError."""
        known = self._tables.get(ladder)
        if known and known.version == self.answers.version():
            return known
        version, text, trends = self.answers.get(VERSION, f"board {ladder}", f"trends {ladder}")
        if text is None:
            raise NoPageError("there is no table with this address")
        (board,) = decoded(text).values()
        by_id = {bot_id(row.entrant): row for row in board.rows}
        table = Table(version, board, by_id, {name: tuple(ratings) for name, ratings in (trends or {}).items()})
        self._tables[ladder] = table
        return table

    def board(self, ladder: str) -> Board:
        """Return the standings of a ladder by its id. Raises NoPageError."""
        return self.table(ladder).board

    def boards(self) -> dict[Ladder, Board]:
        """Return all tables."""
        return {one.ladder: self.board(one.id) for one in self.ladders()}

    def once(self, name: str, make: Callable[[], str]) -> str:
        """Return the string that `make` returns; call it again only after the answers have changed."""
        version = self.answers.version()  # the string may be newer than its version, never older
        known = self._strings.get(name)
        if known is None or known[0] != version:
            known = self._strings[name] = version, make()
        return known[1]

    def counts(self, ladder: str) -> Mapping[str, Sequence[float | None]]:
        """Return by the id of each bot its mean placement, mean points, lost seats and tolerated faults."""
        (found,) = self.answers.get(f"counts {ladder}")
        return found or {}

    def bots(self) -> list[str]:
        """Return the ids of all bots."""
        return sorted({bot_id(row.entrant) for board in self.boards().values() for row in board.rows})

    def bot(self, name: str) -> Entrant:
        """Return a bot by its id. Raises NoPageError."""
        (words,) = self.answers.get(f"bot {name}")
        if words is None:
            raise NoPageError("no bot with this address has played here")
        return Entrant(*words)

    def match(self, name: str) -> MatchResult:
        """Return a match by its identity or its key. Raises NoPageError."""
        found = self.database.match(name)
        if found is None:
            raise NoPageError("no match with this address has been played here")
        return found

    # -- pages

    def home(self) -> Values:
        """Return all tables; of several, the first rows."""
        version, ladders = self.answers.version(), self.ladders()  # a table may be newer than its version, never older
        most = ROWS if len(ladders) == 1 else FIRST_ROWS
        return {"version": version, "tables": [self._table(one, FIRST, most) for one in ladders]}

    def ladder(self, ladder: str, rows: Rows = FIRST, most: int = ROWS) -> Values:
        """Return a page of one table."""
        info = self._info(ladder)
        table = self._table(info, rows, most)
        return {"table": table, "rows": rows, "notes": list(explanation(self.board(ladder), None))}

    def matrix(self, ladder: str, across: int = 1, down: int = 1) -> Values:
        """Return who is placed above whom, for `CELLS` bots by rank from page `down` and others from page `across`."""
        info = self._info(ladder)
        ranked, shares = self._shares(ladder, down)
        columns = slice(CELLS * (across - 1), CELLS * across)
        others = ranked[columns]
        if not (others and shares):
            raise NoPageError("the table has no bots of these ranks")
        some = ranked[CELLS * (down - 1) : CELLS * down]
        lines = [(row, [*zip(others, own[columns], strict=True)]) for row, own in zip(some, shares, strict=True)]
        starts = range(1, len(ranked) + 1, CELLS)
        return {"info": info, "others": others, "lines": lines, "across": across, "down": down, "starts": starts}

    def seats(self, ladder: str) -> Values:
        """Return what each seat is worth."""
        info = self._info(ladder)
        (found,) = self.answers.get(f"seats {ladder}")
        return {"info": info, "effects": found["effects"], "scores": found["scores"]}

    def bot_page(self, name: str) -> Values:
        """Return what is known of a bot."""
        bot = self.bot(name)
        matches, end = self.database.listed(Wanted(bot=bot), None, NEWEST)
        parts = [part for info in self.ladders() if (part := self._bot_in(info, name))]
        if not parts:
            raise NoPageError("no bot with this address has played here")
        return {"bot": bot, "parts": parts, "matches": matches, "more": end, "versions": self._versions(bot, parts)}

    def pair(self, one: str, other: str, after: Place | None) -> Values:
        """Return what two bots have in common."""
        first, second = self.bot(one), self.bot(other)
        meetings = []
        for info in self.ladders():
            (found,) = self.answers.get(f"bot {info.id} {one}")
            met = found["opponents"] if found else []
            meetings += [(info, cells) for rival, *cells in met if rival == other]
        matches, end = self.database.listed(Wanted(bot=first, rival=second), after, SHOWN)
        duels = [(match, _seats_of(match, first), _seats_of(match, second)) for match in matches]
        return {"bot": first, "rival": second, "meetings": meetings, "duels": duels, "more": end, "after": after}

    def matches(self, wanted: Wanted, after: Place | None) -> Values:
        """Return a page of the list of matches."""
        found, end = self.database.listed(wanted, after, SHOWN)
        ladders = self.ladders()
        return {
            "matches": found,
            "more": end,
            "after": after,
            "wanted": wanted,
            "games": sorted({one.ladder.game for one in ladders}),
            "sizes": sorted({one.ladder.seats for one in ladders}),
            "kinds": KINDS,
        }

    def tournament(self) -> Values:
        """Return what is known of the tournament. Raises NoPageError."""
        (about,) = self.answers.get("tournament")
        if about is None:
            raise NoPageError("these results are not those of one tournament")
        return {"version": self.answers.version(), "about": about}

    def named(self, words: str) -> Entrant:
        """Return the bot with this id, or the only one with this name. Raises LeaderboardError and NoPageError."""
        (known,) = self.answers.get(f"bot {words}")
        if known:
            return Entrant(*known)
        everyone = {row.entrant for info in self.ladders() for row in self.board(info.id).rows}
        return one_named(words, everyone)

    # -- parts of pages

    def _info(self, ladder: str) -> LadderInfo:
        for one in self.ladders():
            if one.id == ladder:
                return one
        raise NoPageError("there is no table with this address")

    def _shares(self, ladder: str, page: int) -> tuple[list[Standing], list[list[float | None]] | None]:
        """Return the rows of a table and, for those of a page of the matrix, their shares against all; None beyond."""
        while True:
            table = self.table(ladder)
            version, shares = self.answers.get(VERSION, f"matrix {ladder} {page}")
            if version == table.version:  # else there were other answers in between
                return table.board.rows, shares

    def _table(self, info: LadderInfo, rows: Rows, most: int) -> Values:
        table = self.table(info.id)
        board = table.board
        chosen = _chosen(board.rows, rows)
        shown = chosen[most * (rows.page - 1) : most * rows.page]
        return {
            "info": info,
            "cells": columns(shown),
            "rows": shown,
            "count": len(chosen),
            "pages": max(1, -(-len(chosen) // most)),
            "trends": table.trends,
            "axis": _axis(board.rows),
            "is_whole": len(shown) == info.bots,
            "sorts": SORTED_BY.keys(),
        }

    def _bot_in(self, info: LadderInfo, name: str) -> Values | None:
        """Return what is known of a bot in one ladder; None if it has not played there."""
        found, history = self.answers.get(f"bot {info.id} {name}", f"history {info.id} {name}")
        if found is None:
            return None
        ranked = self.table(info.id).by_id
        if (row := ranked.get(name)) is None:
            return None
        by_meetings = sorted(found["opponents"], key=lambda one: -one[1])[:MOST_OPPONENTS]
        met = [(ranked[rival], cells) for rival, *cells in by_meetings if rival in ranked]
        opponents = sorted(met, key=lambda one: one[0].rank)
        return {
            "info": info,
            "row": row,
            "cells": columns([row]),
            "tally": found["tally"],
            "opponents": opponents,
            "left_out": len(found["opponents"]) - len(opponents),
            "history": history or [],
        }

    def _versions(self, bot: Entrant, parts: Iterable[Values]) -> list[Standing]:
        """Return the other bots of this name in the ladders where it has played, without doubles."""
        found = {}
        for part in parts:
            for row in self.board(part["info"].id).rows:
                if row.entrant.name == bot.name and row.entrant != bot:
                    found[row.entrant] = row
        return [found[entrant] for entrant in sorted(found)][:ROWS]


def _seats_of(match: MatchResult, bot: Entrant) -> list[tuple[int, SeatResult]]:
    return [(number, seat) for number, seat in enumerate(match.seats) if seat.entrant == bot]


def _chosen(standings: Sequence[Standing], rows: Rows) -> list[Standing]:
    """Return the rows with all these words, sorted. Raises LeaderboardError for a column that does not exist."""
    if rows.sort not in SORTED_BY:
        raise LeaderboardError(f"sort is '{rows.sort}'; it must be one of {', '.join(SORTED_BY)}")
    words = rows.words.lower().split()
    found = [
        row
        for row in standings
        if not words or is_named(rows.words, row.entrant) or all(word in row.entrant.identity.lower() for word in words)
    ]
    return sorted(found, key=SORTED_BY[rows.sort], reverse=rows.reverse)


def _axis(rows: Sequence[Standing]) -> Axis:
    return Axis(min((row.low for row in rows), default=0), max((row.high for row in rows), default=1), 4, 116)


def _ladder(words: Sequence[Any]) -> Ladder:
    game, rules_version, seats, options = words
    return Ladder(game, rules_version, seats, tuple((name, value) for name, value in options))
