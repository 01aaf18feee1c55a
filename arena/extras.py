"""Packages that only some commands need, which the extras of an installation bring."""

from importlib.util import find_spec
from typing import Final

from ballcourt.engine.errors import WrongInput

EXTRAS: Final = {
    "cluster": ("clusters need", ("distributed", "cryptography")),
    "data": ("datasets need", ("pyarrow",)),
    "mcp": ("agents need", ("mcp",)),
    "plot": ("plots need", ("matplotlib",)),
    "reflection": ("--reflection needs", ("grpc_reflection",)),
    "sign": ("signatures need", ("cryptography",)),
    "web": ("pages need", ("fastapi", "jinja2", "uvicorn")),
}
"""What needs each extra, and the modules that it brings."""


class MissingExtra(WrongInput):
    """A package of an extra is not installed."""


def needs(extra: str) -> None:
    """Raise MissingExtra unless the modules of an extra are installed."""
    what, modules = EXTRAS[extra]
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtra(f"{what} {module}, which is not installed; run pip install 'ballcourt[{extra}]'")
