"""What a judge makes of the decisions of a match, stored next to its record, and what follows from it.

The judge sees what the seat that decides knew. So its estimates reveal what that seat knew, and only this seat and
observers who see everything are shown them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypedDict

from ballcourt.arena.records.store import RecordError, checksum
from ballcourt.arena.replays.beside import read_beside, write_beside
from ballcourt.arena.replays.document import Appraisal, Document
from ballcourt.arena.replays.story import loss, told
from ballcourt.v1.record_pb2 import MatchRecord

FORMAT: Final = "ballcourt-judgement-1"
SUFFIX: Final = ".judged"


class JudgedDecision(TypedDict):
    """What a judge made of a decision: its number, the kind of question, and the position before it."""

    decision: int
    question: str
    estimate: Appraisal


class Judgement(TypedDict):
    """A match as a judge saw it: every decision that was not forced. `record` is the checksum of its record."""

    format: Literal["ballcourt-judgement-1"]
    record: str
    judge: str
    decisions: list[JudgedDecision]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge found of a decision. `loss` and `gain` are in its measure."""

    decision: int
    seat: int
    question: str
    agrees: bool | None
    """Whether it likes what was chosen; None if it cannot tell what may be chosen apart.

    A bot likes its favourite alone. Playouts like what leads further ahead than the other actions do on average: of
    random answers they like half.
    """
    better: str
    """What it prefers; empty if nothing is better, but by chance."""
    loss: float | None
    """How much better that is; None if the judge did not say how much."""
    gain: float | None
    """How much better what was chosen is than the other actions, on average; None if the judge tried none."""


def judgement_of(record: MatchRecord, judge: str, decisions: list[JudgedDecision]) -> Judgement:
    """Return a judgement that can be stored next to a record."""
    return {"format": FORMAT, "record": checksum(record), "judge": judge, "decisions": decisions}


def keep_judgement(file: Path, judgement: Judgement) -> None:
    """Write a judgement next to its record file, replacing an earlier one. Raises OSError."""
    write_beside(file, SUFFIX, judgement)


def judgement_beside(file: Path, record: MatchRecord) -> Judgement | None:
    """Return the judgement of a match; None if there is none. Raises RecordError if it is not that of the record."""
    found: Judgement | None = read_beside(file, SUFFIX, Judgement, record)
    for one in found["decisions"] if found else ():
        if not 0 <= one["decision"] < len(record.decisions.seats):
            raise RecordError(f"{file.with_suffix(SUFFIX)} judges decision {one['decision']}, which the match lacks")
        if any(len(numbers) not in (0, len(record.entrants)) for numbers in _numbers(one["estimate"])):
            raise RecordError(f"{file.with_suffix(SUFFIX)} is damaged: an estimate is for other seats than the match's")
    return found


def judged_at(file: Path) -> int:
    """Return when a match was judged, by its record file, in ns; 0 if it was not."""
    path = file.with_suffix(SUFFIX) if file.name else None
    return path.stat().st_mtime_ns if path and path.exists() else 0


def _numbers(estimate: Appraisal) -> tuple[list[float], ...]:
    return estimate["values"], estimate["wins"], estimate["points"]


def judged(replay: Document, judgement: Judgement) -> Document:
    """Return a document with what a judge made of the decisions whose seats its observer sees into."""
    by_number = {one["decision"]: one["estimate"] for one in judgement["decisions"]}
    for number, step in enumerate(replay["steps"]):
        if replay["observer"] in (None, step["seat"]):
            step["judged"] = found = by_number.get(number)
            step["lost"] = loss(found, step["action"]) if found else None
    replay["judge"] = judgement["judge"]
    return told(replay)


def opinions(record: MatchRecord, judgement: Judgement) -> Iterator[Opinion]:
    """Yield what the judge found of each decision that it judged, in order."""
    for one in judgement["decisions"]:
        number, estimate = one["decision"], one["estimate"]
        played, ranked = record.decisions.actions[number], estimate["ranked"]
        is_favourite = bool(ranked) and ranked[0]["action"] == played
        lost = loss(estimate, played) if ranked and not is_favourite else 0.0
        better = "" if lost == 0.0 else ranked[0]["label"]
        agrees: bool | None
        if gain := estimate.get("gain"):
            agrees = gain["value"] > 0 if abs(gain["value"]) > gain["error"] else None
        else:
            agrees = is_favourite if is_favourite or better else None
        yield Opinion(
            decision=number,
            seat=record.decisions.seats[number],
            question=one["question"],
            agrees=agrees,
            better=better,
            loss=lost,
            gain=gain["value"] if gain else None,
        )
