"""Plans an event: checks it against the known games and bots, and fills in what was left open."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.bot import BOT_FILE, check_plays
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import Entry, resolve_entry
from ballcourt.arena.building.builds import ready_entries
from ballcourt.arena.match.spec import Scale
from ballcourt.arena.sandbox.tiers import Sandbox, require
from ballcourt.arena.tournament.decisions.changes import NO_CHANGES, Joining, changes_of
from ballcourt.arena.tournament.decisions.joined import schedule_with
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.seeds import Deals, Seed, draw_seed
from ballcourt.arena.tournament.event.setups import SetUp, design_of, setups_of
from ballcourt.arena.tournament.folder.manifest import kept_manifest, kept_seed
from ballcourt.arena.tournament.folder.plan import DEFAULT_LIFETIME, Plan, field_of
from ballcourt.arena.tournament.schedules.formats import default_format, schedule_of
from ballcourt.arena.tournament.schedules.schedule import Design, Field, FormatOptions, Length, Schedule
from ballcourt.arena.tournament.schedules.stop import Rule, Separated, asks_for_precision
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.engine.registry import find_game

DEFAULT_LENGTH: Final = Length("rounds", 1)
OPEN_LENGTH: Final = Length("blocks", 100_000)
"""The length of a tournament that is to end when its results say enough: only an upper bound to count towards."""


def plan(
    event: Event,
    resolve: Callable[[str], Entry] = resolve_entry,
    before_builds: Callable[[Sandbox], None] = lambda _: None,
    *,
    folder: Path | None = None,
    build: bool = True,
) -> Plan:
    """Check an event against the known games and bots, fill in defaults, build the bots.

    `folder` is its output folder. If it was begun there, the seed that was drawn and what the organiser has decided
    since count. `resolve` returns the entry that a name in the event means. `before_builds` is called once all is
    checked, before any program of a stranger runs. Without `build` none runs here: other machines may build them and
    play the tournament. Raises SettingsError, ScheduleError, BotError, SandboxError, EngineError, FolderError or
    TrailError, each with one sentence, and whatever `resolve` raises.
    """
    decisions = read_trail(folder) if folder else ()
    if not all(table.game for table in event.played):
        raise SettingsError('no game is named; give game = "..." in the tournament file, or --game')
    if not event.entered:
        raise SettingsError("no bots are named; give bots = [...] in the tournament file, or --bot for each")
    founding = tuple(table.entry(resolve) for table in event.entered)
    changes = changes_of(decisions, [entry.entrant.bot for entry in founding]) if decisions else NO_CHANGES
    entries = (*founding, *(_joined(joining, resolve) for joining in changes.joined))
    setups = setups_of(event.played, len(founding))
    _check_entries(setups, entries)
    entrants = tuple(entry.entrant for entry in entries)
    field = field_of(setups, entrants)
    event, seed = decided(event, field.seats, entrants, folder)
    design = _design(event, setups, entrants, len(founding))
    sandbox = event.sandbox.sandbox()
    schedule = schedule_with(changes, design, field) if decisions else schedule_of(design, field)
    require(sandbox)
    before_builds(sandbox)
    bots = ready_entries(entries, sandbox) if build else {entry.entrant: entry.bot for entry in entries if entry.bot}
    return Plan(event, setups, entrants, design, schedule, seed, changes, bots)


def decided(event: Event, seats: int, entrants: Iterable[Entrant], folder: Path | None) -> tuple[Event, Seed]:
    """Decide what a tournament or a ladder leaves open about deals, lifetime, fallbacks and seed.

    The last two are as in the output folder, if it was begun there: defaults change, and seeds are drawn. Raises
    FolderError, and SettingsError where bots would know what they must not, or think on another machine by the clock of
    this one.
    """
    remote = next((entrant.bot.name for entrant in entrants if entrant.remote), "")
    if event.clock.scale is Scale.REFERENCE and remote:
        raise SettingsError(
            f'clock.scale is "reference", but the remote bot {remote} thinks on a machine of its own; leave it out'
        )
    deals = _deals(event.seeds, seats, remote)
    lifetime = _lifetime(event.lifetime, deals, seats)
    kept = kept_manifest(folder) if folder else None
    if kept and event.faults.fallback is None:
        event = event.replaced(faults=event.faults.replaced(fallback=kept.faults.fallback))
    drawn = kept_seed(folder) if kept and folder and event.seed is None else None
    seed = (drawn or draw_seed()) if event.seed is None else Seed(event.seed)
    return event.replaced(seeds=deals, lifetime=lifetime), seed


def _design(event: Event, setups: Sequence[SetUp], entrants: Sequence[Entrant], founders: int) -> Design:
    """Return what decides which blocks are played. Raises SettingsError for a stop that does not fit it."""
    field, stop = field_of(setups, entrants), event.stop or ()
    at_first = field.among(range(founders))
    name, length = event.format or default_format(at_first, stop), event.asked or DEFAULT_LENGTH
    design = design_of(name, length, _format_options(event, entrants), setups)
    if stop:
        _check_stop(stop, design, schedule_of(design, at_first), field)
    return replace(design, length=OPEN_LENGTH) if stop and event.asked is None else design


def _joined(joining: Joining, resolve: Callable[[str], Entry]) -> Entry:
    """Return an entrant that joined. Raises SettingsError if its files have changed since."""
    entry = joining.table.entry(resolve)
    if entry.entrant.bot != joining.bot:
        raise SettingsError(
            f"{joining.table.path} is no longer the bot {joining.bot} that joined; restore its files, or "
            "withdraw it and add the new version"
        )
    return entry


def _deals(asked: Deals | None, seats: int, remote: str) -> Deals:
    """Return which matches share a deal. Raises SettingsError where that would tell a bot its opponents' cards."""
    if seats == 1:
        if asked == Deals.MATCH:
            raise SettingsError('seeds is "match", but with one seat results are compared deal by deal; leave it out')
        return Deals.BLOCK
    if asked is not Deals.BLOCK:
        return Deals.MATCH
    if remote:
        raise SettingsError(
            f'seeds is "block", but the remote bot {remote} may remember the cards of one rotation in the next; '
            "leave it out, and every match has its own deal"
        )
    return Deals.BLOCK


def _lifetime(asked: Lifetime | None, deals: Deals, seats: int) -> Lifetime:
    """Return how long bots may remember: only one match where they would see a deal again. Raises SettingsError."""
    if deals is not Deals.BLOCK or seats == 1:
        return asked or DEFAULT_LIFETIME
    if asked == Lifetime.TOURNAMENT:
        raise SettingsError(
            'seeds is "block" and lifetime is "tournament", so bots would know the cards of the next rotation; '
            'leave lifetime out, which makes it "match", or give seeds = "match"'
        )
    return Lifetime.MATCH


def _format_options(event: Event, entrants: Sequence[Entrant]) -> FormatOptions:
    """Return what the format takes in addition, with the bots in focus by index. Raises SettingsError."""
    given = {name: value for name, value in event.given().items() if name in FormatOptions.model_fields}
    if not event.focus:
        return FormatOptions(**given)
    indices = {entrant.bot.name: index for index, entrant in enumerate(entrants)}
    for name in event.focus:
        if name not in indices:
            raise SettingsError(f"focus names '{name}', which is not in the tournament; its bots: {', '.join(indices)}")
    return FormatOptions(**given | {"focus": tuple(sorted({indices[name] for name in event.focus}))})


def _check_stop(stop: tuple[Rule, ...], design: Design, schedule: Schedule, field: Field) -> None:
    """Raise SettingsError for a stop that this tournament cannot have."""
    if not schedule.can_be_extended:
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
    seen: dict[str, Entry] = {}
    labelled = {entry.entrant.bot.name for entry in entries if entry.entrant.own_name}
    for entry in entries:
        bot = entry.entrant.bot
        if bot.name in labelled and any(bot.name == known.entrant.bot.name for known in seen.values()):
            raise SettingsError(f"two entrants are called {bot.name}; give one of them another label")
        if other := seen.get(str(bot)):
            raise SettingsError(_twice(other, entry))
        seen[str(bot)] = entry
        if entry.bot:
            for game in {setup.game for setup in setups}:
                check_plays(entry.bot, find_game(game))


def _twice(one: Entry, other: Entry) -> str:
    bot = one.entrant.bot
    if one.bot and other.bot and one.bot.home != other.bot.home:
        return (
            f"{one.bot.home} and {other.bot.home} are both called {bot}; change the name in one {BOT_FILE}, or give it "
            f'a label: "twin={other.bot.home}"'
        )
    return (
        f"bot {bot} is named twice; an entrant plays once at a table, so name it once or give the copy a label: "
        f'"twin={one.entrant.bot.name}"'
    )
