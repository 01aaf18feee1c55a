"""What keeps pages up to date: everything that changed appears, nothing is fitted twice, and failures are shown."""

import errno
import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as real_wait
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from ballcourt.arena.records.store import write_record
from ballcourt.arena.temporary import remove_abandoned, scratch_folder
from ballcourt.cli import pages
from ballcourt.cli.pages import announcing
from ballcourt.leaderboard.pages import api, rendering, summaries
from ballcourt.leaderboard.pages import refresh as module
from ballcourt.leaderboard.pages import views as module_of_views
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.refresh import PageRefresher, kept_fresh
from ballcourt.leaderboard.pages.source import source_at
from ballcourt.leaderboard.pages.summaries import Summary
from ballcourt.leaderboard.pages.views import Views
from ballcourt.leaderboard.store import folder as module_of_folders
from ballcourt.leaderboard.store import snapshot
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.snapshot import boards_in, refresh
from tests.arena.conftest import PATIENCE_S, wait_until
from tests.arena.recorded import recorded
from tests.arena.replays.test_page import HOSTILE
from tests.leaderboard.made import match, random_tables
from tests.leaderboard.pages.made_site import Site, bluff, filled, site_at


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with bluff():
        yield filled(tmp_path / "cup")


@pytest.fixture
def site(folder: Path, tmp_path: Path) -> Iterator[Site]:
    with site_at(str(folder), tmp_path) as made:
        yield made


def calls(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[Any]:
    """Return the list to which every call of a function adds its first argument."""
    found: list[Any] = []
    function: Callable[..., Any] = getattr(module, name)

    def counted(first: object, *others: object, **named: object) -> object:
        found.append(first)
        return function(first, *others, **named)

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
    assert site.refresh()
    assert ">m3<" in site.get("/matches").text


def test_the_version_of_a_summary_differs_after_every_change(site: Site) -> None:
    before = site.views.summary.version
    assert before != "" and not site.refresh()
    site.add(recorded("m3"))
    tables = site.views.summary.version
    with site.shown() as refresher:
        refresher.add_histories()
    assert len({before, tables, site.views.summary.version}) == 3


def test_histories_that_cannot_be_made_are_reported_and_made_later(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:

        def full(*_: object) -> None:
            raise OSError("the disk is full")

        site.add(recorded("m3"))
        patched.setattr(summaries, "_first", full)
        shown = site.views.summary.version
        with site.shown() as refresher:
            refresher.try_add_histories()
            refresher.try_add_histories()
    assert "the disk is full" in site.get("/").text
    assert site.views.summary.version == shown  # there is nothing new that an open page could fetch
    with site.shown() as refresher:
        assert not refresher.try_refresh()
        refresher.try_add_histories()
    assert "the disk is full" not in site.get("/").text
    part = site.views.bot_by_ladder(site.bot("lowest").rpartition("/")[2])[0]
    assert part.history[-1].matches == 3


def test_a_refresh_that_keeps_failing_gives_open_pages_nothing_to_fetch(site: Site) -> None:
    shown = site.views.summary.version
    records = (site.folder / "records").rename(site.folder / "elsewhere")
    with site.shown() as refresher:
        assert not refresher.try_refresh()
        assert not refresher.try_refresh()
    assert site.views.summary.version == shown
    assert "No such file" in site.get("/").text
    records.rename(site.folder / "records")
    with site.shown() as refresher:
        assert refresher.try_refresh()
    assert site.views.summary.trouble == ""


@pytest.mark.slow
def test_another_process_sends_every_change_until_the_context_ends(tmp_path: Path) -> None:
    file = tmp_path / "all.sqlite"
    with open_database(file, create=True) as database:
        database.add([match("m1", "ann", "bob")])
        source, shown = source_at(str(file), tmp_path), list[Summary]()
        with kept_fresh(source, lambda one: shown.append(one) if one and one.at else None) as is_shown:
            assert is_shown.wait(PATIENCE_S)
            assert [one.matches for one in shown[0].ladders.values()] == [1]
            database.add([match("m2", "bob", "ann")])
            assert wait_until(lambda: any(one.matches == 2 for one in shown[-1].ladders.values()))
            assert wait_until(lambda: all(one.histories for one in shown[-1].ladders.values()))
    assert len({one.version for one in shown}) == len(shown)
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_a_process_that_is_killed_is_started_again_and_pages_say_so_meanwhile(folder: Path) -> None:
    looks = list[Summary | None]()

    def shown() -> list[Summary]:
        return [look for look in looks if look]

    with scratch_folder() as scratch, kept_fresh(source_at(str(folder), scratch), looks.append):
        assert wait_until(lambda: None in looks)
        (killed,) = multiprocessing.active_children()
        os.kill(killed.pid or 0, signal.SIGKILL)
        assert wait_until(lambda: "has ended" in shown()[-1].trouble)
        assert shown()[-1].ladders == shown()[-2].ladders
        (before,) = [one.matches for one in shown()[-1].ladders.values()]
        write_record(folder / "records", recorded("m3"))
        assert wait_until(lambda: [one.matches for one in shown()[-1].ladders.values()] == [before + 1])
        assert shown()[-1].trouble == ""
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_pages_outlive_the_removal_of_all_temporary_files(folder: Path) -> None:
    with scratch_folder() as scratch:
        source = source_at(str(folder), scratch)
        with source.opened() as database:
            views = Views(source, database)
            client = TestClient(create_app(views), base_url="http://127.0.0.1:8000", raise_server_exceptions=False)
            with kept_fresh(source, views.show) as is_shown:
                assert is_shown.wait(PATIENCE_S)
                assert client.get("/matches").status_code == 200
                shutil.rmtree(scratch.parent)
                assert (client.get("/").status_code, client.get("/matches").status_code) == (200, 503)
                assert not scratch.exists()
                assert wait_until(lambda: client.get("/matches").status_code == 200)
                remove_abandoned()
                assert scratch.exists()
                write_record(folder / "records", recorded("m3"))
                assert wait_until(lambda: ">m3<" in client.get("/matches").text)


def test_a_process_that_cannot_be_started_is_tried_again_ever_less_often(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, pauses = list[Summary | None](), list[float]()

    def exhausted(*_: object) -> None:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    def wait(ready: list[object], pause_s: float) -> list[object]:
        pauses.append(pause_s)
        return ready if len(pauses) == 12 else []

    monkeypatch.setattr(module, "beside", exhausted)
    monkeypatch.setattr(module, "wait", wait)
    with kept_fresh(source_at(str(folder), tmp_path), looks.append):
        assert wait_until(lambda: len(pauses) == 12)
        assert [look.trouble for look in looks if look] == [module.ENDED]
    assert (pauses[0], pauses[-1]) == (module.SHORTEST_PAUSE_S, module.LONGEST_PAUSE_S)
    assert pauses == sorted(pauses)


def test_a_process_that_is_silent_for_long_is_replaced_and_pages_and_the_log_say_so_meanwhile(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks, waits, replaced = list[Summary | None](), list[float](), Event()

    @contextmanager
    def silent(*_: object) -> Iterator[Connection]:
        """Stand in for a process that hangs once it has sent a summary."""
        ours, theirs = Pipe()
        theirs.send(Summary(str(len(waits)), "2026-11-22T18:30:05Z"))
        theirs.send(module.ALIVE)
        yield ours

    def wait(ready: list[Connection], most_s: float) -> list[Any]:
        waits.append(most_s)
        if len(waits) >= 12:
            replaced.set()
            return real_wait(ready)
        return real_wait(ready, 0)

    monkeypatch.setattr(module, "beside", silent)
    monkeypatch.setattr(module, "wait", wait)
    with kept_fresh(source_at(str(folder), tmp_path), looks.append):
        assert replaced.wait(PATIENCE_S)
    shown = [(look.version, look.trouble) for look in looks if look]
    assert shown[:4] == [("0", ""), ("0", module.HUNG), ("4", ""), ("4", module.HUNG)], "with the latest tables"
    assert waits[:8] == [600, 600, 600, module.SHORTEST_PAUSE_S, 1200, 1200, 1200, module.SHORTEST_PAUSE_S]
    assert caplog.messages[0] == module.HUNG


def test_pages_say_how_far_the_results_have_been_read_until_they_have(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = Pipe()
    monkeypatch.setattr(module, "beside", lambda *_: nullcontext(ours))
    source, notes = source_at(str(folder), tmp_path), list[str]()
    with source.opened() as database:
        views = Views(source, database)
        client = TestClient(create_app(views), base_url="http://127.0.0.1:8000")

        def note(line: str) -> None:
            notes.append(line)
            if len(notes) == 3:
                theirs.send(Summary("1", "2026-11-22T18:30:05Z"))

        monkeypatch.setattr(pages, "SAY_S", 0.01)
        monkeypatch.setattr(pages, "note", note)
        announced = Event()
        for address in ("/", "/matches", "/news.atom", "/api/leaderboard", "/healthz"):
            assert client.get(address).status_code == 503
        assert client.get("/static/site.css").status_code == 200
        theirs.send("500 of 900 records have been read")
        with kept_fresh(source, views.show) as is_shown:
            assert wait_until(lambda: views.summary.trouble != "")
            answer = client.get("/")
            assert (answer.status_code, answer.headers["Retry-After"], answer.headers["Refresh"]) == (503, "5", "5")
            assert "500 of 900 records have been read; ask again in 5 seconds" in answer.text
            assert "500 of 900 records" in client.get("/api/leaderboard").json()["detail"]
            with announcing(views, is_shown, announced.set):
                assert announced.wait(PATIENCE_S)
                assert client.get("/").status_code == client.get("/healthz").status_code == 200
                theirs.close()
    assert "for 0 s so far: 500 of 900 records" in notes[0]


def test_a_server_that_ends_before_the_results_are_read_announces_no_pages(folder: Path, tmp_path: Path) -> None:
    source, announced = source_at(str(folder), tmp_path), Event()
    with source.opened() as database, announcing(Views(source, database), Event(), announced.set):
        pass
    assert not announced.is_set()


def test_the_first_summary_says_how_far_it_is_and_no_other_does(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module_of_folders, "SAID", 2)
    write_record(folder / "records", recorded("m3"))
    source, reports = source_at(str(folder), tmp_path), list[str]()
    with source.opened() as database:
        refresher = PageRefresher(source, database, reports.append)
        assert refresher.refresh()
        assert reports[:2] == ["0 of 3 records have been read", "2 of 3 records have been read"]
        assert reports[-1] == "all 3 matches have been read, and the tables are being made"
        reports.clear()
        write_record(folder / "records", recorded("m4"))
        assert refresher.refresh()
    assert reports == []


def test_a_process_that_rests_for_long_says_now_and_then_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = Pipe()
    slept = list[float]()
    monkeypatch.setattr(module, "sleep", slept.append)
    module._rest(theirs, 150.0)
    theirs.close()
    assert slept == [60, 60, 30]
    assert [ours.recv(), ours.recv(), ours.poll()] == [module.ALIVE, module.ALIVE, True]


def test_pages_say_when_nothing_has_looked_at_the_results_for_long(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not up to date" not in site.get("/").text
    later = time.monotonic() + 3600
    with monkeypatch.context() as patched:
        patched.setattr(module_of_views, "monotonic", lambda: later)
        assert "the results were looked at 1 h" in site.client.get("/").text
        assert site.client.get("/healthz").status_code == 503
        site.views.show(replace(site.views.summary, trouble="the disk is full"))
        assert site.client.get("/healthz").json()["looked_s"] >= 3600, "it could not be looked at"
        site.views.show(replace(site.views.summary, trouble=""))
        assert "not up to date" not in site.client.get("/").text


def test_a_new_bot_leaves_the_histories_of_the_matches_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_database(tmp_path / "all.sqlite", create=True) as database:
        database.add(random_tables(np.random.default_rng(1), bots=6, seats=2, blocks=6))
    with site_at(str(tmp_path / "all.sqlite"), tmp_path) as site:
        fits = calls(monkeypatch, summaries, "estimate_of")
        site.database.add([match("z1", "newcomer", "bot01")])
        with site.shown() as refresher:
            assert refresher.refresh()
            refresher.add_histories()
        assert fits == []
        part = site.views.bot_by_ladder(site.bot("newcomer").rpartition("/")[2])[0]
        assert [one.matches for one in part.history] == [13]


def test_tables_that_a_database_keeps_are_not_fitted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(tmp_path / "all.sqlite", create=True) as database:
        database.add([match("m1", "ann", "bob"), match("m2", "bob", "ann")])
        kept = boards_in(database)
    fits = calls(monkeypatch, snapshot, "fitted")
    with site_at(str(tmp_path / "all.sqlite"), tmp_path) as site:
        assert site.views.summary.boards() == kept
        assert fits == []
        site.database.add([match("m3", "ann", "bob")])
        assert site.refresh()
        assert len(fits) == 1


def test_tables_that_a_tournament_promises_to_renew_are_not_fitted_for_pages_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.sqlite"
    fits = calls(monkeypatch, snapshot, "fitted")
    with open_database(file, create=True) as database:
        database.add([match("m1", "ann", "bob")])
        refresh(database, lambda: 60)  # as the process of a tournament does
        database.add([match("m2", "bob", "ann")])
        with site_at(str(file), tmp_path) as site:

            def counted() -> list[int]:
                return [row.matches for board in site.views.summary.boards().values() for row in board.rows]

            assert (len(fits), counted()) == (1, [1, 1])
            assert ">m2<" in site.get("/matches").text
            refresh(database, lambda: 60)
            assert site.refresh()
            assert (len(fits), counted()) == (2, [2, 2])
            database.add([match("m3", "bob", "cid")])  # the kept tables lack a bot
            assert site.refresh()
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
            assert site.refresh()
            assert {row.matches for board in site.views.summary.boards().values() for row in board.rows} == {2}


def test_a_database_that_is_shown_is_not_changed(tmp_path: Path) -> None:
    file = tmp_path / "all.sqlite"
    with open_database(file, create=True) as database:
        database.add([match("m1", "ann", "bob")])
    before = file.read_bytes()
    with site_at(str(file), tmp_path) as site:
        assert site.get("/").status_code == site.get("/matches").status_code == 200
    assert file.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leaderboard", "leaderboard.csv"])
def test_tables_for_programs_are_written_once_and_sent_only_to_those_that_lack_them(
    site: Site, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = calls(monkeypatch, api, "to_csv" if "." in name else "to_json")
    first, second = (site.client.get(f"/api/{name}") for _ in range(2))
    assert len(written) == 1 and first.text == second.text
    known = {"If-None-Match": f'W/"other", {first.headers["etag"]}'}
    same = site.client.get(f"/api/{name}", headers=known)
    assert (same.status_code, same.text) == (304, "")
    site.add(recorded("m3"))
    newer = site.client.get(f"/api/{name}", headers=known)
    assert newer.status_code == 200 and newer.text != first.text


def test_a_page_is_made_once_until_a_match_is_added(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    (ladder,) = (info.id for info in site.views.ladders())
    made = calls(monkeypatch, rendering, "render")
    addresses = ["/", f"/ladders/{ladder}", "/matches", site.bot("lowest"), "/api/matches"]
    first = {address: site.client.get(address) for address in addresses}
    known = {address: {"If-None-Match": answer.headers["etag"]} for address, answer in first.items()}
    assert {site.client.get(one, headers=known[one]).status_code for one in addresses} == {304}
    assert {one: site.client.get(one).text for one in addresses} == {one: first[one].text for one in addresses}
    assert len(made) == len({one.template for one in made}) == 4, "each template once"
    site.add(recorded("m3"))
    newer = {one: site.client.get(one, headers=known[one]) for one in addresses}
    assert {one: answer.status_code for one, answer in newer.items()} == dict.fromkeys(addresses, 200)
    assert all(newer[one].text != first[one].text for one in addresses)


def test_a_match_that_no_table_counts_yet_changes_the_pages_that_list_matches(tmp_path: Path) -> None:
    with open_database(tmp_path / "all.sqlite", create=True) as database:
        database.add([match("m1", "ann", "bob")])
    with site_at(str(tmp_path / "all.sqlite"), tmp_path) as site:
        known = {one: {"If-None-Match": site.get(one).headers["etag"]} for one in ("/", "/matches", site.bot("ann"))}
        site.database.add([match("m2", "bob", "ann")])
        assert [site.client.get(one, headers=name).status_code for one, name in known.items()] == [304, 200, 200]


def test_a_match_of_others_leaves_the_page_of_a_bot_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(tmp_path / "all.sqlite", create=True) as database:
        database.add([match("m1", "ann", "bob", "cid")])
    with site_at(str(tmp_path / "all.sqlite"), tmp_path) as site:
        made = calls(monkeypatch, rendering, "render")
        before = [site.get(site.bot(name)) for name in ("ann", "cid")]
        site.database.add([match("m2", "bob", "ann")])
        after = [site.get(site.bot(name)) for name in ("ann", "cid")]
        assert [one.text == other.text for one, other in zip(before, after, strict=True)] == [False, True]
        assert len(made) == 3, "the page of cid was kept"


def test_pages_that_cannot_be_brought_up_to_date_are_sent_again_as_they_say_so(site: Site) -> None:
    known = {"If-None-Match": site.get("/").headers["etag"]}
    site.views.show(replace(site.views.summary, trouble="the disk is full"))
    assert "the disk is full" in site.client.get("/", headers=known).text


def test_a_replay_that_a_browser_has_keeps_its_own_headers_and_styles_are_not_sent_twice(site: Site) -> None:
    for address in ("/matches/m1", "/embed/m1", "/static/site.css"):
        first = site.get(address)
        same = site.client.get(address, headers={"If-None-Match": first.headers["etag"]})
        assert (first.status_code, same.status_code, same.content) == (200, 304, b"")
        assert same.headers["content-security-policy"] == first.headers["content-security-policy"]
