"""Recorded matches as values: seats, decisions, and the scene at any moment.

With an observer, a seat, the output is built from what everyone may know and what that seat knew; it has nothing
else. `None` stands for what the observer cannot know.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean

from ballcourt.arena.records.decisions import decided_by, own_share, termination, think_times
from ballcourt.arena.records.evaluations import objection
from ballcourt.arena.records.readable import HIDDEN
from ballcourt.arena.records.replay import positions
from ballcourt.arena.records.store import RecordError
from ballcourt.engine.core import UnknownGame
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Clock
from ballcourt.v1.record_pb2 import MatchRecord, Packages


@dataclass(frozen=True, slots=True)
class RankedSummary:
    """An action that a bot considered: its worth in the bot's own measure, and how often it was tried, 0 if unknown."""

    action: str
    value: float
    visits: int


@dataclass(frozen=True, slots=True)
class MarkSummary:
    """A place of the scene to which a bot draws attention."""

    place: str
    label: str


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    """What a bot made of the position it was asked about. `values` has how each seat is expected to end, -1 to 1."""

    values: list[float]
    ranked: list[RankedSummary]
    """Best first."""
    marks: list[MarkSummary]


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """One decision. `by` says who made it, see `decided_by`.

    An observer does not learn who made the decisions of others, nor how long they took: a forced choice or a long
    thought betrays what a hidden choice was about.
    """

    number: int
    seat: int
    action: str
    by: str | None = None
    think_ms: float | None = None
    thoughts: str = ""
    evaluation: EvaluationSummary | None = None
    """What its bot made of the position, in numbers; None if it did not say."""


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The match of one seat; think times in milliseconds, of the decisions that its bot made.

    The fields with a default are known to the seat itself and to the organiser only.
    """

    seat: int
    bot: str
    version: str
    placement: int
    score: float
    termination: str
    remote: bool
    """Whether its bot was remote; then the think times include the network."""
    detail: str | None = None
    """Why it lost its seat, in a sentence; empty if it did not."""
    vacated_at: int | None = None
    """The decision from which the seat was vacant."""
    stderr_tail: str | None = None
    """The end of what a bot wrote that lost its seat."""
    tolerated: int | None = None
    """How many of its faults were tolerated."""
    decisions: int | None = None
    """How many decisions its bot answered."""
    own_decisions: float | None = None
    """The share of them that the bot chose itself, from 0 to 1; in the others it fell back, as it says."""
    think_mean_ms: float | None = None
    think_max_ms: float | None = None
    cpu_ms: float | None = None
    """CPU time of all processes of the bot during the match; 0 if it was not measured."""
    work: int | None = None
    """Units of work it had per decision; 0: it played by the clock."""


def decision_summaries(
    record: MatchRecord, observer: int | None = None, words: Iterable[str] | None = None
) -> Iterator[DecisionSummary]:
    """Yield the decisions in order; those of others as the observer, a seat, saw them.

    `words` are the actions as the observer saw them, if they are known from elsewhere. With them, or without an
    observer, nothing is executed, so this works for any readable record; actions have no names where the rules that
    named them are not installed. Otherwise raises RecordError when the record cannot be executed here.
    """
    names = _action_names(record)
    seen = _in_words(record, observer, names) if words is None else words
    for number, (seat, action) in enumerate(zip(record.decisions.seats, seen, strict=True)):
        public = DecisionSummary(number, seat, action)
        yield _with_time(record, public, names) if observer in (None, seat) else public


def _in_words(record: MatchRecord, observer: int | None, names: Sequence[str]) -> Iterator[str]:
    for action in record.decisions.actions if observer is None else _seen(record, observer):
        yield _name(names, action) if action else HIDDEN


def _name(names: Sequence[str], action: int) -> str:
    return names[action] if action < len(names) else f"action {action}"


def _with_time(record: MatchRecord, public: DecisionSummary, names: Sequence[str]) -> DecisionSummary:
    """Return a decision with what only its own seat knows."""
    number, decisions = public.number, record.decisions
    return replace(
        public,
        by=decided_by(record, number),
        think_ms=decisions.think_us[number] / 1000,
        thoughts=decisions.thoughts.get(number, ""),
        evaluation=_evaluation(record, number, names),
    )


def _evaluation(record: MatchRecord, number: int, names: Sequence[str]) -> EvaluationSummary | None:
    """Return what a bot said about a position; None also for what no arena would have recorded."""
    evaluations = record.decisions.evaluations
    if number not in evaluations or objection(evaluations[number], len(record.entrants)):
        return None
    evaluation = evaluations[number]
    return EvaluationSummary(
        values=[*evaluation.values],
        ranked=[RankedSummary(_name(names, one.action), one.value, one.visits) for one in evaluation.ranked],
        marks=[MarkSummary(mark.place, mark.label) for mark in evaluation.marks],
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


def seat_summaries(record: MatchRecord, observer: int | None = None) -> list[SeatSummary]:
    """Summarise the match seat by seat; works for any readable record, whatever games are installed."""
    return [
        _with_conduct(record, public) if observer in (None, public.seat) else public
        for public in (_public(record, seat) for seat in range(len(record.entrants)))
    ]


def _public(record: MatchRecord, seat: int) -> SeatSummary:
    """Return what every seat learns at the end of the match, and who played."""
    result, entrant = record.results[seat], record.entrants[seat]
    return SeatSummary(
        seat=seat,
        bot=entrant.name,
        version=entrant.version,
        placement=result.placement,
        score=result.score,
        termination=termination(record, seat),
        remote=seat in record.remote,
    )


def _with_conduct(record: MatchRecord, public: SeatSummary) -> SeatSummary:
    """Return a seat with what only its author and the organiser may know."""
    seat = public.seat
    thought = [think_us / 1000 for think_us in think_times(record, seat)]
    fault = next((fault for fault in record.faults if fault.seat == seat), None)
    return replace(
        public,
        detail=fault.detail if fault else "",
        vacated_at=fault.decision if fault else None,
        stderr_tail=fault.stderr_tail if fault else "",
        tolerated=sum(fault.seat == seat for fault in record.tolerated),
        decisions=len(thought),
        own_decisions=own_share(record, seat),
        think_mean_ms=round(fmean(thought), 3) if thought else 0.0,
        think_max_ms=max(thought, default=0.0),
        cpu_ms=_of_seat(record.cpu_us, seat) / 1000,
        work=_of_seat(record.work, seat),
    )


def _of_seat(numbers: Sequence[int], seat: int) -> int:
    """Return the number of a seat; 0 in a list that the record leaves out."""
    return numbers[seat] if numbers else 0


def check_observer(record: MatchRecord, observer: int | None) -> None:
    """Raise RecordError for a seat that the match does not have."""
    if observer is not None and not 0 <= observer < len(record.entrants):
        raise RecordError(
            f"match {record.key} has seats 0 to {len(record.entrants) - 1}; {observer} is not one of them"
        )


def check_range(record: MatchRecord, first: int, last: int | None) -> None:
    """Raise RecordError unless `first` to `last` are decisions of the match, in this order."""
    end = len(record.decisions.seats) - 1
    for number in (first, end if last is None else last):
        if not 0 <= number <= max(end, 0):
            raise RecordError(f"match {record.key} has decisions 0 to {end}; {number} is not one of them")
    if last is not None and last < first:
        raise RecordError(f"decision {last} is before decision {first}; give the earlier one with --from")


def to_json(
    record: MatchRecord, observer: int | None = None, decisions: Iterator[DecisionSummary] | None = None
) -> dict[str, object]:
    """Return the match as JSON values, with these of its decisions if any are given.

    An observer gets neither the seed, from which the deal could be computed, nor figures over all seats.
    """
    values: dict[str, object] = {
        "key": record.key,
        "game": record.game,
        "rules_version": record.rules_version,
        "options": dict(record.options),
        "started": record.started,
        "arena": record.arena,
        "host": {name.name: value for name, value in record.host.ListFields()},
        "rules_package": {name.name: value for name, value in record.rules_package.ListFields()},
        "sandbox": {"tier": record.sandbox_tier, **limits(record)},
        "clock": _clock(record.clock),
        "seats": [asdict(seat) for seat in seat_summaries(record, observer)],
        "rivals": [{"name": rival.name, "placement": rival.placement, "score": rival.score} for rival in record.rivals],
    }
    if record.seat_clocks:
        values["seat_clocks"] = [_clock(clock) for clock in record.seat_clocks]
    if record.HasField("branched_from"):
        values["branched_from"] = {"key": record.branched_from.key, "decision": record.branched_from.decision}
    if found := {seat: [*packages.lines] for seat, packages in packages_of(record, observer)}:
        values["packages"] = found
    if record.clock_scale:
        values["clock_scale"] = record.clock_scale
    if observer is None:
        values |= {"seed": record.seed, "overhead_p99_ms": record.overhead_p99_us / 1000}
    if decisions is not None:
        values["decisions"] = [asdict(step) for step in decisions]
    return values


def packages_of(record: MatchRecord, observer: int | None) -> list[tuple[int, Packages]]:
    """List the seats whose bots had environments of their own, with their packages; an observer gets its own alone."""
    return [(seat, found) for seat, found in sorted(record.packages.items()) if observer in (None, seat)]


def _clock(clock: Clock) -> dict[str, int]:
    return {name.name: value for name, value in clock.ListFields()}


def limits(record: MatchRecord) -> dict[str, int]:
    """Return the limits of the sandbox in which a match was played; those of 0, which do not limit, are left out."""
    return {name.name: value for name, value in record.sandbox_limits.ListFields()}
