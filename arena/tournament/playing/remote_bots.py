"""The remote bots among the bots of a tournament: those whose names begin with "remote:"."""

from collections.abc import Callable, Mapping

from ballcourt.arena.bots.entries import REMOTE, UNKNOWN, Entry, remote_entry, resolve_entry
from ballcourt.arena.remote.tokens import Tokens
from ballcourt.arena.tournament.event.model import Event, SettingsError


def remote_names(settings: Event) -> tuple[str, ...]:
    """Pick the names of the remote bots from the bots of a tournament. Raises SettingsError when there are none."""
    paths = [table.path for table in settings.entered]
    names = tuple(path.removeprefix(REMOTE) for path in paths if path.startswith(REMOTE))
    if not names:
        raise SettingsError(
            f'no bot of the tournament is remote; name those that dial in "{REMOTE}NAME", '
            "or play it with `ballcourt tournament`"
        )
    return names


def resolver(tokens: Tokens, versions: Mapping[str, str]) -> Callable[[str], Entry]:
    """Return a function that resolves the bots of a tournament file, given the versions of the remote ones by name.

    A remote bot without one has not dialled in.

    It raises BotError, and TokenError for a bot that no token lets in.
    """

    def resolve(entry: str) -> Entry:
        if not entry.startswith(REMOTE):
            return resolve_entry(entry)
        name = entry.removeprefix(REMOTE)
        return remote_entry(name, versions.get(name, UNKNOWN), tokens.owner_of(name))

    return resolve
