"""The words on every page of events: plurals, minus signs, and no hash in the way."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest

from ballcourt.arena.tournament.event.model import Event
from ballcourt.leaderboard.store.database import open_database
from tests.arena.tournament.in_process import events
from tests.leaderboard.made import alone, match, random_tables
from tests.leaderboard.pages.made_site import Site, bluff, site_at
from tests.words import faults_of, read

BOTS = tuple(f"{name}=random" for name in ("ann", "bob", "cid", "dan"))


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Site]]:
    """Leagues with few and many matches, and an event of each kind that has pages of its own."""
    scratch = tmp_path_factory.mktemp("words")
    many = [replace(one, key=f"{seats}-{one.key}", identity=f"{seats}-{one.identity}") for seats in (2, 4)
            for one in random_tables(np.random.default_rng(1), bots=6, seats=seats, blocks=6)]  # fmt: skip
    few = [match("z1", "bot03", "bot07 faulty"), alone("d", "bot03", -2.0), alone("e", "faulty", 1.0)]
    with ExitStack() as stack:
        stack.enter_context(bluff())
        for name, results in (("many", many), ("few", few)):
            with open_database(scratch / name, create=True) as database:
                database.add(results)
        for game, form in (("bluff", "single-elimination"), ("maya", "swiss"), ("bluff", "round-robin")):
            (scratch / form).mkdir()
            event = Event().replaced(game=game, bots=BOTS, seats=2, format=form, rounds=1, seed=1)
            list(events(scratch / form, event))
        places = ("many", "few", "single-elimination", "swiss", "round-robin")
        yield {name: stack.enter_context(site_at(str(scratch / name), scratch)) for name in places}


def crawled(site: Site) -> dict[str, str]:
    """Return all pages to which links lead, but for replays, by their addresses."""
    found: dict[str, str] = {}
    due = ["/"]
    while due:
        address = due.pop()
        answer = site.get(address)
        found[address] = answer.text if "html" in answer.headers["content-type"] else ""
        links = {*re.findall(r'href="(/(?!static/|api/|matches/|embed/)[^"?#]*)', answer.text)}
        due += sorted(links - found.keys() - {*due})
    return found


@pytest.mark.parametrize("place", ["many", "few", "single-elimination", "swiss", "round-robin"])
def test_the_words_of_pages_are_right(sites: dict[str, Site], place: str) -> None:
    pages = crawled(sites[place])
    assert len(pages) > 8
    wrong = {f"{address}: {fault}" for address, page in pages.items() for fault in faults_of(read(page))}
    assert not wrong, "\n".join(sorted(wrong))


def test_a_range_of_ranks_has_an_en_dash(sites: dict[str, Site]) -> None:
    home = sites["many"].get("/").text
    assert re.search(r"<bdi>\d\u2013\d</bdi>", home)
    assert not re.search(r"<bdi>\d+-\d+</bdi>", home)


def test_words_that_are_wrong_are_found() -> None:
    page = "<p title='in 1 points'>-3 points <b>1</b> times as player 0, 31 times, in 0.123 ms.</p><code>-1</code>"
    assert len(faults_of(read(page + f"<td>{'0f' * 32}</td>"))) == 6
    assert not faults_of("1 match, 31 times, 0.1 times, a-1, 2026-11-29, 1 less, seat 1, 12 ms, 1.5 s, \u22123")
