"""A search for better parameters that can be interrupted at any time: every block that it played is in its ledger.

At the end the values found play those of bot.toml on deals that the search has not seen.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean
from typing import Any, Final

from ballcourt.arena.bots.parameters import words
from ballcourt.arena.files import parse_json
from ballcourt.arena.printable import cut
from ballcourt.arena.tournament.decisions.course import DueBlock
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.schedules.schedule import Block, keyed_seatings
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.comparison import is_new
from ballcourt.evaluation.duels import duels_of, share_won
from ballcourt.evaluation.ledger import FRESH, KeptBlock, Ledger
from ballcourt.evaluation.spsa import Spsa, Values
from ballcourt.evaluation.terms import Place
from ballcourt.v1.record_pb2 import MatchRecord

FILE: Final = "tuning.sqlite"
FORMAT: Final = "ballcourt-tuning-2"
CHECKED: Final = f"{FRESH}-check"
"""The deals on which the values that were found play at the end."""


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


class Tuning:
    """A search, and the ledger with its results."""

    def __init__(
        self, ledger: Ledger, planned: Plan, search: Spsa, length: SearchLength, about: Mapping[str, Any]
    ) -> None:
        """`planned` compares the bot with itself; `about` is what must not change between runs.

        Raises TuningError for a ledger that holds another search, and LedgerError.
        """
        self._ledger = ledger
        self._planned = planned
        self._search = search
        self._length = length
        self._question = json.dumps({"format": FORMAT, **about})
        self._compare()
        ledger.seed(self._question)
        self.checks: list[float] = []
        """The shares of the values found against those of bot.toml, by block."""
        self.lost = 0
        """How many seats bots have lost."""

    @property
    def steps(self) -> int:
        """How many steps have been made."""
        return self._search.step

    @property
    def values(self) -> Values:
        """The values found so far."""
        return self._search.values

    def play(self, runner: BlockRunner) -> Iterator[SearchProgress]:
        """Play what is left, and yield what comes out. Raises RunnerError and LedgerError."""
        length, blocks = self._length, iter(self._planned.began.stage(()))
        for step in range(length.steps):
            places = [Place("search", step * length.deals + deal) for deal in range(length.deals)]
            shares, is_known = self._shares(runner, places, [*islice(blocks, length.deals)], *self._search.variants())
            self._search.learn(fmean(shares))
            if not is_known:
                yield SearchProgress(step + 1, fmean(shares), self.values, is_check=False)
        for number in range(length.checks):
            shares, is_known = self._shares(runner, [Place(CHECKED, number)], [next(blocks)], self.values, {})
            self.checks += shares
            if not is_known:
                yield SearchProgress(number + 1, shares[0], self.values, is_check=True)

    def _compare(self) -> None:
        asked = parse_json(self._question)
        for begun in map(_read, self._ledger.questions()):
            for name, value in asked.items():
                if json.dumps(begun.get(name), sort_keys=True) != json.dumps(value, sort_keys=True):  # 1 is not true
                    raise TuningError(
                        f"{self._ledger.path} holds another search, where {name} is {cut(repr(begun.get(name)))}, not "
                        f"{value!r}; give another --output"
                    )

    def _shares(
        self, runner: BlockRunner, places: Sequence[Place], blocks: Sequence[Block], new: Values, old: Values
    ) -> tuple[list[float], bool]:
        """Return the shares of duels that one variant won against another by block, and whether all were known."""
        bot = self._planned.entrants[0].bot.content_hash
        known = self._ledger.blocks(self._question, bot, places[0].deals)
        matches = {
            place: [self._with_values(match, new, old) for match in self._matches(block)]
            for place, block in zip(places, blocks, strict=True)
            if place.number not in known
        }
        events = runner.run_blocks(matches.values()) if matches else ()
        records = {event.key: event for event in events if isinstance(event, MatchRecord)}
        for place, block in matches.items():
            known[place.number] = _kept([records[match.key] for match in block])
            self._ledger.add(self._question, bot, place, known[place.number])
        found = [known[place.number] for place in places]
        self.lost += sum(one.lost for one in found)
        return [one.share for one in found], not matches

    def _matches(self, block: Block) -> list[PlayableMatch]:
        return self._planned.playable(DueBlock(block, keyed_seatings(block)))

    def _with_values(self, match: PlayableMatch, new: Values, old: Values) -> PlayableMatch:
        """Add the values to the commands of the bots."""
        bots = {
            entrant: replace(bot, command=(*bot.command, *words(new if is_new(entrant.bot.name) else old)))
            for entrant, bot in match.bots.items()
        }
        return replace(match, bots=bots)


def _read(question: str) -> Mapping[str, Any]:
    """Return what a search is about; nothing for the question of something else."""
    try:
        about = parse_json(question)
    except ValueError:
        return {}
    return about if isinstance(about, dict) else {}


def _kept(records: Sequence[MatchRecord]) -> KeptBlock:
    cpu_us = sum(sum(record.cpu_us) for record in records)
    lost = sum(len(record.faults) for record in records)
    return KeptBlock(share_won(duels_of(records, is_new)), len(records), len(records), lost, 0, cpu_us, cpu_us)
