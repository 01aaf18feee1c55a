"""Rungs: fixed opponents of a game, each above the one below, and the highest that a bot is above."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.files import read_toml
from ballcourt.arena.models import LAX
from ballcourt.arena.tournament.event.tables import BotTable, ClockTable
from ballcourt.engine.core import did_you_mean
from ballcourt.evaluation.assessment import Assessment, Conclusion
from ballcourt.evaluation.suites.suite import BenchmarkError, FrozenFile

FORMAT: Final = "ballcourt-rungs-1"
FOLDER: Final = Path(__file__).parent

Seats = Annotated[str, Field(pattern="^[1-9]$")]


class RungsFile(FrozenFile):
    """The file of the rungs of a game."""

    game: str
    clock: ClockTable
    """That of candidates, and what rungs have in common."""
    rungs: dict[Seats, Annotated[tuple[BotTable, ...], LAX, Field(min_length=1)]]
    """By the seats of a table, from the weakest: bots that come with Ballcourt, some with arguments or clocks."""


@dataclass(frozen=True, slots=True)
class Rungs:
    """The rungs of a game at tables of one size: the name of their file, what it says, and its SHA-256."""

    name: str
    file: RungsFile
    digest: str
    seats: int

    @property
    def tables(self) -> tuple[BotTable, ...]:
        """The opponents, from the weakest; a rung is its number among them, from 1."""
        return self.file.rungs[str(self.seats)]

    def called(self, rung: int) -> str:
        """Return what people call a rung: "planner with work 50", "greedy with mistakes=0.4"."""
        table = self.tables[rung - 1]
        given = [*table.args, *(f"{name} {value}" for name, value in table.clock.given().items())]
        return f"{table.path} with {' and '.join(given)}" if given else table.path

    def opponent(self, rung: int) -> dict[str, Any]:
        """Return what an Evaluator takes for a rung: the opponent, and its clock. Raises BotError."""
        table = self.tables[rung - 1]
        return {"opponents": [table.entry(resolve_entry)], "opponents_clock": table.clock.given()}


def find_rungs(game: str, seats: int) -> Rungs:
    """Return the newest rungs of a game. Raises BenchmarkError if there are none for it or its table size."""
    known: dict[str, list[Path]] = {}
    for path in FOLDER.glob("*.toml"):
        known.setdefault(path.stem.rpartition("-")[0], []).append(path)
    if game not in known:
        raise BenchmarkError(
            f"{game} has no rungs; games that have: {', '.join(sorted(known))}{did_you_mean(game, known)}"
        )
    path = max(known[game], key=lambda path: int(path.stem.rpartition("-")[2]))
    file = RungsFile.read(read_toml(path), path.name)
    if str(seats) not in file.rungs:
        raise BenchmarkError(f"{path.stem} has no rungs for {seats} seats; it has some for {', '.join(file.rungs)}")
    return Rungs(path.stem, file, sha256(path.read_bytes()).hexdigest(), seats)


@dataclass(frozen=True, slots=True)
class Climb:
    """How high a bot stands. Rung 0 is below all."""

    rungs: Rungs
    answers: Mapping[int, Assessment]
    """By rung, those that were asked."""
    highest: int
    """The highest rung that the bot is shown to be above."""
    most: int
    """The highest rung that it may be above."""

    @property
    def is_broken(self) -> bool:
        """Whether the bot lost its seat in all of its first matches."""
        return any(answer.verdict is Conclusion.BROKEN for answer in self.answers.values())

    def lines(self) -> list[str]:
        """Return the rung, and what was found about each that was asked."""
        rungs = self.rungs
        spread = "" if self.highest == self.most else f", at most {self.most}"
        first = f"{rungs.name} at {rungs.seats} seats: rung {self.highest} of {len(rungs.tables)}{spread}"
        asked = (f"rung {rung}, {rungs.called(rung)}: {self.answers[rung].in_words}" for rung in sorted(self.answers))
        return [first, *asked]

    def to_json(self) -> dict[str, object]:
        """Return it as JSON values."""
        rungs = self.rungs
        return {
            "format": FORMAT,
            "rungs": rungs.name,
            "sha256": rungs.digest,
            "game": rungs.file.game,
            "seats": rungs.seats,
            "count": len(rungs.tables),
            "highest": self.highest,
            "most": self.most,
            "answers": [
                {"rung": rung, "opponent": rungs.called(rung), **self.answers[rung].to_json()}
                for rung in sorted(self.answers)
            ],
        }


def climb(rungs: Rungs, ask: Callable[[int], Assessment]) -> Climb:
    """Find the highest rung that a bot is above, by halving: rungs that are clearly won or lost are not asked.

    `ask` plays a rung until a test knows whether the bot wins more than half of its duels, or its budget is spent.
    """
    answers: dict[int, Assessment] = {}

    def answer(rung: int) -> Assessment:
        if rung not in answers:
            answers[rung] = ask(rung)
        return answers[rung]

    def is_lost(rung: int) -> bool:
        return not (answer(rung).better or answer(rung).verdict is Conclusion.SPENT)

    end = len(rungs.tables) + 1
    highest = bisect_left(range(1, end), True, key=lambda rung: not answer(rung).better)
    lost = min(filter(is_lost, answers), default=end)
    most = highest + bisect_left(range(highest + 1, lost), True, key=is_lost)
    return Climb(rungs, answers, highest, most)
