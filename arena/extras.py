"""What only some commands need: packages, which the extras of an installation bring, and Linux."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final

from ballcourt.engine.errors import WrongInput

WEB: Final = ("fastapi", "jinja2", "markdown_it", "uvicorn")
EXTRAS: Final = {
    "cluster": ("clusters need", ("distributed", "cryptography")),
    "contest": ("contests need", (*WEB, "python_multipart")),
    "data": ("datasets need", ("pyarrow",)),
    "mcp": ("agents need", ("mcp",)),
    "metrics": ("--monitor needs", ("prometheus_client",)),
    "oidc": ("[[sign_in]] needs", ("authlib",)),
    "plot": ("images of boards need", ("matplotlib",)),
    "postgres": ("databases on PostgreSQL need", ("psycopg",)),
    "reflection": ("--reflection needs", ("grpc_reflection",)),
    "rl": ("adapters to libraries for learning need", ("gymnasium", "pettingzoo", "pyspiel")),
    "s3": ("archives in a bucket need", ("obstore",)),
    "sign": ("signatures need", ("cryptography",)),
    "web": ("pages need", WEB),
}
"""What needs each extra, and the modules that it brings. The bot `llm` has a sentence of its own."""


class OtherSystem(WrongInput):
    """Something needs Linux, and this is another system."""


def needs_linux(what: str) -> None:
    """Raise OtherSystem unless this is Linux; `what` needs it, such as "sandbox tier 1 needs"."""
    if sys.platform != "linux":
        raise OtherSystem(
            f"{what} Linux; on Windows use WSL 2 (wsl --install), elsewhere a container or virtual machine with Linux; "
            "`ballcourt docs systems` says what runs where"
        )


class MissingExtra(WrongInput, ImportError):
    """A package of an extra is not installed."""


def needs(extra: str, *modules: str) -> None:
    """Raise MissingExtra unless the modules of an extra, by default all, are installed."""
    what, brought = EXTRAS[extra]
    for module in modules or brought:
        if find_spec(module) is None:
            raise MissingExtra(f"{what} {module}, which is not installed; run pip install 'ballcourt[{extra}]'")


@contextmanager
def importing(extra: str) -> Iterator[None]:
    """Raise MissingExtra for a module of an extra that cannot be found when it is imported."""
    try:
        yield
    except ModuleNotFoundError as error:
        needs(extra, str(error.name).partition(".")[0])
        raise
