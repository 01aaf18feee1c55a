"""Signing in, signing up, and tying an identity to an account: by links, and at issuers.

At issuers each begins with a form, which no other site can send. It answers with a page that leads on: the policy of
our pages lets no form lead to other sites, and some issuers lead to yet other ones. The issuer leads the browser back
to one address.
"""

import hmac
import re
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import unquote

from fastapi import APIRouter, Depends, Form, Query, Response

from ballcourt.arena.printable import printable
from ballcourt.contest.decisions.inviting import link_for
from ballcourt.contest.notifications.mailboxes import keep_mailbox
from ballcourt.contest.people.accounts import checked_name, person_of
from ballcourt.contest.people.identities import Identity, account_of, tie, untie
from ballcourt.contest.people.sessions import begin_session
from ballcourt.contest.people.tokens import Purpose, use_link
from ballcourt.contest.refusals import ContestError, NotAllowedError, NotThereError
from ballcourt.contest.settings import SignInTable
from ballcourt.contest.sign_in.attempt import VALID_S, Aim, IssuerAttempt
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.sign_up import check_entry_open, may_sign_up, sign_up, sign_up_as
from ballcourt.contest.visible import NOTHING
from ballcourt.contest.web.viewers import WANTED, cookie_name, drop_cookie, set_cookie
from ballcourt.contest.web.visits import Anyone, SignedIn, Visit, go

if TYPE_CHECKING:
    from ballcourt.contest.sign_in.oauth import Issuer

ATTEMPT: Final = "ballcourt-attempt"
"""The cookie of an attempt to sign in at an issuer."""
OWN: Final = re.compile(r"/(?![/\\])")
"""How an address on this host begins."""
SHOWN_ERROR: Final = 100
AGAIN: Final = "this browser began no sign-in that fits this answer, or it took longer than ten minutes; begin again"
Word = Annotated[str, Form(max_length=200)]
Text = Annotated[str, Form(max_length=300)]
Answered = Annotated[str, Query(max_length=4096)]

pages = APIRouter(include_in_schema=False)


@pages.get("/sign-in")
def _sign_in_page(visit: Anyone, link: Annotated[str, Query(max_length=200)] = "") -> Response:
    return visit.show("sign-in.html", link=link, may_sign_up=may_sign_up(visit.contest))


@pages.post("/sign-in")
def _sign_in(visit: Anyone, link: Word) -> Response:
    contest, now = visit.contest, visit.contest.now()
    with contest.store.writing() as connection:
        used = use_link(connection, Purpose.SIGN_IN, link, now)
        if person_of(connection, used.account) is None:
            raise NotThereError("this account may not sign in; ask the organiser")
        if used.email:  # the link was mailed there, so the address is theirs
            keep_mailbox(connection, contest, used.account, used.email)
        secret = begin_session(connection, used.account, visit.browser, now)
    return _lead_in(visit, secret)


def _lead_in(visit: Visit, secret: str) -> Response:
    """Return what begins a session and leads to the page that its person came for, or else to the submissions."""
    wanted = unquote(visit.request.cookies.get(cookie_name(visit.contest, WANTED), ""))
    answer = go(wanted if OWN.match(wanted) else "/submissions")
    set_cookie(answer, visit.contest, secret)
    drop_cookie(answer, visit.contest, WANTED)
    return answer


@pages.get("/sign-up")
def _sign_up_page(visit: Anyone) -> Response:
    contest = visit.contest
    at = [one for one in contest.settings.sign_in if may_sign_up(contest, one)]
    if not at:
        check_entry_open(contest, by_oneself=True)
    return visit.show("sign-up.html", by_link=may_sign_up(contest), at=at)


@pages.post("/sign-up")
def _make_account(visit: Anyone, handle: Text, mail: Text = "") -> Response:
    check_entry_open(visit.contest, by_oneself=True)
    visit.site.sign_ups.check(visit.request)
    visit.site.sign_ups.add(visit.request)
    secret = sign_up(visit.contest, handle.strip(), mail.strip())
    words = "Your account is made. The link that signs you in comes by mail."
    if secret:
        link = link_for(visit.contest, secret)
        visit.site.report(f"{handle.strip()} has signed up; this link signs them in, once: {link}")
        words = "Your account is made. The organiser has the link that signs you in, and sends it to you."
    return visit.tell("Signed up", words)


# -- at issuers


def _issuer(visit: Anyone, issuer: str) -> "Issuer":
    """Return the issuer of an address. Raises NotThereError."""
    if issuer not in visit.site.issuers:
        raise NotThereError(NOTHING)
    return visit.site.issuers[issuer]


At = Annotated[Any, Depends(_issuer)]
"""The issuer of an address, whose class needs an extra."""


@pages.post("/sign-in/with/{issuer}")
def _sign_in_at(visit: Anyone, at: At) -> Response:
    return _lead_on(visit, at, Aim.SIGN_IN)


@pages.post("/sign-up/with/{issuer}")
def _sign_up_at(visit: Anyone, at: At, handle: Word) -> Response:
    check_entry_open(visit.contest, by_oneself=True, at=at.table)
    return _lead_on(visit, at, Aim.SIGN_UP, checked_name(handle.strip(), "handle"))


@pages.post("/account/identities/with/{issuer}")
def _tie_one(visit: SignedIn, at: At) -> Response:
    return _lead_on(visit, at, Aim.TIE, visit.who.account)


@pages.post("/account/identities/{identity}/untie")
def _untie_one(visit: SignedIn, identity: str) -> Response:
    with visit.contest.store.writing() as connection:
        untie(connection, visit.who.account, identity)
    return go("/account")


@pages.get("/sign-in/with/{issuer}/back")
def _back(
    visit: Anyone, at: At, state: Answered = "", code: Answered = "", error: Answered = "", iss: Answered = ""
) -> Response:
    attempt = _attempt(visit, at.table.issuer, state, iss)
    if error or not code:
        why = printable(error[:SHOWN_ERROR]) or "it sent no code"
        raise NotAllowedError(f"{at.table.title} did not sign you in ({why}); begin again")
    return _arrive(visit, at, attempt, code)


def _lead_on(visit: Visit, at: "Issuer", aim: Aim, about: str = "") -> Response:
    """Return a page that leads to an issuer and sets the cookie of the attempt."""
    contest, attempt = visit.contest, IssuerAttempt.begin(aim, visit.contest.now(), about)
    with at.turn():
        address = at.address(attempt, contest.now())
    answer = visit.show("go-on.html", address=address, issuer=at.table)
    set_cookie(answer, contest, attempt.cookie(), ATTEMPT, VALID_S)
    return answer


def _attempt(visit: Visit, issuer: str, state: str, iss: str) -> IssuerAttempt:
    """Return the attempt to which an issuer answers. Raises NotAllowedError if it is not one of this browser."""
    found = IssuerAttempt.from_cookie(visit.request.cookies.get(cookie_name(visit.contest, ATTEMPT), ""))
    if found is None or found.is_over(visit.contest.now()):
        raise NotAllowedError(AGAIN)
    if not hmac.compare_digest(found.state(issuer).encode(), state.encode(errors="replace")):
        raise NotAllowedError(AGAIN)
    if iss and iss != issuer:  # RFC 9207
        raise NotAllowedError(f"this answer is that of another issuer than {issuer}; begin again")
    return found


def _arrive(visit: Visit, at: "Issuer", attempt: IssuerAttempt, code: str) -> Response:
    """Do what an attempt was for, and lead the browser to a page of ours. Raises ContestError."""
    contest = visit.contest
    if attempt.aim is Aim.TIE and (visit.who is None or visit.who.account != attempt.about):
        raise NotAllowedError("another account is signed in than when you began; begin again on the page Account")
    visit.site.failed_sign_ins.check(visit.request)  # strangers can make attempts and codes up, but not without end
    try:
        with at.turn():
            identity = at.identity(attempt, code, contest.now())
    except ContestError:
        visit.site.failed_sign_ins.add(visit.request)
        raise
    if attempt.aim is Aim.TIE:
        answer = go("/account")
        with contest.store.writing() as connection:
            tie(connection, attempt.about, identity, contest.now())
    else:
        answer = _lead_in(visit, _begin(visit, attempt, identity, at.table))
    drop_cookie(answer, contest, ATTEMPT)
    return answer


def _begin(visit: Visit, attempt: IssuerAttempt, identity: Identity, at: SignInTable) -> str:
    """Begin a session for an identity, after making an account if that is wanted; return its secret."""
    contest, is_new, now = visit.contest, False, visit.contest.now()
    with contest.store.writing() as connection:
        account = account_of(connection, identity, now)
        if account is None and attempt.aim is Aim.SIGN_UP:
            account, is_new = sign_up_as(contest, connection, attempt.about, identity, at), True
        if account is None:
            raise NotAllowedError(_unknown(contest, at))
        if person_of(connection, account) is None:
            raise NotAllowedError("this account may not sign in; ask the organiser")
        secret = begin_session(connection, account, visit.browser, now)
    if is_new:
        visit.site.report(f"{attempt.about} has signed up with {at.title}")
    return secret


def _unknown(contest: Contest, at: SignInTable) -> str:
    """Return what a person does whose identity is tied to no account."""
    if may_sign_up(contest, at):
        return f"no account is tied to this identity at {at.title}; make one on the page Sign up"
    return (
        f"no account is tied to this identity at {at.title}; sign in by the link from the organiser, and tie it on "
        "the page Account"
    )
