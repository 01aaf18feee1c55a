"""What a confined build step sees besides the system: compilers, and the variables with which they fetch libraries.

Compilers may be in the home of the organiser; a build sees nothing else of it. The lists are short on purpose:
`[sandbox] readable` names anything else that a build needs. `ballcourt.arena.sandbox.registries` has the settings.
"""

import os
import shutil
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from ballcourt.arena.sandbox.registries import PROXY_OPTIONS, PROXY_VARIABLES, is_plain, plain_options

TOOLCHAINS = (
    ("CARGO_HOME", ".cargo", "bin"),
    ("RUSTUP_HOME", ".rustup", ""),
    ("GOPATH", "go", "bin"),
    ("GOROOT", "", ""),
    ("NVM_DIR", ".nvm", "versions"),
    ("SDKMAN_DIR", ".sdkman", "candidates"),
    ("JAVA_HOME", "", ""),
    ("MAVEN_HOME", "", ""),
    ("PYENV_ROOT", ".pyenv", ""),
)
"""Where toolchains are: a variable that names a folder, its default in the home, and the part that builds see.

Parts leave out secrets such as cargo's credentials. If builds see a whole folder, its variable is set for them too,
because their home is another one.
"""
ETC = (
    *("resolv.conf", "hosts", "nsswitch.conf", "host.conf", "gai.conf", "services"),  # to find a host
    *("ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf", "ca-certificates", "crypto-policies"),  # to trust it
    *("pki/ca-trust", "pki/java", "pki/tls/cert.pem", "pki/tls/certs", "pki/tls/openssl.cnf"),
    *("maven/m2.conf", "maven/logging", "maven/toolchains.xml"),
)
"""The parts of /etc that builds see unchanged. Settings that may contain passwords are filtered by `registries`."""
CERTIFICATES = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO", "NIX_SSL_CERT_FILE"),
    *("CARGO_HTTP_CAINFO", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_CAFILE", "PIP_CERT"),
)
"""Variables that name a file or folder that builds see too."""
VARIABLES = (
    *("LANG", "LC_ALL", "TZ"),
    *("CARGO_HTTP_*", "CARGO_NET_*", "RUSTUP_TOOLCHAIN", "RUSTUP_AUTO_INSTALL", "RUSTUP_DIST_SERVER"),
    *("GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOTOOLCHAIN"),
    *("NPM_CONFIG_REGISTRY", "NPM_CONFIG_STRICT_SSL"),
    *("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "PYENV_VERSION"),
)
"""Patterns for the names of the variables that a build gets, in upper case, if the values are plain."""
LINKED = ("mvn", "gradle")
"""The scripts that Debian links to from /usr/bin, and that look for the rest of their installation."""
OPTIONS = ("GOFLAGS", "MAVEN_ARGS", "MAVEN_OPTS", "JAVA_TOOL_OPTIONS")
"""Variables with options, of which a build gets those that cannot hold a secret. Besides it gets PATH."""


def without_links(path: str) -> str:
    """Return a PATH on which scripts that look for their folder with `ls -ld` are found where they are.

    They do so if they were started by a link, and in the gVisor of Debian 12 this `ls` fails. A link to a program of
    another name, which looks at what it was called, stays the one that is found.
    """
    links = {Path(found) for name in LINKED if (found := shutil.which(name, path=path)) and Path(found).is_symlink()}
    folders = {str(link.resolve().parent) for link in links if link.resolve().name == link.name}
    return os.pathsep.join([*sorted(folders), path])


def toolchain_paths() -> Iterator[Path]:
    """Yield the toolchains, the settings of the system and the certificates that a build may need."""
    yield from (path for _, path in _toolchains())
    certificates = (Path(os.environ.get(variable, "")) for variable in CERTIFICATES)
    yield from filter(_is_there, [*(Path("/etc") / name for name in ETC), *certificates])


def build_variables(home: Path) -> dict[str, str]:
    """Return the environment of a build with this home."""
    kept = {name: value for name, value in os.environ.items() if _is_given(name, value)}
    options = {name: plain_options(os.environ[name]) for name in OPTIONS if name in os.environ}
    where = {variable: str(path) for (variable, _, part), path in _toolchains() if not part}
    # the JVM looks up the home in the system's list of users, which lacks the user of the sandbox
    java = " ".join((options.get("JAVA_TOOL_OPTIONS", ""), *PROXY_OPTIONS, f'"-Duser.home={home}"')).lstrip()
    return {**kept, **options, **where, "JAVA_TOOL_OPTIONS": java, "HOME": str(home), **PROXY_VARIABLES}


def _toolchains() -> Iterator[tuple[tuple[str, str, str], Path]]:
    for entry in TOOLCHAINS:
        variable, default, part = entry
        if default or os.environ.get(variable):
            path = _place(variable, default) / part
            if _is_there(path):
                yield entry, path


def _place(variable: str, default: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / default)


def _is_there(path: Path) -> bool:
    """Whether a path names something that we may read."""
    return path.is_absolute() and os.access(path, os.R_OK)


def _is_given(name: str, value: str) -> bool:
    names_place = name in ("PATH", *CERTIFICATES)
    return names_place or (is_plain(value) and any(fnmatch(name.upper(), pattern) for pattern in VARIABLES))
