"""Submissions: entering a bot, the state of each, its archive and the matches of its check."""

import shutil
from contextlib import ExitStack
from dataclasses import asdict
from hashlib import sha256 as new_hash
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.concurrency import contextmanager_in_threadpool
from fastapi.responses import FileResponse, HTMLResponse
from pydantic import Field
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from ballcourt.arena.records.store import read_checksum
from ballcourt.arena.temporary import scratch_folder
from ballcourt.arena.tournament.event.setups import setups_of
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestError, NotThereError, TooLargeError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.allowance import check_entry
from ballcourt.contest.submissions.submissions import cancel, enter, enter_held
from ballcourt.contest.submissions.uploads import (
    PART,
    appending,
    begin_upload,
    drop_upload,
    received,
    receiving,
    upload_of,
)
from ballcourt.contest.visible import NOTHING
from ballcourt.contest.web.guard import API, Body
from ballcourt.contest.web.visits import PRIVATE, AskedList, EntersBot, FollowsBot, PersonVisit, SignedIn, as_json, go
from ballcourt.leaderboard.pages.app import replay_page
from ballcourt.leaderboard.pages.rendering import PageLink

LENGTH: Final = "Content-Length"
SANDBOXED: Final = {"Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff"}
"""How a browser treats what bots printed: as text, which is saved and does nothing."""
Offset = Annotated[int, Header(alias="Upload-Offset", ge=0, le=1 << 40)]
Digest = Annotated[str, Query(pattern="^[0-9a-f]{64}$")]
BotWord = Annotated[str, Query(min_length=1, max_length=40)]
Note = Annotated[str, Query(max_length=200)]

pages = APIRouter(include_in_schema=False)
api = APIRouter(prefix=API)


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


# -- uploads


@api.post("/uploads", status_code=201)
def begin(visit: EntersBot, body: UploadBody) -> dict[str, Any]:
    """Announce an archive; the same one again goes on where it was."""
    upload, offset = begin_upload(visit.contest, visit.who, body.bytes, body.sha256)
    return {"upload": upload, "offset": offset, "part": PART}


@api.head("/uploads/{upload}")
def look(visit: EntersBot, upload: str) -> Response:
    """Return in Upload-Offset how many bytes are here."""
    with visit.contest.store.reading() as connection:
        found = upload_of(connection, visit.contest, visit.who, upload)
    here = {"Upload-Offset": str(received(visit.contest, found.id)), "Upload-Length": str(found.bytes)}
    return Response(headers={**here, **PRIVATE})


@api.patch("/uploads/{upload}", status_code=204)
async def send(visit: EntersBot, upload: str, offset: Offset) -> Response:
    """Add the part that begins at Upload-Offset."""
    await _append(visit, upload, offset)
    return Response(status_code=204, headers={"Upload-Offset": str(received(visit.contest, upload))})


@api.delete("/uploads/{upload}", status_code=204)
def drop(visit: EntersBot, upload: str) -> None:
    """Forget an archive that is on its way."""
    drop_upload(visit.contest, visit.who, upload)


async def _append(visit: PersonVisit, upload: str, offset: int) -> None:
    """Add the body of a request to an upload as it comes; what has come stays if the line breaks."""

    def found() -> Any:  # noqa: ANN401 - a row
        with visit.contest.store.reading() as connection:
            return upload_of(connection, visit.contest, visit.who, upload)

    row, request = await run_in_threadpool(found), visit.request
    with appending(visit.contest, row, offset, int(request.headers.get(LENGTH, "0"))) as file:
        async for piece in request.stream():
            file.write(piece)


# -- submissions


@api.post("/submissions", status_code=201)
def submit(visit: EntersBot, body: SubmissionBody) -> dict[str, Any]:
    """Enter an archive that has arrived. The same archive again is the same submission."""
    found = enter(visit.contest, visit.who, body.upload, body.bot, body.note, body.origin)
    return as_json(visit.visible.submission(found))


@api.put("/submissions", status_code=201)
async def submit_at_once(
    visit: EntersBot, bytes: Annotated[int, Query(ge=1, le=1 << 40)], sha256: Digest, bot: BotWord, note: Note = ""
) -> dict[str, Any]:
    """Enter an archive that is the body of the request."""
    contest, who = visit.contest, visit.who
    async with contextmanager_in_threadpool(receiving(contest, who, bytes, sha256)) as (upload, file):
        here = 0
        async for piece in visit.request.stream():
            here += len(piece)
            if here > bytes:
                raise TooLargeError(f"the upload exceeds its announced size of {bytes} bytes")
            file.write(piece)
        file.flush()
        submission = await run_in_threadpool(enter_held, contest, who, upload, bot, note, "api")
    return as_json(await run_in_threadpool(visit.visible.submission, submission))


@api.get("/submissions")
def listed(visit: FollowsBot, before: Annotated[int | None, Query(ge=1, le=1 << 31)] = None) -> dict[str, Any]:
    """Return the team's submissions, the newest first."""
    return {"submissions": [as_json(one) for one in visit.visible.submissions(before)]}


@pages.get("/submissions")
def _submissions_page(visit: SignedIn, asked: AskedList) -> Response:
    found = visit.visible.listed(asked)
    heads = ("submission", "state", "team", "version", "entered", "by", "note")
    rows = [
        (
            PageLink(f"/submissions/{one.id}", f"{one.bot} {one.number}"),
            one.state if one.place is None else f"{one.state}; {one.place} before it",
            one.team,
            one.version or "-",
            one.entered,
            one.by,
            one.note,
        )
        for one in found.rows
    ]
    return visit.show_list("Submissions", heads, rows, found, asked, left=visit.visible.allowance())


@api.get("/submissions/{submission}")
def one(visit: FollowsBot, submission: str) -> dict[str, Any]:
    """Return a submission, with the states through which it has gone."""
    states = [asdict(state) for state in visit.visible.states(submission)]
    return {**as_json(visit.visible.submission(submission)), "states": states}


@pages.get("/submissions/{submission}")
def _submission_page(visit: SignedIn, submission: str) -> Response:
    visible = visit.visible
    return visit.show(
        "submission.html",
        one=visible.submission(submission),
        states=visible.states(submission),
        **visible.report(submission),
        replays=[file.stem for file in visible.replays(submission)],
        checks=_checks(visit.contest),
    )


def _checks(contest: Contest) -> list[str]:
    """Return the commands that run the same checks on an author's machine."""
    setups = setups_of(contest.ladder.tables)
    sizes = {name: sorted({one.seats for one in setups if one.game == name}) for name in contest.ladder.games}
    flags = {name: "".join(f" --seats {seats}" for seats in found) for name, found in sizes.items()}
    return [f"ballcourt check bot FOLDER --game {name}{flags[name]}" for name in flags]


@api.get("/submissions/{submission}/report")
def report(visit: FollowsBot, submission: str) -> dict[str, Any]:
    """Return the checks that a submission failed, and those that it passed."""
    return {"state": visit.visible.submission(submission).state, **visit.visible.report(submission)}


@api.get("/submissions/{submission}/archive", response_class=FileResponse)
def archive(visit: FollowsBot, submission: str) -> FileResponse:
    """Return the archive as it was sent."""
    name = f"submission-{visit.visible.submission(submission).number}.archive"
    return archive_answer(visit.contest, visit.visible.archive(submission), name)


@pages.get("/submissions/{submission}/archive")
def _archive_page(visit: SignedIn, submission: str) -> Response:
    return archive(visit, submission)


@pages.get("/submissions/{submission}/replays/{key}")
def _replay_of(visit: SignedIn, submission: str, key: str) -> Response:
    file = next((one for one in visit.visible.replays(submission) if one.stem == key), None)
    if file is None:
        raise NotThereError(NOTHING)
    return private_replay(file, home=f"/submissions/{submission}")


@api.delete("/submissions/{submission}", status_code=204)
def take_back(visit: EntersBot, submission: str) -> None:
    """Take a submission back that waits; no limit counts it."""
    cancel(visit.contest, visit.visible.submission(submission).id)


@pages.post("/submissions/{submission}/cancel")
def _cancel_page(visit: SignedIn, submission: str) -> Response:
    take_back(visit, submission)
    return go(f"/submissions/{submission}")


# -- the form


@pages.get("/submit")
def _submit_page(visit: SignedIn) -> Response:
    name = next((bot.name for bot in visit.visible.bots() if bot.team == visit.who.team_name), "")
    return visit.show("submit.html", left=visit.visible.allowance(), bot=name)


@pages.post("/submit")
async def _submit_form(visit: SignedIn, request: Request) -> Response:
    contest, who = visit.contest, visit.who  # known before a byte of the archive is read
    await run_in_threadpool(_may_enter, contest, who, int(request.headers.get(LENGTH, "0")))
    async with request.form(max_files=1, max_fields=4) as form:
        file, bot, note = form.get("archive"), str(form.get("bot", "")).strip(), str(form.get("note", ""))
        if not isinstance(file, UploadFile):
            raise ContestError("no archive was sent; choose a file")
        submission = await run_in_threadpool(_entered, contest, who, file, bot, note)
    return go(f"/submissions/{submission}")


def _may_enter(contest: Contest, who: Member, length: int) -> None:
    """Raise ContestError if nothing may be entered, however large it is."""
    with contest.store.writing() as connection:
        check_entry(connection, contest, who, min(length, contest.settings.upload.mb << 20))


def _entered(contest: Contest, who: Member, file: UploadFile, bot: str, note: str) -> str:
    """Enter an archive that came by a form; return the id of the submission."""
    found, size = new_hash(), 0
    while piece := file.file.read(PART):
        found.update(piece)
        size += len(piece)
    file.file.seek(0)
    with receiving(contest, who, size, found.hexdigest()) as (upload, into):
        shutil.copyfileobj(file.file, into)
        into.flush()
        return enter_held(contest, who, upload, bot, note, "page")


# -- files


def archive_answer(contest: Contest, sha256: str, name: str | None = None) -> FileResponse:
    """Return an archive, whose copy here goes once it is sent. Raises NotThereError."""
    with ExitStack() as stack:
        try:
            file = contest.archives.get(sha256, stack.enter_context(scratch_folder()))
        except FileNotFoundError as error:
            raise NotThereError("the archive was removed to make room") from error
        after = BackgroundTask(stack.pop_all().close)
    kind = "application/octet-stream"
    return FileResponse(file, media_type=kind, filename=name, headers=PRIVATE, background=after)


def private_replay(file: Path, home: str) -> Response:
    """Return a match as a page that leads back to the page `home`, and that no other page embeds."""
    found = replay_page(str(file), read_checksum(file), home=home)
    policy = f"{found.policy}; frame-ancestors 'none'"
    return HTMLResponse(found.text, headers={**PRIVATE, "Content-Security-Policy": policy})


def text_file(data: bytes, name: str) -> Response:
    """Return what a bot printed as a file, which a browser shows as text."""
    headers = {**PRIVATE, **SANDBOXED, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=headers)
