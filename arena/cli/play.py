"""`ballcourt play`: plays one match."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.cli.failures import CHECK_FAILED
from ballcourt.arena.cli.flags import (
    ClockFlags,
    FailOnFault,
    Json,
    LimitFlags,
    Options,
    ReadableFlags,
    SandboxFlag,
    StrictFlag,
)
from ballcourt.arena.cli.output import clock_table, command, confinement, dump, note, pairs, say, working

if TYPE_CHECKING:
    from ballcourt.arena.workers.playable import PlayableMatch
    from ballcourt.v1.record_pb2 import MatchRecord


def play(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game; `ballcourt games` lists them.", show_default=False)
    ],
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="Bots in seat order: names, folders, or LABEL=BOT.", show_default=False),
    ],
    seed: Annotated[int | None, typer.Option(metavar="N", help="The seed of all chance; drawn by default.")] = None,
    option: Options = None,
    clock: ClockFlags = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    readable: ReadableFlags = None,
    strict: StrictFlag = False,
    record_dir: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the record.")] = Path("runs/play"),
    fail_on_fault: FailOnFault = False,
    as_json: Json = False,
) -> None:
    """Play one match and show how it went.

    If a bot loses its seat, the end of what it printed is shown below it.

    \b
    Exit codes: 0 the match was played; 1 a bot lost its seat, with --fail-on-fault.
    Examples:
      ballcourt play tzolkin random greedy
      ballcourt play tzolkin ./mine planner random --seed 7 --clock cap_ms=2000
      ballcourt play maya greedy twin=greedy
    """
    from ballcourt.arena.records.narrative import account
    from ballcourt.arena.records.store import check_writable, write_record
    from ballcourt.arena.records.summaries import to_json

    said: dict[str, object] = {
        "clock": clock_table(clock or ()),
        "sandbox": confinement(sandbox, limit, readable, strict=strict),
    }
    match = _match(game, bots, said if seed is None else {**said, "seed": seed}, pairs("--option", option or []))
    check_writable(record_dir)
    with working(f"playing {game}: {', '.join(bots)} ..."):
        record = _play(match)
    path = write_record(record_dir, record)
    if as_json:
        dump({"record": str(path), **to_json(record)})
    else:
        say([*account(record), f"seed {record.seed}; the record is {path}"])
        if record.faults:
            note(f"details for the authors of the bots that lost their seats: {command('replay', 'faults', str(path))}")
    if record.faults and fail_on_fault:
        raise typer.Exit(CHECK_FAILED)


def _match(game: str, names: list[str], said: dict[str, object], options: dict[str, str]) -> PlayableMatch:
    """Check everything before a process is started. The key is unique, so no record is ever overwritten."""
    import secrets
    import time

    from ballcourt.arena.bots.bot import check_plays
    from ballcourt.arena.bots.entries import resolve_entry
    from ballcourt.arena.match.spec import MatchSpec
    from ballcourt.arena.processes.builds import ready_entries
    from ballcourt.arena.sandbox.tiers import sandbox_of
    from ballcourt.arena.tournament.plan import clock_of
    from ballcourt.arena.tournament.seeds import caution, draw_seed
    from ballcourt.arena.tournament.settings import parse_settings
    from ballcourt.arena.workers.playable import PlayableMatch
    from ballcourt.engine.registry import find_game

    settings = parse_settings(said, "the command line", Path())
    rules = find_game(game)
    completed = rules.check(len(names), options)
    entries = [resolve_entry(name) for name in names]
    for entry in entries:
        if entry.bot:
            check_plays(entry.bot, rules)
    confined = sandbox_of(settings.sandbox)
    seed = draw_seed().number if settings.seed is None else settings.seed
    if settings.seed is not None and (sentence := caution(seed, confined.tier)):
        note(sentence)
    key = f"{game}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    entrants = tuple(entry.entrant for entry in entries)
    spec = MatchSpec(key, game, completed, seed, entrants, clock_of(settings.clock))
    return PlayableMatch(spec, ready_entries(entries, confined), confined)


def _play(match: PlayableMatch) -> MatchRecord:
    from ballcourt.arena.workers.runner import Runner

    with Runner(workers=1) as runner:
        (record,) = runner.run([match])
    return record
