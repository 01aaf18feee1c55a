"""Visits: requests to a contest, with the person who sent each, and the pages that answer them."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from ballcourt.arena.rates import SlidingWindow
from ballcourt.arena.remote.port import prefix_of
from ballcourt.contest.decisions.audit import amounts
from ballcourt.contest.decisions.happened import happened
from ballcourt.contest.listing import Asked, Listing
from ballcourt.contest.notifications.mailboxes import HOUR_S
from ballcourt.contest.notifications.webhooks import MOST_FAILURES
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.tokens import MOST_TOKEN_DAYS, TOKEN_DAYS, USED_S, Bearer, Scope, bearer_of, note_use
from ballcourt.contest.refusals import LimitError, NotAllowedError, UnknownPersonError
from ballcourt.contest.settings import at_time, shown
from ballcourt.contest.sign_in.attempt import VALID_S
from ballcourt.contest.sign_in.issuers import issuers_of
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.sign_up import MOST_OF_ADDRESS
from ballcourt.contest.visible import SubmissionView, Visible
from ballcourt.contest.visible_scrimmages import ScrimmageView, VisibleScrimmages
from ballcourt.contest.web.viewers import leads_to, own_pages, reader_in, viewer_in
from ballcourt.leaderboard.pages import charts
from ballcourt.leaderboard.pages.rendering import Links, Surroundings, menu, without_files
from ballcourt.leaderboard.pages.summaries import Summary
from ballcourt.leaderboard.pages.views import Views
from ballcourt.web.guard import HOSTS
from ballcourt.web.render import Page, Templates

FOLDER: Final = Path(__file__).parent
PRIVATE: Final = {"Cache-Control": "no-store"}
SEE_OTHER: Final = 303
MOST_FAILED: Final = 30
"""How many sign-ins of an address may fail within ten minutes: each makes the server ask the issuer."""
MOST_EXPORTS: Final = 5
"""How often an account may get its data within an hour."""
UNREADABLE: Final = "the results cannot be read now; the log of the server says why"
Report = Callable[[str], None]
Shown = Callable[[Member | None], Views | None]
"""Returns what a viewer may see now of tables and matches; None while that is nothing."""


class CountsByAddress:
    """Counts what visitors did, together for all addresses of a network of IPv6.

    Visitors who come through a proxy on this machine that is not listed have no address of their own, and are not
    counted.
    """

    def __init__(self, most: int, within_s: float, refusal: str, now: Callable[[], float]) -> None:
        """`refusal` is what a visitor reads who did it `most` times within `within_s` seconds."""
        self._window = SlidingWindow(most, within_s, now)
        self._within_s = within_s
        self._refusal = refusal

    def check(self, request: Request) -> None:
        """Raise LimitError if a visitor may not try again yet."""
        if self._window.is_full(_network(request)):
            raise LimitError(self._refusal, self._within_s)

    def add(self, request: Request) -> None:
        """Count what a visitor did."""
        if network := _network(request):
            self._window.add(network)


def _network(request: Request) -> str:
    """Return what a visitor is counted by; an empty string for one who is not counted."""
    address = request.client.host if request.client else ""
    if address in HOSTS:
        return ""
    try:
        return prefix_of(address)
    except ValueError:  # the name of a Unix socket, or what a proxy made of it
        return address


class Site:
    """What all requests to a contest share."""

    def __init__(self, contest: Contest, report: Report, shown_to: Shown) -> None:
        """`report` gets what the organiser has to know. Raises ContestFileError for an issuer that cannot be used."""
        self.report = report
        self.shown_to = shown_to
        self.issuers = issuers_of(contest)
        failed = f"{MOST_FAILED} sign-ins from your address failed within ten minutes; try again later"
        self.failed_sign_ins = CountsByAddress(MOST_FAILED, VALID_S, failed, contest.now)
        asked = f"{MOST_OF_ADDRESS} accounts were asked for from your address within an hour"
        self.sign_ups = CountsByAddress(MOST_OF_ADDRESS, HOUR_S, asked, contest.now)
        self.exports = SlidingWindow(MOST_EXPORTS, HOUR_S, contest.now)


@dataclass(frozen=True)
class Visit:
    """A request, and who sent it; None is a visitor who has not signed in."""

    request: Request
    who: Member | None

    @property
    def contest(self) -> Contest:
        """The contest that is asked."""
        return _contest(self.request)

    @property
    def site(self) -> Site:
        """What all requests share."""
        found: Site = self.request.app.state.site
        return found

    @property
    def browser(self) -> str:
        """What the browser says that it is."""
        return self.request.headers.get("user-agent", "")

    @property
    def visible(self) -> Visible:
        """What this person sees."""
        return Visible(self.contest, self.who)

    @property
    def scrimmages(self) -> VisibleScrimmages:
        """What this person sees of scrimmages."""
        return VisibleScrimmages(self.contest, self.who)

    def show(self, template: str, status: int = 200, /, **values: object) -> HTMLResponse:
        """Return the page of a template with its values, as this person sees it."""
        contest, leads, page = self.contest, leads_to(self.contest, self.who), Page(template, values)
        views = self.site.shown_to(self.who)
        whole = menu(Links(leads=leads), has_tournament=bool(views and views.frame().has_tournament))
        text = _TEMPLATES.render(
            page,
            contest=contest.settings,
            viewer=self.who,
            phase=contest.phase,
            at=contest.moment,
            hiding=contest.hiding,
            leads=leads,
            menu=[*whole, *own_pages(contest, self.who)],
        )
        return HTMLResponse(text, status, headers=PRIVATE)

    def show_list(
        self,
        title: str,
        heads: Sequence[str],
        rows: Sequence[Sequence[object]],
        found: Listing,
        asked: Asked,
        **values: object,
    ) -> HTMLResponse:
        """Return the page of a list, whose cells are links, moments or words; phones show the first three."""
        about = {"title": title, "heads": heads, "rows": rows, "found": found, "asked": asked}
        return self.show("list.html", **about, **values)

    def tell(self, title: str, sentence: str, secret: str = "", back: str = "", status: int = 200) -> HTMLResponse:
        """Return the page with one sentence, a secret that is shown only this once, and the address to go on with."""
        return self.show("message.html", status, title=title, sentence=sentence, secret=secret, back=back)


@dataclass(frozen=True)
class PersonVisit(Visit):
    """A request of a person, by the session of a browser or by a token."""

    who: Member


def _contest(request: Request) -> Contest:
    found: Contest = request.app.state.contest
    return found


def visit(request: Request) -> Visit:
    """Return a request with the viewer of its page."""
    return Visit(request, viewer_in(_contest(request), request))


def signed_in(request: Request) -> PersonVisit:
    """Return a request with the viewer of its page. Raises UnknownPersonError for a visitor."""
    if found := visit(request).who:
        return PersonVisit(request, found)
    raise UnknownPersonError("sign in first, by the link from the organiser; it works once")


@dataclass(frozen=True)
class WithToken:
    """Lets in the tokens with a scope."""

    scope: Scope
    of_bot: bool = False
    """Whether one for a single bot is enough."""

    def __call__(self, request: Request) -> PersonVisit:
        """Return a request with who sent it. Raises UnknownPersonError and NotAllowedError."""
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not secret:
            raise UnknownPersonError("this needs a token; send the header Authorization: Bearer TOKEN")
        bearer = _bearer(_contest(request), secret.strip())
        if self.scope not in bearer.scopes:
            raise NotAllowedError(f"this token may only {' and '.join(sorted(bearer.scopes))}; this needs {self.scope}")
        if bearer.person.bot and not self.of_bot:
            raise NotAllowedError(f"this token may only enter the bot {bearer.person.bot}, and follow its submissions")
        return PersonVisit(request, bearer.person)


def _bearer(contest: Contest, secret: str) -> Bearer:
    now = contest.now()
    with contest.store.reading() as connection:
        bearer = bearer_of(connection, secret, now)
    if bearer is None:
        raise UnknownPersonError("this token is not valid; it may have been revoked, or be too old")
    if bearer.used is None or bearer.used < now - USED_S:
        with contest.store.writing() as connection:
            note_use(connection, bearer.token, now)
    return bearer


def asked_for(
    search: Annotated[str, Query(max_length=100)] = "",
    state: Annotated[str, Query(max_length=100)] = "",
    page: Annotated[int, Query(ge=0, le=1 << 20)] = 0,
) -> Asked:
    """Return what of a list a request asks for."""
    return Asked(search.strip(), state, page)


AskedList = Annotated[Asked, Depends(asked_for)]
AskedContest = Annotated[Contest, Depends(_contest)]
Anyone = Annotated[Visit, Depends(visit)]
SignedIn = Annotated[PersonVisit, Depends(signed_in)]
Reader = Annotated[PersonVisit, Depends(WithToken(Scope.READ))]
Submitter = Annotated[PersonVisit, Depends(WithToken(Scope.SUBMIT))]
FollowsBot = Annotated[PersonVisit, Depends(WithToken(Scope.READ, of_bot=True))]
"""Reads of submissions and bots; the token may be for a single bot."""
EntersBot = Annotated[PersonVisit, Depends(WithToken(Scope.SUBMIT, of_bot=True))]
Examiner = Annotated[PersonVisit, Depends(WithToken(Scope.EXAMINE))]


def go(address: str) -> Response:
    """Return what leads a browser to another page of ours."""
    return RedirectResponse(address, SEE_OTHER)


def as_json(view: SubmissionView | ScrimmageView) -> dict[str, Any]:
    """Return a submission or a scrimmage as programs get it."""
    return {**asdict(view), "is_over": view.is_over}


def iso(value: datetime | float) -> str:
    """Return a moment as programs read it (RFC 3339)."""
    return (value if isinstance(value, datetime) else at_time(value)).isoformat(timespec="seconds")


def _moment(value: datetime | float) -> str:
    return shown(value if isinstance(value, datetime) else at_time(value))


_TEMPLATES: Final = Templates(
    FOLDER,
    {"moment": _moment, "iso": iso, "amounts": amounts},
    {"token_days": TOKEN_DAYS, "most_token_days": MOST_TOKEN_DAYS, "most_failures": MOST_FAILURES, "charts": charts},
)


def showing(views: Views) -> Callable[[Summary | None], None]:
    """Return what shows summaries on pages for all, without the files of the server."""

    def show(summary: Summary | None) -> None:
        views.show(summary and replace(summary, trouble=without_files(summary.trouble, UNREADABLE)))

    return show


def around(contest: Contest) -> Surroundings:
    """Return what a contest puts around the pages of its leaderboard: its name, its front, its pages and its news."""

    def front() -> str:
        values = {"contest": contest.settings, "now": contest.moment, "games": contest.ladder.games[:1]}
        return Markup(_TEMPLATES.render(Page("front.html", values)))

    return Surroundings(
        name=contest.settings.name,
        front=front,
        identity=contest.identity,
        url=contest.settings.url,
        hosts=(contest.settings.host,),
        links=lambda request: own_pages(contest, reader_in(contest, request)),
        news=lambda: happened(contest),
        leads=lambda request: leads_to(contest, reader_in(contest, request)),
    )
