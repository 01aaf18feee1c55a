"""The file that keeps an organiser's decisions: it only grows, and a crash never damages it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ballcourt.arena.tournament.decisions.trail import TRAIL, Ruling, Trail, TrailError, read_trail, size_of


def test_a_folder_without_a_trail_has_no_decisions(tmp_path: Path) -> None:
    assert read_trail(tmp_path) == ()
    assert size_of(tmp_path) == 0


def test_what_is_decided_is_read_back_in_order(tmp_path: Path) -> None:
    first = Trail(tmp_path).decide("withdraw", "it cheats", {"bot": "ann 1", "strike": True})
    second = Trail(tmp_path).decide("pause", "lunch", {})
    assert read_trail(tmp_path) == (first, second)
    assert (first.number, second.number) == (1, 2)
    assert first.sentence.startswith("ann 1 is withdrawn, and its matches are struck (")
    assert first.sentence.endswith(": it cheats)")


def test_several_decisions_are_added_at_once_and_numbered_in_order(tmp_path: Path) -> None:
    Trail(tmp_path).decide("pause", "lunch", {})
    made = Trail(tmp_path).decide_all("repeat", "a slow machine", [{"match": "b000001"}, {"match": "b000004"}])
    assert [(decision.number, decision.match) for decision in made if isinstance(decision, Ruling)] == [
        (2, "b000001"),
        (3, "b000004"),
    ]
    assert read_trail(tmp_path)[1:] == tuple(made)


def test_if_one_of_several_decisions_makes_no_sense_none_is_added(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="match"):
        Trail(tmp_path).decide_all("repeat", "x", [{"match": "b000001"}, {}])
    assert read_trail(tmp_path) == ()


def test_a_run_notes_from_which_block_on_a_decision_applies(tmp_path: Path) -> None:
    first, second = (Trail(tmp_path).decide("pause", "x", {}) for _ in range(2))
    Trail(tmp_path).apply([first], 7)
    assert [decision.block for decision in read_trail(tmp_path)] == [7, None]
    Trail(tmp_path).apply([second], 9)
    assert [decision.block for decision in read_trail(tmp_path)] == [7, 9]


def test_a_line_that_a_crash_cut_short_is_ignored_and_then_replaced(tmp_path: Path) -> None:
    Trail(tmp_path).decide("pause", "x", {})
    with (tmp_path / TRAIL).open("ab") as file:
        file.write(b'{"action": "wi')
    assert [decision.action for decision in read_trail(tmp_path)] == ["pause"]
    Trail(tmp_path).decide("resume", "y", {})
    assert [decision.action for decision in read_trail(tmp_path)] == ["pause", "resume"]


def test_a_line_is_read_once_however_many_are_added(tmp_path: Path) -> None:
    trail = Trail(tmp_path)
    trail.decide("pause", "x", {})
    first = trail.follow()
    file = tmp_path / TRAIL
    file.write_bytes(b"?" * (file.stat().st_size - 1) + b"\n")  # anything but this line could be read
    second = trail.decide("resume", "y", {})
    assert (second.number, trail.follow()) == (2, [*first, second])
    trail.apply(first, 3)
    assert trail.has_news
    assert trail.follow() == [second]
    assert [decision.block for decision in trail.decisions] == [3, None]
    assert not trail.has_news


def test_a_trail_that_is_cut_while_it_is_followed_is_damaged(tmp_path: Path) -> None:
    trail = Trail(tmp_path)
    trail.decide("pause", "x", {})
    trail.follow()
    (tmp_path / TRAIL).write_bytes(b"")
    with pytest.raises(TrailError, match=r"decisions\.jsonl has become shorter; restore it from a copy"):
        trail.follow()


def test_decisions_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = [*pool.map(lambda number: Trail(tmp_path).decide("pause", f"{number}", {}), range(40))]
    assert sorted(decision.number for decision in made) == [*range(1, 41)]
    assert {decision.reason for decision in read_trail(tmp_path)} == {str(number) for number in range(40)}


@pytest.mark.parametrize(
    "line",
    [
        b"no json",
        b"[1]",
        b'{"action": "explode", "reason": "", "who": "", "time": ""}',
        b'{"action": "withdraw", "reason": "", "who": "", "time": ""}',
        b'{"action": "apply", "decision": 9, "block": 1}',
        b'{"action": "apply", "decision": 0, "block": 1}',
        b'{"action": "apply", "decision": 1, "block": "x"}',
        b"\xff\xfe",
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes) -> None:
    Trail(tmp_path).decide("pause", "x", {})
    with (tmp_path / TRAIL).open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(TrailError, match=r"decisions\.jsonl is damaged in line 2; restore it from a copy"):
        read_trail(tmp_path)


@pytest.mark.slow
def test_decisions_are_read_however_long_the_trail_is(tmp_path: Path) -> None:
    for _ in range(24):
        Trail(tmp_path).decide("pause", "x" * (3 << 20), {})
    Trail(tmp_path).decide("resume", "it is repaired", {})
    assert [decision.action for decision in read_trail(tmp_path)] == ["pause"] * 24 + ["resume"]
