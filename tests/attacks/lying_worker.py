"""A worker of a cluster that plays, and then makes another bot the winner: it takes the arguments of `ballcourt`."""

from collections.abc import Callable
from dataclasses import replace

from ballcourt.arena.cluster.orders import BlockOrder, BlockOutcome
from ballcourt.arena.cluster.slots import Slots
from ballcourt.arena.workers.queue import Failure
from ballcourt.cli import main
from ballcourt.v1.record_pb2 import MatchRecord

honest = Slots.play


def forged(end: bytes | Failure) -> bytes | Failure:
    """Return a record in which the seats have each other's results."""
    if isinstance(end, Failure):
        return end
    record = MatchRecord.FromString(end)
    results = [*record.results][::-1]
    del record.results[:]
    record.results.extend(results)
    return record.SerializeToString()


def play(slots: Slots, order: BlockOrder, is_wanted: Callable[[], bool]) -> BlockOutcome:
    """Play as `Slots.play` does, and lie about all that was played."""
    played = honest(slots, order, is_wanted)
    return replace(played, ends=tuple((number, forged(end)) for number, end in played.ends))


if __name__ == "__main__":
    Slots.play = play  # type: ignore[assignment, method-assign]
    main()
