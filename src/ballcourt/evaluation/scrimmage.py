"""One match that counts nowhere, in a process of its own: it shows an author how a bot does against another.

Its record and what the author's bot printed are kept. Of the other bots it keeps what a spectator could see of
a match: neither what they printed or thought, nor what they were asked before they lost a seat.
"""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import Entry, resolve_entry
from ballcourt.arena.building.builds import ready_entries
from ballcourt.arena.files import write_atomically
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.models import LAX, Model
from ballcourt.arena.printable import printable
from ballcourt.arena.processes.asked import AskedProcess, answer
from ballcourt.arena.records.bundle import LOG_SUFFIX
from ballcourt.arena.records.store import write_record
from ballcourt.arena.tournament.event.seeds import draw_seed
from ballcourt.arena.tournament.event.setups import SetUp, setups_of
from ballcourt.arena.tournament.event.tables import BotTable, ClockTable, FaultsTable, SandboxTable, SetUpTable
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch
from ballcourt.arena.workers.process import environment
from ballcourt.arena.workers.runner import play_one
from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.evaluator import Evaluator
from ballcourt.v1.record_pb2 import MatchRecord

FEEDBACK: Final = "feedback"
"""The name of the log in which the feedback is."""


class Bout(Model):
    """A match that is to be played."""

    key: str
    bots: Annotated[tuple[BotTable, ...], LAX, Field(min_length=2)]
    """That of the author first, then the others; at a larger table they sit several times, in turn."""
    setups: Annotated[tuple[SetUpTable, ...], LAX, Field(min_length=1)]
    """What may be played, of which one is drawn."""
    records: str
    """The folder where the record and the logs go."""
    matches: int = 1
    """How many are to be played; more than one are an evaluation against the second bot."""
    clock: ClockTable = ClockTable()
    faults: FaultsTable = FaultsTable()
    sandbox: SandboxTable = SandboxTable()


class BoutOutcome(Model):
    """How a match went."""

    result: str = ""
    """A line with places and points."""
    trouble: str = ""
    """Why it could not be played; empty if it was."""


class BoutProcess(AskedProcess[BoutOutcome]):
    """The matches of a bout in a process that this starts."""

    def __init__(self, bout: Bout) -> None:
        what = "the match" if bout.matches == 1 else "the matches"
        super().__init__(__name__, bout, BoutOutcome, environment(), what)


def play(bout: Bout) -> BoutOutcome:
    """Play one match, or several, and keep what may be kept. Raises ArenaError and OSError."""
    try:
        return _one(bout) if bout.matches == 1 else _several(bout)
    except WrongInput as error:  # such as a bot that cannot be built any more
        return BoutOutcome(trouble=str(error).partition("\n")[0])  # the rest may be output of the other bot


def _one(bout: Bout) -> BoutOutcome:
    entries = [table.entry(resolve_entry) for table in bout.bots]
    match = _match(bout, entries)
    record = play_one(match)
    own = entries[0].entrant.bot.content_hash
    keep(Path(bout.records), record, [entrant.content_hash == own for entrant in record.entrants])
    return BoutOutcome(result=result_of(record))


def _several(bout: Bout) -> BoutOutcome:
    """Evaluate the first bot against the second one, and keep the feedback as a log."""
    own, other = bout.bots
    setup = secrets.choice(setups_of(bout.setups))
    with Evaluator(
        setup.game,
        opponents=[other.path],
        seats=setup.seats,
        options=dict(setup.options),
        clock=bout.clock.model_dump(exclude_unset=True),
        sandbox=bout.sandbox.model_dump(exclude_unset=True),
        workers=1,
    ) as arena:
        found = arena.evaluate(Path(own.path), f"{bout.matches} matches")
        feedback = arena.feedback(Path(own.path))
    folder = Path(bout.records)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / f"{bout.key}-{FEEDBACK}{LOG_SUFFIX}", feedback.encode())
    return BoutOutcome(result=f"{setup.game}, {setup.seats} seats: {found.in_words}")


def _match(bout: Bout, entries: Sequence[Entry]) -> PlayableMatch:
    setup, sandbox = secrets.choice(setups_of(bout.setups)), bout.sandbox.sandbox()
    spec = MatchSpec(
        key=bout.key,
        game=setup.game,
        options=dict(setup.options),
        seed=draw_seed().number,
        entrants=_seated(setup, [entry.entrant for entry in entries]),
        clock=bout.clock.clock(),
        policy=bout.faults.policy(),
    )
    return PlayableMatch(spec, ready_entries(entries, sandbox), sandbox, Lifetime.MATCH, logs=True)


def _seated(setup: SetUp, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Return who sits where: in turn, and who begins is drawn."""
    first = secrets.randbelow(len(entrants))
    return tuple(entrants[(first + seat) % len(entrants)] for seat in range(setup.seats))


def keep(folder: Path, record: MatchRecord, own: Sequence[bool]) -> None:
    """Write a record, and the logs of one's own seats; drop what belongs to the authors of the others."""
    folder.mkdir(parents=True, exist_ok=True)
    for seat, log in enumerate(record.logs):
        if log and own[seat]:
            lines = "".join(f"{printable(line)}\n" for line in log.splitlines())
            write_atomically(folder / f"{record.key}-seat{seat}{LOG_SUFFIX}", lines.encode())
    record.ClearField("logs")
    for fault in record.faults:
        if not own[fault.seat]:
            fault.ClearField("stderr_tail")
            fault.ClearField("last")
    for seat in [seat for seat in record.packages if not own[seat]]:
        del record.packages[seat]
    decisions = record.decisions
    for of_decision in (decisions.thoughts, decisions.evaluations):
        for number in [number for number in of_decision if not own[decisions.seats[number]]]:
            del of_decision[number]
    write_record(folder, record)


def result_of(record: MatchRecord) -> str:
    """Return places and points in a line, the first place first."""
    seats = sorted(range(len(record.entrants)), key=lambda seat: record.results[seat].placement)
    lost = {fault.seat for fault in record.faults}
    return ", ".join(
        f"{record.results[seat].placement}. {record.entrants[seat].name} {record.entrants[seat].version} with "
        f"{record.results[seat].score:g} points" + (", its seat lost" if seat in lost else "")
        for seat in seats
    )


if __name__ == "__main__":
    answer(Bout, play)
