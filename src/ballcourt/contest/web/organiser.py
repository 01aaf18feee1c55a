"""The organiser's pages: what needs attention now, lists, decisions with their reasons, and announcements to all."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Form, Response
from sqlalchemy import Connection, select

from ballcourt.arena.durations import duration
from ballcourt.arena.match.policy import counted
from ballcourt.contest.decisions.announcing import announce, announcements
from ballcourt.contest.decisions.asking import open_questions
from ballcourt.contest.decisions.audit import amounts
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.duplicates import same_files
from ballcourt.contest.decisions.hiding import frozen_phase, lift_freeze
from ballcourt.contest.decisions.leaving import delete_person
from ballcourt.contest.examining.work import oldest_waiting
from ballcourt.contest.listing import Asked, Listing, bots, decided, lost_seats, people, sizes, teams
from ballcourt.contest.monitoring.readiness import free_bytes, readiness
from ballcourt.contest.notifications.outbox import given_up, unsent
from ballcourt.contest.people.accounts import Member, account_named, anybody
from ballcourt.contest.people.teams import members_of, team_named
from ballcourt.contest.refusals import ContestError, NotThereError
from ballcourt.contest.settings import at_time
from ballcourt.contest.store.schema import AUDIT, BOTS
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.submissions.work_queue import again_waiting
from ballcourt.contest.visible import NOTHING
from ballcourt.contest.web.people import exported
from ballcourt.contest.web.visits import Anyone, AskedList, PersonVisit, SignedIn, go
from ballcourt.leaderboard.pages.rendering import PageLink

Reason = Annotated[str, Form(max_length=1000)]
Word = Annotated[str, Form(max_length=45)]
Number = Annotated[int, Form(ge=0, le=1000)]
LONG_S: Final = 600
"""From how many seconds on it is too long that a submission waits."""
NEWEST: Final = 10
"""How many decisions the overview shows."""
LOOKED_AT: Final = 1000
"""Of how many submissions, the newest, the overview tells whose files another team entered."""

pages = APIRouter(include_in_schema=False)


def _organising(visit: SignedIn) -> PersonVisit:
    """Return the visit of an organiser. Raises NotAllowedError."""
    visit.visible.organiser()
    return visit


Organising = Annotated[PersonVisit, Depends(_organising)]


def _decider(visit: Organising) -> Decider:
    """Return what decides for an organiser. Raises NotAllowedError."""
    return Decider(visit.contest, visit.who.handle)


Deciding = Annotated[Decider, Depends(_decider)]


def _anybody(visit: Organising, handle: str) -> Member:
    """Return the person of an address. Raises NotThereError."""
    with visit.contest.store.reading() as connection:
        return anybody(connection, handle)


Anybody = Annotated[Member, Depends(_anybody)]


@pages.get("/organiser")
def _overview(visit: Organising) -> Response:
    contest, counts = visit.contest, visit.visible.counts()
    with contest.store.reading() as connection:
        since = oldest_waiting(connection)
        waits = 0 if since is None else round(contest.now() - since)  # in seconds
        values: dict[str, Any] = {
            "waits": "none" if since is None else duration(waits),
            "again": again_waiting(connection),
            "sizes": sizes(connection, contest),
            "decisions": connection.execute(select(AUDIT).order_by(AUDIT.c.number.desc()).limit(NEWEST)).all(),
            "frozen": frozen_phase(connection, contest),
            "same": same_files(connection, LOOKED_AT),
            "unsent": unsent(connection),
            "questions": open_questions(connection),
            "given_up": given_up(connection),
        }
    attention = [*_attention(visit, counts, waits, values)]
    return visit.show("organiser.html", **values, counts=counts, attention=attention, free=free_bytes(contest))


def _attention(
    visit: PersonVisit, counts: Mapping[str, int], waits: int, values: Mapping[str, Any]
) -> Iterator[tuple[PageLink | None, str]]:
    """Yield what an organiser should look at now: where that is, and the end of a sentence."""
    for part in readiness(visit.contest):
        if not part.is_ready:
            yield None, part.sentence

    words = {
        SubmissionState.FAILED: "by a fault of the arena, not of their authors; examine them again",
        SubmissionState.ACCEPTED: "but not yet let in by the ladder",
        SubmissionState.WAITING: f"for up to {duration(waits)}" if waits > LONG_S else "",
    }
    for state, what in words.items():
        if counts.get(state) and what:
            yield PageLink(f"/submissions?state={state}", f"{counts[state]:,} {state}"), what
    if values["questions"]:
        yield PageLink("/questions", counted(values["questions"], "question")), "to be answered"
    if values["same"]:
        yield PageLink("#same", "Several teams"), f"entered the same files, among the newest {LOOKED_AT:,} submissions"
    if failed := sum(one.failed for one in values["unsent"]):
        yield PageLink("#messages", counted(failed, "message")), "given up"


# -- lists


def _person(handle: str) -> PageLink:
    return PageLink(f"/organiser/people/{handle}", handle)


def _team(name: str | None) -> PageLink | str:
    return PageLink(f"/organiser/teams/{name}", name) if name else "-"


def _bot(name: str) -> PageLink:
    return PageLink(f"/my-bots/{name}", name)


LISTS: Final[Mapping[str, tuple[Callable[[Connection, Asked], Listing], str, Callable[[Any], Sequence[object]]]]] = {
    "people": (
        people,
        "handle team state name role mail since",
        lambda one: (_person(one.handle), _team(one.team_name), one.state, one.shown, one.role, one.email or "-"),
    ),
    "teams": (
        teams,
        "team state members bots submissions since",
        lambda one: (_team(one.name), one.state, one.members, one.bots, one.submitted),
    ),
    "bots": (
        bots,
        "bot team state kind since",
        lambda one: (_bot(one.name), _team(one.team_name), one.state, "dials in" if one.remote else "archives"),
    ),
    "decisions": (
        decided,
        "action subject reason by when",
        lambda one: (f"{one.action}{amounts(one.details)}", one.subject, one.reason, one.who),
    ),
}
"""By the end of an address: what finds the rows, the heads of the columns, and the cells of a row but for its time."""


@pages.get("/organiser/faults")
def _faults_page(visit: Organising, asked: AskedList) -> Response:
    found = lost_seats(visit.contest, asked)
    entered = {bot.name for bot in visit.visible.bots({one.bot for one in found.rows})}
    rows = [
        (_bot(one.bot), one.how, PageLink(f"/my-bots/{one.bot}/faults/{one.entry}.zip", one.entry), one.when)
        if one.bot in entered
        else (one.bot, one.how, one.entry, one.when)
        for one in found.rows
    ]
    return visit.show_list("Faults", ("bot", "how", "bundle", "when"), rows, found, asked)


@pages.get("/organiser/{kind}")
def _list_page(visit: Organising, kind: str, asked: AskedList) -> Response:
    if kind not in LISTS:
        raise NotThereError(NOTHING)
    find, heads, cells = LISTS[kind]
    with visit.contest.store.reading() as connection:
        found = find(connection, asked)
    rows = [(*cells(one), at_time(one.at if kind == "decisions" else one.created)) for one in found.rows]
    return visit.show_list(kind.capitalize(), heads.split(), rows, found, asked)


@pages.get("/organiser/people/{handle}")
def _person_page(visit: Organising, handle: str) -> Response:
    with visit.contest.store.reading() as connection:
        one, person = account_named(connection, handle), anybody(connection, handle)
    search = f"?search={one.handle}"
    facts = {
        "name": [one.shown],
        "role": [one.role],
        "mail": [one.email or "-"],
        "team": [_team(person.team_name)],
        "see": [
            PageLink(f"/submissions{search}", "submissions"),
            PageLink(f"/organiser/decisions{search}", "decisions"),
        ],
    }
    return visit.show("person.html", one=one, facts=facts)


@pages.get("/organiser/teams/{team}")
def _team_page(visit: Organising, team: str) -> Response:
    with visit.contest.store.reading() as connection:
        one = team_named(connection, team)
        members = members_of(connection, one.id)
        own = connection.execute(select(BOTS.c.name).where(BOTS.c.team == one.id).order_by(BOTS.c.look)).scalars().all()
    facts = {
        "members": [_person(member.handle) for member in members],
        "bots": [*map(_bot, own)],
        "submissions": [PageLink(f"/submissions?search={one.name}", str(one.submitted))],
    }
    return visit.show("one-team.html", one=one, facts=facts)


# -- decisions


@pages.post("/organiser/grant")
def _grant(
    decider: Deciding, team: Word, reason: Reason, accepted: Number = 0, attempts: Number = 0, scrimmages: Number = 0
) -> Response:
    decider.grant(team, accepted, attempts, reason, scrimmages)
    return go(f"/organiser/teams/{team}")


@pages.post("/organiser/account")
def _account(
    decider: Deciding, handle: Word, reason: Reason, action: Annotated[Literal["suspend", "restore"], Form()]
) -> Response:
    (decider.suspend if action == "suspend" else decider.restore)(handle, reason)
    return go(f"/organiser/people/{handle}")


@pages.post("/organiser/people/{handle}/export")
def _export(visit: Organising, person: Anybody) -> Response:
    return exported(visit.contest, person)


@pages.post("/organiser/people/{handle}/delete")
def _delete(visit: Organising, person: Anybody, reason: Reason, confirmed: Word) -> Response:
    if confirmed.strip() != person.handle:
        raise ContestError(f"write the handle {person.handle} to confirm that the account is to be deleted")
    return go(f"/organiser/people/{delete_person(visit.contest, person, visit.who.handle, reason)}")


@pages.post("/organiser/ruling")
def _ruling(
    decider: Deciding,
    name: Word,
    reason: Reason,
    action: Annotated[Literal["disqualify", "reinstate", "release"], Form()],
) -> Response:
    rule = {"disqualify": decider.disqualify, "reinstate": decider.reinstate, "release": decider.release}
    rule[action](name, reason)
    kind, _, bare = name.rpartition(":")
    return go({"team": f"/organiser/teams/{bare}", "bot": f"/my-bots/{bare}"}.get(kind, "/organiser"))


@pages.post("/organiser/submission")
def _submission(
    decider: Deciding, submission: Word, reason: Reason, action: Annotated[Literal["requeue", "withdraw"], Form()]
) -> Response:
    (decider.requeue if action == "requeue" else decider.withdraw)(submission, reason)
    return go(f"/submissions/{submission}")


@pages.post("/organiser/again")
def _again(visit: Organising, decider: Deciding, reason: Reason) -> Response:
    return visit.tell("Examined again", f"{decider.requeue_all(reason)}.", back="/organiser")


@pages.post("/organiser/unfreeze")
def _unfreeze(visit: Organising, reason: Reason) -> Response:
    lift_freeze(visit.contest, visit.who.handle, reason)
    return go("/organiser")


@pages.post("/organiser/announce")
def _announce_it(
    visit: Organising, title: Annotated[str, Form(max_length=500)], text: Annotated[str, Form(max_length=40_000)]
) -> Response:
    announce(visit.contest, visit.who.handle, title, text)
    return go("/announcements")


@pages.get("/announcements")
def _announcements_page(visit: Anyone) -> Response:
    with visit.contest.store.reading() as connection:
        found = announcements(connection)
    games = visit.contest.ladder.games[:1]
    return visit.show("announcements.html", announcements=found, now=visit.contest.moment, games=games)
