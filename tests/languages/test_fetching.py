"""A confined build fetches a library with each package manager, through its proxy and with empty caches."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import BotError, load_bot
from ballcourt.arena.building.builds import built
from ballcourt.arena.faults import notes_of
from ballcourt.arena.sandbox.tiers import BUILD, TIER_1, Sandbox
from tests.arena.conftest import need_sandbox
from tests.languages.test_languages import need_tools

pytestmark = pytest.mark.languages

CRATE = '[package]\nname = "mine"\nversion = "1.0.0"\n[lib]\npath = "lib.rs"\n[dependencies]\nitoa = "=1.0.0"\n'
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>m</groupId><artifactId>mine</artifactId>
<version>1</version><packaging>pom</packaging></project>"""
FETCHES = {
    "python": ("python -m pip install -q --no-deps --target . six==1.16.0", "six.py", {}),
    "typescript": ("npm install --ignore-scripts is-number@7.0.0", "node_modules/is-number/index.js", {}),
    "go": (
        "GOMODCACHE=$PWD/cache GOFLAGS=-modcacherw go mod download github.com/google/uuid@v1.6.0",
        "cache/github.com/google/uuid@v1.6.0/uuid.go",
        {"go.mod": "module mine\ngo 1.21\nrequire github.com/google/uuid v1.6.0\n"},
    ),
    "rust": (
        "cargo fetch && ls $HOME/.cargo/registry/src/*/itoa-1.0.0",
        "Cargo.lock",
        {"Cargo.toml": CRATE, "lib.rs": ""},
    ),
    "java": (
        "mvn -q -B dependency:copy -Dartifact=junit:junit:4.13.2 -DoutputDirectory=.",
        "junit-4.13.2.jar",
        {"pom.xml": POM},
    ),
}
"""The command, the file that it leaves, and the files that it needs, by language."""


@pytest.mark.parametrize("language", FETCHES)
def test_a_package_manager_fetches_through_the_proxy(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if language != "python":
        need_tools(language)
    need_sandbox()
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    command, left, files = FETCHES[language]
    folder = tmp_path / "bot"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    step = ["sh", "-c", f'python() {{ "$0" "$@"; }}; {command} && ls {left} && exit 9', "{python}"]
    lines = ['name = "mia"', 'version = "1"', 'command = ["true"]', f"build = {json.dumps(step)}"]
    (folder / "bot.toml").write_text("\n".join(lines))
    with pytest.raises(BotError) as failed:
        built(load_bot(folder), Sandbox(1, TIER_1, build=BUILD))
    shown = "\n".join((str(failed.value), *notes_of(failed.value)))
    assert "ended with exit code 9" in shown, shown
    assert "\nexchanged " in shown, shown
    assert "was refused" not in shown
