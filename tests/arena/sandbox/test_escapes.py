"""What kernel escapes begin with is open outside of sandboxes, where this kernel has it, and refused in them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from ballcourt.arena.sandbox.tiers import Sandbox, launch
from tests.arena.conftest import Talk, fixture_bot
from tests.attacks import preconditions
from tests.attacks.escapes import ESCAPES, table
from tests.test_documents import PAGES

CODE = Path(preconditions.__file__).read_text()
BY_A_WALL = {"EPERM", "EINVAL", "ENOSYS", "EACCES", "ENOENT", "EROFS", "ENXIO"}
"""How a wall refuses. A kernel that lacks a family of sockets says so by another error, which would prove nothing."""
ANYWHERE = {
    "splice",
    "tee",
    "vmsplice",
    "ptrace",
    "process_vm_readv",
    "memfd_create",
    "setns",
    "NETLINK_XFRM",
    "msgget",
}
"""What every Linux offers to every program that is not confined."""
OF_THE_MACHINE = {
    *("AF_VSOCK", "AF_RXRPC", "NETLINK_NETFILTER", "NETLINK_XFRM"),
    *("/dev/kvm", "/dev/console", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/kcore"),
}
"""What gVisor has no kind of its own of, as it has of splice or namespaces: open, these would lead to the machine."""


def probed(talk: Talk, sandbox: Sandbox) -> tuple[str, dict[str, str]]:
    """Return the kernel of a sandbox, and how each first step ended there."""
    (talk.folder / "sockets").mkdir()
    bot = replace(fixture_bot("preconditions"), command=(sys.executable, "-c", CODE))
    environment = {"BALLCOURT_SOCKET": str(talk.folder / "sockets" / "arena.sock")}
    talk.say(spawn=1, **asdict(launch(bot, sandbox, environment, talk.folder / "own")))
    end = talk.hear()
    assert end["code"] == 0, end
    return read(str(end["tail"]))


def read(output: str) -> tuple[str, dict[str, str]]:
    found = json.loads(output)
    assert found["seen"].keys() == preconditions.PROBES.keys()
    return found["kernel"], found["seen"]


def test_each_escape_needs_something_that_is_tried() -> None:
    assert len(ESCAPES) >= 25
    assert {escape.need for escape in ESCAPES} <= preconditions.PROBES.keys()
    assert len({escape.cve for escape in ESCAPES}) == len(ESCAPES)
    assert {escape.cve: escape.year for escape in ESCAPES if not 2021 <= escape.year <= 2026} == {}
    assert [escape for escape in ESCAPES if not re.fullmatch(r"CVE-\d{4}-\d{4,5}", escape.cve)] == []


def test_the_page_about_threats_shows_the_table() -> None:
    assert table() in (PAGES / "explanation" / "threats.md").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_outside_of_sandboxes_first_steps_of_escapes_are_open() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=300, check=True)
    kernel, seen = read(done.stdout)
    assert kernel == os.uname().release
    assert {name for name in ANYWHERE if seen[name] != "open"} == set()


def test_in_tier_1_the_first_step_of_each_escape_is_refused_by_a_wall(launcher: Talk, tier_1: Sandbox) -> None:
    kernel, seen = probed(launcher, tier_1)
    assert kernel == os.uname().release
    assert {name: how for name, how in seen.items() if how not in BY_A_WALL} == {}


@pytest.mark.gate
@pytest.mark.slow
def test_in_tier_2_first_steps_of_escapes_are_refused_or_reach_another_kernel(launcher: Talk, tier_2: Sandbox) -> None:
    kernel, seen = probed(launcher, tier_2)
    assert kernel != os.uname().release
    assert {name for name in OF_THE_MACHINE if seen[name] == "open"} == set()
