"""What programs can ask for: JSON and CSV."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import FastAPI, Query, Response

from ballcourt.arena.printable import as_json
from ballcourt.arena.records.store import read_record
from ballcourt.arena.records.summaries import check_observer
from ballcourt.arena.replays.document import document
from ballcourt.leaderboard.model.results import Entrant, MatchResult
from ballcourt.leaderboard.pages.addresses import bot_id, ladder_id
from ballcourt.leaderboard.pages.views import SHOWN, LadderInfo, Views
from ballcourt.leaderboard.show.forms import csv_lines, entrant_json, ladder_cells, ladder_json
from ballcourt.leaderboard.show.terminal import to_csv, to_json
from ballcourt.leaderboard.store.listing import Place, Wanted, parse_place

MATCHES: Final = "ballcourt-matches-1"
BOT: Final = "ballcourt-bot-1"
BOT_COLUMNS: Final = (
    "id", "bot", "version", "content_hash", "rank", "rating", "sigma", "matches",
    "mean_place", "mean_points", "lost_seats", "tolerated_faults",
)  # fmt: skip
SEAT_COLUMNS: Final = (
    "match", "identity", "started", "seat", "id", "bot", "version", "content_hash",
    "placement", "score", "fault", "termination", "think_us", "longest_think_us",
)  # fmt: skip
WRONG: Final[dict[int | str, dict[str, Any]]] = {
    404: {"description": "There is nothing at this address."},
    409: {"description": "The record of the match is missing or damaged, or the match has no such seat."},
    422: {"description": "A value of the address is wrong."},
}

Words = Annotated[str, Query(max_length=200)]


def add_api(app: FastAPI, views: Views) -> None:
    """Add the addresses for programs."""

    @app.get("/api/leaderboard")
    @app.head("/api/leaderboard", include_in_schema=False)
    def leaderboard() -> Response:
        """All tables, as `ballcourt leaderboard --json` prints them."""
        text = views.once("leaderboard.json", lambda: as_json(to_json(views.boards())))
        return Response(text, media_type="application/json")

    @app.get("/api/leaderboard.csv")
    @app.head("/api/leaderboard.csv", include_in_schema=False)
    def leaderboard_csv() -> Response:
        """All tables, as `ballcourt leaderboard --csv` prints them."""
        return Response(views.once("leaderboard.csv", lambda: to_csv(views.boards())), media_type="text/csv")

    @app.get("/api/bots.csv")
    @app.head("/api/bots.csv", include_in_schema=False)
    def bots_csv() -> Response:
        """The bots of all tables with their ids, by which other addresses know them, and what was counted for each."""
        return Response(views.once("bots.csv", lambda: _bots_csv(views)), media_type="text/csv")

    @app.get("/api/bots/{bot}", responses=_only(404))
    @app.head("/api/bots/{bot}", include_in_schema=False)
    def bot_values(bot: str) -> Response:
        """What is known of a bot, by table: the numbers of its page."""
        found = views.bot_page(bot)
        parts = [
            {**ladder_json(part["info"].ladder), "table": part["info"].id, "rank": part["row"].rank,
             **_tally(part["tally"]), "history": [_checkpoint(*one) for one in part["history"]],
             "opponents": [_opponent(row.entrant, *cells) for row, cells in part["opponents"]]}
            for part in found["parts"]
        ]  # fmt: skip
        return _json({"format": BOT, **_bot(found["bot"]), "tables": parts})

    def listed(bot: str, game: str, ended: str, after: str) -> tuple[list[MatchResult], Place | None]:
        wanted = Wanted(bot=views.named(bot) if bot else None, game=game, ended=ended)
        return views.database.listed(wanted, parse_place(after) if after else None, SHOWN)

    @app.get("/api/matches", responses=_only(404, 422))
    @app.head("/api/matches", include_in_schema=False)
    def matches(bot: Words = "", game: Words = "", ended: Words = "", after: Words = "") -> Response:
        """The newest matches; `next` is the value of `after` for older ones."""
        found, end = listed(bot, game, ended, after)
        return _json({"format": MATCHES, "matches": [*map(_match, found)], "next": str(end) if end else None})

    @app.get("/api/matches.csv", responses=_only(404, 422))
    @app.head("/api/matches.csv", include_in_schema=False)
    def matches_csv(bot: Words = "", game: Words = "", ended: Words = "", after: Words = "") -> Response:
        """The seats of the newest matches; the header Link leads to older ones."""
        found, end = listed(bot, game, ended, after)
        given = {"bot": bot, "game": game, "ended": ended, "after": str(end)}
        older = urlencode({name: value for name, value in given.items() if value})
        headers = {"Link": f'</api/matches.csv?{older}>; rel="next"'} if end else {}
        lines = (line for match in found for line in _lines(match))
        return Response(csv_lines(SEAT_COLUMNS, lines), media_type="text/csv", headers=headers)

    @app.get("/api/matches/{name}", responses=_only(404, 409, 422))
    @app.head("/api/matches/{name}", include_in_schema=False)
    def match(name: str, seat: Annotated[int | None, Query(ge=0, le=100)] = None) -> Response:
        """The replay of a match, as `ballcourt replay document` prints it; with a seat, as that seat saw it."""
        record = read_record(Path(views.match(name).record))
        check_observer(record, seat)
        return _json(document(record, seat))


def _json(value: object) -> Response:
    return Response(as_json(value), media_type="application/json")


def _only(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: WRONG[status] for status in statuses}


def _bot(entrant: Entrant) -> dict[str, str]:
    return {"id": bot_id(entrant), **entrant_json(entrant)}


def _opponent(entrant: Entrant, meetings: int, *shares: float) -> dict[str, Any]:
    values = zip(("share", "low", "high", "predicted"), shares, strict=True)
    return {**_bot(entrant), "meetings": meetings, **dict(values)}


def _tally(tally: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was counted for a bot; `seats` is the size of the table."""
    return {"by_seat" if name == "seats" else name: value for name, value in tally.items()}


def _checkpoint(matches: int, rating: float, error: float, rank: int) -> dict[str, float]:
    return {"all_matches": matches, "rating": rating, "sigma": error, "rank": rank}


def _bots_csv(views: Views) -> str:
    lines = (line for info in views.ladders() for line in _bot_lines(views, info))
    return csv_lines(BOT_COLUMNS, lines)


def _bot_lines(views: Views, info: LadderInfo) -> Iterator[list[object]]:
    counts = views.counts(info.id)
    for row in views.board(info.id).rows:
        place, points, lost, tolerated = counts.get(bot_id(row.entrant), (None,) * 4)
        yield [
            *ladder_cells(info.ladder), *_bot(row.entrant).values(), row.rank, _rounded(row.rating),
            _rounded(row.sigma), row.matches, _rounded(place), _rounded(points), lost, tolerated,
        ]  # fmt: skip


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _lines(match: MatchResult) -> Iterator[list[object]]:
    for number, seat in enumerate(match.seats):
        yield [
            *ladder_cells(match.ladder), match.key, match.identity, match.started, number, *_bot(seat.entrant).values(),
            seat.placement, seat.score, seat.fault, seat.termination, seat.think_us, seat.longest_think_us,
        ]  # fmt: skip


def _match(match: MatchResult) -> dict[str, Any]:
    seats = [
        {**_bot(seat.entrant), "placement": seat.placement, "score": seat.score, "fault": seat.fault,
         "termination": seat.termination, "think_us": seat.think_us, "longest_think_us": seat.longest_think_us}
        for seat in match.seats
    ]  # fmt: skip
    rivals = [{"name": one.name, "placement": one.placement, "score": one.score} for one in match.rivals]
    about = {"match": match.key, "identity": match.identity, "started": match.started}
    return {**about, "table": ladder_id(match.ladder), **ladder_json(match.ladder), "seats": seats, "rivals": rivals}
