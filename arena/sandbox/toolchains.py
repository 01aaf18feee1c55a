"""What a confined build step has beside the system: compilers, and the settings by which they fetch libraries.

Both may lie in the home of whoever runs the arena, of which a build sees nothing else. The lists are short on purpose;
what else a build needs, `[sandbox] readable` names.
"""

import os
import re
import stat
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

SKELETON = Path("/etc/skel")
"""Where a build finds the settings; they are copied into its home, which is its own and not ours to mount into."""

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
"""Where toolchains are: a variable that names a folder, where in the home it is without, and the part that is seen.

Parts leave out what is nobody else's business, such as cargo's credentials. A folder that is seen as a whole has its
variable set in the build as well, for the home is another there.
"""
SETTINGS = (
    ("CARGO_HOME", ".cargo", "config.toml"),
    ("", ".config/go", "env"),
    ("", "", ".npmrc"),
    ("", ".m2", "settings.xml"),
    ("", ".config/pip", "pip.conf"),
)
"""Files that name registries and proxies, in the same form.

One that not everybody may read, or that seems to hold a password too, is left out.
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
"""Variables that name a file or folder to be seen too."""
VARIABLES = (
    *("PATH", "LANG", "LC_ALL", "TZ", "*_PROXY"),
    *CERTIFICATES,
    *("CARGO_HTTP_*", "CARGO_NET_*", "RUSTUP_TOOLCHAIN", "RUSTUP_AUTO_INSTALL", "RUSTUP_DIST_SERVER"),
    *("GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOFLAGS", "GOTOOLCHAIN"),
    *("NPM_CONFIG_REGISTRY", "NPM_CONFIG_STRICT_SSL"),
    *("MAVEN_ARGS", "MAVEN_OPTS", "JAVA_TOOL_OPTIONS"),
    *("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "PYENV_VERSION"),
)
"""Patterns for the names of the variables a build is given, in upper case; no other is.

They are given as they are: one who puts a password into the address of a proxy tells it to all builds.
"""


def toolchain_paths() -> Iterator[Path]:
    """Find the toolchains, the settings of the system and the certificates a build may need."""
    yield from (path for _, path in _toolchains())
    certificates = (Path(os.environ.get(variable, "")) for variable in CERTIFICATES)
    yield from filter(_is_there, [*(Path("/etc") / name for name in ETC), *certificates])


def settings() -> dict[Path, Path]:
    """Find the settings that hold no secret: where a build sees them, and where they are."""
    found = {SKELETON / default / part: _place(name, default) / part for name, default, part in SETTINGS}
    return {inside: path for inside, path in found.items() if _is_there(path) and _is_public(path)}


def build_variables(home: Path) -> dict[str, str]:
    """Return the environment of a build whose home this is."""
    kept = {name: value for name, value in os.environ.items() if _is_given(name)}
    where = {variable: str(path) for (variable, _, part), path in _toolchains() if not part}
    # the JVM asks the system's list of users for the home, and nobody in it is the user of the sandbox
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
    """Whether a path names something that we may read ourselves."""
    return path.is_absolute() and os.access(path, os.R_OK)


def _is_public(file: Path) -> bool:
    return file.is_file() and bool(file.stat().st_mode & stat.S_IROTH) and not SECRET.search(file.read_bytes())


def _is_given(name: str) -> bool:
    return any(fnmatch(name.upper(), pattern) for pattern in VARIABLES)
