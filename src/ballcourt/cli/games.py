"""`ballcourt games`: the installed games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ballcourt.engine.core import Game


def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Only this game.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """List the installed games, their seats and options.

    \b
    Examples:
      ballcourt games
      ballcourt games tzolkin --json
    """
    from ballcourt.engine.registry import find_game
    from ballcourt.engine.registry import games as installed

    chosen = [find_game(name)] if name else list(installed().values())
    if as_json:
        dump([_values(game) for game in chosen])
    else:
        say(line for game in chosen for line in _lines(game))


def _lines(game: Game) -> Iterator[str]:
    seats = ", ".join(str(count) for count in game.seat_counts)
    yield f"{game.name}: {game.title}; rules {game.rules_version}; {seats} seats; {len(game.action_names)} actions"
    if file := game.rules_file():
        yield f"  {file}"
    for option in game.options:
        yield f"  {option.name} = {' | '.join(option.choices)}   {option.help} (default {option.default})"


def _values(game: Game) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "rules": str(file) if (file := game.rules_file()) else None,
        "seats": list(game.seat_counts),
        "actions": len(game.action_names),
        "options": [
            {"name": o.name, "help": o.help, "choices": list(o.choices), "default": o.default} for o in game.options
        ],
    }
