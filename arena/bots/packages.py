"""The organiser's list of Python packages, from which authors choose: each with its exact version and hashes."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from ballcourt.arena.bots.requirements import MOST_BYTES, Requirements, lines_of_pip, understood
from ballcourt.arena.files import read_regular
from ballcourt.arena.printable import cut
from ballcourt.engine.core import WrongInput

MOST_REPORTED: Final = 8 << 20
HASH: Final = " --hash="
KEY: Final = "sandbox.build.packages"


class PackageListError(WrongInput):
    """A list of packages cannot be used; the sentence says why and what to do."""


@dataclass(frozen=True)
class PackageList:
    """The packages that environments of bots may consist of."""

    lines: tuple[str, ...]
    """A line of pip for each, as we understood it."""
    pins: Mapping[str, Mapping[Version, frozenset[str]]]
    """The hashes of the files of each version, such as "sha256:0a1b", by the normalised name of the package."""

    @property
    def constraints(self) -> str:
        """The versions as a file of pip, which takes hashes only where it is given all packages at once."""
        return "".join(f"{line.partition(HASH)[0]}\n" for line in self.lines)

    def objection(self, required: Requirements) -> str:
        """Return why the requirements of a bot cannot be chosen from it; empty if they can."""
        if not required.is_plain:
            return f"{required.file} has options, files or addresses, and {self._allowed()}; name packages of these"
        for line in required.text.splitlines():
            asked = Requirement(line.partition(HASH)[0])
            known = self.pins.get(canonicalize_name(asked.name), {})
            if not any(asked.specifier.contains(version, prereleases=True) for version in known):
                choice = f"the organiser allows {_named(asked.name, known)}" if known else self._allowed()
                return f"{required.file} asks for {cut(str(asked), 80)}, and {choice}; ask for what is allowed"
        return ""

    def objection_to_installed(self, lines: Iterable[str] | None) -> str:
        """Return why what pip has installed is not from it; empty if it is. None stands for what is not known."""
        if lines is None:
            return "pip did not report what it has installed"
        for name, version, hashes in filter(None, map(_pinned, lines)):
            known = self.pins.get(name, {}).get(version)
            if known is None:
                return f"they need {name} {version}, and {self._allowed()}; ask the organiser for more: {KEY}"
            if known.isdisjoint(hashes):
                return f"the registry has another file of {name} {version} than those whose hashes the organiser lists"
        return ""

    def _allowed(self) -> str:
        named = ", ".join(_named(name, versions) for name, versions in sorted(self.pins.items()))
        return f"the organiser allows {cut(named, 400) or 'no packages'}"


def read_package_list(path: Path) -> PackageList:
    """Read a list of packages: a file of pip in which each has an exact version and hashes. Raises PackageListError."""
    try:
        asked = [*lines_of_pip(read_regular(path, MOST_BYTES).decode())]
    except (OSError, ValueError) as error:
        raise PackageListError(f"{KEY} names {path}, which cannot be read: {error}") from error
    pins: dict[str, dict[Version, frozenset[str]]] = {}
    lines = [understood(line) for line in asked]
    for line, written in zip(lines, asked, strict=True):
        pin = _pinned(line)
        if not pin:
            raise PackageListError(
                f"{KEY} names {path}, which has {cut(repr(written), 120)}; each line must be a package with its exact "
                "version and hashes, such as those that pip-compile --generate-hashes writes"
            )
        name, version, hashes = pin
        pins.setdefault(name, {})[version] = pins.get(name, {}).get(version, frozenset()) | hashes
    return PackageList(tuple(lines), pins)


def installed(report: Path) -> tuple[str, ...] | None:
    """Return a line of pip for each package that it has installed, given its report; None if that cannot be read."""
    try:
        entries = json.loads(read_regular(report, MOST_REPORTED))["install"]
        lines = [
            HASH.join(
                [
                    f"{entry['metadata']['name']}=={entry['metadata']['version']}",
                    *(":".join(pair) for pair in entry["download_info"]["archive_info"]["hashes"].items()),
                ]
            )
            for entry in entries
        ]
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    written = tuple(understood(line) for line in lines)
    return written if all(map(_pinned, written)) else None


def _pinned(line: str) -> tuple[str, Version, frozenset[str]] | None:
    """Return the name, the exact version and the hashes of a line as we understood it; None if it lacks one."""
    written, *hashes = line.split(HASH)
    found = Requirement(written) if hashes else None
    if not found or [entry.operator for entry in found.specifier] != ["=="]:
        return None
    try:
        return canonicalize_name(found.name), Version(next(iter(found.specifier)).version), frozenset(hashes)
    except InvalidVersion:  # a pattern
        return None


def _named(name: str, versions: Iterable[Version]) -> str:
    return " or ".join(f"{name} {version}" for version in versions)
