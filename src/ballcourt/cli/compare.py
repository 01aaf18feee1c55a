"""`ballcourt compare`: plays two versions of a bot against each other until it is known which is better."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.clusters import Machines
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import (
    Ca,
    Cert,
    ClockFlags,
    Cluster,
    Cpus,
    EvenSeats,
    FaultFlags,
    GameName,
    Json,
    Key,
    LimitFlags,
    Options,
    ReadableFlags,
    SandboxFlag,
    StrictFlag,
    Workers,
)
from ballcourt.cli.output import confinement, dump, note, same_command, say, ways_of_play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ballcourt.arena.tournament.folder.plan import Plan
    from ballcourt.arena.tournament.playing.run import Start
    from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch
    from ballcourt.cli.evidence import EvidenceView
    from ballcourt.leaderboard.studies.compare.evidence import Method
    from ballcourt.leaderboard.studies.compare.question import Question
    from ballcourt.leaderboard.studies.compare.report import Report, Version

EVEN = "50%"
WANTED = "55%"


def compare(
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new version: a name or folder.", show_default=False)],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The old version: a name or folder.", show_default=False)],
    game: GameName,
    seats: EvenSeats = None,
    effect: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="The share of duels that NEW should win; the smaller, the longer it takes.  [default: 55%]",
            show_default=False,
        ),
    ] = None,
    non_inferior: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Ask instead whether NEW wins more than this share, below 50%; --effect is then 50% by default.",
        ),
    ] = None,
    alpha: Annotated[str, typer.Option(metavar="RISK", help='The risk of a wrong "better".')] = "5%",
    beta: Annotated[str, typer.Option(metavar="RISK", help="The risk of missing the effect.")] = "5%",
    test: Annotated[
        str, typer.Option(metavar="betting|gsprt", help="What weighs the evidence; `ballcourt docs ratings` compares.")
    ] = "betting",
    at_least: Annotated[
        int, typer.Option(metavar="N", min=0, help="Play at least N matches, even if it is decided before.")
    ] = 0,
    at_most: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after N matches, even if it is not decided.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of all chance; drawn by default, and kept.")
    ] = None,
    option: Options = None,
    clock: ClockFlags = None,
    fault: FaultFlags = None,
    sandbox: SandboxFlag = None,
    limit: LimitFlags = None,
    readable: ReadableFlags = None,
    strict: StrictFlag = False,
    workers: Workers = None,
    cpus: Cpus = None,
    cluster: Cluster = None,
    ca: Ca = None,
    cert: Cert = None,
    key: Key = None,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The output folder; runs/compare-NEW-OLD-GAME-N by default."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find out whether a new version of a bot is better than the old one.

    Copies of both sit at the same tables. Each deal is played twice, with the seats of the versions exchanged. A duel
    is a pair of a new and an old copy at one table; a tie counts half. Matches are played until the evidence is
    sufficient. Looking at it, interrupting it and playing more with --at-least do not weaken it; the same command
    continues. Choose --effect before you look: each question asked of the same matches has a risk of its own.

    The exit code is 0 if NEW is better, and 1 if that was not shown.

    \b
    Examples:
      ballcourt compare ./mine-2 ./mine-1 --game maya
      ballcourt compare ./mine-2 planner --game tzolkin --seats 2 --effect 52%
      ballcourt compare ./cleaned-up ./mine --game maya --non-inferior 48%
      ballcourt compare ./mine-2 ./mine-1 --game maya --cluster local:4
    """
    from ballcourt.arena.tournament.event.reading import event_from
    from ballcourt.arena.tournament.folder.output import RECORDS
    from ballcourt.arena.tournament.playing.versions import default_seats, ending, plan_comparison
    from ballcourt.arena.tournament.schedules.sequential import Stop
    from ballcourt.cli.evidence import EvidenceView
    from ballcourt.engine.registry import find_game

    question, weighed = _question(effect, non_inferior, alpha, beta), _test(test)
    machines = Machines(cluster, ca, cert, key)
    machines.check(workers)
    said = {
        "game": game, "seats": seats, "seed": seed,
        **ways_of_play(option, clock, fault), "workers": workers, "cpus": cpus,
        "sandbox": confinement(sandbox, limit, readable, strict=strict and not machines.is_cluster),
        "output": str(output) if output else None,
    }  # fmt: skip
    settings = event_from(None, said, "the command line")
    table = seats or default_seats(find_game(game))
    folder = settings.output or Path("runs") / "-".join(["compare", _name(new), _name(old), game, str(table)])
    planned = plan_comparison(folder, new, old, settings, build=not machines.is_cluster)
    for line in _plan(planned, question):
        note(line)
    view = EvidenceView(question, weighed, planned.schedule.matches_in(1))
    with machines.starting(planned, settings, strict=strict) as (start, tables):
        stop = Stop(tables, at_most, _is_over(question, weighed, at_least))
        _play(ending(planned, stop), folder, view, start, tables)
    report = _report(planned, question, weighed, view)
    if as_json:
        dump(report.to_json())
    else:
        say(report.lines())
    note(f"records: {folder / RECORDS} ({view.matches} matches); to see a match: ballcourt replay show FILE")
    if not report.evidence.is_better or (strict and view.faulty):
        raise typer.Exit(CHECK_FAILED)


def _question(effect: str | None, non_inferior: str | None, alpha: str, beta: str) -> Question:
    """Read the shares and risks. Raises BadParameter and QuestionError."""
    from ballcourt.leaderboard.studies.compare.question import HALF, Question

    wanted = WANTED if non_inferior is None else EVEN
    floor = _share("--non-inferior", EVEN if non_inferior is None else non_inferior)
    if non_inferior is not None and not 0 < floor < HALF:
        raise typer.BadParameter(
            f"it is '{non_inferior}'; it must be above 0% and below 50%", param_hint="--non-inferior"
        )
    return Question(
        floor=floor,
        effect=_share("--effect", wanted if effect is None else effect),
        alpha=_share("--alpha", alpha),
        beta=_share("--beta", beta),
    )


def _share(flag: str, written: str) -> float:
    number, percent = written.removesuffix("%"), written.endswith("%")
    try:
        share = float(number) / (100 if percent else 1)
        if not -1 <= share <= 1:  # 55 for 55%, or no number
            raise ValueError
    except ValueError as error:
        raise typer.BadParameter(f"'{written}' is not a share, such as 55% or 0.55", param_hint=flag) from error
    return share


def _test(name: str) -> Method:
    from ballcourt.leaderboard.studies.compare.evidence import Method

    if name not in list(Method):
        raise typer.BadParameter(f"'{name}' is not a test; known tests: {', '.join(Method)}", param_hint="--test")
    return Method(name)


def _name(written: str) -> str:
    """Return name and version of a bot. Raises BotError."""
    from ballcourt.arena.bots.entries import resolve_entry

    entrant = resolve_entry(written).entrant
    return f"{entrant.name}-{entrant.version}"


def _is_over(question: Question, test: Method, at_least: int) -> Callable[[Sequence[PlayedBlock]], bool]:
    """Return what says whether these blocks are enough."""
    from ballcourt.arena.tournament.schedules.formats.comparison import copies
    from ballcourt.leaderboard.studies.compare.duels import Seated, duels, share_won
    from ballcourt.leaderboard.studies.compare.evidence import weigh

    def seated(match: PlayedMatch) -> list[Seated]:
        seats = enumerate(zip(match.table, match.outcomes, strict=True))
        first_half = copies(len(match.table))
        return [
            Seated(seat, entrant < first_half, outcome.placement, outcome.score, outcome.vacated)
            for seat, (entrant, outcome) in seats
        ]

    def share(block: PlayedBlock) -> float:
        return share_won(duels([seated(match) for match in block.matches]))

    def is_over(results: Sequence[PlayedBlock]) -> bool:
        if sum(len(block.matches) for block in results) < at_least:
            return False
        return weigh([share(block) for block in results], question, test).is_decided

    return is_over


def _versions(planned: Plan) -> tuple[Version, Version]:
    """Return both versions, as their first copies say."""
    from ballcourt.leaderboard.studies.compare.report import Version

    firsts = planned.entrants[0], planned.entrants[len(planned.entrants) // 2]
    new, old = (Version(one.bot, one.version, one.content_hash) for one in firsts)
    return new, old


def _plan(planned: Plan, question: Question) -> Iterator[str]:
    """Say what is played, and what for."""
    from ballcourt.arena.match.policy import counted
    from ballcourt.leaderboard.studies.compare.question import percent
    from ballcourt.leaderboard.studies.compare.report import names

    new, old = _versions(planned)
    size = planned.schedule.matches_in(1)
    new_name, old_name = names(new, old)
    yield (
        f"{planned.games} with {counted(planned.seats, 'seat')}: new is {new_name}, old is {old_name}; "
        f"each deal is played {size} times, in opposite splits of the seats"
    )
    if new.content_hash and new.content_hash == old.content_hash:
        yield "new and old have the same files: chance alone makes a difference between them"
    yield (
        f"until new is known to win more than {percent(question.floor)} of the duels "
        f"(risk {percent(question.alpha)}), or less than {percent(question.effect)} (risk {percent(question.beta)}); "
        "every bot gets a fresh process for every match"
    )


def _report(planned: Plan, question: Question, test: Method, view: EvidenceView) -> Report:
    from ballcourt.leaderboard.studies.compare.report import Report

    new, old = _versions(planned)
    return Report(
        planned.games, planned.seats, new, old, question, test, view.matches, view.evidence(), tuple(view.stories)
    )


def _play(planned: Plan, path: Path, view: EvidenceView, start: Start, tables: int) -> None:
    """Play until it is decided, and show how it goes."""
    from ballcourt.arena.tournament.folder.events import Planned
    from ballcourt.arena.tournament.folder.output import open_folder
    from ballcourt.arena.tournament.playing.run import run_tournament
    from ballcourt.cli.announce import Announcer

    announcer = Announcer(tables)
    with ExitStack() as stack:
        folder = stack.enter_context(open_folder(path, planned))
        events = stack.enter_context(closing(run_tournament(planned, folder, start)))
        stack.enter_context(view)
        try:
            for event in events:
                if not isinstance(event, Planned):  # its length says nothing
                    announcer(event)
                view(event)
        except BaseException:
            note(f"stopped after {view.matches} matches")
            note(f"to continue: {same_command()}")
            raise
