"""Recorded matches as text: the outcome, and the decisions turn by turn.

With an observer, the output has only what that seat could know.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice, repeat
from typing import TypeVar

from ballcourt.arena.faults import excerpt, short_name
from ballcourt.arena.printable import cut
from ballcourt.arena.records.replay import positions
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.records.summaries import (
    DecisionSummary,
    EvaluationSummary,
    RankedSummary,
    SeatSummary,
    decision_summaries,
    limits,
    packages_of,
    seat_summaries,
)
from ballcourt.v1.record_pb2 import MatchRecord, RivalResult

T = TypeVar("T")
HOW = {
    "fallback": "a fallback, the bot did not choose itself",
    "rules": "by the rules",
    "substitute": "substituted after a fault",
    "nobody": "by nobody, the seat was vacated",
    "record": "as in the match that this one branched off",
    None: "",
}
"""How decisions are described that no bot made, or about which the observer cannot know."""
QUOTED_LINES, QUOTED_WIDTH = 12, 400
"""How much of a bot's last output is shown."""


def account(record: MatchRecord, observer: int | None = None) -> list[str]:
    """Return the outcome in a few lines: the match, then its seats and rivals from first to last place."""
    options = "".join(f", {name} = {value}" for name, value in sorted(record.options.items()))
    lines = [f"{record.game}, rules {record.rules_version}{options}; {len(record.decisions.seats)} decisions"]
    limited = "".join(f", {name} {value}" for name, value in limits(record).items())
    lines += [f"sandbox tier {record.sandbox_tier}{limited}"] if record.sandbox_tier or limited else []
    seats = seat_summaries(record, observer)
    wide = max([len(_name(seat)) for seat in seats] + [len(rival.name) for rival in record.rivals])
    placed = [(seat.placement, [*_seat_lines(record, seat, wide, observer)]) for seat in seats]
    placed += [(rival.placement, [_rival_line(rival, wide)]) for rival in record.rivals]
    for _, entry_lines in sorted(placed, key=lambda entry: entry[0]):
        lines += entry_lines
    return lines


def narrative(
    record: MatchRecord,
    observer: int | None = None,
    first: int = 0,
    last: int | None = None,
    words: Iterable[str] | None = None,
) -> Iterator[str]:
    """Yield the whole match: its outcome, then the decisions `first` to `last`, turn by turn.

    `words` are all actions as the observer saw them; without them, those of the installed rules.

    A turn is headed by the points of all seats before it, where the record can be executed and there is no observer.
    Raises RecordError.
    """
    yield f"match {record.key}" + ("" if observer is None else f", as seat {observer} saw it")
    yield from account(record, observer)
    yield from _origin(record)
    yield _circumstances(record)
    for seat, found in packages_of(record, observer):
        more = [f"{found.left_out} more"] if found.left_out else []
        names = ", ".join([*(line.partition(" ")[0] for line in found.lines), *more])
        yield f"seat {seat} had Python packages of its own: {names or 'which ones is not known'}"
    turn = -1
    for step, points in zip(
        chosen(decision_summaries(record, observer, words), first, last),
        chosen(_points(record, observer), first, last),
        strict=True,
    ):
        if step.seat != turn:
            yield ""
            yield f"seat {step.seat} {record.entrants[step.seat].name}{points}"
            turn = step.seat
        yield from _step_lines(step)


def chosen(steps: Iterator[T], first: int, last: int | None) -> Iterator[T]:
    """Yield the steps numbered `first` to `last`, both included; to the end without `last`."""
    return islice(steps, first, None if last is None else last + 1)


def _points(record: MatchRecord, observer: int | None) -> Iterator[str]:
    """Yield the points of all seats before each decision; nothing where the record cannot be executed here."""
    shown = 0
    if observer is None:  # points may follow from what is hidden from a seat
        with suppress(RecordError):
            for state in islice(positions(record), len(record.decisions.seats)):
                yield f"; points {', '.join(f'{points:g}' for points in state.scores())}"
                shown += 1
    yield from repeat("", len(record.decisions.seats) - shown)


def _origin(record: MatchRecord) -> Iterator[str]:
    """Say what a match branched off from, if it did."""
    if record.HasField("branched_from"):
        origin = record.branched_from
        players = ", ".join(f"{entrant.name} {entrant.version}" for entrant in origin.entrants)
        yield f"branched off from match {origin.key} of {players} at decision {origin.decision}"


def _circumstances(record: MatchRecord) -> str:
    """Say when, by what and on what a match was played."""
    host = record.host
    rules = "compiled rules" if host.compiled_rules else ""
    own = f"{record.bot_cpus} of them for the bots" if record.bot_cpus else ""
    speed = f"speed {host.speed:g}" if host.speed else ""
    processors = f"{host.cpus} x {host.cpu}" if host.cpu else ""
    machine = [host.system, host.machine, processors, own, speed, host.python, rules]
    scaled = "; clocks are scaled by its speed" if record.clock_scale else ""
    most = max(record.beside, default=0)
    scaled += f"; a bot's process played up to {most} other {'match' if most == 1 else 'matches'}" if most else ""
    return f"played {record.started} by {record.arena} on {', '.join(filter(None, machine))}{scaled}"


def _name(seat: SeatSummary) -> str:
    return f"{seat.bot} {seat.version}"


def _seat_lines(record: MatchRecord, seat: SeatSummary, wide: int, observer: int | None) -> Iterator[str]:
    lost = seat.termination != "OK"
    points = f"its substitute got {seat.score:g} points" if lost else f"{seat.score:>8g} points"
    yield f"{seat.placement:>3}.  {_name(seat):<{wide}}  seat {seat.seat}  {points}{_conduct(seat)}"
    if lost:
        when = "" if seat.vacated_at is None else f" at decision {seat.vacated_at}"
        yield f"      lost its seat{when} ({seat.termination})" + (f": {seat.detail}" if seat.detail else "")
    if seat.own_decisions is not None and seat.own_decisions < 1:
        yield f"      ! it chose only {seat.own_decisions:.0%} of its {seat.decisions} decisions itself"
    if observer in (None, seat.seat):
        for fault in (fault for fault in record.tolerated if fault.seat == seat.seat):
            yield f"      was forgiven ({short_name(fault.termination)}, {fault.remedy}): {fault.detail}"
        yield from (f"      | {cut(line, QUOTED_WIDTH)}" for line in excerpt(seat.stderr_tail or "", QUOTED_LINES))


def _conduct(seat: SeatSummary) -> str:
    """Return how long a bot thought, if the observer may know."""
    if seat.think_mean_ms is None:
        return ""
    return (
        f"   thought {seat.think_mean_ms:.1f} ms, at most {seat.think_max_ms:.1f} ms"
        + (f"; CPU {seat.cpu_ms:.0f} ms in all" if seat.cpu_ms else "")
        + (f"; {seat.work} units of work each time" if seat.work else "")
        + ("; remote" if seat.remote else "")
    )


def _rival_line(rival: RivalResult, wide: int) -> str:
    return f"{rival.placement:>3}.  {rival.name:<{wide}}  no bot  {rival.score:>8g} points"


def _step_lines(step: DecisionSummary) -> Iterator[str]:
    how = f"{step.think_ms:.1f} ms" if step.by == "bot" else HOW[step.by]
    yield f"{step.number:>6}  {step.action:<40} {how}".rstrip()
    for number, line in enumerate(step.thoughts.splitlines()):
        yield f"        {'         ' if number else 'thought: '}{line}"
    if step.evaluation:
        yield from (f"        {line}" for line in _evaluation_lines(step.evaluation))


def _evaluation_lines(evaluation: EvaluationSummary) -> Iterator[str]:
    if evaluation.values:
        yield "expects: " + ", ".join(f"seat {seat} {value:+.2f}" for seat, value in enumerate(evaluation.values))
    if evaluation.ranked:
        yield "ranks: " + ", ".join(map(_ranked, evaluation.ranked))
    if evaluation.marks:
        yield "marks: " + ", ".join(
            f"{mark.place} ({mark.label})" if mark.label else mark.place for mark in evaluation.marks
        )


def _ranked(entry: RankedSummary) -> str:
    return f"{entry.action} {entry.value:.3g}" + (f" ({entry.visits} x)" if entry.visits else "")
