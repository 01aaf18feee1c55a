"""A private PostgreSQL server: its own data, reachable only through a socket in its own folder."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.arena.conftest import PATIENCE_S, wait_until
from tests.needs import lack, library

psycopg, sql = library("psycopg"), library("psycopg.sql")

PROGRAMS: Final = Path("/usr/lib/postgresql")
"""Where Debian's package `postgresql` puts the programs of each version."""
OWNER: Final = "postgres"
"""The user of Debian's package, who runs the server if the tests are run by root: PostgreSQL refuses root."""
ROLE: Final = "ballcourt"
OPTIONS: Final = ("-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=20")
AT_ONCE: Final = signal.SIGINT
"""The signal for PostgreSQL's "fast shutdown"."""


@dataclass
class Server:
    """A server in a folder of its own, which ends with this process."""

    programs: Path
    folder: Path
    _process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        command = self._command("postgres", "-D", f"{self.folder}/data", "-k", str(self.folder), *OPTIONS)
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, start_new_session=True
            )
        assert wait_until(self._answers), f"postgres does not answer: {self._log()}"

    def stop(self) -> None:
        """End the server at once; its clients lose their connections, and everything committed stays."""
        assert self._process, "it was started"
        self._process.send_signal(AT_ONCE)
        self._process.wait(PATIENCE_S)

    def create(self) -> None:
        """Make the server's files."""
        options = ["-U", ROLE, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
        command = self._command("initdb", "-D", f"{self.folder}/data", *options)
        done = subprocess.run(
            command, check=False, stdin=subprocess.DEVNULL, capture_output=True, cwd=self.folder, timeout=PATIENCE_S
        )
        assert done.returncode == 0, f"initdb failed: {done.stderr.decode()}"

    def database(self, name: str) -> str:
        """Create an empty database and return its URL."""
        with closing(psycopg.connect(host=str(self.folder), user=ROLE, dbname="postgres", autocommit=True)) as server:
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def url(self, name: str, *, role: str = ROLE) -> str:
        """Return the URL of a database."""
        return f"postgresql://{role}:secret@/{name}?host={self.folder}"

    def _answers(self) -> bool:
        assert self._process
        assert self._process.poll() is None, f"postgres ended: {self._log()}"
        asked = [str(self.programs / "pg_isready"), "--quiet", f"--host={self.folder}"]
        return subprocess.run(asked, check=False, timeout=PATIENCE_S).returncode == 0

    def _log(self) -> str:
        return (self.folder / "log").read_text()

    def _command(self, program: str, *arguments: str) -> list[str]:
        """Return what runs a program as the owner; it gets a signal when this process ends."""
        to_owner = [f"--reuid={OWNER}", f"--regid={OWNER}", "--clear-groups"] if os.geteuid() == 0 else []
        return ["setpriv", f"--pdeathsig={AT_ONCE.name}", *to_owner, "--", str(self.programs / program), *arguments]


@contextmanager
def running_server() -> Iterator[Server]:
    """Run a server; skip the tests where there is no PostgreSQL."""
    versions = sorted(PROGRAMS.glob("*/bin"), key=lambda path: float(path.parent.name))
    if not versions:
        lack("postgres")
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
