"""The organiser's page: how the contest stands, and decisions with their reasons."""

from collections import Counter
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Request, Response

from ballcourt.contest.decisions.audit import decisions
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.duplicates import same_files
from ballcourt.contest.decisions.hiding import frozen_phase, lift_freeze
from ballcourt.contest.examining.work import oldest_waiting
from ballcourt.contest.notifications.outbox import given_up, unsent
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.visible import Visible
from ballcourt.contest.web.drawing_pages import drawn
from ballcourt.contest.web.pages_people import go
from ballcourt.contest.web.viewers import signed_in

SignedIn = Annotated[Member, Depends(signed_in)]
Reason = Annotated[str, Form(max_length=1000)]
Word = Annotated[str, Form(max_length=40)]
Number = Annotated[int, Form(ge=0, le=1000)]


def add_organising(router: APIRouter, contest: Contest) -> None:
    """Add the pages."""

    def decider(who: Member) -> Decider:
        return Decider(contest, Visible(contest, who).organiser().handle)

    @router.get("/organiser")
    def overview(request: Request, who: SignedIn) -> Response:
        visible = Visible(contest, who)
        visible.organiser()
        with contest.store.reading() as connection:
            since, made = oldest_waiting(connection), [*decisions(connection)]
            frozen = frozen_phase(connection, contest)
            same = same_files(connection)
            messages: dict[str, Any] = {"unsent": unsent(connection), "given_up": given_up(connection)}
        counts = Counter(str(one.state) for one in visible.submissions())
        waits = None if since is None else round(contest.now() - since)
        values: dict[str, Any] = {"waits": waits, "counts": counts, "decisions": made[::-1], "frozen": frozen}
        return drawn(request, "organiser.html", who, same=same, **values, **messages)

    @router.post("/organiser/grant")
    def grant(
        who: SignedIn, team: Word, reason: Reason, accepted: Number = 0, attempts: Number = 0, scrimmages: Number = 0
    ) -> Response:
        decider(who).grant(team, accepted, attempts, reason, scrimmages)
        return go("/organiser")

    @router.post("/organiser/account")
    def account(
        who: SignedIn, handle: Word, reason: Reason, action: Annotated[Literal["suspend", "restore"], Form()]
    ) -> Response:
        deciding = decider(who)
        (deciding.suspend if action == "suspend" else deciding.restore)(handle, reason)
        return go("/organiser")

    @router.post("/organiser/requeue")
    def requeue(who: SignedIn, submission: Word, reason: Reason) -> Response:
        decider(who).requeue(submission, reason)
        return go("/organiser")

    @router.post("/organiser/unfreeze")
    def unfreeze(who: SignedIn, reason: Reason) -> Response:
        lift_freeze(contest, Visible(contest, who).organiser().handle, reason)
        return go("/organiser")
