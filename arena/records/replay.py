"""Match records executed again: position by position, and to prove that a record follows from its decisions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from ballcourt.arena.faults import short_name
from ballcourt.arena.records.decisions import decided_by
from ballcourt.arena.records.placements import rival_results, seat_results
from ballcourt.arena.records.store import HASH_BYTES, RecordError
from ballcourt.engine.core import EngineError, Game, IllegalAction, State, UnknownGame, digest
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import SeatResult
from ballcourt.v1.record_pb2 import MatchRecord, RivalResult


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of executing a record again: how many decisions agree, and the first difference."""

    decisions: int
    difference: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the whole record follows from its decisions."""
        return not self.difference


def verify(record: MatchRecord) -> Verification:
    """Execute a record again, and compare every position and the results with it.

    Raises RecordError when the game or its rules version is not installed.
    """
    if len(record.decisions.hashes) != HASH_BYTES * len(record.decisions.seats):
        return Verification(0, "the hash chain is not as long as the list of decisions")
    game, state = opening(record)
    chain = digest(state)
    if chain != record.opening_hash:
        return Verification(0, f"the opening position differs: {_hashes(chain, record.opening_hash)}")
    for number, (seat, action) in enumerate(zip(record.decisions.seats, record.decisions.actions, strict=True)):
        if wrong := wrong_decider(record, state, number):
            return Verification(number, f"decision {number} differs: {wrong}")
        try:
            state.apply(seat, action)
        except IllegalAction as error:
            return Verification(number, f"decision {number} differs: {error}")
        chain = digest(state, chain)
        recorded = record.decisions.hashes[HASH_BYTES * number :][:HASH_BYTES]
        if chain != recorded:
            named = f"decision {number} (seat {seat}, {_action_name(game, action)})"
            return Verification(number, f"{named} differs: {_hashes(chain, recorded)}")
    return Verification(len(record.decisions.seats), _difference_at_the_end(record, state))


def opening(record: MatchRecord) -> tuple[Game, State]:
    """Return the game of a record, and its opening position.

    Raises RecordError if the game, its rules version or the options are not installed here.
    """
    try:
        game = find_game(record.game)
        if record.rules_version != game.rules_version:
            raise RecordError(
                f"match {record.key} was played by rules version {record.rules_version} of {record.game}; "
                f"installed is {game.rules_version}, which cannot execute it{_advice(record)}"
            )
        return game, game.initial_state(len(record.entrants), record.seed, record.options)
    except UnknownGame as error:
        raise RecordError(f"match {record.key} cannot be executed here: {error}{_advice(record)}") from error
    except EngineError as error:
        raise RecordError(f"match {record.key} cannot be executed here: {error}") from error


def positions(record: MatchRecord) -> Iterator[State]:
    """Yield the position before each decision, then the final one. It is one state, changed in place, with a ledger.

    Raises RecordError if the record cannot be executed.
    """
    _, state = opening(record)
    state.ledger = []
    yield state
    for number, (seat, action) in enumerate(zip(record.decisions.seats, record.decisions.actions, strict=True)):
        try:
            state.apply(seat, action)
        except IllegalAction as error:
            raise RecordError(f"decision {number} of match {record.key} cannot be executed: {error}") from error
        yield state


def question_at(record: MatchRecord, number: int) -> str:
    """Return the kind of question of decision `number`, by its name in the protocol, such as "TAKE_TILE".

    Raises RecordError if the record cannot be executed.
    """
    return next(islice(questions(record), number, None))


def questions(record: MatchRecord) -> Iterator[str]:
    """Yield the kinds of question of all decisions. Raises RecordError if the record cannot be executed."""
    game, _ = opening(record)
    names = game.wire().question_names()
    for state in islice(positions(record), len(record.decisions.seats)):
        frame = state.frames[-1]
        yield names.get(frame.kind, type(frame).__name__)


def is_forced(state: State, seat: int) -> bool:
    """Whether a seat is asked and has a single legal action."""
    return seat in state.pending_seats() and len(state.legal_actions(seat)) == 1


def wrong_decider(record: MatchRecord, state: State, number: int) -> str:
    """Return how the record contradicts itself or the rules about who decided; empty if it does not."""
    recorded, forced = decided_by(record, number), is_forced(state, record.decisions.seats[number])
    taken_over = number < record.branched_from.decision and not forced
    if taken_over != (recorded == "record"):
        begins = f"the match branched off at decision {record.branched_from.decision}"
        return f"the record says that it was decided by {recorded}, but {begins}"
    if forced == (recorded == "rules"):
        return ""
    options = "a single legal action" if forced else "more than one legal action"
    return f"the record says that it was decided by {recorded}, but there was {options}"


def _advice(record: MatchRecord) -> str:
    """Return what to install to execute a record, as the end of a sentence; empty if the record does not say."""
    package = record.rules_package
    return f"; its rules come with {package.name} {package.version}: install that version" if package.name else ""


def _difference_at_the_end(record: MatchRecord, state: State) -> str:
    if state.pending_seats():
        return f"the match is not over after the last decision; it waits for seats {state.pending_seats()}"
    vacated = {fault.seat: (fault.decision, fault.termination) for fault in record.faults}
    for seat, (executed, recorded) in enumerate(zip(seat_results(state, vacated), record.results, strict=True)):
        if executed != recorded:
            return (
                f"the result of seat {seat} differs: {_result(executed)} executed again, {_result(recorded)} recorded"
            )
    rivals = rival_results(state, vacated)
    if rivals != list(record.rivals):
        return f"the rivals differ: {_rivals(rivals)} executed again, {_rivals(record.rivals)} recorded"
    return ""


def _result(result: SeatResult) -> str:
    return f"place {result.placement} with {result.score:g} ({short_name(result.termination)})"


def _rivals(rivals: Iterable[RivalResult]) -> str:
    return ", ".join(f"{rival.name} at place {rival.placement} with {rival.score:g}" for rival in rivals) or "none"


def _hashes(executed: bytes, recorded: bytes) -> str:
    return f"its position hashes to {executed.hex()} executed again, {recorded.hex()} in the record"


def _action_name(game: Game, action: int) -> str:
    return game.action_names[action] if action < len(game.action_names) else f"action {action}"
