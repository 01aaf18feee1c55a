"""A search for better parameters that can be interrupted at any time: what it found out is in a file.

The first line of the file says what is searched. Each step adds the share of duels that its first variant won. At the
end the values found play those of bot.toml on deals that the search has not seen, and each of these adds a line too.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from ballcourt.arena.bots.parameters import words
from ballcourt.arena.models import Model
from ballcourt.arena.printable import cut, json_line
from ballcourt.arena.tournament.decisions.course import DueBlock
from ballcourt.arena.tournament.event.json_lines import append, cut_unfinished, damaged, read_lines
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.schedules.schedule import Block, keyed_seatings
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.spsa import Spsa, Values
from ballcourt.evaluation.versions import is_new
from ballcourt.v1.record_pb2 import MatchRecord

FILE: Final = "tuning.jsonl"
FORMAT: Final = "ballcourt-tuning-1"

Judge = Callable[[Sequence[MatchRecord]], float]
"""Returns the share of duels that the new version won in the matches of a block, in the order of their keys."""


class TuningError(WrongInput):
    """A search cannot be continued; the sentence says why."""


@dataclass(frozen=True, slots=True)
class SearchLength:
    """How much is played: steps, each of a number of deals, and then deals to see whether the result is better."""

    steps: int
    deals: int
    checks: int


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """A step that was made, or a block that was checked: its number from 1, the share won, the values after it."""

    number: int
    share: float
    values: Values
    is_check: bool


Share = Annotated[float, Field(ge=0, le=1)]


class _Step(Model):
    """The share of a step."""

    step: int
    share: Share


class _Check(Model):
    """The share of a block with the values found."""

    check: int
    share: Share


_LINE: Final = TypeAdapter[_Step | _Check | dict[str, Any]](_Step | _Check | dict[str, Any])
"""The first line is a dictionary: what is searched."""


def checks_in(folder: Path) -> list[float]:
    """Return the shares that a search's values won, by block. Raises TuningError."""
    lines = read_lines(folder / FILE, _LINE, TuningError)
    return [line.share for _, line in lines if isinstance(line, _Check)]


class Tuning:
    """A search and its file."""

    def __init__(self, folder: Path, planned: Plan, search: Spsa, length: SearchLength, about: dict[str, Any]) -> None:
        """`planned` compares the bot with itself; `about` is what must not change between runs.

        Raises TuningError for a folder that holds another search or a damaged one, and OSError.
        """
        self._file = folder / FILE
        self._planned = planned
        self._search = search
        self._length = length
        self._about = {"format": FORMAT, **about}
        self.checks: list[float] = []
        """The shares of the values found against those of bot.toml, by block."""
        self._read()

    @property
    def steps(self) -> int:
        """How many steps have been made."""
        return self._search.step

    @property
    def values(self) -> Values:
        """The values found so far."""
        return self._search.values

    def play(self, runner: BlockRunner, judge: Judge) -> Iterator[SearchProgress]:
        """Play what is left, and yield what comes out. Raises RunnerError and OSError."""
        blocks = islice(self._planned.began.stage(()), self.steps * self._length.deals + len(self.checks), None)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a+b") as file:
            cut_unfinished(file)
            if not file.tell():
                append(file, [json_line(self._about)])
            while self.steps < self._length.steps:
                share = self._share(runner, judge, [*islice(blocks, self._length.deals)], *self._search.variants())
                self._search.learn(share)
                append(file, [json_line(_Step(step=self.steps, share=share))])
                yield SearchProgress(self.steps, share, self.values, is_check=False)
            while len(self.checks) < self._length.checks:
                self.checks.append(self._share(runner, judge, [next(blocks)], self.values, {}))
                append(file, [json_line(_Check(check=len(self.checks), share=self.checks[-1]))])
                yield SearchProgress(len(self.checks), self.checks[-1], self.values, is_check=True)

    def _read(self) -> None:
        for number, line in read_lines(self._file, _LINE, TuningError):
            match line:
                case dict() if number == 1:
                    self._compare(line)
                case _Step() if line.step == self.steps + 1 <= self._length.steps:
                    self._search.learn(line.share)
                case _Check() if line.check == len(self.checks) + 1 and self.steps == self._length.steps:
                    self.checks.append(line.share)
                case _:
                    raise damaged(self._file, number, TuningError)

    def _compare(self, begun: Mapping[str, Any]) -> None:
        for name, value in self._about.items():
            if begun.get(name) != json.loads(json_line(value)):
                there = cut(repr(begun.get(name)))
                raise TuningError(
                    f"{self._file.parent} holds another search, where {name} is {there}, not {value!r}; "
                    "give another --output"
                )

    def _share(self, runner: BlockRunner, judge: Judge, blocks: Sequence[Block], new: Values, old: Values) -> float:
        """Play blocks of one variant against another; return the share of duels that the first one won."""
        matches = [[self._with_values(match, new, old) for match in self._matches(block)] for block in blocks]
        found = {event.key: event for event in runner.run_blocks(matches) if isinstance(event, MatchRecord)}
        shares = [judge([found[match.key] for match in block]) for block in matches]
        return sum(shares) / len(shares)

    def _matches(self, block: Block) -> list[PlayableMatch]:
        return self._planned.playable(DueBlock(block, keyed_seatings(block)))

    def _with_values(self, match: PlayableMatch, new: Values, old: Values) -> PlayableMatch:
        """Add the values to the commands of the bots."""
        bots = {
            entrant: replace(bot, command=(*bot.command, *words(new if is_new(entrant.bot.name) else old)))
            for entrant, bot in match.bots.items()
        }
        return replace(match, bots=bots)
