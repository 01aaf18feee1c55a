"""Templates, and where the links on pages lead: to a server, or to files next to each other."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from logging import getLogger
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from fastapi import Request
from markupsafe import Markup

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import printable
from ballcourt.arena.replays.page import preview
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.pages import charts
from ballcourt.leaderboard.pages.happening import Happening, newest
from ballcourt.leaderboard.pages.live import STREAM, Live, Now
from ballcourt.leaderboard.pages.summaries import bot_id, ladder_id
from ballcourt.leaderboard.pages.views import KINDS, MOST_OPENINGS, RANKED_FROM, SORTED_BY, Frame, Views
from ballcourt.leaderboard.show.setups import in_words, name_of, unusual
from ballcourt.web.render import Page, Templates

FOLDER: Final = Path(__file__).parent
LOG: Final = getLogger(__name__)
OF_FILES: Final = re.compile(r"/|\[Errno")
"""What names a file, or has the words of the system."""
AT_THE_END: Final = 999_999
"""More decisions than a match has: a replay then shows its last position."""

Leads = Callable[[str], bool]
"""Whether a viewer may go to an address."""


def without_files(sentence: str, instead: str) -> str:
    """Return a sentence for all to read: `instead` of one that names a file, which is for the log."""
    if not OF_FILES.search(sentence):
        return sentence
    LOG.warning("%s", sentence)
    return instead


def everywhere(_: str) -> bool:
    """Allow every address to everyone."""
    return True


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link in the navigation of a page."""

    address: str
    words: str


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
    site: str = ""
    """What the address of a page begins with for programs elsewhere, such as "https://cup.example"; empty for files."""
    leads: Leads = everywhere
    """Where the viewer may go. Pages are kept for each value of it, so what leads to the same compares equal."""

    def has_replay(self, identity: str) -> bool:
        """Whether a match has a page."""
        return (self.replays is None or identity in self.replays) and self.is_open("matches", identity)

    def has(self, *parts: object) -> bool:
        """Whether there is a page to which the viewer may go; without parts there is none."""
        if parts[:1] == ("matches",) and len(parts) > 1:
            return self.has_replay(str(parts[1]))
        return bool(parts) and self.is_open(*parts)

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

    def board(self, match: str, decisions: int = AT_THE_END) -> str:
        """Return the address of a match's board alone, after its decisions; empty where the viewer gets none."""
        folder = "embed" if self.served else "matches"
        is_shown = self.has_replay(match) and self.is_open(folder, match)
        return f"{self.to(folder, match)}?bare#{decisions}" if is_shown else ""

    @property
    def pictures(self) -> str:
        """What the addresses of pictures begin with."""
        return self.site + self.static("")

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


_TEMPLATES = Templates(
    FOLDER,
    {
        "bot_id": bot_id,
        "ladder_id": ladder_id,
        "ladder_title": in_words,
        "ladder_name": name_of,
        "ladder_options": unusual,
        "counted": lambda many, noun: f"{many:,} {noun}{'' if many == 1 else 'es' if noun == 'match' else 's'}",
        "percent": "{:.0%}".format,
        "signed": lambda value: f"{value:+z.1f}".replace("-", "\u2212"),
    },
    {
        "charts": charts,
        "bot_link": bot_link,
        "match_link": match_link,
        "stream": STREAM,
        "kinds": KINDS,
        "most_openings": MOST_OPENINGS,
        "ranked_from": RANKED_FROM,
        "sorts": (*SORTED_BY,),
    },
    is_indented=False,
)


def menu(links: Links, *, has_tournament: bool) -> list[PageLink]:
    """Return the links to the pages of a leaderboard, of those to which the viewer may go."""
    words = ["Matches", *["Tournament"] * has_tournament, "News", *["Data"] * links.served]
    pages = [("Leaderboard",), *((word, word.lower()) for word in words)]
    return [PageLink(links.to(*parts), word) for word, *parts in pages if links.is_open(*parts)]


def render(page: Page, links: Links, frame: Frame, around: Sequence[PageLink] = ()) -> str:
    """Return a page; `around` are more links for its navigation."""
    whole = (*menu(links, has_tournament=frame.has_tournament), *around)
    picture = preview(frame.game, links.pictures)
    return _TEMPLATES.render(page, links=links, menu=whole, picture=picture, **asdict(frame))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the pages are a part of, where they are not alone."""

    name: str = ""
    """What the whole is called; by default as its results."""
    front: Callable[[], str] = str
    """Returns what the home page shows below its heading, as HTML."""
    identity: str = ""
    """What its feed is known by to programs, a URN; by default by its name."""
    url: str = ""
    """The address of the whole, without a slash at its end; empty where it has none of its own."""
    hosts: Sequence[str] = ()
    """The names at which a proxy offers the pages to others than this machine."""
    links: Callable[[Request], Sequence[PageLink]] = lambda _: ()
    """What else the navigation leads to, for whom a request comes from."""
    news: Callable[[], Iterable[Happening]] = tuple
    """Public events other than matches."""
    leads: Callable[[Request], Leads] = lambda _: everywhere
    """Where the viewer may go from whom a request comes: pages have no links to other addresses."""


@dataclass(frozen=True, slots=True)
class Pages:
    """How the pages of an application are made: from which values, and around what."""

    views: Views
    live: Live | None
    around: Surroundings

    def render(self, request: Request, page: Page) -> str:
        """Return a page as whom a request comes from sees it."""
        return render(page, self.links(request), self.frame(), self.around.links(request))

    def frame(self) -> Frame:
        """Return what every page shows."""
        frame = self.views.frame()
        return replace(frame, name=self.around.name or frame.name)

    def links(self, request: Request) -> Links:
        """Return what makes addresses, for whom a request comes from."""
        site = self.around.url or f"{request.url.scheme}://{request.url.netloc}"
        return Links(f"{request.scope.get('root_path', '')}/", site=site, leads=self.around.leads(request))

    def now(self) -> Now | None:
        """Return the progress of the tournament, if this is one."""
        return self.live.now() if self.live else None

    def news(self) -> Sequence[Happening]:
        """Return what happened, the newest first."""
        return newest(self.views.summary.news, self.around.news())


def pages_of(request: Request) -> Pages:
    """Return how the pages are made of the application that is asked."""
    found: Pages = request.app.state.pages
    return found


def views_of(request: Request) -> Views:
    """Return the values of the pages of the application that is asked."""
    return pages_of(request).views


# -- what differs whenever an answer to a request does


def tables_shown(request: Request) -> Hashable:
    """Return what differs whenever a page without matches does."""
    pages = pages_of(request)
    return pages.views.state(), tuple(pages.around.links(request)), pages.links(request)


def matches_shown(request: Request) -> Hashable:
    """Return what differs whenever a page with matches does."""
    return tables_shown(request), pages_of(request).views.database.digest()


def bot_shown(request: Request) -> Hashable:
    """Return what differs whenever the page of a bot does. Raises NoPageError."""
    return tables_shown(request), pages_of(request).views.newest_of(request.path_params["bot"])


def news_shown(request: Request) -> Hashable:
    """Return what differs whenever a page with news does."""
    return tables_shown(request), tuple(pages_of(request).news())


def progress_shown(request: Request) -> Hashable:
    """Return what differs whenever a page with the progress of the tournament does."""
    return tables_shown(request), repr(pages_of(request).now())


def home_shown(request: Request) -> Hashable:
    """Return what differs whenever the home page does."""
    return progress_shown(request), pages_of(request).around.front()
