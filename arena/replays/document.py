"""The replay document: a recorded match as one observer saw it, whole and in JSON.

It has the first scene and, for each decision, what changed. A viewer needs no rules: it carries out the changes.
Everything that an observer sees went through the redaction of the game (`Game.scene`, `State.seen_action`) and of
`summaries`, as in a match that is still being played.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Literal, NotRequired, TypedDict, cast

from ballcourt.arena.faults import short_name
from ballcourt.arena.printable import cut
from ballcourt.arena.records.replay import opening
from ballcourt.arena.records.summaries import DecisionSummary, decision_summaries, seat_summaries
from ballcourt.arena.replays.operations import Operation
from ballcourt.arena.replays.story import told
from ballcourt.arena.replays.view import Seen, View, executed
from ballcourt.engine.core import State
from ballcourt.engine.core.messages.schema import json_schema
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.view.scene import Choice, Observer, Scene, Scenery, in_words
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord, ToleratedFault

SCHEMA_ID = "https://github.com/ballcourt/ballcourt/schemas/ballcourt-replay-1.json"
THOUGHTS = 100_000
"""Characters that the thoughts of a match may take in all; longer ones are cut alike."""
MOST_RANKED = 8
"""How many of the actions that a bot ranks are shown."""


class Fault(TypedDict):
    """A fault that was tolerated: its kind, a sentence, and what was done about it ("retry" or "substitute")."""

    termination: str
    detail: str
    remedy: str


class Seat(TypedDict):
    """A seat and how its match ended; None stands for what the observer does not know.

    While the match is being played, `placement` is 0 and `termination` empty. `faults` are failed starts that were
    tolerated; none if the observer cannot know.
    """

    seat: int
    bot: str
    version: str
    placement: int
    score: float
    termination: str
    detail: str | None
    vacated_at: int | None
    think_mean_ms: float | None
    think_max_ms: float | None
    faults: list[Fault]


class Rival(TypedDict):
    """A player that the rules play."""

    name: str
    placement: int
    score: float


class Origin(TypedDict):
    """The match that a match branched off from, and the first decision that was not taken over."""

    match: str
    decision: int


class Ranked(TypedDict):
    """An action that was considered: what it is worth to the seat, and how often it was tried; 0 if unknown."""

    action: int
    label: str
    value: float
    visits: int


class Marked(TypedDict):
    """A place of the scene to which attention is drawn."""

    place: str
    label: str


class Gain(TypedDict):
    """How much better an action is than the others that were tried, on average, and half its 95 % interval."""

    value: float
    error: float


class Appraisal(TypedDict):
    """What a bot makes of the position before a decision. Each list may be empty.

    By seat: `values` say how it is expected to end, from -1, behind all others, to 1; `wins` its chance to be first,
    `points` how many it is expected to have. `spread` is the standard deviation between single tries of two actions
    of equal worth, in the measure of `ranked`; without it, results are taken to be from -1 to 1. `gain` is that of what
    was chosen, where all actions were tried equally often.
    """

    values: list[float]
    wins: list[float]
    points: list[float]
    ranked: list[Ranked]
    marks: list[Marked]
    spread: NotRequired[float]
    gain: NotRequired[Gain]


class Step(TypedDict):
    """A decision and what it changed. `action` is 0 while it is secret; `by` is "bot", "fallback" (the bot
    answered without choosing itself), "rules" (it was forced), "substitute", "nobody" (the seat was vacated), "record"
    (taken over from another match), or None. `evaluation` is what the bot made of the position, `judged` what a judge
    did, and `lost` how much better its favourite was, as far as that is not by chance; None to who may not know.
    `faults` are those that were tolerated before the decision; none if the observer cannot know. An op is [path, value]
    or, to remove, [path].
    """

    seat: int
    action: int
    label: str
    places: list[str]
    by: str | None
    think_ms: float | None
    thoughts: str
    evaluation: Appraisal | None
    judged: Appraisal | None
    lost: float | None
    faults: list[Fault]
    ops: list[list[Any]]


class TurningPoint(TypedDict):
    """A turning point in words, and the position after it."""

    step: int
    title: str


class Setting(TypedDict):
    """What a viewer needs besides the decisions: the rules, what never changes, and the first scene of an observer."""

    game: str
    title: str
    rules_version: str
    scenery: Scenery
    first: Scene


class Document(Setting):
    """A replay: `steps` lead from the scene `first` to the end. `observer` is a seat, -1 for a spectator, None for
    everything. `judge` says who judged the decisions; empty if no one did. `turning_points` are what decided it,
    none before the end.
    """

    format: Literal["ballcourt-replay-1"]
    match: str
    options: dict[str, str]
    started: str
    branched_from: Origin | None
    observer: int | None
    judge: str
    seats: list[Seat]
    rivals: list[Rival]
    turning_points: list[TurningPoint]
    steps: list[Step]


def document(record: MatchRecord, observer: Observer = None) -> Document:
    """Return a match as a seat or SPECTATOR saw it, or with None with all secrets.

    Raises RecordError if the record cannot be executed here.
    """
    begun, _ = unfinished_document(record, observer, record.started)
    return _ended(begun, record, observer)


def document_of(record: MatchRecord, observer: Observer, setting: Setting, seen: Iterable[Seen]) -> Document:
    """Return a match as an observer saw it, from what was seen of it: nothing is executed."""
    begun = _begun(record.key, setting, observer, record.options, _names(record), record.started)
    begun["branched_from"] = _origin(record)
    begun["steps"] = list(_steps(record, observer, seen))
    return _ended(begun, record, observer)


def opening_document(
    key: str, opening: State, view: View, options: Mapping[str, str], bots: Iterable[tuple[str, str]], started: str
) -> Document:
    """Return the document of a match that begins, without steps; `bots` are names and versions in seat order."""
    return _begun(key, setting_of(view, opening), view.observer, options, bots, started)


def setting_of(view: View, opening: State) -> Setting:
    """Return what a viewer needs before the first decision; `view` is still that of the opening."""
    game = view.game
    return {
        "game": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "scenery": game.scenery(opening),
        "first": view.scene,
    }


def unfinished_document(record: MatchRecord, observer: Observer, started: str) -> tuple[Document, Scene]:
    """Return a match that has not ended, with the decisions of its record so far, and the scene after them.

    Raises RecordError if the record cannot be executed here.
    """
    game, state = opening(record)
    view = View(game, state, observer)
    begun = opening_document(record.key, state, view, record.options, _names(record), started)
    begun["branched_from"] = _origin(record)
    begun["steps"] = list(_steps(record, observer, executed(record, view)))
    return begun, view.scene


def public_step(seat: int, choice: Choice, ops: list[Operation], by: str | None = None) -> Step:
    """Return a step with what everyone at the table may know of it."""
    return {
        "seat": seat,
        **choice,
        "by": by,
        "think_ms": None,
        "thoughts": "",
        "evaluation": None,
        "judged": None,
        "lost": None,
        "faults": [],
        "ops": ops,
    }


def observers(record: MatchRecord) -> list[Observer]:
    """List whose views of a match there are: everything, a spectator's, and each seat's."""
    return [None, SPECTATOR, *range(len(record.entrants))]


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a replay document."""
    return json_schema(Document, SCHEMA_ID)


def _begun(
    key: str,
    setting: Setting,
    observer: Observer,
    options: Mapping[str, str],
    bots: Iterable[tuple[str, str]],
    started: str,
) -> Document:
    return {
        **setting,
        "format": "ballcourt-replay-1",
        "match": key,
        "options": dict(sorted(options.items())),
        "started": started,
        "branched_from": None,
        "observer": observer,
        "judge": "",
        "seats": [_seat_of_a_running_match(seat, *bot) for seat, bot in enumerate(bots)],
        "rivals": [],
        "turning_points": [],
        "steps": [],
    }


def _ended(begun: Document, record: MatchRecord, observer: Observer) -> Document:
    """Return a document with the results of its match."""
    rivals: list[Rival] = [
        {"name": rival.name, "placement": rival.placement, "score": rival.score} for rival in record.rivals
    ]
    return told({**begun, "seats": _seats(record, observer), "rivals": rivals})


def _names(record: MatchRecord) -> list[tuple[str, str]]:
    return [(entrant.name, entrant.version) for entrant in record.entrants]


def _origin(record: MatchRecord) -> Origin | None:
    if not record.HasField("branched_from"):
        return None
    return {"match": record.branched_from.key, "decision": record.branched_from.decision}


def _seats(record: MatchRecord, observer: Observer) -> list[Seat]:
    seats = [asdict(seat) | {"faults": []} for seat in seat_summaries(record, observer)]
    for seat in seats:
        if observer in (None, seat["seat"]):
            seat["faults"] = _tolerated(record, seat["seat"], None)
    return [cast(Seat, {name: seat[name] for name in Seat.__annotations__}) for seat in seats]


def _seat_of_a_running_match(seat: int, bot: str, version: str) -> Seat:
    return {
        "seat": seat,
        "bot": bot,
        "version": version,
        "placement": 0,
        "score": 0.0,
        "termination": "",
        "detail": None,
        "vacated_at": None,
        "think_mean_ms": None,
        "think_max_ms": None,
        "faults": [],
    }


def _steps(record: MatchRecord, observer: Observer, seen: Iterable[Seen]) -> Iterator[Step]:
    """Yield the decisions of a record as an observer saw them."""
    longest = THOUGHTS // max(1, len(record.decisions.thoughts))
    unnamed = [""] * len(record.decisions.seats)
    for summary, one in zip(decision_summaries(record, observer, unnamed), seen, strict=True):
        faults = _tolerated(record, summary.seat, summary.number) if observer in (None, summary.seat) else []
        yield _step(summary, longest, faults, _estimate(record, summary), *one)


def _tolerated(record: MatchRecord, seat: int, decision: int | None) -> list[Fault]:
    """List the faults of a seat that were tolerated before a decision; with None, those of its start."""
    return [
        {"termination": short_name(fault.termination), "detail": fault.detail, "remedy": fault.remedy}
        for fault in record.tolerated
        if fault.seat == seat and decision == (None if _is_of_start(fault) else fault.decision)
    ]


def _is_of_start(fault: ToleratedFault) -> bool:
    return fault.termination == Termination.TERMINATION_FAILED_TO_START


def _estimate(record: MatchRecord, summary: DecisionSummary) -> Appraisal | None:
    """Return what the bot made of a position, if it said so and the observer may know."""
    evaluation = summary.evaluation
    if evaluation is None:
        return None
    numbers = [one.action for one in record.decisions.evaluations[summary.number].ranked]
    ranked: list[Ranked] = [
        {"action": number, "label": in_words(one.action.lower()), "value": one.value, "visits": one.visits}
        for number, one in zip(numbers, evaluation.ranked, strict=True)
    ]
    marks: list[Marked] = [{"place": one.place, "label": one.label} for one in evaluation.marks]
    return {"values": evaluation.values, "wins": [], "points": [], "ranked": ranked[:MOST_RANKED], "marks": marks}


def _step(
    summary: DecisionSummary,
    longest: int,
    faults: list[Fault],
    evaluation: Appraisal | None,
    choice: Choice,
    ops: list[Operation],
) -> Step:
    return {
        "seat": summary.seat,
        **choice,
        "by": summary.by,
        "think_ms": summary.think_ms,
        "thoughts": cut(summary.thoughts, longest),
        "evaluation": evaluation,
        "judged": None,
        "lost": None,
        "faults": faults,
        "ops": ops,
    }
