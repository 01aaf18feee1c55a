"""The address a bot connects to, taken from its environment."""

from pathlib import Path

import pytest

from ballcourt.bots.sdk.python.address import Address, AddressError, address


def test_a_local_bot_connects_to_a_socket_and_a_remote_one_to_a_tls_address(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("-----BEGIN CERTIFICATE-----")
    ca = str(tmp_path / "ca.pem")
    assert address({"BALLCOURT_SOCKET": "/run/arena"}) == Address(socket="/run/arena")
    assert address({"BALLCOURT_ADDRESS": "arena.example.org:7433", "BALLCOURT_CA": ca}) == Address(
        host_port="arena.example.org:7433", ca=ca, tls=True
    )
    assert address({}) is None


def test_the_arena_that_started_a_bot_takes_precedence() -> None:
    both = {"BALLCOURT_SOCKET": "/run/arena", "BALLCOURT_ADDRESS": "arena.example.org:7433"}
    assert str(address(both)) == "/run/arena"


@pytest.mark.parametrize("here", ["localhost:1", "127.0.0.1:1", "[::1]:1"])
def test_tls_is_optional_only_for_the_loopback_interface(here: str) -> None:
    assert address({"BALLCOURT_ADDRESS": here, "BALLCOURT_TLS": "off"}) == Address(host_port=here, tls=False)
    with pytest.raises(AddressError, match=r"BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is '10.*unset BALLCOURT_TLS"):
        address({"BALLCOURT_ADDRESS": "10.0.0.1:7433", "BALLCOURT_TLS": "off"})


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"BALLCOURT_ADDRESS": "arena.example.org"}, "it must be HOST:PORT"),
        ({"BALLCOURT_ADDRESS": ":7433"}, "it must be HOST:PORT"),
        ({"BALLCOURT_ADDRESS": "arena:http"}, "it must be HOST:PORT"),
        ({"BALLCOURT_ADDRESS": "arena:1", "BALLCOURT_CA": "/no/such/file"}, "must be the path of a readable PEM file"),
    ],
)
def test_an_invalid_address_is_explained(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(AddressError, match=sentence):
        address(environment)
