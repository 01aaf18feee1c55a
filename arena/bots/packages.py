"""The organiser's list of Python packages, from which authors choose: each with its exact version and hashes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from ballcourt.arena.bots.requirements import HASHED, MOST_BYTES, PackageLine, Requirements, lines_of_pip, parsed
from ballcourt.arena.files import parse_json, read_regular
from ballcourt.arena.printable import cut
from ballcourt.engine.core import WrongInput

MOST_REPORTED: Final = 8 << 20
KEY: Final = "sandbox.build.packages"


class PackageListError(WrongInput):
    """A list of packages cannot be used; the sentence says why and what to do."""


@dataclass(frozen=True)
class PackageList:
    """The packages that environments of bots may consist of."""

    packages: tuple[PackageLine, ...]
    pins: Mapping[str, Mapping[Version, frozenset[str]]]
    """The hashes of the files of each version, such as "sha256:0a1b", by the normalised name of the package."""

    @property
    def constraints(self) -> str:
        """The versions as a file of pip, which takes hashes only where it is given all packages at once."""
        return "".join(f"{asked.package}\n" for asked in self.packages)

    def objection(self, required: Requirements) -> str:
        """Return why the requirements of a bot cannot be chosen from it; empty if they can."""
        if not required.is_plain:
            return f"{required.file} has options, files or addresses, and {self._allowed()}; name packages of these"
        for asked in (found.package for found in map(parsed, required.text.splitlines()) if found):
            known = self.pins.get(canonicalize_name(asked.name), {})
            if not any(asked.specifier.contains(version, prereleases=True) for version in known):
                choice = f"the organiser allows {_named(asked.name, known)}" if known else self._allowed()
                return f"{required.file} asks for {cut(str(asked), 80)}, and {choice}; ask for what is allowed"
        return ""

    def objection_to_installed(self, packages: Iterable[PackageLine] | None) -> str:
        """Return why what pip has installed is not from it; empty if it is. None stands for what is not known."""
        if packages is None:
            return "pip did not report what it has installed"
        for name, version, hashes in filter(None, map(_pinned, packages)):
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
    packages = []
    for line in asked:
        found = parsed(line)
        pin = found and _pinned(found)
        if not found or not pin:
            raise PackageListError(
                f"{KEY} names {path}, which has {cut(repr(line), 120)}; each line must be a package with its exact "
                "version and hashes, such as those that pip-compile --generate-hashes writes"
            )
        packages.append(found)
        name, version, hashes = pin
        pins.setdefault(name, {})[version] = pins.get(name, {}).get(version, frozenset()) | hashes
    return PackageList(tuple(packages), pins)


def installed(report: Path) -> tuple[PackageLine, ...] | None:
    """Return the packages that pip has installed, given its report; None if that cannot be read."""
    try:
        entries = parse_json(read_regular(report, MOST_REPORTED))["install"]
        lines = [
            HASHED.join(
                [
                    f"{entry['metadata']['name']}=={entry['metadata']['version']}",
                    *(":".join(pair) for pair in entry["download_info"]["archive_info"]["hashes"].items()),
                ]
            )
            for entry in entries
        ]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    found = tuple(asked for line in lines if (asked := parsed(line)) and _pinned(asked))
    return found if len(found) == len(lines) else None


def _pinned(asked: PackageLine) -> tuple[str, Version, frozenset[str]] | None:
    """Return the name, the exact version and the hashes of a plain package; None if it lacks one."""
    specifiers = [*asked.package.specifier]
    if not (asked.is_plain and asked.hashes) or [entry.operator for entry in specifiers] != ["=="]:
        return None
    try:
        return canonicalize_name(asked.package.name), Version(specifiers[0].version), frozenset(asked.hashes)
    except InvalidVersion:  # a pattern
        return None


def _named(name: str, versions: Iterable[Version]) -> str:
    return " or ".join(f"{name} {version}" for version in versions)
