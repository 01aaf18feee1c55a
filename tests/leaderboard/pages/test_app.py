"""The pages about a tournament, asked for without a network."""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from itertools import product
from pathlib import Path
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import numpy as np
import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ballcourt.arena.records.store import read_record
from ballcourt.arena.replays.judgement import judgement_of, keep_judgement
from ballcourt.arena.replays.playouts import by_playouts
from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.live import Live
from ballcourt.leaderboard.pages.rendering import PageLink, Surroundings, everywhere
from ballcourt.leaderboard.pages.site import write_site
from ballcourt.leaderboard.pages.source import frozen
from ballcourt.leaderboard.pages.summaries import bot_id
from ballcourt.leaderboard.pages.views import CELLS, ROWS, SHOWN
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.listing import Wanted
from ballcourt.leaderboard.store.retention import drop
from ballcourt.leaderboard.store.tallies import SeatTally
from ballcourt.web.guard import HEADERS
from tests.arena.recorded import recorded
from tests.arena.replays.test_page import HOSTILE
from tests.leaderboard.made import alone, match, random_tables
from tests.leaderboard.pages.made_site import Site, bluff, filled, site_at
from tests.leaderboard.test_schemas import validator


@pytest.fixture(scope="module")
def game() -> Iterator[None]:
    with bluff():
        yield


@pytest.fixture
def site(tmp_path: Path, game: None) -> Iterator[Site]:
    """A site that may be changed."""
    with site_at(str(filled(tmp_path / "cup")), tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory, game: None) -> Iterator[Site]:
    """A site that is only looked at."""
    scratch = tmp_path_factory.mktemp("cup")
    with site_at(str(filled(scratch / "cup")), scratch) as made:
        yield made


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A database with more bots and matches than a page shows, and two ladders."""
    scratch = tmp_path_factory.mktemp("league")
    with open_database(scratch / "league.sqlite", create=True) as database:
        database.add(
            replace(one, started=f"2026-11-{1 + number // 30:02}T12:00:00Z")
            for number, one in enumerate(random_tables(np.random.default_rng(1), bots=120, seats=2, blocks=200))
        )
        database.add([match("z1", "bot03", "bot07 faulty"), alone("d", "bot03", 2.0), alone("d", "faulty", 1.0)])
    with site_at(str(scratch / "league.sqlite"), scratch) as made:
        yield made


def test_the_leaderboard_has_a_row_for_each_bot_that_leads_to_its_page(cup: Site) -> None:
    page = cup.get("/").text
    for name in ("lowest", "highest"):
        assert f'href="{cup.bot(name)}"' in page
        assert name in cup.get(cup.bot(name)).text


@pytest.mark.slow
def test_a_large_table_is_sorted_and_filtered_by_the_server(league: Site) -> None:
    ladder = f"/ladders/{next(one.id for one in league.views.ladders() if one.bots > ROWS)}"

    def names(query: str) -> list[str]:
        return re.findall(r'<th scope="row">\s*<a [^>]*><bdi>(\w+)</bdi>', league.get(ladder + query).text)

    first, second = names("?sort=bot"), names("?sort=bot&page=2")
    assert first + second == sorted(first + second)
    assert len(first) == ROWS
    assert names("?sort=bot&order=reverse") == (first + second)[::-1][:ROWS]
    assert names("?q=bot03") == ["bot03"]
    assert names("?q=nobody") == []
    assert league.get(f"{ladder}?sort=luck").status_code == 422


def test_a_bots_page_counts_its_matches_seat_by_seat_and_by_their_ends(league: Site) -> None:
    bot = league.bot("faulty").rpartition("/")[2]
    tally = next(part.tally for part in league.views.bot_by_ladder(bot) if part.info.ladder.seats == 1)
    assert tally.ended == {"CRASH": 1}
    assert tally.seats == {0: SeatTally(matches=1, places=2, kept=0, points=0.0)}
    assert tally.matches == 1
    assert "lost its seat: crash" in league.get(league.bot("faulty")).text


def test_a_bots_page_says_how_long_it_thinks_and_ends_with_its_hash(league: Site) -> None:
    page = league.get(league.bot("bot03")).text
    for part in league.views.bot_by_ladder(league.bot("bot03").rpartition("/")[2]):
        assert f"It thinks for {part.tally.think_ms:,.0f} ms a match on average." in page
    assert page.index("Its newest matches") < page.index("Hash of its files")


def test_a_history_ends_with_the_rating_of_the_table(league: Site) -> None:
    bot = league.bot("bot03").rpartition("/")[2]
    for part in league.views.bot_by_ladder(bot):
        last = part.history[-1]
        assert (last.matches, last.rank) == (part.info.matches, part.row.rank)
        assert last.rating == pytest.approx(part.row.rating, abs=0.001)


def test_two_bots_are_compared_by_the_matches_that_they_met_in(league: Site) -> None:
    page = league.get(f"{league.bot('bot03')}/against/{league.bot('bot07').rpartition('/')[2]}").text
    assert "z1" in page
    assert "100%" in page
    assert league.get(f"{league.bot('bot03')}/against/{'0' * 16}").status_code == 404


def test_the_matrix_leads_to_pairs_and_has_no_bots_beyond_the_last(league: Site) -> None:
    small = f"/ladders/{next(one.id for one in league.views.ladders() if one.ladder.seats == 3)}/matrix"
    assert (
        f'href="{league.bot("bot03")}/against/{league.bot("bot07").rpartition("/")[2]}">100<' in league.get(small).text
    )
    assert league.get(f"{small}?down=2").status_code == 404
    assert league.get(f"{small}?across=2").status_code == 404


def test_the_matrix_has_the_shares_of_the_pages_of_bots(league: Site) -> None:
    """Also beyond the first page, and none for bots that never met."""
    views, shares = league.views, Counter[bool]()
    for info in views.ladders():
        starts = range(1, 2 + (info.bots - 1) // CELLS)
        for across, down in product(starts, starts):
            for row, cells in views.matrix(info.id, across, down).values["lines"]:
                (part,) = (one for one in views.bot_by_ladder(bot_id(row.entrant)) if one.info is info)
                met = {other.entrant: round(own.share.value, 4) for other, own in part.opponents}
                assert [share for _, share in cells] == [met.get(other.entrant) for other, _ in cells]
                shares.update(share is None for _, share in cells)
    assert min(shares[True], shares[False]) > 100


def test_matches_are_listed_page_by_page_without_gaps_or_doubles(league: Site) -> None:
    address, listed = "/matches", list[list[str]]()
    while address and len(listed) < 100:
        page = league.get(address).text
        listed.append(re.findall(r'href="/matches/(id[^"?]+)"', page))
        found = re.search(r'<a rel="next"\s+href="([^"]+)"', page)
        address = unescape(found[1]) if found else ""
    assert [len(one) for one in listed[:-1]] == [SHOWN] * (len(listed) - 1)
    everyone = [one for page in listed for one in page]
    assert len(everyone) == len(set(everyone)) == len(league.database.results())


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("bot=faulty", 2),
        ("bot=bot03&game=bluff&seats=3", 1),
        ("seats=1", 2),
        ("ended=fault&seats=3", 1),
        ("ended=CRASH&bot=faulty", 1),
        ("ended=TIMEOUT", 0),
        ("since=2026-11-02&until=2026-11-02", 30),
        ("since=2026-11-30", 0),
        ("game=chess", 0),
        ("game=bluff&seats=2&since=2026-11-03&until=2026-11-03", 30),
    ],
)
def test_a_list_of_matches_is_filtered(league: Site, query: str, count: int) -> None:
    assert league.get(f"/matches?{query}").text.count('href="/matches/id') == count


@pytest.mark.parametrize("query", ["ended=boredom", "after=x", "since=yesterday", "seats=-1"])
def test_a_wrong_filter_is_a_sentence(league: Site, query: str) -> None:
    answer = league.get(f"/matches?{query}")
    assert answer.status_code == 422
    assert "<h1>This address asks for something unknown</h1>" in answer.text


def test_a_replay_has_a_policy_that_allows_its_own_script_only(cup: Site) -> None:
    answer = cup.get("/matches/m1")
    assert re.search(r'data-command="ballcourt replay analyse [^"]+/m1\.match', answer.text)
    policy = answer.headers["Content-Security-Policy"]
    assert answer.status_code == 200
    assert "script-src 'sha256-" in policy
    assert "unsafe" not in policy
    assert policy.endswith("frame-ancestors 'none'")


def test_programs_get_tables_and_replays_as_json(cup: Site) -> None:
    assert cup.get("/api/leaderboard").json()["format"] == "ballcourt-board-1"
    whole, seen = cup.get("/api/matches/m1").json(), cup.get("/api/matches/m1?seat=1").json()
    assert (whole["format"], whole["observer"], seen["observer"]) == ("ballcourt-replay-1", None, 1)
    assert cup.get("/api/leaderboard.csv").text.startswith("game,rules_version")
    listed = cup.get("/api/matches").json()
    assert (listed["format"], [one["match"] for one in listed["matches"]]) == ("ballcourt-matches-1", ["m2", "m1"])
    about = cup.get(f"/api{cup.bot('lowest')}").json()
    assert (about["format"], about["bot"]) == ("ballcourt-bot-1", "lowest")


def test_the_page_of_a_match_whose_record_was_dropped_shows_its_result(site: Site) -> None:
    played = site.get("/matches/m1")
    drop(site.folder, [site.folder / "records" / "m1.match"])
    site.refresh()
    found = site.get("/matches/m1")
    assert "Match m1" not in played.text
    assert found.status_code == 200
    assert "record is no longer kept" in found.text and "lowest" in found.text and "highest" in found.text
    for address in ("/api/matches/m1", "/embed/m1"):
        assert site.get(address).status_code == 404
        assert "no longer kept" in site.get(address).text and str(site.folder) not in site.get(address).text
    assert "m1" in {one["match"] for one in site.get("/api/matches").json()["matches"]}


def test_new_matches_appear_and_nothing_is_computed_twice(site: Site) -> None:
    assert not site.refresh()
    site.add(recorded("new"))
    assert ">new<" in site.get("/matches").text
    assert not site.refresh()


@pytest.mark.slow
def test_matches_that_do_not_count_any_more_disappear(site: Site) -> None:
    (site.folder / "records" / "m1.match").unlink()
    site.add()
    assert site.get("/matches/m1").status_code == 404
    assert ">m2<" in site.get("/matches").text


def test_the_last_results_are_shown_while_the_folder_cannot_be_read(site: Site) -> None:
    (site.folder / "records").rename(site.folder / "away")
    site.refresher.try_refresh()
    page = site.get("/").text
    assert "lowest" in page
    assert "These pages are not up to date" in page
    (site.folder / "away").rename(site.folder / "records")
    site.add()
    assert "not up to date" not in site.get("/").text


@pytest.mark.parametrize(
    "address", ["/", "/matches", "/data", "/api/leaderboard", "/matches/m1", "/static/site.css", "/nowhere"]
)
def test_every_answer_has_the_headers_that_keep_a_browser_safe(cup: Site, address: str) -> None:
    headers = cup.get(address).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert cup.client.head(address).status_code == cup.get(address).status_code


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nowhere", 404),
        ("/bots/0000", 404),
        ("/matches/m9", 404),
        ("/matches/..%2f..%2fetc%2fpasswd", 404),
        ("/static/../app.py", 404),
        ("/static/..%2fapp.py", 404),
        ("/ladders/0000", 404),
        ("/ladders/0000/matrix", 404),
        ("/ladders/0000/seats", 404),
        ("/ladders/0000?page=0", 422),
        ("/api/bots/0000", 404),
        ("/api/matches/m1?seat=99", 409),
        ("/api/matches/m1?seat=-1", 422),
    ],
)
def test_a_wrong_address_gets_a_sentence_and_its_status(cup: Site, address: str, status: int) -> None:
    answer = cup.get(address)
    assert answer.status_code == status
    assert "Traceback" not in answer.text
    assert len(answer.text) > 10


def test_pages_cannot_be_written_to(cup: Site) -> None:
    assert [cup.client.post(address).status_code for address in ("/", "/matches", "/api/leaderboard")] == [405] * 3


def test_another_host_name_is_refused(cup: Site) -> None:
    assert cup.client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_the_name_at_which_a_proxy_offers_the_pages_is_taken_and_others_are_not(cup: Site) -> None:
    app = create_app(cup.views, around=Surroundings(hosts=["ladder.example.org"]))
    client = TestClient(app, base_url="http://127.0.0.1:8000")
    asked = ("ladder.example.org", "127.0.0.1:8000", "other.example.org", "x.ladder.example.org")
    assert [client.get("/", headers={"Host": host}).status_code for host in asked] == [200, 200, 400, 400]


def test_navigation_leads_where_the_surroundings_of_the_pages_say_for_each_visitor(cup: Site) -> None:
    def links(request: Request) -> list[PageLink]:
        who = request.headers.get("x-who", "")
        return [PageLink("/account", f"<b>{who}</b>")] if who else []

    client = TestClient(create_app(cup.views, around=Surroundings(links=links)), base_url="http://127.0.0.1:8000")
    for address in ("/", "/matches", "/data"):
        shown = '<a href="/account"><bdi>&lt;b&gt;ann&lt;/b&gt;</bdi></a>'
        assert shown in client.get(address, headers={"x-who": "ann"}).text
        assert "/account" not in client.get(address).text


def test_no_visitor_gets_the_page_of_another_nor_hears_that_it_is_the_same(cup: Site) -> None:
    def links(request: Request) -> list[PageLink]:
        who = request.cookies.get("who", "")
        return [PageLink("/account", who)] if who else []

    client = TestClient(create_app(cup.views, around=Surroundings(links=links)), base_url="http://127.0.0.1:8000")
    for address in ("/", "/matches", "/data"):
        pages = {who: client.get(address, headers={"Cookie": f"who={who}"}) for who in ("ann", "bob", "ann")}
        known = {"If-None-Match": pages["ann"].headers["etag"]}
        assert pages["ann"].headers["cache-control"] == "private, no-cache"
        assert "<bdi>ann" in pages["ann"].text and "<bdi>bob" in pages["bob"].text
        assert client.get(address, headers={**known, "Cookie": "who=ann"}).status_code == 304
        assert "<bdi>bob" in client.get(address, headers={**known, "Cookie": "who=bob"}).text
        visitor = client.get(address, headers=known)
        assert visitor.status_code == 200 and "/account" not in visitor.text


MOVES = re.compile("/(matches|embed).*|/wall|/api/(matches|live).*|/ladders/[^/]+/openings|/bots/[^/]+/against/.*")


def test_no_page_leads_where_its_viewer_may_not_go(cup: Site) -> None:
    def leads(address: str) -> bool:
        return not MOVES.fullmatch(address)

    everything, tables = (
        reached(TestClient(create_app(cup.views, Live(cup.folder), around), base_url="http://127.0.0.1:8000"))
        for around in (Surroundings(), Surroundings(leads=lambda _: leads))
    )
    assert {address for address in everything if leads(address)} == tables
    kinds = ("/matches$", "/matches/", "/ladders/.*/openings", "/bots/.*/against/", "/api/matches$")
    assert all(any(re.match(kind, address) for address in everything) for kind in kinds)


def test_the_home_page_shows_the_board_of_the_last_match_to_those_who_may_see_it(cup: Site) -> None:
    (newest,), _ = cup.database.listed(Wanted(), None, 1)
    assert f'<iframe src="/embed/{newest.identity}?bare#' in cup.get("/").text
    hiding = Surroundings(leads=lambda _: lambda address: not address.startswith("/embed/"))
    client = TestClient(create_app(cup.views, around=hiding), base_url="http://127.0.0.1:8000")
    assert "<iframe" not in client.get("/").text


def test_a_page_is_made_for_each_way_in_which_viewers_may_go_and_a_feed_too(cup: Site) -> None:
    def leads(request: Request) -> Callable[[str], bool]:
        return everywhere if "x-who" in request.headers else nowhere

    client = TestClient(create_app(cup.views, around=Surroundings(leads=leads)), base_url="http://127.0.0.1:8000")
    for address, link in (("/", 'href="/matches"'), ("/news.atom", 'href="/matches/')):
        assert link in client.get(address, headers={"x-who": "olga"}).text
        assert link not in client.get(address).text


def nowhere(_: str) -> bool:
    return False


def reached(client: TestClient) -> set[str]:
    """Return the paths of all addresses to which links lead, from the first page on."""
    found, due = {"/"}, ["/"]
    while due:
        links = re.findall(r'href="(/[^"?#]*)', client.get(due.pop()).text)
        new = {link for link in links if not link.startswith("/static/")} - found
        found |= new
        due += sorted(new)
    return found


def test_a_frozen_source_shows_nothing_that_came_later(site: Site, tmp_path: Path) -> None:
    source = frozen(site.views.source, tmp_path / "copy.sqlite", "9999")
    before = site.database.match("m1")
    site.add(recorded(key="m9"))
    site.refresher.refresh()
    assert site.database.match("m9")
    with source.opened() as database:
        assert (database.match("m1"), database.match("m9")) == (before, None)
    assert frozen(site.views.source, tmp_path / "copy.sqlite", "9999") == source
    assert before
    earliest = min(one.started for one in site.database.results())
    late = frozen(site.views.source, tmp_path / "late.sqlite", earliest)
    with source.opened() as database, late.opened() as other:
        assert (bool(database.match("m1")), database.match("m9"), other.results()) == (True, None, [])


def test_a_damaged_record_is_a_page_that_says_so_and_not_where_it_lies(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    (site.folder / "records" / "m1.match").write_bytes(b"ballcourt-match-3\n")
    for address in ("/matches/m1", "/embed/m1", "/api/matches/m1"):
        answer = site.get(address)
        assert answer.status_code == 409
        assert "damaged" in answer.text
        assert str(site.folder) not in answer.text
    assert str(site.folder) in caplog.text


@pytest.mark.parametrize("address", ["/", "/matches", "/matches/m2", "bot"])
def test_hostile_names_are_only_text(cup: Site, address: str) -> None:
    page = cup.get(cup.bot(HOSTILE) if address == "bot" else address).text
    assert "<img" not in page
    assert not {"\u202e", "\x1b"} & set(page)
    assert "\\u202e" in page


def test_json_of_bots_and_matches_keeps_to_its_schemas(cup: Site, league: Site) -> None:
    for site, bot in ((cup, HOSTILE), (league, "faulty"), (league, "bot03")):
        about = site.get(f"/api{site.bot(bot)}").json()
        validator("bot").validate(about)
        assert all(sum(seat["matches"] for seat in table["by_seat"].values()) > 0 for table in about["tables"])
        validator("matches").validate(site.get("/api/matches").json())
    assert {table["seats"] for table in about["tables"]} == {1, 2, 3}


def test_bots_as_csv_have_a_line_for_each_table_with_the_numbers_of_their_page(league: Site) -> None:
    heading, *lines = csv.reader(league.get("/api/bots.csv").text.splitlines())
    found = [dict(zip(heading, line, strict=True)) for line in lines]
    assert len(found) == sum(len(board.rows) for board in league.views.summary.boards().values())
    own = [one for one in found if one["bot"] == "bot03"]
    assert [one["seats"] for one in own] == ["1", "2", "3"]
    for one in own:
        about = league.get(f"/api/bots/{one['id']}").json()
        (part,) = [table for table in about["tables"] if str(table["seats"]) == one["seats"]]
        seats = part["by_seat"].values()
        assert one["rank"] == str(part["rank"])
        assert int(one["matches"]) == sum(seat["matches"] for seat in seats)
        assert float(one["mean_place"]) == pytest.approx(
            sum(seat["places"] for seat in seats) / int(one["matches"]), abs=1e-4
        )
    (faulty,) = [one for one in found if one["bot"] == "faulty" and one["seats"] == "3"]
    assert (faulty["mean_points"], faulty["lost_seats"], faulty["tolerated_faults"]) == ("9.0", "0", "1")


def test_matches_as_csv_have_a_line_for_each_seat_and_lead_to_older_ones(league: Site) -> None:
    address, lines = "/api/matches.csv?bot=bot03", list[list[str]]()
    while address and len(lines) < 1000:
        answer = league.get(address)
        heading, *page = csv.reader(answer.text.splitlines())
        lines += page
        address = answer.links["next"]["url"] if "next" in answer.links else ""
    matches = {line[heading.index("identity")]: int(line[heading.index("seats")]) for line in lines}
    assert len(lines) == sum(matches.values())
    played = [one for one in league.database.results() if any(seat.entrant.name == "bot03" for seat in one.seats)]
    assert matches.keys() == {one.identity for one in played}


def test_json_of_hostile_records_can_be_read(cup: Site) -> None:
    assert json.loads(cup.get("/api/matches/m2").text)["seats"][0]["bot"] == HOSTILE


def test_no_value_in_an_address_makes_the_server_fail(cup: Site) -> None:
    addresses = [
        (path, [one["name"] for one in kinds["get"].get("parameters", [])])
        for path, kinds in cup.get("/openapi.json").json()["paths"].items()
    ]
    pages = [(address, ["sort", "q", "page", "bot", "ended", "since", "after"]) for address in ("/", "/matches")]
    values = st.text(max_size=20) | st.sampled_from(["2026-11-22", "fault", "m1", "-1", "9" * 30, "..", "\0"])

    @given(st.sampled_from([*addresses, *pages]), st.lists(values, min_size=8, max_size=8))
    @settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
    def ask(address: tuple[str, list[str]], drawn: list[str]) -> None:
        path, names = address
        given_values = dict(zip(names, drawn, strict=False))
        for name in re.findall("{([a-z]+)}", path):
            path = path.replace(f"{{{name}}}", quote(given_values.pop(name, "x"), safe="", errors="replace"))
        assert cup.get(f"{path}?{urlencode(given_values, errors='replace')}").status_code < 500

    ask()


def test_files_have_the_pages_and_their_links_lead_somewhere(cup: Site, tmp_path: Path) -> None:
    count = write_site(cup.views, tmp_path / "site", replays=1)
    files = sorted((tmp_path / "site").rglob("*.html"))
    assert len(files) == count
    for file in files:
        for link in re.findall(r'(?:href|src)="([^"#:]+)"', file.read_text()):
            assert (file.parent / unescape(link)).is_file(), f"{file} links to {link}"
    assert json.loads((tmp_path / "site" / "data" / "leaderboard.json").read_text())["format"] == "ballcourt-board-1"
    assert len(list((tmp_path / "site" / "matches").iterdir())) == 1


@pytest.mark.slow
def test_a_table_that_is_cut_short_in_files_says_so_and_has_no_links_to_its_rest(
    league: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.leaderboard.pages.site.MOST_ROWS", 100)
    write_site(league.views, tmp_path / "site", replays=0)
    info = next(one for one in league.views.ladders() if one.bots > 100)
    page = (tmp_path / "site" / "ladders" / f"{info.id}.html").read_text()
    assert f"Only the first 100 of {info.bots} bots are here." in page
    assert "Pages of the table" not in page


def test_files_replace_only_a_site(cup: Site, tmp_path: Path) -> None:
    write_site(cup.views, tmp_path / "site", replays=0)
    write_site(cup.views, tmp_path / "site", replays=0)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("three years of work")
    with pytest.raises(LeaderboardError, match="has other files in it"):
        write_site(cup.views, tmp_path / "mine", replays=0)
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_results_that_are_not_of_one_tournament_have_no_page_about_it(league: Site) -> None:
    assert league.get("/tournament").status_code == 404
    assert 'href="/tournament"' not in league.get("/").text


def test_a_fault_of_the_server_has_a_page_with_the_headers_of_all_pages(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(_: object) -> None:
        raise KeyError("secret")

    before = site.get("/tournament")
    monkeypatch.setattr(type(site.views), "home", faulty)
    answer = site.get("/")
    assert answer.status_code == 500
    assert "this page cannot be made" in answer.text and "secret" not in answer.text
    assert all(answer.headers[name] == before.headers[name] for name in HEADERS)
    assert site.get("/matches").status_code == 200


def test_a_program_can_ask_how_a_server_is(site: Site) -> None:
    answer = site.get("/healthz")
    health = answer.json()
    assert answer.status_code == 200
    assert (health["format"], health["trouble"], health["streams"]) == ("ballcourt-health-1", "", 0)
    assert health["computed"] == site.views.summary.at and 0 <= health["looked_s"] < 300
    site.views.show(replace(site.views.summary, trouble="the disk is full"))
    answer = site.client.get("/healthz")
    assert (answer.status_code, answer.json()["trouble"]) == (503, "the disk is full")


def test_a_table_shows_how_its_matches_began(cup: Site) -> None:
    (ladder,) = cup.views.ladders()
    page = cup.get(f"/ladders/{ladder.id}/openings").text
    assert "<bdi>Bid 1</bdi>" in page
    assert "player 1, in 2 matches, beats" in page
    first = re.search(r'<a href="/embed/([^?"]+)\?bare#(\d+)" target="board">\s*<bdi>Bid 1<', page)
    assert first
    begun = read_record(Path(cup.views.match(first[1]).record)).decisions
    assert (begun.actions[int(first[2]) - 1], begun.seats[int(first[2]) - 1]) == (1, 0)
    own = cup.get(f"/ladders/{ladder.id}/openings?bot=highest").text
    assert "player 2, in 1 match, beats" in own
    assert "<bdi>Bid 1</bdi>" not in own
    assert cup.get(f"/ladders/{ladder.id}/openings?bot=nobody").status_code == 422


def test_a_bots_page_says_what_a_judge_made_of_its_answers(site: Site) -> None:
    assert "What a judge made" not in site.get(site.bot("highest")).text
    file = site.folder / "records" / "m1.match"
    record = read_record(file)
    keep_judgement(file, judgement_of(record, "9 playouts", [*by_playouts(record, 9, lambda _: None)]))
    page = site.get(site.bot("highest")).text
    assert re.search(r"bid</th>\s*<td>\s*<bdi>9 playouts</bdi>\s*</td>\s*<td class=\"number\">3</td>", page)
    assert "9 playouts" in site.get("/api/matches/m1").text


def test_a_judgement_that_is_damaged_spoils_no_page_but_the_replay(site: Site) -> None:
    (site.folder / "records" / "m1.judged").write_bytes(b"?")
    assert site.get(site.bot("highest")).status_code == 200
    assert site.get("/matches/m1").status_code == 409


def test_only_the_embedded_replay_may_stand_in_frames_of_others(cup: Site) -> None:
    plain, embedded = cup.get("/matches/m1"), cup.get("/embed/m1")
    assert "frame-ancestors 'none'" in plain.headers["Content-Security-Policy"]
    assert embedded.headers["Content-Security-Policy"].endswith("frame-ancestors *")
    assert embedded.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert 'property="og:description" content="1. ' in embedded.text
    assert str(cup.folder) not in embedded.text
    assert cup.get("/embed/none").status_code == 404


def test_news_tell_first_matches_and_leaders_as_a_page_and_as_a_feed(site: Site) -> None:
    page, feed = site.get("/news"), site.get("/news.atom")
    assert re.search(r"takes the lead of Bluff, \d players", page.text)
    assert re.search(r"play their first match, Bluff, \d players: 1\. ", page.text)
    entries = ElementTree.fromstring(feed.text).findall("{http://www.w3.org/2005/Atom}entry")
    assert len(entries) >= 2
    assert feed.headers["Content-Type"].startswith("application/atom+xml")
    assert "<script>" not in page.text + feed.text, "names are hostile"
    links = [link.get("href") for link in ElementTree.fromstring(feed.text).iter("{http://www.w3.org/2005/Atom}link")]
    assert all(site.get(str(link)).status_code == 200 for link in links)


def test_a_replay_leads_to_its_bots_and_to_the_matches_beside_it_and_says_no_path_of_this_machine(site: Site) -> None:
    found = [f"/matches/{match.identity}" for match in site.views.matches(Wanted(), None).values["matches"]]
    newest, older = (site.get(address).text for address in found[:2])
    assert f'href="{found[1]}"><bdi>Previous match</bdi>' in newest
    assert f'href="{found[0]}"><bdi>Next match</bdi>' in older
    for page in (newest, older):
        links = re.findall(r'href="(/bots/[^"]+)"', page)
        assert links
        assert all(site.get(link).status_code == 200 for link in links)
        assert str(site.folder) not in page
        assert f"ballcourt replay analyse {site.folder.name}/records/" in page


def test_a_wrong_value_of_an_address_is_named_with_what_it_must_be(site: Site) -> None:
    assert "&#34;seats&#34; must be a whole number, not &#34;two&#34;" in site.get("/matches?seats=two").text
    assert (
        "&#34;since&#34; must be a day such as 2026-11-26, not &#34;soon&#34;" in site.get("/matches?since=soon").text
    )
    assert (
        "&#34;page&#34; must be at least 1, not &#34;0&#34;"
        in site.get(f"/ladders/{site.views.ladders()[0].id}?page=0").text
    )


def test_errors_have_a_word_and_a_sentence_for_programs(cup: Site) -> None:
    for address in ("/api/matches?after=x", "/api/bots/x", "/api/nothing", "/api/matches?seats=1&bot=nobody"):
        answer = cup.get(address)
        assert answer.status_code in (404, 422) and [*answer.json()] == ["error", "detail"], address


def test_the_page_of_a_bot_names_its_author(tmp_path: Path, game: None) -> None:
    folder = filled(tmp_path / "cup")
    record = recorded("m3")
    record.entrants[0].author = "Ann <author>"
    with site_at(str(folder), tmp_path) as site:
        site.add(record)
        assert "by <bdi>Ann &lt;author&gt;</bdi>" in site.get(site.bot(record.entrants[0].name)).text
        assert "by <bdi>" not in site.get(site.bot(record.entrants[1].name)).text
