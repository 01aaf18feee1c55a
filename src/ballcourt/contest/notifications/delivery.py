"""Sends what is in the outbox: mail by SMTP, and calls of webhooks."""

import os
import smtplib
import ssl
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import format_datetime
from threading import Event
from typing import Final

from sqlalchemy import select

from ballcourt.arena.printable import printable, redacted
from ballcourt.contest.background import followed
from ballcourt.contest.http_client import reason, trusting
from ballcourt.contest.notifications.outbox import HOOK, MAIL, Message, forget_old, is_due, settle, take
from ballcourt.contest.notifications.webhooks import MOST_FAILURES, Call, HookError, call, hook_words, note_call
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.settings import MailTable, at_time
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import HOOKS

PASSWORD: Final = "BALLCOURT_MAIL_PASSWORD"
"""The variable with the password of the mail server, which is in no file of the contest."""
TIME_S: Final = 20.0


class MailError(ContestError):
    """The mail server does not take a message."""


class Sender:
    """Sends messages. Call `step` again and again."""

    def __init__(self, contest: Contest, report: Callable[[str], None] = lambda _: None) -> None:
        """`report` gets a sentence about each message that cannot be sent."""
        self._contest = contest
        self._report = report
        self._channels = (MAIL, HOOK) if contest.settings.mail else (HOOK,)
        self._trust = trusting(contest.settings.ca_file)

    def step(self) -> bool:
        """Send the next message that is due; return False if there is none. Raises WrongInput."""
        now = self._contest.now()
        with self._contest.store.reading() as connection:
            if not is_due(connection, self._channels, now):
                return False
        with self._contest.store.writing() as connection:
            forget_old(connection, now)
            message = take(connection, self._channels, now)
        if message is None:
            return False
        try:
            (self._mail if message.channel == MAIL else self._call)(message)
        except (MailError, HookError) as error:
            self._settle(message, str(error))
            self._report(f"{message.title} could not be sent to {self._to(message)}, try {message.tries}: {error}")
        else:
            self._settle(message)
        return True

    def _settle(self, message: Message, trouble: str | None = None) -> None:
        """Note why a message could not be sent; None if it was."""
        with self._contest.store.writing() as connection:
            settle(connection, message, sent=trouble is None, now=self._contest.now())
            if message.channel == HOOK:
                note_call(connection, message.target, trouble)

    def _to(self, message: Message) -> str:
        """Return to whom a message goes, without the path of a hook, which may hold a secret."""
        if message.channel == MAIL:
            return message.target
        with self._contest.store.reading() as connection:
            return hook_words(connection, message.target)

    def _mail(self, message: Message) -> None:
        settings = self._contest.settings
        assert settings.mail, "otherwise no mail is taken up"
        mail = EmailMessage()
        mail["From"], mail["To"] = settings.mail.sender, message.target
        mail["Subject"] = printable(f"{settings.name}: {message.title}")
        mail["Message-ID"] = f"<{message.event}-{message.id}@{settings.host}>"
        mail["Date"] = format_datetime(at_time(self._contest.now()))
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(message.body.replace("{url}", settings.url))
        try:
            _deliver(settings.mail, mail, self._trust)
        except (OSError, smtplib.SMTPException) as error:
            why = redacted(reason(error), [os.environ.get(PASSWORD, "")])
            raise MailError(f"{settings.mail.host} does not take it: {why}") from error

    def _call(self, message: Message) -> None:
        with self._contest.store.reading() as connection:
            hook = connection.execute(select(HOOKS).where(HOOKS.c.id == message.target)).one_or_none()
        if hook is None or hook.failures >= MOST_FAILURES:
            raise HookError("the hook was removed, or has failed too often")
        called = Call(f"{message.event}-{message.id}", round(self._contest.now()), message.body.encode())
        call(hook.url, hook.secret, called, self._trust, is_private_allowed=self._contest.settings.hooks.private)


def _deliver(settings: MailTable, mail: EmailMessage, trust: ssl.SSLContext) -> None:
    if settings.tls == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(settings.host, settings.port, timeout=TIME_S, context=trust)
    else:
        server = smtplib.SMTP(settings.host, settings.port, timeout=TIME_S)
    with server:
        if settings.tls == "starttls":
            server.starttls(context=trust)
        if settings.user:
            server.login(settings.user, os.environ.get(PASSWORD, ""))
        server.send_message(mail)


def send_for_ever(contest: Contest, over: Event, report: Callable[[str], None]) -> None:
    """Send what is due until `over` is set. A failure of the database is reported, and tried again."""
    sender = Sender(contest, report)

    def step() -> None:
        while not over.is_set() and sender.step():
            pass

    followed(step, report)(over)
