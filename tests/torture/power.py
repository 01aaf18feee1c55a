"""Power cuts: a tournament on an ext4 file system in an image, of which a copy is taken while it plays.

The copy has what the file system had written to its disk by then, as a machine finds it after a power cut.
"""

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.torture.subject import Subject

IMAGE_MB = 48


def missing() -> str:
    """Return why there can be no power cuts on this machine; empty if there can."""
    if os.geteuid():
        return "mounting an image needs root"
    absent = [tool for tool in ("mkfs.ext4", "mount", "umount") if not shutil.which(tool)]
    return f"{', '.join(absent)} not installed" if absent else ""


def cut(subject: Subject, expected: str, chance: random.Random) -> str:
    """Cut the power at a random moment; return what was done. Raises Failure."""
    disk, copy = subject.place / "disk.img", subject.place / "copy.img"
    with disk.open("wb") as file:
        file.truncate(IMAGE_MB << 20)
    _run("mkfs.ext4", "-q", "-F", str(disk))
    with _mounted(disk, subject.place / "disk") as place:
        running = replace(subject, place=place).prepare()
        _run("sync", "-f", str(place))  # the bots are not what is tried
        process = running.start()
        records = chance.randrange(1, 2 * subject.rounds)
        running.wait_for(process, records)
        _run("cp", "--sparse=always", str(disk), str(copy))
        process.kill()
        process.wait()
        running.traces.all_gone()
    with _mounted(copy, subject.place / "copy") as place:
        survivor = replace(subject, place=place)
        for leftover in (place / "tmp").iterdir():  # a machine empties it when it starts
            shutil.rmtree(leftover)
        kept = len([*survivor.out.glob("records/*.match")])
        survivor.check(expected)
    return f"cut after {records} records, of which {kept} were on the disk"


@contextmanager
def _mounted(image: Path, place: Path) -> Iterator[Path]:
    place.mkdir()
    _run("mount", "-o", "loop", str(image), str(place))
    try:
        yield place
    finally:
        _run("umount", str(place))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
