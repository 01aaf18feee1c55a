"""Signing in, signing up, and tying an identity to an account, at issuers.

Each begins with a form, which no other site can send. It answers with a page that leads on: the policy of our pages
lets no form lead to other sites, and some issuers lead to yet other ones. The issuer leads the browser back to one
address.
"""

import hmac
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Depends, Form, Query, Request, Response

from ballcourt.arena.printable import printable
from ballcourt.contest.people.accounts import Member, checked_name, person_of
from ballcourt.contest.people.identities import Identity, account_of, tie, untie
from ballcourt.contest.people.sessions import begin_session
from ballcourt.contest.refusals import ContestError, NotAllowedError, NotThereError
from ballcourt.contest.settings import SignInTable
from ballcourt.contest.sign_in.attempt import VALID_S, Aim, IssuerAttempt
from ballcourt.contest.sign_in.issuers import issuers_of
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.sign_up import check_entry_open, may_sign_up, sign_up_as
from ballcourt.contest.visible import NOTHING
from ballcourt.contest.web.drawing_pages import drawn
from ballcourt.contest.web.pages_people import go
from ballcourt.contest.web.pages_signing_up import Report
from ballcourt.contest.web.signing_in.by_address import CountsByAddress
from ballcourt.contest.web.viewers import cookie_name, drop_cookie, set_cookie, signed_in, viewer

if TYPE_CHECKING:
    from ballcourt.contest.sign_in.oauth import Issuer

ATTEMPT: Final = "ballcourt-attempt"
"""The cookie of an attempt to sign in at an issuer."""
SHOWN_ERROR: Final = 100
MOST_FAILED: Final = 30
"""How many sign-ins of an address may fail within ten minutes: each makes the server ask the issuer."""
AGAIN: Final = "this browser began no sign-in that fits this answer, or it took longer than ten minutes; begin again"
SignedIn = Annotated[Member, Depends(signed_in)]
Viewer = Annotated[Member | None, Depends(viewer)]
Word = Annotated[str, Form(max_length=200)]
Answered = Annotated[str, Query(max_length=4096)]


def add_issuers(router: APIRouter, contest: Contest, report: Report) -> None:
    """Add the pages; `report` gets who has signed up. Raises ContestFileError for an issuer that cannot be used."""
    pages = _Pages(contest, report)

    @router.post("/sign-in/with/{issuer}")
    def sign_in(request: Request, issuer: str, who: Viewer) -> Response:
        return pages.lead_on(request, issuer, who, Aim.SIGN_IN)

    @router.post("/sign-up/with/{issuer}")
    def sign_up(request: Request, issuer: str, who: Viewer, handle: Word) -> Response:
        check_entry_open(contest, by_oneself=True, at=pages.issuer(issuer).table)
        return pages.lead_on(request, issuer, who, Aim.SIGN_UP, checked_name(handle.strip(), "handle"))

    @router.post("/account/identities/with/{issuer}")
    def tie_one(request: Request, issuer: str, who: SignedIn) -> Response:
        return pages.lead_on(request, issuer, who, Aim.TIE, who.account)

    @router.post("/account/identities/{identity}/untie")
    def untie_one(identity: str, who: SignedIn) -> Response:
        with contest.store.writing() as connection:
            untie(connection, who.account, identity)
        return go("/account")

    @router.get("/sign-in/with/{issuer}/back")
    def back(
        request: Request,
        issuer: str,
        who: Viewer,
        state: Answered = "",
        code: Answered = "",
        error: Answered = "",
        iss: Answered = "",
    ) -> Response:
        attempt = pages.attempt(request, issuer, state, iss)
        title = pages.issuer(issuer).table.title
        if error or not code:
            why = printable(error[:SHOWN_ERROR]) or "it sent no code"
            raise NotAllowedError(f"{title} did not sign you in ({why}); begin again")
        return pages.arrive(request, issuer, attempt, code, who)


class _Pages:
    """What happens on the way to issuers and back."""

    def __init__(self, contest: Contest, report: Report) -> None:
        self._contest = contest
        self._report = report
        self._issuers = issuers_of(contest)
        refusal = f"{MOST_FAILED} sign-ins from your address failed within ten minutes; try again later"
        self._failed = CountsByAddress(MOST_FAILED, VALID_S, refusal, contest.now)

    def issuer(self, name: str) -> "Issuer":
        """Return an issuer. Raises NotThereError."""
        if name not in self._issuers:
            raise NotThereError(NOTHING)
        return self._issuers[name]

    def lead_on(self, request: Request, name: str, who: Member | None, aim: Aim, about: str = "") -> Response:
        """Return a page that leads to an issuer, and let the browser keep the attempt."""
        issuer, attempt = self.issuer(name), IssuerAttempt.begin(aim, self._contest.now(), about)
        address = issuer.address(attempt, self._contest.now())
        answer = drawn(request, "go-on.html", who, address=address, issuer=issuer.table)
        set_cookie(answer, self._contest, attempt.cookie(), ATTEMPT, VALID_S)
        return answer

    def attempt(self, request: Request, name: str, state: str, iss: str) -> IssuerAttempt:
        """Return the attempt to which an issuer answers. Raises NotAllowedError if it is not one of this browser."""
        issuer = self.issuer(name).table.issuer
        found = IssuerAttempt.from_cookie(request.cookies.get(cookie_name(self._contest, ATTEMPT), ""))
        if found is None or found.is_over(self._contest.now()):
            raise NotAllowedError(AGAIN)
        if not hmac.compare_digest(found.state(issuer).encode(), state.encode(errors="replace")):
            raise NotAllowedError(AGAIN)
        if iss and iss != issuer:  # RFC 9207
            raise NotAllowedError(f"this answer is that of another issuer than {issuer}; begin again")
        return found

    def arrive(self, request: Request, name: str, attempt: IssuerAttempt, code: str, who: Member | None) -> Response:
        """Do what an attempt was for, and lead the browser to a page of ours. Raises ContestError."""
        issuer = self.issuer(name)
        if attempt.aim is Aim.TIE and (who is None or who.account != attempt.about):
            raise NotAllowedError("another account is signed in than when you began; begin again on the page Account")
        identity = self._identity(request, issuer, attempt, code)
        if attempt.aim is Aim.TIE:
            answer = go("/account")
            with self._contest.store.writing() as connection:
                tie(connection, attempt.about, identity, self._contest.now())
        else:
            answer = go("/submissions")
            browser = request.headers.get("user-agent", "")
            set_cookie(answer, self._contest, self._begin(attempt, identity, issuer.table, browser))
        drop_cookie(answer, self._contest, ATTEMPT)
        return answer

    def _identity(self, request: Request, issuer: "Issuer", attempt: IssuerAttempt, code: str) -> Identity:
        """Return who has come back with a code. Strangers can make attempts and codes up, but not without end."""
        self._failed.check(request)
        try:
            return issuer.identity(attempt, code, self._contest.now())
        except ContestError:
            self._failed.add(request)
            raise

    def _begin(self, attempt: IssuerAttempt, identity: Identity, at: SignInTable, browser: str) -> str:
        """Begin a session for an identity, after making an account if that is wanted; return its secret."""
        is_new, now = False, self._contest.now()
        with self._contest.store.writing() as connection:
            account = account_of(connection, identity, now)
            if account is None and attempt.aim is Aim.SIGN_UP:
                account, is_new = sign_up_as(self._contest, connection, attempt.about, identity, at), True
            if account is None:
                raise NotAllowedError(self._unknown(at))
            if person_of(connection, account) is None:
                raise NotAllowedError("this account may not sign in; ask the organiser")
            secret = begin_session(connection, account, browser, now)
        if is_new:
            self._report(f"{attempt.about} has signed up with {at.title}")
        return secret

    def _unknown(self, at: SignInTable) -> str:
        """Return what somebody does whose identity is tied to no account."""
        if may_sign_up(self._contest, at):
            return f"no account is tied to this identity at {at.title}; make one on the page Sign up"
        return (
            f"no account is tied to this identity at {at.title}; sign in by the link from the organiser, and tie it on "
            "the page Account"
        )
