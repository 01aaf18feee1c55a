"""What a tournament will take: time from records or clocks, processes and memory."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.records.store import write_record
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.playing import forecast
from ballcourt.arena.tournament.playing.forecast import load, longest_match_s, recorded_pace
from ballcourt.engine.core import State
from ballcourt.engine.core.playout import playout
from ballcourt.v1.protocol_pb2 import SeatResult
from ballcourt.v1.record_pb2 import DecidedBy, Decisions, Entrant, MatchRecord


def write(folder: Path, key: str, first_us: int, second_us: int) -> None:
    """Write the record of a match in which ann and bob made a decision each."""
    made = MatchRecord(
        key=key,
        game="bluff",
        entrants=[Entrant(name="ann", version="1"), Entrant(name="bob", version="1")],
        started="2026-11-22T18:30:05Z",
        opening_hash=bytes(8),
        decisions=Decisions(
            seats=[0, 1],
            actions=[0, 0],
            think_us=[first_us, second_us],
            decided_by=[DecidedBy.DECIDED_BY_BOT] * 2,
            hashes=bytes(16),
        ),
        results=[SeatResult(placement=1), SeatResult(placement=2)],
        overhead_p50_us=250_000,
    )
    write_record(folder / "records", made)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, "one", 1_000_000, 3_000_000)
    write(tmp_path, "two", 2_000_000, 5_000_000)
    return tmp_path


def test_a_match_takes_as_long_as_its_bots_think_and_the_arena_adds(folder: Path) -> None:
    pace = recorded_pace(folder, "bluff", 2)
    assert pace is not None
    assert pace.thinking_s == {("ann", "1"): 1.5, ("bob", "1"): 4.0}
    assert pace.match_s([("ann", "1"), ("bob", "1")], 2) == pytest.approx(1.5 + 4.0 + 0.5)


def test_a_bot_without_records_is_taken_for_a_typical_one(folder: Path) -> None:
    pace = recorded_pace(folder, "bluff", 2)
    assert pace is not None
    assert pace.match_s([("new", "1"), ("ann", "1")], 2) == pytest.approx(2.75 + 1.5 + 0.5)


def test_records_of_other_games_and_tables_say_nothing(folder: Path) -> None:
    assert recorded_pace(folder, "maya", 2) is None
    assert recorded_pace(folder, "bluff", 3) is None


def test_a_damaged_record_is_passed_over(folder: Path) -> None:
    (folder / "records" / "three.match").write_bytes(b"torn")
    pace = recorded_pace(folder, "bluff", 2)
    assert pace is not None
    assert pace.matches == 2


def changed(planned: Plan, **values: object) -> Plan:
    """Return the plan of an event with other values."""
    return replace(planned, event=planned.event.replaced(**values))


def test_the_clock_bounds_a_match(planned: Plan) -> None:
    short = changed(planned, clock={"bank_ms": 1000, "increment_ms": 0})
    assert longest_match_s(short) == pytest.approx(2.0)
    assert longest_match_s(changed(planned, clock={"bank_ms": 10**6, "cap_ms": 100})) < longest_match_s(planned)


def test_work_instead_of_a_clock_leaves_only_the_cap(planned: Plan) -> None:
    by_work = changed(planned, clock={"bank_ms": 1, "increment_ms": 0, "cap_ms": 1000, "work": 5})
    assert longest_match_s(by_work) >= 2.0


def test_set_ups_of_one_game_and_size_are_tried_once(settings: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def count(state: State, choose: Callable[[list[int]], int]) -> int:
        tried.append(state.seats)
        return playout(state, choose)

    monkeypatch.setattr(forecast, "playout", count)
    pool = plan(settings.replaced(seats=(2, 3), options={"rounds": ("1", "3", "100")}))
    assert len(pool.setups) == 6
    assert longest_match_s(pool) > 0
    assert tried == [2] * forecast.PLAYOUTS + [3] * forecast.PLAYOUTS


def test_the_only_set_up_has_all_matches_however_long_a_round_is(settings: Event) -> None:
    pool = plan(settings.replaced(options={"rounds": ("1", "3")}))
    assert pool.shares() == [0.5, 0.5]
    assert plan(settings).shares() == [1.0]


def test_bots_that_remember_keep_their_processes(planned: Plan) -> None:
    assert load(planned, 2).bots == 2 * 3
    assert load(changed(planned, lifetime="match"), 2).bots == 2 * 2
    assert load(planned, 2).processes == 1 + 2 * 3 + 6


def test_no_more_workers_run_than_there_are_matches(planned: Plan) -> None:
    assert load(planned, 1000).workers == planned.matches


def test_limits_of_the_sandbox_bound_the_memory(planned: Plan) -> None:
    assert load(planned, 1).limit_mb == 0
    limited = changed(planned, sandbox={"tier": 1, "memory_mb": 500})
    assert load(limited, 1).limit_mb == 3 * 500 + 60
