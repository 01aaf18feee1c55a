"""`ballcourt play`: plays one match, of bots alone or with people at this terminal."""

import asyncio
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import sleep
from typing import Annotated, Final, Never

import typer

from ballcourt.arena.bots.bot import NO_CONTENT, Bot
from ballcourt.arena.bots.contents import signature
from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.debug.profile import KindOfQuestion, SeatProfile, kept, measured
from ballcourt.arena.extras import needs
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.records.bundle import LOGS, take_logs
from ballcourt.arena.records.narrative import account
from ballcourt.arena.records.store import check_writable, write_record
from ballcourt.arena.records.summaries import to_json
from ballcourt.arena.terminal.matches import (
    DEFAULT_ADVISER,
    HUMAN,
    adviser_for,
    branched,
    match_of,
    new_key,
    seats_of_people,
)
from ballcourt.arena.terminal.saved import Setup, read_saved, saved_path, write_saved
from ballcourt.arena.tournament.event.seeds import draw_seed
from ballcourt.arena.workers.local_match import play_on
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.runner import play_one
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.failures import CHECK_FAILED, explain
from ballcourt.cli.flags import FailOnFault, Json, Options, RecordFolder, Seed, Treatment
from ballcourt.cli.given import OF_BOTS
from ballcourt.cli.loopback import listening
from ballcourt.cli.output import columns, command, console, dump, note, say, working, writing
from ballcourt.cli.records import named_record
from ballcourt.cli.setting_up import setup_of
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import MatchRecord

OF_A_MATCH: Final = (*OF_BOTS, "logs")
"""The keys that --set may give."""
LOOK_S: Final = 0.3
"""How long to wait between looks at the folders of bots that are watched, in seconds."""
COLUMNS = 80
"""How wide the conversation with people is where it goes to a file or pipe."""


@dataclass(frozen=True, slots=True)
class PeopleFlags:
    """What the people in a match are given."""

    hints: Annotated[str, option("The bot that gives hints to people.", "BOT", panel="People")] = DEFAULT_ADVISER
    turn_s: Annotated[
        int | None, option("How long people have for a turn; no limit by default.", "SECONDS", panel="People", min=1)
    ] = None
    browser: Annotated[bool, switch("--browser", "The person plays in a browser on this machine.", panel="People")] = (
        False
    )
    port: Annotated[
        int, option("The port for the browser; 0 chooses a free one.", "PORT", panel="People", min=0, max=65535)
    ] = 8000
    site: Annotated[
        Path | None,
        option("Write pages on which a person plays without this machine; see below.", "FOLDER", panel="People"),
    ] = None
    pyodide: Annotated[
        Path | None,
        option("For --site: the package of Pyodide; npm fetches it by default.", "FILE", panel="People"),
    ] = None


@dataclass(frozen=True, slots=True)
class BegunFlags:
    """A match that goes on: a saved one, or a recorded one from one of its decisions."""

    resume: Annotated[Path | None, option("Continue a saved match.", "FILE", panel="Matches that have begun")] = None
    branch: Annotated[
        Path | None, option("Play on from a decision of a recorded match.", "RECORD", panel="Matches that have begun")
    ] = None
    at: Annotated[
        int | None,
        option(
            "The decision of --branch before which the new match branches off.",
            "DECISION",
            panel="Matches that have begun",
        ),
    ] = None


def play(
    treatment: Treatment,
    people: PeopleFlags,
    continued: BegunFlags,
    game: Annotated[str | None, argument("GAME", "A game; `ballcourt games` lists them.")] = None,
    bots: Annotated[
        list[str] | None,
        argument("BOT", "Bots in seat order: names, folders, or LABEL=BOT; human is a person at this terminal."),
    ] = None,
    seed: Seed = None,
    option: Options = None,
    record_dir: RecordFolder = Path("runs/play"),
    watch: Annotated[bool, switch("--watch", "Play again, with the same seed, whenever a bot is saved.")] = False,
    profile: Annotated[bool, switch("--profile", "Show what the bots spent their time on.")] = False,
    fail_on_fault: FailOnFault = False,
    as_json: Json = False,
) -> None:
    """Play one match and show how it went.

    Name a seat human, or LABEL=human, to play it here: you see the board, type the numbers of your answers, may undo
    an unfinished turn, and get hints. With --browser you play on a page instead, by clicking (needs the extra `web`).
    Ctrl-C saves the match.

    With --site nothing is played here. Pages for one person are written, which any web server can serve: the arena and
    the bots run in the browser, in Pyodide, so these must be in Python and need nothing else. On another page one can
    write a bot and watch it play. Pages of several games may be in one folder.

    With --branch and --at a recorded match is played on from one of its decisions, by the bots or people you name. The
    position, hidden cards included, and the luck to come are those of the record; a person sees what the seat knew. The
    new record says where it branched off, can be verified like any other, and counts in no leaderboard.

    If a bot loses its seat, the end of what it printed is shown below it.

    With --watch a match of bots is played again after every change in their folders, until Ctrl-C: with the same seed,
    or from the same decision. What a bot itself writes into its folder counts too, unless its bot.toml
    names it in `ignore`.

    With --profile you see how long each bot thought about each kind of question, and for bots in Python which of their
    functions cost most. The full profile is saved next to the record, for `python -m pstats` or snakeviz.
    Measuring slows bots in Python down, so they may need a longer --clock.

    \b
    Exit codes: 0 the match was played, or saved with q; 1 a bot lost its seat, with --fail-on-fault.
    Examples:
      ballcourt play tzolkin random greedy
      ballcourt play tzolkin ./mine planner random --seed 7 --clock cap_ms=2000
      ballcourt play maya greedy twin=greedy
      ballcourt play maya ./mine greedy --watch
      ballcourt play maya ./mine greedy --profile --clock cap_ms=10000
      ballcourt play tzolkin human greedy planner
      ballcourt play tzolkin human greedy --browser --turn-s 120
      ballcourt play maya human greedy --site public
      ballcourt play tzolkin human greedy --branch match.match --at 40
      ballcourt play --resume runs/play/MATCH.saved
    """
    if continued.resume is not None:
        given = (game, bots, option, people.turn_s, continued.branch, treatment.clock, treatment.set, watch, profile)
        if any(given) or seed is not None or treatment.sandbox is not None:
            raise typer.BadParameter("the saved match says what is played, by whom and how; give only --resume FILE")
        setup, begun = read_saved(continued.resume)
        record_dir = continued.resume.parent
    else:
        if not (game and bots):
            raise typer.BadParameter("give a game and its bots, such as: ballcourt play maya greedy random")
        drawn = draw_seed().number if watch and seed is None else seed  # every match that is watched has the same luck
        setup, begun = setup_of(game, bots, drawn, option, treatment, people.turn_s, OF_A_MATCH), None
        if continued.branch is not None and (seed is not None or option):
            raise typer.BadParameter(
                "--branch takes the seed and the options from the record; drop --seed and --option"
            )
        if (continued.branch is None) != (continued.at is None):
            raise typer.BadParameter("--branch RECORD and --at DECISION go together")

    def once() -> None:
        chosen, before = _checked_branch(setup, continued) if continued.branch else (setup, begun)
        match = match_of(chosen, HUMAN, before)
        if profile and match.sandbox.tier:
            raise typer.BadParameter("--profile lets bots write files, which a sandbox forbids; use --sandbox 0")
        with measured(match) if profile else nullcontext((match, None)) as (watched, costs):

            def ended(record: MatchRecord) -> None:
                if match.logs:
                    take_logs(record_dir / LOGS, record)
                    note(f"what each bot printed is in {record_dir / LOGS}")
                _report(record_dir, record, costs, fail_on_fault=fail_on_fault or treatment.strict, as_json=as_json)

            _play(watched, chosen, before, people, record_dir, ended, as_json=as_json)

    if people.site is not None:
        of_play = (begun, continued.branch, people.browser, people.turn_s, treatment.clock, treatment.set)
        if any((*of_play, treatment.sandbox, watch, profile, as_json)) or seed is not None:
            raise typer.BadParameter("--site writes pages, and plays nothing; give a game, bots, --option and --hints")
        _write_pages(setup, people, people.site)
        return
    if people.pyodide is not None:
        raise typer.BadParameter("--pyodide is for the pages that --site writes")
    if watch:
        at_every_save(_bots_alone(setup), once)
    once()


def _bots_alone(setup: Setup) -> list[Bot]:
    """Return the bots of a match without people. Raises BadParameter for one with people."""
    if seats_of_people(setup.bots, HUMAN):
        raise typer.BadParameter("--watch repeats matches of bots alone; name bots only")
    return [entry.bot for entry in map(resolve_entry, setup.bots) if entry.bot]


def _play(
    match: PlayableMatch,
    setup: Setup,
    begun: MatchRecord | None,
    people: PeopleFlags,
    record_dir: Path,
    ended: Callable[[MatchRecord], None],
    *,
    as_json: bool,
) -> None:
    """Play a match, and in a browser those that follow; `ended` gets their records. Say where one is saved."""
    has_people = bool(seats_of_people(setup.bots, HUMAN))
    adviser = adviser_for(match.spec.game, people.hints, match.sandbox) if has_people else None
    check_writable(record_dir)
    path = saved_path(record_dir, match.key)
    try:
        if people.browser:
            is_saved = not _play_in_browser(
                match, setup, record_dir, people.port, adviser, begun, ended, as_json=as_json
            )
        elif has_people:
            from ballcourt.arena.terminal.playing import hold_match  # matches of bots alone do without

            screen = console(err=as_json)
            if not screen.is_terminal:
                screen.width = COLUMNS
            record = asyncio.run(hold_match(match, setup, path, adviser, screen, begun))
            is_saved = _taken(record, ended)
        else:
            with working(f"playing {setup.game}: {', '.join(setup.bots)} ..."):
                record = asyncio.run(play_on(match, begun)) if begun else play_one(match)
            is_saved = _taken(record, ended)
    except KeyboardInterrupt:
        say_saved(path)
        raise
    if is_saved:
        say_saved(path)


def _taken(record: MatchRecord | None, ended: Callable[[MatchRecord], None]) -> bool:
    """Pass the record of a match on; return whether there is none, as it was saved."""
    if record:
        ended(record)
    return record is None


def _report(folder: Path, record: MatchRecord, costs: Path | None, *, fail_on_fault: bool, as_json: bool) -> None:
    """Write the record and the profiles that bots left in the folder `costs`, and say how the match went."""
    path = write_record(folder, record)
    saved_path(folder, record.key).unlink(missing_ok=True)
    profiles = kept(costs, record, path, note) if costs else []
    if as_json:
        measured_too = {"profile": [asdict(profile) for profile in profiles]} if costs else {}
        dump({"record": str(path), **to_json(record), **measured_too})
    else:
        say([*account(record), *_profile_lines(profiles), f"seed {record.seed}; the record is {path}"])
        if record.faults:
            note(f"details for the authors of the bots that lost their seats: {command('replay', 'faults', str(path))}")
    if record.faults and fail_on_fault:
        raise typer.Exit(CHECK_FAILED)


def _profile_lines(profiles: list[SeatProfile]) -> Iterator[str]:
    """Yield a short table for each bot that was asked anything."""
    for profile in profiles:
        if profile.kinds:
            yield ""
            yield f"{profile.bot}, seat {profile.seat}: its time by kind of question"
            yield from columns([("kind", "answers", "ms", "share", "ms each", "at most"), *_kind_rows(profile.kinds)])
        if profile.functions:
            yield ""
            yield f"and by function, the {len(profile.functions)} that cost most by themselves"
            yield from columns(
                [
                    ("own ms", "with calls", "calls", "function"),
                    *(
                        (f"{one.own_ms:.1f}", f"{one.all_ms:.1f}", str(one.calls), one.function)
                        for one in profile.functions
                    ),
                ]
            )
            yield f"all functions: python -m pstats {shlex.quote(profile.file)}"


def _kind_rows(kinds: list[KindOfQuestion]) -> Iterator[tuple[str, ...]]:
    total_ms = sum(one.think_ms for one in kinds) or 1.0
    for one in kinds:
        each_ms = one.think_ms / one.answers
        times = f"{one.think_ms:.1f}", f"{one.think_ms / total_ms:.0%}", f"{each_ms:.1f}", f"{one.think_max_ms:.1f}"
        yield one.kind, str(one.answers), *times


def _checked_branch(setup: Setup, continued: BegunFlags) -> tuple[Setup, MatchRecord]:
    """Return the set-up with the options of a record, and what is decided before a decision of it."""
    assert continued.branch is not None and continued.at is not None, "they go together"
    record = named_record(continued.branch)
    if (setup.game, len(setup.bots)) != (record.game, len(record.entrants)):
        raise typer.BadParameter(
            f"{continued.branch} is a match of {record.game} with {len(record.entrants)} seats, not of {setup.game} "
            f"with {len(setup.bots)}; name who plays on in each of its seats"
        )
    return branched(setup, record, continued.at)


def _play_in_browser(
    match: PlayableMatch,
    setup: Setup,
    folder: Path,
    port: int,
    adviser: Bot | None,
    begun: MatchRecord | None,
    ended: Callable[[MatchRecord], None],
    *,
    as_json: bool,
) -> bool:
    """Play in this process, with a server for the page; return whether the last match ended, or was saved instead."""
    needs("web")
    from ballcourt.arena.browser.playing import hold_match  # it needs the extra

    if (people := len(seats_of_people(setup.bots, HUMAN))) != 1:
        raise typer.BadParameter(f"--browser is for one person; {people} seats are human")

    def opened(address: str) -> None:
        sentence = f"open {address} in a browser and play; Ctrl-C saves the match"
        note(sentence) if as_json else say([sentence])

    def keep(record: MatchRecord) -> None:
        write_saved(saved_path(folder, record.key), setup, record)

    def followed(record: MatchRecord) -> PlayableMatch:
        ended(record)
        spec = replace(match.spec, key=new_key(match.spec.game), seed=draw_seed().number)
        return replace(match, spec=spec)

    with listening(port) as listener:
        return asyncio.run(hold_match(match, begun, setup.token, listener, opened, keep, followed, adviser))


def _write_pages(setup: Setup, people: PeopleFlags, folder: Path) -> None:
    """Write the pages of a table for the person of a set-up. Raises BadParameter, BotError and SiteError."""
    needs("web")
    from ballcourt.site.pages import write_match_site  # it needs the extra

    seats = seats_of_people(setup.bots, HUMAN)
    if len(seats) != 1:
        raise typer.BadParameter(f"--site is for one person; {len(seats)} seats are human")
    match = match_of(setup, HUMAN)
    adviser = adviser_for(match.spec.game, people.hints, match.sandbox)
    with writing(folder), working("fetching Pyodide ..."):
        size = write_match_site(folder, match, seats[0], adviser, people.pyodide)
    page = f"{match.spec.game}.html"
    say(
        [
            f"{folder / page} loads {size / 1e6:.1f} MB the first time; serve the folder, such as by "
            f"{shlex.join(['python', '-m', 'http.server', '--directory', str(folder)])}, and open /{page}"
        ]
    )


def say_saved(path: Path) -> None:
    """Say how a match is continued, if it was saved."""
    if path.exists():
        note(f"the match is saved; to continue it: {command('play', '--resume', str(path))}")


def at_every_save(bots: Sequence[Bot], task: Callable[[], None]) -> Never:
    """Run a task, and again after every change in the folders of the bots, until KeyboardInterrupt.

    What is wrong at the first time is raised. Later it is printed and the next change is awaited, because a program
    that is being written is often wrong.
    """
    failing = suppress(typer.Exit)  # what failed has been said
    before = _looked(bots)
    with failing:
        task()
    while True:
        note("waiting for a change in the folders of the bots; Ctrl-C ends it")
        before = _changed(bots, before)
        try:
            with failing:
                task()
        except (WrongInput, ArenaError, OSError) as error:
            explain(error)


def _changed(bots: Sequence[Bot], before: list[str]) -> list[str]:
    """Wait until something differs and then stays the same for a moment: editors save in several steps."""
    earlier = before
    while (now := _looked(bots)) == before or now != earlier:
        earlier = now
        sleep(LOOK_S)
    return now


def _looked(bots: Sequence[Bot]) -> list[str]:
    return [signature(bot.home, (*NO_CONTENT, *bot.ignore)) for bot in bots]
