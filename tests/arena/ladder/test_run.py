"""A ladder: bots join, are replaced and retire while it is played; a run that is killed goes on as if it were not."""

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.ladder import absences, run
from ballcourt.arena.ladder.absences import Absences
from ballcourt.arena.ladder.arrivals.exam import Arriving
from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.roster import Roster
from ballcourt.arena.printable import values_of
from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.decisions.trail import Addition, read_trail
from ballcourt.arena.tournament.event.model import SettingsError
from ballcourt.arena.tournament.event.stages import STAGES, read_stages
from ballcourt.arena.tournament.folder.events import (
    BotRefused,
    EventPaused,
    Finished,
    LadderWaits,
    MatchesSkipped,
    MatchPlayed,
    OrganiserDecided,
    Resumed,
    RunEvent,
)
from ballcourt.arena.tournament.folder.output import VOIDED, record_files
from ballcourt.arena.tournament.folder.overview import Overview
from ballcourt.arena.tournament.folder.placing import kept_field
from ballcourt.arena.tournament.organiser.decide import Organiser, OrganiserError, event_in
from ballcourt.leaderboard.store.folder import outcomes_of, results_in
from tests.arena.conftest import PATIENCE_S
from tests.arena.ladder.in_process import BAD, Begun, Endless, Looked, begun_in, play, put, settings_in
from tests.arena.tournament.in_process import IDLE


@pytest.fixture
def settings(tmp_path: Path) -> LadderFile:
    """A ladder with three bots in its watched folder."""
    found = settings_in(tmp_path)
    for name in ("ann", "bob", "cid"):
        put(found.bots, name)
    return found


def decided(settings: LadderFile) -> list[str]:
    """Return what the trail says, in short."""
    return [f"{decision.action} {getattr(decision, 'bot', '')}" for decision in read_trail(settings.output)]


def players(events: Iterable[RunEvent]) -> set[str]:
    """Return the bots and versions in the new matches among these events."""
    new = [event for event in events if isinstance(event, MatchPlayed) and event.is_new]
    return {f"{bot.name} {bot.version}" for event in new for bot in event.record.entrants}


def _is_news(event: MatchPlayed | LadderWaits) -> bool:
    """Whether a match was played, or waits for what only time brings."""
    return isinstance(event, MatchPlayed) or "have been checked" in event.sentence


def table(folder: Path) -> list[tuple[str, tuple[tuple[str, int], ...]]]:
    """Return every result that counts."""
    found = results_in(folder)
    assert not found.left_out
    return [(match.key, tuple((seat.entrant.name, seat.placement) for seat in match.seats)) for match in found.matches]


def test_the_bots_in_the_watched_folder_play_each_other(settings: LadderFile) -> None:
    *events, last = play(settings, matches=40)
    assert isinstance(last, Finished)
    assert last.matches == 40 == len(table(settings.output))
    assert players(events) == {"ann 1", "bob 1", "cid 1"}
    assert decided(settings) == ["add ann 1", "add bob 1", "add cid 1"]
    assert all(decision.who == "ladder" and decision.block == 0 for decision in read_trail(settings.output))


def test_a_ladder_goes_on_where_it_ended(settings: LadderFile) -> None:
    list(play(settings, matches=40))
    events = list(play(settings, matches=60))
    assert Resumed(40) in events
    assert len([event for event in events if isinstance(event, MatchPlayed) and event.is_new]) == 20
    assert len(table(settings.output)) == 60


def test_a_ladder_whose_records_are_removed_meanwhile_ends_and_plays_them_again(settings: LadderFile) -> None:
    removed: list[str] = []
    with pytest.raises(ArenaError, match=r"has lost the records of 1 of .* matches"):
        for event in play(settings, matches=40):
            if isinstance(event, MatchPlayed) and not removed:
                event.path.unlink()
                removed.append(event.key)
    list(play(settings, matches=40))
    assert len(table(settings.output)) == 40


def test_a_bot_that_arrives_later_plays_its_provisional_matches_first(settings: LadderFile) -> None:
    list(play(settings, matches=40))
    put(settings.bots, "dan")
    list(play(settings, matches=120))
    joined = read_trail(settings.output)[-1]
    assert isinstance(joined, Addition)
    assert joined.bot == "dan 1"
    assert joined.block is not None
    stage = next(stage for stage, _ in read_stages(settings.output) if stage.first_block == joined.block)
    after_across = stage.tables[stage.across : stage.across + 2]
    assert all(3 in newcomers for newcomers in after_across)


def test_a_new_version_joins_and_only_the_newest_versions_stay(tmp_path: Path) -> None:
    settings = begun_in(tmp_path, versions=1)
    put(settings.bots, "ann", version="2")
    events = list(play(settings, matches=80))
    assert decided(settings)[2:] == ["add ann 2", "withdraw ann 1"]
    retirement = read_trail(settings.output)[-1]
    expected = "ann 1 is retired (ladder: ann 2 has joined, and only the newest version of a bot stays)"
    assert expected in retirement.sentence
    since = retirement.block
    assert since is not None
    late = [event for event in events if isinstance(event, MatchPlayed) and int(event.key[1:7]) >= since]
    assert players(late) == {"ann 2", "bob 1"}
    assert len(table(settings.output)) == 80, "the past stays"
    statuses = kept_field(
        event_in(settings.output), outcomes_of(results_in(settings.output).matches), settings.output
    ).entrants
    assert [(str(bot), status) for bot, status in statuses.items() if status] == [("ann 1", "retired")]
    with pytest.raises(OrganiserError, match="ann 1 has been retired by a rule already"):
        Organiser(settings.output, "cheated").withdraw("ann 1")
    assert Organiser(settings.output, "cheated").withdraw("ann").sentence.startswith("ann 2 is withdrawn")


def test_a_version_that_is_disqualified_is_retired_and_the_next_one_plays(settings: LadderFile) -> None:
    strict = settings.replaced(faults={"disqualify": {"percent": 50, "last": 4}})
    put(settings.bots, IDLE)
    list(play(strict, matches=60))
    assert decided(settings)[4:] == ["withdraw idle 1"]
    retirement = read_trail(settings.output)[-1]
    assert "idle 1 is retired (ladder: it is disqualified: 4 of its last 4 matches had a" in retirement.sentence
    put(settings.bots, IDLE, version="1.1")
    events = list(play(strict, matches=80))
    assert decided(settings)[5:] == ["add idle 1.1", "withdraw idle 1.1"]
    assert "idle 1.1" in players(events)
    assert "idle 1" not in players(events)
    put(settings.bots, IDLE, version="1")
    refused = [event.sentence for event in play(strict, matches=84) if isinstance(event, BotRefused)]
    assert refused[0].endswith("had a fault); a new version may be admitted")
    assert len(decided(settings)) == 7


def test_a_folder_whose_bot_has_another_name_has_no_more_bots_than_one(tmp_path: Path) -> None:
    settings = begun_in(tmp_path, versions=1)
    put(settings.bots, "ann", name="dan")
    list(play(settings, matches=40))
    assert decided(settings)[2:] == ["add dan 1", "withdraw ann 1"]


def test_bots_of_one_account_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Inbox, "user_of", lambda _, place: place[0])
    settings = settings_in(tmp_path, admission={"owners": "user", "pause": 0.0})
    for place in ("a1", "a2", "b1", "b2"):
        put(settings.bots, place)
    played = [event for event in play(settings, matches=80) if isinstance(event, MatchPlayed)]
    assert {frozenset(entrant.owner for entrant in event.record.entrants) for event in played} == {frozenset("ab")}


def test_an_old_version_plays_on_from_its_copy_when_the_folder_changes(settings: LadderFile) -> None:
    list(play(settings, matches=20))
    put(settings.bots, "ann", version="2")
    events = list(play(settings, matches=80))
    assert {"ann 1", "ann 2"} <= players(events)


def test_a_version_that_changed_without_its_number_is_refused(settings: LadderFile) -> None:
    list(play(settings, matches=20))
    put(settings.bots, "ann", extra="another program")
    events = list(play(settings, matches=40))
    (refused,) = [event for event in events if isinstance(event, BotRefused)]
    assert "ann 1 has played here with other files" in refused.sentence
    assert refused.report and "give the changed bot another version in its bot.toml" in refused.report.read_text()
    assert "ann 1" in players(events), "the version that was let in plays on"


def test_a_bot_that_fails_its_check_gets_a_report_and_is_not_tried_again(settings: LadderFile) -> None:
    put(settings.bots, "eve", **{BAD: ""})
    events = list(play(settings, matches=20))
    (refused,) = [event for event in events if isinstance(event, BotRefused)]
    assert refused.report == settings.bots / "eve.refused.txt"
    assert "check 5, full match: illegal at decision 3" in refused.report.read_text()
    assert not (settings.output / "bots" / "eve" / "1").exists()
    assert not [event for event in play(settings, matches=40) if isinstance(event, BotRefused)]
    (settings.bots / "eve" / BAD).unlink()
    assert "eve 1" in players(play(settings, matches=80))
    assert not refused.report.exists()


@pytest.mark.slow
def test_a_bot_whose_folder_is_gone_for_long_is_retired_and_may_come_back(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, missing=0.0)
    for name in ("ann", "bob", "cid"):
        put(settings.bots, name)
    list(play(settings, matches=20))
    (settings.bots / "cid").rename(settings.bots / ".cid")
    list(play(settings, matches=40))
    assert decided(settings)[3:] == ["withdraw cid 1"]
    assert "its folder cid has been missing since" in read_trail(settings.output)[-1].reason
    assert "cid 1" not in players(play(settings, matches=60))
    (settings.bots / ".cid").rename(settings.bots / "cid")
    assert "cid 1" in players(play(settings, matches=100))
    assert decided(settings)[3:] == ["withdraw cid 1", "add cid 1"]
    assert len(table(settings.output)) == 100


@pytest.mark.slow
@pytest.mark.parametrize("matches", [20, 21], ids=["between stages", "in a stage"])
def test_a_bot_whose_copy_is_lost_is_copied_again_or_sits_out_until_its_files_are_back(
    settings: LadderFile, matches: int
) -> None:
    list(play(settings, matches=matches))
    copy = settings.output / "bots" / "ann" / "1"
    shutil.rmtree(copy)
    assert "ann 1" in players(play(settings, matches=40))
    assert decided(settings)[3:] == []
    (copy / "bot.toml").write_text("on a bad disk")
    put(settings.bots, "ann", other="")
    assert "ann 1" not in players(play(settings, matches=60))
    assert decided(settings)[3:] == ["withdraw ann 1"]
    assert "its copy bots/ann/1 is missing or damaged" in read_trail(settings.output)[-1].reason
    (settings.bots / "ann" / "other").unlink()
    assert "ann 1" in players(play(settings, matches=100))
    assert table(settings.output) and not (settings.output / VOIDED).exists(), "what was played counts"


def test_a_jump_of_the_clock_retires_no_bot(settings: LadderFile, monkeypatch: pytest.MonkeyPatch) -> None:
    list(play(settings, matches=2))
    roster, week_s = Roster(read_trail(settings.output)), 7 * 86400.0
    clocks = {"time": 1.8e9, "monotonic": 500.0}

    def passed(**seconds: float) -> list[str]:
        """Pass time on the clocks; return who is retired."""
        for clock, passed_s in seconds.items():
            clocks[clock] += passed_s
        return [retired.version.bot.name for retired in looked.retired(roster, ["bob", "cid"], ())]

    monkeypatch.setattr(absences, "time", lambda: clocks["time"])
    monkeypatch.setattr(absences, "monotonic", lambda: clocks["monotonic"])
    looked = Absences(settings.output, week_s)
    assert passed(time=1, monotonic=1) == []
    assert passed(time=week_s + 60, monotonic=60) == [], "the clock was set, or the machine slept"
    assert passed(time=week_s / 2, monotonic=week_s / 2) == []
    assert passed(time=-3 * week_s, monotonic=60) == []
    looked = Absences(settings.output, week_s)
    assert passed(time=week_s / 2 - 700, monotonic=week_s / 2 - 700) == [], "a new run moves no date"
    assert passed(time=700, monotonic=700) == ["ann"]
    looked = Absences(settings.output, week_s)
    assert passed(time=60, monotonic=60) == [], "its share may not be mounted yet"
    assert passed(time=600, monotonic=600) == ["ann"]


def test_the_time_of_a_run_is_not_that_of_the_wall_clock(settings: LadderFile, monkeypatch: pytest.MonkeyPatch) -> None:
    events = play(settings, seconds=PATIENCE_S)
    assert any(isinstance(event, MatchPlayed) for event in events)
    monkeypatch.setattr(run, "monotonic", lambda: time.monotonic() + PATIENCE_S)
    assert isinstance([*events][-1], Finished)


def test_a_ladder_waits_while_a_table_cannot_be_filled(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    put(settings.bots, "ann")
    with closing(play(settings, seconds=PATIENCE_S)) as events:
        assert any(event == LadderWaits("a table has 2 seats, and 1 bot can play") for event in events)
    assert not (settings.output / STAGES).exists()


@pytest.mark.slow
def test_wherever_a_run_is_killed_the_next_one_ends_with_the_same_table(settings: LadderFile, tmp_path: Path) -> None:
    moments = []
    for number, _ in enumerate(play(settings, matches=44)):
        if number % 5 == 3:  # as a run that is killed leaves it
            moments.append(Path(shutil.copytree(tmp_path, tmp_path.parent / f"{tmp_path.name} {number}")))
    expected = table(settings.output), (settings.output / STAGES).read_bytes()
    assert len(moments) > 8
    for place in moments:
        again = settings_in(place)
        list(play(again, matches=44))
        assert (table(again.output), (again.output / STAGES).read_bytes()) == expected


def test_a_line_that_a_full_disk_cut_short_is_written_again(settings: LadderFile) -> None:
    list(play(settings, matches=20))
    stages = settings.output / STAGES
    whole = stages.read_bytes()
    stages.write_bytes(whole[:-20])
    list(play(settings, matches=40))
    assert stages.read_bytes().startswith(whole)


@pytest.mark.slow
def test_the_organiser_withdraws_a_bot_for_good(settings: LadderFile) -> None:
    list(play(settings, matches=40))
    Organiser(settings.output, "plays by network").withdraw("cid", strike=True)
    events = list(play(settings, matches=80))
    assert players(events) == {"ann 1", "bob 1"}
    assert any(isinstance(event, MatchesSkipped) for event in events)
    assert all("cid" not in dict(seats) for _, seats in table(settings.output))
    put(settings.bots, "cid", note="changed")
    put(settings.bots, "cid", version="1")
    assert not players(play(settings, matches=100)) & {"cid 1"}


def test_a_match_that_is_void_does_not_count(settings: LadderFile) -> None:
    list(play(settings, matches=40))
    Organiser(settings.output, "power failure").void("b000003-r1")
    list(play(settings, matches=60))
    assert "b000003-r1" not in dict(table(settings.output))
    assert len(table(settings.output)) == 59


@pytest.mark.parametrize("while_it_runs", [True, False])
def test_the_count_of_a_ladder_goes_down_by_what_was_struck(settings: LadderFile, *, while_it_runs: bool) -> None:
    list(play(settings, matches=20))
    overview, organiser = Overview(), Organiser(settings.output, "its owner asked for it")
    if not while_it_runs:
        organiser.withdraw("cid", strike=True)
    for event in play(settings, matches=40):
        overview.add(values_of(event), 0.0)
        if while_it_runs and isinstance(event, MatchPlayed) and event.is_new:
            organiser.withdraw("cid", strike=True)
            while_it_runs = False
    assert len([*(settings.output / VOIDED).iterdir()]) > 0
    assert overview.matches == len(table(settings.output))


def test_a_run_that_is_killed_before_it_takes_a_match_back_leaves_that_to_the_next(settings: LadderFile) -> None:
    list(play(settings, matches=40))
    with closing(play(settings, matches=60)) as events:
        next(event for event in events if isinstance(event, MatchPlayed) and event.is_new)
        Organiser(settings.output, "power failure").void("b000003-r1")
        next(event for event in events if isinstance(event, OrganiserDecided))
    skipped = [event.keys for event in play(settings, matches=80) if isinstance(event, MatchesSkipped)]
    assert skipped == [("b000003-r1",)]


def test_a_paused_ladder_waits_until_it_is_resumed(settings: LadderFile) -> None:
    list(play(settings, matches=20))
    organiser = Organiser(settings.output, "maintenance")
    organiser.pause()
    with closing(play(settings, matches=40)) as events:
        assert any(isinstance(event, EventPaused) for event in events)
    assert len(table(settings.output)) == 20
    with closing(play(settings, matches=40)) as events:
        for event in events:
            if isinstance(event, EventPaused):
                organiser.resume()
    assert len(table(settings.output)) == 40


def test_a_decision_during_a_stage_applies_from_the_next_block_on(settings: LadderFile) -> None:
    organiser = Organiser(settings.output, "its owner asked for it")
    for event in play(settings, matches=60):
        if isinstance(event, MatchPlayed) and event.key == "b000001-r0":
            organiser.withdraw("cid")
    (withdrawal,) = [decision for decision in read_trail(settings.output) if decision.action == "withdraw"]
    assert withdrawal.block in (2, 3), "blocks that have begun are finished"
    for file in record_files(settings.output):
        record = read_record(file)
        if int(record.key[1:7]) >= withdrawal.block:
            assert "cid" not in [bot.name for bot in record.entrants]


@pytest.mark.parametrize(
    ("decide", "sentence"),
    [
        (lambda organiser: organiser.repeat("b000001"), "repeats no match; void it"),
        (lambda organiser: organiser.add({"path": "greedy"}), "lets bots join from its watched folder"),
        (lambda organiser: organiser.close(), "has no end"),
    ],
)
def test_what_does_not_fit_a_ladder_is_refused(settings: LadderFile, decide: object, sentence: str) -> None:
    list(play(settings, matches=20))
    with pytest.raises(OrganiserError, match=sentence):
        decide(Organiser(settings.output, "a wish"))  # type: ignore[operator]


def test_every_decision_is_announced(settings: LadderFile) -> None:
    events = list(play(settings, matches=20))
    sentences = [
        decision.sentence for event in events if isinstance(event, OrganiserDecided) for decision in event.decisions
    ]
    assert sentences == [f"{name} 1 joins (ladder: it has passed the checks)" for name in ("ann", "bob", "cid")]


def test_residents_play_while_bots_that_arrive_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [str(put(tmp_path / "known", name)) for name in ("yard", "stick")]
    monkeypatch.setenv("BALLCOURT_BOTS", os.pathsep.join(places))
    settings, begun = settings_in(tmp_path, residents=("yard", "stick")), Begun()
    put(settings.bots, "ann")
    with closing(play(settings, matches=60, seconds=PATIENCE_S, begin=begun)) as events:
        assert players(islice(events, 20)) == {"yard 1", "stick 1"}
        assert begun.running == ["ann"]
        begun.end("ann")
        assert "ann 1" in players(events)


@pytest.mark.parametrize(("bound", "is_played"), [("0 s", True), ("1 h", False)])
def test_the_first_match_waits_for_checks_but_not_for_ever(tmp_path: Path, bound: str, *, is_played: bool) -> None:
    settings = settings_in(tmp_path, admission={"first_match": bound, "pause": 0.0})
    for name in ("ann", "bob", "eve"):
        put(settings.bots, name)

    def begin(arriving: Arriving) -> Looked:
        return (Endless if arriving.source.endswith("eve") else Looked)(arriving)

    with closing(play(settings, matches=20, seconds=PATIENCE_S, begin=begin)) as events:
        first = next(event for event in events if isinstance(event, MatchPlayed | LadderWaits) and _is_news(event))
    assert isinstance(first, MatchPlayed) == is_played


def test_a_bot_that_changes_after_each_refusal_does_not_keep_the_first_match_waiting(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    for name in ("ann", "bob"):
        put(settings.bots, name)
    changing, number = put(settings.bots, "eve", **{BAD: ""}), 0
    with closing(play(settings, matches=20)) as events:
        for event in events:
            if isinstance(event, BotRefused):
                (changing / BAD).write_text(str(number := number + 1))
            if isinstance(event, MatchPlayed):
                break
    assert number, "it was refused before"


def test_residents_play_from_the_beginning_and_keep_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    yardstick = put(tmp_path / "known", "yard")
    monkeypatch.setenv("BALLCOURT_BOTS", str(yardstick))
    settings = settings_in(tmp_path, residents=("yard",), missing=0.0)
    put(settings.bots, "ann")
    put(settings.bots, "thief", name="yard", version="9")
    events = list(play(settings, matches=20))
    assert players(events) == {"ann 1", "yard 1"}
    (refused,) = [event for event in events if isinstance(event, BotRefused)]
    assert refused.sentence == "the name yard belongs to a resident; choose another name"
    put(tmp_path / "known", "yard", version="2")
    assert players(play(settings, matches=60)) == {"ann 1", "yard 2"}
    assert decided(settings)[2:] == ["withdraw yard 1", "add yard 2"]
    put(tmp_path / "known", "yard", version="2", changed="")
    with pytest.raises(SettingsError, match="the resident yard 2 has played here with other files"):
        list(play(settings, matches=80))


@pytest.mark.slow
def test_a_ladder_plays_all_of_its_set_ups_equally_often(settings: LadderFile) -> None:
    several = settings.replaced(seats=(2, 3))
    matches = [event for event in play(several, matches=300) if isinstance(event, MatchPlayed)]
    played = Counter(len(match.record.entrants) for match in matches)
    assert played.total() == len(table(several.output)) >= 300
    longest = max(sum(map(len, stage.tables)) for stage, _ in read_stages(several.output))
    assert abs(played[2] - played[3]) <= longest


def test_a_set_up_whose_tables_cannot_be_filled_waits_for_more_bots(settings: LadderFile) -> None:
    several = settings.replaced(seats=(2, 3))
    shutil.rmtree(several.bots / "cid")
    for event in play(several, matches=20):
        assert not isinstance(event, MatchPlayed) or len(event.record.entrants) == 2
    put(several.bots, "cid")
    *_, last = (event for event in play(several, matches=60) if isinstance(event, MatchPlayed))
    assert len(last.record.entrants) == 3


@pytest.mark.slow
def test_a_ladder_of_several_set_ups_goes_on_where_it_was_killed(settings: LadderFile, tmp_path: Path) -> None:
    several, whole = (settings.replaced(seats=(2, 3), output=tmp_path / name) for name in ("killed", "whole"))
    with closing(play(several, matches=100)) as killed:
        for _ in islice((event for event in killed if isinstance(event, MatchPlayed)), 37):
            pass
    for one in (several, whole):
        for _ in play(one, matches=100):
            pass
    assert table(several.output) == table(whole.output)
