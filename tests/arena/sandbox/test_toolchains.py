"""What a confined build sees of toolchains."""

import os
import subprocess
from pathlib import Path

from ballcourt.arena.sandbox.toolchains import without_links


def program(path: Path) -> Path:
    """Write a program that prints the folder in which it was started."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('#!/bin/sh\necho "${0%/*}"\n')
    path.chmod(0o755)
    return path


def linked(link: Path, to: Path) -> Path:
    """Make a link to a program; return the folder with the link."""
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(to)
    return link.parent


def started(name: str, path: str) -> str:
    """Start a program that is found on a PATH; return what it prints."""
    done = subprocess.run(["/bin/sh", "-c", name], env={"PATH": path}, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_script_that_is_linked_to_is_started_where_it_is(tmp_path: Path) -> None:
    for name in ("mvn", "gradle"):
        bins = linked(
            tmp_path / "bin" / name, linked(tmp_path / "etc" / name, program(tmp_path / name / "bin" / name)) / name
        )
        assert started(name, str(bins)) == str(bins)
        assert started(name, without_links(str(bins))) == str(tmp_path / name / "bin")


def test_a_path_without_such_links_stays_as_it_is(tmp_path: Path) -> None:
    path = os.pathsep.join([str(program(tmp_path / "bin" / "mvn").parent), str(tmp_path / "none")])
    assert without_links(path) == path
    assert without_links("") == ""


def test_a_link_to_a_program_of_another_name_changes_nothing(tmp_path: Path) -> None:
    program(tmp_path / "usr" / "java")
    path = str(linked(tmp_path / "shims" / "mvn", program(tmp_path / "usr" / "manager")))
    assert without_links(path) == path
