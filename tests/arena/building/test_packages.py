"""The organiser's list of packages: what authors may choose, and that environments consist of nothing else."""

import hashlib
import json
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.bots.packages import PackageListError, installed, read_package_list
from ballcourt.arena.bots.requirements import parsed
from ballcourt.arena.building.builds import built
from ballcourt.arena.building.steps import BuildError
from ballcourt.arena.processes.cache import cached
from ballcourt.arena.sandbox.tiers import require, sandbox_of
from ballcourt.arena.tournament.event.tables import SandboxTable
from tests.arena.building.test_venvs import write_wheel

HASH = f"--hash=sha256:{'0' * 64}"
LIST = f"# chosen by the organiser\ntop==1.0 \\\n    {HASH} \\\n    --hash=sha256:{'1' * 64}\nLow_Lib==1.0 {HASH}\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels from which pip installs: `top` needs `low`, and `odd` needs `other`."""
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    for name, version, needs in (
        ("low", "1.0", ""), ("low", "2.0", ""), ("top", "1.0", "low"), ("odd", "1.0", "other"), ("other", "1.0", "")
    ):  # fmt: skip
        write_wheel(tmp_path, name, "", needs, version)
    return tmp_path


def bot(place: Path, requirements: str) -> Bot:
    folder = place / "mine"
    folder.mkdir()
    (folder / "requirements.txt").write_text(requirements)
    (folder / "bot.toml").write_text(
        'name = "mine"\nversion = "1"\ncommand = ["{python}", "bot.py"]\nrequirements = "requirements.txt"\n'
    )
    return load_bot(folder)


def pin(place: Path, name: str, version: str = "1.0") -> str:
    digest = hashlib.sha256((place / f"{name}-{version}-py3-none-any.whl").read_bytes()).hexdigest()
    return f"{name}=={version} --hash=sha256:{digest}"


def made(place: Path, requirements: str, *lines: str) -> Bot:
    (place / "allowed.txt").write_text("".join(f"{line}\n" for line in lines))
    return built(bot(place, requirements), sandbox_of({"build": {"packages": str(place / "allowed.txt")}}))


@pytest.mark.parametrize(
    ("requirements", "why"),
    [
        ("top\nlow-lib>=1\n", ""),
        ("top==1.0\n", ""),
        ("top>=2\n", "asks for top>=2, and the organiser allows top 1.0; ask for what is allowed"),
        ("numpy\n", "asks for numpy, and the organiser allows low-lib 1.0, top 1.0; ask for what is allowed"),
        ("./top.whl\n", "has options, files or addresses, and the organiser allows low-lib 1.0, top 1.0; name"),
        ("--pre\ntop\n", "has options, files or addresses, and "),
        ("top @ https://example.org/top.whl\n", "has options, files or addresses, and "),
    ],
)
def test_an_author_reads_what_the_organiser_does_not_allow(tmp_path: Path, requirements: str, why: str) -> None:
    (tmp_path / "allowed.txt").write_text(LIST)
    mine = bot(tmp_path, requirements).requirements
    assert mine
    sentence = read_package_list(tmp_path / "allowed.txt").objection(mine)
    assert sentence.startswith(f"requirements.txt {why}") if why else not sentence


@pytest.mark.parametrize("line", ["top==1.0", f"top>=1.0 {HASH}", f"top==1.* {HASH}", f"./top.whl {HASH}", "--pre",
    f"top==1.0,!=2 {HASH}"])  # fmt: skip
def test_a_list_without_exact_versions_and_hashes_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "allowed.txt").write_text(f"{LIST}{line}\n")
    table = SandboxTable.model_validate({"build": {"packages": "allowed.txt"}}, context={"base": tmp_path})
    with pytest.raises(PackageListError, match=r"sandbox\.build\.packages names .*allowed\.txt, which has '.*'; each"):
        require(table.sandbox())


def test_what_pip_says_that_it_installed_is_compared_with_the_list_by_version_and_hash(tmp_path: Path) -> None:
    (tmp_path / "allowed.txt").write_text(LIST)
    listed = read_package_list(tmp_path / "allowed.txt")

    def objection(*lines: str) -> str:
        return listed.objection_to_installed([found for line in lines if (found := parsed(line))])

    assert objection(f"top==1.0 --hash=sha256:{'1' * 64}", f"low-lib==1.0 {HASH}") == ""
    assert "another file of top 1.0" in objection(f"low-lib==1.0 {HASH}", f"top==1.0 --hash=sha256:{'2' * 64}")
    assert "they need top 2.0" in objection(f"top==2.0 {HASH}")
    assert "they need other 1.0" in objection(f"other==1.0 {HASH}")
    assert listed.objection_to_installed(None) == "pip did not report what it has installed"


def test_a_list_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(PackageListError, match=r"packages names .*none\.txt, which cannot be read: .*No such file"):
        require(sandbox_of({"build": {"packages": str(tmp_path / "none.txt")}}))


@pytest.mark.slow
def test_an_environment_has_exactly_the_versions_and_files_of_the_list(place: Path) -> None:
    pins = [pin(place, "top"), pin(place, "low")]
    first = made(place, "top\n", *pins)
    [entry] = [entry for entry in cached() if entry.name == "venv"]
    assert entry.build
    assert sorted(entry.build.packages) == sorted(pins), "although there is low 2.0"
    assert built(load_bot(place / "mine")).venv != first.venv, "without a list it is another environment"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("requirements", "other", "why"),
    [
        ("top\n", f"low==1.0 {HASH}", "the registry has another file of low 1.0 than those whose hashes the organiser"),
        ("odd\n", "low==1.0", "they need other 1.0, and the organiser allows low 1.0, odd 1.0, top 1.0; ask the"),
    ],
)
def test_what_is_not_on_the_list_is_not_installed(place: Path, requirements: str, other: str, why: str) -> None:
    pins = [pin(place, "top"), pin(place, "odd"), other if HASH in other else pin(place, "low")]
    with pytest.raises(BuildError, match=f"bot mine cannot be built: its requirements cannot be installed: {why}"):
        made(place, requirements, *pins)
    assert not [entry for entry in cached() if entry.name == "venv"]


@pytest.mark.parametrize("text", ["", "[]", '{"install": 1}', '{"install": [{}]}', "[" * 100_000,
    json.dumps({"install": [{"metadata": {"name": "a b", "version": "1"}, "download_info":
        {"archive_info": {"hashes": {"sha256": "00"}}}}]})])  # fmt: skip
def test_a_report_that_packages_have_changed_is_not_believed(tmp_path: Path, text: str) -> None:
    (tmp_path / "report.json").write_text(text)
    assert installed(tmp_path / "report.json") is None
