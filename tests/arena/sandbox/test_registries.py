"""The settings that a confined build gets from the organiser."""

from pathlib import Path

import pytest

from ballcourt.arena.sandbox import registries
from ballcourt.arena.sandbox.registries import NAMING, OF_ALL, OF_CARGO, hidden_settings, plain_options, settings
from ballcourt.arena.sandbox.toolchains import toolchain_paths

PROXIES = (
    "<proxies>"
    + "".join(
        f"<proxy><id>{protocol}</id><active>true</active><protocol>{protocol}</protocol><host>127.0.0.1</host>"
        "<port>3128</port></proxy>"
        for protocol in ("http", "https")
    )
    + "</proxies>"
)
ALWAYS = {".m2/settings.xml": f"<settings>{PROXIES}</settings>".encode()}
"""Maven learns of the proxy from nowhere else."""
SETTINGS = {
    ".npmrc": (
        "registry = https://mirror/npm/\n@mine:registry=https://mirror/mine\n//mirror/npm/:_authToken=abc\n"
        "password-of-the-cat=tom\nproxy=http://me:mine@proxy\n; a comment=1\n",
        "registry = https://mirror/npm/\n@mine:registry=https://mirror/mine\n",
    ),
    ".config/pip/pip.conf": (
        "[global]\nindex-url = https://mirror/simple?key=abc\ntimeout = 9\n[install]\nfind-links = /home/me/x\n",
        "[global]\ntimeout = 9\n\n",
    ),
    ".config/go/env": ("GOPROXY=http://mirror,direct\nGOAUTH=netrc\nGOFLAGS=-ldflags=-X=main.key=abc\n",
        "GOPROXY=http://mirror,direct\n"),
    ".cargo/config.toml": (
        '[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+http://mirror/"\n'
        '[registries.mine]\nindex = "http://mine/"\ntoken = "abc"\n[env]\nKEY = "abc"\n[http]\ntimeout = 9\n',
        '"source"."crates-io"."replace-with" = "mirror"\n"source"."mirror"."registry" = "sparse+http://mirror/"\n'
        '"registries"."mine"."index" = "http://mine/"\n"http"."timeout" = 9\n',
    ),
    ".m2/settings.xml": (
        '<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0"><servers><server><id>a</id><passphrase>abc'
        "</passphrase></server></servers><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf><url>http://mirror</url>"
        "</mirror></mirrors><proxies><proxy><host>proxy</host><username>me</username></proxy></proxies></settings>",
        "<settings><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf><url>http://mirror</url></mirror></mirrors>"
        f"{PROXIES}</settings>",
    ),
    ".gitconfig": (
        '[user]\nemail = me@example.org\n[http]\nextraHeader = Authorization: Basic abc\nsslVerify = true\n'
        '[url "https://mirror/github/"]\ninsteadOf = https://github.com/\n[url "https://me:abc@mirror/"]\n'
        'insteadOf = https://me:abc@example.org/\n',
        '[user]\n[http]\nsslVerify = true\n[url "https://mirror/github/"]\ninsteadOf = https://github.com/\n',
    ),
}  # fmt: skip
OF_THE_SYSTEM = {
    "etc/npmrc": (".npmrc", ".npmrc"),
    "lib/node_modules/npm/npmrc": (".npmrc", ".npmrc"),
    "share/nodejs/npm/npmrc": (".npmrc", ".npmrc"),
    "etc/pip.conf": (".config/pip/pip.conf", ".pip/pip.conf"),
    "etc/xdg/pip/pip.conf": (".config/pip/pip.conf", ".pip/pip.conf"),
    "pip.conf": (".config/pip/pip.conf", ".config/pip/pip.conf"),
    "etc/gitconfig": (".gitconfig", ".gitconfig"),
    "go.env": (".config/go/env", ".config/go/env"),
    "etc/maven/settings.xml": (".m2/settings.xml", ".m2/settings.xml"),
    "conf/settings.xml": (".m2/settings.xml", ".m2/settings.xml"),
}
"""Files below /, or where programs are: like which file of the home they are written, and where a build finds them."""

GIT_MIRROR = '[url "https://mirror/"]\ninsteadOf = https://one/\n'
MAVEN = "<settings><mirrors>{}</mirrors>" + PROXIES + "</settings>"
OTHER_MIRROR = "<mirror><id>b</id><mirrorOf>*,!c</mirrorOf><url>http://b</url></mirror>"
PARTS_OF_WHAT_IS_DROPPED = [
    (".gitconfig", GIT_MIRROR + '[url "https://me:abc@mirror/"]\ninsteadOf = https://two/\n', GIT_MIRROR),
    (".gitconfig", GIT_MIRROR + '[url "https://me:abc@mirror/"] insteadOf = https://two/\nsslVerify = 0\n', GIT_MIRROR),
    (".gitconfig", GIT_MIRROR + '[http "https://other/"] # mine\nsslVerify = false\n', GIT_MIRROR),
    (".gitconfig", GIT_MIRROR + "note = a \\\ninsteadOf = https://two/\n", GIT_MIRROR),
    (".gitconfig", GIT_MIRROR + "note = a \\\n[http]\nsslVerify = false\n", GIT_MIRROR),
    (".npmrc", "[a-b]\nregistry=https://other/\n", ""),
    (".npmrc", "[other]\nregistry=https://other/\n", ""),
    (".config/pip/pip.conf", "[global]\ntimeout = 9\n[a b@c]\ntimeout = 8\n", "[global]\ntimeout = 9\n\n"),
    (".config/pip/pip.conf", "[global]\nfind-links = a\n timeout = 8\n", ""),
    (
        ".config/pip/pip.conf",
        "[global]\nextra_index_url =\n  https://a/\n  https://me:abc@b/\n  https://c/\n",
        "[global]\nextra-index-url = https://a/\n\thttps://c/\n\n",
    ),
    (
        ".cargo/config.toml",
        '[source.crates-io]\nreplace-with = "m"\n[source.m]\nregistry = "https://me:abc@m/"\n[registry]\n'
        'default = "n"\n[registries.n]\nindex = "https://me:abc@n/"\n[http]\ntimeout = 9\n',
        '"http"."timeout" = 9\n',
    ),
    (
        ".cargo/config.toml",
        '[source.crates-io]\nreplace-with = "a"\n[source.a]\nreplace-with = "b"\n[source.b]\ndirectory = "c"\n',
        "",
    ),
    (".cargo/config.toml", '[source."https://me:abc@m/"]\nregistry = "https://m/"\n', ""),
    (
        ".m2/settings.xml",
        MAVEN.format(f"<mirror><id>a</id><mirrorOf>*</mirrorOf><url>http://me:abc@a</url></mirror>{OTHER_MIRROR}"),
        MAVEN.format(OTHER_MIRROR),
    ),
]
"""Files, and what is left of them: a section, a mirror or a source is kept with its name and address or not at all."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(registries, "prefixes", lambda: [tmp_path / "system"])
    monkeypatch.delenv("CARGO_HOME", raising=False)
    return tmp_path


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize("name", SETTINGS)
def test_only_known_entries_without_credentials_are_kept(home: Path, name: str) -> None:
    text, kept = SETTINGS[name]
    write(home / name, text)
    assert settings() == ALWAYS | {name: kept.encode()}


@pytest.mark.parametrize("name", OF_THE_SYSTEM)
def test_files_of_the_system_are_filtered_as_those_of_the_home_are(home: Path, name: str) -> None:
    alike, inside = OF_THE_SYSTEM[name]
    text, kept = SETTINGS[alike]
    write(home / "system" / name, text)
    assert settings() == ALWAYS | {inside: kept.encode()}
    assert not any(Path("/", name) in (path, *path.parents) for path in toolchain_paths())
    assert Path("/etc/maven") not in toolchain_paths()


def test_settings_of_the_home_come_after_those_of_the_system(home: Path) -> None:
    write(home / "system/etc/npmrc", "registry=https://first/\n")
    write(home / ".npmrc", "registry=https://last/\n")
    mirror = "<settings><mirrors><mirror><id>{}</id></mirror></mirrors></settings>"
    write(home / "system/etc/maven/settings.xml", mirror.format("first"))
    write(home / ".m2/settings.xml", mirror.format("last"))
    found = settings()
    assert found[".npmrc"] == b"registry=https://first/\nregistry=https://last/\n"
    both = "<mirror><id>first</id></mirror><mirror><id>last</id></mirror>"
    assert found[".m2/settings.xml"].decode() == f"<settings><mirrors>{both}</mirrors>{PROXIES}</settings>"


def test_entries_of_the_interpreter_win_over_those_of_the_home_as_for_pip(home: Path) -> None:
    write(home / ".config/pip/pip.conf", "[global]\ntimeout = 1\nretries = 1\n")
    write(home / "system/pip.conf", "[global]\ntimeout = 2\n")
    assert settings()[".config/pip/pip.conf"] == b"[global]\ntimeout = 2\nretries = 1\n\n"


def test_a_file_of_the_system_that_is_reached_in_two_ways_counts_once(home: Path) -> None:
    text, kept = SETTINGS[".m2/settings.xml"]
    write(home / "system/etc/maven/settings.xml", text)
    (home / "system/conf").symlink_to("etc/maven")
    assert settings() == {".m2/settings.xml": kept.encode()}


@pytest.mark.parametrize(
    "place", ["", "local", "local/node", "versions/3.12.1", "node/v20", "maven/3.9", "share/go-1.24"]
)
@pytest.mark.parametrize("name", OF_ALL)
def test_settings_of_the_system_are_hidden_wherever_programs_are(home: Path, place: str, name: str) -> None:
    file = home / "opt" / place / name
    write(file, "password")
    assert hidden_settings([home / "opt"]) == [file]
    assert hidden_settings([home / "opt"], [str(file)]) == [], "the organiser names it"


@pytest.mark.parametrize("variable", ["PIP_CONFIG_FILE", "npm_config_globalconfig", "CARGO_HOME", *NAMING])
def test_settings_that_a_variable_names_are_hidden(home: Path, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = home / "opt/mine" / OF_CARGO[-1]
    write(file, "password")
    monkeypatch.setenv(variable, str(file.parent if variable == "CARGO_HOME" else file))
    assert hidden_settings([home / "opt"]) == [file]


def test_settings_are_hidden_at_each_place_where_their_file_is_seen(home: Path) -> None:
    write(home / "opt/real/secret", "password")
    (home / "opt/etc").mkdir()
    (home / "opt/etc/gitconfig").symlink_to(home / "opt/real/secret")
    (home / "also").symlink_to(home / "opt")
    hidden = [home / place / "real/secret" for place in ("also", "opt")]
    assert hidden_settings([home / "opt", home / "also"]) == hidden
    assert hidden_settings([home / "opt/etc"]) == [], "it does not see the file"


@pytest.mark.parametrize("name", SETTINGS)
def test_a_file_that_cannot_be_understood_is_left_out(home: Path, name: str) -> None:
    write(home / name, '<<<"=1')
    assert settings() == ALWAYS


@pytest.mark.parametrize("name, text, kept", PARTS_OF_WHAT_IS_DROPPED)
def test_nothing_is_kept_of_a_whole_that_is_not(home: Path, name: str, text: str, kept: str) -> None:
    write(home / name, text)
    assert settings() == ALWAYS | ({name: kept.encode()} if kept else {})


def test_a_section_of_the_system_does_not_go_on_in_a_file_of_the_home(home: Path) -> None:
    write(home / "system/etc/gitconfig", '[url "https://mirror/"]\ninsteadOf = https://one/\n')
    write(home / ".gitconfig", "insteadOf = https://two/\n")
    write(home / "system/etc/npmrc", "strict-ssl=true\n[other]\nfetch-retries=1\n")
    write(home / ".npmrc", "registry=https://last/\n")
    found = settings()
    assert found[".gitconfig"] == b'[url "https://mirror/"]\ninsteadOf = https://one/\n'
    assert found[".npmrc"] == b"strict-ssl=true\nregistry=https://last/\n"


def test_options_are_kept_word_by_word() -> None:
    given = "-Xmx2g -Djavax.net.ssl.keyStorePassword=abc -Dhttp.proxyHost=proxy -mod=mod -ldflags=-X=main.key=abc"
    assert plain_options(given) == "-Xmx2g -mod=mod"
