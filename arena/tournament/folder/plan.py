"""The plan of a tournament: from its settings to its schedule and its matches.

It follows from game, options, entrants, seed and results alone, so a second run plays exactly the remaining matches.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from pathlib import Path

from ballcourt.arena.bots.bot import BOT_FILE, Bot, check_plays
from ballcourt.arena.bots.entries import Entry, resolve_entry
from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.match.policy import FaultPolicy, parse_policy
from ballcourt.arena.match.spec import Clock, MatchSpec, Scale
from ballcourt.arena.processes.builds import ready_entries
from ballcourt.arena.sandbox.tiers import Sandbox, require, sandbox_of
from ballcourt.arena.tournament.decisions.changes import Changes, Joining, changes_of
from ballcourt.arena.tournament.decisions.course import Course, DueBlock
from ballcourt.arena.tournament.decisions.joined import schedule_with
from ballcourt.arena.tournament.decisions.trail import Decision
from ballcourt.arena.tournament.event.bot_tables import BotTable, entry_of
from ballcourt.arena.tournament.event.seeds import Deals, Seed, draw_seed
from ballcourt.arena.tournament.event.settings import Settings, SettingsError
from ballcourt.arena.tournament.event.setups import SetUp, games_of, setups_of, table_sizes_of
from ballcourt.arena.tournament.schedules.balance import Balance, balances
from ballcourt.arena.tournament.schedules.formats import default_format, schedule_of
from ballcourt.arena.tournament.schedules.schedule import Block, Design, Field, FormatOptions, Length, Schedule, Seating
from ballcourt.arena.tournament.schedules.sequential import Sequential, Stop
from ballcourt.arena.tournament.schedules.stop import Reached, Rule, Separated, asks_for_precision
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch
from ballcourt.engine.registry import find_game

DEFAULT_LENGTH = Length("rounds", 1)
OPEN_LENGTH = Length("blocks", 100_000)
"""The length of a tournament that is to end when its results say enough: only an upper bound to count towards."""
DEFAULT_LIFETIME = Lifetime.TOURNAMENT
MOST_COUNTED = 1_000_000
"""Blocks times entrants up to which the balance of a schedule is counted: about a second."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that decides which matches are played, and how."""

    setups: tuple[SetUp, ...]
    tables: tuple[BotTable, ...]
    """The entrants as the settings name them."""
    entrants: tuple[Entrant, ...]
    bots: Mapping[Entrant, Bot]
    """The bots of this machine; remote entrants have none."""
    design: Design
    schedule: Schedule
    """With the changes."""
    began: Schedule
    """Without them."""
    changes: Changes
    stop: tuple[Rule, ...]
    """What ends it early; the rules about precision only if its schedule follows them: see `stopping`."""
    seed: Seed
    deals: Deals
    clock: Clock
    clocks: Mapping[int, Clock]
    """Of those entrants, by index, that have one of their own."""
    policy: FaultPolicy
    sandbox: Sandbox
    lifetime: Lifetime

    @property
    def seats(self) -> int:
        """The seats of its largest tables."""
        return max(setup.seats for setup in self.setups)

    @property
    def games(self) -> str:
        """The names of its games, such as "ahau" or "ahau, maya"."""
        return games_of(self.setups)

    @property
    def founders(self) -> int:
        """The number of entrants with which it began: the first ones; others have joined."""
        return len(self.entrants) - len(self.changes.joined)

    @property
    def field(self) -> Field:
        """All who play, with those who joined."""
        return Field(len(self.entrants), self.seats, owners_of(self.entrants))

    @property
    def matches(self) -> int:
        """The number of matches, or the most that there can be if that depends on results."""
        return self.schedule.matches_in(self.schedule.blocks)

    @property
    def is_exact(self) -> bool:
        """Whether there will be exactly this number of matches if nobody is suspended."""
        return self.schedule.is_exact and not self.stop

    def stopping(self, is_reached: Reached) -> "Tournament":
        """Return the tournament that ends after the first round whose results are as precise as was asked for."""
        return replace(self, schedule=Sequential(self.schedule, Stop(1, None, is_reached)))

    def course(self) -> Course:
        """Return the course of the tournament, at its beginning."""
        return Course(self.schedule, self.policy, len(self.entrants), self.changes)

    def playable(self, due: DueBlock, broadcasts: Path | None = None) -> list[PlayableMatch]:
        """Return the matches of a block that are to be played; they can be watched in a folder, if one is given."""
        return [
            PlayableMatch(self._spec(due.block, seating), self.bots, self.sandbox, self.lifetime, broadcasts=broadcasts)
            for seating in due.matches
        ]

    def _spec(self, block: Block, seating: Seating) -> MatchSpec:
        key, table = seating
        setup = self.setups[block.setup]
        return MatchSpec(
            key=key,
            game=setup.game,
            options=dict(setup.options),
            seed=self.seed.deal(self.deals, block.index, key, self.changes.repeats(key)),
            entrants=tuple(self.entrants[entrant] for entrant in table),
            clock=self.clock,
            seat_clocks=tuple(self.clocks.get(entrant, self.clock) for entrant in table) if self.clocks else (),
            policy=self.policy,
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


def plan(
    settings: Settings,
    resolve: Callable[[str], Entry] = resolve_entry,
    kept: Seed | None = None,
    before_builds: Callable[[Sandbox], None] = lambda _: None,
    *,
    build: bool = True,
    decisions: Sequence[Decision] = (),
) -> Tournament:
    """Check settings against the known games and bots, fill in defaults, build the bots.

    The seed is the one in the settings, else `kept`, else drawn. `resolve` returns the entry that a name in the
    settings means. `before_builds` is called once all is checked, before any program of a stranger runs. Without
    `build` none runs here: other machines may build them and play the tournament. Raises SettingsError, ScheduleError,
    BotError, SandboxError or EngineError, each with one sentence, and whatever `resolve` raises.
    """
    if any(table.game is None for table in settings.played):
        raise SettingsError('no game is named; give game = "..." in the tournament file, or --game')
    if not settings.entered:
        raise SettingsError("no bots are named; give bots = [...] in the tournament file, or --bot for each")
    founding = tuple(entry_of(table, resolve) for table in settings.entered)
    changes = changes_of(decisions, [entry.entrant.identity for entry in founding])
    entries = (*founding, *(_joined(joining, resolve) for joining in changes.joined))
    setups = setups_of(settings.played, len(founding))
    _check_entries(setups, entries)
    entrants = tuple(entry.entrant for entry in entries)
    seats = max(setup.seats for setup in setups)
    seed = (kept or draw_seed()) if settings.seed is None else Seed(settings.seed)
    field = Field(len(entrants), seats, owners_of(entrants))
    at_first = field.among(range(len(founding)))
    tables = (*settings.entered, *(joining.table for joining in changes.joined))
    clock, clocks = clock_of(settings.clock), _clocks(settings.clock, tables)
    policy, sandbox = parse_policy(settings.faults), sandbox_of(settings.sandbox)
    _check_scale(clock, entries)
    deals = deals_of(settings.seeds, seats, entries)
    lifetime = lifetime_of(settings.lifetime, deals, seats)
    stop = settings.stop or ()
    design = Design(
        settings.format or default_format(at_first, stop),
        settings.length or DEFAULT_LENGTH,
        FormatOptions(_focus(settings.focus, entrants), settings.groups, settings.advance),
        table_sizes_of(setups),
    )
    began = schedule_of(design, at_first)
    _check_stop(stop, design, began, field)
    if stop and settings.length is None:
        design = replace(design, length=OPEN_LENGTH)
        began = schedule_of(design, at_first)
    schedule = schedule_with(changes, design, field)
    require(sandbox)
    before_builds(sandbox)
    bots = ready_entries(entries, sandbox) if build else {entry.entrant: entry.bot for entry in entries if entry.bot}
    return Tournament(
        setups, tables, entrants, bots, design, schedule, began, changes, stop, seed, deals, clock,
        clocks, policy, sandbox, lifetime,
    )  # fmt: skip


def clock_of(values: Mapping[str, int | str]) -> Clock:
    """Return the default clock with these values replaced. Raises SettingsError."""
    try:
        return replace(Clock(), **values)  # type: ignore[arg-type]  # the clock checks them
    except ValueError as error:
        raise SettingsError(f"clock: {error}") from error


def owners_of(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    """Return the owner of each entrant; empty if none of them is said to have one."""
    owners = tuple(entrant.owner for entrant in entrants)
    return owners if any(owners) else ()


def _joined(joining: Joining, resolve: Callable[[str], Entry]) -> Entry:
    """Return an entrant that joined. Raises SettingsError if its files have changed since."""
    entry = entry_of(joining.table, resolve)
    if (entry.entrant.identity, entry.entrant.content_hash) != (joining.identity, joining.content_hash):
        raise SettingsError(
            f"{joining.table.path} is no longer the bot {joining.identity} that joined; restore its files, or "
            "withdraw it and add the new version"
        )
    return entry


def _clocks(clock: Mapping[str, int | str], tables: Sequence[BotTable]) -> dict[int, Clock]:
    """Return the clocks of those entrants that have one of their own, by index. Raises SettingsError."""
    return {index: clock_of({**clock, **table.clock}) for index, table in enumerate(tables) if table.clock}


def _check_scale(clock: Clock, entries: Iterable[Entry]) -> None:
    """Raise SettingsError if the clock follows the speed of this machine but a bot thinks on another one."""
    for entrant in (entry.entrant for entry in entries):
        if entrant.remote and clock.scale == Scale.REFERENCE:
            raise SettingsError(
                f'clock.scale is "reference", but the remote bot {entrant.name} thinks on a machine of its own; leave '
                "it out"
            )


def deals_of(asked: str | None, seats: int, entries: Iterable[Entry]) -> Deals:
    """Return which matches share a deal. Raises SettingsError where that would tell a bot its opponents' cards."""
    if seats == 1:
        if asked == Deals.MATCH:
            raise SettingsError('seeds is "match", but with one seat results are compared deal by deal; leave it out')
        return Deals.BLOCK
    deals = Deals(asked or Deals.MATCH)
    remote = [entry.entrant.name for entry in entries if entry.entrant.remote]
    if deals is Deals.BLOCK and remote:
        raise SettingsError(
            f'seeds is "block", but the remote bot {remote[0]} may remember the cards of one rotation in the next; '
            "leave it out, and every match has its own deal"
        )
    return deals


def lifetime_of(asked: str | None, deals: Deals, seats: int) -> Lifetime:
    """Return how long bots may remember: only one match where they would see a deal again. Raises SettingsError."""
    if deals is not Deals.BLOCK or seats == 1:
        return Lifetime(asked or DEFAULT_LIFETIME)
    if asked == Lifetime.TOURNAMENT:
        raise SettingsError(
            'seeds is "block" and lifetime is "tournament", so bots would know the cards of the next rotation; '
            'leave lifetime out, which makes it "match", or give seeds = "match"'
        )
    return Lifetime.MATCH


def _focus(names: tuple[str, ...] | None, entrants: tuple[Entrant, ...]) -> tuple[int, ...]:
    """Return which entrants are in focus, by index."""
    indices = {entrant.name: index for index, entrant in enumerate(entrants)}
    for name in names or ():
        if name not in indices:
            raise SettingsError(f"focus names '{name}', which is not in the tournament; its bots: {', '.join(indices)}")
    return tuple(sorted({indices[name] for name in names or ()}))


def _check_stop(stop: tuple[Rule, ...], design: Design, schedule: Schedule, field: Field) -> None:
    """Raise SettingsError for a stop that this tournament cannot have."""
    if stop and not schedule.can_be_extended:
        raise SettingsError(f"stop does not fit the format '{design.format}', which has a fixed end; leave it out")
    for rule in stop:
        if isinstance(rule, Separated) and rule.top >= field.entrants:
            raise SettingsError(
                f"stop asks for the top {rule.top}, but there are {field.entrants} bots; give at most "
                f"{field.entrants - 1}"
            )
    if asks_for_precision(stop) and field.entrants < 2:
        raise SettingsError("stop asks how precise ratings are, but one bot alone has none; give a time, such as '6 h'")


def _check_entries(setups: Iterable[SetUp], entries: tuple[Entry, ...]) -> None:
    seen: dict[tuple[str, str], Entry] = {}
    labelled = {entry.entrant.name for entry in entries if entry.entrant.bot}
    for entry in entries:
        name, version = entry.entrant.name, entry.entrant.version
        if name in labelled and any(name == known for known, _ in seen):
            raise SettingsError(f"two entrants are called {name}; give one of them another label")
        if other := seen.get((name, version)):
            raise SettingsError(_twice(other, entry))
        seen[name, version] = entry
        if entry.bot:
            for game in {setup.game for setup in setups}:
                check_plays(entry.bot, find_game(game))


def _twice(one: Entry, other: Entry) -> str:
    bot = one.entrant.identity
    if one.bot and other.bot and one.bot.home != other.bot.home:
        return (
            f"{one.bot.home} and {other.bot.home} are both called {bot}; change the name in one {BOT_FILE}, or give it "
            f'a label: "twin={other.bot.home}"'
        )
    return (
        f"bot {bot} is named twice; an entrant plays once at a table, so name it once or give the copy a label: "
        f'"twin={one.entrant.name}"'
    )
