"""`ballcourt games`: the installed games."""

from collections.abc import Iterator
from typing import Annotated

import typer

from ballcourt.cli.declaring import argument, switch
from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, say, text
from ballcourt.engine.core import Game, UnknownGame
from ballcourt.engine.registry import find_game
from ballcourt.engine.registry import games as installed


def games(
    name: Annotated[str | None, argument("GAME", "Only this game.")] = None,
    rules: Annotated[bool, switch("--rules", "Print the rules of the game.")] = False,
    as_json: Json = False,
) -> None:
    """List the installed games, their seats and options, or print the rules of one.

    The rules are those that Ballcourt plays. They include all rulings, which other commands cite by their codes, such
    as R-A1.

    \b
    Examples:
      ballcourt games
      ballcourt games tzolkin --json
      ballcourt games maya --rules
    """
    if rules:
        text(_rules(name))
        return
    chosen = [find_game(name)] if name else list(installed().values())
    if as_json:
        dump([_values(game) for game in chosen])
    else:
        say(line for game in chosen for line in _lines(game))


def _rules(name: str | None) -> str:
    """Return the rules of a game. Raises UnknownGame."""
    if name is None:
        raise typer.BadParameter("name the game whose rules to print", param_hint="--rules")
    file = find_game(name).rules_file()
    if file is None:
        raise UnknownGame(f"{name} comes without a RULES.md; ask its author for the rules")
    return file.read_text(encoding="utf-8")


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
