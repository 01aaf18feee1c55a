"""The page by which people make accounts, where everybody may."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from ballcourt.arena.browser.guard import HOSTS
from ballcourt.arena.rates import SlidingWindow
from ballcourt.contest.decisions.inviting import link_for
from ballcourt.contest.entering.signing_up import MOST_OF_ADDRESS, check_entry_open, sign_up
from ballcourt.contest.refusals import LimitError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.telling.mailboxes import HOUR_S
from ballcourt.contest.web.drawing_pages import drawn
from ballcourt.contest.web.viewers import viewer

Report = Callable[[str], None]
Text = Annotated[str, Form(max_length=300)]


def add_signing_up(router: APIRouter, contest: Contest, report: Report) -> None:
    """Add the page; `report` gets the link of each new account, for the organiser."""
    asked = SlidingWindow(MOST_OF_ADDRESS, HOUR_S, contest.now)

    @router.get("/sign-up")
    def sign_up_page(request: Request) -> Response:
        check_entry_open(contest, by_oneself=True)
        return drawn(request, "sign-up.html", viewer(request))

    @router.post("/sign-up")
    def make_account(request: Request, handle: Text, mail: Text = "") -> Response:
        check_entry_open(contest, by_oneself=True)
        _count(asked, request.client.host if request.client else "")
        secret = sign_up(contest, handle.strip(), mail.strip())
        words = "Your account is made. The link that signs you in comes by mail."
        if secret:
            report(f"{handle.strip()} has signed up; this link signs them in, once: {link_for(contest, secret)}")
            words = "Your account is made. The organiser has the link that signs you in, and sends it to you."
        return drawn(request, "message.html", viewer(request), title="Signed up", sentence=words, secret="", back="")


def _count(asked: SlidingWindow, address: str) -> None:
    """Count an attempt of an address; visitors who come through a proxy on this machine have none of their own."""
    if address in HOSTS:
        return
    if asked.is_full(address):
        raise LimitError(f"{MOST_OF_ADDRESS} accounts were asked for from your address within an hour", HOUR_S)
    asked.add(address)
