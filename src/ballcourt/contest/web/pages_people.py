"""Pages about people: signing in, teams, accounts. Every change is a form, which works without script."""

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import update

from ballcourt.contest.notifications.mailboxes import mailbox_of
from ballcourt.contest.people.accounts import Member, person_of, rename
from ballcourt.contest.people.devices import allow_device
from ballcourt.contest.people.identities import identities_of
from ballcourt.contest.people.sessions import begin_session, end_session, sessions_of
from ballcourt.contest.people.teams import add_team, join_team, leave_team
from ballcourt.contest.people.tokens import (
    OF_AUTHORS,
    TOKEN_DAYS,
    Purpose,
    Scope,
    new_link,
    new_token,
    revoke_token,
    tokens_of,
    use_link,
)
from ballcourt.contest.refusals import NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS
from ballcourt.contest.submissions.sign_up import may_sign_up
from ballcourt.contest.visible import Visible
from ballcourt.contest.web.drawing_pages import drawn
from ballcourt.contest.web.viewers import drop_cookie, set_cookie, signed_in, viewer

JOIN_S: Final = 7 * 86_400.0
FEED_S: Final = 400 * 86_400.0
SEE_OTHER: Final = 303
Viewer = Annotated[Member | None, Depends(viewer)]
SignedIn = Annotated[Member, Depends(signed_in)]
Word = Annotated[str, Form(max_length=200)]
Link = Annotated[str, Query(max_length=200)]


def go(address: str) -> RedirectResponse:
    """Let the browser load another page of ours."""
    return RedirectResponse(address, SEE_OTHER)


def add_people(router: APIRouter, contest: Contest) -> None:
    """Add the pages."""
    _add_signing(router, contest)
    _add_devices(router, contest)
    _add_teams(router, contest)
    _add_account(router, contest)


def _add_signing(router: APIRouter, contest: Contest) -> None:
    @router.get("/sign-in")
    def sign_in_page(request: Request, who: Viewer, link: Link = "") -> Response:
        return drawn(request, "sign-in.html", who, link=link, may_sign_up=may_sign_up(contest))

    @router.post("/sign-in")
    def sign_in(request: Request, link: Word) -> Response:
        now = contest.now()
        with contest.store.writing() as connection:
            used = use_link(connection, Purpose.SIGN_IN, link, now)
            if person_of(connection, used.account) is None:
                raise NotThereError("this account may not sign in; ask the organiser")
            if used.email:  # the link was mailed there, so the address is theirs
                connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == used.account).values(email=used.email))
            secret = begin_session(connection, used.account, request.headers.get("user-agent", ""), now)
        answer = go("/submissions")
        set_cookie(answer, contest, secret)
        return answer


def _add_devices(router: APIRouter, contest: Contest) -> None:
    @router.get("/device")
    def device_page(request: Request, who: SignedIn, code: Link = "") -> Response:
        return drawn(request, "device.html", who, code=code)

    @router.post("/device")
    def allow(request: Request, who: SignedIn, code: Word) -> Response:
        with contest.store.writing() as connection:
            allow_device(connection, code, who.account, contest.now())
        words = (
            "The command line that shows this code is signed in within seconds; if it is not, begin again there. Its "
            "token is on the page Account, where you can revoke it."
        )
        return drawn(request, "message.html", who, title="Allowed", sentence=words, secret="", back="/account")


def _add_teams(router: APIRouter, contest: Contest) -> None:
    @router.get("/team")
    def team_page(request: Request, who: SignedIn) -> Response:
        visible = Visible(contest, who)
        return drawn(request, "team.html", who, members=visible.members(), bots=visible.bots(), hooks=visible.hooks())

    @router.post("/team")
    def make_team(who: SignedIn, name: Word) -> Response:
        with contest.store.writing() as connection:
            team = add_team(connection, name.strip(), contest.now())
            join_team(connection, team, who.account, contest.settings.teams.members, contest.now())
        return go("/team")

    @router.post("/team/link")
    def make_link(request: Request, who: SignedIn) -> Response:
        if who.team is None:
            raise StateError("you are in no team; make one first")
        until, uses = contest.now() + JOIN_S, contest.settings.teams.members
        with contest.store.writing() as connection:
            secret = new_link(connection, Purpose.JOIN, contest.now(), until, team=who.team, uses=uses)
        link, words = f"{contest.settings.url}/join?link={secret}", "Send this link to those who are to join the team:"
        return drawn(request, "message.html", who, title="A link to join", sentence=words, secret=link, back="/team")

    @router.post("/team/leave")
    def leave(who: SignedIn) -> Response:
        if who.team:
            with contest.store.writing() as connection:
                leave_team(connection, who.team, who.account, contest.now())
        return go("/team")

    @router.get("/join")
    def join_page(request: Request, who: SignedIn, link: Link = "") -> Response:
        return drawn(request, "join.html", who, link=link)

    @router.post("/join")
    def join(who: SignedIn, link: Word) -> Response:
        with contest.store.writing() as connection:
            used = use_link(connection, Purpose.JOIN, link, contest.now())
            join_team(connection, used.team, who.account, contest.settings.teams.members, contest.now())
        return go("/team")


def _add_account(router: APIRouter, contest: Contest) -> None:
    @router.get("/account")
    def account_page(request: Request, who: SignedIn) -> Response:
        with contest.store.reading() as connection:
            tokens = tokens_of(connection, who.account)
            sessions = sessions_of(connection, who.account, contest.now())
            identities = identities_of(connection, who.account)
            email = mailbox_of(connection, who.account)
        values: dict[str, Any] = {"tokens": tokens, "sessions": sessions, "identities": identities, "email": email}
        return drawn(request, "account.html", who, here=request.state.session, **values)

    @router.post("/account")
    def change(who: SignedIn, shown: Word) -> Response:
        with contest.store.writing() as connection:
            rename(connection, who.account, shown)
        return go("/account")

    @router.post("/account/tokens")
    def make_token(
        request: Request,
        who: SignedIn,
        label: Word = "",
        bot: Word = "",
        days: Annotated[int, Form()] = TOKEN_DAYS,
        may: Annotated[Literal["submit", "read"], Form()] = "submit",
    ) -> Response:
        scopes = OF_AUTHORS if may == "submit" else (Scope.READ,)
        with contest.store.writing() as connection:
            _, secret = new_token(
                connection, who.account, contest.now(), label.strip(), scopes, days=days, bot=bot.strip()
            )
        words = f"Run ballcourt login {contest.settings.url} --token-file FILE, or let CI have it as a secret:"
        return drawn(request, "message.html", who, title="A token", sentence=words, secret=secret, back="/account")

    @router.post("/account/feed")
    def make_feed(request: Request, who: SignedIn) -> Response:
        now = contest.now()
        with contest.store.writing() as connection:
            secret = new_link(connection, Purpose.FEED, now, now + FEED_S, account=who.account)
        words = "Give this address to a reader of feeds, and to no one else. Your older ones have ended:"
        address = f"{contest.settings.url}/feed/{secret}.atom"
        return drawn(request, "message.html", who, title="A feed", sentence=words, secret=address, back="/account")

    @router.post("/account/tokens/{token}/revoke")
    def revoke(token: str, who: SignedIn) -> Response:
        with contest.store.writing() as connection:
            revoke_token(connection, who.account, token, contest.now())
        return go("/account")

    @router.post("/account/sessions/{session}/end")
    def end(request: Request, session: str, who: SignedIn) -> Response:
        with contest.store.writing() as connection:
            end_session(connection, who.account, session)
        if session != request.state.session:
            return go("/account")
        answer = go("/")
        drop_cookie(answer, contest)
        return answer
