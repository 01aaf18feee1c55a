"""The documents are correct: their commands run, their files load, their programs are those of the repository."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from pydoc import locate
from typing import Any

import pytest
import typer.main

from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.sandbox.tiers import BUILD, TIER_1, Sandbox
from ballcourt.arena.tournament.event.model import Event
from ballcourt.cli.commands import app
from tests.arena.conftest import bounded
from tests.needs import library

ROOT = Path(__file__).parents[1]
ENVIRONMENT = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
LONGEST_S = 900
PAGES = ROOT / "docs" / "pages"
INDEX = PAGES / "index.md"
README = ROOT / "README.md"
EXTRAS = {*tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]}
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *PAGES.rglob("*.md"), *(ROOT / folder / "README.md" for folder in ("bots", "engine", "proto"))]
)


def blocks(language: str, document: Path) -> list[str]:
    """The fenced blocks of one language in a document."""
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def files(document: Path) -> dict[str, str]:
    """The TOML files that a document shows, by the names that their first lines give them."""
    named = [(re.match(r"# (\S+\.toml)\n", block), block) for block in blocks("toml", document)]
    return {name[1]: block for name, block in named if name}


UPGRADE = PAGES / "how-to/upgrade.md"
RUNNABLE = [
    document
    for document in DOCUMENTS
    if document != UPGRADE and any("ballcourt" in block for block in blocks("sh", document))
]


def run_commands(document: Path, folder: Path) -> str:
    """Run the commands of a document in a folder with its files, as a reader would; return what they print."""
    for name, text in files(document).items():
        (folder / name).write_text(text, encoding="utf-8")
    commands = [block for block in blocks("sh", document) if "ballcourt" in block]
    code, shown, messages = ran(["sh", "-eux", "-c", "\n".join(commands)], folder)
    assert code == 0, messages[-2000:]
    return shown


def ran(command: list[str], folder: Path) -> tuple[int, str, str]:
    """Run a command in a folder; return its exit code and what it wrote to stdout and stderr."""
    with bounded(started(command, folder, subprocess.PIPE), LONGEST_S) as process:
        shown, messages = process.communicate()
    return process.returncode, shown, messages


def started(command: list[str], folder: Path, stdout: int) -> subprocess.Popen[str]:
    """Start a command in a folder, as the leader of a group of processes."""
    return subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=stdout, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def test_the_page_about_the_sandbox_shows_the_defaults() -> None:
    shown = tomllib.loads(blocks("toml", PAGES / "how-to/sandbox.md")[0])["sandbox"]
    defaults = Sandbox(1, TIER_1, build=BUILD).to_table()
    assert isinstance(defaults["build"], dict)
    examples = {"readable": ["/opt/models"]}, {"hosts": ["mirror.lan:8081"], "packages": "allowed.txt"}
    assert shown == {**defaults, **examples[0], "build": {**defaults["build"], **examples[1]}}


@pytest.mark.parametrize("document", [README, PAGES / "tutorials/first-bot.md"], ids=["README", "first-bot"])
def test_the_example_bot_is_the_one_that_a_document_shows(document: Path) -> None:
    assert blocks("python", document)[0] == (ROOT / "bots/example/bot.py").read_text(encoding="utf-8")


def test_the_bot_toml_of_the_example_is_the_one_in_the_tutorial() -> None:
    shown = blocks("toml", PAGES / "tutorials/first-bot.md")[0]
    assert shown == (ROOT / "bots/example/bot.toml").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "document",
    [pytest.param(one, id=one.stem, marks=pytest.mark.gate if one == README else ()) for one in RUNNABLE],
)
def test_the_commands_of_a_document_run(document: Path, tmp_path: Path) -> None:
    run_commands(document, tmp_path)


@pytest.mark.slow
def test_the_notes_of_a_new_bot_lead_a_coding_agent_to_one_that_passes_its_checks(tmp_path: Path) -> None:
    assert ran(["ballcourt", "new-bot", "mia", "--game", "maya"], tmp_path)[0] == 0
    shown = run_commands(tmp_path / "mia" / "AGENTS.md", tmp_path)
    assert "the bot is ready to play" in shown and "The rules of Maya as this engine plays them" in shown


@pytest.mark.slow
@pytest.mark.parametrize("release", sorted((ROOT / "tests/upgrade").glob("*.zip")), ids=lambda release: release.stem)
def test_the_files_of_a_release_go_on_as_the_page_about_upgrades_says(release: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(release, tmp_path)
    shown = run_commands(UPGRADE, tmp_path)
    assert shown.count(": agrees in all ") == 4
    assert [len([*(tmp_path / "runs" / run / "records").glob("*.match")]) for run in ("cup", "ladder")] == [6, 12]


@pytest.mark.slow
def test_the_readme_shows_how_to_train(tmp_path: Path) -> None:
    [program] = [block for block in blocks("python", README) if "BatchEnv" in block]
    assert ran([sys.executable, "-c", program], tmp_path)[0] == 0


@pytest.mark.slow
def test_the_programs_of_the_page_about_python_run(tmp_path: Path) -> None:
    programs = blocks("python", PAGES / "how-to/python.md")
    code, shown, messages = ran([sys.executable, "-c", "\n".join(programs)], tmp_path)
    assert code == 0, messages
    assert re.search(r"^greedy 1 \d+", shown)
    assert shown.count("\nMatchPlayed(") == 4
    assert re.search(r"^maya 1\. greedy", shown, re.MULTILINE)


@pytest.mark.slow
def test_the_programs_of_the_page_about_evaluations_run(tmp_path: Path) -> None:
    programs = blocks("python", PAGES / "how-to/evaluate.md")
    code, shown, messages = ran([sys.executable, "-c", "\n".join(programs)], tmp_path)
    assert code == 0, messages
    assert shown.startswith("spent ")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_file_a_document_links_to_exists(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#: ]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []


@pytest.mark.slow
def test_the_site_has_every_command_and_key_and_no_broken_link(tmp_path: Path) -> None:
    code, _, messages = ran([sys.executable, str(ROOT / "docs/assemble.py"), str(tmp_path)], tmp_path)
    assert code == 0, messages
    page = (tmp_path / "pages/reference/commands.md").read_text(encoding="utf-8")
    keys = (tmp_path / "pages/reference/tournament-file.md").read_text(encoding="utf-8")
    assert [name for name in {*Event.model_fields, *LadderFile.model_fields} if f"\n| `{name}` | " not in keys] == []
    program: Any = typer.main.get_command(app)
    names = program.list_commands(program.context_class(program))
    assert len(names) > 20
    assert [name for name in names if f"\n## ballcourt {name}\n" not in page] == []
    listed = (tmp_path / "pages/llms.txt").read_text(encoding="utf-8")
    whole = (tmp_path / "pages/llms-full.txt").read_text(encoding="utf-8")
    assert listed.startswith("# Ballcourt\n\n> An arena for bots")
    assert "\n- [Write a bot in ten minutes](tutorials/first-bot/)\n" in listed
    for heading in {page.read_text(encoding="utf-8").partition("\n")[0] for page in {*PAGES.rglob("*.md")} - {INDEX}}:
        assert f"{heading}\n" in whole
        assert f"\n- [{heading.removeprefix('# ')}](" in listed


INSTALLED_FROM = [
    *DOCUMENTS,
    *sorted(
        path for folder in ("docs/examples", "bots", "engine") for path in (ROOT / folder).rglob("*") if path.is_file()
    ),
    *sorted(path for folder in ("arena", "leaderboard", "src/ballcourt") for path in (ROOT / folder).glob("**/*.py")),
]
SPAN = re.compile(r"(?<!`)`[^`]+`(?!`)")
INSTALLS = re.compile(r"pip (?:install|wheel)((?: +(?:'[^'\n]+'|\"[^\"\n]+\"|[^\s'\"`;:,)\\]+))+)")
OWN = re.compile(r"ballcourt[\w-]*")
MADE_BEFORE = {"./mygame", "./mine"}


def installs(text: str) -> list[str]:
    """What the commands with pip in a document install: names, paths and addresses, with their extras."""
    text = SPAN.sub(lambda span: " ".join(span[0].split()), text)
    return [
        word.strip("'\"") for words in INSTALLS.findall(text) for word in re.findall(r"'[^']+'|\"[^\"]+\"|\S+", words)
    ]


def cannot_be_installed(wanted: str, *, has_it: bool) -> bool:
    """Whether a reader cannot install this; `has_it` says that Ballcourt is there, so its extras can be completed."""
    name, _, rest = wanted.partition("[")
    extras = rest.partition("]")[0].split(",") if rest else []
    if OWN.fullmatch(name) and " @ " not in rest:
        return not (has_it and extras and {*extras} <= EXTRAS)
    if name == "ballcourt" or name == ".":
        return not {*extras} <= EXTRAS
    return name.startswith("./") and name not in MADE_BEFORE and not (ROOT / name / "pyproject.toml").exists()


@pytest.mark.parametrize(
    ("wanted", "has_it", "refused"),
    [
        ("ballcourt", False, True),
        ("ballcourt-sdk", True, True),
        ("ballcourt[sign]", False, True),
        ("ballcourt[sign]", True, False),
        ("ballcourt[signs]", True, True),
        (".[sign,web]", False, False),
        (".[sgn]", False, True),
        ("./bots/sdk/python", False, False),
        ("./bots/sdk/snake", False, True),
        ("ballcourt[web] @ git+https://example.org/b", False, False),
        ("ballcourt[ratings] @ git+https://example.org/b", False, True),
        ("ray[rllib]", False, False),
    ],
)
def test_what_a_reader_can_install(wanted: str, has_it: bool, refused: bool) -> None:
    assert installs(f"so `pip install --quiet '{wanted}'` and") == ["--quiet", wanted]
    assert cannot_be_installed(wanted, has_it=has_it) == refused


def test_nothing_asks_to_install_what_no_registry_has() -> None:
    """Neither `ballcourt` nor `ballcourt-sdk` is released: a reader installs a checkout, a wheel or the repository.

    Messages and help may name extras of `ballcourt`: who reads them has it, so pip adds only what they bring.
    """
    found = [
        (str(path.relative_to(ROOT)), wanted)
        for path in INSTALLED_FROM
        if path.suffix in {"", ".md", ".py", ".toml", ".yml", ".yaml", ".sh"}
        for wanted in installs(path.read_text(encoding="utf-8", errors="replace").replace("{extra}", "web"))
    ]
    assert len(found) > 40
    wrong = [one for one in found if cannot_be_installed(one[1], has_it=one[0].endswith(".py"))]
    assert wrong == []


def test_the_table_of_contents_lists_every_page() -> None:
    listed = re.findall(r"^- \[.*\]\((.*)\)$", (PAGES / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    pages = [page.relative_to(PAGES) for page in PAGES.rglob("*.md")]
    assert sorted(listed) == sorted(str(page) for page in pages if page.name != "index.md" and "api" not in page.parts)


def test_pages_show_all_pictures_and_these_are_small() -> None:
    pages = " ".join(page.read_text(encoding="utf-8") for page in [*PAGES.rglob("*.md"), ROOT / "README.md"])
    pictures = [*(PAGES / "pictures").iterdir()]
    assert len(pictures) >= 12
    assert [one.name for one in pictures if f"pictures/{one.name})" not in pages] == []
    assert [one.name for one in pictures if one.stat().st_size > 150_000] == []


@pytest.mark.parametrize("name", ["example.token", "mine.token", "key.pem", "organiser.key"])
def test_git_ignores_the_secrets_that_commands_of_the_documents_write(name: str) -> None:
    assert any(name in document.read_text(encoding="utf-8") for document in DOCUMENTS)
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert any(fnmatch(name, pattern) for pattern in ignored)


def test_everything_that_the_api_pages_describe_exists() -> None:
    library("pyarrow")
    pages = [path.read_text(encoding="utf-8") for path in (PAGES / "reference/api").glob("*.md")]
    named = [name for page in pages for name in re.findall(r"^::: ([\w.]+)", page, flags=re.MULTILINE)]
    assert named and [name for name in named if locate(name) is None] == []


def test_every_module_the_architecture_names_exists() -> None:
    named = re.findall(r"`([\w/]+\.(?:py|proto|md))`", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    places = (ROOT, ROOT / "arena")
    missing = [name for name in named if "/" in name and not any((place / name).exists() for place in places)]
    assert named and missing == []


@pytest.mark.slow
def test_the_remote_bot_of_its_page_dials_in(tmp_path: Path) -> None:
    page = PAGES / "how-to/remote-bots.md"
    (tmp_path / "open.toml").write_text(files(page)["open.toml"], encoding="utf-8")
    shown = "".join(blocks("console", page)).replace("\\\n", "").splitlines()
    token, host, connect, certificate = [line.partition("$")[2].strip() for line in shown[:4]]
    for command in (token, certificate):
        assert ran(["sh", "-c", command], tmp_path)[0] == 0
    any_port = host.replace("0.0.0.0:7433", "127.0.0.1:0").split()
    with bounded(started(any_port, tmp_path, subprocess.DEVNULL), LONGEST_S) as hosting:
        assert hosting.stderr
        ports = (re.findall(r"listening on 127\.0\.0\.1:(\d+)", line) for line in hosting.stderr)
        port = next(found[0] for found in ports if found)
        code, _, _ = ran(connect.replace("7433", port).split(), tmp_path)
        messages = hosting.stderr.read()
    assert (code, hosting.returncode) == (0, 0), messages
    assert len(list((tmp_path / "runs/open/records").glob("*.match"))) == 2
