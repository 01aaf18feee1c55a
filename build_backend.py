"""The build backend: setuptools, and the compilers when `BALLCOURT_COMPILE=1` asks for compiled rules."""

import os

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

COMPILERS = ["mypy>=1.18", "Cython>=3.1"] if os.environ.get("BALLCOURT_COMPILE") == "1" else []
Settings = dict[str, str | list[str] | None] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return what building a wheel needs besides `build-system.requires`."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *COMPILERS]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Return what an editable install needs besides `build-system.requires`."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *COMPILERS]
