"""What a confined build step sees besides the system: compilers, and the settings with which they fetch libraries.

Both may be in the home of whoever runs the arena; a build sees nothing else of it. The lists are short on purpose:
`[sandbox] readable` names anything else that a build needs.
"""

import os
import re
import stat
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

SKELETON = Path("/etc/skel")
"""Where a build finds the settings, which it copies into its home."""

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
SETTINGS = (
    ("CARGO_HOME", ".cargo", "config.toml"),
    ("", ".config/go", "env"),
    ("", "", ".npmrc"),
    ("", ".m2", "settings.xml"),
    ("", ".config/pip", "pip.conf"),
)
"""Files that name registries and proxies, in the same form.

A file that is not readable by all, or that seems to hold a password, is left out.
"""
SECRET = re.compile(rb"passw|secret|token|_auth|://[^/\s]*@", re.IGNORECASE)
ETC = (
    *("resolv.conf", "hosts", "nsswitch.conf", "host.conf", "gai.conf", "services"),  # to find a host
    *("ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf", "ca-certificates", "crypto-policies"),  # to trust it
    *("pki/ca-trust", "pki/java", "pki/tls/cert.pem", "pki/tls/certs", "pki/tls/openssl.cnf"),
    *("gitconfig", "maven", "npmrc", "pip.conf"),
)
CERTIFICATES = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO", "NIX_SSL_CERT_FILE"),
    *("CARGO_HTTP_CAINFO", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_CAFILE", "PIP_CERT"),
)
"""Variables that name a file or folder that builds see too."""
VARIABLES = (
    *("PATH", "LANG", "LC_ALL", "TZ", "*_PROXY"),
    *CERTIFICATES,
    *("CARGO_HTTP_*", "CARGO_NET_*", "RUSTUP_TOOLCHAIN", "RUSTUP_AUTO_INSTALL", "RUSTUP_DIST_SERVER"),
    *("GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOFLAGS", "GOTOOLCHAIN"),
    *("NPM_CONFIG_REGISTRY", "NPM_CONFIG_STRICT_SSL"),
    *("MAVEN_ARGS", "MAVEN_OPTS", "JAVA_TOOL_OPTIONS"),
    *("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "PYENV_VERSION"),
)
"""Patterns for the names of the variables that a build gets, in upper case; it gets no others.

Values are passed unchanged: a password in the address of a proxy is visible to all builds.
"""


def toolchain_paths() -> Iterator[Path]:
    """Yield the toolchains, the settings of the system and the certificates that a build may need."""
    yield from (path for _, path in _toolchains())
    certificates = (Path(os.environ.get(variable, "")) for variable in CERTIFICATES)
    yield from filter(_is_there, [*(Path("/etc") / name for name in ETC), *certificates])


def settings() -> dict[Path, Path]:
    """Return the settings without secrets: where a build sees them, and where they are."""
    found = {SKELETON / default / part: _place(name, default) / part for name, default, part in SETTINGS}
    return {inside: path for inside, path in found.items() if _is_there(path) and _is_public(path)}


def build_variables(home: Path) -> dict[str, str]:
    """Return the environment of a build with this home."""
    kept = {name: value for name, value in os.environ.items() if _is_given(name)}
    where = {variable: str(path) for (variable, _, part), path in _toolchains() if not part}
    # the JVM looks up the home in the system's list of users, which lacks the user of the sandbox
    java = f'{kept.get("JAVA_TOOL_OPTIONS", "")} "-Duser.home={home}"'.lstrip()
    return {**kept, **where, "JAVA_TOOL_OPTIONS": java, "HOME": str(home)}


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


def _is_public(file: Path) -> bool:
    return file.is_file() and bool(file.stat().st_mode & stat.S_IROTH) and not SECRET.search(file.read_bytes())


def _is_given(name: str) -> bool:
    return any(fnmatch(name.upper(), pattern) for pattern in VARIABLES)
