"""Pages about bots: entering them, what became of each submission, and what a bot did in its matches."""

from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from ballcourt.arena.records.store import read_checksum
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.tokens import TOKEN_DAYS
from ballcourt.contest.private_files import PrivateFiles
from ballcourt.contest.refusals import ContestError, NotThereError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.allowance import check_entry
from ballcourt.contest.submissions.remote_bots import register, renew, revoke
from ballcourt.contest.submissions.submissions import cancel, choose, enter
from ballcourt.contest.submissions.uploads import PART, appending, begin_upload, upload_of
from ballcourt.contest.visible import NOTHING, Visible
from ballcourt.contest.web.api import archive_file
from ballcourt.contest.web.drawing_pages import PRIVATE, drawn
from ballcourt.contest.web.pages_people import go
from ballcourt.contest.web.viewers import signed_in
from ballcourt.leaderboard.pages.app import replay_page

SignedIn = Annotated[Member, Depends(signed_in)]
Word = Annotated[str, Form(max_length=200)]
SANDBOXED = {"Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff"}
"""How a browser treats what bots printed: as text, which is saved and does nothing."""


def add_entering(router: APIRouter, contest: Contest) -> None:
    """Add the pages."""
    _add_submissions(router, contest)
    _add_form(router, contest)
    _add_bots(router, contest)


def _add_submissions(router: APIRouter, contest: Contest) -> None:
    @router.get("/submissions")
    def submissions_page(request: Request, who: SignedIn) -> Response:
        visible = Visible(contest, who)
        found = visible.submissions()
        return drawn(request, "submissions.html", who, submissions=found, left=visible.allowance())

    @router.get("/submissions/{submission}")
    def submission_page(request: Request, submission: str, who: SignedIn) -> Response:
        visible = Visible(contest, who)
        values: dict[str, Any] = {
            "one": visible.submission(submission),
            "states": visible.states(submission),
            "failures": visible.failures(submission),
            "passed": visible.passed(submission),
            "replays": [file.stem for file in visible.replays(submission)],
            "games": contest.ladder.games,
        }
        return drawn(request, "submission.html", who, **values)

    @router.get("/submissions/{submission}/archive")
    def archive_of(submission: str, who: SignedIn) -> Response:
        return archive_file(contest, Visible(contest, who), submission)

    @router.get("/submissions/{submission}/replays/{key}")
    def replay_of(submission: str, key: str, who: SignedIn) -> Response:
        file = next((one for one in Visible(contest, who).replays(submission) if one.stem == key), None)
        if file is None:
            raise NotThereError(NOTHING)
        return private_replay(file, home=f"/submissions/{submission}")

    @router.post("/submissions/{submission}/cancel")
    def take_back(submission: str, who: SignedIn) -> Response:
        cancel(contest, Visible(contest, who).submission(submission).id)
        return go(f"/submissions/{submission}")


def _add_form(router: APIRouter, contest: Contest) -> None:
    @router.get("/submit")
    def submit_page(request: Request, who: SignedIn) -> Response:
        visible = Visible(contest, who)
        name = next((bot.name for bot in visible.bots() if bot.team == who.team_name), "")
        return drawn(request, "submit.html", who, left=visible.allowance(), bot=name)

    @router.post("/submit")
    async def submit(request: Request) -> Response:
        who = await run_in_threadpool(signed_in, request)  # before a byte of the archive is read
        await run_in_threadpool(_may_enter, contest, who, int(request.headers.get("content-length", "0")))
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
    found, size = sha256(), 0
    while piece := file.file.read(PART):
        found.update(piece)
        size += len(piece)
    upload, offset = begin_upload(contest, who, size, found.hexdigest())
    with contest.store.reading() as connection:
        row = upload_of(connection, contest, who, upload)
    file.file.seek(offset)
    with appending(contest, row, offset, size - offset) as into:
        while piece := file.file.read(PART):
            into.write(piece)
    return enter(contest, who, upload, bot, note, "page")


def _add_bots(router: APIRouter, contest: Contest) -> None:
    @router.get("/my-bots/{name}")
    def bot_page(request: Request, name: str, who: SignedIn) -> Response:
        visible = Visible(contest, who)
        bot = visible.bot(name)
        versions = [one for one in visible.submissions() if one.bot == bot.name]
        files = PrivateFiles(contest, who)
        logs, faults = files.newest_logs(bot), files.newest_faults(bot)
        values: dict[str, Any] = {
            "bot": bot,
            "versions": versions,
            "logs": logs,
            "faults": faults,
        }
        return drawn(request, "my-bot.html", who, **values)

    @router.post("/my-bots")
    def add(request: Request, who: SignedIn, name: Word, days: Annotated[int, Form()] = TOKEN_DAYS) -> Response:
        secret = register(contest, who, name.strip(), days)
        return _token_page(request, contest, who, name.strip(), secret)

    @router.post("/my-bots/{name}/token")
    def renew_token(request: Request, name: str, who: SignedIn, days: Annotated[int, Form()] = TOKEN_DAYS) -> Response:
        secret = renew(contest, who, Visible(contest, who).own_remote(name), days)
        return _token_page(request, contest, who, name, secret)

    @router.post("/my-bots/{name}/token/revoke")
    def end_token(name: str, who: SignedIn) -> Response:
        revoke(contest, Visible(contest, who).own_remote(name))
        return go(f"/my-bots/{name}")

    @router.post("/my-bots/{name}/chosen")
    def choose_one(name: str, who: SignedIn, submission: Annotated[str, Form(max_length=16)]) -> Response:
        choose(contest, Visible(contest, who).own_bot(name), name, submission)
        return go(f"/my-bots/{name}")

    @router.get("/my-bots/{name}/logs/{entry}")
    def log_of(name: str, entry: str, who: SignedIn) -> Response:
        return text_file(
            PrivateFiles(contest, who).read_log(Visible(contest, who).bot(name), entry), f"{name}-{entry}.txt"
        )

    @router.get("/my-bots/{name}/faults/{entry}")
    def fault_of(name: str, entry: str, who: SignedIn) -> Response:
        return text_file(
            PrivateFiles(contest, who).read_fault(Visible(contest, who).bot(name), entry), f"{name}-{entry}-fault.txt"
        )


def _token_page(request: Request, contest: Contest, who: Member, bot: str, secret: str) -> Response:
    assert contest.settings.remote, "otherwise there is no token"
    command = f"ballcourt connect FOLDER {contest.settings.remote.address} --token-file FILE"
    words = f"Write it into a file that only you can read, and run {command} with the folder of {bot}:"
    return drawn(request, "message.html", who, title="A token", sentence=words, secret=secret, back=f"/my-bots/{bot}")


def private_replay(file: Path, home: str) -> Response:
    """Return a match as a page that leads back to the page `home`, and that no other page embeds."""
    found = replay_page(str(file), read_checksum(file), home=home)
    policy = f"{found.policy}; frame-ancestors 'none'"
    return HTMLResponse(found.text, headers={**PRIVATE, "Content-Security-Policy": policy})


def text_file(data: bytes, name: str) -> Response:
    """Return what a bot printed as a file, which a browser shows as text."""
    headers = {**PRIVATE, **SANDBOXED, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=headers)
