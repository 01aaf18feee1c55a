"""People and teams: accounts, tokens, webhooks, mailboxes. Every change is a form, which works without script."""

from contextlib import ExitStack
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.background import BackgroundTask

from ballcourt.arena.secrets import new_id
from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.decisions.leaving import delete_person
from ballcourt.contest.notifications.mailboxes import HOUR_S, ask_mailbox, confirm_mailbox, mailbox_of, remove_mailbox
from ballcourt.contest.notifications.outbox import Tidings, call_hook
from ballcourt.contest.notifications.webhooks import add_hook, note_call, remove_hook
from ballcourt.contest.people.accounts import Member, rename
from ballcourt.contest.people.devices import allow_device, begin_device, token_of_device
from ballcourt.contest.people.identities import identities_of
from ballcourt.contest.people.sessions import end_session, sessions_of
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
from ballcourt.contest.personal_data import export_person
from ballcourt.contest.refusals import ContestError, LimitError, NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.visible import NOTHING
from ballcourt.contest.web.guard import API, Body
from ballcourt.contest.web.viewers import drop_cookie
from ballcourt.contest.web.visits import (
    MOST_EXPORTS,
    PRIVATE,
    AskedContest,
    PersonVisit,
    SignedIn,
    Visit,
    go,
)

JOIN_S: Final = 7 * 86_400.0
FEED_S: Final = 400 * 86_400.0
Word = Annotated[str, Form(max_length=200)]
Text = Annotated[str, Form(max_length=500)]
Link = Annotated[str, Query(max_length=200)]

pages = APIRouter(include_in_schema=False)
api = APIRouter(prefix=API)


class DeviceBody(Body):
    """The secret of a command line that is being signed in."""

    device: Annotated[str, Field(min_length=1, max_length=100)]


@api.post("/device", status_code=201)
def begin_sign_in(contest: AskedContest) -> dict[str, Any]:
    """Begin to sign a command line in; a person who is signed in allows the code at the address."""
    secret, code = begin_device(contest)
    return {"device": secret, "code": code, "address": f"{contest.settings.url}/device?code={code}", "wait_s": 2}


@api.post("/device/token")
def poll(contest: AskedContest, body: DeviceBody) -> dict[str, Any]:
    """Return the token, once, or null until the code is allowed."""
    return {"token": token_of_device(contest, body.device)}


@pages.get("/device")
def _device_page(visit: SignedIn, code: Link = "") -> Response:
    return visit.show("device.html", code=code)


@pages.post("/device")
def _allow(visit: SignedIn, code: Word) -> Response:
    with visit.contest.store.writing() as connection:
        allow_device(connection, code, visit.who.account, visit.contest.now())
    words = (
        "The command line that shows this code is signed in within seconds; if it is not, begin again there. Its "
        "token is on the page Account, where you can revoke it."
    )
    return visit.tell("Allowed", words, back="/account")


# -- teams


@pages.get("/team")
def _team_page(visit: SignedIn) -> Response:
    visible = visit.visible
    return visit.show("team.html", members=visible.members(), bots=visible.bots(), hooks=visible.hooks())


@pages.post("/team")
def _make_team(visit: SignedIn, name: Word) -> Response:
    contest = visit.contest
    with contest.store.writing() as connection:
        team = add_team(connection, name.strip(), contest.now())
        join_team(connection, team, visit.who.account, contest.settings.teams.members, contest.now())
    return go("/team")


@pages.post("/team/link")
def _make_link(visit: SignedIn) -> Response:
    contest, team = visit.contest, _team_of(visit)
    until, uses = contest.now() + JOIN_S, contest.settings.teams.members
    with contest.store.writing() as connection:
        secret = new_link(connection, Purpose.JOIN, contest.now(), until, team=team, uses=uses)
    link, words = f"{contest.settings.url}/join?link={secret}", "Send this link to those who are to join the team:"
    return visit.tell("A link to join", words, link, "/team")


@pages.post("/team/leave")
def _leave(visit: SignedIn) -> Response:
    if visit.who.team:
        with visit.contest.store.writing() as connection:
            leave_team(connection, visit.who.team, visit.who.account, visit.contest.now())
    return go("/team")


@pages.get("/join")
def _join_page(visit: SignedIn, link: Link = "") -> Response:
    return visit.show("link.html", title="Join a team", address="/join", words="Join the team of this link", link=link)


@pages.post("/join")
def _join(visit: SignedIn, link: Word) -> Response:
    contest = visit.contest
    with contest.store.writing() as connection:
        used = use_link(connection, Purpose.JOIN, link, contest.now())
        join_team(connection, used.team, visit.who.account, contest.settings.teams.members, contest.now())
    return go("/team")


@pages.post("/team/hooks")
def _add_webhook(visit: SignedIn, url: Text) -> Response:
    secret = add_hook(visit.contest, _team_of(visit), url.strip())
    words = "The hook is called with a signature (Standard Webhooks) that is made with this secret:"
    return visit.tell("A webhook", words, secret, "/team")


@pages.post("/team/hooks/{hook}/remove")
def _remove_webhook(visit: SignedIn, hook: str) -> Response:
    with visit.contest.store.writing() as connection:
        remove_hook(connection, _team_of(visit), hook)
    return go("/team")


@pages.post("/team/hooks/{hook}/test")
def _test_webhook(visit: SignedIn, hook: str) -> Response:
    if hook not in {one.id for one in visit.visible.hooks()}:
        raise NotThereError(NOTHING)
    news = Tidings(f"test-{new_id()}", "a test", "", "/team", "test", {"team": visit.who.team_name})
    with visit.contest.store.writing() as connection:
        note_call(connection, hook)  # it is called again, also after too many failures
        call_hook(connection, hook, news, visit.contest.now())
    return go("/team")


def _team_of(visit: PersonVisit) -> str:
    if visit.who.team is None:
        raise StateError("you are in no team; make one first")
    return visit.who.team


# -- accounts


@pages.get("/account")
def _account_page(visit: SignedIn) -> Response:
    contest, account = visit.contest, visit.who.account
    with contest.store.reading() as connection:
        values = {
            "tokens": tokens_of(connection, account),
            "sessions": sessions_of(connection, account, contest.now()),
            "identities": identities_of(connection, account),
            "email": mailbox_of(connection, account),
        }
    return visit.show("account.html", here=visit.request.state.session, **values)


@pages.post("/account")
def _change(visit: SignedIn, shown: Word) -> Response:
    with visit.contest.store.writing() as connection:
        rename(connection, visit.who.account, shown)
    return go("/account")


@pages.post("/account/tokens")
def _make_token(
    visit: SignedIn,
    label: Word = "",
    bot: Word = "",
    days: Annotated[int, Form()] = TOKEN_DAYS,
    may: Annotated[Literal["submit", "read"], Form()] = "submit",
) -> Response:
    contest, account = visit.contest, visit.who.account
    scopes = OF_AUTHORS if may == "submit" else (Scope.READ,)
    with contest.store.writing() as connection:
        _, secret = new_token(connection, account, contest.now(), label.strip(), scopes, days=days, bot=bot.strip())
    words = f"Run ballcourt login {contest.settings.url} --token-file FILE, or let CI have it as a secret:"
    return visit.tell("A token", words, secret, "/account")


@pages.post("/account/tokens/{token}/revoke")
def _revoke(visit: SignedIn, token: str) -> Response:
    with visit.contest.store.writing() as connection:
        revoke_token(connection, visit.who.account, token, visit.contest.now())
    return go("/account")


@pages.post("/account/feed")
def _make_feed(visit: SignedIn) -> Response:
    contest, now = visit.contest, visit.contest.now()
    with contest.store.writing() as connection:
        secret = new_link(connection, Purpose.FEED, now, now + FEED_S, account=visit.who.account)
    words = "Give this address to a reader of feeds, and to no one else. Your older ones have ended:"
    return visit.tell("A feed", words, f"{contest.settings.url}/feed/{secret}.atom", "/account")


@pages.post("/account/mail")
def _give_mailbox(visit: SignedIn, mail: Text = "") -> Response:
    if not mail.strip():
        remove_mailbox(visit.contest, visit.who)
        return go("/account")
    ask_mailbox(visit.contest, visit.who, mail.strip())
    words = "A link has been mailed to this address; mail goes there once you have opened it."
    return visit.tell("Mail", words, back="/account")


@pages.get("/confirm")
def _confirm_page(visit: SignedIn, link: Link = "") -> Response:
    return visit.show("link.html", title="Confirm an address", address="/confirm", words="Let mail go there", link=link)


@pages.post("/confirm")
def _confirm(visit: SignedIn, link: Text) -> Response:
    confirm_mailbox(visit.contest, link, visit.who)
    return go("/account")


@pages.post("/account/sessions/{session}/end")
def _end(visit: SignedIn, session: str) -> Response:
    with visit.contest.store.writing() as connection:
        end_session(connection, visit.who.account, session)
    if session != visit.request.state.session:
        return go("/account")
    answer = go("/")
    drop_cookie(answer, visit.contest)
    return answer


@pages.post("/account/export")
def _export(visit: SignedIn) -> Response:
    asked = visit.site.exports
    if asked.is_full(visit.who.account):
        raise LimitError(f"{MOST_EXPORTS} copies were made of your data within an hour; try again later", HOUR_S)
    asked.add(visit.who.account)
    return exported(visit.contest, visit.who)


def exported(contest: Contest, person: Member) -> Response:
    """Return what a contest knows about a person, as a zip archive that goes once it is sent."""
    with ExitStack() as stack:
        path = stack.enter_context(scratch_folder()) / "person.zip"
        with path.open("wb") as file:
            export_person(contest, person, file)
        after = BackgroundTask(stack.pop_all().close)
    name, kind = f"{person.handle}.zip", "application/zip"
    return FileResponse(path, filename=name, media_type=kind, headers=PRIVATE, background=after)


@pages.post("/account/delete")
def _delete(visit: SignedIn, handle: Annotated[str, Form(max_length=300)] = "") -> Response:
    if handle.strip() != visit.who.handle:
        raise ContestError("write your handle to confirm that your account is to be deleted")
    delete_person(visit.contest, visit.who, visit.who.handle, "asked for by its owner")
    words = "Your account is deleted. What your team has entered stays under the team's name."
    answer = Visit(visit.request, None).tell("Deleted", words, back="/")
    drop_cookie(answer, visit.contest)
    return answer
