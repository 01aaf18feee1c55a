"""The API of examiners on other machines: leases of work, archives, and the outcomes.

Only organisers make tokens with the scope `examine`. An answer counts only with the newest fence of a submission, as
that of an examiner on the contest's machine.
"""

import re
from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi import Path as InPath
from fastapi.responses import FileResponse
from pydantic import AfterValidator, Field

from ballcourt.arena.files import write_atomically
from ballcourt.arena.naming import version_objection
from ballcourt.arena.records.bundle import LOG_SUFFIX
from ballcourt.arena.records.store import SUFFIX
from ballcourt.arena.tournament.decisions.trail import TRAIL
from ballcourt.contest.examining.desks import kept_of, make_room, terms_of
from ballcourt.contest.examining.jobs import ExamReport
from ballcourt.contest.examining.work import Leased, WorkFinding, beat, give_back, lease, leased_as, settle
from ballcourt.contest.refusals import NotAllowedError, NotThereError, StateError
from ballcourt.contest.web.guard import API, Body
from ballcourt.contest.web.submissions import archive_answer
from ballcourt.contest.web.visits import AskedContest, Examiner

MOST_RECORDS: Final = 50
"""How many files are kept of a submission or a scrimmage."""

Fence = Annotated[int, Query(ge=1, le=1 << 31)]
Work = Annotated[int, InPath(ge=1, le=1 << 62)]
RecordName = Annotated[str, InPath(pattern=rf"^[A-Za-z0-9][A-Za-z0-9_.-]{{0,100}}(\{SUFFIX}|\{LOG_SUFFIX})$")]
Digest = Annotated[str, InPath(pattern="^[0-9a-f]{64}$")]


class LinesResponse(Response):
    """JSON objects, one a line."""

    media_type = "application/x-ndjson"


class HolderBody(Body):
    """Who asks for work."""

    holder: Annotated[str, Field(min_length=1, max_length=150)]


class FenceBody(Body):
    """The fencing token of a lease."""

    fence: Annotated[int, Field(ge=1, le=1 << 31)]


def _checked(finding: WorkFinding) -> WorkFinding:
    """Check the bot and the report of a finding. Raises ValueError."""
    if not re.fullmatch("([0-9a-f]{64})?", finding.bot.content_hash):
        raise ValueError("the content_hash of its bot must be 64 hexadecimal digits in lower case, or empty")
    if finding.bot.version and (objection := version_objection(finding.bot.version)):
        raise ValueError(f"the version of its bot: {objection}")
    try:
        ExamReport.read_json(finding.report.encode() or b"{}")
    except ValueError as error:
        raise ValueError("the report must be JSON with the lists of sentences `failures` and `passed`") from error
    return finding


class OutcomeBody(FenceBody):
    """What an examiner found out."""

    finding: Annotated[WorkFinding, AfterValidator(_checked)]


def _check(visit: Examiner) -> None:
    if not visit.who.is_organiser:
        raise NotAllowedError("only organisers run examiners")


def _held(contest: AskedContest, work: Work, fence: Fence) -> Leased:
    """Return the work of an address. Raises StateError if its fencing token is not the newest."""
    if leased := leased_as(contest, work, fence):
        return leased
    raise StateError("another examiner has this now")


Held = Annotated[Leased, Depends(_held)]

api = APIRouter(prefix=f"{API}/examiner", dependencies=[Depends(_check)])


@api.get("/terms")
def terms(contest: AskedContest) -> dict[str, Any]:
    """Return with what submissions are examined."""
    return terms_of(contest).model_dump(mode="json")


@api.post("/lease")
def take(contest: AskedContest, body: HolderBody) -> dict[str, Any]:
    """Take up the next submission or scrimmage; null if none waits."""
    leased = lease(contest, body.holder)
    if leased:
        make_room(contest, leased)
    return {"leased": asdict(leased) if leased else None}


@api.post("/{work}/beat")
def hold(contest: AskedContest, work: Work, body: FenceBody) -> dict[str, Any]:
    """Hold it for longer."""
    leased = leased_as(contest, work, body.fence)
    return {"held": bool(leased and beat(contest, leased))}


@api.post("/{work}/return")
def put_back(contest: AskedContest, work: Work, body: FenceBody) -> dict[str, Any]:
    """Release it, so that others can lease it."""
    if leased := leased_as(contest, work, body.fence):
        give_back(contest, leased)
    return {}


@api.post("/{work}/outcome")
def answer(contest: AskedContest, work: Work, body: OutcomeBody) -> dict[str, Any]:
    """Keep the result; the state is null if another examiner holds the lease now."""
    leased = leased_as(contest, work, body.fence)
    finding, is_exam = body.finding, leased is not None and leased.kind.is_exam
    if is_exam and finding.is_good and not (finding.bot.version and finding.bot.content_hash):
        raise StateError("a submission is accepted with its version and the hash of its files")
    return {"state": settle(contest, leased, finding) if leased else None}


@api.get("/trail", response_class=LinesResponse)
def trail(contest: AskedContest) -> Response:
    """Return the decisions about the ladder."""
    file = contest.ladder.output / TRAIL
    return LinesResponse(file.read_bytes() if file.is_file() else b"")


@api.get("/{work}/archives/{sha256}", response_class=FileResponse)
def archive(contest: AskedContest, held: Held, sha256: Digest) -> FileResponse:
    """Return an archive that is needed."""
    if sha256 not in held.archives:
        raise NotThereError("the archive does not belong to the examiner's work")
    return archive_answer(contest, sha256)


@api.put("/{work}/records/{record}", status_code=204)
async def keep(contest: AskedContest, held: Held, record: RecordName, request: Request) -> None:
    """Keep the record of a match, or what a bot printed in it, for the team."""
    folder = kept_of(contest, held)
    folder.mkdir(parents=True, exist_ok=True)
    if len([*folder.iterdir()]) >= MOST_RECORDS:
        raise StateError(f"at most {MOST_RECORDS} files are kept of a submission or scrimmage")
    write_atomically(folder / record, await request.body())
