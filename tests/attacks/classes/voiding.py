"""Attempts to spoil matches as if the arena had failed, so that they do not count or the run ends."""

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.cluster.runner import ClusterRunner
from ballcourt.arena.workers.queue import RunnerError, WorkerChange, WorkerNews
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import fixture_bot
from tests.arena.matches import match_of
from tests.attacks.attack import Deed, Ground, deed
from tests.attacks.clusters import LIAR, demands, with_a_liar
from tests.attacks.in_match import GAME, HONEST, OPTIONS, PATIENT, SEED
from tests.attacks.strangers import caching
from tests.cli.conftest import write_bot

STALLING = "stalling.py"
BLOCKS = 8
OK = Termination.TERMINATION_OK


def _spoiler(way: str) -> Deed:
    """Return the attack of a bot outside of a sandbox that makes the arena fail whenever it is its turn."""

    def harms(_: Ground) -> list[str]:
        tables = {
            "spoiled": (fixture_bot(STALLING, way), fixture_bot(HONEST)),
            "other": (fixture_bot(HONEST), fixture_bot(HONEST)),
        }
        blocks = [[match_of(key, GAME, OPTIONS, SEED, table, PATIENT)] for key, table in tables.items()]
        try:
            with Runner(workers=1) as runner:
                events = [event for event in runner.run_blocks(blocks) if isinstance(event, MatchRecord)]
        except RunnerError as error:
            return [f"ended the run: {error}"]
        seats = {record.key: [result.termination for result in record.results] for record in events}
        expected = {"other": [OK, OK], "spoiled": [Termination.TERMINATION_FAILED_TO_START, OK]}
        return [] if seats == expected else [f"the seats ended {seats}"]

    return Deed(way, harms)


@deed("a worker of a cluster makes up winners")
def _makes_up_winners(ground: Ground) -> list[str]:
    """Play with two workers, one of which exchanges the results of all its matches."""
    with ground.folder() as place, caching(place / "cache"), with_a_liar(2) as own:
        table = [load_bot(write_bot(place / name, name, *play)) for name, play in (("low", ()), ("any", ("random",)))]
        blocks = [[match_of(f"b{number}", GAME, OPTIONS, number, table, PATIENT)] for number in range(BLOCKS)]
        with Runner(workers=1) as alone:
            expected = {record.key: [*record.results] for record in alone.run(match for (match,) in blocks)}
        with ClusterRunner(own.address, own.security, demands(), own) as runner:
            runner.gather(2, {bot.entrant: bot for bot in table}, lambda _: None)
            events = [*runner.run_blocks(blocks)]
    found = {event.key: [*event.results] for event in events if isinstance(event, MatchRecord)}
    named = [event.worker for event in events if isinstance(event, WorkerNews) and event.news is WorkerChange.SHUT_OUT]
    harm = [] if found == expected else [f"its lies count: {found} instead of {expected}"]
    return harm + ([] if named == [LIAR] else [f"the workers {named} are shut out"])


ATTACKS = (_spoiler("kills the arena"), _spoiler("stops the arena and leaves"), _makes_up_winners)
