"""`ballcourt contest`: make a contest, invite people, and decide about it."""

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from ballcourt.arena.files import in_place_of
from ballcourt.arena.tournament.decisions.trail import TrailError
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.output import columns, command, dump, note, say, writing
from ballcourt.contest.backup import back_up
from ballcourt.contest.create import FILE, LADDER, make_contest
from ballcourt.contest.decisions.announcing import announce as announce_it
from ballcourt.contest.decisions.audit import decisions
from ballcourt.contest.decisions.deciding import OWNER, Decider
from ballcourt.contest.decisions.duplicates import near_copies
from ballcourt.contest.decisions.entrants import check_entrants, write_entrants
from ballcourt.contest.decisions.hiding import lift_freeze
from ballcourt.contest.decisions.inviting import Invited, Inviting, link_for
from ballcourt.contest.decisions.leaving import delete_person as remove_person
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining.work import oldest_waiting
from ballcourt.contest.people.accounts import AccountRole, Member, account_named, anybody
from ballcourt.contest.people.tokens import OF_AUTHORS, Scope, new_token
from ballcourt.contest.personal_data import export_person as write_person
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.settings import at_time, shown
from ballcourt.contest.store.contest import Contest, open_contest
from ballcourt.contest.visible import Visible

DAY_S: Final = 86_400.0


@contextmanager
def opened(place: Path) -> Iterator[Contest]:
    """Open a contest by its file or folder. Raises ContestFileError and SettingsError."""
    with open_contest(place / FILE if place.is_dir() else place) as contest:
        yield contest


def new(folder: Path, game: str, seats: int | None, name: str | None, url: str) -> None:
    """Run `ballcourt contest new`."""
    settings = make_contest(folder, name or folder.resolve().name, url, game, seats)
    say([f"{folder} is the contest {settings.name}. Look at {folder / FILE} and {folder / LADDER}, then run"])
    say(
        [
            f"  {command('ladder', str(folder / LADDER))}",
            f"  {command('serve', '--contest', str(folder / FILE))}",
            f"  {command('contest', 'invite', str(folder), 'HANDLE', '--team', 'TEAM')}",
        ]
    )


def invite(contest: Path, who: str, team: str | None, organiser: bool, days: int, as_json: bool) -> None:
    """Run `ballcourt contest invite`."""
    with opened(contest) as found:
        inviting = Inviting(found, AccountRole.ORGANISER if organiser else AccountRole.CONTESTANT, days * DAY_S)
        if who.endswith(".csv"):
            if team:
                raise typer.BadParameter("a file names the teams in its column team", param_hint="--team")
            invited = inviting.invite([*_rows(Path(who))])
        else:
            invited = inviting.invite([(who, team or "")])
        _show(found, invited, as_json=as_json)


def _rows(file: Path) -> Iterator[tuple[str, str]]:
    """Yield handles and teams of a file. Raises ContestError."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            if "handle" not in (rows.fieldnames or ()):
                raise ContestError(f"{file} has no column handle; its first line must name the columns handle and team")
            for row in rows:
                yield (row["handle"] or "").strip(), (row.get("team") or "").strip()
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ContestError(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from error


def _show(contest: Contest, invited: list[Invited], *, as_json: bool) -> None:
    links = [(one, link_for(contest, one.secret)) for one in invited]
    if as_json:
        dump([{"handle": one.handle, "team": one.team, "is_new": one.is_new, "link": link} for one, link in links])
        return
    note("each link signs in once; send it to its owner alone")
    say(columns([(one.handle, one.team, link) for one, link in links]))


def token(contest: Path, handle: str, label: str, examine: bool, bot: str, days: int, as_json: bool) -> None:
    """Run `ballcourt contest token`."""
    with opened(contest) as found, found.store.writing() as connection:
        account = account_named(connection, handle)
        if examine and account.role != AccountRole.ORGANISER:
            raise ContestError(f"{handle} is no organiser; invite one with --organiser, whose token may examine")
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


def status(contest: Path, as_json: bool) -> None:
    """Run `ballcourt contest status`."""
    with opened(contest) as found:
        submissions = Visible(found, _organiser()).submissions()
        with found.store.reading() as connection:
            since = oldest_waiting(connection)
        waits_s = None if since is None else round(found.now() - since)
        if as_json:
            dump({"phase": found.phase, "oldest_waiting_s": waits_s, "submissions": submissions})
            return
        phase = found.phase
        say([f"phase: {phase.name}, until {shown(phase.closes)}" if phase else "no phase is open"])
        say([f"the oldest that waits: {'none' if waits_s is None else f'{waits_s} s'}"])
        counted = Counter(str(one.state) for one in submissions)
        say([", ".join(f"{count} {state}" for state, count in sorted(counted.items())) or "no submission yet"])
        if submissions:
            rows = [
                (one.id, f"{one.team} {one.number}", one.bot, one.version, one.state, one.sentence[:70])
                for one in submissions
            ]
            say(columns([("id", "submission", "bot", "version", "state", ""), *rows]))


def grant(contest: Path, team: str, reason: str, accepted: int, attempts: int, scrimmages: int) -> None:
    """Run `ballcourt contest grant`."""
    with opened(contest) as found:
        say([Decider(found, OWNER).grant(team, accepted, attempts, reason, scrimmages)])


def requeue(contest: Path, submission: str, reason: str) -> None:
    """Run `ballcourt contest requeue`."""
    with opened(contest) as found:
        say([Decider(found, OWNER).requeue(submission, reason)])


def suspend(contest: Path, handle: str, reason: str) -> None:
    """Run `ballcourt contest suspend`."""
    with opened(contest) as found:
        say([Decider(found, OWNER).suspend(handle, reason)])


def restore(contest: Path, handle: str, reason: str) -> None:
    """Run `ballcourt contest restore`."""
    with opened(contest) as found:
        say([Decider(found, OWNER).restore(handle, reason)])


def unfreeze(contest: Path, reason: str) -> None:
    """Run `ballcourt contest unfreeze`."""
    with opened(contest) as found:
        say([lift_freeze(found, OWNER, reason)])


def announce(contest: Path, title: str, text: str) -> None:
    """Run `ballcourt contest announce`."""
    with opened(contest) as found:
        say([announce_it(found, OWNER, title, text)])


def export_person(contest: Path, handle: str, output: Path) -> None:
    """Run `ballcourt contest export-person`."""
    with opened(contest) as found, writing(output), in_place_of(output) as temporary, temporary.open("wb") as file:
        write_person(found, _person(found, handle), file)
    say([f"{output} holds what the contest knows about {handle}"])


def delete_person(contest: Path, handle: str, reason: str) -> None:
    """Run `ballcourt contest delete-person`."""
    with opened(contest) as found:
        left = remove_person(found, _person(found, handle), OWNER, reason)
    say([f"{handle} is deleted; what they entered stays with its team, by {left}"])


def _person(contest: Contest, handle: str) -> Member:
    """Return an account as whoever it is, suspended or not. Raises NotThereError."""
    with contest.store.reading() as connection:
        return anybody(connection, handle)


def log(contest: Path, as_json: bool) -> None:
    """Run `ballcourt contest log`."""
    with opened(contest) as found, found.store.reading() as connection:
        rows = [{**row._mapping} for row in decisions(connection)]
    if as_json:
        dump(rows)
        return
    if not rows:
        note("nothing has been decided")
    say(
        f"{row['number']}  {shown(at_time(row['at']))}  {row['who']}: {row['action']} {row['subject']}: {row['reason']}"
        for row in rows
    )


def verify(contest: Path) -> None:
    """Run `ballcourt contest verify`."""
    with opened(contest) as found:
        try:
            wrong = [*complaints(found)]
        except TrailError as error:
            wrong = [str(error)]
    if wrong:
        say(wrong)
        raise typer.Exit(CHECK_FAILED)
    say(["the contest is whole: its decisions, its archives, and what the ladder says of its submissions"])


def entrants(contest: Path, output: Path, key: Path, reason: str) -> None:
    """Run `ballcourt contest entrants`."""
    with opened(contest) as found, writing(output):
        count, public = write_entrants(found, output, key, OWNER, reason)
    say([f"{output}: {count} entrants, signed by {public}"])


def signed(file: Path, key: str) -> None:
    """Run `ballcourt contest signed`."""
    say([f"{file} is signed by {key}, and unchanged: SHA-256 {check_entrants(file, key)}"])


def duplicates(contest: Path, least: int, as_json: bool) -> None:
    """Run `ballcourt contest duplicates`."""
    with opened(contest) as found:
        pairs = [*near_copies(found, least / 100)]
    if as_json:
        dump(pairs)
        return
    if not pairs:
        note("no bots of different teams are alike")
    say(f"{pair.share:.0%}  {pair.first}  {pair.second}" for pair in pairs)


def backup(contest: Path, folder: Path) -> None:
    """Run `ballcourt contest backup`."""
    with opened(contest) as found, writing(folder):
        back_up(found, folder)
    say([f"{folder} is a copy of {found.settings.name}; check it with: {command('contest', 'verify', str(folder))}"])


def _organiser() -> Member:
    """Return who runs commands on the server's machine: somebody who may see everything."""
    return Member("", OWNER, OWNER, AccountRole.ORGANISER, None)
