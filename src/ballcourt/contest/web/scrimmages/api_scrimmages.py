"""What programs ask about scrimmages: JSON below /api/v1/scrimmages, by tokens."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import FileResponse
from pydantic import Field

from ballcourt.contest.people.accounts import Member
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.scrimmages import ask, cancel_scrimmage, publish, set_open
from ballcourt.contest.visible_scrimmages import ScrimmageView, VisibleScrimmages
from ballcourt.contest.web.drawing_pages import PRIVATE
from ballcourt.contest.web.guard import Body


class ScrimmageBody(Body):
    """The match that is asked for."""

    opponent: Annotated[str, Field(min_length=1, max_length=40)]
    bot: Annotated[str, Field(max_length=40)] = ""
    matches: int = 1


class OpenBody(Body):
    """Whether other teams may ask for scrimmages."""

    open: bool


def add_scrimmage_api(router: APIRouter, contest: Contest, reads: Any, submits: Any) -> None:  # noqa: ANN401
    """Add the addresses; `reads` and `submits` return who sends a request whose token may do that."""
    inner = APIRouter(prefix="/scrimmages")
    _add_reading(inner, contest, reads)
    _add_asking(inner, contest, submits)
    router.include_router(inner)


def _add_reading(router: APIRouter, contest: Contest, reads: Any) -> None:  # noqa: ANN401 - what FastAPI calls
    Reader = Annotated[Member, Depends(reads)]  # noqa: N806 - a type

    @router.get("")
    def listed(person: Reader) -> dict[str, Any]:
        """Return the newest scrimmages that the team asked for or was asked for, and those that were published."""
        return {"scrimmages": [as_json(one) for one in VisibleScrimmages(contest, person).all()]}

    @router.get("/{scrimmage}")
    def one(scrimmage: str, person: Reader) -> dict[str, Any]:
        """Return a scrimmage."""
        return as_json(VisibleScrimmages(contest, person).one(scrimmage))

    @router.get("/{scrimmage}/record", response_class=FileResponse)
    def record(scrimmage: str, person: Reader) -> FileResponse:
        """Return the record of the match, once both teams have published it or for the team that asked."""
        file = VisibleScrimmages(contest, person).replay(scrimmage)
        return FileResponse(file, media_type="application/octet-stream", filename=file.name, headers=PRIVATE)

    @router.get("/{scrimmage}/logs")
    def logs(scrimmage: str, person: Reader) -> dict[str, str]:
        """Return what the bot of the team that asked printed, by seat."""
        found = VisibleScrimmages(contest, person).logs(scrimmage)
        return {seat: text.decode(errors="replace") for seat, text in found.items()}


def _add_asking(router: APIRouter, contest: Contest, submits: Any) -> None:  # noqa: ANN401 - what FastAPI calls
    Submitter = Annotated[Member, Depends(submits)]  # noqa: N806 - a type

    @router.post("", status_code=201)
    def ask_for(body: ScrimmageBody, person: Submitter) -> dict[str, Any]:
        """Ask for a match of the team's bot against another one, or for several against a resident of the ladder."""
        found = ask(contest, person, body.opponent, body.bot, body.matches)
        return as_json(VisibleScrimmages(contest, person).one(found))

    @router.put("/open", status_code=204)
    def open_or_not(body: OpenBody, person: Submitter) -> None:
        """Say whether other teams may ask for scrimmages."""
        set_open(contest, person, is_open=body.open)

    @router.post("/{scrimmage}/publish", status_code=204)
    def publish_it(scrimmage: str, person: Submitter) -> None:
        """Let others see a match, as far as it is about one's team."""
        publish(contest, scrimmage, VisibleScrimmages(contest, person).team_in(scrimmage))

    @router.delete("/{scrimmage}", status_code=204)
    def take_back(scrimmage: str, person: Submitter) -> None:
        """Take a scrimmage back that waits; no limit counts it."""
        cancel_scrimmage(contest, VisibleScrimmages(contest, person).own(scrimmage).id)


def as_json(view: ScrimmageView) -> dict[str, Any]:
    """Return a scrimmage as programs get it."""
    return {**asdict(view), "is_over": view.is_over}
