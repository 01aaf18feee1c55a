"""Templates, and where the links on pages lead: to a server, or to files next to each other."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import printable
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.pages import charts
from ballcourt.leaderboard.pages.summaries import bot_id, ladder_id
from ballcourt.leaderboard.show.setups import in_words, name_of, unusual

FOLDER: Final = Path(__file__).parent


Leads = Callable[[str], bool]
"""Whether a viewer may go to an address."""


def everywhere(_: str) -> bool:
    """Allow every address to everyone."""
    return True


@dataclass(frozen=True, slots=True)
class Links:
    """Makes addresses out of the parts of a path."""

    base: str = "/"
    """The path to the folder of the home page."""
    suffix: str = ""
    served: bool = True
    """Whether there is a server, which can filter, sort and find."""
    pairs: bool = True
    """Whether two bots that have met have a page of their own."""
    replays: frozenset[str] | None = None
    """The identities of the matches that have a page; None: all."""
    leads: Leads = everywhere
    """Where the viewer may go. Pages are kept for each value of it, so what leads to the same compares equal."""

    def has_replay(self, identity: str) -> bool:
        """Whether a match has a page."""
        return (self.replays is None or identity in self.replays) and self.is_open("matches", identity)

    def has(self, *parts: object) -> bool:
        """Whether there is a page to which the viewer may go."""
        return self.has_replay(str(parts[1])) if parts[0] == "matches" and len(parts) > 1 else self.is_open(*parts)

    def has_pairs(self, bot: str) -> bool:
        """Whether a bot and each that it has met have a page of their own."""
        return self.pairs and self.is_open("bots", bot, "against", bot)

    def is_open(self, *parts: object) -> bool:
        """Whether the viewer may go to a page."""
        return self.leads(f"/{'/'.join(map(str, parts))}")

    def to(self, *parts: object, **query: object) -> str:
        """Return the address of a page; without parts, of the home page. Empty values of a query are left out."""
        path = "/".join(map(_quoted, parts))
        given = {name: value for name, value in query.items() if value not in (None, "")}
        asked = f"?{urlencode(given)}" if given and self.served else ""
        return f"{self.base}{path}{self.suffix if parts else '' if self.served else 'index.html'}{asked}"

    def static(self, name: str) -> str:
        """Return the address of a script or style."""
        return f"{self.base}static/{name}"


@lru_cache(maxsize=8192)
def _quoted(part: object) -> str:
    return quote(str(part), safe="")


@lru_cache(maxsize=8192)
def bot_link(links: Links, entrant: BotVersion) -> Markup:
    """Return a link to the page of a bot."""
    name = printable(str(entrant))
    return Markup('<a href="{}"><bdi>{}</bdi></a>').format(links.to("bots", bot_id(entrant)), name)


def match_link(links: Links, match: MatchResult) -> Markup:
    """Return a link to the replay of a match, or only its key if it has no page."""
    name = Markup("<bdi>{}</bdi>").format(printable(match.key))
    if not links.has_replay(match.identity):
        return name
    return Markup('<a href="{}">{}</a>').format(links.to("matches", match.identity), name)


class _Unindented(Extension):
    """Takes the indentation out of templates, which is for those who edit them: pages are not sent with it."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"^[ \t]+", "", source, flags=re.MULTILINE)


_TEMPLATES = Environment(
    extensions=[_Unindented],
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters |= {
    "shown": printable,
    "bot_id": bot_id,
    "ladder_id": ladder_id,
    "ladder_title": in_words,
    "ladder_name": name_of,
    "ladder_options": unusual,
    "percent": "{:.0%}".format,
}
_TEMPLATES.globals |= {"charts": charts, "bot_link": bot_link, "match_link": match_link}


def render(template: str, links: Links, **values: object) -> str:
    """Return a page. Of its `values`, `around` are more links for its navigation, by default none."""
    return _TEMPLATES.get_template(template).render({"around": ()} | values, links=links)
