"""A tournament as a library: it yields events, and cleans up when the caller stops reading them."""

import shutil
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from itertools import count, cycle
from pathlib import Path
from time import time

import pytest

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.tournament import play_tournament
from ballcourt.arena.tournament.folder.events import (
    EntrantJudged,
    Finished,
    MatchesSkipped,
    MatchPlayed,
    MatchStarted,
    Planned,
    RecordUnreadable,
    Resumed,
    RunEvent,
    WorkerChanged,
)
from ballcourt.arena.tournament.schedules.schedule import PlayedBlock
from ballcourt.arena.tournament.schedules.stop import Reached, Rule, Within
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import WorkerChange
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena import in_process
from tests.arena.conftest import Traces
from tests.cli.conftest import write_bot


@pytest.fixture
def place(tmp_path: Path, in_process: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_bot(tmp_path / "low", "low")
    write_bot(tmp_path / "any", "any", "random")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def events_of(**settings: object) -> list[RunEvent]:
    """Return the events of a small tournament, without the beginnings of matches."""
    return without_beginnings(all_events_of(**settings))


def without_beginnings(events: Iterable[RunEvent]) -> list[RunEvent]:
    """Leave out the beginnings of matches, whose order depends on how quick the machine is."""
    return [event for event in events if not isinstance(event, MatchStarted)]


def all_events_of(**settings: object) -> list[RunEvent]:
    asked: dict[str, object] = {"game": "bluff", "bots": ["./low", Path("any").resolve()], "seed": 3, "workers": 1}
    return list(play_tournament(**asked | {"output": Path("out")} | settings))


def kinds(events: list[RunEvent]) -> list[type[RunEvent]]:
    return [type(event) for event in events]


def test_events_say_what_happened_in_order(place: Path) -> None:
    planned, *played, finished = events_of(rounds=2)
    assert isinstance(planned, Planned)
    assert (planned.game, planned.bots, planned.matches, planned.is_exact) == ("bluff", ("low", "any"), 4, True)
    assert finished == Finished(4, Path("out"), ())
    for event in played:
        assert isinstance(event, MatchPlayed)
        assert event.is_new
        assert event.path.is_file()
        assert sorted(event.bots) == ["any", "low"]
        assert [result.score for result in event.record.results] == list(event.scores)
        assert len(repr(event)) < 300, "an event can be printed"


def test_a_run_whose_records_are_removed_meanwhile_does_not_end_well_and_the_next_one_plays_them_again(
    place: Path,
) -> None:
    asked = {"game": "bluff", "bots": ["./low", "./any"], "seed": 3, "workers": 1, "rounds": 2, "output": Path("out")}
    lost = "out/records has lost the records of 2 of 4 matches, such as .*; put them back, or run the same command"
    seen: list[RunEvent] = []
    with pytest.raises(ArenaError, match=lost):
        for event in play_tournament(**asked):
            seen.append(event)
            if isinstance(event, MatchPlayed) and len(played := [one for one in seen if type(one) is MatchPlayed]) == 4:
                for one in played[1:3]:
                    one.path.unlink()
    assert not any(isinstance(event, Finished) for event in seen)
    events = events_of(rounds=2)
    assert kinds(events).count(MatchPlayed) == 4 and isinstance(events[-1], Finished)


def test_a_worker_of_a_cluster_that_stands_out_is_an_event(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, workers = in_process.played, cycle((("slow", 3000.0), ("quick", 100.0)))

    def played(match: PlayableMatch) -> MatchRecord:
        record = honest(match)
        record.worker, record.overhead_p50_us = next(workers)
        return record

    monkeypatch.setattr(in_process, "played", played)
    flagged = [event for event in events_of(rounds=16) if isinstance(event, WorkerChanged)]
    assert [(event.worker, event.news) for event in flagged] == [("slow", WorkerChange.FLAGGED)]


def test_every_new_match_begins_before_it_ends(place: Path) -> None:
    events_of(rounds=1)
    began: set[str] = set()
    for event in all_events_of(rounds=2):
        if isinstance(event, MatchStarted):
            assert sorted(event.bots) == ["any", "low"]
            began.add(event.key)
        elif isinstance(event, MatchPlayed):
            assert (event.key in began) == event.is_new
    assert began == {"b000001-r0", "b000001-r1"}


def test_resuming_a_run_also_yields_its_earlier_matches(place: Path) -> None:
    events_of(rounds=1)
    longer = events_of(rounds=2)
    assert kinds(longer) == [Planned, MatchPlayed, MatchPlayed, Resumed, MatchPlayed, MatchPlayed, Finished]
    assert longer[3] == Resumed(2)
    assert [event.is_new for event in longer if isinstance(event, MatchPlayed)] == [False, False, True, True]
    assert kinds(events_of(rounds=2)) == [Planned, *[MatchPlayed] * 4, Resumed, Finished]


def test_an_unreadable_record_is_an_event_and_its_match_is_played_again(place: Path) -> None:
    events_of()
    (place / "out" / "records" / "b000000-r1.match").write_bytes(b"garbage")
    events = events_of()
    assert kinds(events) == [Planned, MatchPlayed, RecordUnreadable, Resumed, MatchPlayed, Finished]
    assert events[2] == RecordUnreadable("b000000-r1", "out/records/b000000-r1.match is not a match record")


def test_fault_folders_that_are_missing_or_were_emptied_by_a_power_cut_are_written_again(place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    events_of(bots=["./low", "./bad"])
    faults = place / "out" / "faults"
    before = {file: file.read_bytes() for file in faults.glob("*/*")}
    missing, emptied = faults.iterdir()
    shutil.rmtree(missing)
    for file in emptied.iterdir():
        file.write_bytes(b"")
    assert kinds(events_of(bots=["./low", "./bad"])) == [Planned, MatchPlayed, MatchPlayed, Resumed, Finished]
    assert {file: file.read_bytes() for file in faults.glob("*/*")} == before


def test_verdicts_and_skipped_matches_are_events(place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    events = events_of(bots=["./low", "./bad"], rounds=2, faults={"disqualify": "above 0% of 2 matches"})
    assert kinds(events) == [Planned, MatchPlayed, MatchPlayed, EntrantJudged, MatchesSkipped, Finished]
    assert events[3] == EntrantJudged("bad", "1", "is disqualified: 2 of its 2 matches had a fault")
    assert events[4] == MatchesSkipped(("b000001-r0", "b000001-r1"), ())


@pytest.mark.slow
def test_leaving_the_loop_ends_all_processes_and_keeps_the_played_matches(
    place: Path, processes: None, traces: Traces
) -> None:
    for event in play_tournament(game="bluff", bots=["./low", "./any"], rounds=50, seed=3, workers=2, output="out"):
        if isinstance(event, MatchPlayed):
            break
    assert traces.all_gone()
    with closing(play_tournament(game="bluff", bots=["./low", "./any"], rounds=50, seed=3, output="out")) as events:
        next(events)
        found = next(events)
    assert isinstance(found, MatchPlayed)
    assert not found.is_new
    assert traces.all_gone()


def test_settings_override_a_file(place: Path) -> None:
    (place / "cup.toml").write_text('game = "bluff"\nbots = ["./low", "./any"]\nmatches = 50\noutput = "o"\n')
    events = without_beginnings(play_tournament("cup.toml", rounds=1, options={"rounds": 1}))
    assert kinds(events) == [Planned, MatchPlayed, MatchPlayed, Finished]
    assert (place / "o" / "records").is_dir()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"rounds": 0}, "play_tournament: rounds is 0; it must be a whole number from 1"),
        ({"round": 1}, "play_tournament has the unknown key 'round'"),
        ({"bots": "low"}, "play_tournament: bots is 'low'; it must be a list"),
        ({"format": "ladder"}, "format is 'ladder'; it must be one of adaptive, balanced"),
    ],
)
def test_wrong_settings_are_refused_before_anything_is_written(
    place: Path, settings: dict[str, object], sentence: str
) -> None:
    with pytest.raises(WrongInput, match=sentence):
        events_of(**settings)
    assert not (place / "out").exists()


def test_no_block_begins_after_the_time_that_was_asked_for(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, looks = time(), count()
    monkeypatch.setattr("ballcourt.arena.tournament.playing.run.time", lambda: begin + 60 * next(looks))
    events = events_of(rounds=50, stop="150 s")
    assert not events[0].is_exact  # type: ignore[union-attr]
    played = [event for event in events if isinstance(event, MatchPlayed)]
    assert 2 <= len(played) <= 8
    assert len(played) % 2 == 0, "blocks that have begun are finished"
    assert events[-1] == Finished(len(played), Path("out"), (), "150 s have passed")
    again = events_of(rounds=50, stop="150 s")
    assert [event for event in again if isinstance(event, MatchPlayed) and event.is_new] == []
    assert again[-1] == events[-1]


def test_a_tournament_ends_when_its_results_are_precise_enough(place: Path) -> None:
    asked: list[int] = []

    def measure(rules: Sequence[Rule], entrants: int, gone: Collection[int]) -> Reached:
        assert (list(rules), entrants, list(gone)) == ([Within(2)], 2, [])

        def is_reached(results: Sequence[PlayedBlock]) -> bool:
            asked.append(len(results))
            return len(results) == 3

        return is_reached

    settings = {"game": "bluff", "bots": ["./low", "./any"], "seed": 3, "workers": 1, "output": "out", "stop": "±2"}
    events = list(play_tournament(None, measure, **settings))
    assert asked == [0, 1, 2, 3]
    assert events[-1] == Finished(6, Path("out"), (), "every rating is known to ±2")


def test_precision_needs_something_that_measures_it(place: Path) -> None:
    with pytest.raises(WrongInput, match=r"give play_tournament ballcourt\.leaderboard\.model\.precision\.Precision"):
        events_of(stop="±2")
    assert not (place / "out").exists()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"stop": "top 2 separated at 95%"}, "stop asks for the top 2, but there are 2 bots; give at most 1"),
        ({"stop": "6 h", "format": "single-elimination"}, "stop does not fit the format 'single-elimination'"),
        ({"stop": []}, r"stop is \[\]; a list must have entries"),
        ({"stop": ["6 h", 3]}, "stop is 3; it must be 'top 3 separated at 95%'"),
    ],
)
def test_an_end_that_does_not_fit_is_refused(place: Path, settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(WrongInput, match=sentence):
        events_of(**settings)
