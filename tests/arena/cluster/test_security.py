"""Where a cluster may be, and the certificates that it asks for."""

from pathlib import Path

import pytest

from ballcourt.arena.cluster.security import ClusterError, Credentials, check_address, local_workers, security
from tests.arena.hosted import make_certificate


def test_a_cluster_on_this_machine_has_a_number_of_workers() -> None:
    assert local_workers("local:4") == 4
    assert local_workers("tls://here:1") is None


@pytest.mark.parametrize("address", ["local:", "local:0", "local:many", "local:257", "local:-1"])
def test_no_other_number_is_accepted(address: str) -> None:
    with pytest.raises(ClusterError, match=f"the cluster is '{address}'; after local: comes a number of workers, 1 to"):
        local_workers(address)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("here:8786", "it must be local:N, tls://HOST:PORT or tcp://HOST:PORT"),
        ("http://here:1", "it must be local:N"),
        ("tls://here", "the cluster is 'here'; it must be HOST:PORT"),
        ("tcp://:99999", "it must be HOST:PORT"),
    ],
)
def test_what_is_no_address_is_refused(address: str, sentence: str) -> None:
    with pytest.raises(ClusterError, match=sentence):
        check_address(address)


def test_a_cluster_without_certificates_is_for_this_machine_without_a_sandbox() -> None:
    for address in ("tcp://127.0.0.1:8786", "tcp://[::1]:8786", "tls://10.0.0.1:8786"):
        check_address(address)
    check_address("tls://10.0.0.1:8786", tier=1)
    with pytest.raises(ClusterError, match=r"is tcp://10\.0\.0\.1:8786, and it is not on this machine alone: without"):
        check_address("tcp://10.0.0.1:8786")
    with pytest.raises(ClusterError, match="it has a sandbox for bots that are not trusted: without"):
        check_address("tcp://127.0.0.1:8786", tier=1)


def test_certificates_are_for_both_sides_of_every_connection(tmp_path: Path) -> None:
    made = make_certificate(tmp_path)
    found = security("tls://here:1", Credentials(made.path, made.path, made.key))
    assert found
    for role in ("client", "worker", "scheduler"):
        assert found.get_connection_args(role)["ssl_context"]
    assert security("tcp://here:1", Credentials()) is None


def test_missing_and_unusable_files_are_named(tmp_path: Path) -> None:
    made = make_certificate(tmp_path)
    empty = tmp_path / "empty.pem"
    empty.touch()
    for given, sentence in [
        (Credentials(), "tls://here:1 uses certificates on both sides; give ca, cert, key too"),
        (Credentials(ca=made.path), "give cert, key too"),
        (Credentials(empty, made.path, made.key), f"cannot use ca {empty}: "),
        (Credentials(made.path, made.path, empty), f"cannot use cert {made.path} with key {empty}: "),
        (Credentials(tmp_path / "none", made.path, made.key), "none: No such file or directory"),
    ]:
        with pytest.raises(ClusterError) as caught:
            security("tls://here:1", given)
        assert sentence in str(caught.value)
    with pytest.raises(ClusterError, match="does not use certificates; leave ca out, or give tls://"):
        security("tcp://here:1", Credentials(ca=made.path))
