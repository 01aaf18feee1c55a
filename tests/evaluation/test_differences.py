"""Where two versions differ, found in the records of matches of a small game."""

from collections.abc import Sequence

import pytest

from ballcourt import Bot, Decision, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.evaluation.differences import (
    BlockStory,
    Parting,
    by_opponent,
    by_question,
    by_seat,
    story,
)
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord, SeatFault

OLD, NEW = "old", "new"


class Version(Bot):
    """Bids 1 in each round; from a certain round on, the new version bids 2."""

    version = "1"

    def __init__(self, name: str, changes_in: int) -> None:
        super().__init__()
        self.name = name
        self._rounds = 0
        self._changes_in = changes_in if name == NEW else 99

    def choose(self, decision: Decision) -> int:
        self._rounds += 1
        return 2 if self._rounds > self._changes_in else 1


def block(splits: Sequence[str], *, seed: int = 1, changes_in: int = 1) -> list[MatchRecord]:
    """Play a block: "no" is a match of the new version against the old one."""
    return [
        play_in_process(
            "bluff",
            [Session(Version(NEW if side == "n" else OLD, changes_in)) for side in split],
            seed=seed,
            key=f"b000000-r{number}",
        )
        for number, split in enumerate(splits)
    ]


def told(splits: Sequence[str], *, seed: int = 1, changes_in: int = 1) -> BlockStory:
    return story(block(splits, seed=seed, changes_in=changes_in), lambda name: name == NEW)


def partings(block: BlockStory) -> list[Parting | None]:
    return [split.parting for split in block.splits]


def test_versions_part_at_the_first_decision_in_which_they_differ() -> None:
    """In the second round: seats 0 and 1 bid 1 in the first one, and then seat 0 is the first to differ."""
    (parting,) = partings(told(["no", "on"]))
    assert parting == Parting("Bid", "b000000-r0", 2)


def test_the_example_is_the_match_in_which_the_new_version_decided() -> None:
    (parting,) = partings(told(["on", "no"]))
    assert parting == Parting("Bid", "b000000-r1", 2)


def test_versions_that_decide_alike_do_not_part() -> None:
    same = told(["nono", "onon"], changes_in=99)
    assert partings(same) == [None]
    assert same.share == 0.5
    assert by_question([same]) == []


def test_an_odd_table_has_a_parting_for_each_two_opposite_splits() -> None:
    assert len(partings(told(["nno", "oon", "non", "ono", "onn", "noo"]))) == 3


def test_with_one_seat_the_versions_part_on_the_same_deal() -> None:
    alone = told(["n", "o"])
    assert partings(alone) == [Parting("Bid", "b000000-r0", 1)]
    assert len(alone.duels) == 1


def test_a_version_that_loses_its_seat_parts_there_even_if_its_substitute_does_the_same() -> None:
    one, other = block(["no", "on"], changes_in=99)
    one.decisions.decided_by[4] = DecidedBy.DECIDED_BY_NOBODY
    assert partings(story([one, other], lambda name: name == NEW)) == [Parting("Bid", "b000000-r0", 4)]


@pytest.mark.parametrize("seed", range(6))
def test_the_gain_of_a_seat_is_the_mean_of_its_gains_against_the_others(seed: int) -> None:
    stories = [told(["nono", "onon"], seed=seed)]
    seats, opponents = by_seat(stories), by_opponent(stories)
    assert [*seats] == [0, 1, 2, 3]
    for seat, gain in seats.items():
        against = [found.value for (own, _), found in opponents.items() if own == seat]
        assert gain.value == pytest.approx(sum(against) / 2)
        assert -1 <= gain.low <= gain.value <= gain.high <= 1
    assert 2 * stories[0].share - 1 == pytest.approx(sum(gain.value for gain in seats.values()) / 4)


def test_the_most_frequent_question_comes_first_with_the_share_won_after_it() -> None:
    stories = [told(["no", "on"], seed=seed) for seed in range(8)]
    (found,) = by_question(stories)
    assert (found.question, found.share.blocks) == ("Bid", 8)
    assert found.share.value == pytest.approx(sum(one.share for one in stories) / 8)


def test_a_block_counts_once_for_a_kind_of_question_however_many_splits_part_there() -> None:
    (found,) = by_question([told(["nno", "oon", "non", "ono", "onn", "noo"])])
    assert found.share.blocks == 1


def test_think_times_and_faults_are_those_of_each_version() -> None:
    records = block(["no", "on"])
    records[0].faults.append(SeatFault(seat=1, termination=Termination.TERMINATION_CRASH))
    records[1].tolerated.add(seat=0)
    found = story(records, lambda name: name == NEW)
    assert (found.new.faults, found.old.faults) == (0, 2)
    assert (found.new.decisions, found.old.decisions) == (6, 6)
    assert found.new.think_us > 0


def test_own_decisions_are_those_in_which_a_version_did_not_fall_back() -> None:
    one, other = block(["no", "on"])
    one.decisions.decided_by[0] = other.decisions.decided_by[1] = DecidedBy.DECIDED_BY_FALLBACK
    one.decisions.decided_by[1] = DecidedBy.DECIDED_BY_FALLBACK
    found = story([one, other], lambda name: name == NEW)
    assert (found.new.decisions, found.new.own_decisions) == (6, 4)
    assert (found.old.decisions, found.old.own_decisions) == (6, 5)
