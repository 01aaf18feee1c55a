"""The port of a host that was killed is taken for some seconds more."""

import socket
from collections.abc import Iterator

import pytest

from ballcourt.arena.remote import port as module
from ballcourt.arena.remote.port import RemoteError, take_port


@pytest.fixture
def other() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def take_that_of(other: socket.socket) -> socket.socket:
    return take_port(f"127.0.0.1:{other.getsockname()[1]}", None, None, insecure=True)


def test_a_port_is_taken_as_soon_as_it_is_free(
    other: socket.socket, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = other.getsockname()
    monkeypatch.setattr(module, "sleep", lambda _: other.close())
    with take_that_of(other) as ours:
        assert ours.getsockname() == where
    assert capsys.readouterr().err == f"port {where[1]} is taken; waiting up to 10 s for it\n"


def test_a_port_that_stays_taken_is_named(other: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FREED_S", 0.0)
    with pytest.raises(RemoteError, match=r"^cannot listen on 127\.0\.0\.1:\d+: Address already in use; give another"):
        take_that_of(other)
