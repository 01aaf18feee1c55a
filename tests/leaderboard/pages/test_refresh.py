"""What keeps pages up to date: everything that changed appears, nothing is fitted twice, and failures are shown."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ballcourt.arena.records.store import write_record
from ballcourt.leaderboard.pages import summaries
from ballcourt.leaderboard.store import snapshot
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.snapshot import boards_in, refresh
from tests.arena.recorded import recorded
from tests.arena.replays.test_page import HOSTILE
from tests.leaderboard.made import match, random_tables
from tests.leaderboard.pages.made_site import Site, bluff, filled, site_at


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with bluff(), site_at(str(filled(tmp_path / "cup")), tmp_path) as made:
        yield made


def calls(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[Any]:
    """Return the list to which every call of a function adds its first argument."""
    found: list[Any] = []
    function: Callable[..., Any] = getattr(module, name)

    def counted(first: object, *others: object) -> object:
        found.append(first)
        return function(first, *others)

    monkeypatch.setattr(module, name, counted)
    return found


def test_a_bot_whose_matches_are_gone_has_no_page(site: Site) -> None:
    bot, other = site.bot(HOSTILE), site.bot("lowest")
    (site.folder / "records" / "m2.match").unlink()
    site.add()
    assert site.get(bot).status_code == 404
    assert site.get(f"{other}/against{bot.removeprefix('/bots')}").status_code == 404
    assert site.get(other).status_code == 200
    assert "onerror" not in site.get("/").text


def test_a_record_that_leaves_the_time_of_its_folder_as_it_was_is_noticed(site: Site) -> None:
    before = (site.folder / "records").stat().st_mtime_ns
    write_record(site.folder / "records", recorded("m3"))
    os.utime(site.folder / "records", ns=(before, before))
    assert site.refresher.refresh()
    assert ">m3<" in site.get("/matches").text


def test_the_version_of_answers_differs_after_every_change(site: Site) -> None:
    answers = site.views.answers
    before = answers.version()
    assert answers.version() == before != ""
    site.add(recorded("m3"))
    tables = answers.version()
    site.refresher.add_histories()
    assert len({before, tables, answers.version()}) == 3


def test_histories_that_cannot_be_made_are_reported_and_made_later(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:

        def full(*_: object) -> None:
            raise OSError("the disk is full")

        site.add(recorded("m3"))
        patched.setattr(summaries, "_first", full)
        site.refresher.try_add_histories()
        shown = site.views.answers.version()
        site.refresher.try_add_histories()
    assert "the disk is full" in site.get("/").text
    assert site.views.answers.version() == shown  # there is nothing new that an open page could fetch
    assert not site.refresher.try_refresh()
    site.refresher.try_add_histories()
    assert "the disk is full" not in site.get("/").text
    part = site.views.bot_page(site.bot("lowest").rpartition("/")[2])["parts"][0]
    assert part["history"][-1][0] == 3


def test_a_refresh_that_keeps_failing_gives_open_pages_nothing_to_fetch(site: Site) -> None:
    shown = site.views.answers.version()
    records = (site.folder / "records").rename(site.folder / "elsewhere")
    for _ in range(2):
        assert not site.refresher.try_refresh()
        assert site.views.answers.version() == shown
    assert "No such file" in site.views.answers.news().trouble
    records.rename(site.folder / "records")
    assert site.refresher.try_refresh()
    assert site.views.answers.news().trouble == ""


def test_answers_that_cannot_be_written_are_written_later(site: Site) -> None:
    site.views.answers.file.unlink()
    write_record(site.folder / "records", recorded("m3"))
    assert not site.refresher.try_refresh()
    site.views.answers.create()
    assert site.refresher.try_refresh()
    assert "lowest" in site.get("/").text


def test_a_new_bot_leaves_the_histories_of_the_matches_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_database(tmp_path / "all.sqlite", create=True) as database:
        database.add(random_tables(np.random.default_rng(1), bots=6, seats=2, blocks=6))
    with site_at(str(tmp_path / "all.sqlite"), tmp_path) as site:
        fits = calls(monkeypatch, summaries, "estimate_of")
        site.database.add([match("z1", "newcomer", "bot01")])
        assert site.refresher.refresh()
        site.refresher.add_histories()
        assert fits == []
        part = site.views.bot_page(site.bot("newcomer").rpartition("/")[2])["parts"][0]
        assert [one[0] for one in part["history"]] == [13]


def test_tables_that_a_database_keeps_are_not_fitted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(tmp_path / "all.sqlite", create=True) as database:
        database.add([match("m1", "ann", "bob"), match("m2", "bob", "ann")])
        kept = boards_in(database)
    fits = calls(monkeypatch, snapshot, "board_of")
    with site_at(str(tmp_path / "all.sqlite"), tmp_path) as site:
        assert site.views.boards() == kept
        assert fits == []
        site.database.add([match("m3", "ann", "bob")])
        assert site.refresher.refresh()
        assert len(fits) == 1


def test_tables_that_a_tournament_promises_to_renew_are_not_fitted_for_pages_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.sqlite"
    fits = calls(monkeypatch, snapshot, "board_of")
    with open_database(file, create=True) as database:
        database.add([match("m1", "ann", "bob")])
        refresh(database, lambda: 60)  # as the process of a tournament does
        database.add([match("m2", "bob", "ann")])
        with site_at(str(file), tmp_path) as site:

            def counted() -> list[int]:
                return [row.matches for board in site.views.boards().values() for row in board.rows]

            assert (len(fits), counted()) == (1, [1, 1])
            assert ">m2<" in site.get("/matches").text
            refresh(database, lambda: 60)
            assert site.refresher.refresh()
            assert (len(fits), counted()) == (2, [2, 2])
            database.add([match("m3", "bob", "cid")])  # the kept tables lack a bot
            assert site.refresher.refresh()
            assert (len(fits), sorted(counted())) == (3, [1, 2, 3])


def test_pages_fit_the_tables_themselves_when_a_promise_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.sqlite"
    with open_database(file, create=True) as database:
        database.add([match("m1", "ann", "bob")])
        refresh(database, lambda: 60)
        database.add([match("m2", "bob", "ann")])
        with site_at(str(file), tmp_path) as site:
            later = time.time() + 61
            monkeypatch.setattr(time, "time", lambda: later)
            assert site.refresher.refresh()
            assert {row.matches for board in site.views.boards().values() for row in board.rows} == {2}


def test_a_database_that_is_shown_is_not_changed(tmp_path: Path) -> None:
    file = tmp_path / "all.sqlite"
    with open_database(file, create=True) as database:
        database.add([match("m1", "ann", "bob")])
    before = file.read_bytes()
    with site_at(str(file), tmp_path) as site:
        assert site.get("/").status_code == site.get("/matches").status_code == 200
    assert file.read_bytes() == before
