"""The outbox: what is to be sent, written in the transaction in which it happens, so that neither is without the other.

An event goes to a target once, and has an id that never changes. A sender leases a message, as examiners lease
submissions: until the lease ends, no other sends it. A sender that is killed between sending and noting it sends it
again, so delivery is at least once, and receivers know what they have by its id.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from ballcourt.contest.people.teams import members_of
from ballcourt.contest.settings import at_time
from ballcourt.contest.store.schema import ACCOUNTS, HOOKS, OUTBOX, TEAMS

LEASE_S: Final = 60.0
MOST_TRIES: Final = 8
FIRST_PAUSE_S: Final = 30.0
LONGEST_PAUSE_S: Final = 6 * 3600.0
KEPT_S: Final = 30 * 86_400.0
MOST_SHOWN: Final = 20
MAIL, HOOK = "mail", "hook"


@dataclass(frozen=True, slots=True)
class Tidings:
    """Something that has happened, for people and for programs."""

    event: str
    """An id that no other event has, such as state-17."""
    title: str
    text: str
    path: str
    """The address of the page about it, without the host."""
    kind: str = ""
    """The word for programs, such as submission.playing."""
    about: Mapping[str, object] | None = None
    """What programs get."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that was leased."""

    id: int
    fence: int
    event: str
    channel: str
    target: str
    title: str
    body: str
    tries: int


@dataclass(frozen=True, slots=True)
class OutboxCount:
    """How many messages of a channel have not been sent."""

    channel: str
    waiting: int
    since: float | None
    """When the oldest that waits was written."""
    failed: int
    """How many were given up, and have not been forgotten since."""


def tell_team(connection: Connection, team: str, news: Tidings, now: float, *, by_mail: bool) -> None:
    """Notify the webhooks of a team, and its members by mail if wanted."""
    if by_mail:
        for member in members_of(connection, team):
            mail_account(connection, member.id, news, now)
    for hook in connection.execute(select(HOOKS.c.id).where(HOOKS.c.team == team)).scalars():
        call_hook(connection, hook, news, now)


def tell_all(connection: Connection, news: Tidings, now: float) -> None:
    """Notify all accounts with an address, and all webhooks."""
    for account in connection.execute(select(ACCOUNTS.c.id).where(ACCOUNTS.c.state == "active")).scalars().all():
        mail_account(connection, account, news, now)
    for hook in connection.execute(select(HOOKS.c.id)).scalars().all():
        call_hook(connection, hook, news, now)


def mail_account(connection: Connection, account: str, news: Tidings, now: float) -> None:
    """Notify an account, if it has an address."""
    address = connection.execute(select(ACCOUNTS.c.email).where(ACCOUNTS.c.id == account)).scalar()
    if address:
        post(connection, MAIL, address, news.event, news.title, f"{news.text}\n\n{{url}}{news.path}\n", now)


def call_hook(connection: Connection, hook: str, news: Tidings, now: float) -> None:
    """Notify a webhook, in JSON."""
    body = json.dumps({"type": news.kind, "timestamp": at_time(now).isoformat(), "data": dict(news.about or {})})
    post(connection, HOOK, hook, news.event, news.title, body, now)


def post(connection: Connection, channel: str, target: str, event: str, title: str, body: str, now: float) -> None:
    """Put a message into the outbox, unless the same event has been put there for this target."""
    is_it = (OUTBOX.c.event == event) & (OUTBOX.c.channel == channel) & (OUTBOX.c.target == target)
    if connection.execute(select(OUTBOX.c.id).where(is_it)).first():
        return
    values = {"event": event, "channel": channel, "target": target, "title": title, "body": body}
    connection.execute(insert(OUTBOX).values(**values, state="due", due=now, created=now))


def recent(connection: Connection, target: str, since: float) -> int:
    """Return how many messages were put into the outbox for a target, written in any case, since a moment."""
    own = (func.lower(OUTBOX.c.target) == target.lower()) & (OUTBOX.c.created > since)
    return int(connection.execute(select(func.count()).select_from(OUTBOX).where(own)).scalar_one())


def unsent(connection: Connection) -> list[OutboxCount]:
    """Return for each channel how many messages wait, and how many were given up."""
    due, failed = OUTBOX.c.state == "due", OUTBOX.c.state == "failed"
    counts = func.count().filter(due), func.min(OUTBOX.c.created).filter(due), func.count().filter(failed)
    rows = connection.execute(select(OUTBOX.c.channel, *counts).where(due | failed).group_by(OUTBOX.c.channel))
    found = {row[0]: OutboxCount(*row) for row in rows}
    return [found.get(channel, OutboxCount(channel, 0, None, 0)) for channel in (MAIL, HOOK)]


def given_up(connection: Connection) -> Sequence[Any]:
    """Return the newest messages that were given up, at most `MOST_SHOWN`.

    Each has its `receiver`: the handle of an account, the name of a team, or an address that belongs to no account.
    """
    account = select(ACCOUNTS.c.handle).where(ACCOUNTS.c.email == OUTBOX.c.target).limit(1).scalar_subquery()
    hook = HOOKS.join(TEAMS, TEAMS.c.id == HOOKS.c.team)
    team = select(TEAMS.c.name).select_from(hook).where(HOOKS.c.id == OUTBOX.c.target).scalar_subquery()
    receiver = func.coalesce(account, team, OUTBOX.c.target).label("receiver")
    return connection.execute(
        select(OUTBOX.c.channel, OUTBOX.c.title, receiver, OUTBOX.c.created)
        .where(OUTBOX.c.state == "failed")
        .order_by(OUTBOX.c.created.desc(), OUTBOX.c.id.desc())
        .limit(MOST_SHOWN)
    ).all()


def is_due(connection: Connection, channels: tuple[str, ...], now: float) -> bool:
    """Whether a message is due."""
    return connection.execute(select(OUTBOX.c.id).where(_due(channels, now)).limit(1)).first() is not None


def take(connection: Connection, channels: tuple[str, ...], now: float) -> Message | None:
    """Lease the next message that is due, those that have not failed so far first; None if there is none."""
    row = connection.execute(
        select(OUTBOX).where(_due(channels, now)).order_by(OUTBOX.c.tries, OUTBOX.c.due, OUTBOX.c.id).limit(1)
    ).first()
    if row is None:
        return None
    leased = {"due": now + LEASE_S, "fence": row.fence + 1, "tries": row.tries + 1}
    connection.execute(update(OUTBOX).where(OUTBOX.c.id == row.id).values(**leased))
    return Message(row.id, row.fence + 1, row.event, row.channel, row.target, row.title, row.body, row.tries + 1)


def settle(connection: Connection, message: Message, *, sent: bool, now: float) -> None:
    """Note that a message was sent, or when it is tried again; what another has leased meanwhile is left alone."""
    held = (OUTBOX.c.id == message.id) & (OUTBOX.c.fence == message.fence) & (OUTBOX.c.state == "due")
    if sent or message.tries >= MOST_TRIES:
        values: dict[str, object] = {"state": "sent" if sent else "failed", "body": ""}  # it may hold a link
    else:
        values = {"due": now + min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 4 ** (message.tries - 1))}
    connection.execute(update(OUTBOX).where(held).values(**values))


def forget_old(connection: Connection, now: float) -> None:
    """Forget what was sent or given up long ago."""
    connection.execute(delete(OUTBOX).where(OUTBOX.c.state != "due", OUTBOX.c.created < now - KEPT_S))


def forget_target(connection: Connection, target: str) -> None:
    """Forget all messages for a target."""
    connection.execute(delete(OUTBOX).where(OUTBOX.c.target == target))


def _due(channels: tuple[str, ...], now: float) -> ColumnElement[bool]:
    return (OUTBOX.c.state == "due") & (OUTBOX.c.due <= now) & OUTBOX.c.channel.in_(channels)
