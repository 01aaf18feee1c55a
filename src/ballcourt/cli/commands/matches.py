"""Commands to play: a first tournament, single matches, and their records."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.declaring import Panel, argument, option, switch
from ballcourt.cli.flags import (
    FailOnFault,
    Game,
    Json,
    Options,
    Port,
    RecordFile,
    RecordFolder,
    Records,
    SandboxFlag,
    Seed,
    Treatment,
)

PANEL = Panel("Play", is_large=True)
DEFAULT_ADVISER = "planner"
"""The bot that is asked for hints."""

PLAYOUTS = "playouts"
"""The judge that needs no bot."""

OnlySeat = Annotated[int | None, option("Show only what this seat could know.", "SEAT")]


@PANEL.command("demo", linux=True)
def demo(
    output: Annotated[Path, option("The output folder.", "FOLDER")] = Path("runs/demo"),
    as_json: Json = False,
) -> None:
    """Play a tournament of the four reference bots.

    They play Tzolk'in for about half a minute, then you see their table. Run it again to see the table again.

    \b
    Examples:
      ballcourt demo
      ballcourt demo --output /tmp/demo --json
    """


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


@PANEL.command("play")
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

    With --branch and --at a recorded match is played on from one of its decisions, by the bots or people you name. The
    position, hidden cards included, and the luck to come are those of the record; a person sees what the seat knew. The
    new record says where it branched off, can be verified like any other, and counts in no leaderboard.

    If a bot loses its seat, the end of what it printed is shown below it.

    With --watch a match of bots is played again after every change in their folders, until Ctrl-C: with the same seed,
    or from the same decision. What a bot itself writes into its folder counts too, unless its name begins with a dot.

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
      ballcourt play tzolkin human greedy --branch match.match --at 40
      ballcourt play --resume runs/play/MATCH.saved
    """
    if continued.resume is None and not (game and bots):
        raise typer.BadParameter("give a game and its bots, such as: ballcourt play maya greedy random")


replay = PANEL.group("replay", "Show match records, verify them, and turn them into pages or data.", is_large=False)


@replay.command("replay")
def show(
    file: RecordFile,
    at: Annotated[int | None, option("Show the board before this decision instead.", "DECISION")] = None,
    step: Annotated[bool, switch("--step", "Show the board step by step, as keys say; with --at from there.")] = False,
    seat: OnlySeat = None,
    first: Annotated[int, option("Begin the list with this decision.", "DECISION", "--from")] = 0,
    last: Annotated[int | None, option("End the list with this decision.", "DECISION", "--to")] = None,
    short: Annotated[bool, switch("--short", "Show only the result and the turning points, to paste.")] = False,
    as_json: Json = False,
) -> None:
    """Show a recorded match turn by turn, the board at one decision, or the board step by step.

    With --seat, choices that were hidden from that seat stay hidden, and so does everything that betrays them: who
    made the decisions of others and how long they took, the faults of others, and the seed.

    \b
    Examples:
      ballcourt replay show runs/demo/records/b000000-r0.match
      ballcourt replay show match.match --from 20 --to 60
      ballcourt replay show match.match --at 40 --seat 2
      ballcourt replay show match.match --step
    """


@replay.command("replay")
def html(
    file: RecordFile,
    output: Annotated[Path, option("The page to write.", "FILE")],
    seat: OnlySeat = None,
) -> None:
    """Write a recorded match as a page that opens in a browser, without a server or a network.

    The page shows the match decision by decision, as all secrets, a spectator or a seat show it. With --seat it holds
    nothing that this seat could not know, and may be given to the author of its bot.

    \b
    Examples:
      ballcourt replay html runs/demo/records/b000000-r0.match --output match.html
      ballcourt replay html match.match --output mine.html --seat 2
    """


@replay.command("replay")
def document(
    file: Annotated[Path | None, argument("[RECORD]", "A record file.")] = None,
    seat: OnlySeat = None,
    schema: Annotated[bool, switch("--schema", "Print the JSON Schema of the document instead.")] = False,
) -> None:
    """Print a recorded match as JSON for viewers: the first scene, and what every decision changed.

    \b
    Examples:
      ballcourt replay document match.match
      ballcourt replay document --schema
    """


@replay.command("judging")
def evaluate(
    paths: Records,
    judge: Annotated[
        str, option("Who judges: playouts, or a bot that says what it makes of positions.", "BOT")
    ] = PLAYOUTS,
    work: Annotated[
        int, option("Playouts, or units of work of a bot that counts them, for each decision.", min=1)
    ] = 40,
    again: Annotated[bool, switch("--again", "Judge matches again that are judged already.")] = False,
    as_json: Json = False,
    sandbox: SandboxFlag = None,
) -> None:
    """Judge every decision of matches that was not forced: how each seat stands, and what looked better.

    The judge sees what the seat knew. By default, positions are played on at random from samples of what the seat
    could not see: that gives each seat's expected place, its chance to win and its points, and knows no plans. A bot
    that ranks actions (`decision.evaluation`) judges in its own measure; of others you learn what they would choose.

    What was found is kept beside each record, as *.judged. The replay then draws the course of the match, marks the
    largest swings, and shows what the judge liked better; pages of bots count mistakes by kind of question. Run the
    command again while a tournament is played: it judges the matches that are new.

    \b
    Examples:
      ballcourt replay evaluate last
      ballcourt replay evaluate runs/cup --work 100
      ballcourt replay evaluate match.match --judge flat-monte-carlo --again
    """


@replay.command("replay")
def keep(paths: Records) -> None:
    """Keep what shows matches beside their records, for the time when their rules have changed.

    A record is executed to show it, which only the rules that played it can do. Run this command before you upgrade:
    it writes a file *.views next to each record, about 13 kB for a match, with the scenes and words of all observers.
    `replay show`, `html` and `document`, the pages and the API then show the match by any version.

    \b
    Exit codes: 0 all are kept; 1 a record is damaged, or cannot be executed here.
    Example:
      ballcourt replay keep runs/cup
    """


@replay.command("replay")
def faults(
    file: RecordFile,
    output: Annotated[Path | None, option("Write a bundle for each bot's author into this folder.", "FOLDER")] = None,
    as_json: Json = False,
) -> None:
    """Show why bots lost their seats in a match, and write bundles for their authors.

    A bundle is a folder with the last messages that the bot received and sent, and what it printed; a tournament
    writes one into its output folder for every lost seat. It does not reveal the seed of the match or the other bots.

    \b
    Examples:
      ballcourt replay faults runs/demo/records/b000000-r0.match
      ballcourt replay faults match.match --output for-the-author
    """


@replay.command("replay")
def verify(paths: Records, as_json: Json = False) -> None:
    """Execute records again, and compare every position and the result.

    Names, hosts, times and thoughts do not follow from decisions: only a signed bundle (`ballcourt event verify`)
    vouches for them. A match by other rules that is shown from what `replay keep` wrote cannot be executed again.

    \b
    Exit codes: 0 all records agree; 1 one differs, is damaged or cannot be executed here.
    Example:
      ballcourt replay verify runs/demo
    """


@replay.command("analyse", extra="web")
def analyse(
    file: RecordFile,
    bots: Annotated[
        list[str] | None,
        argument(
            "BOT",
            "Who plays on in each seat that you do not take, in seat order; by default the bots of the record that "
            "are known here by name, and the bot of --hints for the others.",
        ),
    ] = None,
    at: Annotated[int, option("Begin at this decision.", "DECISION", min=0)] = 0,
    hints: Annotated[str, option("The bot to ask.", "BOT")] = DEFAULT_ADVISER,
    sandbox: SandboxFlag = None,
    record_dir: RecordFolder = Path("runs/play"),
    port: Port = 8000,
) -> None:
    """Analyse a recorded match in a browser: ask a bot what it would do, or branch off and play on.

    The page is the replay; at every decision you may ask the bot, or take a seat. A bot sees what the seat knew, and
    gives its thoughts. In a seat you see what it knew; the position, hidden cards included, and the luck to come are
    those of the record. The match that you play becomes a record that says where it branched off. It can be verified
    like any other, and counts in no leaderboard.

    This command starts bots when the page asks for it, so the page works only at the address with the token that is
    printed here, and on this machine. The pages of `ballcourt serve` start nothing.
    Needs the extra `web`: pip install 'ballcourt[web]'.

    \b
    Examples:
      ballcourt replay analyse runs/demo/records/b000000-r0.match
      ballcourt replay analyse match.match --at 40 --hints ismcts
      ballcourt replay analyse match.match greedy ./mine
    """


@replay.command("export", extra="data")
def export(
    paths: Records,
    output: Annotated[Path, option("A new folder for the dataset.", "FOLDER")],
) -> None:
    """Write every decision of match records into Parquet files, to learn from.

    A row has what the seat could know, as a vector of named features, its legal actions, the action and the outcome.
    The folder has a part for each game, with a card that says what is in it.

    \b
    Examples:
      ballcourt replay export runs/cup --output cup-decisions
      ballcourt replay export runs/cup runs/play --output decisions
    """


@PANEL.command("mcp", extra="mcp")
def mcp(
    game: Game,
    bots: Annotated[
        list[str], argument("BOT", "Bots in seat order: names, folders, or LABEL=BOT; one of them is agent.")
    ],
    treatment: Treatment,
    seed: Seed = None,
    option: Options = None,
    record_dir: RecordFolder = Path("runs/mcp"),
) -> None:
    """Serve one match to an agent over the Model Context Protocol, on standard input and output.

    The agent takes the seat named agent, or LABEL=agent, and has the tools rules, observe, legal and act. It has no
    clock. If it leaves before the end it loses its seat, and the others play on. The command ends when the agent
    leaves. Name it in the settings of a program with agents, with the record folder as a full path.

    \b
    Examples:
      ballcourt mcp maya agent greedy
      ballcourt mcp tzolkin planner claude=agent greedy --record-dir /tmp/matches
    """
