"""`ballcourt admin cache show`: shows and empties the cache of builds and images."""

import time
from collections.abc import Iterable
from typing import Annotated, Final

import typer

from ballcourt.arena.processes.cache import Cached, CacheError, cache_folder, cached, discard
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.flags import Json
from ballcourt.cli.output import columns, dump, note, say

UNITS_S: Final = {"d": 86_400, "h": 3600, "m": 60}
WORDS: Final = {"d": "day", "h": "hour", "m": "minute"}
MB: Final = 1_000_000


def show(as_json: Json = False) -> None:
    """Show what the cache holds."""
    found = cached()
    if as_json:
        dump({"folder": str(cache_folder()), "bytes": _total(found), "entries": found})
        return
    if found:
        say(columns([("bot", "version", "size", "last used", "", "built in"), *map(_row, found)]))
    say([f"{_size(_total(found))} in {cache_folder()}"])


def clear(
    bots: Annotated[list[str] | None, argument("BOT", "Names of bots; all by default.")] = None,
    older_than: Annotated[
        str | None, option("Keep what was used within this time, such as 30d, 12h or 90m.", "AGE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Remove what the cache holds, except what a running command needs.

    Bots are built again when they play next.

    \b
    Examples:
      ballcourt admin cache clear
      ballcourt admin cache clear mine --older-than 12h
    """
    latest = time.time() - (_seconds(older_than) if older_than else 0)
    found = cached()
    if unknown := sorted({*(bots or ())} - {entry.name for entry in found}):
        raise CacheError(
            f"the cache {cache_folder()} holds nothing of '{unknown[0]}'; `ballcourt admin cache show` lists its bots"
        )
    chosen = [entry for entry in found if (not bots or entry.name in bots) and entry.used_s <= latest]
    removed = [entry for entry in chosen if discard(entry)]
    if as_json:
        dump({"bytes": _total(removed), "removed": removed})
        return
    say([f"removed {_size(_total(removed))} from {cache_folder()}"])
    for entry in chosen:
        if entry not in removed:
            note(f"{entry.name} {entry.version} is kept: a running command needs it".replace("  ", " "))


def _seconds(age: str) -> int:
    """Return an age such as 30d in seconds. Raises BadParameter."""
    number, unit = age[:-1], age[-1:]
    if not (number.isascii() and number.isdecimal() and len(number) < 7 and unit in UNITS_S):
        raise typer.BadParameter(f"'{age}' is not a time, such as 30d, 12h or 90m", param_hint="--older-than")
    return int(number) * UNITS_S[unit]


def _total(entries: Iterable[Cached]) -> int:
    return sum(entry.bytes for entry in entries)


def _row(entry: Cached) -> tuple[str, str, str, str, str, str]:
    remark = "in use" if entry.in_use else "" if entry.content_hash else "what its compilers keep"
    took = entry.build.describe() if entry.build else ""
    return entry.name, entry.version, _size(entry.bytes), _ago(time.time() - entry.used_s), remark, took


def _size(size: int) -> str:
    return f"{size / MB:.1f} MB"


def _ago(seconds: float) -> str:
    for unit, length in UNITS_S.items():
        if count := int(seconds // length):
            return f"{count} {WORDS[unit]}{'s' if count > 1 else ''} ago"
    return "just now"
