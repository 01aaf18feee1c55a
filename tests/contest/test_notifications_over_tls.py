"""Mail and webhooks over TLS: servers whose authority only `ca_file` names, each message once, and never in clear."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Thread

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from ballcourt.contest.decisions.announcing import announce
from ballcourt.contest.notifications.webhooks import add_hook
from ballcourt.contest.settings import MailTable
from ballcourt.contest.store.schema import OUTBOX
from tests.arena.conftest import PATIENCE_S
from tests.contest.made import Made, made_in
from tests.contest.test_notifications import hook_server, reached, send_all

HERE = "127.0.0.1"
KINDS = ["starttls", "tls"]
pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Authority:
    """An authority of certificates that no machine knows."""

    folder: Path
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def file(self) -> Path:
        """Its own certificate."""
        return self._kept("ca", self._signed("authority", self.key.public_key(), x509.BasicConstraints(True, None)))

    def server(self, name: str) -> ssl.SSLContext:
        """Return what a server with this number or name needs."""
        key = ec.generate_private_key(ec.SECP256R1())
        address = x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name)
        signed = self._signed(name, key.public_key(), x509.SubjectAlternativeName([address]))
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        (self.folder / "key").write_bytes(secret)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self._kept("server", signed), self.folder / "key")
        return context

    def _signed(self, name: str, key: ec.EllipticCurvePublicKey, says: x509.ExtensionType) -> x509.Certificate:
        subject, issuer = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)]) for one in (name, "authority"))
        begins, ends = (datetime.now(UTC) + timedelta(days=days) for days in (-1, 1))
        made = x509.CertificateBuilder(issuer, subject, key, x509.random_serial_number(), begins, ends)
        return made.add_extension(says, critical=True).sign(self.key, hashes.SHA256())

    def _kept(self, name: str, one: x509.Certificate) -> Path:
        file = self.folder / f"{name}.pem"
        file.write_bytes(one.public_bytes(serialization.Encoding.PEM))
        return file


class Inbox:
    """What a mail server has got: whether each message came encrypted, and to whom."""

    def __init__(self) -> None:
        self.mail: list[tuple[bool, str]] = []

    async def handle_DATA(self, server: SMTP, _: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd calls it
        is_encrypted = bool(server.transport and server.transport.get_extra_info("ssl_object"))
        self.mail.append((is_encrypted, ", ".join(map(str, envelope.rcpt_tos))))
        return "250 fine"


@contextmanager
def mail_server(trust: ssl.SSLContext | None, kind: str) -> Iterator[tuple[int, Inbox]]:
    """Run aiosmtpd; yield its port and what it gets. `starttls` without a context offers no encryption."""
    inbox, loop, begun, ports = Inbox(), asyncio.new_event_loop(), Event(), list[int]()
    tls = trust if kind == "starttls" else None
    make = partial(SMTP, inbox, tls_context=tls, require_starttls=tls is not None, loop=loop)

    async def serve() -> None:
        server = await loop.create_server(make, HERE, 0, ssl=trust if kind == "tls" else None)
        ports.append(server.sockets[0].getsockname()[1])
        begun.set()

    loop.create_task(serve())
    thread = Thread(target=loop.run_forever)
    thread.start()
    assert begun.wait(PATIENCE_S)
    yield ports[0], inbox
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def waiting(made: Made) -> list[tuple[str, int]]:
    """Return the state of each message, and how often it was tried."""
    return [(row.state, row.tries) for row in made.read(OUTBOX.select())]


def trusting(made: Made, authority: Authority) -> Made:
    """Return the contest after its organiser has named the authority, when the next try is due."""
    settings = made.contest.settings.replaced(ca_file=authority.file)
    made.clock.now += 30
    return replace(made, contest=replace(made.contest, settings=settings))


def made_with_news(folder: Path, port: int, kind: str) -> Made:
    mail = {"host": HERE, "port": port, "sender": "cup@example.org", "tls": kind}
    made = made_in(folder / "cup", mail=mail)
    reached(made, made.person("ann", "reds"), "ann@example.org")
    announce(made.contest, "olga", "News", "It begins.")
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_mail_waits_until_its_server_is_trusted_and_then_goes_out_once_encrypted(tmp_path: Path, kind: str) -> None:
    authority = Authority(tmp_path)
    with mail_server(authority.server(HERE), kind) as (port, inbox):
        made = made_with_news(tmp_path, port, kind)
        (told,) = send_all(made)
        assert f"{HERE} does not take it: its certificate is not trusted" in told and "ca_file" in told
        assert "\n" not in told
        assert inbox.mail == [] and waiting(made) == [("due", 1)]
        made = trusting(made, authority)
        assert send_all(made) == [] and send_all(made) == []
        assert inbox.mail == [(True, "ann@example.org")] and waiting(made) == [("sent", 2)]


@pytest.mark.parametrize("kind", KINDS)
def test_mail_is_not_given_to_a_server_with_the_certificate_of_another(tmp_path: Path, kind: str) -> None:
    authority = Authority(tmp_path)
    with mail_server(authority.server("mail.example.org"), kind) as (port, inbox):
        made = trusting(made_with_news(tmp_path, port, kind), authority)
        (told,) = send_all(made)
        assert "its certificate is not trusted" in told and HERE in told
        assert inbox.mail == [] and waiting(made) == [("due", 1)]


@pytest.mark.parametrize("kind", KINDS)
def test_mail_is_never_sent_in_clear_to_a_server_that_offers_no_encryption(tmp_path: Path, kind: str) -> None:
    with mail_server(None, kind) as (port, inbox):
        made = made_with_news(tmp_path, port, kind)
        (told,) = send_all(made)
        assert "does not take it" in told and inbox.mail == [] and waiting(made) == [("due", 1)]


def test_a_hook_over_https_is_called_once_its_authority_is_trusted(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    made = made_in(tmp_path / "cup", hooks={"of_team": 1, "private": True})
    ann = made.person("ann", "reds")
    with hook_server(authority.server(HERE)) as server:
        add_hook(made.contest, str(ann.team), f"https://{HERE}:{server.server_address[1]}/")
        announce(made.contest, "olga", "News", "It begins.")
        (told,) = send_all(made)
        assert "the hook cannot be reached: its certificate is not trusted" in told and "ca_file" in told
        assert server.calls == [] and waiting(made) == [("due", 1)]  # type: ignore[attr-defined]
        made = trusting(made, authority)
        assert send_all(made) == [] and send_all(made) == []
        assert len(server.calls) == 1 and waiting(made) == [("sent", 2)]  # type: ignore[attr-defined]


def test_a_password_of_mail_is_not_sent_in_clear() -> None:
    table = {"host": "mail.example.org", "sender": "cup@example.org", "user": "cup"}
    with pytest.raises(ValueError, match=r"tls is none.*starttls or tls"):
        MailTable.model_validate(table)
    assert MailTable.model_validate({**table, "tls": "starttls"})
    assert MailTable.model_validate({**table, "host": "localhost"}), "it does not leave this machine"
