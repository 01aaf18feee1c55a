import pytest

from ballcourt import Bot, Decision
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.workers.runner import Runner
from ballcourt.bots.sdk.python.session import Session
from ballcourt.engine.core import InvalidOption, UnknownGame
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import LOWEST, RANDOM
from tests.arena.matches import match_of
from tests.bots.honest import Lowest, Random


def course(record: MatchRecord) -> tuple[object, ...]:
    """Return the parts of a record that must not depend on the transport."""
    decisions = record.decisions
    results = [(result.placement, result.score, result.termination) for result in record.results]
    return list(decisions.seats), list(decisions.actions), decisions.hashes, record.opening_hash, results


@pytest.mark.slow
def test_a_match_is_the_same_in_process_and_over_grpc() -> None:
    seeds = range(3)
    local = [play_in_process("bluff", [Session(Random()), Session(Lowest()), Session(Random())], seed=s) for s in seeds]
    specs = (match_of(str(seed), "bluff", {}, seed, (RANDOM, LOWEST, RANDOM)) for seed in seeds)
    with Runner(workers=1) as runner:
        remote = {record.key: record for record in runner.run(specs)}
    assert [course(record) for record in local] == [course(remote[str(seed)]) for seed in seeds]
    assert len({record.decisions.hashes for record in local}) == len(seeds)


def test_an_exception_of_a_bot_reaches_the_caller() -> None:
    class Broken(Bot):
        def choose(self, decision: Decision) -> int:
            raise KeyError("my own mistake")

    with pytest.raises(KeyError, match="my own mistake"):
        play_in_process("bluff", [Session(Broken())])


def test_a_bot_that_gives_no_reply_loses_its_seat() -> None:
    class Silent(Session):
        def handle(self, message: ArenaMessage) -> BotMessage | None:
            return None if message.HasField("decide") else super().handle(message)

    record = play_in_process("bluff", [Silent(Lowest()), Session(Lowest())])
    assert record.results[0].termination == Termination.TERMINATION_CRASH
    assert record.results[1].termination == Termination.TERMINATION_OK


def test_a_bot_for_another_game_is_refused() -> None:
    class ChessPlayer(Lowest):
        games = ("chess",)

    record = play_in_process("bluff", [Session(ChessPlayer()), Session(Lowest())])
    assert record.results[0].termination == Termination.TERMINATION_REFUSED
    assert "plays chess" in record.faults[0].detail


def test_an_impossible_match_is_refused_with_the_engines_error() -> None:
    with pytest.raises(UnknownGame, match="there is no game 'go'"):
        play_in_process("go", [])
    with pytest.raises(InvalidOption, match="it takes 1, 2, 3, 4 seats"):
        play_in_process("bluff", [])
