"""The lists of organisers: searched and counted as a whole, page by page, with a way to what can be decided."""

from pathlib import Path

import pytest
from sqlalchemy import insert

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.listing import SHOWN, Asked, bots, decided, lost_seats, people, sizes, teams
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.store.schema import ACCOUNTS, BOTS, TEAMS
from tests.contest.made import NOON, Made
from tests.contest.test_pages import browser, text

MANY = 2 * SHOWN + 1
LISTS = {"people": people, "teams": teams, "bots": bots, "decisions": decided}


def lost(made: Made, entry: str, bot: str) -> Path:
    folder = made.contest.ladder.output / "faults" / f"{entry}-{bot}"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def filled(made: Made, olga: Member) -> Made:
    """A contest with more than two pages of everything."""
    names = [f"n{number:03}" for number in range(MANY)]
    rows = [(f"{number:016x}", name, look_of(name)) for number, name in enumerate(names)]
    with made.contest.store.writing() as connection:
        about = {"shown": "N", "role": "contestant", "state": "active", "created": NOON}
        connection.execute(
            insert(ACCOUNTS), [{"id": one, "handle": name, "look": look, **about} for one, name, look in rows]
        )
        team = {"state": "active", "submitted": 0, "examined": 0.0, "scrimmages": True, "created": NOON}
        connection.execute(insert(TEAMS), [{"id": one, "name": name, "look": look, **team} for one, name, look in rows])
        bot = {"state": "active", "remote": False, "created": NOON}
        bots = [{"id": one, "team": one, "name": name, "look": look, **bot} for one, name, look in rows]
        connection.execute(insert(BOTS), bots)
    for name in names[1:]:
        Decider(made.contest, "olga").suspend(name, f"why {name}")
        lost(made, f"b{name[1:]}-r0-seat0", name)
    lost(made, "b999-r1-seat0", "n000")
    return made


def test_every_page_of_a_list_is_reached_once_and_counts_are_of_all_pages(filled: Made) -> None:
    with filled.contest.store.reading() as connection:
        for name, find in LISTS.items():
            found = [find(connection, Asked(page=page)) for page in range(4)]
            total = {"people": MANY + 1, "decisions": MANY - 1}.get(name, MANY)
            assert (
                len({row[0] for page in found for row in page.rows}) == sum(len(page.rows) for page in found) == total
            )
            assert [sum(page.counts.values()) for page in found] == [total] * 4
            assert [page.has_more for page in found] == [True, total > 2 * SHOWN, False, False], name
            assert sizes(connection, filled.contest)[name] == total
        assert people(connection, Asked()).counts == {"active": 2, "suspended": MANY - 1}
        assert [one.handle for one in people(connection, Asked("N200", "suspended")).rows] == ["n200"]
        assert not people(connection, Asked("n_00")).rows and not teams(connection, Asked("%")).rows
        assert [row.subject for row in decided(connection, Asked("why n007")).rows] == ["n007"]


def test_lost_seats_are_listed_newest_first_page_by_page(filled: Made) -> None:
    found = [lost_seats(filled.contest, Asked(page=page)) for page in range(4)]
    entries = [one.entry for page in found for one in page.rows]
    assert len(entries) == MANY and entries == sorted(entries, reverse=True)
    assert [page.has_more for page in found] == [True, True, False, False]
    assert [one.bot for one in lost_seats(filled.contest, Asked("B999-R1")).rows] == ["n000"]
    assert {sum(page.counts.values()) for page in found} == {MANY}
    lost(filled, "not-a-match", "x")
    assert sum(lost_seats(filled.contest, Asked()).counts.values()) == MANY


def test_from_each_row_a_link_leads_to_the_page_with_its_rulings(filled: Made, olga: Member) -> None:
    page = browser(filled, olga)
    for name, row, address, button in (
        ("people", "n150", "/organiser/people/n150", "Restore"),
        ("teams", "n150", "/organiser/teams/n150", "Disqualify"),
        ("bots", "n150", "/my-bots/n150", "Release its name"),
        ("faults", "b150", "/my-bots/n150", "Disqualify"),
    ):
        shown = page.get(f"/organiser/{name}?search={row}").text
        assert f'href="{address}"' in shown and button in page.get(address).text
        assert "page=1" in page.get(f"/organiser/{name}").text and "page=1" not in shown
    overview = " ".join(text(page.get("/organiser")).split())
    for words in (f"People ({MANY + 1})", f"Teams ({MANY})", f"Bots ({MANY})", f"Faults ({MANY})"):
        assert words in overview
    for sentence in (
        "No examiner has been seen for 60 s.",
        "The ladder is not running; start it with ballcourt ladder.",
    ):
        assert sentence in overview
    assert overview.count("suspend n") == 10, "the newest decisions"


def test_the_organiser_exports_and_deletes_a_person_who_is_named_twice(made: Made, ann: Member, olga: Member) -> None:
    page = browser(made, olga)
    assert page.post("/organiser/people/ann/export").content[:2] == b"PK"
    form = {"reason": "asked for", "confirmed": "bob"}
    assert "write the handle ann" in page.post("/organiser/people/ann/delete", data=form).text
    answer = page.post("/organiser/people/ann/delete", data={**form, "confirmed": "ann"})
    left = answer.headers["location"]
    assert answer.status_code == 303 and "deleted" in text(page.get(left)) and "Suspend" not in page.get(left).text


def test_a_lost_seat_of_a_resident_leads_nowhere_that_is_not_there(made: Made, olga: Member) -> None:
    lost(made, "b000001-r0-seat1", "greedy")
    shown = browser(made, olga).get("/organiser/faults").text
    assert "b000001-r0-seat1" in shown and "/my-bots/greedy" not in shown
