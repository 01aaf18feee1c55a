"""What a returned record proves about the worker that played it: it follows from the match that was ordered, or not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.cluster.orders import BlockOutcome
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import RecordError, parsed
from ballcourt.arena.workers.queue import Failure
from ballcourt.engine.core import EngineError
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord

SHOWN: Final = 200
"""How much is said of a lie: a stranger chose its words."""


@dataclass(frozen=True, slots=True)
class Lie:
    """A match whose record cannot come from playing it, and the difference."""

    key: str
    difference: str


def lie_in(played: BlockOutcome, specs: Mapping[int, MatchSpec]) -> Lie | None:
    """Return the first lie of a worker about matches that it was sent, by their numbers; None if all could be true.

    A worker that answers for other matches, or leaves out some though none failed, lies too.
    """
    return next(_lies(played, specs), None)


def _lies(played: BlockOutcome, specs: Mapping[int, MatchSpec]) -> Iterator[Lie]:
    first = next(iter(specs.values())).key
    numbers = [number for number, _ in played.ends]
    if numbers != [*specs][: len(numbers)]:
        yield Lie(first, "it answers for matches that it was not sent")
        return
    for number, end in played.ends:
        if isinstance(end, bytes) and (difference := _difference(end, specs[number])):
            yield Lie(specs[number].key, difference[:SHOWN])
    if len(numbers) < len(specs) and not (played.ends and isinstance(played.ends[-1][1], Failure)):
        yield Lie(first, "its block is incomplete")


def _difference(content: bytes, spec: MatchSpec) -> str:
    """Return how a record contradicts the match that was ordered, or the rules; empty if it does not."""
    try:
        record = parsed(Path(spec.key), content)
        return "it is the record of another match" if _is_another(record, spec) else verify(record).difference
    except (RecordError, EngineError) as error:
        return str(error)


def _is_another(record: MatchRecord, spec: MatchSpec) -> bool:
    game = find_game(spec.game)
    ordered = (
        spec.key,
        spec.game,
        game.rules_version,
        spec.seed,
        game.check(len(spec.entrants), spec.options),
        [entrant.bot for entrant in spec.entrants],
        0,
    )
    recorded = (
        record.key,
        record.game,
        record.rules_version,
        record.seed,
        dict(record.options),
        [BotVersion(entrant.name, entrant.version, entrant.content_hash) for entrant in record.entrants],
        record.branched_from.decision,
    )
    return ordered != recorded
