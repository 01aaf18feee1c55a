"""`ballcourt play`: plays one match, of bots alone or with people at this terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import (
    ClockFlags,
    FailOnFault,
    Json,
    LimitFlags,
    Options,
    ReadableFlags,
    SandboxFlag,
    StrictFlag,
)
from ballcourt.cli.output import command, confinement, dump, note, say, working
from ballcourt.cli.setting_up import (
    DEFAULT_ADVISER,
    HUMAN,
    adviser_for,
    branched,
    match_of,
    seats_of_people,
    setup_of,
)

if TYPE_CHECKING:
    from ballcourt.arena.bots.bot import Bot
    from ballcourt.arena.terminal.saved import Setup
    from ballcourt.arena.workers.playable import PlayableMatch
    from ballcourt.v1.record_pb2 import MatchRecord

COLUMNS = 80
"""How wide the conversation with people is where it goes to a file or pipe."""


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game; `ballcourt games` lists them.", show_default=False)
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT",
            help="Bots in seat order: names, folders, or LABEL=BOT; human is a person at this terminal.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The seed of all chance; drawn by default.")] = None,
    option: Options = None,
    clock: ClockFlags = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    readable: ReadableFlags = None,
    strict: StrictFlag = False,
    record_dir: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the record.")] = Path("runs/play"),
    hints: Annotated[str, typer.Option(metavar="BOT", help="The bot that gives hints to people.")] = DEFAULT_ADVISER,
    turn_s: Annotated[
        int | None,
        typer.Option(metavar="SECONDS", min=1, help="How long people have for a turn; no limit by default."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Continue a saved match.", show_default=False),
    ] = None,
    branch: Annotated[
        Path | None,
        typer.Option(
            "--branch", metavar="RECORD", help="Play on from a decision of a recorded match.", show_default=False
        ),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(metavar="DECISION", help="The decision of --branch before which the new match branches off."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser", help="The person plays in a browser on this machine.")] = False,
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="The port for the browser; 0 chooses a free one.")
    ] = 8000,
    fail_on_fault: FailOnFault = False,
    as_json: Json = False,
) -> None:
    """Play one match and show how it went.

    Name a seat human, or LABEL=human, to play it here: you see the board, type the numbers of your answers, may undo
    an unfinished turn, and get hints. With --browser you play on a page instead, by clicking (needs the extra `web`).
    Ctrl-C saves the match.

    With --branch and --at a recorded match is played on from one of its decisions, by whoever you name. The position,
    hidden cards included, and the luck to come are those of the record; a person sees what the seat knew. The new
    record says where it branched off, can be verified like any other, and counts in no leaderboard.

    If a bot loses its seat, the end of what it printed is shown below it.

    \b
    Exit codes: 0 the match was played, or saved with q; 1 a bot lost its seat, with --fail-on-fault.
    Examples:
      ballcourt play tzolkin random greedy
      ballcourt play tzolkin ./mine planner random --seed 7 --clock cap_ms=2000
      ballcourt play maya greedy twin=greedy
      ballcourt play tzolkin human greedy planner
      ballcourt play tzolkin human greedy --browser --turn-s 120
      ballcourt play tzolkin human greedy --branch match.match --at 40
      ballcourt play --resume runs/play/MATCH.saved
    """
    from ballcourt.arena.records.store import check_writable
    from ballcourt.arena.terminal.saved import read_saved, saved_path

    begun = None
    if resume is not None:
        given = (game, bots, option, clock, limit, readable, turn_s, branch)
        if any(given) or seed is not None or sandbox is not None:
            raise typer.BadParameter("the saved match says what is played, by whom and how; give only --resume FILE")
        setup, begun = read_saved(resume)
        record_dir = resume.parent
    elif not game or not bots:
        raise typer.BadParameter("give a game and its bots, such as: ballcourt play maya greedy random")
    else:
        setup = setup_of(game, bots, seed, option, clock, confinement(sandbox, limit, readable, strict=strict), turn_s)
        if branch is not None and (seed is not None or option):
            raise typer.BadParameter(
                "--branch takes the seed and the options from the record; drop --seed and --option"
            )
        if (branch is None) != (at is None):
            raise typer.BadParameter("--branch RECORD and --at DECISION go together")
        if branch is not None and at is not None:
            setup, begun = _checked_branch(setup, branch, at)
    match = match_of(setup, HUMAN, begun)
    people = bool(seats_of_people(setup.bots, HUMAN))
    adviser = adviser_for(match.spec.game, hints, match.sandbox) if people and not browser else None
    check_writable(record_dir)
    path = saved_path(record_dir, match.key)
    try:
        if browser:
            record = _play_in_browser(match, setup, path, port, begun, as_json=as_json)
        elif people:
            record = _play_with_people(match, setup, path, adviser, begun, as_json=as_json)
        else:
            with working(f"playing {setup.game}: {', '.join(setup.bots)} ..."):
                record = _play_on(match, begun) if begun else _play(match)
    except KeyboardInterrupt:
        say_saved(path)
        raise
    if record:
        _report(record_dir, record, fail_on_fault=fail_on_fault or strict, as_json=as_json)
    else:
        say_saved(path)


def _report(folder: Path, record: MatchRecord, *, fail_on_fault: bool, as_json: bool) -> None:
    """Write the record, and say how the match went."""
    from ballcourt.arena.records.narrative import account
    from ballcourt.arena.records.store import write_record
    from ballcourt.arena.records.summaries import to_json
    from ballcourt.arena.terminal.saved import saved_path

    path = write_record(folder, record)
    saved_path(folder, record.key).unlink(missing_ok=True)
    if as_json:
        dump({"record": str(path), **to_json(record)})
    else:
        say([*account(record), f"seed {record.seed}; the record is {path}"])
        if record.faults:
            note(f"details for the authors of the bots that lost their seats: {command('replay', 'faults', str(path))}")
    if record.faults and fail_on_fault:
        raise typer.Exit(CHECK_FAILED)


def _checked_branch(setup: Setup, path: Path, number: int) -> tuple[Setup, MatchRecord]:
    """Return the set-up with the options of a record, and what is decided before a decision of it."""
    from ballcourt.arena.records.store import read_record

    record = read_record(path)
    if (setup.game, len(setup.bots)) != (record.game, len(record.entrants)):
        raise typer.BadParameter(
            f"{path} is a match of {record.game} with {len(record.entrants)} seats, not of {setup.game} with "
            f"{len(setup.bots)}; name who plays on in each of its seats"
        )
    return branched(setup, record, number)


def _play_on(match: PlayableMatch, begun: MatchRecord) -> MatchRecord:
    """Play a match of bots in this process from what was decided so far."""
    import asyncio

    from ballcourt.arena.workers.local_match import play_on

    return asyncio.run(play_on(match, begun))


def _play(match: PlayableMatch) -> MatchRecord:
    from ballcourt.arena.workers.runner import Runner

    with Runner(workers=1) as runner:
        (record,) = runner.run([match])
    return record


def _play_with_people(
    match: PlayableMatch, setup: Setup, path: Path, adviser: Bot | None, begun: MatchRecord | None, *, as_json: bool
) -> MatchRecord | None:
    """Play in this process; return the record, or None if the match was saved."""
    import asyncio

    from ballcourt.arena.terminal.playing import hold_match
    from ballcourt.cli.output import console

    screen = console(err=as_json)
    if not screen.is_terminal:
        screen.width = COLUMNS
    return asyncio.run(hold_match(match, setup, path, adviser, screen, begun))


def _play_in_browser(
    match: PlayableMatch, setup: Setup, path: Path, port: int, begun: MatchRecord | None, *, as_json: bool
) -> MatchRecord | None:
    """Play in this process, with a server for the page; return the record, or None if the match was saved."""
    import asyncio

    from ballcourt.arena.terminal.saved import write_saved
    from ballcourt.cli.serve import listening, web_server

    if (people := len(seats_of_people(setup.bots, HUMAN))) != 1:
        raise typer.BadParameter(f"--browser is for one person; {people} seats are human")
    web_server()
    from ballcourt.arena.browser.playing import hold_match
    from ballcourt.leaderboard.pages.app import guard

    def opened(address: str) -> None:
        sentence = f"open {address} in a browser and play; Ctrl-C saves the match"
        note(sentence) if as_json else say([sentence])

    def keep(record: MatchRecord) -> None:
        write_saved(path, setup, record)

    with listening(port) as listener:
        return asyncio.run(hold_match(match, begun, listener, opened, keep, guard))


def say_saved(path: Path) -> None:
    """Say how a match is continued, if it was saved."""
    if path.exists():
        note(f"the match is saved; to continue it: {command('play', '--resume', str(path))}")
