"""The registries that the organiser's package managers are configured with, asked of these or read in their files."""

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from ballcourt.arena.files import parse_json
from ballcourt.arena.sandbox.registries import settings

ASK_S: Final = 30.0
"""How long a package manager may take to say how it is configured."""
PORTS: Final = {"https": 443, "http": 80}
MOST_CHARACTERS: Final = 260
"""Of a host with its port; no name has more than 253."""
URL: Final = re.compile(r"\bhttps?://[^\s\"'<>|,]+")
PIP: Final = (
    "from pip._internal.configuration import Configuration as C; from pip._internal.models.index import PyPI;"
    "c = C(isolated=False); c.load();"
    "print(PyPI.simple_url, PyPI.file_storage_domain, *(v for k, v in c.items() if 'index-url' in k))"
)
QUESTIONS: Final = (
    ("go", "env", "GOPROXY", "GOSUMDB"),
    ("npm", "config", "list", "--json"),
    (sys.executable, "-P", "-c", PIP),
)
"""Commands that print the registries of a package manager, with the one that it has by default; quick ones first."""


class Place(NamedTuple):
    """A port of a host."""

    host: str
    port: int
    is_plain: bool = False
    """Whether it is asked without encryption."""

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def place_of(name: str) -> Place:
    """Return the place that `HOST` or `HOST:PORT` names; the port is 443 by default. Raises ValueError."""
    parts = urlsplit(f"//{name}")
    if not parts.hostname or parts.netloc != name or "@" in name or len(name) > MOST_CHARACTERS or " " in name:
        raise ValueError("it must be a host, or one with a port such as mirror.example.org:8081")
    return Place(parts.hostname, 443 if parts.port is None else parts.port)


def configured() -> Iterator[frozenset[Place]]:
    """Yield the places of the registries in files, then those of one package manager after another.

    Each of these is asked only if it is waited for; that takes up to half a second of a processor the first time.
    """
    texts = [data.decode() for data in settings().values()]
    yield frozenset(place for text in texts for place in _places(text))
    yield from map(answered, QUESTIONS)


@functools.cache
def answered(question: tuple[str, ...]) -> frozenset[Place]:
    """Return the places that a command names; none if there is no such command or it fails."""
    return frozenset(_places(_answer(question)))


def _answer(question: tuple[str, ...]) -> str:
    """Return what a command says; nothing if there is no such program or it fails."""
    program = shutil.which(question[0])
    if not program:
        return ""
    try:
        done = subprocess.run(
            [program, *question[1:]],
            cwd="/",  # so that no settings of a project count
            env={**os.environ, "NO_UPDATE_NOTIFIER": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ASK_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return _registries_of_npm(done.stdout) if "--json" in question else _with_schemes(done.stdout)


def _registries_of_npm(answer: str) -> str:
    try:
        table = parse_json(answer)
    except ValueError:
        return ""
    return " ".join(str(value) for key, value in table.items() if key == "registry" or key.endswith(":registry"))


def _with_schemes(answer: str) -> str:
    """Return the words of an answer; a database of checksums is named by its host alone."""
    words = re.split(r"[\s,|]+", answer)
    return " ".join(f"https://{word}" if re.fullmatch(r"[\w-]+(\.[\w-]+)+", word) else word for word in words)


def _places(text: str) -> Iterator[Place]:
    """Yield the places of the addresses in settings, without those with a user or password, which no build is given."""
    for url in URL.findall(text):
        try:
            parts = urlsplit(url)
            port = parts.port or PORTS[parts.scheme]
        except ValueError:
            continue
        if parts.hostname and "@" not in parts.netloc:
            yield Place(parts.hostname, port, is_plain=parts.scheme == "http")
