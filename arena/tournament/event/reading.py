"""Reads events: tournament files, the flags of a command, the manifest of a folder."""

from collections.abc import Mapping
from pathlib import Path

from ballcourt.arena.files import read_toml
from ballcourt.arena.tournament.event.manifest import MANIFEST, Manifest, is_manifest
from ballcourt.arena.tournament.event.model import Conditions, Event, SettingsError


def parse_event(values: Mapping[str, object], source: str, base: Path) -> Event:
    """Validate values; error messages name `source`, paths are relative to `base`. Raises SettingsError."""
    return Event.read(values, source, SettingsError, base=base)


def read_table(path: Path) -> dict[str, object]:
    """Read a TOML file. Raises SettingsError."""
    try:
        return read_toml(path)
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from error


def read_event(path: Path) -> Event:
    """Read a tournament file, or the manifest of an output folder. Raises SettingsError."""
    values = read_table(path)
    if not is_manifest(values):
        return parse_event(values, str(path), path.parent)
    try:
        event = Manifest.read(values, MANIFEST, base=path.parent).as_event()
    except ValueError as error:
        raise SettingsError(
            f"{path} is the manifest of an output folder, but it cannot be run: {error}; "
            "run the tournament file that it came from"
        ) from error
    return event.replaced(output=path.parent)


def event_from(file: Path | None, given: Mapping[str, object], source: str) -> Event:
    """Read a tournament file, if there is one, and override it with what was given; None is not given.

    Raises SettingsError; messages about what was given name `source`.
    """
    written = read_event(file) if file else Event()
    named = {name: value for name, value in given.items() if value is not None}
    return written.overridden_by(parse_event(named, source, Path()))


def output_folder(file: Path | None, event: Conditions) -> Path:
    """Return the output folder: the one that is given, else one in `runs` named after the file or the game."""
    named = file.parent / "runs" / file.stem if file else Path("runs") / "-".join(event.game or ())
    return event.output or named
