"""Commands and flags that have another name than before; the old ones go with the next release."""

from collections.abc import Sequence
from typing import Final

from ballcourt.cli.output import note

NEW_NAMES: Final = {
    "cache clear": "admin cache clear",
    "cache": "admin cache show",
    "check-bot": "check bot",
    "check-game": "check game",
    "check-sdk": "check sdk",
    "export": "replay export",
    "head-to-head": "study head-to-head",
    "history": "study history",
    "machines": "study machines",
    "report": "study report",
    "rules": "games --rules",
    "seats": "study seats",
    "site": "serve",
    "teaming": "study teaming",
    "token": "admin token",
    "verify": "event verify",
    "watch": "event watch",
    "worker": "admin worker",
}
NEW_FLAGS: Final = {"site": {"--output": "--site"}}
"""Flags that have another name too, by the old name of their command."""

NOW_KEYS: Final = {
    "advance": "advance=N",
    "ca": "cluster.ca=FILE",
    "cert": "cluster.cert=FILE",
    "cpus": "cpus=N",
    "database": "database=URL",
    "fault": "faults.KIND=REMEDY",
    "focus": "focus='[\"NAME\"]'",
    "groups": "groups=N",
    "key": "cluster.key=FILE",
    "lifetime": "lifetime=match",
    "limit": "sandbox.NAME=NUMBER",
    "readable": "sandbox.readable='[\"PATH\"]'",
    "seeds": "seeds=block",
    "stop": "stop=WHEN",
}
"""Flags that are gone, and what --set takes instead."""


def with_new_name(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with the new name of the command, and say what it is."""
    for old, new in NEW_NAMES.items():
        length = len(old.split())
        if [*words[:length]] == old.split():
            note(f"`{old}` is now `{new}`; the old name goes with the next release")
            return [*new.split(), *(_with_new_flag(old, word) for word in words[length:])]
    return [*words]


def _with_new_flag(old: str, word: str) -> str:
    flag, equals, value = word.partition("=")
    return NEW_FLAGS.get(old, {}).get(flag, flag) + equals + value
