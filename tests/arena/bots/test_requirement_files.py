"""Files that say which Python packages a bot needs: those of pip, lock files, and projects."""

from pathlib import Path

import pytest

from ballcourt.arena.bots.requirements import Requirements, RequirementsError, read_requirements

LOCK = """
lock-version = "1.0"
created-by = "test"
[[packages]]
name = "six"
version = "1.16.0"
marker = "python_version >= '3.9'"
sdist = { name = "six-1.16.0.tar.gz", url = "https://example.org/six-1.16.0.tar.gz", hashes = { sha256 = "1e61" } }
[[packages.wheels]]
name = "six-1.16.0-py2.py3-none-any.whl"
url = "https://example.org/six-1.16.0-py2.py3-none-any.whl"
hashes = { sha256 = "8abb" }
"""


def read(folder: Path, name: str, text: str) -> Requirements:
    (folder / name).write_text(text)
    return read_requirements(folder, name)


def test_a_lock_file_becomes_lines_with_exact_versions_and_hashes(tmp_path: Path) -> None:
    for name in ("pylock.toml", "pylock.linux.toml"):
        found = read(tmp_path, name, LOCK)
        assert found.text == 'six==1.16.0; python_version >= "3.9" --hash=sha256:8abb --hash=sha256:1e61\n'
        assert found.is_lock
        assert found.is_plain


def test_a_project_has_its_dependencies(tmp_path: Path) -> None:
    found = read(tmp_path, "pyproject.toml", '[project]\nname = "mine"\ndependencies = ["numpy>=2,<3", "six"]\n')
    assert (found.text, found.is_lock, found.is_plain) == ("numpy<3,>=2\nsix\n", False, True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[project]\ndependencies = []\nrequires-python = ">=3.12, !=3.13.*"\n'),
        ("pylock.toml", f'requires-python = ">=3.12, !=3.13.*"\n{LOCK}'),
    ],
)
def test_the_versions_of_python_that_a_project_is_for_are_read(tmp_path: Path, name: str, text: str) -> None:
    found = read(tmp_path, name, text)
    versions = ("3.11.7", "3.12.0", "3.12.10", "3.13.0", "3.14.1")
    assert [version for version in versions if found.allows(version)] == ["3.12.0", "3.12.10", "3.14.1"]
    assert read(tmp_path, name, text.replace("requires-python", "version")).allows("3.9.1")


POETRY = '[tool.poetry.dependencies]\npython = "==3.10.6"\npsutil = "==5.8.0"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            POETRY,
            r"pip does not read its table \[tool.poetry.dependencies\]; `poetry export -o requirements.txt` writes",
        ),
        (f'{POETRY}[project]\nname = "x"\n', r"pip does not read its table \[tool.poetry.dependencies\]"),
        (
            '[project]\ndependencies = ["a"]\n[tool.uv.sources]\na = { git = "https://x.org/a" }\n',
            r"pip does not read its table \[tool.uv.sources\]; `uv export",
        ),
        ('[project]\nname = "x"\ndynamic = ["dependencies"]\n', r"its table \[project\] has no list `dependencies`"),
        (
            '[project]\ndependencies = []\nrequires-python = "3.12"\n',
            "its requires-python is '3.12'; it must be such as",
        ),
        ("[project]\ndependencies = []\nrequires-python = 3.12\n", "its requires-python is 3.12; it must be such as"),
        ('[project]\ndependencies = []\nrequires-python = ["^3"]\n', r"its requires-python is .*; it must be such as"),
    ],
)
def test_what_pip_would_leave_out_of_a_project_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(RequirementsError, match=sentence):
        read(tmp_path, "pyproject.toml", text)


def test_a_project_that_keeps_only_settings_for_poetry_is_read(tmp_path: Path) -> None:
    text = f'{POETRY}[project]\nname = "x"\ndependencies = ["psutil"]\n'
    assert read(tmp_path, "pyproject.toml", text).text == "psutil\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("numpy", "numpy\n"),
        ("numpy == 2.1.3  # exact", "numpy==2.1.3\n"),
        ("# nothing but a comment", ""),
        ("# a comment \\\nsix", "six\n"),  # pip continues no comment
        ("# coding: utf-7\nsix", "six\n"),
        (
            "torch[opt] >= 2, < 3 ; python_version < '3.13' and sys_platform == \"linux\"",
            'torch[opt]<3,>=2; python_version < "3.13" and sys_platform == "linux"\n',
        ),
        (
            "six==1.16.0 \\\n    --hash=sha256:8abb \\\n    --hash=sha256:1e61",
            "six==1.16.0 --hash=sha256:8abb --hash=sha256:1e61\n",
        ),
    ],
)
def test_packages_of_a_registry_are_written_as_understood_and_the_same_for_every_bot(
    tmp_path: Path, text: str, written: str
) -> None:
    found = read(tmp_path, "requirements.txt", text)
    assert (found.is_plain, found.text) == (True, written)


@pytest.mark.parametrize(
    "text",
    [
        "./wheels/mine.whl",
        "mine-1.0-py3-none-any.whl",
        "mine.zip[fast]",
        "mine===1.zip; python_version > '3'",
        "numpy\nmine.tar.gz",
        "-r other.txt",
        "--index-url https://example.org",
        "-e .",
        "mine @ file:mine.whl",
        "https://example.org/mine.zip",
        "${HOME}/mine.whl",
        "six\\\n--index-url=x:y",
        "wheels\\mine",
        "# a comment \\\n--extra-index-url https://example.org/\nsix",
        "# coding: utf-7\nsix +AAo-+AC0-+AC0-extra-index-url https+ADo-+AC8-+AC8-example.org",
        "six ; os_name == 'a --no-index'",
        "six ; os_name == 'a --index-url=x'",
        "six===${HOME}",
        "six --hash=sha256:8abb --pre",
        "six --hash=sha256:8abb --hash=md5:1e61",
        "six --hash=sha256:8abb; --pre",
        "six\x0b--pre",
        "six\u2028--pre",
    ],
)
def test_what_else_pip_reads_may_mean_a_file_of_the_bot(tmp_path: Path, text: str) -> None:
    assert not read(tmp_path, "requirements.txt", text).is_plain


def test_a_file_of_more_lines_than_it_takes_seconds_to_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequirementsError, match=r"it has more than 20000 lines; write fewer$"):
        read(tmp_path, "requirements.txt", "a\n" * 20_001)


def test_a_requirement_goes_on_over_as_many_lines_as_there_may_be(tmp_path: Path) -> None:
    assert read(tmp_path, "requirements.txt", "\\\n" * 19_998 + "six\\\n==1.16.0").text == "six==1.16.0\n"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("uv.lock", "version = 1", "pip does not read this lock file; `uv export"),
        ("other.toml", "a = 1", "a TOML file must be pyproject.toml or a lock file"),
        ("pyproject.toml", '[project]\nname = "mine"\n', r"\[project\] has no list `dependencies`"),
        ("pyproject.toml", "[project", "it cannot be read: "),
        ("pylock.toml", 'lock-version = "1.0"', r"it has no \[\[packages\]\]"),
        ("pylock.toml", '[[packages]]\nname = "six"\nversion = "1"\n', "'six' lacks a version, or the hashes"),
        (
            "pyproject.toml",
            '[project]\ndependencies = ["six\\n--pre"]\n',
            r"names 'six\\n--pre', which is not a requirem",
        ),
        (
            "pyproject.toml",
            '[project]\ndependencies = ["--pre"]\n',
            "names '--pre', which is not a requirement such as",
        ),
        (
            "pyproject.toml",
            '[project]\ndependencies = ["six --hash=sha256:1e61"]\n',
            "names 'six --hash=sha256:1e61', which is not a requirement such as",
        ),
        (
            "pylock.toml",
            '[[packages]]\nname = "six\\n--pre\\nsix"\nversion = "1"\nsdist = { hashes = { sha256 = "1e61" } }\n',
            "which is not a requirement",
        ),
        ("pylock.toml", '[[packages]]\nname = "six"\ndirectory = { path = "six" }\n', "takes 'six' from a directory"),
    ],
)
def test_a_file_that_cannot_be_used_is_explained(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    with pytest.raises(RequirementsError, match=sentence):
        read(tmp_path, name, text)


def test_bytes_that_are_no_text_and_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "requirements.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(RequirementsError, match="it cannot be read"):
        read_requirements(folder, "requirements.txt")
    (tmp_path / "secret.txt").write_text("six")
    (folder / "link.txt").symlink_to("../secret.txt")
    with pytest.raises(RequirementsError, match="a file in the folder of the bot"):
        read_requirements(folder, "link.txt")
