"""Where control groups can be made, by what the kernel says about this process and its mounts."""

from pathlib import Path

from ballcourt.arena.sandbox.cgroups import ARENA, Places, found


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


def test_groups_outside_of_what_is_mounted_offer_nothing(tmp_path: Path) -> None:
    place(tmp_path / "two", "memory pids", "memory pids")
    assert found(process(tmp_path, {"cgroup2:": tmp_path / "two"}, "0::/../service\n")) == Places()
    assert found(process(tmp_path, {}, "0::/\n")) == Places()
