"""A FIFO in place of a file, which no process writes to, is refused: opening it would wait forever."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ballcourt.arena.cluster.security import Credentials, security
from ballcourt.arena.records.bundle import FAULT, read_bundle
from ballcourt.arena.remote.hosting import tls_context
from ballcourt.arena.remote.tokens import TokenFile
from ballcourt.arena.tournament.organiser.signed_bundle import unpack
from tests.needs import library


def of_a_cluster(file: Path) -> object:
    library("distributed")
    return security("tls://head:1", Credentials(file, file, file))


@pytest.mark.parametrize(
    ("name", "act"),
    [
        ("tokens.json", lambda folder: TokenFile(folder / "tokens.json").all()),
        (FAULT, read_bundle),
        ("cup.zip", lambda folder: unpack(folder / "cup.zip", folder)),
        ("cert.pem", lambda folder: tls_context(str(folder / "cert.pem"), "")),
        ("ca.pem", lambda folder: of_a_cluster(folder / "ca.pem")),
    ],
)
def test_a_pipe_is_no_file(name: str, act: Callable[[Path], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(Exception, match="it is not a regular file"):
        act(tmp_path)
