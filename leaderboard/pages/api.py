"""What programs can ask for: JSON and CSV."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import as_json
from ballcourt.arena.records.store import read_record
from ballcourt.arena.records.summaries import check_observer
from ballcourt.arena.replays.kept import Replay
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.pages.live import MOST_STREAMS
from ballcourt.leaderboard.pages.rendering import pages_of, views_of
from ballcourt.leaderboard.pages.summaries import LadderSummary, bot_id, ladder_id
from ballcourt.leaderboard.pages.views import SHOWN, BotInLadder, Views
from ballcourt.leaderboard.show.forms import (
    BotForm,
    Count,
    LadderForm,
    Portion,
    Rank,
    cells_of,
    column_names,
    csv_lines,
    entrant_json,
    form_of,
    ladder_cells,
    ladder_json,
    rounded,
)
from ballcourt.leaderboard.show.terminal import to_csv, to_json
from ballcourt.leaderboard.store.listing import Place, Wanted, parse_place
from ballcourt.leaderboard.studies.head_to_head import Meeting
from ballcourt.web.once import Shows, made_once, unless_known

BOT_COLUMNS: Final = (
    "id", "bot", "version", "content_hash", "rank", "rating", "sigma", "matches",
    "mean_place", "mean_points", "lost_seats", "tolerated_faults",
)  # fmt: skip
WRONG: Final[dict[int | str, dict[str, Any]]] = {
    304: {"description": "The answer would be the one that If-None-Match names."},
    404: {"description": "There is nothing at this address."},
    409: {"description": "The record of the match is missing or damaged, or the match has no such seat."},
    422: {"description": "A value of the address is wrong."},
    503: {"description": "The pages are not up to date."},
}

Words = Annotated[str, Query(max_length=200)]
Id = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


@dataclass(frozen=True)
class IdForm:
    """What a form begins with that has the id of a bot version."""

    id: Id
    """The id of the bot version: /bots/ID is its page."""


@dataclass(frozen=True)
class BotIdentity(BotForm, IdForm):
    """A bot version."""


@dataclass(frozen=True, slots=True)
class SeatCounts:
    """What a bot did in one seat."""

    matches: Count
    places: Count
    """Sum of its placements."""
    kept: Count
    """Matches in which it kept the seat."""
    points: float
    """Sum of its points in those."""


@dataclass(frozen=True, slots=True)
class RatingAfter:
    """The rating of a bot after some matches of its table."""

    all_matches: Count
    rating: float
    sigma: float
    rank: Rank


@dataclass(frozen=True, slots=True)
class OpponentForm(BotIdentity):
    """How a bot did against another one."""

    meetings: Count
    share: Portion
    low: Portion
    high: Portion
    predicted: Portion


@dataclass(frozen=True, slots=True)
class BotInTable(LadderForm):
    """A bot in one table."""

    table: Id
    """The id of the table that the match counts in: /ladders/ID is its page."""
    rank: Rank
    by_seat: dict[str, SeatCounts]
    """By number of the seat."""
    ended: dict[str, Count]
    """Matches by termination of its seat."""
    tolerated: Count
    """Matches with faults after which it played on."""
    think_ms: float | None
    """The mean think time of a match."""
    history: list[RatingAfter]
    opponents: list[OpponentForm]


@dataclass(frozen=True)
class BotFormat:
    """The format of a bot's page."""

    format: Literal["ballcourt-bot-1"] = field(default="ballcourt-bot-1", init=False)


@dataclass(frozen=True, slots=True)
class BotPage(BotIdentity, BotFormat):
    """What /api/bots/ID of `ballcourt serve` returns."""

    id: Id
    """The id of the bot version: /bots/ID is its page."""
    tables: Annotated[list[BotInTable], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class MatchSeat(BotIdentity):
    """A bot in a match."""

    placement: Rank
    score: float
    fault: bool
    termination: str
    """OK, or the kind of fault by which the bot lost its seat."""
    think_us: Count
    longest_think_us: Count
    own_decisions: Portion
    """The share of its decisions that the bot chose itself."""


@dataclass(frozen=True, slots=True)
class RivalForm:
    """A player without a bot."""

    name: str
    placement: Rank
    score: float


@dataclass(frozen=True, slots=True)
class MatchForm:
    """A match that counts."""

    match: str
    identity: str
    started: str
    """When the match began, in UTC; empty if unknown."""
    table: Id
    """The id of the table that the match counts in: /ladders/ID is its page."""
    game: str
    rules_version: str
    options: dict[str, str]
    seats: Annotated[list[MatchSeat], Field(min_length=1)]
    rivals: list[RivalForm]


@dataclass(frozen=True, slots=True)
class MatchesPage:
    """What /api/matches of `ballcourt serve` returns."""

    format: Literal["ballcourt-matches-1"] = field(default="ballcourt-matches-1", init=False)
    matches: list[MatchForm]
    """The newest first."""
    next: str | None
    """The value of `after` for older matches; null if there are none."""


@dataclass(frozen=True, slots=True)
class Health:
    """What /healthz of `ballcourt serve` returns, with the status 503 if the pages are not up to date."""

    format: Literal["ballcourt-health-1"] = field(default="ballcourt-health-1", init=False)
    computed: str
    """When the tables were made, in UTC; empty before the first."""
    looked_s: float
    """How long ago the results were looked at, in seconds."""
    trouble: str
    """Why there are no newer tables; empty if nothing is wrong."""
    streams: int
    """How many browsers follow the tournament."""
    most_streams: int


HEALTH: Final = "/healthz"
router = APIRouter()
Decorator = Callable[[Callable[..., Response]], Callable[..., Response]]


def _at(address: str, *statuses: int, shows: Shows | None) -> Decorator:
    """Return a decorator of what answers at an address, once as long as it shows the same; None: each time."""

    def decorator(make: Callable[..., Response]) -> Callable[..., Response]:
        answer = made_once(shows)(make) if shows else make
        router.add_api_route(address, answer, responses={status: WRONG[status] for status in statuses})
        router.add_api_route(address, answer, methods=["HEAD"], include_in_schema=False)
        return answer

    return decorator


def _tables(request: Request) -> Hashable:
    return views_of(request).state()


def _with_matches(request: Request) -> Hashable:
    return _tables(request), views_of(request).database.digest()


@_at(HEALTH, 503, shows=None)
def health(request: Request) -> Response:
    """How old the tables are, why there are no newer ones, and how many browsers follow."""
    views, live = views_of(request), pages_of(request).live
    summary = views.newest()
    found = Health(summary.at, round(views.age_s(), 1), summary.trouble, live.streams if live else 0, MOST_STREAMS)
    is_fresh = summary.at and not summary.trouble
    return Response(as_json(found), 200 if is_fresh else 503, media_type="application/json")


@_at("/api/leaderboard", 304, shows=_tables)
def leaderboard(request: Request) -> Response:
    """All tables, as `ballcourt leaderboard --json` prints them."""
    summary = views_of(request).summary
    return _json(to_json(summary.boards(), summary.placing))


@_at("/api/leaderboard.csv", 304, shows=_tables)
def leaderboard_csv(request: Request) -> Response:
    """All tables, as `ballcourt leaderboard --csv` prints them."""
    return Response(to_csv(views_of(request).summary.boards()), media_type="text/csv")


@_at("/api/bots.csv", 304, shows=_tables)
def bots_csv(request: Request) -> Response:
    """The bots of all tables with their ids, by which other addresses know them, and what was counted for each."""
    lines = (line for info in views_of(request).ladders() for line in _bot_lines(info))
    return Response(csv_lines(BOT_COLUMNS, lines), media_type="text/csv")


@_at("/api/bots/{bot}", 304, 404, shows=_tables)
def bot_values(request: Request, bot: str) -> Response:
    """What is known of a bot, by table: the numbers of its page."""
    return _json(bot_form(views_of(request), bot))


def bot_form(views: Views, bot: str) -> BotPage:
    """Return what is known of a bot, named by its id. Raises NoPageError."""
    return BotPage(**_bot(views.bot(bot)), tables=[*map(_bot_table, views.bot_by_ladder(bot))])


def _listed(views: Views, bot: str, game: str, ended: str, after: str) -> tuple[list[MatchResult], Place | None]:
    wanted = Wanted(bot=views.named(bot) if bot else None, game=game, ended=ended)
    return views.database.listed(wanted, parse_place(after) if after else None, SHOWN)


@_at("/api/matches", 304, 404, 422, shows=_with_matches)
def matches(request: Request, bot: Words = "", game: Words = "", ended: Words = "", after: Words = "") -> Response:
    """The newest matches; `next` is the value of `after` for older ones."""
    found, end = _listed(views_of(request), bot, game, ended, after)
    return _json(MatchesPage([*map(match_form, found)], str(end) if end else None))


@_at("/api/matches.csv", 304, 404, 422, shows=_with_matches)
def matches_csv(request: Request, bot: Words = "", game: Words = "", ended: Words = "", after: Words = "") -> Response:
    """The seats of the newest matches; the header Link leads to older ones."""
    found, end = _listed(views_of(request), bot, game, ended, after)
    given = {"bot": bot, "game": game, "ended": ended, "after": str(end)}
    older = urlencode({name: value for name, value in given.items() if value})
    headers = {"Link": f'<{request.scope.get("root_path", "")}/api/matches.csv?{older}>; rel="next"'} if end else {}
    lines = (line for match in found for line in _lines(match))
    columns = ("match", "identity", "started", "seat", *column_names(MatchSeat))
    return Response(csv_lines(columns, lines), media_type="text/csv", headers=headers)


@_at("/api/matches/{name}", 304, 404, 409, 422, shows=None)
def match(request: Request, name: str, seat: Annotated[int | None, Query(ge=0, le=100)] = None) -> Response:
    """The replay of a match, as `ballcourt replay document` prints it; with a seat, as that seat saw it."""
    file = Path(views_of(request).recorded(name).record)
    replay = Replay(read_record(file), file)
    check_observer(replay.record, seat)
    return unless_known(request, _json(replay.document(seat)))


def _json(value: object) -> Response:
    return Response(as_json(value), media_type="application/json")


def _bot(entrant: BotVersion) -> dict[str, Any]:
    return {"id": bot_id(entrant), **entrant_json(entrant)}


def _bot_table(part: BotInLadder) -> BotInTable:
    tally = part.tally
    return BotInTable(
        **ladder_json(part.info.ladder),
        table=part.info.id,
        rank=part.row.rank,
        by_seat={str(seat): SeatCounts(*astuple(own)) for seat, own in tally.seats.items()},
        ended=tally.ended,
        tolerated=tally.tolerated,
        think_ms=rounded(tally.think_ms),
        history=[RatingAfter(*one) for one in part.history],
        opponents=[_opponent(met) for _, met in part.opponents],
    )


def _opponent(met: Meeting) -> OpponentForm:
    shares = {"share": round(met.share.value, 4), "predicted": round(met.predicted, 4)}
    return form_of(OpponentForm, met.share, **_bot(met.other), **shares)


def _bot_lines(info: LadderSummary) -> Iterator[list[object]]:
    for row in info.board.rows:
        tally = info.tally(row.entrant)
        yield [
            *ladder_cells(info.ladder), *_bot(row.entrant).values(), row.rank, rounded(row.rating),
            rounded(row.sigma), row.matches, rounded(tally.mean_place), rounded(tally.mean_points),
            tally.lost, tally.tolerated,
        ]  # fmt: skip


def _lines(match: MatchResult) -> Iterator[list[object]]:
    for number, seat in enumerate(match_form(match).seats):
        yield [*ladder_cells(match.ladder), match.key, match.identity, match.started, number, *cells_of(seat)]


def match_form(match: MatchResult) -> MatchForm:
    """Return a match as programs get it."""
    ladder = match.ladder
    seats = [
        form_of(MatchSeat, seat, **_bot(seat.entrant), score=seat.score, own_decisions=rounded(seat.own))
        for seat in match.seats
    ]
    return MatchForm(
        match=match.key,
        identity=match.identity,
        started=match.started,
        table=ladder_id(ladder),
        **ladder_json(ladder) | {"seats": seats},
        rivals=[RivalForm(one.name, one.placement, one.score) for one in match.rivals],
    )
