"""The pages as files that need no server: the same views and templates, with relative links."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from ballcourt.arena.files import folder_in_place_of
from ballcourt.arena.printable import as_json
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.page import picture_of
from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.pages.app import around_match, replay_page
from ballcourt.leaderboard.pages.live import Live
from ballcourt.leaderboard.pages.rendering import FOLDER, Links, render
from ballcourt.leaderboard.pages.views import Views
from ballcourt.leaderboard.show.terminal import to_csv, to_json
from ballcourt.leaderboard.store.listing import Wanted
from ballcourt.web.render import Page
from ballcourt.web.style import STATIC

FORMAT: Final = "ballcourt-site-1"
MARK: Final = "ballcourt-site.json"
"""The file that marks a folder as a site, which may be replaced."""
MOST_PAIRS: Final = 2000
"""How many pairs of bots have a page; if more have met, none has."""
MOST_ROWS: Final = 1000
"""How many rows of a table a page has."""


def write_site(views: Views, output: Path, replays: int) -> int:
    """Write the pages to a folder, whole or not at all, with the newest `replays` matches; return how many pages.

    A site that was written there before is replaced. Raises LeaderboardError for a folder with anything else, and
    OSError.
    """
    if output.exists() and not (output / MARK).is_file() and (not output.is_dir() or any(output.iterdir())):
        raise LeaderboardError(f"{output} has other files in it; name an empty folder or one that does not exist")
    output.parent.mkdir(parents=True, exist_ok=True)
    with folder_in_place_of(output) as temporary:
        count = 0
        for path, text in _files(views, replays):
            file = temporary / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            count += path.endswith(".html")
        for folder in (FOLDER / "static", STATIC):
            shutil.copytree(folder, temporary / "static", dirs_exist_ok=True)
        for game in {info.ladder.game for info in views.ladders()} | {views.frame().game}:
            if picture := picture_of(game):
                shutil.copy(picture, temporary / "static" / f"{game}.png")
    return count


def _files(views: Views, replays: int) -> Iterator[tuple[str, str]]:
    """Yield the path and the content of each file."""
    listed = views.database.listed(Wanted(), None, replays)[0] if replays else []
    readable = set()
    frame, pairs = views.frame(), views.pairs(MOST_PAIRS)
    relative = Links("../", ".html", served=False, pairs=bool(pairs))
    for match in listed:
        with suppress(RecordError):  # then the list names the match, without a link
            around, home = around_match(relative, match), relative.to("matches")
            page = replay_page(match.record, match.checksum, home, around=around, pictures=relative.pictures)
            readable.add(match.identity)
            yield f"matches/{match.identity}.html", page.text
    matches = frozenset(readable)

    def file(page: Page, *parts: str) -> tuple[str, str]:
        links = replace(relative, base="../" * (len(parts) - 1), replays=matches)
        return f"{'/'.join(parts)}.html", render(page, links, frame)

    yield MARK, as_json({"format": FORMAT, "name": frame.name})
    yield "data/leaderboard.json", as_json(to_json(views.summary.boards(), views.summary.placing))
    yield "data/leaderboard.csv", to_csv(views.summary.boards())
    yield file(views.home(), "index")
    if frame.has_tournament:
        now = Live(views.source.folder).now() if views.source.folder else None
        yield file(views.tournament(now), "tournament")
    for info in views.ladders():
        yield file(views.ladder(info.id, most=MOST_ROWS), "ladders", info.id)
        yield file(views.matrix(info.id), "ladders", info.id, "matrix")
        yield file(views.seats(info.id), "ladders", info.id, "seats")
        yield file(views.openings(info.id), "ladders", info.id, "openings")
    for bot in views.bots():
        yield file(views.bot_page(bot), "bots", bot)
    for bot, rival in pairs:
        yield file(_whole(views.pair(bot, rival, None)), "bots", bot, "against", rival)
    if views.is_combined():
        yield file(views.combined(), "combined")
    yield file(Page("news.html", {"news": views.summary.news}), "news")
    yield file(_whole(views.matches(Wanted(), None), matches=listed), "matches")


def _whole(page: Page, **values: object) -> Page:
    """Return a page that leads to no older matches, as no server would find them."""
    return Page(page.template, {**page.values, "more": None, **values})
