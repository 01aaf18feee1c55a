"""Fair admission: none of the bots that arrive holds up the others, whatever it does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import BOT_FILE
from ballcourt.arena.bots.contents import digest
from ballcourt.arena.ladder.arrivals import queue
from ballcourt.arena.ladder.arrivals.admission import ARRIVING
from ballcourt.arena.ladder.arrivals.exam import Exam, ExamVerdict, examine
from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.ladder.arrivals.interface import Refused
from ballcourt.arena.ladder.arrivals.queue import LONGEST_PAUSE_S, REMEMBERED_S
from ballcourt.arena.ladder.roster import Roster, Version
from tests.arena.ladder.arrivals.test_admission import admission, arriving, let_in, steps, watched
from tests.arena.ladder.in_process import BAD, Begun, Looked, put

__all__ = ["watched"]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A function that lets seconds pass on the clock of the queue."""
    now = [1.8e9]

    def pass_s(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(queue, "time", lambda: now[0])
    return pass_s


def test_bots_are_checked_some_at_once_in_the_order_in_which_they_came(watched: Path) -> None:
    begun = Begun()
    running = admission(watched, begun, checks=2)
    for place in ("zoe", "ann", "bob"):
        put(watched, place)
        steps(running, number=2)
    assert begun.running == ["zoe", "ann"]
    begun.end("zoe")
    steps(running)
    assert begun.running == ["ann", "bob"]


def test_bots_that_change_after_each_refusal_hold_up_no_other(watched: Path) -> None:
    begun = Begun()
    running = admission(watched, begun, checks=1)
    for place in ("a1", "a2"):
        put(watched, place, **{BAD: ""})
    steps(running)
    for place in ("honest", "modest"):
        put(watched, place)
    steps(running)
    order = []
    for number in range(8):
        (place,) = begun.running
        order.append(place)
        begun.end(place)
        for found in steps(running, number=1):
            if isinstance(found, Refused):
                (watched / found.place / BAD).write_text(str(number))
        steps(running)
    assert order[:4] == ["a1", "a2", "honest", "modest"]
    assert set(order[4:]) == {"a1", "a2"}


def test_those_with_the_fewest_refusals_come_first_even_if_they_came_later(watched: Path) -> None:
    begun, folder = Begun(), put(watched, "often", **{BAD: ""})
    running = admission(watched, begun, checks=1)
    steps(running)
    begun.end("often")
    put(watched, "slow")
    steps(running)
    assert begun.running == ["slow"]
    (folder / BAD).write_text("changed")
    steps(running)
    put(watched, "new")
    steps(running)
    begun.end("slow")
    steps(running)
    assert begun.running == ["new"]


def test_a_refused_bot_waits_twice_as_long_after_each_refusal(watched: Path, later: Callable[[float], None]) -> None:
    begun, folder = Begun(), put(watched, "ann", **{BAD: ""})
    running = admission(watched, begun, pause="10 s")
    steps(running)
    for pause_s in (10, 20, 40, 80):
        begun.end("ann")
        assert [type(found) for found in steps(running)] == [Refused]
        (folder / BAD).write_text(f"changed after {pause_s}")
        later(pause_s - 1)
        steps(running)
        assert begun.running == []
        later(1)
        steps(running)
        assert begun.running == ["ann"]


def test_a_wait_is_bounded_and_known_to_the_next_run_until_the_refusals_are_old(
    watched: Path, later: Callable[[float], None]
) -> None:
    folder = put(watched, "ann", **{BAD: ""})
    text = ""
    for number in range(12):
        (folder / BAD).write_text(str(number))
        (found,) = steps(admission(watched, pause="10 s"))
        assert isinstance(found, Refused) and found.report
        text = found.report.read_text()
        (folder / BAD).write_text(f"again {number}")
        assert steps(admission(watched, pause="10 s")) == [], "it has to wait"
        later(LONGEST_PAUSE_S)
    assert "but not before 2027-01-15 20:00:00 UTC" in text
    later(REMEMBERED_S)
    for number in range(2):
        (folder / BAD).write_text(f"later {number}")
        assert [type(found) for found in steps(admission(watched, pause="10 s"))] == [Refused]
        later(10)


def test_a_clock_that_was_set_back_makes_no_bot_wait_longer(watched: Path, later: Callable[[float], None]) -> None:
    folder = put(watched, "ann", **{BAD: ""})
    assert len(steps(admission(watched, pause="10 s"))) == 1
    later(-REMEMBERED_S)
    (folder / BAD).write_text("changed")
    assert len(steps(admission(watched, pause="10 s"))) == 1


def test_owners_take_turns_however_many_bots_one_of_them_brings(watched: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Inbox, "user_of", lambda _, place: place[0])
    begun = Begun()
    running = admission(watched, begun, checks=1, owners="user")
    for place in ("a1", "a2", "a3", "b1", "b2", "c1"):
        put(watched, place)
        steps(running, number=2)
    order = []
    for _ in range(6):
        (place,) = begun.running
        order.append(place)
        begun.end(place)
        steps(running)
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_the_bots_of_one_owner_wait_for_each_other(
    watched: Path, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Inbox, "user_of", lambda _, place: place[0])
    begun = Begun()
    running = admission(watched, begun, checks=3, owners="user", pause="10 s")
    for place in ("a1", "a2", "a3"):
        put(watched, place, **{BAD: ""})
    put(watched, "b1")
    steps(running)
    assert begun.running == ["a1", "b1"], "one of each owner at once"
    begun.end("a1")
    steps(running)
    assert begun.running == ["b1"], "a refusal lets all of its owner wait"
    later(10)
    steps(running)
    assert begun.running == ["b1", "a2"]
    begun.end("b1")
    (found,) = steps(running)
    assert isinstance(found, Version) and found.table.owner == "b"


def test_an_owner_has_no_more_bots_than_are_allowed(watched: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Inbox, "user_of", lambda _, place: place[0])
    running = admission(watched, checks=8, owners="user", per_owner=8, bots=2)
    for place in ("a1", "a2", "b1"):
        put(watched, place)
    joined = steps(running)
    roster = [let_in(watched, found) for found in joined if isinstance(found, Version)][-1]
    assert len(roster) == 3
    put(watched, "a3")
    put(watched, "a1", version="2")
    put(watched, "b2")
    found = {one.place: one for one in steps(running, roster)}
    assert isinstance(found["a1"], Version) and isinstance(found["b2"], Version)
    refused = found["a3"]
    assert isinstance(refused, Refused)
    assert refused.sentence.startswith("a has 2 bots here, and no more are allowed; let one of them retire, or ask")


def test_the_account_that_owns_a_folder_is_its_owner(watched: Path) -> None:
    put(watched, "ann")
    assert Inbox(watched).user_of("ann") == watched.owner()
    assert Inbox(watched).user_of("gone") == ""


def test_what_was_examined_is_not_examined_again_by_the_next_run(watched: Path) -> None:
    put(watched, "ann")
    put(watched, "eve", **{BAD: ""})
    admitted, _ = steps(admission(watched))
    assert isinstance(admitted, Version)
    roster = let_in(watched, admitted)
    assert steps(admission(watched), roster) == [], "it plays already"
    steps(admission(watched, begun := Begun()), roster)
    assert begun.exams == []


def test_the_folder_of_a_retired_bot_is_examined_again(watched: Path) -> None:
    put(watched, "ann")
    (first,) = steps(admission(watched))
    assert isinstance(first, Version)
    roster = let_in(watched, first)
    assert steps(admission(watched), roster) == []
    after = Begun()
    steps(admission(watched, after), Roster(()))
    assert [exam.place for exam in after.exams] == ["ann"]


def test_a_ladder_that_is_killed_leaves_nothing_half_admitted(watched: Path) -> None:
    put(watched, "ann")
    steps(admission(watched, Begun()))
    out = watched.parent / "out"
    assert len([*(out / ARRIVING).iterdir()]) == 1
    assert not (out / "bots").exists()
    begun = Begun()
    again = admission(watched, begun)
    next(again.step(Roster(())), None)
    assert not (out / ARRIVING).exists()
    steps(again)
    assert begun.running == ["ann"]
    again.close()
    assert not (out / ARRIVING).exists()


def test_of_two_bots_with_one_name_that_are_checked_at_once_one_joins(watched: Path) -> None:
    begun = Begun()
    put(watched, "one", name="ann")
    put(watched, "two", name="Ann", version="2")
    running = admission(watched, begun)
    steps(running)
    assert begun.running == ["one", "two"]
    begun.end("one")
    begun.end("two")
    first, second = steps(running)
    assert isinstance(first, Version)
    assert isinstance(second, Refused)
    assert "the name Ann looks like ann, which is another bot" in second.sentence


def test_a_folder_that_holds_too_much_is_refused(watched: Path) -> None:
    folder = put(watched, "ann")
    with (folder / "weights").open("wb") as file:
        file.truncate((1 << 20) + 1)
    outcome = examine(arriving(watched, "ann", most=1 << 20), lambda _: [])
    assert (outcome.verdict, outcome.bot.content_hash) == (ExamVerdict.UNREADABLE, ""), "before it was hashed"
    (found,) = steps(admission(watched, folder_mb=1))
    assert isinstance(found, Refused)
    assert "holds more than 1 MB, up to weights; a bot may not" in found.sentence


def test_an_exam_finds_the_hash_of_the_files_without_bot_toml(watched: Path) -> None:
    put(watched, "ann", data="much")
    put(watched, "bob", "other", data="much")
    asked = [arriving(watched, place) for place in ("ann", "bob")]
    found = [examine(one, lambda _: []) for one in asked]
    assert found[0].files_hash == found[1].files_hash == digest(Path(asked[0].copy_to), (BOT_FILE,))
    assert found[0].bot.content_hash != found[1].bot.content_hash


def test_the_process_of_the_ladder_reads_no_file_of_a_bot_that_arrives(
    watched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(watched, "ann", data="much")
    is_elsewhere, items = [False], contents.items

    class Elsewhere(Looked):
        def __init__(self, *given: object) -> None:
            is_elsewhere[0] = True
            super().__init__(*given)  # type: ignore[arg-type]
            is_elsewhere[0] = False

    def walk(*given: object) -> object:
        assert is_elsewhere[0], "the process that plays hashes or copies"
        return items(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(contents, "items", walk)
    (found,) = steps(admission(watched, Elsewhere))
    assert isinstance(found, Version)


@pytest.mark.slow
def test_a_process_finds_out_that_a_bot_plays_already(watched: Path) -> None:
    put(watched, "ann")
    (first,) = steps(admission(watched))
    assert isinstance(first, Version)
    let_in(watched, first)
    outcome = Exam(arriving(watched, "ann")).outcome()
    assert (outcome.verdict, outcome.bot) == (ExamVerdict.PLAYS, first.bot)
