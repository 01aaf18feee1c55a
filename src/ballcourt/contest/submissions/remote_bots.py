"""Bots that dial in to the ladder of a contest: their names, their tokens, and what the ladder knows of them.

A token is kept as others are, with the scope `play` and the name of its bot. The ladder reads them in a file, which is
written again from the database whenever they differ: so a token ends with the standing of its account, too.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from ballcourt.arena.ladder.absences import read_absences
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.remote.tokens import BotToken, TokenError, TokenFile
from ballcourt.arena.tournament.decisions.trail import read_trail, size_of
from ballcourt.arena.tournament.folder.output import holder
from ballcourt.contest.people.accounts import AccountState, Member, Standing
from ballcourt.contest.people.teams import add_bot, check_standing, team_with
from ballcourt.contest.people.tokens import TOKEN_DAYS, Scope, new_token, revoke_token
from ballcourt.contest.refusals import NoSpaceError, StateError
from ballcourt.contest.settings import at_time
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import ACCOUNTS, BOTS, MEMBERS, TEAMS, TOKENS
from ballcourt.contest.submissions.allowance import check_name


class DialState(StrEnum):
    """Whether a bot that dials in is there."""

    NEVER = "never seen"
    ONLINE = "online"
    AWAY = "away"
    UNKNOWN = "unknown"
    """The ladder does not run."""
    ENDED = "ended"
    """The organiser or a rule of the ladder ended its play."""


@dataclass(frozen=True, slots=True)
class Dialling:
    """A bot that dials in, as its team and the organiser see it."""

    address: str
    """Where it dials in."""
    state: DialState
    version: str = ""
    """The version that joined the ladder last."""
    away_since: datetime | None = None
    """When it was seen last, if it is away."""
    reason: str = ""
    """Why it plays no longer, if that has ended."""
    token_until: datetime | None = None
    """Until when its token lets it in; None if it has none."""


def register(contest: Contest, person: Member, bot: str, days: int = TOKEN_DAYS) -> str:
    """Add a remote bot to a team; return its token, which is shown only now. Raises ContestError."""
    check_open(contest)
    with contest.store.writing() as connection:
        team = check_name(connection, contest, person, bot)
        add_bot(connection, team.id, bot, contest.now(), remote=True)
        secret = _new(connection, contest, person, bot, days)
    _hand_over(contest)
    return secret


def renew(contest: Contest, person: Member, bot: str, days: int = TOKEN_DAYS) -> str:
    """Give a bot that dials in another token; return it. Older ones end. Raises ContestError."""
    check_open(contest)
    with contest.store.writing() as connection:
        row = connection.execute(select(BOTS).where(BOTS.c.name == bot)).one()
        check_standing(team_with(connection, row.team), row)
        _revoke_all(connection, contest, bot)
        secret = _new(connection, contest, person, bot, days)
    _hand_over(contest)
    return secret


def revoke(contest: Contest, bot: str) -> None:
    """End the token of a bot that dials in, from its next connection on. Raises StateError if it has none."""
    with contest.store.writing() as connection:
        if not _revoke_all(connection, contest, bot):
            raise StateError(f"{bot} has no token that is valid")
    _hand_over(contest)


def check_open(contest: Contest) -> None:
    """Raise StateError if no bot can dial in to a contest."""
    if contest.settings.remote is None:
        raise StateError("no bot can dial in here; enter an archive, or ask the organiser")


def dialling(contest: Contest, bots: list[str]) -> dict[str, Dialling]:
    """Return what is known of bots that dial in, by name."""
    if not bots:
        return {}
    address = contest.settings.remote.address if contest.settings.remote else ""
    output = contest.ladder.output
    away, is_running = read_absences(output), bool(holder(output))
    newest = _newest(output, size_of(output))
    with contest.store.reading() as connection:
        until = {row.bot: row.until for row in _tokens(connection) if not _ended(row, contest.now())}
    return {
        name: _dialling(address, newest.get(name), away.get(name), until.get(name), is_running=is_running)
        for name in bots
    }


@lru_cache(maxsize=1)
def _newest(output: Path, size: int) -> dict[str, Version]:
    """Return the remote bots of a ladder by name, those that play first; a trail of this size is always the same."""
    del size
    remote = [one for one in Roster(read_trail(output)) if one.is_remote]
    return {one.bot.name: one for one in sorted(remote, key=lambda one: one.withdrawal is None)}


def _dialling(
    address: str, found: Version | None, away: datetime | None, until: float | None, *, is_running: bool
) -> Dialling:
    token_until = None if until is None else at_time(until)
    if found is None:
        return Dialling(address, DialState.NEVER, token_until=token_until)
    if found.withdrawal:
        return Dialling(address, DialState.ENDED, found.bot.version, away, found.withdrawal.reason, token_until)
    state = DialState.AWAY if away else DialState.ONLINE if is_running else DialState.UNKNOWN
    return Dialling(address, state, found.bot.version, away, "", token_until)


def token_file(contest: Contest) -> TokenFile | None:
    """Return the file of tokens that the ladder reads; None if no bot can dial in."""
    return TokenFile(contest.settings.remote.tokens) if contest.settings.remote else None


def keep_tokens(contest: Contest, file: TokenFile) -> None:
    """Write the file of tokens that the ladder reads, if it is not right. Raises TokenError."""
    with contest.store.reading() as connection:
        is_right = file.all() == _kept(connection, contest.now())
    if not is_right:
        with contest.store.writing() as connection:  # one writer at a time, so that no older state is written last
            file.keep(_kept(connection, contest.now()))


def _hand_over(contest: Contest) -> None:
    try:
        if file := token_file(contest):
            keep_tokens(contest, file)
    except TokenError as error:  # an examiner tries again, and reports it
        sentence = "the token could not be handed to the ladder; renew it later, or ask the organiser"
        raise NoSpaceError(sentence) from error


def _new(connection: Connection, contest: Contest, person: Member, bot: str, days: int) -> str:
    label, scopes = f"{bot} dials in", [Scope.PLAY]
    return new_token(connection, person.account, contest.now(), label, scopes, days=days, bot=bot)[1]


def _revoke_all(connection: Connection, contest: Contest, bot: str) -> bool:
    """Revoke all tokens of a bot; return whether there were any."""
    live = [row for row in _tokens(connection) if row.bot == bot and row.revoked is None and row.until > contest.now()]
    for row in live:
        revoke_token(connection, row.account, row.id, contest.now())
    return bool(live)


def _tokens(connection: Connection) -> list[Row[Any]]:
    """Return the tokens with which bots dial in, with the team of the bot and whether their account may act for it."""
    here = (MEMBERS.c.team == TEAMS.c.id) & (MEMBERS.c.account == TOKENS.c.account) & MEMBERS.c.left.is_(None)
    joined = TOKENS.join(BOTS, BOTS.c.name == TOKENS.c.bot).join(TEAMS, TEAMS.c.id == BOTS.c.team)
    joined = joined.join(ACCOUNTS, ACCOUNTS.c.id == TOKENS.c.account).outerjoin(MEMBERS, here)
    columns = (
        TEAMS.c.name.label("owner"),
        TEAMS.c.state.label("team_state"),
        BOTS.c.state.label("bot_state"),
        ACCOUNTS.c.state.label("standing"),
    )
    found = select(TOKENS, *columns, MEMBERS.c.id.label("member")).select_from(joined)
    of_bots = BOTS.c.remote & (TOKENS.c.scopes == Scope.PLAY)
    return [*connection.execute(found.where(of_bots).order_by(TOKENS.c.created, TOKENS.c.id))]


def _ended(row: Row[Any], now: float) -> bool:
    acts = row.standing == AccountState.ACTIVE and {row.team_state, row.bot_state} == {Standing.ACTIVE}
    return row.revoked is not None or row.until <= now or row.member is None or not acts


def _kept(connection: Connection, now: float) -> list[BotToken]:
    """Return all tokens as the ladder reads them; one that has ended is revoked there."""
    return [
        BotToken(
            id=row.id,
            owner=row.owner,
            bot=row.bot,
            hash=row.hash,
            created=_day(row.created),
            revoked=_day(min(now, row.revoked or row.until)) if _ended(row, now) else "",
        )
        for row in _tokens(connection)
    ]


def _day(moment: float) -> str:
    return f"{at_time(moment):%Y-%m-%d}"
