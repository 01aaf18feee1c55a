"""`ballcourt new-bot`: writes a starter bot."""

from pathlib import Path

from ballcourt.arena.bots.starters import INSTALLED, write_bot
from ballcourt.cli.output import dump, say
from ballcourt.engine.registry import find_game


def new_bot(name: Path, lang: str, game: list[str] | None, as_json: bool) -> None:
    """Run `ballcourt new-bot`."""
    for wanted in game or []:
        find_game(wanted)
    write_bot(name, lang, game or [])
    if as_json:
        dump({"name": name.name, "folder": str(name.absolute()), "language": lang})
        return
    shown = name if name.is_absolute() else f"./{name}"
    say([f"{shown} is a complete bot; check it with", f"  ballcourt check bot {shown}"])
    if lang != INSTALLED:
        say([f"{shown}/sdk/README.md explains what to change, and how to debug it"])
