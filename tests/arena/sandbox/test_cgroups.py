"""Where control groups can be made, by what the kernel says about this process and its mounts."""

import errno
from pathlib import Path

import pytest

from ballcourt.arena.sandbox import cgroups
from ballcourt.arena.sandbox.cgroups import ARENA, Places, found, passed_on


def place(folder: Path, controllers: str | None = None, passed_on: str = "") -> Path:
    """Make a folder with the files of a group; `controllers` only for version 2."""
    folder.mkdir(parents=True)
    (folder / "cgroup.procs").touch()
    if controllers is not None:
        (folder / "cgroup.controllers").write_text(controllers)
        (folder / "cgroup.subtree_control").write_text(passed_on)
    return folder


def process(folder: Path, mounts: dict[str, Path], groups: str) -> Path:
    """Make the folder of a process in /proc; mounts are by `file system:options`."""
    lines = []
    for kind, point in mounts.items():
        system, _, options = kind.partition(":")
        escaped = str(point).replace(" ", "\\040")
        lines.append(f"30 20 0:26 / {escaped} rw,relatime - {system} cgroup rw,{options}")
    (folder / "mountinfo").write_text("20 1 0:2 / / rw - ext4 /dev/sda rw\n" + "".join(f"{line}\n" for line in lines))
    (folder / "cgroup").write_text(groups)
    return folder


def test_a_machine_with_both_versions_offers_each_for_what_it_can_do(tmp_path: Path) -> None:
    mounts = {"cgroup2:": tmp_path / "two", "cgroup:memory": tmp_path / "memory", "cgroup:cpu,pids": tmp_path / "some"}
    groups = "9:memory:/service\n8:cpu,pids:/\n0::/\n"
    whole, memory, some = place(tmp_path / "two", ""), place(tmp_path / "memory/service"), place(tmp_path / "some")
    assert found(process(tmp_path, mounts, groups)) == Places(whole, memory, some, some)


def test_a_group_of_version_2_that_passes_on_its_controllers_offers_everything(tmp_path: Path) -> None:
    scope = place(tmp_path / "two" / "user" / "scope", "cpu memory pids", "memory pids")
    own = place(scope / ARENA)
    groups = f"0::/user/scope/{ARENA}\n"
    assert found(process(tmp_path, {"cgroup2:": tmp_path / "two"}, groups)) == Places(scope, scope, scope, scope)
    assert own.is_dir()


def test_a_group_of_version_2_without_the_processors_offers_what_it_has(tmp_path: Path) -> None:
    scope = place(tmp_path / "two" / "scope", "memory pids", "pids")
    assert found(process(tmp_path, {"cgroup2:": tmp_path / "two"}, "0::/scope\n")) == Places(scope, scope, scope, None)


def test_a_group_that_is_not_delegated_offers_freezing_only(tmp_path: Path) -> None:
    scope = place(tmp_path / "two" / "scope", "cpu memory pids")
    assert found(process(tmp_path, {"cgroup2:": tmp_path / "two"}, "0::/scope\n")) == Places(scope)


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Errors by what is written into a group; the kernel refuses a whole line if it refuses a part of it."""
    refused: dict[str, int] = {}

    def write(file: Path, value: str) -> None:
        for word in value.split():
            if word in refused:
                raise OSError(refused[word], "refused")
        file.write_text(f"{file.read_text()} {value.replace('+', '')}")

    monkeypatch.setattr(cgroups, "write", write)
    return refused


def test_where_one_controller_is_refused_groups_use_the_others(tmp_path: Path, refusing: dict[str, int]) -> None:
    scope = place(tmp_path / "scope", "cpu memory pids")
    refusing["+cpu"] = errno.EINVAL
    assert passed_on(Places(scope, scope, scope, scope)) == Places(scope, scope, scope, None)
    assert (scope / "cgroup.subtree_control").read_text().split() == ["memory", "pids"]


def test_a_group_that_processes_keep_coming_into_is_not_taken_for_one_without_limits(
    tmp_path: Path, refusing: dict[str, int]
) -> None:
    scope = place(tmp_path / "scope", "memory")
    refusing["+memory"] = errno.EBUSY
    with pytest.raises(OSError, match="processes keep coming into"):
        passed_on(Places(scope, scope))


def test_groups_of_version_1_use_their_controllers_by_themselves(tmp_path: Path, refusing: dict[str, int]) -> None:
    own = place(tmp_path / "memory" / "own")
    refusing["+memory"] = errno.EINVAL
    assert passed_on(Places(None, own)) == Places(None, own)


def test_groups_outside_of_what_is_mounted_offer_nothing(tmp_path: Path) -> None:
    place(tmp_path / "two", "memory pids", "memory pids")
    assert found(process(tmp_path, {"cgroup2:": tmp_path / "two"}, "0::/../service\n")) == Places()
    assert found(process(tmp_path, {}, "0::/\n")) == Places()
