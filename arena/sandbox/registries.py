"""The settings that a confined build gets from the organiser: where to fetch libraries from, and nothing else.

Settings of package managers hold addresses and credentials side by side, and a credential may look like anything. So a
build gets new files with only the entries that are listed here, and of those only values without a user and password.
"""

import configparser
import functools
import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatch
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

from ballcourt.arena.files import read_regular
from ballcourt.arena.python import our_prefixes

MOST_BYTES = 1 << 20
PLAIN = re.compile(r"[\w.:/+,*!|~%\[\]() -]*")
"""What an address may look like: it has no user, no password and no query."""
OPTION = re.compile(
    r"-Djavax\.net\.ssl\.trustStore(Type)?=[\w./-]+"
    r"|-X(ms|mx|ss|int)[0-9]*[kmgKMG]?|-XX:[+-]?\w+(=[0-9]+[kmgKMG]?)?"
    r"|-(mod|buildvcs|p|tags|trimpath|modcacherw)(=\w+)?"
)
"""A word of the options of a JVM or of Go that a build gets."""

NPM = ("registry", "@*:registry", "strict-ssl", "cafile", "fetch-*")
PIP = ("index-url", "extra-index-url", "trusted-host", "timeout", "retries", "cert")
GO = ("GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOTOOLCHAIN")
CARGO = (
    *("source.*.registry", "source.*.replace-with", "registries.*.index", "registries.*.protocol", "registry.default"),
    *("http.timeout", "http.cainfo", "http.check-revoke", "http.multiplexing"),
    *("net.retry", "net.offline", "net.git-fetch-with-cli"),
)
REFERRING = ("replace-with", "default")
"""The last words of entries of cargo that name a source or registry, without which they are an error."""
GIT = ("insteadOf", "sslCAInfo", "sslVerify")
SECTION = re.compile(r'\[\w+( "[\w.:/+~-]*")?\]')
MIRROR = ("id", "name", "url", "mirrorOf", "blocked")
OF_NPM = ("lib/node_modules/npm/npmrc", "share/nodejs/npm/npmrc", "etc/npmrc")
OF_PIP = ("etc/xdg/pip/pip.conf", "etc/pip.conf")
OF_MAVEN = ("etc/maven/settings.xml", "conf/settings.xml")
OF_CARGO = ("config", "config.toml", "credentials", "credentials.toml")
OF_ALL = (
    *("pip.conf", *OF_PIP, *OF_NPM, "etc/gitconfig", *OF_MAVEN, "go.env", "etc/wgetrc", "etc/wget2rc"),
    *("etc/maven/settings-security.xml", "conf/settings-security.xml", "gradle.properties"),
    *(".condarc", "condarc", "etc/conda/.condarc", "etc/conda/condarc", "etc/uv/uv.toml"),
    *(f"cargo/{name}" for name in OF_CARGO),
)
"""Where settings of the system are, to which the user's add, below / and below what programs are installed in."""
WHOLE = frozenset({Path("/usr/etc"), Path("/usr/local/etc")})
"""Folders that have nothing else."""
NAMING = (
    *("PIP_CONFIG_FILE", "NPM_CONFIG_GLOBALCONFIG", "NPM_CONFIG_USERCONFIG", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL"),
    *("NETRC", "WGETRC", "SYSTEM_WGETRC", "CONDARC", "UV_CONFIG_FILE", "GOENV"),
)
"""Variables that name other files with settings."""
PROGRAMS = ("git", "node", "go", "mvn")
INSTALLED = (
    *("local", "local/*", "versions/*", "node/*", "maven/*", "gradle/*"),
    *("share/*maven*", "share/*gradle*", "lib/go*", "share/go*"),
)
"""Where programs are installed below a folder that builds or bots see."""

PROXY_HOST, PROXY_PORT = "127.0.0.1", 3128
"""Where builds find the proxy, in the network that each has to itself."""
PROXY = f"http://{PROXY_HOST}:{PROXY_PORT}"
PROXY_VARIABLES = {
    **{f"{protocol}_proxy": PROXY for protocol in ("http", "https", "all")},
    **{f"{protocol}_PROXY": PROXY for protocol in ("HTTP", "HTTPS", "ALL")},
    **dict.fromkeys(("CARGO_HTTP_PROXY", "PIP_PROXY", "npm_config_proxy", "npm_config_https_proxy"), PROXY),
    **dict.fromkeys(("no_proxy", "NO_PROXY", "npm_config_noproxy"), "localhost,127.0.0.1"),
}
"""What tells package managers of the proxy; those of one of them win over what files of the system say."""
PROXY_OPTIONS = tuple(
    f"-D{protocol}.proxy{key}={value}"
    for protocol in ("http", "https")
    for key, value in (("Host", PROXY_HOST), ("Port", PROXY_PORT))
)
"""The same for a JVM."""


def settings() -> dict[str, bytes]:
    """Return the files that a build finds in its home, by their paths in it."""
    home = Path.home()
    found: dict[str, tuple[Sequence[Path], Callable[[str], str]]] = {
        ".npmrc": ([*_of_system(OF_NPM), home / ".npmrc"], lambda text: _lines(text, NPM)),
        ".pip/pip.conf": (_of_system(OF_PIP), _of_pip),  # which pip reads before the next
        ".config/pip/pip.conf": ([home / ".config/pip/pip.conf", *_of_system(("pip.conf",))], _of_pip),
        ".config/go/env": ([*_of_system(("go.env",)), home / ".config/go/env"], lambda text: _lines(text, GO)),
        ".cargo/config.toml": ([_cargo_home() / "config.toml"], _cargo),
        ".gitconfig": (
            [*_of_system(("etc/gitconfig",)), home / ".gitconfig"],
            lambda text: _lines(text, GIT, SECTION),
        ),
        ".m2/settings.xml": ([*_of_system(OF_MAVEN), home / ".m2/settings.xml"], _mirrors),
    }
    filtered = {inside: "".join(_filtered(path, keep) for path in paths) for inside, (paths, keep) in found.items()}
    filtered[".m2/settings.xml"] = _maven(filtered[".m2/settings.xml"])
    filtered[".config/pip/pip.conf"] = _of_pip(filtered[".config/pip/pip.conf"])
    return {inside: text.encode() for inside, text in filtered.items() if text}


def hidden_settings(seen: Iterable[Path], readable: Iterable[str] = ()) -> list[Path]:
    """List the settings of the system among paths that are mounted, which neither bots nor builds may see.

    What the organiser has named in `readable` is not among them.
    """
    places = {path: Path(os.path.realpath(path)) for path in seen}
    found = [*WHOLE, *(file for path in places for file in _possible(path))]
    found += [_cargo_home() / name for name in OF_CARGO]
    found += [Path(value) for name, value in os.environ.items() if name.upper() in NAMING]
    files = {Path(os.path.realpath(file)) for file in found if os.access(file, os.F_OK)}
    inside = {
        path / file.relative_to(place) for file in files for path, place in places.items() if place in file.parents
    }
    hidden = inside - {*map(Path, readable)}
    return [path for path in sorted(hidden) if hidden.isdisjoint(path.parents)]


def prefixes() -> list[Path]:
    """List the folders below which the package managers that a build finds look for settings of the system."""
    programs = [Path(os.path.realpath(program)) for program in map(shutil.which, PROGRAMS) if program]
    return [*dict.fromkeys((Path("/"), our_prefixes()[0], *(program.parent.parent for program in programs)))]


@functools.cache
def _possible(path: Path) -> tuple[Path, ...]:
    """Return where settings may be below a folder of installations, which do not change while a command runs."""
    folders = [path, *(folder for pattern in INSTALLED for folder in path.glob(pattern))]
    return tuple(folder / name for folder in folders for name in OF_ALL if os.access((folder / name).parent, os.X_OK))


def _of_system(names: Iterable[str]) -> list[Path]:
    """List the settings of these names; one that is reached in several ways is read once."""
    found = (Path(os.path.realpath(place / name)) for place in prefixes() for name in names)
    return [*dict.fromkeys(found)]


def _cargo_home() -> Path:
    return Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")


def is_plain(value: str) -> bool:
    """Return whether a value is an address or a plain word, in which no credential can be recognised as one."""
    return bool(PLAIN.fullmatch(value))


def plain_options(value: str) -> str:
    """Return the words of the options of a JVM or of Go that a build gets."""
    return " ".join(word for word in value.split() if OPTION.fullmatch(word))


def _filtered(path: Path, keep: Callable[[str], str]) -> str:
    """Return what a build gets of a file; nothing if the file cannot be read or understood."""
    try:
        return keep(read_regular(path, MOST_BYTES).decode())
    except (OSError, ValueError, RecursionError, ElementTree.ParseError, configparser.Error):
        return ""


def _lines(text: str, known: tuple[str, ...], sections: re.Pattern[str] | None = None) -> str:
    """Keep the known entries `key = value` of a file of lines: those in known sections, or those above all of them."""
    kept, is_kept, goes_on = [], sections is None, False
    for line in map(str.strip, text.split("\n")):
        key, equals, value = (part.strip() for part in line.partition("="))
        if line.startswith("["):
            is_kept = bool(sections and sections.fullmatch(line)) and not goes_on
            kept += [line] if is_kept else []
        elif is_kept and not goes_on and equals and _is_known(key, known) and is_plain(value):
            kept.append(line)
        goes_on = line.endswith("\\")
    return "".join(f"{line}\n" for line in kept) if any("=" in line for line in kept) else ""


def _of_pip(text: str) -> str:
    found, kept = configparser.RawConfigParser(strict=False), configparser.RawConfigParser()
    found.read_string(text)
    for section in filter(is_plain, found.sections()):
        for key, value in found.items(section):
            name, values = key.replace("_", "-"), [*filter(is_plain, value.split("\n"))]
            if _is_known(name, PIP) and any(values):
                kept.read_dict({section: {name: "\n".join(filter(None, values))}})
    written = StringIO()
    kept.write(written)
    return written.getvalue()


def _cargo(text: str) -> str:
    kept = {key: value for key, value in _flat(tomllib.loads(text)).items() if _is_known(".".join(key), CARGO)}
    kept = {key: value for key, value in kept.items() if all(map(is_plain, (*key, str(value))))}
    while lost := {key for key, value in kept.items() if key[-1] in REFERRING and not _has(kept, value)}:
        kept = {key: value for key, value in kept.items() if key not in lost}
    return "".join(f"{'.'.join(map(json.dumps, key))} = {json.dumps(value)}\n" for key, value in kept.items())


def _has(kept: Iterable[tuple[str, ...]], name: object) -> bool:
    """Return whether entries of cargo say where a source or registry of this name is."""
    return any(key[:-1] in (("source", name), ("registries", name)) and key[-1] != "protocol" for key in kept)


def _flat(table: Mapping[str, object], above: tuple[str, ...] = ()) -> dict[tuple[str, ...], str | int | bool]:
    """Return the strings, numbers and truth values in a table of tables by their paths."""
    flat: dict[tuple[str, ...], str | int | bool] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, (*above, key))
        elif isinstance(value, str | int):
            flat[*above, key] = value
    return flat


def _mirrors(text: str) -> str:
    kept = ""
    for group in ElementTree.fromstring(text):  # a file of the organiser
        for entry in group if _name(group) == "mirrors" else ():
            new = ElementTree.Element(_name(entry))
            parts = [part for part in entry if _name(part) in MIRROR]
            for part in parts:
                ElementTree.SubElement(new, _name(part)).text = part.text
            if all(is_plain((part.text or "").strip()) for part in parts):
                kept += ElementTree.tostring(new, encoding="unicode")
    return kept


def _maven(mirrors: str) -> str:
    """Return settings of Maven, which takes a proxy from nowhere else."""
    proxies = "".join(
        f"<proxy><id>{protocol}</id><active>true</active><protocol>{protocol}</protocol>"
        f"<host>{PROXY_HOST}</host><port>{PROXY_PORT}</port></proxy>"
        for protocol in ("http", "https")
    )
    listed = f"<mirrors>{mirrors}</mirrors>" if mirrors else ""
    return f"<settings>{listed}<proxies>{proxies}</proxies></settings>"


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _is_known(key: str, known: tuple[str, ...]) -> bool:
    return any(fnmatch(key, pattern) for pattern in known)
