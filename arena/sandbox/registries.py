"""The settings that a confined build gets from the organiser: where to fetch libraries from, and nothing else.

Settings of package managers hold addresses and credentials side by side, and a credential may look like anything. So a
build gets new files with only the entries that are listed here, and of those only values without a user and password.
"""

import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from fnmatch import fnmatch
from pathlib import Path
from xml.etree import ElementTree

from ballcourt.arena.files import read_regular

MOST_BYTES = 1 << 20
PLAIN = re.compile(r"[\w.:/+,*|~%\[\]() -]*")
"""What an address may look like: it has no user, no password and no query."""
OPTION = re.compile(
    r"-D(https?|ftp)\.(proxyHost|proxyPort|nonProxyHosts)=[\w.:*|-]+"
    r"|-Djavax\.net\.ssl\.trustStore(Type)?=[\w./-]+"
    r"|-X(ms|mx|ss|int)[0-9]*[kmgKMG]?|-XX:[+-]?\w+(=[0-9]+[kmgKMG]?)?"
    r"|-(mod|buildvcs|p|tags|trimpath|modcacherw)(=\w+)?"
)
"""A word of the options of a JVM or of Go that a build gets."""

NPM = ("registry", "@*:registry", "proxy", "https-proxy", "noproxy", "strict-ssl", "cafile", "fetch-*")
PIP = ("index-url", "extra-index-url", "trusted-host", "proxy", "timeout", "retries", "cert")
GO = ("GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOTOOLCHAIN")
CARGO = (
    *("source.*.registry", "source.*.replace-with", "registries.*.index", "registries.*.protocol", "registry.default"),
    *("http.proxy", "http.timeout", "http.cainfo", "http.check-revoke", "http.multiplexing"),
    *("net.retry", "net.offline", "net.git-fetch-with-cli"),
)
MAVEN = {
    "mirrors": ("id", "name", "url", "mirrorOf", "blocked"),
    "proxies": ("id", "active", "protocol", "host", "port", "nonProxyHosts"),
}


def settings() -> dict[str, bytes]:
    """Return the files that a build finds in its home, by their paths in it."""
    home = Path.home()
    cargo = Path(os.environ.get("CARGO_HOME") or home / ".cargo")
    found: dict[str, tuple[Path, Callable[[str], str]]] = {
        ".npmrc": (home / ".npmrc", lambda text: _lines(text, NPM)),
        ".config/pip/pip.conf": (home / ".config/pip/pip.conf", lambda text: _lines(text, PIP)),
        ".config/go/env": (home / ".config/go/env", lambda text: _lines(text, GO)),
        ".cargo/config.toml": (cargo / "config.toml", _cargo),
        ".m2/settings.xml": (home / ".m2/settings.xml", _maven),
    }
    filtered = {inside: _filtered(path, keep) for inside, (path, keep) in found.items()}
    return {inside: text.encode() for inside, text in filtered.items() if text}


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
    except (OSError, ValueError, RecursionError, ElementTree.ParseError):
        return ""


def _lines(text: str, known: tuple[str, ...]) -> str:
    """Keep the known entries `key = value` of a file of lines, and its section headers if there are entries."""
    kept = []
    for line in map(str.strip, text.splitlines()):
        key, equals, value = (part.strip() for part in line.partition("="))
        if (equals and _is_known(key, known) and is_plain(value)) or re.fullmatch(r"\[\w+\]", line):
            kept.append(line)
    return "".join(f"{line}\n" for line in kept) if any("=" in line for line in kept) else ""


def _cargo(text: str) -> str:
    kept = {key: value for key, value in _flat(tomllib.loads(text)).items() if _is_known(".".join(key), CARGO)}
    lines = [(".".join(map(json.dumps, key)), value) for key, value in kept.items()]
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines if is_plain(str(value)))


def _flat(table: Mapping[str, object], above: tuple[str, ...] = ()) -> dict[tuple[str, ...], str | int | bool]:
    """Return the strings, numbers and truth values in a table of tables by their paths."""
    flat: dict[tuple[str, ...], str | int | bool] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, (*above, key))
        elif isinstance(value, str | int):
            flat[*above, key] = value
    return flat


def _maven(text: str) -> str:
    new = ElementTree.Element("settings")
    for element in ElementTree.fromstring(text):  # a file of the organiser
        if known := MAVEN.get(_name(element)):
            group = ElementTree.SubElement(new, _name(element))
            for entry in element:
                kept = [part for part in entry if _name(part) in known and is_plain((part.text or "").strip())]
                child = ElementTree.SubElement(group, _name(entry))
                for part in kept:
                    ElementTree.SubElement(child, _name(part)).text = part.text
    return ElementTree.tostring(new, encoding="unicode") if len(new) else ""


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _is_known(key: str, known: tuple[str, ...]) -> bool:
    return any(fnmatch(key, pattern) for pattern in known)
