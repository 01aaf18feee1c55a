"""A folder or database as pages, asked for without a network."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from httpx2 import Response

from ballcourt.arena.records.store import write_record
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.refresh import PageRefresher
from ballcourt.leaderboard.pages.source import source_at
from ballcourt.leaderboard.pages.summaries import bot_id
from ballcourt.leaderboard.pages.views import Views
from ballcourt.leaderboard.store.database import Database
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import recorded
from tests.arena.replays.test_page import hostile
from tests.bluff.installed import bluff_installed


@dataclass
class Site:
    """A folder with records, and a browser's view of it."""

    folder: Path
    database: Database
    refresher: PageRefresher
    views: Views

    def __post_init__(self) -> None:
        self.client = TestClient(
            create_app(self.views), base_url="http://127.0.0.1:8000", raise_server_exceptions=False
        )

    def add(self, *records: MatchRecord) -> None:
        """Add records as a running tournament does, and notice them."""
        for one in records:
            write_record(self.folder / "records", one)
        later = (self.folder / "records").stat().st_mtime_ns + 10**9
        os.utime(self.folder / "records", ns=(later, later))
        assert self.refresh()

    def refresh(self) -> bool:
        """Notice what has changed, and show it."""
        with self.shown():
            return self.refresher.refresh()

    @contextmanager
    def shown(self) -> Iterator[PageRefresher]:
        """Show in the end what the refresher has."""
        yield self.refresher
        self.views.show(self.refresher.summary)

    def get(self, address: str) -> Response:
        self.views.show(self.refresher.summary)
        answer: Response = self.client.get(address)
        return answer

    def bot(self, name: str) -> str:
        """Return the address of a bot's page."""
        return f"/bots/{bot_id(self.views.named(name))}"


@contextmanager
def site_at(place: str, scratch: Path) -> Iterator[Site]:
    source = source_at(place, scratch)
    with source.opened() as database:
        refresher = PageRefresher(source, database)
        refresher.refresh()
        refresher.add_histories()
        yield Site(Path(place), database, refresher, Views(source, database, refresher.summary))


@contextmanager
def bluff() -> Iterator[None]:
    """Make the tests' own game known, and let records be read whose bots have hostile names: pages stand them too."""
    with bluff_installed(), pytest.MonkeyPatch.context() as patch:
        for check in ("name_objection", "version_objection"):
            patch.setattr(f"ballcourt.arena.records.store.{check}", lambda _: "")
        yield


def filled(folder: Path) -> Path:
    (folder / "records").mkdir(parents=True)
    bad = hostile(recorded("m2"))
    bad.key = "m2"
    for one in (recorded("m1"), bad):
        write_record(folder / "records", one)
    return folder


def routes(app: FastAPI) -> Iterator[APIRoute]:
    """Yield the routes of an application, with those of the routers that it includes."""
    for one in app.routes:
        included = getattr(one, "original_router", None)
        yield from (route for route in (included.routes if included else [one]) if isinstance(route, APIRoute))
