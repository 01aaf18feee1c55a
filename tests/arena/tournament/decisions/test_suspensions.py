"""Who has to sit out, decided round by round from results alone."""

from collections.abc import Callable, Iterable

import pytest

from ballcourt.arena.match.policy import FaultPolicy, parse_policy
from ballcourt.arena.tournament.decisions.course import Course
from ballcourt.arena.tournament.schedules.formats.round_robin import schedule as round_robin
from ballcourt.arena.tournament.schedules.schedule import (
    Field,
    FormatOptions,
    Length,
    Seating,
    SeatOutcome,
    keyed_seatings,
)

ENTRANTS, SEATS = 4, 2  # a round has 6 blocks; everybody plays 6 matches in it
AT_FAULT = 2
Faulty = Callable[[str], bool]
"""Return whether the entrant `AT_FAULT` has a fault in the match with this key."""


def always(_: str) -> bool:
    return True


def outcomes_of(matches: Iterable[Seating], faulty: Faulty) -> dict[str, list[SeatOutcome]]:
    return {
        key: [SeatOutcome(1, 0.0, entrant == AT_FAULT and faulty(key)) for entrant in table] for key, table in matches
    }


def course(policy: FaultPolicy, rounds: int, seats: int = SEATS) -> Course:
    return Course(round_robin(Field(ENTRANTS, seats), Length("rounds", rounds), FormatOptions()), policy, ENTRANTS)


def blocks_played(policy: FaultPolicy, faulty: Faulty, rounds: int = 6) -> list[int]:
    """Return the number of blocks played in each round."""
    held = course(policy, rounds)
    played = []
    while blocks := list(held.upcoming()):
        due = [match for block in blocks for match in block.matches]
        held.settle(outcomes_of(due, faulty))
        played.append(len(due) // SEATS)
    return played


def test_after_a_disqualification_the_others_play_among_themselves() -> None:
    assert blocks_played(parse_policy({"disqualify": "above 50% of 6 matches"}), always) == [6, 3, 3, 3, 3, 3]


def test_without_suspension_rules_all_blocks_come_at_once() -> None:
    assert blocks_played(FaultPolicy(), always) == [36]


@pytest.mark.parametrize(("percent", "rest"), [(49, 3), (50, 6)])
def test_a_fault_rate_equal_to_the_limit_is_tolerated(percent: int, rest: int) -> None:
    policy = parse_policy({"disqualify": f"above {percent}% of 6 matches"})
    assert blocks_played(policy, lambda key: key.endswith("r0"), 2) == [6, rest]


def test_no_bot_is_disqualified_after_too_few_matches() -> None:
    policy = parse_policy({"disqualify": "above 0% of 13 matches"})
    assert blocks_played(policy, always, 4) == [6, 6, 6, 3]


def test_a_bot_that_was_sound_for_long_is_disqualified_by_its_last_matches() -> None:
    late: Faulty = lambda key: key >= "b000012"  # noqa: E731
    assert blocks_played(parse_policy({"disqualify": "above 50% of the last 6 matches"}), late) == [6, 6, 6, 3, 3, 3]
    assert blocks_played(parse_policy({"disqualify": "above 50% of 6 matches"}), late) == [6, 6, 6, 6, 6, 3]


def test_probation_lasts_its_rounds_and_then_the_count_restarts() -> None:
    first_round: Faulty = lambda key: key < "b000006"  # noqa: E731
    policy = parse_policy({"probation": "2 rounds after 3 faults in 9 matches"})
    assert blocks_played(policy, first_round) == [6, 3, 3, 6, 6, 6]
    assert blocks_played(policy, always) == [6, 3, 3, 6, 3, 3]


def test_probation_only_looks_at_the_last_matches() -> None:
    held = course(FaultPolicy(), 1)
    own = [key for block in held.upcoming() for key, table in block.matches if AT_FAULT in table]
    policy = parse_policy({"probation": "1 round after 3 faults in 4 matches"})
    assert blocks_played(policy, lambda key: key in own[:2], 2) == [6, 6]
    assert blocks_played(policy, lambda key: key in own[-3:], 2) == [6, 3]


def test_in_a_one_seat_game_only_the_suspended_entrant_sits_out() -> None:
    held = course(parse_policy({"disqualify": "above 50% of 1 match"}), 2, seats=1)
    [first] = held.upcoming()
    assert len(first.matches) == ENTRANTS
    held.settle(outcomes_of(first.matches, always))
    [second] = held.upcoming()
    assert [key for key, _ in second.matches] == ["b000001-r0", "b000001-r1", "b000001-r3"]
    assert second.skipped == ("b000001-r2",)


def test_a_verdict_names_the_entrant_and_the_evidence() -> None:
    policy = parse_policy({"disqualify": "above 90% of 12 matches", "probation": "1 round after 3 faults in 4 matches"})
    held = course(policy, 4)
    verdicts = []
    while blocks := list(held.upcoming()):
        verdicts += held.settle(outcomes_of((match for block in blocks for match in block.matches), always))
    assert [entrant for entrant, _ in verdicts] == [AT_FAULT, AT_FAULT]
    assert [sentence for _, sentence in verdicts] == [
        "sits out 1 round: 4 of its last 4 matches had a fault",
        "is disqualified: 12 of its 12 matches had a fault",
    ]
    assert [held.status(entrant) for entrant in range(ENTRANTS)] == ["", "", "disqualified", ""]


def test_only_results_decide_who_sits_out() -> None:
    policy = parse_policy({"probation": "2 rounds after 3 faults in 9 matches"})
    first_round = [match for due in course(policy, 1).upcoming() for match in keyed_seatings(due.block)]
    outcomes = outcomes_of(first_round, always)
    for missing, status in (("", "on probation"), ("b000003-r1", "")):
        held = course(policy, 3)
        held.follow({key: seats for key, seats in outcomes.items() if key != missing})
        assert held.status(AT_FAULT) == status
