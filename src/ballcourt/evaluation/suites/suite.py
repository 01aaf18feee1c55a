"""A suite: what a bot plays to get the number of a benchmark."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.files import read_toml
from ballcourt.arena.models import Model
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.engine.core import WrongInput, did_you_mean
from ballcourt.engine.registry import find_game

FOLDER: Final = Path(__file__).parent
CANDIDATE: Final = "candidate"
"""The name under which a bot plays a suite, so that a bot of the field may be measured too."""


class BenchmarkError(WrongInput):
    """A suite is not known, or cannot be played here; the sentence says why."""


class FrozenFile(Model):
    """What a file fixes for ever: rules and bots by their versions."""

    title: str
    """What is played and against whom, in a line."""
    rules: dict[str, str]
    """The rules version of each game."""
    field: Annotated[dict[str, str], Field(min_length=1)]
    """The version of each bot of the field, all of which come with Ballcourt."""

    def check(self, name: str) -> None:
        """Raise BenchmarkError if the rules or the field here are other ones; `name` is how the sentence calls it."""
        here = {game: find_game(game).rules_version for game in self.rules}
        _demand(name, "the rules of", self.rules, here)
        _demand(name, "the bot", self.field, {bot: resolve_bot(bot).version for bot in self.field})


class SuiteFile(FrozenFile):
    """The file of a suite."""

    event: dict[str, Any]
    """What a tournament file says, without the bots and the format."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A benchmark: its name, what its file says, and the SHA-256 of the file."""

    name: str
    file: SuiteFile
    digest: str

    @property
    def rounds(self) -> int:
        """How many rounds it has: in each, the bot meets the whole field in every set-up."""
        return int(self.file.event["rounds"])

    def event(self, bot: str, **given: object) -> Event:
        """Return the tournament that a bot plays; `given` are other keys, None is not given. Raises SettingsError."""
        values = {
            **self.file.event,
            "bots": [f"{CANDIDATE}={bot}", *self.file.field],
            "format": "gauntlet",
            "focus": [CANDIDATE],
            "seeds": "block",
            "lifetime": "match",
            **{name: value for name, value in given.items() if value is not None},
        }
        return Event.read(values, f"suite {self.name}", SettingsError, base=Path())

    def check(self) -> None:
        """Raise BenchmarkError if the rules or the field here are other ones than those of the suite."""
        self.file.check(f"suite {self.name}")


def _demand(file: str, what: str, wanted: Mapping[str, str], here: Mapping[str, str]) -> None:
    for name, version in wanted.items():
        if here[name] != version:
            raise BenchmarkError(
                f"{file} is played with {what} {name} in version {version}, and here is version {here[name]}; take a "
                f"release of ballcourt that has it, or a newer {file.partition(' ')[0]}"
            )


def known_suites() -> list[str]:
    """Return the names of all suites."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def find_suite(name: str) -> Suite:
    """Return the suite of this name. Raises BenchmarkError for an unknown one."""
    if name not in (known := known_suites()):
        raise BenchmarkError(f"there is no suite '{name}'; known suites: {', '.join(known)}{did_you_mean(name, known)}")
    path = FOLDER / f"{name}.toml"
    return Suite(name, SuiteFile.read(read_toml(path), path.name), sha256(path.read_bytes()).hexdigest())
