"""What programs ask: JSON under /api/v1, by tokens. It takes no cookies, so no page of another site can use it."""

from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.devices import begin_device, token_of_device
from ballcourt.contest.people.tokens import (
    MOST_TOKEN_DAYS,
    TOKEN_DAYS,
    USED_S,
    Bearer,
    Scope,
    bearer_of,
    note_use,
)
from ballcourt.contest.refusals import ContestError, NotAllowedError, UnknownPersonError
from ballcourt.contest.settings import at_time
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.remote_bots import register, renew, revoke
from ballcourt.contest.submissions.submissions import cancel, choose, enter
from ballcourt.contest.submissions.uploads import (
    PART,
    appending,
    begin_upload,
    drop_upload,
    received,
    upload_of,
)
from ballcourt.contest.visible import SubmissionView, Visible
from ballcourt.contest.web.api_examiners import add_examiners, archive_answer
from ballcourt.contest.web.drawing_pages import PRIVATE
from ballcourt.contest.web.guard import Body
from ballcourt.contest.web.scrimmages.api_scrimmages import add_scrimmage_api

FORMATS: Final = ("zip", "tar", "tar.gz")
LENGTH: Final = "Content-Length"
REFUSALS: Final = (400, 401, 403, 404, 409, 411, 413, 415, 422, 429, 503, 507)
"""The statuses with which requests are refused."""


Offset = Annotated[int, Header(alias="Upload-Offset", ge=0, le=1 << 40)]
Digest = Annotated[str, Query(pattern="^[0-9a-f]{64}$")]
BotWord = Annotated[str, Query(min_length=1, max_length=40)]
Note = Annotated[str, Query(max_length=200)]
Days = Annotated[int, Field(ge=1, le=MOST_TOKEN_DAYS)]


class ErrorBody(BaseModel):
    """What is answered when something cannot be done."""

    error: str
    """A word for programs."""
    detail: str
    """A sentence for people."""
    retry_after: int | None = None
    """After how many seconds it may be tried again."""


class UploadBody(Body):
    """An archive that will be sent."""

    bytes: Annotated[int, Field(ge=1, le=1 << 40)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class SubmissionBody(Body):
    """An archive that has been sent, to be entered."""

    upload: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    bot: Annotated[str, Field(min_length=1, max_length=40)]
    note: Annotated[str, Field(max_length=200)] = ""
    origin: Annotated[str, Field(max_length=200)] = "api"


class ChoiceBody(Body):
    """The submission that plays in the finals."""

    submission: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class TokenBody(Body):
    """The token with which a bot dials in."""

    days: Days = TOKEN_DAYS


class RemoteBotBody(TokenBody):
    """A bot that is to dial in."""

    name: Annotated[str, Field(min_length=1, max_length=40)]


class DeviceBody(Body):
    """The secret of a command line that is being signed in."""

    device: Annotated[str, Field(min_length=1, max_length=100)]


def add_contest_api(app: FastAPI, contest: Contest) -> None:
    """Add the API to an application."""
    app.state.contest = contest
    router = APIRouter(prefix="/api/v1", responses={status: {"model": ErrorBody} for status in REFUSALS})
    _add_public(router, contest)
    _add_devices(router, contest)
    _add_uploads(router, contest)
    _add_submissions(router, contest)
    _add_bots(router, contest)
    add_scrimmage_api(router, contest, reads, submits)
    add_examiners(router, contest, examines)
    app.include_router(router)


def _person(request: Request, scope: Scope, *, of_bot: bool = False) -> Member:
    """Return who sends a request whose token has this scope; `of_bot` says whether one for a single bot is enough.

    Raises UnknownPersonError and NotAllowedError.
    """
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secret:
        raise UnknownPersonError("this needs a token; send the header Authorization: Bearer TOKEN")
    bearer = _bearer(request.app.state.contest, secret.strip())
    if scope not in bearer.scopes:
        raise NotAllowedError(f"this token may only {' and '.join(sorted(bearer.scopes))}; this needs {scope}")
    if bearer.person.bot and not of_bot:
        raise NotAllowedError(f"this token may only enter the bot {bearer.person.bot}, and follow its submissions")
    return bearer.person


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


def reads(request: Request) -> Member:
    """Return who sends a request that reads."""
    return _person(request, Scope.READ)


def submits(request: Request) -> Member:
    """Return who sends a request that changes something."""
    return _person(request, Scope.SUBMIT)


def follows(request: Request) -> Member:
    """Return who sends a request that reads of submissions and bots."""
    return _person(request, Scope.READ, of_bot=True)


def enters(request: Request) -> Member:
    """Return who sends a request that enters a bot."""
    return _person(request, Scope.SUBMIT, of_bot=True)


def examines(request: Request) -> Member:
    """Return who sends a request of an examiner."""
    return _person(request, Scope.EXAMINE)


Reader = Annotated[Member, Depends(follows)]
Submitter = Annotated[Member, Depends(enters)]
Chooser = Annotated[Member, Depends(submits)]


def _add_public(router: APIRouter, contest: Contest) -> None:
    @router.get("/")
    def about() -> dict[str, Any]:
        """Return what the contest is, when bots may be entered, and what archives may be."""
        settings, ladder = contest.settings, contest.ladder
        return {
            "name": settings.name,
            "url": settings.url,
            "games": ladder.games,
            "clock": ladder.clock.to_table(),
            "sandbox": ladder.sandbox.to_table(),
            "time": at_time(contest.now()).isoformat(),
            "phases": [phase.model_dump(mode="json") for phase in settings.in_order],
            "upload": {"mb": settings.upload.mb, "part": PART, "formats": FORMATS},
        }


def _add_devices(router: APIRouter, contest: Contest) -> None:
    @router.post("/device", status_code=201)
    def begin_sign_in() -> dict[str, Any]:
        """Begin to sign a command line in; a person who is signed in allows the code at the address."""
        secret, code = begin_device(contest)
        return {"device": secret, "code": code, "address": f"{contest.settings.url}/device?code={code}", "wait_s": 2}

    @router.post("/device/token")
    def poll(body: DeviceBody) -> dict[str, Any]:
        """Return the token, once, or null while nobody has allowed the code."""
        return {"token": token_of_device(contest, body.device)}


def _add_uploads(router: APIRouter, contest: Contest) -> None:
    @router.post("/uploads", status_code=201)
    def begin(body: UploadBody, person: Submitter) -> dict[str, Any]:
        """Announce an archive; the same one again goes on where it was."""
        upload, offset = begin_upload(contest, person, body.bytes, body.sha256)
        return {"upload": upload, "offset": offset, "part": PART}

    @router.head("/uploads/{upload}")
    def look(upload: str, person: Submitter) -> Response:
        """Return in Upload-Offset how many bytes are here."""
        with contest.store.reading() as connection:
            found = upload_of(connection, contest, person, upload)
        here = {"Upload-Offset": str(received(contest, found.id)), "Upload-Length": str(found.bytes)}
        return Response(headers={**here, **PRIVATE})

    @router.patch("/uploads/{upload}", status_code=204)
    async def send(upload: str, request: Request, offset: Offset) -> Response:
        """Add the part that begins at Upload-Offset."""
        person = await run_in_threadpool(enters, request)
        await _append(contest, person, upload, request, offset)
        return Response(status_code=204, headers={"Upload-Offset": str(received(contest, upload))})

    @router.delete("/uploads/{upload}", status_code=204)
    def drop(upload: str, person: Submitter) -> None:
        """Forget an archive that is on its way."""
        drop_upload(contest, person, upload)


async def _append(contest: Contest, person: Member, upload: str, request: Request, offset: int) -> None:
    """Add the body of a request to an upload as it comes; what has come stays if the line breaks."""

    def found() -> Any:  # noqa: ANN401 - a row
        with contest.store.reading() as connection:
            return upload_of(connection, contest, person, upload)

    row = await run_in_threadpool(found)
    with appending(contest, row, offset, int(request.headers.get(LENGTH, "0"))) as file:
        async for piece in request.stream():
            file.write(piece)


def _add_submissions(router: APIRouter, contest: Contest) -> None:
    @router.post("/submissions", status_code=201)
    def submit(body: SubmissionBody, person: Submitter) -> dict[str, Any]:
        """Enter an archive that has arrived. The same archive again is the same submission."""
        found = enter(contest, person, body.upload, body.bot, body.note, body.origin)
        return as_json(Visible(contest, person).submission(found))

    @router.put("/submissions", status_code=201)
    async def submit_at_once(
        request: Request, bytes: Annotated[int, Query(ge=1, le=1 << 40)], sha256: Digest, bot: BotWord, note: Note = ""
    ) -> dict[str, Any]:
        """Enter an archive that is the body of the request."""
        person = await run_in_threadpool(enters, request)
        submission = await enter_stream(contest, person, request, bytes, sha256, bot, note)
        return as_json(await run_in_threadpool(Visible(contest, person).submission, submission))

    @router.get("/submissions")
    def listed(person: Reader, before: Annotated[int | None, Query(ge=1, le=1 << 31)] = None) -> dict[str, Any]:
        """Return the team's submissions, the newest first."""
        return {"submissions": [as_json(one) for one in Visible(contest, person).submissions(before)]}

    @router.get("/submissions/{submission}")
    def one(submission: str, person: Reader) -> dict[str, Any]:
        """Return a submission, with the states through which it has gone."""
        visible = Visible(contest, person)
        states = [asdict(state) for state in visible.states(submission)]
        return {**as_json(visible.submission(submission)), "states": states}

    @router.get("/submissions/{submission}/report")
    def report(submission: str, person: Reader) -> dict[str, Any]:
        """Return the checks that a submission failed, and those that it passed."""
        visible = Visible(contest, person)
        found = {"failures": visible.failures(submission), "passed": visible.passed(submission)}
        return {"state": visible.submission(submission).state, **found}

    @router.get("/submissions/{submission}/archive", response_class=FileResponse)
    def archive(submission: str, person: Reader) -> FileResponse:
        """Return the archive as it was sent."""
        return archive_file(contest, Visible(contest, person), submission)

    @router.delete("/submissions/{submission}", status_code=204)
    def take_back(submission: str, person: Submitter) -> None:
        """Take a submission back that waits; no limit counts it."""
        cancel(contest, Visible(contest, person).submission(submission).id)


def _add_bots(router: APIRouter, contest: Contest) -> None:
    @router.get("/bots")
    def bots(person: Reader) -> dict[str, Any]:
        """Return the team's bots."""
        return {"bots": [asdict(bot) for bot in Visible(contest, person).bots()]}

    @router.post("/bots", status_code=201)
    def add(body: RemoteBotBody, person: Chooser) -> dict[str, Any]:
        """Let the team have a bot that dials in; its token is shown only now."""
        return {"token": register(contest, person, body.name, body.days)}

    @router.post("/bots/{name}/token", status_code=201)
    def renew_token(name: str, body: TokenBody, person: Chooser) -> dict[str, Any]:
        """Give a bot that dials in another token; older ones end."""
        return {"token": renew(contest, person, Visible(contest, person).own_remote(name), body.days)}

    @router.delete("/bots/{name}/token", status_code=204)
    def end_token(name: str, person: Chooser) -> None:
        """End the token of a bot that dials in."""
        revoke(contest, Visible(contest, person).own_remote(name))

    @router.put("/bots/{name}/chosen", status_code=204)
    def choose_one(name: str, body: ChoiceBody, person: Chooser) -> None:
        """Let a submission, instead of the newest that was accepted, play in the finals."""
        choose(contest, Visible(contest, person).own_bot(name), name, body.submission)


async def enter_stream(
    contest: Contest, person: Member, request: Request, size: int, sha256: str, bot: str, note: str
) -> str:
    """Receive the body of a request as an archive, and enter it; return the id of the submission."""
    upload, offset = await run_in_threadpool(begin_upload, contest, person, size, sha256)
    if offset:
        await run_in_threadpool(drop_upload, contest, person, upload)
        upload, _ = await run_in_threadpool(begin_upload, contest, person, size, sha256)
    await _append(contest, person, upload, request, 0)
    return await run_in_threadpool(enter, contest, person, upload, bot, note)


def archive_file(contest: Contest, visible: Visible, submission: str) -> FileResponse:
    """Return an archive as a file that no browser opens."""
    name = f"submission-{visible.submission(submission).number}.archive"
    return archive_answer(contest, visible.archive(submission), name)


def as_json(view: SubmissionView) -> dict[str, Any]:
    """Return a submission as programs get it."""
    return {**asdict(view), "is_over": view.is_over}


def error_answer(error: ContestError) -> JSONResponse:
    """Return the answer to a program about something that cannot be done."""
    body: dict[str, Any] = {"error": error.word, "detail": str(error)}
    headers = dict(PRIVATE)
    if error.retry_after is not None:
        body["retry_after"] = round(error.retry_after)
        headers["Retry-After"] = str(round(error.retry_after))
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(body, error.status, headers)
