"""What the repository says in two places is the same in both."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ballcourt.arena.bots.known import built_in_names
from ballcourt.cli.mcp import AGENT
from ballcourt.engine.registry import games

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSIONS = [
    ("CITATION.cff", r"^version: (.*)$"),
    ("server.json", r"^  \"version\": \"(.*)\",$"),
    ("bots/sdk/cpp/src/session.cc", r"ballcourt-cpp (.*)\""),
    ("bots/sdk/go/check.sh", r"^git tag v(.*)$"),
    ("bots/sdk/go/session.go", r"ballcourt-go (.*)\""),
    ("bots/sdk/java/pom.xml", r"^  <version>(.*)</version>$"),
    ("bots/sdk/java/src/main/java/ballcourt/Session.java", r"ballcourt-java (.*)\""),
    ("bots/sdk/python/pyproject.toml", r"^version = \"(.*)\"$"),
    ("bots/sdk/python/session.py", r"ballcourt-python (.*)\""),
    ("bots/sdk/rust/Cargo.toml", r"^version = \"(.*)\"$"),
    ("bots/sdk/typescript/package.json", r"^  \"version\": \"(.*)\",$"),
    ("bots/sdk/typescript/src/session.ts", r"ballcourt-typescript (.*)\""),
    ("bots/starters/go/go.mod", r"^require github.com/ballcourt/ballcourt-go v(.*)$"),
    ("bots/starters/java/bot/pom.xml", r"<artifactId>ballcourt</artifactId>\s*<version>(.*)</version>"),
]
"""Where the version is besides pyproject.toml."""
WORKFLOWS = [*(ROOT / ".github" / "workflows").glob("*.yml")]


def test_the_template_of_pull_requests_has_the_table_of_contributing() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*?) \| (.*) \|$", contributing.partition("| you change |")[2], re.MULTILINE)[1:]
    template = (ROOT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
    assert rows
    assert [f"- [ ] {change}: {run}" for change, run in rows] == template.splitlines()[-len(rows) :]


@pytest.mark.parametrize(("file", "pattern"), VERSIONS)
def test_all_packages_have_one_version(file: str, pattern: str) -> None:
    assert re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)[:1] == [PROJECT["version"]]


def test_the_entry_for_the_registry_of_mcp_servers_is_about_this_package() -> None:
    server = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    assert f"<!-- mcp-name: {server['name']} -->" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(server["description"]) <= 100
    [package] = server["packages"]
    version, [extra] = PROJECT["version"], package["runtimeArguments"]
    assert (package["identifier"], package["version"]) == (PROJECT["name"], version)
    assert (extra["name"], extra["value"]) == ("--with", f"{PROJECT['name']}[mcp]=={version}")
    command, game, agent, opponent = package["packageArguments"]
    assert (command["value"], agent["value"]) == ("mcp", AGENT)
    assert game["choices"] == sorted(games())
    assert {*opponent["choices"]} <= built_in_names()
    assert game["default"] in game["choices"] and opponent["default"] in opponent["choices"]


def test_ci_tests_every_supported_python() -> None:
    supported = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)}
    workflow = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    assert supported == set(re.findall(r'{ python: "(.+?)"', workflow))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_the_scripts_of_this_repository(workflow: Path) -> None:
    called = re.findall(r"\.ci/\w+", workflow.read_text(encoding="utf-8"))
    assert called
    assert all((ROOT / script).is_file() for script in called)


@pytest.mark.parametrize("script", [*(ROOT / ".ci").iterdir()], ids=lambda path: path.name)
def test_the_tests_that_a_script_of_ci_names_exist(script: Path) -> None:
    named = re.findall(r"(?<!/)tests(?:/[\w.*]+)+", script.read_text(encoding="utf-8"))
    assert [name for name in named if not any(ROOT.glob(name))] == []


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A repository with the script that tags, at 1.2.3, whose tests pass if it has the files `green` and `deep`."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "tag", tmp_path / ".ci")
    for script, needed in (("run", "green"), ("full", "deep")):
        (tmp_path / ".ci" / script).write_text(f"#!/bin/sh\ntest -e {needed}\n")
        (tmp_path / ".ci" / script).chmod(0o755)
        (tmp_path / needed).touch()
    (tmp_path / "pyproject.toml").write_text('version = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("## 1.2.3 - today\n\n### Added\n\n- A tag.\n\n## 1.2.2\n\n- Nothing.\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> str:
    who = [word for key in ("user.name", "user.email") for word in ("-c", f"{key}=somebody")]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "a commit")


def tag(folder: Path, version: str) -> tuple[int, str]:
    who = {f"GIT_{role}_{part}": "somebody" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    done = subprocess.run(
        [".ci/tag", version], cwd=folder, env=os.environ | who, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr.strip()


def test_a_release_whose_tests_pass_is_tagged_with_its_changes(released: Path) -> None:
    assert tag(released, "1.2.3") == (0, "")
    assert git(released, "tag", "--list", "--format=%(contents)") == "### Added\n\n- A tag.\n\n"
    assert tag(released, "1.2.3") == (2, "no release: the tag v1.2.3 exists")


def test_changes_that_are_not_released_get_the_version_in_the_commit_that_is_tagged(released: Path) -> None:
    (released / "CHANGELOG.md").write_text("## Unreleased\n\n- A tag.\n\n## 1.2.2\n\n- Nothing.\n")
    commit(released)
    assert tag(released, "1.2.3") == (0, "")
    assert re.match(r"## 1\.2\.3 - \d{4}-\d\d-\d\d\n\n- A tag\.\n", (released / "CHANGELOG.md").read_text())
    assert git(released, "tag", "--list", "--format=%(contents)") == "- A tag.\n\n"
    assert git(released, "rev-parse", "HEAD") == git(released, "rev-parse", "v1.2.3^{commit}")
    assert git(released, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("green", None, ".ci/run failed at "),
        ("deep", None, ".ci/full failed at "),
        ("pyproject.toml", 'version = "1.2.30"\n', "pyproject.toml has another version than 1.2.3;"),
        ("CHANGELOG.md", "## 1.2.2\n\n- A tag.\n", "CHANGELOG.md has no section '## 1.2.3' and none '## Unreleased'"),
    ],
)
def test_nothing_is_tagged_before_all_is_ready(released: Path, file: str, text: str | None, why: str) -> None:
    (released / file).unlink() if text is None else (released / file).write_text(text)
    code, sentence = tag(released, "1.2.3")
    assert (code, sentence) == (2, "no release: there are files that are not committed; see git status") or text
    commit(released)
    code, sentence = tag(released, "1.2.3")
    assert code == 2
    assert sentence.startswith(f"no release: {why}")
    assert git(released, "tag", "--list") == ""


def test_a_tag_names_a_version(released: Path) -> None:
    assert tag(released, "next") == (2, "no release: 'next' is not a version; name one such as 0.2.0")


def test_a_wrong_python_is_refused_before_an_environment_is_made(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("pyproject.toml", "setup.py", "build_backend.py"):
        (tmp_path / name).touch()
    old = tmp_path / "python3.10"
    old.write_text(f'#!/bin/sh\nexec \'{sys.executable}\' "$1" "import sys; sys.version_info = (3, 10); $2"\n')
    old.chmod(0o755)
    command = ["make", "demo", "PYTHON=./python3.10"]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Ballcourt needs Python 3.11 or newer, and " in refused.stderr
    assert "is 3.10; name another one: make PYTHON=python3.12" in refused.stderr
    assert not (tmp_path / ".venv").exists()
    assert PROJECT["requires-python"] == ">=3.11"
