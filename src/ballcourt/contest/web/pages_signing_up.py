"""How people come and go: making an account where everybody may, getting all that is known of it, deleting it."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from ballcourt.arena.rates import SlidingWindow
from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.decisions.inviting import link_for
from ballcourt.contest.decisions.leaving import delete_person
from ballcourt.contest.notifications.mailboxes import HOUR_S
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.personal_data import export_person
from ballcourt.contest.refusals import ContestError, LimitError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.sign_up import MOST_OF_ADDRESS, check_entry_open, may_sign_up, sign_up
from ballcourt.contest.web.drawing_pages import PRIVATE, drawn
from ballcourt.contest.web.signing_in.by_address import CountsByAddress
from ballcourt.contest.web.viewers import drop_cookie, signed_in, viewer

Report = Callable[[str], None]
SignedIn = Annotated[Member, Depends(signed_in)]
MOST_EXPORTS: Final = 5
"""How often an account may get its data within an hour."""
Text = Annotated[str, Form(max_length=300)]


def add_signing_up(router: APIRouter, contest: Contest, report: Report) -> None:
    """Add the page; `report` gets the link of each new account, for the organiser."""
    refusal = f"{MOST_OF_ADDRESS} accounts were asked for from your address within an hour"
    asked = CountsByAddress(MOST_OF_ADDRESS, HOUR_S, refusal, contest.now)

    @router.get("/sign-up")
    def sign_up_page(request: Request) -> Response:
        by_link, at = may_sign_up(contest), [one for one in contest.settings.sign_in if may_sign_up(contest, one)]
        if not at:
            check_entry_open(contest, by_oneself=True)
        return drawn(request, "sign-up.html", viewer(request), by_link=by_link, at=at)

    @router.post("/sign-up")
    def make_account(request: Request, handle: Text, mail: Text = "") -> Response:
        check_entry_open(contest, by_oneself=True)
        asked.check(request)
        asked.add(request)
        secret = sign_up(contest, handle.strip(), mail.strip())
        words = "Your account is made. The link that signs you in comes by mail."
        if secret:
            report(f"{handle.strip()} has signed up; this link signs them in, once: {link_for(contest, secret)}")
            words = "Your account is made. The organiser has the link that signs you in, and sends it to you."
        return drawn(request, "message.html", viewer(request), title="Signed up", sentence=words, secret="", back="")


def add_leaving(router: APIRouter, contest: Contest) -> None:
    """Add what gives people their data, and deletes it."""
    asked = SlidingWindow(MOST_EXPORTS, HOUR_S, contest.now)

    @router.post("/account/export")
    def export(who: SignedIn) -> Response:
        if asked.is_full(who.account):
            raise LimitError(f"{MOST_EXPORTS} copies were made of your data within an hour; try again later", HOUR_S)
        asked.add(who.account)
        name = f"{who.handle}.zip"
        with ExitStack() as stack:
            path = stack.enter_context(scratch_folder()) / "person.zip"
            with path.open("wb") as file:
                export_person(contest, who, file)
            after = BackgroundTask(stack.pop_all().close)
        return FileResponse(path, filename=name, media_type="application/zip", headers=PRIVATE, background=after)

    @router.post("/account/delete")
    def leave(request: Request, who: SignedIn, handle: Text = "") -> Response:
        if handle.strip() != who.handle:
            raise ContestError("write your handle to confirm that your account is to be deleted")
        delete_person(contest, who, who.handle, "asked for by its owner")
        words = "Your account is deleted. What your team has entered stays under the team's name."
        answer = drawn(request, "message.html", None, title="Deleted", sentence=words, secret="", back="/")
        drop_cookie(answer, contest)
        return answer
