"""`ballcourt play`: one match."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.flags import ClockFlags, Json, Options
from arena.cli.output import dump, numbers, pairs, say

if TYPE_CHECKING:
    from arena.match import MatchSpec
    from ballcourt.v1.record_pb2 import MatchRecord


def play(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game; `ballcourt games` lists them.", show_default=False)
    ],
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT", help="Bots in seat order: names or folders.", show_default=False)
    ],
    seed: Annotated[int | None, typer.Option(help="What decides all chance of the match; drawn by default.")] = None,
    option: Options = None,
    clock: ClockFlags = None,
    record_dir: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the record goes.")] = Path("runs/play"),
    as_json: Json = False,
) -> None:
    """Play one match and tell how it went.

    \b
    Examples:
      ballcourt play tzolkin random greedy
      ballcourt play tzolkin ./mine planner random --seed 7 --clock cap_ms=2000
    """
    from arena.records import write_record
    from arena.replay import account, to_json

    spec = _spec(game, bots, seed, pairs("--option", option or []), numbers("--clock", clock or []))
    record = _play(spec)
    path = write_record(record_dir, record)
    if as_json:
        dump({"record": str(path), **to_json(record, decisions=False)})
    else:
        say([*account(record), f"seed {record.seed}; the record is {path}"])


def _spec(game: str, names: list[str], seed: int | None, options: dict[str, str], clock: dict[str, int]) -> MatchSpec:
    """Check everything before a process is started; the key is new every time, so no record is ever overwritten."""
    import secrets
    import time

    from arena.bots import resolve_bot
    from arena.match import MatchSpec
    from arena.settings import SEED_LIMIT, parse_settings
    from arena.tournament import check_plays, clock_of
    from engine.registry import find_game

    given = {"clock": clock} if seed is None else {"clock": clock, "seed": seed}
    settings = parse_settings(given, "the command line", Path())
    rules = find_game(game)
    completed = rules.check(len(names), options)
    entrants = tuple(resolve_bot(name) for name in names)
    for bot in entrants:
        check_plays(bot, rules)
    drawn = secrets.randbelow(SEED_LIMIT) if settings.seed is None else settings.seed
    key = f"{game}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    return MatchSpec(key, game, completed, drawn, entrants, clock_of(settings.clock))


def _play(spec: MatchSpec) -> MatchRecord:
    from arena.runner import Runner

    with Runner(workers=1) as runner:
        (record,) = runner.run([spec])
    return record
