"""What happened in a recorded match, as text and as JSON values: who, what, how long, and the scene at any moment.

With an observer, only what that seat could know is told.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import fmean

from arena.records import RecordError, opening, positions
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from engine.core.game import Scene

HIDDEN = "(hidden)"


@dataclass(frozen=True, slots=True)
class Step:
    """One decision. `by` says who made it: the bot, the rules (a single option), or the stand-in of a lost seat."""

    number: int
    seat: int
    action: str
    by: str
    think_ms: float
    thoughts: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """How the match went for one seat; think times in milliseconds, over the decisions its bot made."""

    seat: int
    bot: str
    version: str
    placement: int
    score: float
    termination: str
    detail: str
    decisions: int
    think_mean_ms: float
    think_max_ms: float


def steps(record: MatchRecord, observer: int | None = None) -> Iterator[Step]:
    """Tell the decisions in order. Raises RecordError when the record cannot be executed here."""
    game, _ = opening(record)
    decisions = record.decisions
    lost = {fault.seat: fault.decision for fault in record.faults}
    following = positions(record)
    state = next(following)
    for number, (seat, action) in enumerate(zip(decisions.seats, decisions.actions, strict=True)):
        forced = seat in state.pending_seats() and len(state.legal_actions(seat)) == 1
        state = next(following)
        seen = action if observer is None else state.seen_action(seat, action, observer)
        yield Step(
            number=number,
            seat=seat,
            action=game.action_names[seen] if seen else HIDDEN,
            by="stand-in" if number >= lost.get(seat, number + 1) else "rules" if forced else "bot",
            think_ms=decisions.think_us[number] / 1000,
            thoughts=decisions.thoughts.get(number, "") if observer in (None, seat) else "",
        )


def seats(record: MatchRecord) -> list[Seat]:
    """Sum the match up, seat by seat; works for any readable record, whatever games are installed."""
    details = {fault.seat: fault.detail for fault in record.faults}
    return [_seat(record, seat, details.get(seat, "")) for seat in range(len(record.entrants))]


def scene_at(record: MatchRecord, number: int, observer: int | None = None) -> Scene:
    """Describe the position before decision `number`, or the last position for the number after the last.

    Raises RecordError for a number out of range, or when the record cannot be executed here.
    """
    game, _ = opening(record)
    last = len(record.decisions.seats)
    if not 0 <= number <= last:
        raise RecordError(f"match {record.key} has positions 0 to {last}; {number} is not one of them")
    for index, state in enumerate(positions(record)):
        if index == number:
            return game.scene(state, observer)
    raise AssertionError("positions() yields one more than there are decisions")


def check_observer(record: MatchRecord, observer: int | None) -> None:
    """Refuse a seat that the match does not have, with a RecordError."""
    if observer is not None and not 0 <= observer < len(record.entrants):
        raise RecordError(
            f"match {record.key} has seats 0 to {len(record.entrants) - 1}; {observer} is not one of them"
        )


def to_json(record: MatchRecord, observer: int | None = None, *, decisions: bool = True) -> dict[str, object]:
    """Tell the match as JSON values; the seed is left out for an observer, who could compute the deal from it."""
    told: dict[str, object] = {
        "key": record.key,
        "game": record.game,
        "rules_version": record.rules_version,
        "options": dict(record.options),
        "seed": record.seed,
        "arena": record.arena,
        "clock": {name.name: value for name, value in record.clock.ListFields()},
        "overhead_p99_ms": record.overhead_p99_us / 1000,
        "seats": [asdict(seat) for seat in seats(record)],
    }
    if observer is not None:
        del told["seed"]
    if decisions:
        told["decisions"] = [asdict(step) for step in steps(record, observer)]
    return told


def account(record: MatchRecord) -> list[str]:
    """Tell the outcome in a few lines: the match, then its seats from first to last place."""
    options = "".join(f", {name} = {value}" for name, value in sorted(record.options.items()))
    lines = [f"{record.game}, rules {record.rules_version}{options}; {len(record.decisions.seats)} decisions"]
    told = seats(record)
    names = [f"{seat.bot} {seat.version}" for seat in told]
    wide = max(len(name) for name in names)
    for seat in sorted(told, key=lambda seat: (seat.placement, seat.seat)):
        line = (
            f"{seat.placement:>3}.  {names[seat.seat]:<{wide}}  seat {seat.seat}  {seat.score:>8g} points"
            f"   thought {seat.think_mean_ms:.1f} ms, at most {seat.think_max_ms:.1f} ms"
        )
        lines.append(line)
        if seat.termination != "OK":
            lines.append(f"      lost its seat ({seat.termination}): {seat.detail}")
    return lines


def narrative(record: MatchRecord, observer: int | None = None) -> Iterator[str]:
    """Tell the match in full, one line per decision after the header. Raises RecordError."""
    yield f"match {record.key}" + ("" if observer is None else f", as seat {observer} saw it")
    yield from account(record)
    yield ""
    names = [entrant.name for entrant in record.entrants]
    wide = max(len(name) for name in names)
    for step in steps(record, observer):
        how = f"{step.think_ms:.1f} ms" if step.by == "bot" else f"by the {step.by}"
        yield f"{step.number:>4}  seat {step.seat} {names[step.seat]:<{wide}}  {step.action:<40} {how}".rstrip()
        if step.thoughts:
            yield f"      thought: {step.thoughts}"


def outline(value: object, indent: str = "") -> Iterator[str]:
    """Write JSON values as indented lines, short lists and tables of plain values in one line."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, entry in entries:
        nested = isinstance(entry, dict | list) and len(str(entry)) > 100
        yield f"{indent}{name}:" + ("" if nested else f" {_inline(entry)}")
        if nested:
            yield from outline(entry, indent + "  ")


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_inline(entry)}" for name, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(entry) for entry in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _seat(record: MatchRecord, seat: int, detail: str) -> Seat:
    decisions, result, entrant = record.decisions, record.results[seat], record.entrants[seat]
    thought = [us / 1000 for by, us in zip(decisions.seats, decisions.think_us, strict=True) if by == seat and us]
    return Seat(
        seat=seat,
        bot=entrant.name,
        version=entrant.version,
        placement=result.placement,
        score=result.score,
        termination=Termination.Name(result.termination).removeprefix("TERMINATION_"),
        detail=detail,
        decisions=len(thought),
        think_mean_ms=round(fmean(thought), 3) if thought else 0.0,
        think_max_ms=max(thought, default=0.0),
    )
