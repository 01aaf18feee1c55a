"""Recorded matches as text and as JSON values: seats, decisions, times, and the scene at any moment.

With an observer, the output has only what that seat could know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from ballcourt.arena.faults import short_name
from ballcourt.arena.records.decisions import decided_by, termination, think_times
from ballcourt.arena.records.readable import HIDDEN, printable
from ballcourt.arena.records.replay import opening, positions
from ballcourt.arena.records.store import RecordError
from ballcourt.engine.core import UnknownGame
from ballcourt.engine.core.game import Scene
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord, RivalResult

HOW = {"rules": "by the rules", "substitute": "substituted after a fault", "nobody": "by nobody, the seat was vacated"}
"""How decisions are described that no bot made."""


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """One decision. `by` says who made it: "bot", "rules", "substitute" or "nobody"."""

    number: int
    seat: int
    action: str
    by: str
    think_ms: float
    thoughts: str = ""


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The match of one seat; think times in milliseconds, of the decisions that its bot made."""

    seat: int
    bot: str
    version: str
    placement: int
    score: float
    termination: str
    detail: str
    tolerated: int
    """How many of its faults were tolerated."""
    decisions: int
    think_mean_ms: float
    think_max_ms: float
    cpu_ms: float
    """CPU time of all processes of the bot during the match; 0 if it was not measured."""
    work: int
    """Units of work it had per decision; 0: it played by the clock."""
    remote: bool
    """Whether its bot was remote; then the think times include the network."""


def decision_summaries(record: MatchRecord, observer: int | None = None) -> Iterator[DecisionSummary]:
    """Yield the decisions in order; those of others as the observer, a seat, saw them.

    Without an observer nothing is executed, so this works for any readable record; actions have no names where the
    rules that named them are not installed. With one, raises RecordError when the record cannot be executed here.
    """
    decisions = record.decisions
    seen = decisions.actions if observer is None else _seen(record, observer)
    names = _action_names(record)
    for number, (seat, action) in enumerate(zip(decisions.seats, seen, strict=True)):
        yield DecisionSummary(
            number=number,
            seat=seat,
            action=(names[action] if action < len(names) else f"action {action}") if action else HIDDEN,
            by=decided_by(record, number),
            think_ms=decisions.think_us[number] / 1000,
            thoughts=decisions.thoughts.get(number, "") if observer in (None, seat) else "",
        )


def _seen(record: MatchRecord, observer: int) -> Iterator[int]:
    """Execute a record; yield each action as a seat saw it, 0 for a hidden one."""
    decisions = record.decisions
    following = positions(record)
    next(following)
    for seat, action, state in zip(decisions.seats, decisions.actions, following, strict=True):
        yield state.seen_action(seat, action, observer)


def _action_names(record: MatchRecord) -> Sequence[str]:
    """Return the names of a record's actions, by number; none where the rules that played it are not installed."""
    try:
        game = find_game(record.game)
    except UnknownGame:
        return ()
    return game.action_names if game.rules_version == record.rules_version else ()


def seat_summaries(record: MatchRecord) -> list[SeatSummary]:
    """Summarise the match seat by seat; works for any readable record, whatever games are installed."""
    details = {fault.seat: fault.detail for fault in record.faults}
    return [_seat(record, seat, details.get(seat, "")) for seat in range(len(record.entrants))]


def scene_at(record: MatchRecord, number: int, observer: int | None = None) -> Scene:
    """Return the scene before decision `number`, or the final one for the number after the last.

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
    """Raise RecordError for a seat that the match does not have."""
    if observer is not None and not 0 <= observer < len(record.entrants):
        raise RecordError(
            f"match {record.key} has seats 0 to {len(record.entrants) - 1}; {observer} is not one of them"
        )


def to_json(record: MatchRecord, observer: int | None = None, *, decisions: bool = True) -> dict[str, object]:
    """Return the match as JSON values; without the seed for an observer, who could compute the deal from it."""
    told: dict[str, object] = {
        "key": record.key,
        "game": record.game,
        "rules_version": record.rules_version,
        "options": dict(record.options),
        "seed": record.seed,
        "started": record.started,
        "arena": record.arena,
        "host": {name.name: value for name, value in record.host.ListFields()},
        "rules_package": {name.name: value for name, value in record.rules_package.ListFields()},
        "sandbox": {"tier": record.sandbox_tier, **_limits(record)},
        "clock": {name.name: value for name, value in record.clock.ListFields()},
        "overhead_p99_ms": record.overhead_p99_us / 1000,
        "seats": [asdict(seat) for seat in seat_summaries(record)],
        "rivals": [{"name": rival.name, "placement": rival.placement, "score": rival.score} for rival in record.rivals],
    }
    if observer is not None:
        del told["seed"]
    if decisions:
        told["decisions"] = [asdict(step) for step in decision_summaries(record, observer)]
    return told


def account(record: MatchRecord) -> list[str]:
    """Return the outcome in a few lines: the match, then its seats and rivals from first to last place."""
    options = "".join(f", {name} = {value}" for name, value in sorted(record.options.items()))
    lines = [f"{record.game}, rules {record.rules_version}{options}; {len(record.decisions.seats)} decisions"]
    limits = "".join(f", {name} {value}" for name, value in _limits(record).items())
    lines += [f"sandbox tier {record.sandbox_tier}{limits}"] if record.sandbox_tier or limits else []
    told = seat_summaries(record)
    wide = max([len(_name(seat)) for seat in told] + [len(rival.name) for rival in record.rivals])
    placed = [(seat.placement, _told_seat(record, seat, wide)) for seat in told]
    placed += [(rival.placement, [_told_rival(rival, wide)]) for rival in record.rivals]
    for _, told_so in sorted(placed, key=lambda entry: entry[0]):
        lines += told_so
    return lines


def _circumstances(record: MatchRecord) -> str:
    """Say when, by what and on what a match was played."""
    host = record.host
    rules = "compiled rules" if host.compiled_rules else ""
    machine = [host.system, host.machine, f"{host.cpus} x {host.cpu}" if host.cpu else "", host.python, rules]
    return printable(f"played {record.started} by {record.arena} on {', '.join(filter(None, machine))}")


def _name(seat: SeatSummary) -> str:
    return f"{seat.bot} {seat.version}"


def _told_seat(record: MatchRecord, seat: SeatSummary, wide: int) -> list[str]:
    lines = [
        f"{seat.placement:>3}.  {_name(seat):<{wide}}  seat {seat.seat}  {seat.score:>8g} points"
        f"   thought {seat.think_mean_ms:.1f} ms, at most {seat.think_max_ms:.1f} ms"
        + (f"; CPU {seat.cpu_ms:.0f} ms in all" if seat.cpu_ms else "")
        + (f"; {seat.work} units of work each time" if seat.work else "")
        + ("; remote" if seat.remote else "")
    ]
    if seat.termination != "OK":
        lines.append(f"      lost its seat ({seat.termination}): {seat.detail}")
    for fault in (fault for fault in record.tolerated if fault.seat == seat.seat):
        lines.append(f"      was forgiven ({short_name(fault.termination)}, {fault.remedy}): {fault.detail}")
    return lines


def _told_rival(rival: RivalResult, wide: int) -> str:
    return f"{rival.placement:>3}.  {rival.name:<{wide}}  no bot  {rival.score:>8g} points"


def narrative(record: MatchRecord, observer: int | None = None) -> Iterator[str]:
    """Yield the whole match, one line per decision after the header. Raises RecordError."""
    yield f"match {record.key}" + ("" if observer is None else f", as seat {observer} saw it")
    yield from account(record)
    yield _circumstances(record)
    yield ""
    names = [entrant.name for entrant in record.entrants]
    wide = max(len(name) for name in names)
    for step in decision_summaries(record, observer):
        how = f"{step.think_ms:.1f} ms" if step.by == "bot" else HOW[step.by]
        yield f"{step.number:>4}  seat {step.seat} {names[step.seat]:<{wide}}  {step.action:<40} {how}".rstrip()
        if step.thoughts:
            yield f"      thought: {step.thoughts}"


def outline(value: object, indent: str = "") -> Iterator[str]:
    """Yield JSON values as indented lines, with short lists and tables of plain values in one line."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, entry in entries:
        nested = isinstance(entry, dict | list) and len(str(entry)) > 100
        yield f"{indent}{name}:" + ("" if nested else f" {_inline(entry)}")
        if nested:
            yield from outline(entry, indent + "  ")


def _limits(record: MatchRecord) -> dict[str, int]:
    return {name.name: value for name, value in record.sandbox_limits.ListFields()}


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_inline(entry)}" for name, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(entry) for entry in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _seat(record: MatchRecord, seat: int, detail: str) -> SeatSummary:
    result, entrant = record.results[seat], record.entrants[seat]
    thought = [think_us / 1000 for think_us in think_times(record, seat)]
    return SeatSummary(
        seat=seat,
        bot=entrant.name,
        version=entrant.version,
        placement=result.placement,
        score=result.score,
        termination=termination(record, seat),
        detail=detail,
        tolerated=sum(fault.seat == seat for fault in record.tolerated),
        decisions=len(thought),
        think_mean_ms=round(fmean(thought), 3) if thought else 0.0,
        think_max_ms=max(thought, default=0.0),
        cpu_ms=_of_seat(record.cpu_us, seat) / 1000,
        work=_of_seat(record.work, seat),
        remote=seat in record.remote,
    )


def _of_seat(numbers: Sequence[int], seat: int) -> int:
    """Return the number of a seat; 0 in a list that the record leaves out."""
    return numbers[seat] if numbers else 0
