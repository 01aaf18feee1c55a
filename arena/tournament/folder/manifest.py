"""The manifest of a tournament's folder: what is played there, written at the start and compared on resumption."""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import REMOTE, UNKNOWN, split_label
from ballcourt.arena.files import read_regular, read_toml, to_toml, write_atomically
from ballcourt.arena.match.spec import ARENA
from ballcourt.arena.tournament.decisions.changes import changes_of
from ballcourt.arena.tournament.decisions.joined import schedule_with
from ballcourt.arena.tournament.decisions.trail import TRAIL, read_trail
from ballcourt.arena.tournament.event.manifest import MANIFEST, Manifest
from ballcourt.arena.tournament.event.seeds import Seed, opened
from ballcourt.arena.tournament.event.setups import design_of
from ballcourt.arena.tournament.event.stages import LADDER, WrittenSchedule
from ballcourt.arena.tournament.event.tables import BotTable, ClockTable, FaultsTable, SandboxTable
from ballcourt.arena.tournament.folder.plan import Plan, field_of
from ballcourt.arena.tournament.schedules.schedule import Schedule
from ballcourt.engine.core import WrongInput

SEED: Final = "seed"
"""The file of a seed that was drawn. Only its owner may read it, as it reveals the deals that are still to come."""
MOST_SEED: Final = 1 << 10
"""Bytes of that file."""

RERUN_FILE: Final = "event.toml"
"""A tournament file that plays an event again, in its signed bundle."""
HEAD: Final = "# what is played in this folder; ballcourt wrote it and compares it when the tournament is resumed"


class FolderError(WrongInput):
    """The output folder is in use, or belongs to another tournament; the sentence says what to do."""


def _described(plan: Plan) -> Manifest:
    """Return everything about a plan that decides its results, without the changes of its organiser."""
    assert plan.seed, "it is going to be played"
    founders, event = plan.entrants[: plan.founders], plan.event
    own = {str(founders[index].bot): clock for index, clock in plan.clocks.items() if index < plan.founders}
    return Manifest(
        **({"setup": plan.setups} if len(plan.setups) > 1 else plan.setups[0].given()),
        seed=plan.seed.commitment if plan.seed.is_secret else plan.seed.number,
        seeds=event.seeds,
        lifetime=event.lifetime,
        clock=ClockTable(**asdict(plan.clock)),
        faults=FaultsTable(**plan.policy.table()),
        sandbox=SandboxTable.model_validate(plan.sandbox.to_table()),
        **plan.design.options.given(),
        bots=event.bots,
        bot=event.bot,
        format=plan.design.format,
        blocks=plan.began.blocks,
        stop=event.stop,
        length=str(plan.design.length),
        entrants={str(entrant.bot): entrant.bot.content_hash for entrant in founders},
        owners={str(entrant.bot): entrant.owner for entrant in founders if entrant.owner},
        clocks={identity: ClockTable(**asdict(clock)) for identity, clock in own.items()},
    )


def write_manifest(path: Path, plan: Plan) -> None:
    """Write the manifest into the tournament's folder, and a drawn seed into a file of its own. Raises OSError."""
    if plan.seed and plan.seed.is_secret:
        write_atomically(path / SEED, f"{plan.seed.opening}\n".encode(), 0o600)
    write_atomically(path / MANIFEST, to_toml(_described(plan).to_table(), [HEAD]).encode())


def check_same(path: Path, plan: Plan) -> None:
    """Raise FolderError if another tournament was begun in the folder, or the same one with more blocks."""
    before = kept_manifest(path)
    if not before:
        return
    now = _described(plan)
    before = _renewed(_arrived(before, now), now)
    if differences := [*_other_settings(before, now), *_other_bots(before.entrants, now.entrants)]:
        raise FolderError(
            f"{path} holds another tournament: {'; '.join(differences)}; choose another output folder, or remove this "
            "one to start over"
        )
    if changed := [name for name in now.entrants if now.entrants[name] != before.entrants[name]]:
        begun = (path / MANIFEST).stat().st_mtime
        bots = {str(entrant.bot): bot for entrant, bot in plan.bots.items()}
        files = [f"{bots[name].changed_since(begun)} of {name}" for name in changed if name in bots]
        raise FolderError(
            f"the files of {', '.join(changed)} have changed since {path} was begun ({'; '.join(files)}), so the "
            "results so far belong to another bot; restore them, and remove those that the program itself wrote "
            f"there, or give the bot a new version and choose another output folder"
        )
    _check_length(path, before.blocks, plan)


def _arrived(before: Manifest, now: Manifest) -> Manifest:
    """Return a manifest in which the bots that had not arrived when it was written are called as they are now."""
    latest = {bot.name: str(bot) for bot in now.versions}
    absent = (bot for bot in before.versions if bot.version == UNKNOWN)
    new = {str(bot): latest[bot.name] for bot in absent if bot.name in latest}
    return before.replaced(
        entrants=dict(
            (new[one], now.entrants[new[one]]) if one in new else (one, content)
            for one, content in before.entrants.items()
        ),
        owners={new.get(one, one): owner for one, owner in before.owners.items()},
        clocks={new.get(one, one): clock for one, clock in before.clocks.items()},
    )


def _renewed(before: Manifest, now: Manifest) -> Manifest:
    """Return the manifest of a ladder that goes on under other rules as if it had begun with them, too."""
    played, more = len(before.setups), now.setups[len(before.setups) :]
    if now.format != LADDER or before.setups != now.setups[:played] or not all(setup.after for setup in more):
        return before
    what = ("setup", "game", "seats", "options", "rules_version")
    return before.replaced(**{name: getattr(now, name) for name in what})


def kept_seed(path: Path) -> Seed | None:
    """Return the seed of the tournament begun in a folder; None if there is none. Raises FolderError."""
    manifest = kept_manifest(path)
    if manifest is None or manifest.seed is None:
        return None
    if isinstance(manifest.seed, int):
        return Seed(manifest.seed)
    file = path / SEED
    try:
        drawn = opened(read_regular(file, MOST_SEED).decode())
    except OSError as error:
        raise FolderError(f"cannot read {file}, the seed that was drawn: {error.strerror or error}") from error
    except ValueError as error:
        raise FolderError(f"{file} is damaged; restore it, or choose another output folder") from error
    if drawn.commitment != manifest.seed:
        raise FolderError(f"{file} is not the seed of {path / MANIFEST}; restore it, or choose another output folder")
    return drawn


def kept_plan(path: Path) -> Plan | None:
    """Return the plan of the tournament begun in a folder, without its bots; None if there is none.

    Its seed is None if this process may not read it. Raises FolderError, or TrailError.
    """
    manifest = kept_manifest(path)
    if manifest is None:
        return None
    seed = None
    with suppress(FolderError):  # readers of the table may not be allowed to know it
        seed = kept_seed(path)
    changes = changes_of(read_trail(path), manifest.versions)
    founders = (Entrant(bot, owner=manifest.owners.get(str(bot), "")) for bot in manifest.versions)
    entrants = (*founders, *(joining.entrant for joining in changes.joined))
    try:
        setups = manifest.setups
        design = design_of(manifest.format, manifest.asked, manifest.format_options, setups)
        if manifest.format == LADDER:
            schedule: Schedule = WrittenSchedule(path, max(setup.seats for setup in setups), len(entrants))
        else:
            schedule = schedule_with(changes, design, field_of(setups, entrants))
        return Plan(manifest.conditions, setups, entrants, design, schedule, seed, changes)
    except ValueError as error:
        raise _damaged(path, error) from error


def kept_versions(path: Path, names: Collection[str]) -> dict[str, str]:
    """Return the versions of these bots in the tournament begun in a folder, by name. Raises FolderError.

    Bots that have never dialled in have none.
    """
    manifest = kept_manifest(path)
    kept = manifest.versions if manifest else ()
    return {bot.name: bot.version for bot in kept if bot.name in names and bot.version != UNKNOWN}


def rerun_file(path: Path) -> str:
    """Return a tournament file that plays the tournament in a folder again, with its seed, where the bots are.

    Raises FolderError.
    """
    manifest, seed = kept_manifest(path), kept_seed(path)
    assert manifest and seed, "it has been played"
    event = manifest.as_event()
    bots = tuple(map(_frozen, event.entered, manifest.entrants.values()))
    again = event.replaced(seed=seed.number, bots=None, bot=bots)
    return to_toml(again.to_table(), [f"# {line}" for line in _about(path, manifest)])


def _frozen(table: BotTable, digest: str) -> BotTable:
    """Return the table of an entrant that must have this content; folders are looked for in `bots`."""
    if table.path.startswith(REMOTE):
        return table
    label, written = split_label(table.path)
    place = f"./bots/{Path(written).name}" if os.sep in written else written
    return table.replaced(path=place, label=table.label or label, hash=digest)


def _about(path: Path, manifest: Manifest) -> Iterator[str]:
    """Yield what one has to know to play a tournament again."""
    yield f"plays an event again: ballcourt tournament {RERUN_FILE} --output again"
    yield "deterministic bots give the same results; put the folders of bots into bots/, next to this file"
    if (path / TRAIL).exists():
        yield f"its organiser made decisions about it: copy {TRAIL} into the new output folder first"
    rules = dict.fromkeys(f"rules {setup.rules_version} of {setup.game}" for setup in manifest.setups)
    yield f"{ARENA}, {', '.join(rules)}; each record says which machine played it"


def _other_settings(before: Manifest, now: Manifest) -> Iterator[str]:
    """Yield how two tournaments differ, apart from their bots."""
    if before.setup != now.setup:
        yield "it has other set-ups, or has them in another order"
    was, wanted = _flat(before.settled()), _flat(now.settled())
    for key in dict.fromkeys((*wanted, *was)):
        if was.get(key) != wanted.get(key):
            yield f"its {key} is {was.get(key)}, not {wanted.get(key)}"


def _other_bots(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yield how the bots of two tournaments differ, and what to do about it."""
    gone, new = ([name for name in these if name not in those] for these, those in ((before, now), (now, before)))
    if gone or new:
        changes = [f"{', '.join(gone)} played in it"] * bool(gone) + [f"{', '.join(new)} did not"] * bool(new)
        yield " and ".join(changes)
        yield (
            "`ballcourt event` lets bots join and leave; one database can hold several tournaments (database = URL), "
            "and rates all their bots together"
        )
    elif list(before) != list(now):
        yield f"its bots are in another order: {', '.join(before)}"


def _check_length(path: Path, before: int, plan: Plan) -> None:
    """Raise FolderError if the event would be shorter, or longer where it cannot be."""
    asked = plan.began
    closed = plan.changes.closed
    if closed and before != asked.blocks:
        raise FolderError(f"{path} cannot be longer: {closed.sentence}; choose another output folder")
    if before != asked.blocks and not asked.can_be_extended:
        raise FolderError(
            f"{path} has {before} blocks, not {asked.blocks}, and this format has a fixed end; "
            "choose another output folder"
        )
    if asked.blocks < before:
        raise FolderError(
            f"{path} was begun with {asked.matches_in(before)} matches, more than the "
            f"{asked.matches_in(asked.blocks)} asked for; a tournament can be made longer but not shorter: "
            "choose another output folder"
        )


def _flat(table: Mapping[str, object]) -> dict[str, object]:
    """Return the table with the entries of inner tables under the names `outer.inner`."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        flat |= {f"{key}.{name}": entry for name, entry in value.items()} if isinstance(value, dict) else {key: value}
    return flat


def kept_manifest(path: Path) -> Manifest | None:
    """Return the manifest of a folder; None if it has none. Raises FolderError."""
    try:
        table = read_toml(path / MANIFEST)
        if not table:
            raise ValueError("it is empty")
        return Manifest.read(table, MANIFEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FolderError(f"cannot use {path} as the output folder: {error.strerror or error}") from error
    except ValueError as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> FolderError:
    return FolderError(f"{path / MANIFEST} is damaged ({error}); restore it, or choose another output folder")
