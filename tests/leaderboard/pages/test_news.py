"""What happened, as it is found in what is kept: nothing is shown twice, and nothing that is not so."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from ballcourt.arena.tournament.decisions.trail import Trail
from ballcourt.arena.tournament.event.stages import Divisions, Stage
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.pages.happening import MOST, Happening, newest
from ballcourt.leaderboard.pages.milestones import leaders
from ballcourt.leaderboard.pages.summaries import Point
from ballcourt.leaderboard.pages.tournament import moves
from ballcourt.leaderboard.store.database import Database
from tests.leaderboard.made import match
from tests.leaderboard.pages.made_site import bluff, filled, site_at


@pytest.fixture(autouse=True)
def game() -> Iterator[None]:
    with bluff():
        yield


class Played:
    """A database of matches of which one begins each second."""

    def nth(self, _: Ladder, nth: int) -> MatchResult:
        return replace(match(str(nth), "ann", "bob"), started=f"2026-11-22T18:30:{nth:02}Z")


def test_a_lead_keeps_its_id_when_the_course_gets_coarser_and_is_told_once(tmp_path: Path) -> None:
    with site_at(str(filled(tmp_path / "cup")), tmp_path) as site:
        (info,) = site.views.ladders()
    one, other = sorted(info.rows)[:2]

    def told(*firsts: tuple[int, str]) -> list[Happening]:
        courses = {bot: [Point(n, 0.0, 1.0, 1 if bot == first else 2) for n, first in firsts] for bot in (one, other)}
        return [*leaders(cast(Database, Played()), [replace(info, histories=courses)])]

    fine = told((1, one), (2, one), (3, other), (4, other))
    assert [(found.when[-3:-1], found.link[1]) for found in fine] == [("01", one), ("03", other)]
    coarse = told((2, one), (4, other))
    assert [found.when[-3:-1] for found in coarse] == ["02", "04"]
    assert [found.id for found in coarse] == [found.id for found in fine]
    assert len({found.id for found in told((1, one), (2, other), (3, one))}) == 3, "the second time is another lead"


def test_each_bot_has_its_first_match_in_the_news_whatever_it_plays_later(tmp_path: Path) -> None:
    with site_at(str(filled(tmp_path / "cup")), tmp_path) as site:
        before = {one.id for one in site.views.summary.news if "first match" in one.text}
        Trail(site.folder).decide("pause", "the machine is needed", {})
        site.refresh()
        after = site.views.summary.news
        assert before and {one.id for one in after if "first match" in one.text} == before


def test_who_goes_up_and_down_is_told_when_the_stage_has_begun() -> None:
    names = [f"bot{number} 1" for number in range(30)]

    def told(before: Divisions, after: Divisions, key: str = "b000000-r0") -> list[str]:
        change = Stage(4, 0, ((0, 1),), 0, after), before
        return [one.text for one in moves([change], names, [match(key, "ann", "bob")])]

    assert told(((0, 1), (2, 3)), ((0, 2), (1, 3))) == [
        "bot2 1 goes up to division 1, bot1 1 goes down to division 2",
    ]
    assert told(((0, 1), (2, 3)), ((0, 2), (1, 3)), "b000009-r0") == [], "no match of it has been played"
    assert told(((0, 1), (2,)), ((0, 1), (2, 3))) == [], "a newcomer goes neither up nor down"
    assert told(((0, 1, 2),), ((0, 1), (2,))) == ["the field has 2 divisions from now on"]
    half = tuple(range(15)), tuple(range(15, 30))
    assert told(half, (half[1], half[0]))[0].endswith(", 20 more change theirs")


def test_the_oldest_news_are_left_out() -> None:
    many = [Happening(f"2026-11-22T18:{number // 60:02}:{number % 60:02}Z", str(number)) for number in range(MOST + 7)]
    assert [one.text for one in newest(many[::2], many[1::2])] == [str(n) for n in range(MOST + 6, 6, -1)]
