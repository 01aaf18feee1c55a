"""Scrimmages: asking for one, its state, its replay, and whether others see it."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Response
from fastapi.responses import FileResponse
from pydantic import Field

from ballcourt.contest.refusals import NotThereError
from ballcourt.contest.settings import shown
from ballcourt.contest.submissions.scrimmages import MOST_MATCHES, ask, cancel_scrimmage, is_open, publish, set_open
from ballcourt.contest.visible import NOTHING
from ballcourt.contest.web.guard import API, Body
from ballcourt.contest.web.submissions import private_replay, text_file
from ballcourt.contest.web.visits import PRIVATE, Anyone, Reader, SignedIn, Submitter, as_json, go
from ballcourt.leaderboard.pages.rendering import PageLink

Word = Annotated[str, Form(max_length=40)]

pages = APIRouter(prefix="/scrimmages", include_in_schema=False)
api = APIRouter(prefix=f"{API}/scrimmages")


class ScrimmageBody(Body):
    """The match that is asked for."""

    opponent: Annotated[str, Field(min_length=1, max_length=40)]
    bot: Annotated[str, Field(max_length=40)] = ""
    matches: int = 1


class OpenBody(Body):
    """Whether other teams may ask for scrimmages."""

    open: bool


@api.get("")
def listed(visit: Reader) -> dict[str, Any]:
    """Return the newest scrimmages that the team asked for or was asked for, and those that were published."""
    return {"scrimmages": [as_json(one) for one in visit.scrimmages.all()]}


@pages.get("")
def _scrimmages_page(visit: Anyone, against: str = "") -> Response:
    who, visible = visit.who, visit.visible
    rows = [
        (
            PageLink(
                f"/scrimmages/{one.id}", f"{one.bot} {one.version} - {one.opponent} {one.opponent_version}".rstrip()
            ),
            one.state if one.place is None else f"{one.state}; {one.place} before it",
            shown(one.asked),
            one.team,
            one.other_team or "-",
        )
        for one in visit.scrimmages.all()
    ]
    return visit.show(
        "scrimmages.html",
        heads=("bots", "state", "asked", "team", "of team"),
        rows=rows,
        against=against[:40],
        bots=[bot.name for bot in visible.bots() if who and bot.team == who.team_name],
        left=visible.allowance(),
        residents=visit.contest.ladder.residents,
        takes=who is not None and who.team is not None and is_open(visit.contest, who.team),
        most=MOST_MATCHES,
    )


@api.get("/{scrimmage}")
def one(visit: Reader, scrimmage: str) -> dict[str, Any]:
    """Return a scrimmage."""
    return as_json(visit.scrimmages.one(scrimmage))


@pages.get("/{scrimmage}")
def _scrimmage_page(visit: Anyone, scrimmage: str) -> Response:
    found = visit.scrimmages.one(scrimmage)
    may_read_logs = found.is_own or (visit.who is not None and visit.who.is_organiser)
    logs = [*visit.scrimmages.logs(scrimmage)] if may_read_logs else []
    return visit.show("scrimmage.html", one=found, logs=logs)


@api.get("/{scrimmage}/record", response_class=FileResponse)
def record(visit: Reader, scrimmage: str) -> FileResponse:
    """Return the record of the match, once both teams have published it or for the team that asked."""
    file = visit.scrimmages.replay(scrimmage)
    return FileResponse(file, media_type="application/octet-stream", filename=file.name, headers=PRIVATE)


@pages.get("/{scrimmage}/replay")
def _replay_of(visit: Anyone, scrimmage: str) -> Response:
    return private_replay(visit.scrimmages.replay(scrimmage), home=f"/scrimmages/{scrimmage}")


@api.get("/{scrimmage}/logs")
def logs(visit: Reader, scrimmage: str) -> dict[str, str]:
    """Return what the bot of the team that asked printed, by seat."""
    return {seat: text.decode(errors="replace") for seat, text in visit.scrimmages.logs(scrimmage).items()}


@pages.get("/{scrimmage}/logs/{seat}")
def _log_of(visit: SignedIn, scrimmage: str, seat: str) -> Response:
    found = visit.scrimmages.logs(scrimmage)
    if seat not in found:
        raise NotThereError(NOTHING)
    return text_file(found[seat], f"scrimmage-{seat}.txt")


@api.post("", status_code=201)
def ask_for(visit: Submitter, body: ScrimmageBody) -> dict[str, Any]:
    """Ask for a match of the team's bot against another one, or for several against a resident of the ladder."""
    found = ask(visit.contest, visit.who, body.opponent, body.bot, body.matches)
    return as_json(visit.scrimmages.one(found))


@pages.post("")
def _ask_page(visit: SignedIn, opponent: Word, bot: Word = "", count: Annotated[int, Form()] = 1) -> Response:
    return go(f"/scrimmages/{ask(visit.contest, visit.who, opponent.strip(), bot.strip(), count)}")


@api.put("/open", status_code=204)
def open_or_not(visit: Submitter, body: OpenBody) -> None:
    """Say whether other teams may ask for scrimmages."""
    set_open(visit.contest, visit.who, is_open=body.open)


@pages.post("/open")
def _open_page(visit: SignedIn, takes: Annotated[bool, Form()] = False) -> Response:
    set_open(visit.contest, visit.who, is_open=takes)
    return go("/scrimmages")


@api.post("/{scrimmage}/publish", status_code=204)
def publish_it(visit: Submitter, scrimmage: str) -> None:
    """Note that one's team publishes its side of a match."""
    publish(visit.contest, scrimmage, visit.scrimmages.team_in(scrimmage))


@pages.post("/{scrimmage}/publish")
def _publish_page(visit: SignedIn, scrimmage: str) -> Response:
    publish_it(visit, scrimmage)
    return go(f"/scrimmages/{scrimmage}")


@api.delete("/{scrimmage}", status_code=204)
def take_back(visit: Submitter, scrimmage: str) -> None:
    """Take a scrimmage back that waits; no limit counts it."""
    cancel_scrimmage(visit.contest, visit.scrimmages.own(scrimmage).id)


@pages.post("/{scrimmage}/cancel")
def _cancel_page(visit: SignedIn, scrimmage: str) -> Response:
    take_back(visit, scrimmage)
    return go(f"/scrimmages/{scrimmage}")
