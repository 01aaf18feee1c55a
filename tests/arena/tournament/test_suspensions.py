"""Who has to sit out: judged round by round, from results alone."""

from collections.abc import Callable, Iterable
from itertools import islice

import pytest

from ballcourt.arena.match.policy import FaultPolicy, parse_policy
from ballcourt.arena.tournament.formats.round_robin import round_robin
from ballcourt.arena.tournament.schedule import Block, Seating, keyed_seatings
from ballcourt.arena.tournament.suspensions import Suspensions, rounds, suspensions_after

ENTRANTS, SEATS = 4, 2  # a round has 6 blocks; everybody plays 6 matches in it
AT_FAULT = 2
Faulty = Callable[[str], bool]
"""Whether the entrant `AT_FAULT` is at fault in the match with this key."""


def always(_: str) -> bool:
    return True


def faults_of(matches: Iterable[Seating], faulty: Faulty) -> dict[str, list[bool]]:
    return {key: [entrant == AT_FAULT and faulty(key) for entrant in table] for key, table in matches}


def schedule(number: int) -> list[list[Block]]:
    blocks = islice(round_robin(ENTRANTS, SEATS, seed=1), 6 * number)
    return list(rounds(blocks, ENTRANTS, SEATS))


def blocks_played(policy: FaultPolicy, faulty: Faulty, number: int = 6) -> list[int]:
    """How many blocks are played in each round."""
    suspensions = Suspensions(policy, ENTRANTS)
    played = []
    for portion in schedule(number):
        due = [match for block in portion for match in suspensions.due(block)]
        suspensions.judge(due, faults_of(due, faulty))
        played.append(len(due) // SEATS)
    return played


def test_a_round_holds_every_group_once() -> None:
    for portion in schedule(2):
        assert len({tuple(sorted(block.order)) for block in portion}) == len(portion) == 6


def test_a_disqualified_entrant_plays_no_more_and_the_others_among_themselves() -> None:
    assert blocks_played(parse_policy({"disqualify": "above 50% of 6 matches"}), always) == [6, 3, 3, 3, 3, 3]


@pytest.mark.parametrize(("percent", "rest"), [(49, 3), (50, 6)])
def test_the_rate_has_to_be_exceeded(percent: int, rest: int) -> None:
    policy = parse_policy({"disqualify": f"above {percent}% of 6 matches"})
    assert blocks_played(policy, lambda key: key.endswith("r0"), 2) == [6, rest]


def test_nobody_is_disqualified_by_too_few_matches() -> None:
    policy = parse_policy({"disqualify": "above 0% of 13 matches"})
    assert blocks_played(policy, lambda key: key == "b000000-r0" or key > "b000002", 4) == [6, 6, 6, 3]


def test_probation_lasts_its_rounds_and_then_the_count_begins_anew() -> None:
    first_round: Faulty = lambda key: key < "b000006"  # noqa: E731
    policy = parse_policy({"probation": "2 rounds after 3 faults in 9 matches"})
    assert blocks_played(policy, first_round) == [6, 3, 3, 6, 6, 6]
    assert blocks_played(policy, always) == [6, 3, 3, 6, 3, 3]


def test_probation_looks_at_the_last_matches_only() -> None:
    policy = parse_policy({"probation": "1 round after 3 faults in 4 matches"})
    early: Faulty = lambda key: key < "b000002"  # noqa: E731
    assert blocks_played(policy, early, 2) == [6, 6]


def test_who_plays_alone_sits_out_alone() -> None:
    suspensions = Suspensions(parse_policy({"disqualify": "above 50% of 1 match"}), ENTRANTS)
    first, second = islice(round_robin(ENTRANTS, 1, seed=1), 2)
    assert len(suspensions.due(first)) == ENTRANTS
    suspensions.judge(suspensions.due(first), faults_of(suspensions.due(first), always))
    assert [key for key, _ in suspensions.due(second)] == ["b000001-r0", "b000001-r1", "b000001-r3"]


def test_a_verdict_says_who_and_on_what() -> None:
    policy = parse_policy({"disqualify": "above 90% of 12 matches", "probation": "1 round after 3 faults in 4 matches"})
    suspensions = Suspensions(policy, ENTRANTS)
    sentences = []
    for portion in schedule(4):
        due = [match for block in portion for match in suspensions.due(block)]
        sentences += suspensions.judge(due, faults_of(due, always))
    assert [entrant for entrant, _ in sentences] == [AT_FAULT, AT_FAULT]
    assert [sentence for _, sentence in sentences] == [
        "sits out 1 round: 4 of its last 4 matches had a fault",
        "is disqualified: 12 of its 12 matches had a fault",
    ]
    assert [suspensions.status(entrant) for entrant in range(ENTRANTS)] == ["", "", "disqualified", ""]


def test_the_results_alone_tell_who_sits_out() -> None:
    policy = parse_policy({"probation": "2 rounds after 3 faults in 9 matches"})
    faults = faults_of([match for block in schedule(1)[0] for match in keyed_seatings(block)], always)
    assert suspensions_after(policy, ENTRANTS, SEATS, 18, faults).status(AT_FAULT) == "on probation"
    incomplete = {key: seats for key, seats in faults.items() if key != "b000003-r1"}
    assert suspensions_after(policy, ENTRANTS, SEATS, 18, incomplete).status(AT_FAULT) == ""
