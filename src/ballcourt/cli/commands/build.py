"""Commands for authors of bots: a starter, checks, and which version is better."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ballcourt.cli.declaring import Panel, argument, option, switch
from ballcourt.cli.flags import (
    BotPath,
    DuelFlags,
    Game,
    Json,
    MachineFlags,
    Options,
    PrintFlags,
    SandboxFlag,
    Seed,
    StrictFlag,
    Treatment,
    Workers,
)

PANEL = Panel("Build a bot", is_large=True)


@PANEL.command("new_bot")
def new_bot(
    name: Annotated[Path, argument("NAME", "The bot's name, or a path that ends with it.")],
    lang: Annotated[str, option("cpp, go, java, python, rust or typescript.", "LANGUAGE")] = "python",
    game: Annotated[list[str] | None, option("A game it plays; may be repeated. [default: all]", "NAME")] = None,
    as_json: Json = False,
) -> None:
    """Write a complete starter bot, for you to change.

    \b
    Examples:
      ballcourt new-bot mine
      ballcourt new-bot mine --lang go --game tzolkin
    """


check = PANEL.group("check", "Check whether a bot, a game or an SDK keeps what the arena expects of it.")


@check.command("check_bot")
def bot(
    bot: BotPath,
    treatment: Treatment,
    game: Annotated[str, option("The game to play; by default all that the bot plays.", "NAME")] = "",
    decisions: Annotated[
        int | None, option("The number of recorded decisions; by default 1000, or fewer for a slow bot.", "N", min=1)
    ] = None,
    as_json: Json = False,
) -> None:
    """Check whether a bot is ready for a tournament.

    The bot is started as in a tournament; it plays matches and gets unusual input. Failed checks say what to fix.

    \b
    Checks: 1 bot.toml, 2 start and Hello, 3 name and version, 4 games and rules versions, 5 a match at every table
    size, 6 recorded decisions, 7 unusual input, 8 memory, 9 a second match on the same stream, 10 two processes at
    once, 11 same seed, same actions, 12 exit after Goodbye, 13 exit on SIGTERM, 14 nothing left behind.

    \b
    Exit codes: 0 every check passed or was skipped; 1 a check failed.
    Examples:
      ballcourt check bot greedy --game maya
      ballcourt check bot ./mine
      ballcourt check bot ./mine --game tzolkin --decisions 5000 --json
      ballcourt check bot ./mine --sandbox 1 --set sandbox.memory_mb=512 --clock cap_ms=1000
    """


@check.command("check_game")
def game(
    name: Game,
    matches: Annotated[int, option("The number of random matches.", "N", min=1)] = 12,
    seed: Annotated[int, option("The seed of the first match.", "N", min=0, max=(1 << 64) - 1)] = 0,
    seats: Annotated[int | None, option("Play with N seats only.", "N", min=1)] = None,
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Run the conformance checks on random matches of a game.

    Every position goes through all checks. Seats and options that are not given are random. A game that is not
    installed is found through BALLCOURT_GAMES=module:GAME in the environment.

    \b
    Exit codes: 0 all checks passed; 1 a check failed.
    Examples:
      ballcourt check game tzolkin
      ballcourt check game tzolkin --matches 200 --seed 7 --json
      ballcourt check game ahau --seats 3 --option shadow=yes
    """


@check.command("check_positions")
def positions(
    file: Annotated[Path, argument("FILE", "A file of positions (TOML).")],
    bot: BotPath,
    history: Annotated[bool, switch("--history", "First send everything that the seat had been sent before.")] = False,
    as_json: Json = False,
) -> None:
    """Count at how many recorded positions a bot answers with an accepted action.

    The file has a table for each position: record, decision and the names of the accepted actions, and why, if you
    like. The bot gets the same questions as in the matches, without a clock; one process answers those of a game.

    \b
      [[position]]
      record = "runs/cup/records/b000000-r0.match"   # relative to the file
      decision = 40                                  # as `ballcourt replay show` numbers them
      accepted = ["PLACE_TIKAL", "PLACE_UXMAL"]
      why = "corn for the first feeding day"

    \b
    Exit codes: 0 every answer was accepted; 1 one was not.
    Examples:
      ballcourt check positions openings.toml ./mine
      ballcourt check positions openings.toml ./mine --history --json
    """


@check.command("check_sdk", linux=True)
def sdk(
    sdk: Annotated[str, argument("FOLDER", "The folder of the mirror bot; or `python`, the installed SDK.")],
    only: Annotated[list[str] | None, option("Only this conversation; may be repeated.", "NAME")] = None,
    as_json: Json = False,
) -> None:
    """Replay the recorded conversations with an SDK's mirror bot.

    Every reply is compared with the recorded one. `ballcourt docs contract` explains the conversations and the mirror
    bot, for authors of SDKs.

    \b
    Exit codes: 0 every reply was as recorded; 1 one was not.
    Examples:
      ballcourt check sdk python
      ballcourt check sdk ./mirror --only several_matches
    """


@PANEL.command("debug")
def debug(
    question: Annotated[str, argument("RECORD@DECISION", "A record and a decision, or the folder of a fault bundle.")],
    bot: BotPath,
    history: Annotated[bool, switch("--history", "First send everything that the seat had been sent before.")] = False,
    attach: Annotated[
        bool, switch("--attach", "Do not start the bot; print the environment it needs and wait for it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Ask a bot a recorded question again, without a clock.

    The bot gets the same bytes. It runs in this terminal, so breakpoint() works. `ballcourt replay show` numbers the
    decisions. From the bundle of a lost seat, the bot gets the last question it was asked.

    \b
    Exit codes: 0 the answer was legal, as recorded or not; 1 the bot would lose its seat.
    Examples:
      ballcourt debug runs/demo/records/b000000-r0.match@40 ./mine
      ballcourt debug match.match@40 ./mine --history --attach
      ballcourt debug runs/demo/faults/b000000-r0-seat1-mine ./mine
    """


@dataclass(frozen=True, slots=True)
class QuestionFlags:
    """The question that a comparison answers, and how long it may take."""

    effect: Annotated[
        str | None,
        option(
            "The share of duels that NEW should win; smaller effects need more matches. [default: 55%]",
            "SHARE",
            panel="Question",
        ),
    ] = None
    non_inferior: Annotated[
        str | None,
        option(
            "Ask instead whether NEW wins more than this share, below 50%; --effect is then 50% by default.",
            "SHARE",
            panel="Question",
        ),
    ] = None
    alpha: Annotated[str, option('The risk of a wrong "better".', "RISK", panel="Question")] = "5%"
    beta: Annotated[str, option("The risk of missing the effect.", "RISK", panel="Question")] = "5%"
    test: Annotated[
        str, option("What weighs the evidence; `ballcourt docs ratings` compares.", "betting|gsprt", panel="Question")
    ] = "betting"
    by: Annotated[
        str,
        option(
            "What decides: the duels that NEW wins, or the points that it makes. The report has both.",
            "duels|points",
            panel="Question",
        ),
    ] = "duels"
    at_least: Annotated[
        int, option("Play at least N matches, even if it is decided before.", "N", panel="Length", min=0)
    ] = 0
    at_most: Annotated[
        int | None, option("Stop after N matches, even if it is not decided.", "N", panel="Length", min=1)
    ] = None
    plan: Annotated[
        bool, switch("--plan", "Show how many matches it will take, and how often it finds the effect.", panel="Length")
    ] = False


@PANEL.command("compare", linux=True)
def compare(
    new: Annotated[str, argument("NEW", "The new version: a name or folder.")],
    old: Annotated[str, argument("OLD", "The old version: a name or folder.")],
    duel: DuelFlags,
    treatment: Treatment,
    machines: MachineFlags,
    asked: QuestionFlags,
    printed: PrintFlags,
    seed: Seed = None,
) -> None:
    """Find out whether a new version of a bot is better than the old one.

    Copies of both sit at the same tables. Each deal is played twice, with the seats of the versions exchanged. A duel
    is a pair of a new and an old copy at one table; a tie counts half. Matches are played until the evidence is
    sufficient. Looking at it, interrupting it and playing more with --at-least do not weaken it; the same command
    continues. Choose --effect and --by before you look: each question asked of the same matches has a risk of its own.

    The exit code is 0 if NEW is better, and 1 if that was not shown.

    \b
    Examples:
      ballcourt compare ./mine-2 ./mine-1 --game maya
      ballcourt compare ./mine-2 planner --game tzolkin --seats 2 --effect 52%
      ballcourt compare ./cleaned-up ./mine --game maya --non-inferior 48%
      ballcourt compare ./mine-2 ./mine-1 --game maya --by points --plan
      ballcourt compare ./mine-2 ./mine-1 --game maya --cluster local:4
    """


@PANEL.command("benchmark", linux=True)
def benchmark(
    bot: BotPath,
    suite: Annotated[str, option("The suite, such as maya-1; a wrong name lists all.", "NAME", "--suite")],
    machines: MachineFlags,
    printed: PrintFlags,
    rounds: Annotated[
        int | None, option("Only the first N rounds, for a first impression.", "N", panel="Length", min=1)
    ] = None,
    form: Annotated[str, option("What is printed.", "card|markdown|latex", panel="Output")] = "card",
    sandbox: SandboxFlag = None,
    strict: StrictFlag = False,
) -> None:
    """Measure a bot by a fixed field on fixed deals, for a number that can be cited.

    A suite says which bots it meets, at which table sizes, on which deals, with which budgets and rules. It never
    changes: what should be otherwise is a new suite. The number is the share of opponents that the bot was placed
    above, in percent; its interval holds the truth with 95 %, however often you look. The same command continues.

    \b
    Suites: tzolkin-1, maya-1, ahau-1, and all-1 for the three games together.
    Examples:
      ballcourt benchmark ./mine --suite maya-1
      ballcourt benchmark ./mine --suite all-1 --rounds 10
      ballcourt benchmark ./mine --suite maya-1 --form latex
    """


@dataclass(frozen=True, slots=True)
class MeetingFlags:
    """What candidates play, and against whom."""

    game: Annotated[str, option("The game to play.", "NAME", "--game", panel="Event")]
    against: Annotated[
        list[str],
        option(
            "An opponent: the name or folder of a bot, a folder of bots, or ladder:NAME for those of a ladder; may be "
            "repeated.",
            "BOTS",
            panel="Event",
        ),
    ]
    seats: Annotated[
        int | None, option("The number of seats; 2 by default, where the game allows it.", "N", panel="Event", min=1)
    ] = None
    option: Options = None


@dataclass(frozen=True, slots=True)
class AnswerFlags:
    """How much is played, and for which answer."""

    budget: Annotated[
        str, option("The most that is played: 'N matches' or 'N cpu-seconds' of all bots.", "BUDGET", panel="Length")
    ] = "200 matches"
    half_width: Annotated[
        float | None, option("Stop when half the interval is this narrow, such as 0.05.", "SHARE", panel="Length")
    ] = None
    better_than: Annotated[
        float | None,
        option(
            "Stop when a test knows whether the candidate wins more than this share of its duels, at most 0.5; the "
            "exit code is 1 if it does not.",
            "SHARE",
            panel="Length",
        ),
    ] = None
    fresh: Annotated[
        bool, switch("--fresh", "Play deals that no other candidate meets, for a final answer.", panel="Length")
    ] = False
    keep: Annotated[int, option("How many of several candidates to find.", "N", panel="Length", min=1)] = 1


@PANEL.command("evaluate", linux=True)
def evaluate(
    candidates: Annotated[
        list[str], argument("CANDIDATE...", "Programs: folders or names of bots, or files in Python with a Bot.")
    ],
    meeting: MeetingFlags,
    answer: AnswerFlags,
    treatment: Treatment,
    machines: MachineFlags,
    feedback: Annotated[
        bool,
        switch("--feedback", "Say what to learn from it: faults, costly decisions, sources of points.", panel="Output"),
    ] = False,
    cache: Annotated[
        Path | None,
        option("The file that keeps what is found out; by default one in the cache.", "FILE", panel="Output"),
    ] = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Find out how good a program is against fixed opponents, or which of several is the best.

    Candidates are confined (sandbox tier 1) and take every seat of every deal. The interval holds at any time, however
    often you look. A program that is broken or hopeless ends at once. What was played before is not played again: the
    same command continues after an interruption, or with a larger budget. Several candidates race on the same deals for
    one budget; the best are evaluated again on fresh deals.

    The exit code is 1 if a candidate is broken, or not known to be better than --better-than.

    \b
    Examples:
      ballcourt evaluate ./mine --game maya --against greedy
      ballcourt evaluate idea.py --game maya --against greedy --against planner --better-than 0.5 --json
      ballcourt evaluate ideas/*.py --game maya --against ladder:club --keep 3 --budget '2000 matches'
    """


@dataclass(frozen=True, slots=True)
class SearchFlags:
    """Which parameters are searched, and for how long."""

    parameter: Annotated[list[str] | None, option("A parameter to search; may be repeated; default: all.", "NAME")] = (
        None
    )
    steps: Annotated[int, option("How many steps to make.", "N", min=1)] = 200
    deals: Annotated[int, option("How many deals are played in each step.", "N", min=1)] = 4
    checks: Annotated[int, option("How many other deals show whether the result is better.", "N", min=1)] = 100
    seed: Annotated[int, option("The seed of all chance.", "N", min=0)] = 1


@PANEL.command("tune", linux=True)
def tune(
    bot: Annotated[str, argument("BOT", "A bot that declares parameters: a name or folder.")],
    duel: DuelFlags,
    treatment: Treatment,
    searched: SearchFlags,
    printed: PrintFlags,
    workers: Workers = None,
) -> None:
    """Search for better values of the parameters that a bot declares in its bot.toml.

    Each step changes all parameters a little. The bot with these changes plays the bot with the opposite ones, and the
    parameters follow the winner (SPSA). Then the values found play those of bot.toml on other deals; the interval of
    the share of duels that they win holds the truth with a probability of 95 %, however often you look. After an
    interruption, the same command continues.

    \b
    Examples:
      ballcourt tune ismcts --game maya --seats 2 --clock work=40
      ballcourt tune ./mine --game tzolkin --parameter depth --steps 500
    """


@PANEL.command("bots")
def bots(as_json: Json = False) -> None:
    """List the bots that commands know by name.

    They come with Ballcourt or are in the folders listed in BALLCOURT_BOTS: each the folder of a bot, or one that
    contains such folders. For any other bot, give its folder.
    """
