"""The bots of a team: versions, logs and faults, the choice for the finals, the tokens of those that dial in."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Form, Response
from fastapi.responses import FileResponse
from pydantic import Field

from ballcourt.contest.people.tokens import MOST_TOKEN_DAYS, TOKEN_DAYS
from ballcourt.contest.private_files import PrivateFiles
from ballcourt.contest.submissions.remote_bots import register, renew, revoke
from ballcourt.contest.submissions.submissions import choose
from ballcourt.contest.visible import newest_played
from ballcourt.contest.web.guard import API, Body
from ballcourt.contest.web.submissions import text_file
from ballcourt.contest.web.visits import PRIVATE, FollowsBot, PersonVisit, SignedIn, Submitter, as_json, go
from ballcourt.leaderboard.pages.api import bot_form, match_form
from ballcourt.leaderboard.pages.summaries import bot_id
from ballcourt.leaderboard.pages.views import NEWEST
from ballcourt.leaderboard.store.listing import Wanted

Word = Annotated[str, Form(max_length=200)]
FormDays = Annotated[int, Form()]

pages = APIRouter(include_in_schema=False)
api = APIRouter(prefix=f"{API}/bots")


class ChoiceBody(Body):
    """The submission that plays in the finals."""

    submission: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class TokenBody(Body):
    """The token with which a bot dials in."""

    days: Annotated[int, Field(ge=1, le=MOST_TOKEN_DAYS)] = TOKEN_DAYS


class RemoteBotBody(TokenBody):
    """A bot that is to dial in."""

    name: Annotated[str, Field(min_length=1, max_length=40)]


@api.get("")
def bots(visit: FollowsBot) -> dict[str, Any]:
    """Return the team's bots."""
    return {"bots": [asdict(bot) for bot in visit.visible.bots()]}


@api.get("/{name}")
def bot_values(visit: FollowsBot, name: str) -> dict[str, Any]:
    """Return a bot of the team: its versions, how the newest that has played stands, its newest matches, and the keys
    of what it printed and of the matches in which it lost its seat."""
    found = _known(visit, name)
    views, played = found["views"], found["played"]
    return {
        **asdict(found["bot"]),
        "versions": [as_json(one) for one in found["versions"]],
        "standing": bot_form(views, bot_id(played)) if played else None,
        "matches": [*map(match_form, found["matches"])],
        "logs": found["logs"],
        "faults": found["faults"],
    }


@pages.get("/my-bots/{name}")
def _bot_page(visit: SignedIn, name: str) -> Response:
    found = _known(visit, name)
    views, played = found["views"], found["played"]
    parts = views.bot_by_ladder(bot_id(played)) if played else ()
    return visit.show("my-bot.html", **found, id=bot_id(played) if played else "", parts=parts)


def _known(visit: PersonVisit, name: str) -> dict[str, Any]:
    """Return what a person may know of a bot. Raises NotThereError."""
    bot, files = visit.visible.bot(name), PrivateFiles(visit.contest, visit.who)
    versions, views = visit.visible.submissions(bot=bot.name), visit.site.shown_to(visit.who)
    played = newest_played(visit.contest, views, bot, versions) if views else None
    return {
        "bot": bot,
        "versions": versions,
        "views": views,
        "played": played,
        "matches": views.database.listed(Wanted(bot=played), None, NEWEST)[0] if views and played else (),
        "logs": files.newest_logs(bot),
        "faults": files.newest_faults(bot),
    }


@api.post("", status_code=201)
def add(visit: Submitter, body: RemoteBotBody) -> dict[str, Any]:
    """Add a remote bot to the team; its token is shown only now."""
    return {"token": register(visit.contest, visit.who, body.name, body.days)}


@pages.post("/my-bots")
def _add_page(visit: SignedIn, name: Word, days: FormDays = TOKEN_DAYS) -> Response:
    return _token_page(visit, name.strip(), register(visit.contest, visit.who, name.strip(), days))


@api.post("/{name}/token", status_code=201)
def renew_token(visit: Submitter, name: str, body: TokenBody) -> dict[str, Any]:
    """Give a bot that dials in another token; older ones end."""
    return {"token": renew(visit.contest, visit.who, visit.visible.own_remote(name), body.days)}


@pages.post("/my-bots/{name}/token")
def _renew_page(visit: SignedIn, name: str, days: FormDays = TOKEN_DAYS) -> Response:
    return _token_page(visit, name, renew(visit.contest, visit.who, visit.visible.own_remote(name), days))


def _token_page(visit: PersonVisit, bot: str, secret: str) -> Response:
    remote = visit.contest.settings.remote
    assert remote, "otherwise there is no token"
    command = f"ballcourt connect FOLDER {remote.address} --token-file FILE"
    words = f"Write it into a file that only you can read, and run {command} with the folder of {bot}:"
    return visit.tell("A token", words, secret, f"/my-bots/{bot}")


@api.delete("/{name}/token", status_code=204)
def end_token(visit: Submitter, name: str) -> None:
    """End the token of a bot that dials in."""
    revoke(visit.contest, visit.visible.own_remote(name))


@pages.post("/my-bots/{name}/token/revoke")
def _end_page(visit: SignedIn, name: str) -> Response:
    end_token(visit, name)
    return go(f"/my-bots/{name}")


@api.put("/{name}/chosen", status_code=204)
def choose_one(visit: Submitter, name: str, body: ChoiceBody) -> None:
    """Choose a submission, instead of the newest accepted one, for the finals."""
    choose(visit.contest, visit.visible.own_bot(name), name, body.submission)


@pages.post("/my-bots/{name}/chosen")
def _choose_page(visit: SignedIn, name: str, submission: Annotated[str, Form(max_length=16)]) -> Response:
    choose(visit.contest, visit.visible.own_bot(name), name, submission)
    return go(f"/my-bots/{name}")


@api.get("/{name}/logs/{entry}", response_class=FileResponse)
def log_of(visit: FollowsBot, name: str, entry: str) -> Response:
    """Return what a bot printed in a match."""
    files = PrivateFiles(visit.contest, visit.who)
    return text_file(files.read_log(visit.visible.bot(name), entry), f"{name}-{entry}.txt")


@pages.get("/my-bots/{name}/logs/{entry}")
def _log_page(visit: SignedIn, name: str, entry: str) -> Response:
    return log_of(visit, name, entry)


@api.get("/{name}/faults/{entry}", response_class=FileResponse)
def fault_of(visit: FollowsBot, name: str, entry: str) -> Response:
    """Return all that is kept of a lost seat, as a zip archive with a folder for `ballcourt debug`."""
    found = PrivateFiles(visit.contest, visit.who).bundle(visit.visible.bot(name), entry)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{entry}-{name}.zip"'}
    return Response(found, media_type="application/zip", headers=headers)


@pages.get("/my-bots/{name}/faults/{entry}.zip")
def _fault_page(visit: SignedIn, name: str, entry: str) -> Response:
    return fault_of(visit, name, entry)


@pages.get("/my-bots/{name}/faults/{entry}")
def _what_happened(visit: SignedIn, name: str, entry: str) -> Response:
    files = PrivateFiles(visit.contest, visit.who)
    return text_file(files.read_fault(visit.visible.bot(name), entry), f"{name}-{entry}-fault.txt")
