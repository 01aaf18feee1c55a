"""A ladder rests when its results are precise enough, or its contest is over, and goes on when a bot arrives."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from itertools import pairwise, takewhile
from pathlib import Path

import pytest

from ballcourt.arena.ladder import run
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.tournament.event.stages import read_stages
from ballcourt.arena.tournament.folder.events import LadderRests, MatchPlayed, RunEvent
from ballcourt.arena.tournament.organiser.decide import Organiser
from ballcourt.arena.tournament.schedules.schedule import PlayedBlock
from ballcourt.arena.tournament.schedules.stop import Reached, Rule
from ballcourt.leaderboard.model.precision import Precision
from tests.arena.conftest import PATIENCE_S
from tests.arena.ladder.in_process import play, put, settings_in

PRECISE = "every rating is known to ±3; it goes on when a bot arrives or the organiser decides something"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "LOOK_S", 0.0)


@pytest.fixture
def settings(tmp_path: Path) -> LadderFile:
    found = settings_in(tmp_path, stop="±3", versions=1)
    for name in ("ann", "bob", "cid"):
        put(found.bots, name)
    return found


def until_rest(events: Iterator[RunEvent]) -> list[str]:
    """Return the bots at each new match until the ladder rests."""
    return [
        " ".join(sorted(f"{bot.name}{bot.version}" for bot in event.record.entrants))
        for event in takewhile(lambda event: not isinstance(event, LadderRests), events)
        if isinstance(event, MatchPlayed) and event.is_new
    ]


def test_a_ladder_rests_once_every_rating_is_known_and_plays_on_when_a_bot_arrives(settings: LadderFile) -> None:
    rests: list[str] = []
    arrivals = [("dan", "1"), ("ann", "2")]
    seen: list[set[str]] = [set()]
    with closing(play(settings, seconds=PATIENCE_S)) as events:
        for event in events:
            if isinstance(event, MatchPlayed):
                seen[-1].update(f"{bot.name} {bot.version}" for bot in event.record.entrants)
            if isinstance(event, LadderRests):
                rests.append(event.sentence)
                if not arrivals:
                    break
                name, version = arrivals.pop(0)
                put(settings.bots, name, version=version)
                seen.append(set())
    assert rests == [PRECISE] * 3
    assert seen[0] == {"ann 1", "bob 1", "cid 1"}
    assert "dan 1" in seen[1]
    assert "ann 2" in seen[2]
    assert "ann 1" not in seen[2]


def test_a_ladder_that_rests_does_so_again_when_it_is_started_again(settings: LadderFile) -> None:
    with closing(play(settings, seconds=PATIENCE_S)) as events:
        assert until_rest(events)
    with closing(play(settings, seconds=PATIENCE_S)) as events:
        assert until_rest(events) == []
    with closing(play(settings.replaced(stop="±1.5"), seconds=PATIENCE_S)) as events:
        assert until_rest(events), "other settings ask for more"


def test_a_killed_ladder_rests_after_the_same_matches(settings: LadderFile, tmp_path: Path) -> None:
    whole = settings.replaced(output=tmp_path / "whole")
    with closing(play(whole, seconds=PATIENCE_S)) as events:
        expected = until_rest(events)
    with closing(play(settings, seconds=PATIENCE_S)) as events:
        found = [event for event, _ in zip(events, range(30), strict=False)]
    assert found
    with closing(play(settings, seconds=PATIENCE_S)) as events:
        until_rest(events)
    kept = [sum(len(results or ()) for _, results in read_stages(one.output)) for one in (settings, whole)]
    assert kept == [len(expected)] * 2


def test_no_ladder_rests_before_everybody_has_played_the_provisional_matches(settings: LadderFile) -> None:
    with closing(play(settings.replaced(stop="±9", provisional=50), seconds=PATIENCE_S)) as events:
        played = until_rest(events)
    assert all(sum(bot in match for match in played) >= 50 for bot in ("ann1", "bob1", "cid1"))


def test_what_the_organiser_decides_wakes_a_ladder(settings: LadderFile) -> None:
    with closing(play(settings, seconds=PATIENCE_S)) as events:
        until_rest(events)
        for block in range(8):
            Organiser(settings.output, "power failure").void(f"b{block:06}")
        assert until_rest(events)


def test_precision_is_measured_a_few_times_however_many_stages_there_are(settings: LadderFile) -> None:
    sizes: list[int] = []

    def counted(*_: object) -> Reached:
        def is_reached(results: Sequence[PlayedBlock]) -> bool:
            sizes.append(len(results))
            return False

        return is_reached

    for _ in play(settings, matches=900, measure=counted):
        pass
    assert len([*read_stages(settings.output)]) > 40
    assert sizes == sorted({*sizes})
    assert all(1.1 * before <= after for before, after in pairwise(sizes) if before)


def test_set_ups_that_have_not_been_played_are_not_precise(settings: LadderFile) -> None:
    asked: list[set[int]] = []

    def at_once(*_: object) -> Reached:
        def is_reached(results: Sequence[PlayedBlock]) -> bool:
            asked.append({len(block.matches[0].table) for block in results})
            return True

        return is_reached

    with closing(play(settings.replaced(seats=(2, 3)), seconds=PATIENCE_S, measure=at_once)) as events:
        until_rest(events)
    assert asked == [{2, 3}]


def test_retired_versions_are_measured_only_as_far_as_they_met_those_who_play(settings: LadderFile) -> None:
    fields: list[tuple[int, int]] = []

    def measured(rules: Sequence[Rule], entrants: int, gone: Collection[int]) -> Reached:
        fields.append((entrants, len(gone)))
        return Precision(rules, entrants, gone)

    with closing(play(settings, seconds=PATIENCE_S, measure=measured)) as events:
        until_rest(events)
        for version in "23":
            for name in ("ann", "bob", "cid"):
                put(settings.bots, name, version=version)
            until_rest(events)
    assert fields[0] == (3, 0)
    assert max(entrants - gone for entrants, gone in fields) == 3
    assert fields[-1][0] < 9


def test_a_ladder_whose_contest_is_over_plays_provisional_matches_alone(settings: LadderFile) -> None:
    over = ["the last phase, one, closed"]
    with closing(play(settings.replaced(stop=None), seconds=PATIENCE_S, closed=lambda: over[0])) as events:
        assert until_rest(events) == [], "nobody has arrived"
        first = until_rest(events)
        assert all(sum(bot in match for match in first) >= settings.provisional for bot in ("ann", "bob", "cid"))
        assert len(first) < 40
        put(settings.bots, "dan")
        assert sum("dan1" in match for match in until_rest(events)) >= settings.provisional
        over[0] = ""
        assert len([event for event, _ in zip(events, range(200), strict=False)]) == 200
        over[0] = "closed"
        assert len(until_rest(events)) <= 2 * 2, "a stage ends with the blocks that have begun"
