"""A private PostgreSQL server: its own data, reachable only through a socket in its own folder."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
import pytest
from psycopg import sql

from tests.arena.conftest import PATIENCE_S

PROGRAMS: Final = Path("/usr/lib/postgresql")
"""Where Debian's package `postgresql` puts the programs of each version."""
OWNER: Final = "postgres"
"""The user of Debian's package, who runs the server if the tests are run by root: PostgreSQL refuses root."""
ROLE: Final = "ballcourt"
OPTIONS: Final = "-c listen_addresses= -c fsync=off -c max_connections=20"


@dataclass(frozen=True)
class Server:
    """A server in a folder of its own."""

    programs: Path
    folder: Path

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self._run("pg_ctl", "start", "-w", "-l", f"{self.folder}/log", "-o", f"-k {self.folder} {OPTIONS}")

    def stop(self) -> None:
        """End the server at once; its clients lose their connections, and everything committed stays."""
        self._run("pg_ctl", "stop", "-w", "-m", "fast")

    def create(self) -> None:
        """Make the server's files."""
        self._run("initdb", "-U", ROLE, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")

    def database(self, name: str) -> str:
        """Create an empty database and return its URL."""
        with closing(psycopg.connect(host=str(self.folder), user=ROLE, dbname="postgres", autocommit=True)) as server:
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def url(self, name: str, *, role: str = ROLE) -> str:
        """Return the URL of a database."""
        return f"postgresql://{role}:secret@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), "-D", f"{self.folder}/data", *arguments]
        done = subprocess.run(
            [*_as_owner(), *command],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # a pipe would stay open as long as the server
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            timeout=PATIENCE_S,
        )
        log = self.folder / "log"
        assert done.returncode == 0, f"{program} failed: {log.read_text() if log.exists() else ''}"


@contextmanager
def running_server() -> Iterator[Server]:
    """Run a server. Skip the tests where there is no PostgreSQL; fail if BALLCOURT_REQUIRE names `postgres`."""
    versions = sorted(PROGRAMS.glob("*/bin"), key=lambda path: float(path.parent.name))
    if not versions:
        if "postgres" in os.environ.get("BALLCOURT_REQUIRE", "").split():
            pytest.fail("BALLCOURT_REQUIRE names postgres: apt install postgresql")
        pytest.skip("needs a PostgreSQL server: apt install postgresql")
    # not below tmp_path: the path of a socket has at most 107 characters, and the owner must reach it
    folder = Path(tempfile.mkdtemp(prefix="ballcourt-postgres-", dir="/tmp"))
    server = Server(versions[-1], folder)
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, OWNER, OWNER)
        server.create()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _as_owner() -> Sequence[str]:
    to_owner = ["setpriv", f"--reuid={OWNER}", f"--regid={OWNER}", "--clear-groups"]
    return to_owner if os.geteuid() == 0 else []
