"""The plan of an event: its entrants, their bots, and the schedule of their matches.

It follows from game, options, entrants, seed and results alone, so a second run plays exactly the remaining matches.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, takewhile
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.match.policy import FaultPolicy
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.tournament.decisions.changes import NO_CHANGES, Changes, Joining
from ballcourt.arena.tournament.decisions.course import Course, DueBlock
from ballcourt.arena.tournament.decisions.joined import schedule_with
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.event.seeds import Deals, Seed
from ballcourt.arena.tournament.event.setups import SetUp, open_setups
from ballcourt.arena.tournament.event.stages import LADDER
from ballcourt.arena.tournament.schedules.balance import Balance, balances
from ballcourt.arena.tournament.schedules.formats import schedule_of
from ballcourt.arena.tournament.schedules.schedule import Block, Design, Field, Outcomes, Schedule, Seating, block_index
from ballcourt.arena.tournament.schedules.sequential import Sequential
from ballcourt.arena.tournament.schedules.stop import Reached, Rule
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game

DEFAULT_LIFETIME: Final = Lifetime.TOURNAMENT
MOST_COUNTED: Final = 1_000_000
"""Blocks times entrants up to which the balance of a schedule is counted: about a second."""


@dataclass(frozen=True)
class Plan:
    """An event with everything that decides which matches are played, and how; also of one that has been played."""

    event: Event
    """What was asked for, with what had to be decided filled in."""
    setups: tuple[SetUp, ...]
    entrants: tuple[Entrant, ...]
    """With those who joined."""
    design: Design
    schedule: Schedule
    """With the changes."""
    seed: Seed | None
    """None where it was drawn and this process may not read it: enough to read results, but not to play."""
    changes: Changes = NO_CHANGES
    bots: Mapping[Entrant, Bot] = field(default_factory=dict)
    """The bots of this machine; remote entrants have none, and neither have those of a plan that is only read."""

    @property
    def seats(self) -> int:
        """The seats of its largest tables."""
        return max(setup.seats for setup in self.setups)

    @property
    def fewest_seats(self) -> int:
        """The seats of its smallest tables."""
        return min(setup.seats for setup in self.setups)

    @property
    def rules(self) -> tuple[Game, ...]:
        """The games. Raises UnknownGame if one is not installed."""
        return tuple(find_game(name) for name in dict.fromkeys(setup.game for setup in self.setups))

    @property
    def rules_versions(self) -> dict[str, str]:
        """The version of each game's rules that is played now, after the decisions about it."""
        played = (self.setups[index] for index in open_setups(self.setups))
        decided = {decision.game: decision.version for decision in self.changes.renewed}
        return {setup.game: setup.rules_version for setup in played} | decided

    @property
    def games(self) -> str:
        """The names of its games, such as "ahau" or "ahau, maya"."""
        return ", ".join(dict.fromkeys(setup.game for setup in self.setups))

    @property
    def founders(self) -> int:
        """The number of entrants with which it began: the first ones; others have joined."""
        return len(self.entrants) - len(self.changes.joined)

    @property
    def field(self) -> Field:
        """All who play, with those who joined."""
        return field_of(self.setups, self.entrants)

    @property
    def matches(self) -> int:
        """The number of matches, or the most that there can be if that depends on results."""
        return self.schedule.matches_in(self.schedule.blocks)

    @cached_property
    def began(self) -> Schedule:
        """What it began with, without the changes."""
        if self.design.format == LADDER:
            return self.schedule
        return schedule_of(self.design, self.field.among(range(self.founders)))

    @cached_property
    def clock(self) -> Clock:
        """The clock of those entrants that have none of their own."""
        return self.event.clock.clock()

    @cached_property
    def clocks(self) -> dict[int, Clock]:
        """The clocks of those entrants, by index, that have one of their own."""
        tables = (*self.event.entered, *(joining.table for joining in self.changes.joined))
        own = {
            index: table.clock
            for index, table in enumerate(tables)
            if "clock" in table.model_fields_set and table.clock.given()
        }
        return {index: self.event.clock.overridden_by(clock).clock() for index, clock in own.items()}

    @cached_property
    def policy(self) -> FaultPolicy:
        """What is done about faults."""
        return self.event.faults.policy()

    @cached_property
    def sandbox(self) -> Sandbox:
        """How the bots are confined. Raises SandboxError."""
        return self.event.sandbox.sandbox()

    @property
    def deals(self) -> Deals:
        """Which matches share a deal."""
        return self.event.seeds or Deals.MATCH

    @property
    def lifetime(self) -> Lifetime:
        """How long bots may remember."""
        return self.event.lifetime or DEFAULT_LIFETIME

    @cached_property
    def at_once(self) -> int:
        """How many matches a worker plays at the same time: as many as one of the bots plays in one process.

        It is one if each match gets new processes, and if bots may think out of turn.
        """
        in_turns = all(clock.in_turns for clock in (self.clock, *self.clocks.values()))
        shared = self.lifetime is Lifetime.TOURNAMENT and in_turns
        return max((bot.matches for bot in self.bots.values()), default=1) if shared else 1

    @property
    def stop(self) -> tuple[Rule, ...]:
        """What ends it early; the rules about precision only if its schedule follows them: see `stopping`."""
        return self.event.stop or ()

    @property
    def is_exact(self) -> bool:
        """Whether there will be exactly this number of matches if no bot is suspended."""
        return self.schedule.is_exact and not self.stop

    @property
    def leaves_all_to_ratings(self) -> bool:
        """Whether no entrant can sit out, and the format does not say who is where."""
        return not (self.policy.judges or self.changes.withdrawn or self.schedule.placing(()))

    def stopping(self, is_reached: Reached) -> "Plan":
        """Return the plan that ends after the first round whose results are as precise as was asked for."""
        return replace(self, schedule=Sequential(self.schedule, is_reached))

    def course(self) -> Course:
        """Return the course of the tournament, at its beginning."""
        return Course(self.schedule, self.policy, len(self.entrants), self.changes)

    def playable(self, due: DueBlock, broadcasts: Path | None = None) -> list[PlayableMatch]:
        """Return the matches of a block that are to be played; they can be watched in a folder, if one is given."""
        return [
            PlayableMatch(
                self._spec(due.block, seating),
                self.bots,
                self.sandbox,
                self.lifetime,
                takes_turns=self.at_once > 1,
                logs=self.event.logs,
                broadcasts=broadcasts,
            )
            for seating in due.matches
        ]

    def _spec(self, block: Block, seating: Seating) -> MatchSpec:
        key, table = seating
        setup, seed = self.setups[block.setup], self.deal(block.index, key)
        assert seed is not None, "only readers of results may lack the seed"
        return MatchSpec(
            key=key,
            game=setup.game,
            options=dict(setup.options),
            seed=seed,
            entrants=tuple(self.entrants[entrant] for entrant in table),
            clock=self.clock,
            seat_clocks=tuple(self.clocks.get(entrant, self.clock) for entrant in table) if self.clocks else (),
            policy=self.policy,
            after=setup.after,
        )

    def shares(self) -> list[float]:
        """Return the share of the matches that each set-up has in a round; the shares add up to 1."""
        if len(self.setups) == 1:
            return [1.0]
        first_round = takewhile(lambda block: block.round == 0, self.began.stage(()))
        counted = Counter(chain.from_iterable([block.setup] * len(block.tables) for block in first_round))
        return [counted[setup] / counted.total() for setup in range(len(self.setups))]

    def balances(self) -> tuple[Balance, ...]:
        """Count what the schedule gives each entrant in each set-up.

        Empty if that depends on results, or if counting would take too long.
        """
        if not self.schedule.is_fixed or self.schedule.blocks * len(self.entrants) > MOST_COUNTED:
            return ()
        return balances(len(self.entrants), len(self.setups), self.schedule.stage(()))

    def deal(self, block: int, key: str) -> int | None:
        """Return the seed of a match; None if that of the event is not known."""
        repeats = self.changes.repeats(key) if self.changes.rulings else 0
        return None if self.seed is None else self.seed.deal(self.deals, block, key, repeats)

    def changed(self, changes: Changes) -> "Plan":
        """Return the plan with other changes. Raises ScheduleError."""
        return replace(self, changes=changes, schedule=schedule_with(changes, self.design, self.field))

    def joined_by(self, joining: Joining) -> "Plan":
        """Return the plan with one more entrant. Raises ScheduleError."""
        larger = replace(self, entrants=(*self.entrants, joining.entrant))
        return larger.changed(replace(self.changes, joined=(*self.changes.joined, joining)))

    def missing(self, outcomes: Outcomes, is_reached: Reached | None = None, *, is_late: bool = False) -> str:
        """Return the key of a match that is still to be played, given how others ended; empty if it is over.

        `is_reached` says whether results are as precise as `stop` asks for. If it `is_late`, it ended
        with the last block that was begun.
        """
        course = (self.stopping(is_reached) if is_reached else self).course()
        last = max((index for key in outcomes if (index := block_index(key)) is not None), default=-1)
        for due in course.blocks(outcomes):
            if is_late and due.block.index > last:
                return ""
            for key, _ in due.matches:
                if key not in outcomes:
                    return key
        return ""


def field_of(setups: Sequence[SetUp], entrants: Sequence[Entrant]) -> Field:
    """Return who plays. Raises ScheduleError if the entrants cannot fill the largest table."""
    owners = tuple(entrant.owner for entrant in entrants)
    return Field(len(entrants), max(setup.seats for setup in setups), owners if any(owners) else ())
