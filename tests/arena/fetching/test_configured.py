"""Which registries the package managers of the organiser are found to be configured with."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.fetching import configured as module
from ballcourt.arena.fetching.configured import Place, answered, configured
from ballcourt.arena.sandbox import registries

NPM = """#!/bin/sh
test "$PWD" = / || exit 1
echo '{"registry": "https://npm.example/a", "@mine:registry": "http://mine.example:4873/", "homepage": "https://no"}'
"""
GO = """#!/bin/sh
echo 'https://go.example/x,http://second.example|direct'
echo 'sum.example'
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An organiser whose package managers are scripts, but for pip."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CARGO_HOME", raising=False)
    monkeypatch.setattr(registries, "prefixes", list)
    answered.cache_clear()
    yield tmp_path
    answered.cache_clear()


def all_configured() -> frozenset[Place]:
    return frozenset().union(*configured())


def install(home: Path, name: str, script: str) -> None:
    (home / "bin" / name).write_text(script)
    (home / "bin" / name).chmod(0o755)


def test_package_managers_are_asked(home: Path) -> None:
    install(home, "npm", NPM)
    install(home, "go", GO)
    assert all_configured() >= {
        Place("npm.example", 443),
        Place("mine.example", 4873, is_plain=True),
        Place("go.example", 443),
        Place("second.example", 80, is_plain=True),
        Place("sum.example", 443),
    }
    assert Place("no", 443) not in all_configured()


def test_pip_is_asked_for_its_own_registry_and_the_configured_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    from pip._internal.models.index import PyPI

    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://127.0.0.1:3141/root")
    own = {Place(PyPI.netloc, 443), Place(PyPI.file_storage_domain, 443)}
    assert all_configured() == own | {Place("127.0.0.1", 3141, is_plain=True)}


def test_settings_of_cargo_and_maven_are_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUESTIONS", ())
    for name, text in (
        (".cargo/config.toml", '[source.mirror]\nregistry = "sparse+http://crates.example:8/i/"\n'),
        (
            ".m2/settings.xml",
            '<settings xmlns="http://maven.example/SETTINGS"><mirrors><mirror><url>https://m2.example</url>'
            "</mirror></mirrors><profiles><url>https://no.example</url></profiles></settings>",
        ),
        (".config/pip/pip.conf", "[global]\nindex-url = https://me:mine@secret.example\n"),
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    assert all_configured() == {Place("crates.example", 8, is_plain=True), Place("m2.example", 443)}


def test_a_package_manager_that_is_missing_or_fails_names_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(home, "npm", "#!/bin/sh\necho 'https://no.example {'")
    install(home, "go", "#!/bin/sh\nexit 3")
    monkeypatch.setattr(module, "QUESTIONS", (*module.QUESTIONS[:2], (sys.executable, "-c", "exit(1)"), ("none",)))
    assert all_configured() == frozenset()


def test_a_package_manager_is_asked_only_if_those_before_do_not_name_the_place(home: Path) -> None:
    install(home, "go", GO)
    install(home, "npm", f"#!/bin/sh\necho asked > '{home}/asked'")
    known = configured()
    assert next(known) == frozenset()
    assert Place("go.example", 443) in next(known)
    assert not (home / "asked").exists()
    assert next(known) == frozenset()
    assert (home / "asked").exists()
