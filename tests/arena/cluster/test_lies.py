"""What the records that a worker returns prove about it."""

from collections.abc import Callable

import pytest

from ballcourt import Session
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.cluster.lies import lie_in
from ballcourt.arena.cluster.orders import BlockOutcome
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.workers.queue import Failure
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import Highest, Lowest

FAILED = Failure("it is out of memory")


def played() -> MatchRecord:
    return play_in_process("bluff", [Session(Lowest()), Session(Highest())], seed=3, key="b0-r0")


def ordered(record: MatchRecord) -> MatchSpec:
    """Return the order of a match."""
    table = tuple(
        Entrant(BotVersion(entrant.name, entrant.version, entrant.content_hash)) for entrant in record.entrants
    )
    return MatchSpec(record.key, record.game, {}, record.seed, table)


def finding(*ends: tuple[int, bytes | Failure], matches: int = 1) -> str:
    """Return what is said of a worker that was sent this number of matches, from number 7, and answers so."""
    lie = lie_in(BlockOutcome("ann", ends), dict.fromkeys(range(7, 7 + matches), ordered(played())))
    return f"{lie.key}: {lie.difference}" if lie else ""


def other_winner(record: MatchRecord) -> None:
    first, second = (result.placement for result in record.results)
    record.results[0].placement, record.results[1].placement = second, first


def other_seed(record: MatchRecord) -> None:
    record.seed += 1


def other_bot(record: MatchRecord) -> None:
    record.entrants[0].content_hash = "0" * 64


def other_rounds(record: MatchRecord) -> None:
    record.options["rounds"] = "1"


def other_action(record: MatchRecord) -> None:
    record.decisions.actions[0] = 10**6


def taken_over(record: MatchRecord) -> None:
    record.branched_from.decision = 1


def shorter(record: MatchRecord) -> None:
    del record.decisions.seats[1:]


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (other_winner, "the result of seat 0 differs: place"),
        (other_seed, "it is the record of another match"),
        (other_bot, "it is the record of another match"),
        (other_rounds, "it is the record of another match"),
        (taken_over, "it is the record of another match"),
        (other_action, "decision 0 differs"),
        (shorter, "b0-r0 is damaged: its parts do not fit together"),
    ],
)
def test_a_forged_record_is_a_lie(forge: Callable[[MatchRecord], None], sentence: str) -> None:
    record = played()
    forge(record)
    assert finding((7, record.SerializeToString())).startswith(f"b0-r0: {sentence}")


def test_what_is_no_record_is_a_lie() -> None:
    assert finding((7, b"\xff")) == "b0-r0: b0-r0 is damaged: its content is not a record"


def test_a_record_of_the_match_that_was_ordered_is_no_lie() -> None:
    assert finding((7, played().SerializeToString())) == ""


def test_an_answer_for_a_match_that_was_not_sent_is_a_lie() -> None:
    assert finding((8, played().SerializeToString())) == "b0-r0: it answers for matches that it was not sent"


def test_a_block_ends_early_only_with_a_failure() -> None:
    record = played().SerializeToString()
    assert finding((7, record), (8, FAILED), matches=3) == ""
    assert finding((7, record), matches=3) == "b0-r0: its block is incomplete"
    assert finding(matches=3) == "b0-r0: its block is incomplete"
