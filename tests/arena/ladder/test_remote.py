"""Remote bots in a ladder: they play while they are connected, and lose nothing by being away."""

from collections.abc import Generator, Iterable, Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from ballcourt.arena.ladder import absences, run
from ballcourt.arena.ladder.absences import read_absences
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.roster import Roster
from ballcourt.arena.remote.tokens import TokenFile
from ballcourt.arena.tournament.decisions.trail import Addition, Withdrawal, read_trail
from ballcourt.arena.tournament.event.stages import read_stages
from ballcourt.arena.tournament.folder.events import BotRefused, LadderWaits, MatchPlayed, RunEvent
from ballcourt.arena.tournament.playing.statuses import BotStatuses
from ballcourt.arena.tournament.schedules.schedule import keyed_seatings
from ballcourt.leaderboard.store.folder import results_in
from ballcourt.v1.following_pb2 import EventStatus
from tests.arena.conftest import PATIENCE_S
from tests.arena.ladder.in_process import play, put, settings_in


@pytest.fixture
def settings(tmp_path: Path) -> LadderFile:
    """A ladder with two bots in its watched folder."""
    found = settings_in(tmp_path, provisional=1)
    for name in ("cid", "dan"):
        put(found.bots, name)
    return found


class Guests:
    """The remote bots of a ladder: `here` are those that are connected, by name."""

    def __init__(self, place: Path, **owners: str) -> None:
        self.tokens = TokenFile(place / "tokens.json")
        for name, owner in owners.items():
            self.tokens.new(name, owner)
        self.here: dict[str, str] = {}

    def play(self, settings: LadderFile, matches: int) -> Generator[RunEvent]:
        return play(settings, matches, seconds=PATIENCE_S, tokens=self.tokens, here=lambda: self.here)


@pytest.fixture
def guests(tmp_path: Path) -> Guests:
    found = Guests(tmp_path, ann="reds", bob="blues")
    found.here = {"ann": "1", "bob": "1"}
    return found


def tables(events: Iterable[RunEvent]) -> list[set[str]]:
    """Return who sat at each table of the new matches."""
    new = [event for event in events if isinstance(event, MatchPlayed) and event.is_new]
    return [{f"{bot.name} {bot.version}" for bot in event.record.entrants} for event in new]


def until_played(events: Iterator[RunEvent], bot: str) -> None:
    """Play until a bot has played a match."""
    next(event for event in events if isinstance(event, MatchPlayed) and bot in event.bots)


def test_a_bot_that_dials_in_joins_in_the_version_that_it_names(settings: LadderFile, guests: Guests) -> None:
    met = tables(guests.play(settings, matches=12))
    assert {"ann 1", "bob 1", "cid 1", "dan 1"} == set().union(*met)
    joined = [decision for decision in read_trail(settings.output) if isinstance(decision, Addition)]
    ann = next(decision for decision in joined if decision.bot == "ann 1")
    assert (ann.table, ann.place) == ({"path": "remote:ann"}, "reds/ann")
    guests.here["ann"] = "2"
    met = tables(guests.play(settings, matches=24))
    assert "ann 2" in set().union(*met)
    assert "ann 1" not in set().union(*met), "another version is connected"


def test_a_bot_that_leaves_loses_no_match_and_plays_on_when_it_comes_back(settings: LadderFile, guests: Guests) -> None:
    settings = settings.model_copy(update={"provisional": 8})  # two tables for each
    events = guests.play(settings, matches=80)
    until_played(events, "cid")
    del guests.here["ann"]
    [*islice(events, 12)]  # what had been begun
    assert "ann 1" not in set().union(*tables(islice(events, 20)))
    guests.here["ann"] = "1"
    until_played(events, "ann")
    list(events)
    assert [decision.action for decision in read_trail(settings.output)] == ["add"] * 4, "it never left the ladder"
    found = results_in(settings.output)
    assert (len(found.matches), found.left_out) == (80, [])
    stages = [stage for stage, _ in read_stages(settings.output)]
    assert any(stage.given_up for stage in stages), "its tables were given up, not lost"
    assert [stage.first_block for stage in stages[1:]] == [stage.end for stage in stages[:-1]]
    roster = Roster(read_trail(settings.output))
    chosen = {
        key: [roster[index].bot.name for index in table]
        for stage in stages
        for block in stage.blocks()
        for key, table in keyed_seatings(block)
    }
    played = {match.key: [seat.entrant.name for seat in match.seats] for match in found.matches}
    assert chosen == played, "the file has the tables that were played, and no other"


def test_a_ladder_of_remote_bots_alone_waits_until_enough_are_there(tmp_path: Path, guests: Guests) -> None:
    settings, guests.here = settings_in(tmp_path), {"ann": "1"}
    events = guests.play(settings, matches=4)
    assert "a table has 2 seats, and 1 bot can play" in (
        event.sentence for event in events if isinstance(event, LadderWaits)
    )
    guests.here["bob"] = "1"
    assert tables(events) == [{"ann 1", "bob 1"}] * 4


def test_a_run_that_goes_on_waits_for_the_bots_whose_matches_had_begun(tmp_path: Path, guests: Guests) -> None:
    settings = settings_in(tmp_path)
    events = guests.play(settings, matches=4)
    until_played(events, "ann")
    del events  # in the middle of a block
    looks = count()
    later = play(settings, 4, PATIENCE_S, tokens=guests.tokens, here=lambda: guests.here if next(looks) > 3 else {})
    waits = [event.sentence for event in later if isinstance(event, LadderWaits)]
    assert waits == [f"matches that had begun wait up to {run.RETURN_S:g} s for ann 1, bob 1 to dial in again"]
    assert not any(stage.given_up for stage, _ in read_stages(settings.output))


def test_a_bot_of_a_name_that_looks_like_another_is_refused_once_and_its_owner_is_told(
    settings: LadderFile, guests: Guests
) -> None:
    guests.tokens.new("Cid", "greens")
    guests.here = {}
    list(guests.play(settings, matches=2))
    guests.here = {"Cid": "1", "ann": "1"}
    told: dict[str, EventStatus] = {}
    follower = BotStatuses(
        lambda news: told.update({name: EventStatus.FromString(status) for name, status in news.statuses.items()}), 1
    )
    refused = []
    for event in guests.play(settings, matches=12):
        follower(event)
        refused += [event] if isinstance(event, BotRefused) else []
    assert [(event.place, event.report) for event in refused] == [("greens/Cid", None)]
    assert "the name Cid looks like cid, which is another bot" in refused[0].sentence
    assert told["Cid"].notice == f"does not join: {refused[0].sentence}"
    assert (told["ann"].notice, told["ann"].played > 1, told["ann"].begun) == ("", True, True)


@pytest.mark.slow
def test_a_bot_that_stays_away_is_retired_and_may_come_back(
    settings: LadderFile, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(guests.play(settings, matches=4))
    monkeypatch.setattr(absences, "LEAST_S", 0.0)
    impatient = settings.model_copy(update={"missing": 0.0})
    del guests.here["ann"]
    list(guests.play(impatient, matches=16))
    gone = read_trail(settings.output)[-1]
    assert isinstance(gone, Withdrawal)
    assert (gone.bot, gone.rule) == ("ann 1", "missing")
    assert gone.reason.startswith("it has not dialled in since ")
    guests.here["ann"] = "1"
    assert "ann 1" in set().union(*tables(guests.play(settings, matches=40)))


def test_a_bot_that_leaves_a_ladder_whose_watched_folder_is_empty_is_noted_and_retired(
    tmp_path: Path, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_in(tmp_path)
    monkeypatch.setattr(absences, "LEAST_S", 0.0)
    list(guests.play(settings, matches=4))
    assert read_absences(settings.output) == {}
    del guests.here["ann"]
    waiting = guests.play(settings, matches=8)
    next(event for event in waiting if isinstance(event, LadderWaits))
    assert [*read_absences(settings.output)] == ["ann"]
    waiting.close()
    impatient = guests.play(settings.model_copy(update={"missing": 0.0}), matches=8)
    next(event for event in impatient if isinstance(event, LadderWaits))
    assert read_trail(settings.output)[-1].action == "withdraw"
    impatient.close()


@pytest.mark.slow
def test_remote_bots_of_one_owner_do_not_meet_while_others_are_there(tmp_path: Path) -> None:
    settings, guests = settings_in(tmp_path), Guests(tmp_path, ann="reds", amy="reds", bob="blues", ben="blues")
    guests.here = dict.fromkeys(["ann", "amy", "bob", "ben"], "1")
    met = tables(guests.play(settings, matches=40))
    assert {"ann 1", "amy 1"} not in met
    assert {"bob 1", "ben 1"} not in met
