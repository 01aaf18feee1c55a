"""Which tables a ladder chooses: newcomers first, neighbours, and a share across the field; always the same ones."""

import sys
from collections import Counter
from itertools import combinations

import pytest

from ballcourt.arena.ladder.seating import Situation, Table, choose_tables
from ballcourt.arena.tournament.event.stages import Divisions
from ballcourt.arena.tournament.schedules.schedule import PlayedMatch, SeatOutcome
from ballcourt.arena.tournament.schedules.strengths import Meetings, Strengths


def known(field: range, seats: int) -> Strengths:
    """What is known of a field whose strongest have the smallest index, after many matches of neighbours."""
    meetings = Meetings(field)
    matches = []
    for first in field[: len(field) - seats + 1]:
        table = tuple(range(first, first + seats))
        outcomes = tuple(SeatOutcome(place, 0.0, fault=False) for place in range(1, seats + 1))
        matches += [PlayedMatch("m", table, outcomes)] * 8
    meetings.add(matches)
    return Strengths.of(meetings)


def situation(
    field: range,
    seats: int = 4,
    lacking: dict[int, int] | None = None,
    divisions: Divisions | None = None,
    owners: dict[int, str] | None = None,
    able: tuple[int, ...] | None = None,
) -> Situation:
    newcomers = lacking or {}
    rest = tuple(entrant for entrant in field if entrant not in newcomers)
    return Situation(
        tuple(field) if able is None else able, known(field, seats), newcomers,
        (rest,) if divisions is None else divisions, owners or {}, seats, 0, 0,
    )  # fmt: skip


def near(found: tuple[tuple[Table, ...], int]) -> tuple[Table, ...]:
    tables, across = found
    return tables[across:]


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (4, 4), (5, 4), (13, 3), (40, 4)])
def test_everybody_plays_in_every_stage_at_tables_of_different_bots(entrants: int, seats: int) -> None:
    for key in range(5):
        tables = near(choose_tables(situation(range(entrants), seats), 0.1, key))
        assert {entrant for table in tables for entrant in table} == {*range(entrants)}
        assert all(len({*table}) == seats for table in tables)
        assert len(tables) >= 8


@pytest.mark.parametrize("established", [0, 1, 2, 3])
def test_tables_are_filled_while_nearly_all_are_newcomers(established: int) -> None:
    newcomers = dict.fromkeys(range(established, 6), 4)
    for key in range(5):
        tables, _ = choose_tables(situation(range(6), lacking=newcomers), 0.1, key)
        assert {entrant for table in tables for entrant in table} == {*range(6)}
        assert all(len({*table}) == 4 for table in tables)


def test_the_same_key_gives_the_same_tables_and_another_one_others() -> None:
    one, same, other = (choose_tables(situation(range(12)), 0.1, key) for key in (7, 7, 8))
    assert one == same != other


def test_neighbours_in_strength_meet_far_more_often_than_others() -> None:
    met = Counter(
        abs(one - other)
        for key in range(20)
        for table in near(choose_tables(situation(range(40)), 0.1, key))
        for one, other in combinations(table, 2)
    )
    close = sum(times for distance, times in met.items() if distance <= 8)
    assert close > 0.9 * met.total()


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_at_least_the_asked_share_of_all_tables_is_drawn_across_the_field(share: float) -> None:
    tables = across = 0
    for stage in range(30):
        before = situation(range(30))
        now = Situation(
            before.field, before.strengths, {}, before.divisions, {}, before.seats, tables, across
        )  # fmt: skip
        chosen, more = choose_tables(now, share, stage)
        tables, across = tables + len(chosen), across + more
        assert share <= across / tables < share + 0.1
    assert across / tables < share + 0.01


def test_tables_across_the_field_seat_everybody_with_everybody() -> None:
    met: set[tuple[int, ...]] = set()
    for key in range(200):
        tables, across = choose_tables(situation(range(12)), 0.5, key)
        met |= {pair for table in tables[:across] for pair in combinations(sorted(table), 2)}
    assert met == {*combinations(range(12), 2)}


def test_a_newcomer_plays_its_provisional_matches_against_the_whole_field() -> None:
    opponents: set[int] = set()
    for key in range(100):
        tables = near(choose_tables(situation(range(20), lacking={19: 20}), 0.1, key))
        first, second, *others = tables
        assert 19 in first
        assert 19 in second
        assert not any(19 in table for table in others)
        opponents |= {*first, *second} - {19}
    assert opponents == {*range(19)}


def test_a_newcomer_that_lacks_one_match_gets_one_table() -> None:
    first, second, *_ = near(choose_tables(situation(range(20), lacking={19: 1}), 0.1, 0))
    assert 19 in first
    assert 19 not in second


def test_bots_of_different_divisions_meet_only_across_the_field() -> None:
    divisions = (tuple(range(10)), tuple(range(10, 20)))
    for key in range(10):
        for table in near(choose_tables(situation(range(20), divisions=divisions), 0.1, key)):
            assert {*table} <= {*divisions[0]} or {*table} <= {*divisions[1]}


def test_who_has_to_sit_out_is_at_no_table() -> None:
    able = tuple(entrant for entrant in range(12) if entrant != 5)
    tables, _ = choose_tables(situation(range(12), able=able), 0.3, 3)
    assert all(5 not in table for table in tables)


def test_versions_of_one_bot_are_kept_apart_while_others_are_there() -> None:
    owners = {entrant: f"bot {entrant // 2}" for entrant in range(12)}
    for key in range(10):
        tables, _ = choose_tables(situation(range(12), owners=owners), 0.2, key)
        assert all(len({owners[entrant] for entrant in table}) == 4 for table in tables)
    few = {0: "ann", 1: "ann", 2: "bob"}
    tables, _ = choose_tables(situation(range(3), seats=3, owners=few), 0.1, 1)
    assert all({*table} == {0, 1, 2} for table in tables)


@pytest.mark.parametrize("newcomers", [False, True])
def test_tables_for_twice_as_many_bots_take_about_twice_as_many_steps(*, newcomers: bool) -> None:
    def steps(bots: int) -> int:
        lacking = dict.fromkeys(range(bots), 4) if newcomers else {}
        asked, found = situation(range(bots), lacking=lacking), Counter[str]()
        sys.setprofile(lambda _, event, __: found.update((event,)))
        try:
            choose_tables(asked, 0.1, 1)
        finally:
            sys.setprofile(None)
        return found.total()

    assert steps(600) < 2.6 * steps(300)
