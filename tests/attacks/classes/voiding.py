"""Attempts to spoil matches as if the arena had failed, so that they do not count or the run ends."""

from ballcourt.arena.workers.queue import RunnerError
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.matches import match_of
from tests.attacks.attack import Deed, Ground
from tests.attacks.in_match import GAME, HONEST, OPTIONS, PATIENT, SEED, bot

STALLING = "stalling.py"
OK = Termination.TERMINATION_OK


def _spoiler(way: str) -> Deed:
    """Return the attack of a bot outside of a sandbox that makes the arena fail whenever it is its turn."""

    def harms(_: Ground) -> list[str]:
        tables = {"spoiled": (bot(STALLING, way), bot(HONEST)), "other": (bot(HONEST), bot(HONEST))}
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


ATTACKS = (_spoiler("kills the arena"), _spoiler("stops the arena and leaves"))
