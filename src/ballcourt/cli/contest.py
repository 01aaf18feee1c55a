"""`ballcourt contest`: make a contest, invite people, and decide about it."""

import csv
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Final

import typer

from ballcourt.arena.files import in_place_of
from ballcourt.arena.ladder.arrivals.handed import ArrivalsError
from ballcourt.arena.sandbox.tiers import unavailable
from ballcourt.arena.tournament.decisions.trail import TrailError
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Json, Unconfined
from ballcourt.cli.output import columns, command, document, dump, note, say, writing
from ballcourt.cli.watch import how_far
from ballcourt.contest.backup import back_up
from ballcourt.contest.create import LADDER, SQLITE, make_contest
from ballcourt.contest.decisions.announcing import announce as announce_it
from ballcourt.contest.decisions.asking import answer_question
from ballcourt.contest.decisions.audit import amounts, decisions
from ballcourt.contest.decisions.deciding import OWNER, Decider
from ballcourt.contest.decisions.duplicates import near_copies
from ballcourt.contest.decisions.entrants import check_entrants, write_entrants
from ballcourt.contest.decisions.hiding import lift_freeze
from ballcourt.contest.decisions.inviting import Invited, Inviting, link_for
from ballcourt.contest.decisions.leaving import delete_person as remove_person
from ballcourt.contest.decisions.publishing import publish as publish_it
from ballcourt.contest.decisions.publishing import reveal as reveal_it
from ballcourt.contest.decisions.publishing import withhold as withhold_it
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining.work import oldest_waiting
from ballcourt.contest.people.accounts import AccountRole, Member, account_named, anybody
from ballcourt.contest.people.tokens import DAY_S, OF_AUTHORS, Scope, new_token
from ballcourt.contest.personal_data import export_person as write_person
from ballcourt.contest.refusals import UNCONFINED, ContestError, ContestFileError, demand_tier
from ballcourt.contest.settings import FILE, at_time, shown
from ballcourt.contest.store.contest import Contest, open_contest
from ballcourt.contest.submissions.following import follow_ladder
from ballcourt.contest.visible import Visible


def opened(place: Path, *, unconfined: bool = False) -> AbstractContextManager[Contest]:
    """Open a contest by its file or folder, as `open_contest` does. Raises ContestFileError and SettingsError."""
    return open_contest(place / FILE if place.is_dir() else place, unconfined=unconfined)


ContestPath = Annotated[Path, argument("CONTEST", "The file of the contest, contest.toml, or its folder.")]
Handle = Annotated[str, argument("HANDLE", "The handle of an account.")]
Why = Annotated[str, option("Why; the chain of decisions keeps it.", "TEXT", "--reason", "--why")]
PERSON: Final = ("handle", "team", "mail")
"""The columns of a file of those who are invited."""
TeamName = Annotated[str, argument("TEAM", "The name of a team.")]


def demand_confinement(tier: int, where: str, *, unconfined: bool) -> None:
    """Say how bots are confined; raise ContestFileError if they are not, or cannot be, unless that was asked for.

    `where` names what sets their sandbox tier.
    """
    if tier:
        demand_tier(tier, where)
        note(f"sandbox tier {tier}")
        return
    if not unconfined:
        raise ContestFileError(
            f"{where} confines no bot (its sandbox tier is 0): {UNCONFINED}; write tier = 1 below [sandbox] in it, or "
            "give --unconfined"
        )
    offer = "" if unavailable(1) else f"; this machine offers tier 1: write it below [sandbox] in {where}"
    note(f"sandbox tier 0: {UNCONFINED}{offer}")


def new(
    folder: Annotated[Path, argument("FOLDER", "The new folder.")],
    game: Annotated[str, option("The game.", "NAME")] = "tzolkin",
    seats: Annotated[int | None, option("The number of seats; by default the smallest of the game.", "N")] = None,
    name: Annotated[str | None, option("What pages call the contest; by default the folder's name.", "NAME")] = None,
    url: Annotated[str, option("The address at which people will find it.", "URL")] = "http://127.0.0.1:8000",
    database: Annotated[str, option("An SQLite file in the folder, or an empty PostgreSQL database.", "URL")] = SQLITE,
    unconfined: Unconfined = False,
) -> None:
    """Make a contest: a folder with contest.toml, ladder.toml and a database.

    Change the files as you like, then start the ladder and the server. The command says how. Bots and their builds are
    confined to sandbox tier 1, and limited as for strangers: ladder.toml has the limits.

    \b
    Examples:
      ballcourt contest new cup
      ballcourt contest new cup --game maya --seats 3 --url https://cup.example.org
      ballcourt contest new cup --database postgresql://db.example.org/cup
    """
    name = name or folder.resolve().name
    settings = make_contest(folder, name, url, game, seats, database=database, unconfined=unconfined)
    say([f"{folder} is the contest {settings.name}. Look at {folder / FILE} and {folder / LADDER}, then run"])
    say(
        [
            f"  {command('ladder', str(folder / LADDER))}",
            f"  {command('serve', '--contest', str(folder / FILE))}",
            f"  {command('contest', 'invite', str(folder), 'HANDLE', '--team', 'TEAM')}",
        ]
    )


def invite(
    contest: ContestPath,
    who: Annotated[str, argument("HANDLE|FILE.csv", "A handle, or a file with the columns handle, team and mail.")],
    team: Annotated[str | None, option("The team of the account; it is made if there is none.", "NAME")] = None,
    organiser: Annotated[bool, switch("--organiser", "Make the account an organiser.")] = False,
    days: Annotated[int, option("How long the link works.", "N", min=1, max=365)] = 14,
    as_json: Json = False,
) -> None:
    """Make accounts, and print for each a link that signs in once.

    For an account that exists, only a new link is made, and older ones stop working: so it is also the way back for
    those who lost access. Send each link to its owner alone. In a file, the columns team and mail may be left out or
    empty; where contest.toml has a table [mail], a link is mailed to the address in mail instead.

    \b
    Examples:
      ballcourt contest invite cup alice --team reds
      ballcourt contest invite cup course.csv
    """
    with opened(contest) as found:
        inviting = Inviting(found, AccountRole.ORGANISER if organiser else AccountRole.CONTESTANT, days * DAY_S)
        if who.endswith(".csv"):
            if team:
                raise typer.BadParameter("a file names the teams in its column team", param_hint="--team")
            invited = inviting.invite([*_rows(Path(who))])
        else:
            invited = inviting.invite([(who, team or "")])
        _show(found, invited, as_json=as_json)


def _rows(file: Path) -> Iterator[tuple[str, ...]]:
    """Yield handles, teams and addresses of a file. Raises ContestError."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            names = rows.fieldnames or ()
            if "handle" not in names or not {*names} <= {*PERSON}:
                raise ContestError(
                    f"{file} begins with {','.join(names)}; its first line names handle, and may name team and mail"
                )
            for row in rows:
                yield tuple((row.get(name) or "").strip() for name in PERSON)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ContestError(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from error


def _show(contest: Contest, invited: list[Invited], *, as_json: bool) -> None:
    links = [(one, link_for(contest, one.secret)) for one in invited]
    if as_json:
        dump(
            [
                {"handle": one.handle, "team": one.team, "is_new": one.is_new, "link": None if one.mail else link}
                for one, link in links
            ]
        )
        return
    note("each link signs in once; send it to its owner alone")
    say(columns([(one.handle, one.team, f"mailed to {one.mail}" if one.mail else link) for one, link in links]))


def token(
    contest: ContestPath,
    handle: Handle,
    label: Annotated[str, option("What the token is for.", "TEXT")] = "from the organiser",
    examine: Annotated[
        bool, switch("--examine", "Make a token for `ballcourt examiner` instead; HANDLE is an organiser.")
    ] = False,
    bot: Annotated[str, option("The bot of the team that it may enter and see; by default all.", "NAME")] = "",
    days: Annotated[int, option("How long it is good for.", "DAYS", min=1, max=400)] = 180,
    as_json: Json = False,
) -> None:
    """Make a token for `ballcourt submit`, and show it once. An account can make its own in the browser.

    \b
    Examples:
      ballcourt contest token cup alice > alice.token
      ballcourt contest token cup alice --bot rocket --days 30
    """
    with opened(contest) as found, found.store.writing() as connection:
        account = account_named(connection, handle)
        if examine and account.role != AccountRole.ORGANISER:
            raise ContestError(f"{handle} is not an organiser; invite one with --organiser, whose token may examine")
        if examine and bot:
            raise ContestError(f"bot is {bot}, but examiners examine all bots; leave out --bot or --examine")
        scopes = (Scope.READ, Scope.EXAMINE) if examine else OF_AUTHORS
        kept, secret = new_token(connection, str(account.id), found.now(), label, scopes, days=days, bot=bot)
    if as_json:
        dump({"id": kept, "handle": handle, "token": secret})
        return
    what = "run examiners" if examine else f"submit{f' {bot}' if bot else ''}"
    note(f"for {days} days this token lets {handle} {what}; it is shown only this once:")
    say([secret])


def status(contest: ContestPath, as_json: Json = False) -> None:
    """Show how far the ladder is, the queue, how many submissions are in each state, and the newest hundred."""
    with opened(contest) as found:
        follow_ladder(found)
        everything = Member("", OWNER, OWNER, AccountRole.ORGANISER, None)  # who is on this machine may see all
        submissions, counts = Visible(found, everything).submissions(), Visible(found, everything).counts()
        with found.store.reading() as connection:
            since = oldest_waiting(connection)
        waits_s = None if since is None else round(found.now() - since)
        ladder = how_far(found.ladder.output)
        if as_json:
            common = {"phase": found.phase, "ladder": ladder, "oldest_waiting_s": waits_s}
            dump({**common, "counts": counts, "submissions": submissions})
            return
        phase = found.phase
        say([f"phase: {phase.name}, until {shown(phase.closes)}" if phase else "no phase is open"])
        say([f"ladder: {ladder}"])
        say([f"the oldest that waits: {'none' if waits_s is None else f'{waits_s} s'}"])
        say([", ".join(f"{count} {state}" for state, count in counts.items()) or "no submission yet"])
        if submissions:
            rows = [
                (one.id, f"{one.team} {one.number}", one.bot, one.version, one.state, one.sentence[:70])
                for one in submissions
            ]
            say(columns([("id", "submission", "bot", "version", "state", ""), *rows]))


def grant(
    contest: ContestPath,
    team: TeamName,
    reason: Why,
    accepted: Annotated[int, option("How many more may be accepted within 24 hours.", "N", min=0, max=1000)] = 0,
    attempts: Annotated[int, option("How many more may be examined within 24 hours.", "N", min=0, max=1000)] = 0,
    scrimmages: Annotated[int, option("How many more scrimmages may be asked for.", "N", min=0, max=1000)] = 0,
) -> None:
    """Raise the limits of a team in the open phase.

    \b
    Example:
      ballcourt contest grant cup reds --attempts 5 --reason "the arena was down"
    """
    with opened(contest) as found:
        say([Decider(found, OWNER).grant(team, accepted, attempts, reason, scrimmages)])


def requeue(
    contest: ContestPath,
    reason: Why,
    submission: Annotated[str | None, argument("ID", "The id of a submission; `contest status` lists them.")] = None,
    everything: Annotated[bool, switch("--all", "Instead of one submission, examine all again.")] = False,
) -> None:
    """Examine a submission again, or all after a change of the checks.

    All are what plays or has played and was not withdrawn, and of each bot the newest submission if it was refused. New
    submissions come first. What plays goes on until the checks refuse it; then it is withdrawn.

    \b
    Examples:
      ballcourt contest requeue cup 0123456789abcdef --reason "the disk was full"
      ballcourt contest requeue cup --all --reason "check 9 looks at memory now"
    """
    if (submission is None) != everything:
        raise typer.BadParameter("give either the id of a submission, or --all")
    with opened(contest) as found:
        decider = Decider(found, OWNER)
        say([decider.requeue_all(reason) if submission is None else decider.requeue(submission, reason)])


def suspend(contest: ContestPath, handle: Handle, reason: Why) -> None:
    """Suspend an account: its sessions and tokens end at once. Its bots go on playing."""
    with opened(contest) as found:
        say([Decider(found, OWNER).suspend(handle, reason)])


def restore(contest: ContestPath, handle: Handle, reason: Why) -> None:
    """End the suspension of an account; it needs a new link."""
    with opened(contest) as found:
        say([Decider(found, OWNER).restore(handle, reason)])


TeamOrBot = Annotated[str, argument("TEAM|BOT", "The name of a team or a bot; team:NAME or bot:NAME, if both have it.")]


def disqualify(contest: ContestPath, name: TeamOrBot, reason: Why) -> None:
    """End the part of a team, or of one bot, in a contest.

    All versions are withdrawn from the ladder, also while no server runs; none is in the finals, and no other one is
    taken, from any member. What was played stays in the tables: `ballcourt event withdraw --strike` takes it out.

    \b
    Example:
      ballcourt contest disqualify cup reds --why "two accounts of one person"
    """
    with opened(contest) as found:
        say([Decider(found, OWNER).disqualify(name, reason)])


def reinstate(contest: ContestPath, name: TeamOrBot, reason: Why) -> None:
    """End the disqualification of a team or a bot. Its old versions stay withdrawn; it enters a new one."""
    with opened(contest) as found:
        say([Decider(found, OWNER).reinstate(name, reason)])


def release(contest: ContestPath, bot: Annotated[str, argument("BOT", "The name of a bot.")], reason: Why) -> None:
    """Withdraw a bot that its team entered by mistake, so that the team may enter another one instead.

    No other team may have its name, as its matches and logs stay.
    """
    with opened(contest) as found:
        say([Decider(found, OWNER).release(bot, reason)])


def unfreeze(contest: ContestPath, reason: Why) -> None:
    """Show everybody the newest tables again before the frozen phase closes."""
    with opened(contest) as found:
        say([lift_freeze(found, OWNER, reason)])


def publish(
    contest: ContestPath,
    folder: Annotated[Path, argument("FOLDER", "The output folder of the tournament that was the finals.")],
    reason: Why,
    ceremony: Annotated[bool, switch("--ceremony", "Hide all until each place was revealed, the last first.")] = False,
) -> None:
    """Show the finals on the site of a contest, below /finals: tables, brackets, matches and replays.

    With --ceremony the page /ceremony shows the places that were revealed, one at each `contest reveal` or click of an
    organiser; after the first place everything can be seen.

    \b
    Example:
      ballcourt contest publish cup runs/finals --ceremony --why "the finals are over"
    """
    with opened(contest) as found:
        say([publish_it(found, folder, OWNER, reason, ceremony=ceremony)])


def reveal(contest: ContestPath, reason: Why = "the ceremony") -> None:
    """Reveal the next place of finals that have a ceremony, from the last to the first."""
    with opened(contest) as found:
        say([reveal_it(found, OWNER, reason)])


def withhold(contest: ContestPath, reason: Why) -> None:
    """Take the finals from the site again."""
    with opened(contest) as found:
        say([withhold_it(found, OWNER, reason)])


def announce(
    contest: ContestPath,
    title: Annotated[str, argument("TITLE", "A line that says what it is about.")],
    text: Annotated[str, option("The text; its lines are paragraphs.", "TEXT")],
) -> None:
    """Announce something to all: on a page, in a feed, by mail where that is set up, and to the teams' webhooks.

    \b
    Example:
      ballcourt contest announce cup "The finals" --text "They begin on Monday."
    """
    with opened(contest) as found:
        say([announce_it(found, OWNER, title, text)])


def answer(
    contest: ContestPath,
    question: Annotated[int, argument("N", "The number of a question; `contest log` lists them.")],
    text: Annotated[str, option("The answer.", "TEXT")],
    to_all: Annotated[bool, switch("--all", "Announce the answer to all teams.")] = False,
) -> None:
    """Answer a question of a team, to that team alone or to all.

    \b
    Example:
      ballcourt contest answer cup 17 --text "Yes, it does." --all
    """
    with opened(contest) as found:
        say([answer_question(found, OWNER, question, text, to_all=to_all)])


def export_person(
    contest: ContestPath, handle: Handle, output: Annotated[Path, argument("FILE.zip", "The file to write.")]
) -> None:
    """Write what a contest knows about a person: rows as JSON, the archives that they sent, logs of their bots."""
    with opened(contest) as found, writing(output), in_place_of(output) as temporary, temporary.open("wb") as file:
        write_person(found, _person(found, handle), file)
    say([f"{output} holds what the contest knows about {handle}"])


def delete_person(contest: ContestPath, handle: Handle, reason: Why) -> None:
    """Delete an account, its name, address, tokens and sessions; results stay under the name of its team.

    With the last member of a team go its archives, reports and notes. Its bots play on until you withdraw them.
    """
    with opened(contest) as found:
        left = remove_person(found, _person(found, handle), OWNER, reason)
    say([f"{handle} is deleted; what they entered stays with its team, by {left}"])


def _person(contest: Contest, handle: str) -> Member:
    """Return an account by its handle, suspended or not. Raises NotThereError."""
    with contest.store.reading() as connection:
        return anybody(connection, handle)


def log(contest: ContestPath, as_json: Json = False) -> None:
    """List the decisions about a contest."""
    with opened(contest) as found, found.store.reading() as connection:
        rows = [{**row._mapping} for row in decisions(connection)]
    if as_json:
        dump(rows)
        return
    if not rows:
        note("nothing has been decided")
    say(
        f"{row['number']}  {shown(at_time(row['at']))}  {row['who']}: {row['action']} {row['subject']}"
        f"{amounts(row['details'])}: {row['reason']}"
        for row in rows
    )


def verify(contest: ContestPath) -> None:
    """Check that a contest is whole: decisions, archives, and what the ladder says of its submissions.

    \b
    Exit codes: 0 it is; 1 something is missing or was changed.
    """
    with opened(contest) as found:
        try:
            wrong = [*complaints(found)]
        except (TrailError, ArrivalsError) as error:
            wrong = [str(error)]
    if wrong:
        say(wrong)
        raise typer.Exit(CHECK_FAILED)
    say(["the contest is whole: its decisions, its archives, and what the ladder says of its submissions"])


def entrants(
    contest: ContestPath,
    output: Annotated[Path, argument("FILE.toml", "The tournament file to write; FILE.toml.sig is its signature.")],
    key: Annotated[Path, option("The private key; `ballcourt event key` makes one.", "FILE")],
    reason: Why,
    unconfined: Unconfined = False,
) -> None:
    """Write the field of the finals as a signed tournament file, once all phases have closed.

    Of each bot it has the version that its team chose, or else the newest that was accepted, and the hash of its files.
    Publish both files, then run `ballcourt tournament FILE.toml`, which commits to its seed.

    \b
    Example:
      ballcourt contest entrants cup finals.toml --key key.pem --reason "the season is over"
    """
    with opened(contest, unconfined=unconfined) as found, writing(output):
        count, public = write_entrants(found, output, key, OWNER, reason)
    say([f"{output}: {count} entrants, signed by {public}"])


def signed(
    file: Annotated[Path, argument("FILE.toml", "The field of the finals; FILE.toml.sig lies beside it.")],
    key: Annotated[str, option("The organiser's public key.", "HEX")],
) -> None:
    """Check that an organiser has signed the field of the finals, and that it is unchanged.

    \b
    Exit codes: 0 it is; 2 it is not.
    """
    say([f"{file} is signed by {key}, and unchanged: SHA-256 {check_entrants(file, key)}"])


def results(
    contest: ContestPath,
    place: Annotated[
        str | None, option("Where the results are, such as the folder of the finals; by default the ladder.", "PLACE")
    ] = None,
) -> None:
    """Print the results as CSV for a grade book: a line for each table and each person in a team.

    It has the address of each person who confirmed one, and the best row of the team; a disqualified team has none.

    \b
    Examples:
      ballcourt contest results cup > grades.csv
      ballcourt contest results cup --place runs/finals
    """
    from ballcourt.cli.leaderboard import tables_at  # they need an extra
    from ballcourt.contest.grades import grades

    with opened(contest) as found:
        document(grades(found, tables_at(place or str(found.ladder.output))))


def duplicates(
    contest: ContestPath,
    least: Annotated[int, option("The share in common from which on a pair is shown.", "PERCENT", min=1)] = 90,
    base: Annotated[
        Path | None, option("What all began with, such as a starter; what is in it does not count.", "FOLDER")
    ] = None,
    as_json: Json = False,
) -> None:
    """List bots of different teams whose files are the same or nearly so. You judge them; the contest does not."""
    with opened(contest) as found:
        pairs = [*near_copies(found, least / 100, base)]
    if as_json:
        dump(pairs)
        return
    if not pairs:
        note("no bots of different teams are alike")
    say(f"{pair.share:.0%}  {pair.first}  {pair.second}" for pair in pairs)


def backup(contest: ContestPath, folder: Annotated[Path, argument("FOLDER", "The new folder for the copy.")]) -> None:
    """Copy a contest while it runs: its database first, then archives and its ladder.

    The copy is a contest. To restore it, put it where the contest was, run `contest verify`, and start ladder and
    server again.
    """
    with opened(contest) as found, writing(folder):
        back_up(found, folder)
    say([f"{folder} is a copy of {found.settings.name}; check it with: {command('contest', 'verify', str(folder))}"])
