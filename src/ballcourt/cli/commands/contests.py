"""Commands of contests: the organiser's, the examiner, and those by which authors enter their bots."""

from pathlib import Path
from typing import Annotated

from ballcourt.cli.commands.events import PANEL
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.flags import Json, LogFlag

__all__ = ["PANEL"]

contest = PANEL.group(
    "contest",
    "Make a contest that strangers can enter, and decide about it.\n\n"
    "A contest is a ladder with accounts, teams, submissions and limits around it. `ballcourt docs contest` is the "
    "guide.",
)
ContestPath = Annotated[Path, argument("CONTEST", "The file of the contest, contest.toml, or its folder.")]
Handle = Annotated[str, argument("HANDLE", "The handle of an account.")]
Why = Annotated[str, option("Why; the chain of decisions keeps it.", "TEXT", "--reason")]
ContestUrl = Annotated[
    str | None, option("The address of the contest; by default that of the last `ballcourt login`.", "URL")
]
TeamName = Annotated[str, argument("TEAM", "The name of a team.")]


@contest.command("contest", extra="contest", linux=True)
def new(
    folder: Annotated[Path, argument("FOLDER", "The new folder.")],
    game: Annotated[str, option("The game.", "NAME")] = "tzolkin",
    seats: Annotated[int | None, option("The number of seats; by default the smallest of the game.", "N")] = None,
    name: Annotated[str | None, option("What pages call the contest; by default the folder's name.", "NAME")] = None,
    url: Annotated[str, option("The address at which people will find it.", "URL")] = "http://127.0.0.1:8000",
) -> None:
    """Make a contest: a folder with contest.toml, ladder.toml and a database.

    Change the files as you like, then start the ladder and the server. The command says how.

    \b
    Examples:
      ballcourt contest new cup
      ballcourt contest new cup --game maya --seats 3 --url https://cup.example.org
    """


@contest.command("contest", extra="contest", linux=True)
def invite(
    contest: ContestPath,
    who: Annotated[str, argument("HANDLE|FILE.csv", "A handle, or a file with the columns handle and team.")],
    team: Annotated[str | None, option("The team of the account; it is made if there is none.", "NAME")] = None,
    organiser: Annotated[bool, switch("--organiser", "Make the account an organiser.")] = False,
    days: Annotated[int, option("How long the link works.", "N", min=1, max=365)] = 14,
    as_json: Json = False,
) -> None:
    """Make accounts, and print for each a link that signs in once.

    For an account that exists, only a new link is made, and older ones stop working: so it is also the way back for
    those who lost access. Send each link to its owner alone.

    \b
    Examples:
      ballcourt contest invite cup alice --team reds
      ballcourt contest invite cup course.csv
    """


@contest.command("contest", extra="contest", linux=True)
def token(
    contest: ContestPath,
    handle: Handle,
    label: Annotated[str, option("What the token is for.", "TEXT")] = "from the organiser",
    examine: Annotated[
        bool, switch("--examine", "Make a token for `ballcourt examiner` instead; HANDLE is an organiser.")
    ] = False,
    bot: Annotated[str, option("Let it enter and see this bot of the team alone; by default all.", "NAME")] = "",
    days: Annotated[int, option("How long it is good for.", "DAYS", min=1, max=400)] = 180,
    as_json: Json = False,
) -> None:
    """Make a token for `ballcourt submit`, and show it once. An account can make its own in the browser.

    \b
    Examples:
      ballcourt contest token cup alice > alice.token
      ballcourt contest token cup alice --bot rocket --days 30
    """


@contest.command("contest", extra="contest", linux=True)
def status(contest: ContestPath, as_json: Json = False) -> None:
    """Show what waits, what is examined, and what has become of the submissions so far."""


@contest.command("contest", extra="contest", linux=True)
def grant(
    contest: ContestPath,
    team: TeamName,
    reason: Why,
    accepted: Annotated[int, option("How many more may be accepted within 24 hours.", "N", min=0, max=1000)] = 0,
    attempts: Annotated[int, option("How many more may be examined within 24 hours.", "N", min=0, max=1000)] = 0,
    scrimmages: Annotated[int, option("How many more scrimmages may be asked for.", "N", min=0, max=1000)] = 0,
) -> None:
    """Let a team enter more in the phase that is open.

    \b
    Example:
      ballcourt contest grant cup reds --attempts 5 --reason "the arena was down"
    """


@contest.command("contest", extra="contest", linux=True)
def requeue(
    contest: ContestPath,
    submission: Annotated[str, argument("ID", "The id of a submission that failed; `contest status` lists them.")],
    reason: Why,
) -> None:
    """Let a submission that the arena could not examine wait again."""


@contest.command("contest", extra="contest", linux=True)
def suspend(contest: ContestPath, handle: Handle, reason: Why) -> None:
    """Let an account do nothing any more: its sessions and tokens end at once. Its bots go on playing."""


@contest.command("contest", extra="contest", linux=True)
def restore(contest: ContestPath, handle: Handle, reason: Why) -> None:
    """Let an account that was suspended act again; it needs a new link."""


@contest.command("contest", extra="contest", linux=True)
def unfreeze(contest: ContestPath, reason: Why) -> None:
    """Show everybody the newest tables again before the frozen phase closes."""


@contest.command("contest", extra="contest", linux=True)
def announce(
    contest: ContestPath,
    title: Annotated[str, argument("TITLE", "A line that says what it is about.")],
    text: Annotated[str, option("The text; its lines are paragraphs.", "TEXT")],
) -> None:
    """Announce something to all: on a page, in a feed, by mail where that is set up, and to the teams' web hooks.

    \b
    Example:
      ballcourt contest announce cup "The finals" --text "They begin on Monday."
    """


@contest.command("contest", extra="contest", linux=True)
def export_person(
    contest: ContestPath, handle: Handle, output: Annotated[Path, argument("FILE.zip", "The file to write.")]
) -> None:
    """Write what a contest knows about a person: rows as JSON, the archives that they sent, logs of their bots."""


@contest.command("contest", extra="contest", linux=True)
def delete_person(contest: ContestPath, handle: Handle, reason: Why) -> None:
    """Delete an account, its name, address, tokens and sessions; results stay under the name of its team.

    With the last member of a team go its archives, reports and notes. Its bots play on until you withdraw them.
    """


@contest.command("contest", extra="contest", linux=True)
def log(contest: ContestPath, as_json: Json = False) -> None:
    """List the decisions about a contest."""


@contest.command("contest", extra="contest", linux=True)
def verify(contest: ContestPath) -> None:
    """Check that a contest is whole: decisions, archives, and what the ladder says of its submissions.

    \b
    Exit codes: 0 it is; 1 something is missing or was changed.
    """


@contest.command("contest", extra="sign", linux=True)
def entrants(
    contest: ContestPath,
    output: Annotated[Path, argument("FILE.toml", "The tournament file to write; FILE.toml.sig is its signature.")],
    key: Annotated[Path, option("The private key; `ballcourt event key` makes one.", "FILE")],
    reason: Why,
) -> None:
    """Write the field of the finals as a signed tournament file, once all phases have closed.

    Of each bot it has the version that its team chose, or else the newest that was accepted, and the hash of its files.
    Publish both files, then run `ballcourt tournament FILE.toml`, which commits to its seed.

    \b
    Example:
      ballcourt contest entrants cup finals.toml --key key.pem --reason "the season is over"
    """


@contest.command("contest", extra="sign")
def signed(
    file: Annotated[Path, argument("FILE.toml", "The field of the finals; FILE.toml.sig lies beside it.")],
    key: Annotated[str, option("The organiser's public key.", "HEX")],
) -> None:
    """Check that an organiser has signed the field of the finals, and that it is unchanged.

    \b
    Exit codes: 0 it is; 2 it is not.
    """


@contest.command("contest", extra="contest", linux=True)
def duplicates(
    contest: ContestPath,
    least: Annotated[int, option("The share in common from which on a pair is shown.", "PERCENT", min=1)] = 90,
    as_json: Json = False,
) -> None:
    """List bots of different teams whose files are the same or nearly so. You judge them; the contest does not."""


@contest.command("contest", extra="contest", linux=True)
def backup(contest: ContestPath, folder: Annotated[Path, argument("FOLDER", "The new folder for the copy.")]) -> None:
    """Copy a contest while it runs: its database first, then archives and its ladder.

    The copy is a contest. To restore it, put it where the contest was, run `contest verify`, and start ladder and
    server again.
    """


@contest.command("scrimmage")
def scrimmage(
    opponent: Annotated[str, argument("BOT", "The other bot: a team's, also your own, or a resident of the ladder.")],
    bot: Annotated[str, option("Your team's bot; by default its only one.", "NAME")] = "",
    matches: Annotated[
        int, option("How many; more than one only against a resident, to learn how good it is.", "N", min=1)
    ] = 1,
    to: ContestUrl = None,
    wait: Annotated[bool, switch("--wait", "Wait until it has been played.")] = False,
    record: Annotated[
        Path | None, option("Wait, and write the record of the match to this file.", "FILE.match")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask for a match that counts nowhere, of your bot in a contest against another one.

    The versions play that are in the ladder now, in its sandbox and by its clock. Your team alone sees how it went,
    until both teams publish the match. With --matches it is an evaluation against a bot of the arena: the share of
    duels won, with an interval, and what can be learnt from the matches. `ballcourt docs contest` says more.

    \b
    Exit codes: 0 played, or without --wait asked for; 2 wrong use, or the contest does not take it now; 3 it could not
    be played, or the server failed or cannot be reached.
    Examples:
      ballcourt contest scrimmage random --wait
      ballcourt contest scrimmage rocket --bot mine --record rocket.match
      ballcourt contest scrimmage greedy --matches 60 --wait
    """


@PANEL.command("examiner", extra="contest", linux=True)
def examiner(
    contest: Annotated[str, argument("CONTEST|URL", "Its file or folder, or the address of one on another machine.")],
    parent: Annotated[int, option("End with the process of this id; 0: go on.", "PID", min=0)] = 0,
    log: LogFlag = "text",
) -> None:
    """Examine the submissions of a contest, and play its scrimmages, as long as it is left running.

    `ballcourt serve --contest` starts some by itself; more may run beside it. Each examines one submission at a time:
    it unpacks the archive in the sandbox, runs `check bot` as the ladder would, and hands an accepted bot over. If none
    waits, it plays a scrimmage. End it at any time, even by kill -9: another examiner takes up what it held.

    On another machine, give the address of the contest. An organiser's token for it comes from `ballcourt contest token
    --examine`, by `ballcourt login` or BALLCOURT_CONTEST_TOKEN. At least one examiner must run on the contest's
    machine: it compares the files of accepted bots and hands them over.

    \b
    Examples:
      ballcourt examiner cup/contest.toml
      ballcourt examiner https://cup.example.org
    """


@PANEL.command("login")
def login(
    url: Annotated[str, argument("URL", "The address of the contest.")],
    token_file: Annotated[
        Path | None, option("A file with a token; by default you allow this machine in a browser.", "FILE")
    ] = None,
) -> None:
    """Sign this machine in to a contest, so that `ballcourt submit` can enter bots.

    It shows a code, which you allow in a browser in which you are signed in. Without a browser, make a token on the
    page "Account" of the contest, or ask its organiser. The token is kept in ~/.config/ballcourt, in a file that only
    you may read.

    \b
    Examples:
      ballcourt login https://cup.example.org
      ballcourt login http://127.0.0.1:8000 --token-file alice.token
    """


@PANEL.command("submit")
def submit(
    folder: Annotated[Path, argument("FOLDER", "The folder of the bot.")] = Path(),
    to: ContestUrl = None,
    wait: Annotated[bool, switch("--wait", "Wait until it has been examined.")] = False,
    note: Annotated[str, option("A note for your team.", "TEXT")] = "",
    unchecked: Annotated[bool, switch("--unchecked", "Do not run `check bot` on this machine first.")] = False,
    as_json: Json = False,
) -> None:
    """Enter a bot into a contest.

    First `check bot` runs here; then the folder is packed, without what the bot's own `ignore` leaves out, and sent. A
    line that breaks is no harm. The same files are the same submission, so the command can be repeated.

    \b
    Exit codes: 0 accepted, or without --wait received; 1 refused; 2 wrong use, or the contest does not take it now;
    3 the server failed or cannot be reached.
    Examples:
      ballcourt submit ./mine --wait
      ballcourt submit ./mine --to https://cup.example.org --note "deeper search"
    """
