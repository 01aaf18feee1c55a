"""The organiser's page: how the contest stands, decisions with their reasons, and announcements to all."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Form, Response

from ballcourt.contest.decisions.announcing import announce, announcements
from ballcourt.contest.decisions.audit import decisions
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.duplicates import same_files
from ballcourt.contest.decisions.hiding import frozen_phase, lift_freeze
from ballcourt.contest.examining.work import oldest_waiting
from ballcourt.contest.notifications.outbox import given_up, unsent
from ballcourt.contest.web.visits import Anyone, SignedIn, go

Reason = Annotated[str, Form(max_length=1000)]
Word = Annotated[str, Form(max_length=40)]
Number = Annotated[int, Form(ge=0, le=1000)]

pages = APIRouter(include_in_schema=False)


def _decider(visit: SignedIn) -> Decider:
    """Return what decides for an organiser. Raises NotAllowedError."""
    return Decider(visit.contest, visit.visible.organiser().handle)


Deciding = Annotated[Decider, Depends(_decider)]


@pages.get("/organiser")
def _overview(visit: SignedIn) -> Response:
    visit.visible.organiser()
    contest = visit.contest
    with contest.store.reading() as connection:
        since = oldest_waiting(connection)
        values = {
            "waits": None if since is None else round(contest.now() - since),  # in seconds
            "counts": visit.visible.counts(),
            "decisions": [*decisions(connection)][::-1],
            "frozen": frozen_phase(connection, contest),
            "same": same_files(connection),
            "unsent": unsent(connection),
            "given_up": given_up(connection),
        }
    return visit.show("organiser.html", **values)


@pages.post("/organiser/grant")
def _grant(
    decider: Deciding, team: Word, reason: Reason, accepted: Number = 0, attempts: Number = 0, scrimmages: Number = 0
) -> Response:
    decider.grant(team, accepted, attempts, reason, scrimmages)
    return go("/organiser")


@pages.post("/organiser/account")
def _account(
    decider: Deciding, handle: Word, reason: Reason, action: Annotated[Literal["suspend", "restore"], Form()]
) -> Response:
    (decider.suspend if action == "suspend" else decider.restore)(handle, reason)
    return go("/organiser")


@pages.post("/organiser/ruling")
def _ruling(
    decider: Deciding,
    name: Annotated[str, Form(max_length=45)],
    reason: Reason,
    action: Annotated[Literal["disqualify", "reinstate", "release"], Form()],
) -> Response:
    rule = {"disqualify": decider.disqualify, "reinstate": decider.reinstate, "release": decider.release}
    rule[action](name, reason)
    return go("/organiser")


@pages.post("/organiser/requeue")
def _requeue(decider: Deciding, submission: Word, reason: Reason) -> Response:
    decider.requeue(submission, reason)
    return go(f"/submissions/{submission}")


@pages.post("/organiser/unfreeze")
def _unfreeze(visit: SignedIn, reason: Reason) -> Response:
    lift_freeze(visit.contest, visit.visible.organiser().handle, reason)
    return go("/organiser")


@pages.post("/organiser/announce")
def _announce_it(
    visit: SignedIn, title: Annotated[str, Form(max_length=500)], text: Annotated[str, Form(max_length=40_000)]
) -> Response:
    announce(visit.contest, visit.visible.organiser().handle, title, text)
    return go("/announcements")


@pages.get("/announcements")
def _announcements_page(visit: Anyone) -> Response:
    with visit.contest.store.reading() as connection:
        found = announcements(connection)
    return visit.show("announcements.html", announcements=found)
