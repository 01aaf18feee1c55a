"""A disk that refuses one call of a tournament's main process, with the help of strace."""

import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.torture.subject import Subject

CALLS = "openat,write,pwrite64,fsync,fdatasync,ftruncate,rename,mkdir,unlink,rmdir"
WRITES = re.compile(r"O_CREAT|O_WRONLY|O_RDWR")
LINE = re.compile(r"^(?:\d+ +)?(\w+)\(")


@dataclass(frozen=True)
class Call:
    """The n-th call of a kind."""

    name: str
    number: int


def missing() -> str:
    """Return why no call can be made to fail on this machine; empty if it can."""
    return "" if shutil.which("strace") else "strace is not installed"


def calls(subject: Subject) -> list[Call]:
    """Play the tournament once; return the calls of its main process that write to its output folder."""
    log = subject.place / "calls"
    subject.start(("strace", "-qq", "-y", "-o", str(log), "-e", f"trace={CALLS}")).wait()
    return [*_writing(log.read_text(errors="replace").splitlines(), str(subject.out))]


def refuse(subject: Subject, expected: str, chance: random.Random, call: Call, error: str) -> str:
    """Make one call fail; return what was done. Raises Failure."""
    rule = f"{call.name}:error={error}:when={call.number}"
    subject.start(("strace", "-qq", "-o", "/dev/null", "-e", f"trace={call.name}", f"--inject={rule}")).wait()
    subject.check(expected)
    return rule


def _writing(lines: list[str], folder: str) -> Iterator[Call]:
    counted: Counter[str] = Counter()
    for line in lines:
        found = LINE.match(line)
        if not found:
            continue
        name = found[1]
        counted[name] += 1
        inside = folder in line or f'"{folder.rpartition("/")[2]}/' in line
        if inside and (name != "openat" or WRITES.search(line)):
            yield Call(name, counted[name])
