"""What bots spend their time on in a match: think time by kind of question, and for Python bots by function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ballcourt.arena.records.decisions import ANSWERED
from ballcourt.arena.records.replay import questions
from ballcourt.arena.temporary import scratch_folder

if TYPE_CHECKING:
    from pstats import Stats

    from ballcourt.arena.workers.playable import PlayableMatch
    from ballcourt.v1.record_pb2 import MatchRecord

MOST_FUNCTIONS: Final = 10
"""How many functions are shown; the file has all."""


@dataclass(frozen=True, slots=True)
class KindOfQuestion:
    """The answers of a bot to one kind of question; times in milliseconds."""

    kind: str
    answers: int
    think_ms: float
    """Together."""
    think_max_ms: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What one function cost in all its calls: by itself, and with all that it called; in milliseconds."""

    function: str
    calls: int
    own_ms: float
    all_ms: float


@dataclass(frozen=True, slots=True)
class SeatProfile:
    """What the bot of a seat spent its time on."""

    seat: int
    bot: str
    kinds: list[KindOfQuestion]
    functions: list[Cost]
    """Those that cost most by themselves; of one process for each seat of the same entrant, together."""
    file: str
    """The whole profile; empty if the bot wrote none."""


@contextmanager
def measured(match: PlayableMatch) -> Iterator[tuple[PlayableMatch, Path]]:
    """Yield the match with bots that write profiles, and where. They may not be confined."""
    with scratch_folder() as folder:
        bots = {}
        for entrant, bot in match.bots.items():
            own = folder / str(match.spec.entrants.index(entrant))
            own.mkdir()
            bots[entrant] = replace(bot, profile=own)
        yield replace(match, bots=bots), folder


def kept(folder: Path, record: MatchRecord, path: Path, tell: Callable[[str], None]) -> list[SeatProfile]:
    """Write what bots left in the folder into files beside their record; return the profiles of their seats.

    `tell` gets a sentence about a profile that cannot be read. Raises OSError.
    """
    files: dict[int, tuple[Path, Stats]] = {}
    for own in folder.iterdir():
        if costs := _costs(own, tell):
            seat = int(own.name)
            file = path.with_name(f"{path.stem}-seat{seat}-{record.entrants[seat].name}.prof")
            costs.dump_stats(file)
            files[seat] = file, costs
    return [_seat_profile(record, seat, files) for seat in range(len(record.entrants))]


def _costs(folder: Path, tell: Callable[[str], None]) -> Stats | None:
    """Add up the profiles that the processes of a bot have left; None if there is none."""
    from pstats import Stats  # few commands need it

    pieces = sorted(str(piece) for piece in folder.glob("*.prof"))
    try:
        return Stats(*pieces) if pieces else None
    except (EOFError, ValueError, TypeError) as error:
        tell(f"a bot left a profile that cannot be read: {error}")
        return None


def _seat_profile(record: MatchRecord, seat: int, files: dict[int, tuple[Path, Stats]]) -> SeatProfile:
    entrant = record.entrants[seat]
    first = [*record.entrants].index(entrant)
    file, costs = files.get(first, ("", None))
    functions = _dearest(costs) if costs and first == seat else []
    return SeatProfile(seat, f"{entrant.name} {entrant.version}", times_by_kind(record, seat), functions, str(file))


def times_by_kind(record: MatchRecord, seat: int) -> list[KindOfQuestion]:
    """Return the kinds of question that the bot of a seat answered, the one that took it longest first.

    Raises RecordError if the record cannot be executed.
    """
    thought: defaultdict[str, list[float]] = defaultdict(list)
    decisions = record.decisions
    for kind, owner, by, think_us in zip(
        questions(record), decisions.seats, decisions.decided_by, decisions.think_us, strict=True
    ):
        if owner == seat and by in ANSWERED:
            thought[kind].append(think_us / 1000)
    kinds = [KindOfQuestion(kind, len(times), sum(times), max(times)) for kind, times in thought.items()]
    return sorted(kinds, key=lambda one: (-one.think_ms, one.kind))


def _dearest(costs: Any) -> list[Cost]:  # noqa: ANN401 - typeshed does not know `stats`
    rows = [
        Cost(_function(*place), calls, own_s * 1000, all_s * 1000)
        for place, (_, calls, own_s, all_s, _) in costs.stats.items()
    ]
    return sorted(rows, key=lambda cost: (-cost.own_ms, cost.function))[:MOST_FUNCTIONS]


def _function(file: str, line: int, name: str) -> str:
    """Return how a function is shown; one in C has no file."""
    if file == "~":
        return name
    path = Path(file)
    return f"{name}  {path.parent.name}/{path.name}:{line}"
