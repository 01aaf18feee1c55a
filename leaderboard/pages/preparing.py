"""Reads new tables as soon as there are any, so that no page waits for it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Final

from ballcourt.leaderboard.pages.views import NoPageError, Views

LOOK_S: Final = 0.5
"""How often it looks for new tables, in seconds."""


@contextmanager
def kept_ready(views: Views) -> Iterator[None]:
    """Read new tables until the context ends."""
    is_over = Event()
    reader = Thread(target=_prepare, args=(views, is_over), name="new tables", daemon=True)
    reader.start()
    try:
        yield
    finally:
        is_over.set()
        reader.join()


def _prepare(views: Views, is_over: Event) -> None:
    while not is_over.wait(LOOK_S):
        with suppress(NoPageError, sqlite3.Error):  # the page that needs the table says what is wrong
            views.boards()
