"""Sandboxes: their settings, the resulting command lines, and what a machine or a bot may lack."""

import os
import resource
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.sandbox import bubblewrap, seccomp
from ballcourt.arena.sandbox.bubblewrap import ENTRY_INSIDE, FileView, missing, plugged, wrapped
from ballcourt.arena.sandbox.tiers import (
    BUILD,
    BuildLimits,
    Limits,
    Sandbox,
    SandboxError,
    check_startable,
    launch,
    require,
    sandbox_of,
)
from ballcourt.arena.sandbox.visible import objection, visible_paths
from tests.cli.conftest import write_bot

BWRAP_TAKES = 9000
"""How many arguments bubblewrap takes."""
ENVIRONMENT = {"BALLCOURT_SOCKET": "/somewhere/door/arena.sock", "BALLCOURT_TOKEN": "secret"}


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    for folder in (tmp_path, tmp_path / "contest"):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
    return load_bot(write_bot(tmp_path / "contest" / "mine", "mine"))


def test_bots_are_unconfined_by_default(bot: Bot) -> None:
    assert sandbox_of({}) == Sandbox()
    started = launch(bot, sandbox_of({}), ENVIRONMENT)
    assert started.command == [*bot.command]
    assert (started.directory, started.environment) == (str(bot.directory), ENVIRONMENT)
    assert started.rlimits == {"RLIMIT_CORE": 0}


def test_a_tier_has_default_limits_that_can_be_changed() -> None:
    assert sandbox_of({"tier": 1}).limits == Limits(memory_mb=1024, processes=128, file_mb=64, tmp_mb=64)
    changed = sandbox_of({"tier": 1, "memory_mb": 0, "cpu_s": 60, "readable": ["/opt/models"]})
    assert changed == Sandbox(1, Limits(0, 128, 64, 64, 60), ("/opt/models",), BUILD)
    assert sandbox_of({"tier": 0, "memory_mb": 300}).limits == Limits(memory_mb=300)


def test_builds_have_limits_of_their_own_that_can_be_changed() -> None:
    assert sandbox_of({"tier": 2}).build == BUILD
    assert sandbox_of({"tier": 1, "build": {"time_s": 60, "hosts": ()}}).build == replace(BUILD, time_s=60, hosts=())
    assert sandbox_of({"build": {"disk_mb": 5}}).build == BuildLimits(disk_mb=5)


def test_what_a_file_opens_to_builds_is_said_with_what_closes_it() -> None:
    assert sandbox_of({"tier": 1}).cautions() == []
    opened = sandbox_of({"tier": 1, "build": {"disk_mb": 0, "hosts": ["*", "mirror:8081"]}})
    assert opened.cautions() == [
        "builds have no limit on disk_mb; --set sandbox.build.disk_mb=8192 sets the usual one",
        "builds may reach mirror:8081; --set sandbox.build.hosts='[\"*\"]' takes it back",
    ]


def test_limits_become_rlimits_of_every_process() -> None:
    rlimits = Limits(memory_mb=20, file_mb=3, cpu_s=4, processes=5, tmp_mb=6).rlimits()
    assert rlimits == {
        "RLIMIT_DATA": 20 << 20,
        "RLIMIT_FSIZE": 3 << 20,
        "RLIMIT_CPU": 4,
        "RLIMIT_CORE": 0,
    }


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"tier": 3}, "tier is 3; it must be 0, plain processes, 1, bubblewrap, or 2, gVisor"),
        ({"processes": 5}, "processes needs tier 1, and the tier is 0"),
        ({"tier": 0, "readable": []}, "readable needs tier 1"),
        (
            {"tier": 0, "build": {"hosts": []}},
            r"build\.hosts needs tier 1, and the tier is 0, where builds",
        ),
        ({"tier": 0, "build": {"fetch_mb": 1}}, r"build\.fetch_mb needs tier 1, and the tier is 0"),
        ({"build": {"memory_mb": 7}}, r"sandbox: build\.memory_mb is 7, with which no bot starts"),
        ({"tier": 1, "memory_mb": -1}, "memory_mb is -1; it must be a whole number from 0, no limit"),
        ({"memory_mb": 7}, "memory_mb is 7, with which no bot starts; it must be 0, no limit, or at least 8"),
    ],
)
def test_an_invalid_value_is_refused_in_one_sentence(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(SandboxError, match=sentence):
        sandbox_of(values)


def test_a_bot_sees_itself_and_none_of_its_neighbours(bot: Bot) -> None:
    rival = write_bot(bot.home.parent / "rival", "rival")
    visible = visible_paths(bot)
    assert bot.home in visible
    hidden = [rival, bot.home.parent, Path.home(), Path("/tmp"), Path("/etc/passwd"), Path("/etc/shadow"), Path("/")]
    assert [path for path in hidden if any(path.is_relative_to(place) for place in visible)] == []


def test_in_a_source_checkout_a_bot_sees_what_a_wheel_has_and_nothing_else(bot: Bot) -> None:
    source = Path(__file__).parents[3]
    visible = visible_paths(bot)

    def sees(part: str) -> bool:
        return any((source / part).is_relative_to(place) for place in visible)

    assert [path.name for path in PACKAGE.iterdir() if not sees(str(path.resolve().relative_to(source)))] == []
    assert [part for part in ("tests", "runs", ".git", "pyproject.toml") if sees(part)] == []


def test_only_the_folder_of_the_socket_is_mounted_and_read_only(bot: Bot) -> None:
    started = launch(bot, sandbox_of({"tier": 1}), ENVIRONMENT)
    line = " ".join(started.command)
    assert "--ro-bind /somewhere/door /run/ballcourt" in line
    assert " --bind " not in line
    assert started.environment["BALLCOURT_SOCKET"] == "/run/ballcourt/arena.sock"
    assert started.environment["HOME"] == "/tmp"


@pytest.mark.parametrize("as_root", [False, True])
def test_a_word_of_a_program_is_not_taken_for_the_filter_it_is_to_have(as_root: bool) -> None:
    words = ["bot", "{build}", "{bot}", "--seccomp"]
    wanted = wrapped(words, FileView(Path("/"), {}, proxy=Path("/p")), as_root=as_root)
    plugs = plugged(wanted)
    try:
        assert plugs.command[-4:] == words
        assert plugs.command[wanted.index("{build}")] == str(plugs.inherited[0])
        assert os.read(plugs.inherited[0], 1 << 16) == seccomp.program(spying=True)
    finally:
        for descriptor in (*plugs.inherited, plugs.stdin, plugs.status):
            os.close(descriptor)


def test_files_in_mounted_folders_need_no_folders_of_their_own() -> None:
    paths = [Path("/a/bot"), *(Path(f"/a/bot/{number}/in/file") for number in range(1000))]
    command = wrapped(["true"], FileView(Path("/"), {path: path for path in paths}), as_root=True)
    assert len(command) < BWRAP_TAKES


@pytest.mark.parametrize("as_root", [False, True])
def test_limits_and_namespaces_are_on_the_command_line(as_root: bool) -> None:
    view = FileView(Path("/bot"), {Path("/bot"): Path("/bot")}, processes=7, tmp_bytes=99)
    line = " ".join(wrapped(["bot"], view, as_root=as_root))
    wanted = ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--disable-userns", "--die-with-parent"]
    wanted += ["--size 99 --tmpfs /tmp", "--size 99 --tmpfs /dev/shm", "--remount-ro /dev --remount-ro /"]
    wanted += [
        f"-- {sys.executable} -I -S {ENTRY_INSIDE} RLIMIT_NPROC=7,RLIMIT_NOFILE=1024,RLIMIT_SIGPENDING=256  /bot bot",
        "--ro-bind /bot /bot",
    ]
    assert [part for part in wanted if part not in line] == []
    assert ("setpriv --reuid=" in line) == as_root


def test_a_limit_already_lower_for_the_arena_is_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (50, 60))
    for asked, allowed in ((4096, 60), (40, 40)):
        view = FileView(Path("/"), {}, processes=asked)
        assert wrapped(["bot"], view)[-4] == f"RLIMIT_NPROC={allowed},RLIMIT_NOFILE=60,RLIMIT_SIGPENDING=60"
        assert wrapped(["make"], replace(view, proxy=Path("/p")))[-4] == f"RLIMIT_NPROC={allowed}", (
            "a build is not limited"
        )


def test_the_parents_of_a_mount_can_be_entered() -> None:
    view = FileView(Path("/"), {Path("/a/b/c"): Path("/d")}, (Path("/e/f"),))
    line = " ".join(wrapped(["bot"], view, as_root=True))
    # the folders of the interpreter may stand between them: it starts the bot, and its path differs by machine
    assert [folder for folder in ("/a", "/a/b", "/e") if f"--perms 0755 --dir {folder} " not in line] == []
    assert line.index("--dir /a ") < line.index("--dir /a/b ") < line.index("--ro-bind /d /a/b/c")


def test_no_view_shares_the_network_and_only_that_of_a_build_has_a_proxy() -> None:
    for proxy, word in ((None, ""), (Path("/out"), "127.0.0.1:3128=/run/ballcourt/proxy")):
        command = wrapped(["make"], FileView(Path("/"), {}, proxy=proxy))
        assert ("--unshare-net" in command, command[-3]) == (True, word)
        assert ("--ro-bind /out /run/ballcourt" in " ".join(command)) == bool(proxy)


def test_a_machine_without_bubblewrap_learns_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None)
    assert missing.__wrapped__().startswith("there is no program 'bwrap'; install it (apt install bubblewrap")


def test_an_old_bubblewrap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: tool)
    monkeypatch.setattr(bubblewrap, "version_of", lambda program: "bubblewrap 0.6.2")
    assert missing.__wrapped__() == "it needs bubblewrap 0.8 or newer, and this is bubblewrap 0.6.2"


def test_a_tier_with_a_missing_tool_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.arena.sandbox.tiers.missing", lambda: "there is none")
    with pytest.raises(SandboxError, match=r"sandbox tier 1 is not available: there is none"):
        require(sandbox_of({"tier": 1}))
    require(sandbox_of({"tier": 0}))


def test_a_program_not_visible_to_the_bot_is_named(bot: Bot, tmp_path: Path) -> None:
    program = tmp_path / "elsewhere" / "node"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    started_by_it = replace(bot, command=(str(program), "bot.js"))
    with pytest.raises(SandboxError, match=r"is started by .*/elsewhere/node, which bots in the sandbox do not see"):
        check_startable(started_by_it, Sandbox(1))
    assert objection(started_by_it, [str(program.parent)]) == ""
    check_startable(started_by_it, Sandbox(0))


def test_a_bot_may_contain_its_own_program(bot: Bot) -> None:
    program = bot.home / "engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert objection(replace(bot, command=("./engine",))) == ""


@pytest.fixture
def environment(bot: Bot, tmp_path: Path) -> Path:
    """A virtual environment that is not the arena's."""
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    (tmp_path / "venv" / "bin" / "python").symlink_to(bot.command[0])
    return tmp_path / "venv"


def test_neither_the_command_nor_a_link_has_another_folder_mounted(bot: Bot, environment: Path) -> None:
    python = environment / "bin" / "python"
    (bot.home / "python").symlink_to(python)
    for program in (str(python), "./python", "/bin/sh"):
        assert visible_paths(replace(bot, command=(program,))) == visible_paths(bot)


def test_the_python_of_another_environment_is_visible_if_the_organiser_names_it(bot: Bot, environment: Path) -> None:
    other = replace(bot, command=(str(environment / "bin" / "python"),))
    assert f"{environment}/bin/python, which bots in the sandbox do not see" in objection(other)
    assert objection(other, [str(environment)]) == ""


def test_a_program_in_a_hidden_folder_of_the_bot_is_named(bot: Bot) -> None:
    (bot.home / ".venv").mkdir()
    (bot.home / ".venv" / "python").symlink_to(bot.command[0])
    hidden = replace(bot, command=(".venv/python",))
    assert ".venv/python, which is not part of the bot: such names are of the machine it was written on" in objection(
        hidden
    )
    assert objection(replace(hidden, build=("true",))) == ""  # its build may have made it


def test_a_link_that_leads_back_to_itself_is_no_program(bot: Bot) -> None:
    (bot.home / "loop").symlink_to("loop")
    assert objection(replace(bot, command=("./loop",))) == ""  # it fails to start, by its own fault


def test_a_program_in_a_bin_folder_does_not_expose_the_parent_folder(bot: Bot, tmp_path: Path) -> None:
    program = tmp_path / "home" / "bin" / "tool"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert not any(
        path.is_relative_to(tmp_path / "home") for path in visible_paths(replace(bot, command=(str(program),)))
    )


def test_a_working_directory_above_the_bot_is_refused(bot: Bot) -> None:
    assert "which is outside its folder" in objection(replace(bot, directory=bot.home.parent))
