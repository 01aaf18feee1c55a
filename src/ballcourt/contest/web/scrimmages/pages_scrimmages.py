"""Pages about scrimmages: asking for one, what became of it, its replay, and whether others see it."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, Response

from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import NotThereError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.scrimmages import (
    MOST_MATCHES,
    ask,
    cancel_scrimmage,
    is_open,
    publish,
    set_open,
)
from ballcourt.contest.visible import NOTHING, Visible
from ballcourt.contest.visible_scrimmages import VisibleScrimmages
from ballcourt.contest.web.drawing_pages import drawn
from ballcourt.contest.web.pages_entering import private_replay, text_file
from ballcourt.contest.web.pages_people import go
from ballcourt.contest.web.viewers import signed_in, viewer

SignedIn = Annotated[Member, Depends(signed_in)]
Viewer = Annotated[Member | None, Depends(viewer)]
Word = Annotated[str, Form(max_length=40)]


def add_scrimmages(router: APIRouter, contest: Contest) -> None:
    """Add the pages."""
    _add_reading(router, contest)
    _add_asking(router, contest)


def _add_reading(router: APIRouter, contest: Contest) -> None:
    @router.get("/scrimmages")
    def scrimmages_page(request: Request, who: Viewer, against: str = "") -> Response:
        visible, found = Visible(contest, who), VisibleScrimmages(contest, who).all()
        names = [bot.name for bot in visible.bots() if who and bot.team == who.team_name]
        takes = who is not None and who.team is not None and is_open(contest, who.team)
        values: dict[str, Any] = {
            "bots": names,
            "left": visible.allowance(),
            "residents": contest.ladder.residents,
            "most": MOST_MATCHES,
            "takes": takes,
        }
        return drawn(request, "scrimmages.html", who, scrimmages=found, against=against[:40], **values)

    @router.get("/scrimmages/{scrimmage}")
    def scrimmage_page(request: Request, scrimmage: str, who: Viewer) -> Response:
        visible = VisibleScrimmages(contest, who)
        one = visible.one(scrimmage)
        may_read_logs = one.is_own or (who is not None and who.is_organiser)
        logs = [*visible.logs(scrimmage)] if may_read_logs else []
        return drawn(request, "scrimmage.html", who, one=one, logs=logs)

    @router.get("/scrimmages/{scrimmage}/replay")
    def replay_of(scrimmage: str, who: Viewer) -> Response:
        file = VisibleScrimmages(contest, who).replay(scrimmage)
        return private_replay(file, home=f"/scrimmages/{scrimmage}")

    @router.get("/scrimmages/{scrimmage}/logs/{seat}")
    def log_of(scrimmage: str, seat: str, who: SignedIn) -> Response:
        logs = VisibleScrimmages(contest, who).logs(scrimmage)
        if seat not in logs:
            raise NotThereError(NOTHING)
        return text_file(logs[seat], f"scrimmage-{seat}.txt")


def _add_asking(router: APIRouter, contest: Contest) -> None:
    @router.post("/scrimmages")
    def ask_for(who: SignedIn, opponent: Word, bot: Word = "", count: Annotated[int, Form()] = 1) -> Response:
        return go(f"/scrimmages/{ask(contest, who, opponent.strip(), bot.strip(), count)}")

    @router.post("/scrimmages/open")
    def open_or_not(who: SignedIn, takes: Annotated[bool, Form()] = False) -> Response:
        set_open(contest, who, is_open=takes)
        return go("/scrimmages")

    @router.post("/scrimmages/{scrimmage}/publish")
    def publish_it(scrimmage: str, who: SignedIn) -> Response:
        publish(contest, scrimmage, VisibleScrimmages(contest, who).team_in(scrimmage))
        return go(f"/scrimmages/{scrimmage}")

    @router.post("/scrimmages/{scrimmage}/cancel")
    def take_back(scrimmage: str, who: SignedIn) -> Response:
        cancel_scrimmage(contest, VisibleScrimmages(contest, who).own(scrimmage).id)
        return go(f"/scrimmages/{scrimmage}")
