"""The templates of a contest's pages. What people wrote is text on every page: templates escape it."""

from datetime import datetime
from pathlib import Path
from typing import Any, Final

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ballcourt.arena.printable import printable
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.tokens import MOST_TOKEN_DAYS, TOKEN_DAYS
from ballcourt.contest.settings import at_time, shown
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.web.around import leads_to

FOLDER: Final = Path(__file__).parent
PRIVATE: Final = {"Cache-Control": "no-store"}


def _moment(value: datetime | float) -> str:
    return shown(value if isinstance(value, datetime) else at_time(value))


def iso(value: datetime | float) -> str:
    """Return a moment as programs read it (RFC 3339)."""
    return (value if isinstance(value, datetime) else at_time(value)).isoformat(timespec="seconds")


_TEMPLATES: Final = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals |= {"token_days": TOKEN_DAYS, "most_token_days": MOST_TOKEN_DAYS}
_TEMPLATES.filters |= {"shown": printable, "moment": _moment, "iso": iso}


def drawn(request: Request, template: str, viewer: Member | None, status: int = 200, **values: object) -> HTMLResponse:
    """Return a page as this viewer sees it."""
    contest: Contest = request.app.state.contest
    common: dict[str, Any] = {"contest": contest.settings, "viewer": viewer, "phase": contest.phase}
    common["leads"] = leads_to(contest, viewer)
    text = _TEMPLATES.get_template(template).render(common | values)
    return HTMLResponse(text, status, headers=PRIVATE)
