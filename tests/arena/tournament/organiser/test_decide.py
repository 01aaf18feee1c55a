"""What an organiser decides about an event: it is checked, kept, followed at once, and survives any interruption."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record, write_record
from ballcourt.arena.tournament.decisions.trail import Ruling, Trail, read_trail
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    EventPaused,
    Finished,
    MatchesSkipped,
    MatchPlayed,
    OrganiserDecided,
    Planned,
    RunEvent,
)
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.folder.placing import kept_field
from ballcourt.arena.tournament.organiser.decide import Organiser, OrganiserError, event_in
from ballcourt.arena.tournament.schedules.schedule import Length, ScheduleError
from ballcourt.arena.tournament.schedules.stop import Within
from ballcourt.cli.verify import still_missing
from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.feed import DatabaseFeed
from ballcourt.leaderboard.store.folder import results_in
from tests.arena.tournament.conftest import write_bot
from tests.arena.tournament.in_process import events

Decide = Callable[[Organiser], object]


@pytest.fixture
def cup(tmp_path: Path) -> Event:
    bots = tuple(write_bot(tmp_path / name, name) for name in ("ann", "bob", "cid", "dan"))
    return Event().replaced(game="bluff", bots=bots, seats=2, rounds=2, seed=5, format="round-robin")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def organiser(out: Path) -> Organiser:
    return Organiser(out, "for a test")


def play(out: Path, cup: Event, *, until: int | None = None) -> list[RunEvent]:
    """Play the event; stop after this number of new matches."""
    found: list[RunEvent] = []
    with closing(events(out, cup)) as running:  # type: ignore[type-var]
        for event in running:
            found.append(event)
            if until is not None and new(found) == until:
                break
    return found


def new(found: list[RunEvent]) -> int:
    return sum(isinstance(event, MatchPlayed) and event.is_new for event in found)


def tables(out: Path) -> dict[str, tuple[str, ...]]:
    """Return who played each match of which there is a record."""
    return {file.stem: tuple(bot.name for bot in read_record(file).entrants) for file in record_files(out)}


def matches(out: Path) -> dict[str, tuple[int, tuple[str, ...], tuple[int, ...]]]:
    """Return the seed, the bots and the actions of each match of which there is a record."""
    records = [read_record(file) for file in record_files(out)]
    return {
        record.key: (record.seed, tuple(bot.name for bot in record.entrants), tuple(record.decisions.actions))
        for record in records
    }


def counted(out: Path) -> set[str]:
    return {match.key for match in results_in(out).matches}


def running(out: Path, cup: Event, decide: Decide, after: int = 5) -> list[RunEvent]:
    """Play an event to its end, in which something is decided after some matches."""
    found: list[RunEvent] = []
    for event in events(out, cup):
        found.append(event)
        if isinstance(event, MatchPlayed) and new(found) == after:
            decide(organiser(out))
    return found


def of(kind: type, found: list[RunEvent]) -> list[RunEvent]:
    return [event for event in found if isinstance(event, kind)]


def test_a_withdrawn_bot_plays_no_block_that_had_not_begun(out: Path, cup: Event) -> None:
    found = running(out, cup, lambda decides: decides.withdraw("bob"))
    (decided,) = read_trail(out)
    assert decided.block == 4, "two blocks are begun at a time"
    (event,) = of(OrganiserDecided, found)
    assert isinstance(event, OrganiserDecided)
    assert event.decisions == (decided.model_copy(update={"block": None}),)
    late = {key: table for key, table in tables(out).items() if key >= "b000004"}
    assert len(late) == 8
    assert all("bob" not in table for table in late.values())
    assert any("bob" in table for table in tables(out).values())
    assert counted(out) == set(tables(out))
    assert "withdrawn" in kept_field(event_in(out), {}, out).entrants.values()
    (finished,) = of(Finished, found)
    assert isinstance(finished, Finished)
    assert finished.tournament
    assert "withdrawn" in kept_field(finished.tournament, {}, out).entrants.values()


def test_the_progress_of_an_event_follows_its_decisions(out: Path, cup: Event) -> None:
    found = running(out, cup, lambda decides: decides.withdraw("bob"))
    expected = 0
    for event in found:
        match event:
            case Planned() | OrganiserDecided():
                expected = event.matches
            case MatchesSkipped():
                expected -= len(event.keys)
            case Finished():
                assert expected == event.matches == len(tables(out))


def test_the_matches_of_a_struck_bot_do_not_count_any_more(out: Path, cup: Event) -> None:
    found = running(out, cup, lambda decides: decides.withdraw("bob 1", strike=True))
    assert all("bob" not in table for table in tables(out).values())
    assert len(tables(out)) == 12
    struck = [record.key for event in found if isinstance(event, MatchesSkipped) for record in event.records]
    assert struck
    assert {file.stem for file in (out / "voided").iterdir()} == set(struck)


def test_databases_follow_decisions(out: Path, cup: Event, tmp_path: Path) -> None:
    found = 0
    with open_database(tmp_path / "all.sqlite", create=True) as database, DatabaseFeed([database]) as feed:
        for event in events(out, cup):
            feed(event)
            if isinstance(event, MatchPlayed) and (found := found + 1) == 5:
                organiser(out).withdraw("bob", strike=True)
                organiser(out).repeat("b000001")
    with open_database(tmp_path / "all.sqlite") as database:
        assert {match.identity for match in database.results()} == {match.identity for match in results_in(out).matches}


def test_the_leaderboard_of_a_stopped_event_follows_at_once(out: Path, cup: Event) -> None:
    play(out, cup)
    before = counted(out)
    organiser(out).void("b000003-r1")
    assert counted(out) == before - {"b000003-r1"}
    organiser(out).withdraw("ann", strike=True)
    assert counted(out) == {key for key, table in tables(out).items() if "ann" not in table} - {"b000003-r1"}
    assert results_in(out).left_out == []
    organiser(out).repeat("b000003")
    assert "b000003-r0" not in counted(out)


def test_a_void_match_is_not_played_again(out: Path, cup: Event) -> None:
    play(out, cup)
    organiser(out).void("b000002")
    found = play(out, cup)
    assert new(found) == 0
    assert not any(key.startswith("b000002") for key in tables(out))


@pytest.mark.parametrize("target", ["b000001", "b000001-r1"])
def test_a_repeated_match_is_played_again_with_another_deal(out: Path, cup: Event, target: str) -> None:
    play(out, cup)
    before = matches(out)
    organiser(out).repeat(target)
    found = play(out, cup)
    changed = {key for key, match in matches(out).items() if match[0] != before[key][0]}
    assert changed == {key for key in before if key.startswith(target)}
    assert {key for event in found if isinstance(event, BlockVoided) for key in event.keys} == changed
    assert {match[:2] for key, match in matches(out).items() if key not in changed} == {
        match[:2] for key, match in before.items() if key not in changed
    }
    organiser(out).repeat(target)
    play(out, cup)
    assert len({before[target[:7] + "-r1"][0], matches(out)[target[:7] + "-r1"][0]}) == 2


def test_a_running_event_repeats_a_match(out: Path, cup: Event) -> None:
    found = running(out, cup, lambda decides: decides.repeat("b000000-r0"))
    assert [event.keys for event in found if isinstance(event, BlockVoided)] == [("b000000-r0",)]
    assert len(tables(out)) == 24
    assert new(found) == 25


def test_a_void_match_can_be_repeated_after_all(out: Path, cup: Event) -> None:
    play(out, cup)
    organiser(out).void("b000001")
    play(out, cup)
    organiser(out).repeat("b000001")
    assert new(play(out, cup)) == 2
    assert len(counted(out)) == 24


def test_a_bot_joins_a_running_event(out: Path, cup: Event, tmp_path: Path) -> None:
    write_bot(tmp_path / "eve", "eve")
    table = {"path": str(tmp_path / "eve"), "owner": "zoe"}
    found = running(out, cup, lambda decides: decides.add(table))
    with_eve = {key for key, names in tables(out).items() if "eve" in names}
    assert min(with_eve) >= "b000004"
    assert len(with_eve) == 2 * 2 * 4, "one block with each other in each of two rounds"
    (decided,) = of(OrganiserDecided, found)
    assert isinstance(decided, OrganiserDecided)
    assert decided.matches == len(tables(out)) == 8 + 2 * 20
    assert counted(out) == set(tables(out))
    assert new(play(out, cup)) == 0


def test_a_joined_bot_whose_files_change_is_refused(out: Path, cup: Event, tmp_path: Path) -> None:
    play(out, cup)
    organiser(out).add({"path": write_bot(tmp_path / "eve", "eve")})
    play(out, cup)
    (tmp_path / "eve" / "brain").write_text("other")
    with pytest.raises(SettingsError, match="is no longer the bot eve 1 that joined; restore its files"):
        play(out, cup)


def test_who_was_withdrawn_is_not_scheduled_after_another_joined(out: Path, cup: Event, tmp_path: Path) -> None:
    play(out, cup, until=8)
    organiser(out).withdraw("ann")
    play(out, cup, until=2)
    organiser(out).add({"path": write_bot(tmp_path / "eve", "eve")})
    found = play(out, cup)
    (decided,) = of(OrganiserDecided, found)
    assert isinstance(decided, OrganiserDecided)
    assert decided.decisions[0].action == "add"
    skipped = {key for event in found if isinstance(event, MatchesSkipped) for key in event.keys}
    block = read_trail(out)[1].block
    assert block is not None
    assert all(int(key[1:7]) < block for key in skipped), "the new part has no tables for ann"


def test_an_event_is_lengthened(out: Path, cup: Event) -> None:
    found = running(out, cup, lambda decides: decides.lengthen(Length("rounds", 3)))
    assert len(tables(out)) == 36
    finished = found[-1]
    assert isinstance(finished, Finished)
    assert finished.matches == 36
    assert new(play(out, cup)) == 0
    assert new(play(out, cup.replaced(rounds=3))) == 0, "the file may say so as well"


def test_a_paused_event_goes_on_when_it_is_resumed(out: Path, cup: Event) -> None:
    found: list[RunEvent] = []
    for event in events(out, cup):
        found.append(event)
        if isinstance(event, MatchPlayed) and new(found) == 3:
            organiser(out).pause()
        if isinstance(event, EventPaused):
            assert new(found) == 4, "what has begun is played to its end"
            organiser(out).resume()
    assert [type(event) for event in found if isinstance(event, OrganiserDecided | EventPaused)] == [
        OrganiserDecided,
        EventPaused,
        OrganiserDecided,
    ]
    assert len(tables(out)) == 24


def test_an_event_that_is_paused_is_still_paused_for_the_next_run(out: Path, cup: Event) -> None:
    play(out, cup, until=4)
    organiser(out).pause()
    with closing(events(out, cup)) as again:  # type: ignore[type-var]
        found = [type(event) for event in islice(again, 7)]
    assert found == [Planned, OrganiserDecided, *[MatchPlayed] * 4, EventPaused], "it is known what has been played"


def test_later_rounds_are_paired_again_when_a_match_before_does_not_count(out: Path, cup: Event) -> None:
    swiss = cup.replaced(format="swiss", rounds=3)
    play(out, swiss)
    before = tables(out)
    for block in ("b000000", "b000001"):
        organiser(out).repeat(block)
    play(out, swiss)
    after = tables(out)
    assert after.keys() == before.keys()
    assert counted(out) == set(after)
    assert results_in(out).left_out == []
    assert new(play(out, swiss)) == 0


def everything(organiser: Organiser, late: str) -> Iterator[object]:
    yield organiser.repeat("b000000-r1")
    yield organiser.withdraw("cid")
    yield organiser.add({"path": late})
    yield organiser.void("b000001")
    yield organiser.lengthen(Length("blocks", 18))


@pytest.mark.slow
@pytest.mark.parametrize("format", ["round-robin", "adaptive"])
def test_an_interruption_at_any_event_changes_nothing(out: Path, cup: Event, tmp_path: Path, format: str) -> None:
    cup = cup.replaced(format=format, rounds=None, blocks=12)
    late = write_bot(tmp_path / "eve", "eve")
    play(out, cup, until=7)
    for _ in everything(organiser(out), late):
        pass
    begun = tmp_path / "begun"
    play(out, cup, until=1)  # the decisions are noticed
    shutil.copytree(out, begun)
    kinds = [type(event) for event in play(out, cup)]
    wanted, trail = matches(out), (out / "decisions.jsonl").read_bytes()
    firsts = {1 + kinds.index(kind) for kind in kinds}
    for stop in sorted(firsts | {len(kinds) // 2}):
        again = tmp_path / f"again{stop}"
        shutil.copytree(begun, again)
        with closing(events(again, cup)) as interrupted:  # type: ignore[type-var]
            for _ in range(stop):
                next(interrupted)
        play(again, cup)
        assert (matches(again), (again / "decisions.jsonl").read_bytes()) == (wanted, trail)


def test_who_joins_an_adaptive_event_meets_those_who_play_and_nothing_is_forgotten(
    out: Path, cup: Event, tmp_path: Path
) -> None:
    adaptive = cup.replaced(format="adaptive", rounds=None, blocks=20)
    eve = write_bot(tmp_path / "eve", "eve")
    running(out, adaptive, lambda decides: [decides.withdraw("bob"), decides.add({"path": eve})], after=11)
    block = read_trail(out)[1].block
    assert block is not None
    late = [table for key, table in tables(out).items() if key >= f"b{block:06d}"]
    assert len(late) == 2 * (20 - block)
    assert {bot for table in late for bot in table} == {"ann", "cid", "dan", "eve"}
    assert results_in(out).left_out == []
    assert new(play(out, adaptive)) == 0


@pytest.mark.parametrize("format", ["swiss", "single-elimination", "double-elimination", "groups-final"])
def test_no_bot_joins_where_the_past_decides_who_plays(out: Path, cup: Event, tmp_path: Path, format: str) -> None:
    play(out, cup.replaced(format=format, rounds=1), until=3)
    with pytest.raises(ScheduleError, match=f"no one can join {format} once it has begun"):
        organiser(out).add({"path": write_bot(tmp_path / "eve", "eve")})
    assert read_trail(out) == ()


@pytest.mark.slow
@pytest.mark.parametrize("format", ["balanced", "adaptive", "swiss"])
def test_an_event_that_is_to_stop_early_follows_decisions_too(
    out: Path, cup: Event, tmp_path: Path, format: str
) -> None:
    asked = cup.replaced(format=format, rounds=None, blocks=60, options={"rounds": "1"}, stop=(Within(4.5),))
    eve = write_bot(tmp_path / "eve", "eve")

    def decide(decides: Organiser) -> object:
        joins = [] if format == "swiss" else [decides.add({"path": eve})]
        return [decides.withdraw("bob"), *joins, decides.repeat("b000000"), decides.void("b000001-r0")]

    finished = running(out, asked, decide)[-1]
    assert isinstance(finished, Finished)
    assert finished.reason == "every rating is known to ±4.5"
    found = results_in(out)
    assert (len(found.matches), found.left_out) == (finished.matches, [])
    assert still_missing(event_in(out), found.matches) == ""
    assert new(play(out, asked)) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("decide", "sentence"),
    [
        (lambda it: it.withdraw("eve"), "eve does not play in the event; its bots: ann 1, bob 1, cid 1, dan 1"),
        (lambda it: [it.withdraw("ann"), it.withdraw("ann")], "ann has been withdrawn already"),
        (lambda it: it.void("b1"), "'b1' is neither a match, such as b000012-r1, nor a block, such as b000012"),
        (lambda it: it.void("b000099"), "b000099 has not been played"),
        (lambda it: [it.void("b000001"), it.void("b000001-r0")], "b000001-r0 does not count already"),
        (lambda it: it.repeat("../../etc"), "is neither a match"),
        (
            lambda it: it.lengthen(Length("rounds", 2)),
            "rounds = 2 gives 12 blocks in all, and the event has 12 already",
        ),
        (lambda it: it.resume(), "the event is not paused"),
        (lambda it: [it.pause(), it.pause()], "the event is paused already"),
        (lambda it: it.add({"path": "./nothing"}), "nothing"),
        (lambda it: it.add({"path": "remote:far"}), "remote bots cannot join"),
        (lambda it: it.add({"path": "x", "lbl": "y"}), "bot 1 has the unknown key 'lbl'"),
        (lambda it: replace(it, reason=" "), "the reason is ' '; it must say something"),
        (lambda it: replace(it, reason="a\nb"), "without control characters"),
        (lambda it: replace(it, folder=Path("nowhere")).pause(), "nowhere is not the output folder of a tournament"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(out: Path, cup: Event, decide: Decide, sentence: str) -> None:
    play(out, cup)
    decisions = read_trail(out)
    with pytest.raises(WrongInput, match=sentence):
        decide(organiser(out))
    assert len(read_trail(out)) <= len(decisions) + 1


def test_a_second_bot_of_one_name_cannot_join(out: Path, cup: Event, tmp_path: Path) -> None:
    play(out, cup, until=1)
    with pytest.raises(OrganiserError, match="an entrant is called ann 1 already; give --label"):
        organiser(out).add({"path": str(tmp_path / "ann")})
    organiser(out).add({"path": str(tmp_path / "ann"), "label": "ann-2"})
    with pytest.raises(OrganiserError, match="an entrant is called ann-2 1 already"):
        organiser(out).add({"path": str(tmp_path / "ann"), "label": "ann-2"})


def test_no_elimination_is_longer(out: Path, cup: Event) -> None:
    play(out, cup.replaced(format="single-elimination", rounds=None), until=1)
    with pytest.raises(WrongInput, match="an elimination lasts until one table is left"):
        organiser(out).lengthen(Length("rounds", 9))


def test_the_blocks_of_a_worker_are_played_again_wherever_it_played_one_of_their_matches(out: Path, cup: Event) -> None:
    play(out, cup)
    for key in ("b000001-r0", "b000003-r1"):
        record = read_record(out / "records" / f"{key}.match")
        record.worker = "lab-1"
        write_record(out / "records", record)
    decisions = organiser(out).repeat_worker("lab-1")
    assert [(made.action, made.match) for made in decisions if isinstance(made, Ruling)] == [
        ("repeat", "b000001"),
        ("repeat", "b000003"),
    ]
    with pytest.raises(OrganiserError, match="no match here was played by a worker called 'lab-2'; the workers: lab-1"):
        organiser(out).repeat_worker("lab-2")
    Trail(out).decide("close", "it is over", {})
    with pytest.raises(OrganiserError, match="nothing can be decided any more"):
        organiser(out).repeat_worker("lab-1")


def test_with_one_deal_for_a_block_a_single_match_cannot_be_repeated(out: Path, cup: Event) -> None:
    play(out, cup.replaced(seeds="block"), until=4)
    with pytest.raises(OrganiserError, match="all matches of b000000 have one deal, so b000000-r1 cannot be repeated"):
        organiser(out).repeat("b000000-r1")
    organiser(out).repeat("b000000")


def test_a_comparison_takes_no_decisions(out: Path, cup: Event) -> None:
    play(out, cup.replaced(format="comparison", rounds=None, blocks=1, bots=cup.bots[:2] if cup.bots else ()))
    with pytest.raises(OrganiserError, match="holds a comparison, which its test alone decides"):
        organiser(out).pause()


def test_the_trail_is_one_json_object_a_line_with_who_when_and_why(out: Path, cup: Event) -> None:
    play(out, cup, until=1)
    organiser(out).withdraw("ann")
    (line,) = (out / "decisions.jsonl").read_text().splitlines()
    values = json.loads(line)
    assert values["reason"] == "for a test"
    assert values["who"]
    assert values["time"].endswith("Z")
