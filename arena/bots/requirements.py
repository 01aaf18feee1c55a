"""The Python packages that a bot requires: a file of pip, a lock file (PEP 751), or the dependencies of a project."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from ballcourt.arena.files import read_regular, read_toml
from ballcourt.arena.printable import cut
from ballcourt.engine.core import WrongInput

MOST_BYTES: Final = 1 << 20
MOST_LINES: Final = 20_000
PROJECT: Final = "pyproject.toml"
LOCK: Final = re.compile(r"pylock(\.[^.]+)?\.toml")
OTHER_LOCKS: Final = {
    "uv.lock": "`uv export --format pylock.toml -o pylock.toml`",
    "poetry.lock": "`poetry export -o requirements.txt`",
    "pdm.lock": "`pdm export -f pylock -o pylock.toml`",
    "Pipfile.lock": "`pipenv requirements > requirements.txt`",
}
"""Lock files of other tools, and what makes one of them that pip can install from."""
TABLES_OF_TOOLS: Final = (
    ("tool.uv.sources", True, OTHER_LOCKS["uv.lock"]),
    ("tool.poetry.dependencies", False, OTHER_LOCKS["poetry.lock"]),
)
"""Tables in which tools look for packages, whether also for those of [project], and what writes a file for pip."""
PLAIN: Final = re.compile(r"[A-Za-z0-9 ._,*+!<>=~()\[\];'\"-]+")
"""A requirement in which pip can find neither a comment, a coding, a variable nor the rest of another line."""
HASHED: Final = " --hash="
HASH: Final = re.compile(r"sha(256|384|512):[0-9a-f]+")
ARCHIVE: Final = re.compile(r"\.(whl|zip|tar|gz|bz2|xz|lz|lzma|tgz|tbz|txz|tlz)(\[|;|$)", re.IGNORECASE)
ELSEWHERE: Final = ("vcs", "directory", "archive")
"""What a package of a lock file has if it does not come from a registry."""


class RequirementsError(WrongInput):
    """A file of requirements cannot be used; the sentence says why and what to do."""


@dataclass(frozen=True)
class Requirements:
    """What pip is asked to install for a bot."""

    file: str
    """The path of the file in the bot's folder."""
    text: str
    """The requirements as a file of pip; if they are plain, not as their author wrote them, but as we understood them.

    Of two readers of one text the laxer would decide what is shared by others.
    """
    is_plain: bool
    """Whether they name packages of registries and nothing else, so that they mean the same for each bot."""
    is_lock: bool = False
    """Whether they are complete: what they depend on is among them."""
    python: str = ""
    """The versions of Python that they are for (PEP 440); empty: any."""

    def allows(self, version: str) -> bool:
        """Return whether they are for a version of Python, such as 3.12.1."""
        return SpecifierSet(self.python).contains(version, prereleases=True)

    @property
    def is_own_format(self) -> bool:
        """Whether the file itself is one of pip."""
        return not self.file.endswith(".toml")


def read_requirements(folder: Path, name: str) -> Requirements:
    """Return the requirements in a file of a bot's folder. Raises RequirementsError."""
    file = folder / name
    if not (file.is_file() and file.resolve().is_relative_to(folder.resolve())):
        raise RequirementsError("it must be a file in the folder of the bot")
    if command := OTHER_LOCKS.get(file.name):
        raise RequirementsError(f"pip does not read this lock file; {command} writes one that it reads")
    try:
        if file.suffix != ".toml":
            return _of_lines(name, read_regular(file, MOST_BYTES).decode())
        values = read_toml(file, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise RequirementsError(f"it cannot be read: {error}") from error
    is_lock = bool(LOCK.fullmatch(file.name))
    if not is_lock and file.name != PROJECT:
        raise RequirementsError(f"a TOML file must be {PROJECT} or a lock file such as pylock.toml")
    lines = [*(_locked(values) if is_lock else _dependencies(values))]
    python = (values if is_lock else values["project"]).get("requires-python", "")
    try:
        SpecifierSet(python if isinstance(python, str) else "?")
    except InvalidSpecifier:
        raise RequirementsError(f"its requires-python is {cut(repr(python))}; it must be such as '>=3.11'") from None
    return _of_lines(name, "".join(f"{line}\n" for line in lines), is_lock=is_lock, python=python)


def _of_lines(name: str, text: str, *, is_lock: bool = False, python: str = "") -> Requirements:
    if len(text.splitlines()) > MOST_LINES:
        raise RequirementsError(f"it has more than {MOST_LINES} lines; write fewer")
    known = [*map(parsed, lines_of_pip(text))]
    is_plain = all(asked and asked.is_plain for asked in known)
    written = "".join(f"{asked}\n" for asked in known) if is_plain else text
    return Requirements(name, written, is_plain, is_lock, python)


def _dependencies(values: Mapping[str, Any]) -> Sequence[str]:
    project = values.get("project")
    found = project.get("dependencies") if isinstance(project, dict) else None
    for table, is_all, command in TABLES_OF_TOOLS:
        if _has(values, table) and (is_all or not found):
            raise RequirementsError(f"pip does not read its table [{table}]; {command} writes a file that pip reads")
    if not isinstance(found, list) or not all(isinstance(entry, str) for entry in found):
        raise RequirementsError("its table [project] has no list `dependencies` of strings; write one")
    for entry in found:
        _demand_requirement(entry)
    return found


def _has(values: object, table: str) -> bool:
    """Whether a TOML file has a table of this dotted name."""
    for key in table.split("."):
        values = values.get(key) if isinstance(values, dict) else None
    return bool(values)


def _locked(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line of pip for each package of a lock file, with the hashes of its files."""
    packages = values.get("packages")
    if not isinstance(packages, list) or not all(isinstance(package, dict) for package in packages):
        raise RequirementsError("it has no [[packages]]; it must be a lock file as PEP 751 describes it")
    for package in packages:
        name, version, marker = (package.get(key, "") for key in ("name", "version", "marker"))
        if place := next((key for key in ELSEWHERE if key in package), ""):
            raise RequirementsError(f"it takes {cut(repr(name))} from a {place}; name packages of a registry alone")
        hashes = [*_hashes(package)]
        if not (name and version and hashes):
            raise RequirementsError(f"its package {cut(repr(name))} lacks a version, or the hashes of its files")
        entry = " ".join([f"{name}=={version}", *([f"; {marker}"] if marker else [])])
        _demand_requirement(entry)
        yield " ".join([entry, *hashes])


def _hashes(package: Mapping[str, Any]) -> Iterator[str]:
    for file in (*package.get("wheels", ()), package.get("sdist")):
        known = file.get("hashes", {}) if isinstance(file, dict) else {}
        yield from (f"--hash={kind}:{value}" for kind, value in known.items())


def lines_of_pip(text: str) -> Iterator[str]:
    """Yield what a file of pip says, line by line, without comments and with single spaces.

    A line goes on after a backslash, but no comment does.
    """
    parts = []  # joined once: half a million parts took 14 s one by one
    for line in text.splitlines():
        if line.endswith("\\") and not re.match(r"\s*#", line):
            parts.append(line.removesuffix("\\"))
            continue
        if requirement := " ".join(re.sub(r"(^|\s)#.*", "", " ".join([*parts, line])).split()):
            yield requirement
        parts.clear()
    if requirement := " ".join(" ".join(parts).split()):
        yield requirement


@dataclass(frozen=True)
class PackageLine:
    """A package that a line of pip asks for."""

    package: Requirement
    hashes: tuple[str, ...]
    """Of its files, such as "sha256:0a1b"."""

    def __str__(self) -> str:
        """Return the line of pip for it."""
        return HASHED.join((" ".join(str(self.package).split()), *self.hashes))

    @property
    def is_plain(self) -> bool:
        """Whether pip can take the line for nothing but a package of a registry: no file, option or address."""
        words = str(self.package).split()
        if self.package.url or any(word.startswith("-") for word in words):  # pip finds options in strings too
            return False
        return bool(PLAIN.fullmatch(str(self.package))) and not ARCHIVE.search(words[0])


def parsed(line: str) -> PackageLine | None:
    """Return what a line of pip asks for; None if it is not a requirement, or has other options than hashes."""
    written, *hashes = re.split(r" --hash[= ]", line)
    try:
        found = Requirement(written)
    except InvalidRequirement:
        return None
    return PackageLine(found, tuple(hashes)) if all(map(HASH.fullmatch, hashes)) else None


def _demand_requirement(entry: str) -> None:
    """Raise RequirementsError for an entry of a TOML file that is not one requirement, such as an option of pip."""
    found = parsed(entry)
    if not found or found.hashes:
        raise RequirementsError(
            f"it names {cut(repr(entry))}, which is not a requirement such as 'numpy>=2,<3'; options of pip have no "
            "place in it"
        )
