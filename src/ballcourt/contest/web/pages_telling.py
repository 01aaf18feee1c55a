"""Announcements, the web hooks of teams, and the addresses of mail."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request, Response

from ballcourt.contest.decisions.announcing import announce, announcements
from ballcourt.contest.notifications.mailboxes import ask_mailbox, confirm_mailbox, remove_mailbox
from ballcourt.contest.notifications.outbox import Tidings, call_hook
from ballcourt.contest.notifications.webhooks import add_hook, remove_hook
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.secrets import new_id
from ballcourt.contest.refusals import NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.visible import NOTHING, Visible
from ballcourt.contest.web.drawing_pages import drawn, iso
from ballcourt.contest.web.pages_people import go
from ballcourt.contest.web.viewers import signed_in, viewer
from ballcourt.leaderboard.pages.news.atom import MEDIA_TYPE, AtomFeed, FeedEntry

SignedIn = Annotated[Member, Depends(signed_in)]
Text = Annotated[str, Form(max_length=500)]
Long = Annotated[str, Form(max_length=40_000)]


def add_telling(router: APIRouter, contest: Contest) -> None:
    """Add the pages."""
    _add_announcements(router, contest)
    _add_hooks(router, contest)
    _add_mailboxes(router, contest)


def _add_announcements(router: APIRouter, contest: Contest) -> None:
    @router.get("/announcements")
    def announcements_page(request: Request) -> Response:
        with contest.store.reading() as connection:
            found = announcements(connection)
        return drawn(request, "announcements.html", viewer(request), announcements=found)

    @router.get("/announcements.atom")
    def feed() -> Response:
        return Response(_atom(contest), media_type=MEDIA_TYPE)

    @router.post("/organiser/announce")
    def announce_it(who: SignedIn, title: Text, text: Long) -> Response:
        announce(contest, Visible(contest, who).organiser().handle, title, text)
        return go("/announcements")


def _atom(contest: Contest) -> bytes:
    with contest.store.reading() as connection:
        found = announcements(connection)
    name, address = contest.settings.name, f"{contest.settings.url}/announcements"
    places = (f"{address}#a{row.id}" for row in found)
    entries = [
        FeedEntry(place, row.title, iso(row.at), place, summary=row.text)
        for row, place in zip(found, places, strict=True)
    ]
    return AtomFeed(address, f"{name}: announcements", name, address, entries).to_xml()


def _add_hooks(router: APIRouter, contest: Contest) -> None:
    def team_of(who: Member) -> str:
        if who.team is None:
            raise StateError("you are in no team; make one first")
        return who.team

    @router.post("/team/hooks")
    def add(request: Request, who: SignedIn, url: Text) -> Response:
        secret = add_hook(contest, team_of(who), url.strip())
        words = "The hook is called with a signature (Standard Webhooks) that is made with this secret:"
        return drawn(request, "message.html", who, title="A web hook", sentence=words, secret=secret, back="/team")

    @router.post("/team/hooks/{hook}/remove")
    def remove(hook: str, who: SignedIn) -> Response:
        with contest.store.writing() as connection:
            remove_hook(connection, team_of(who), hook)
        return go("/team")

    @router.post("/team/hooks/{hook}/test")
    def test(hook: str, who: SignedIn) -> Response:
        if hook not in {one.id for one in Visible(contest, who).hooks()}:
            raise NotThereError(NOTHING)
        news = Tidings(f"test-{new_id()}", "a test", "", "/team", "test", {"team": who.team_name})
        with contest.store.writing() as connection:
            call_hook(connection, hook, news, contest.now())
        return go("/team")


def _add_mailboxes(router: APIRouter, contest: Contest) -> None:
    @router.post("/account/mail")
    def give(request: Request, who: SignedIn, mail: Text = "") -> Response:
        if not mail.strip():
            remove_mailbox(contest, who)
            return go("/account")
        ask_mailbox(contest, who, mail.strip())
        words = "A link has been mailed to this address; mail goes there once you have opened it."
        return drawn(request, "message.html", who, title="Mail", sentence=words, secret="", back="/account")

    @router.get("/confirm")
    def confirm_page(request: Request, who: SignedIn, link: Annotated[str, Query(max_length=200)] = "") -> Response:
        return drawn(request, "confirm.html", who, link=link)

    @router.post("/confirm")
    def confirm(who: SignedIn, link: Text) -> Response:
        confirm_mailbox(contest, link, who)
        return go("/account")
