"""Bots in gVisor: what they reach, how they end, what limits them, and that they leave nothing behind."""

import os
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from ballcourt.arena.sandbox.tiers import Sandbox, launch
from tests.arena.conftest import BOTS, LARGE_FILE, LIMITS, Talk, filling, fixture_bot, wait_until

LOOK = fixture_bot("prying.py")
OF_ITS_OWN_KERNEL = {
    "got to io_uring",  # which some releases of gVisor have; in tier 1 it is refused
    "made a file in memory",
    "made shared memory that belongs to no process",
    "made a user namespace",
    "may choose its processors",  # those that its kernel shows it
}
"""What a prying bot reaches that does no harm in gVisor: the kernel is its own, and ends with it."""
PRY = f"""if True:
    import sys
    sys.path.insert(0, {str(BOTS)!r})
    import prying
    prying.TEDIOUS |= {{sys.prefix, sys.base_prefix}}
    print(*prying.reached(), sep='\\n')
"""


def start(talk: Talk, sandbox: Sandbox, *command: str) -> None:
    environment = {"BALLCOURT_SOCKET": str(talk.folder / "sockets" / "arena.sock"), "BALLCOURT_TOKEN": "mine"}
    (talk.folder / "sockets").mkdir()
    bot = replace(LOOK, command=command)
    talk.say(spawn=1, **asdict(launch(bot, sandbox, environment, talk.folder / "own")))


def run(talk: Talk, sandbox: Sandbox, code: str) -> dict[str, object]:
    """Run Python code as a bot; return how it exited."""
    start(talk, sandbox, sys.executable, "-c", code)
    return talk.hear()


@pytest.mark.gate
@pytest.mark.slow
def test_a_bot_reaches_nothing_of_the_machine(launcher: Talk, treasures: Path, tier_2: Sandbox) -> None:
    end = run(launcher, tier_2, PRY)
    assert {*str(end["tail"]).splitlines()} <= OF_ITS_OWN_KERNEL
    assert (end["code"], end["by_itself"]) == (0, True)


@pytest.mark.slow
def test_a_bot_talks_to_another_kernel_as_a_user_without_rights(launcher: Talk, tier_2: Sandbox) -> None:
    code = "import os, socket; print(os.uname().release, os.getuid(), os.getpid(), socket.gethostname())"
    release, user, pid, host = str(run(launcher, tier_2, code)["tail"]).split()
    assert release != os.uname().release
    assert (user, pid, host) == ("60999", "1", "ballcourt")


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "code"), [("sys.exit(3)", 3), ("ctypes.string_at(8)", -11), ("os.abort()", -6)])
def test_a_crash_shows_its_exit_code_and_output(launcher: Talk, tier_2: Sandbox, ending: str, code: int) -> None:
    end = run(launcher, tier_2, f"import ctypes, os, sys; print('so far', file=sys.stderr, flush=True); {ending}")
    assert end == {
        "exited": 1,
        "code": code,
        "tail": "so far\n",
        "by_itself": True,
        "limits": {},
        "lacked_processes": False,
    }


@pytest.mark.slow
def test_a_program_that_does_not_exist_is_the_fault_of_the_bot(launcher: Talk, tier_2: Sandbox) -> None:
    start(launcher, tier_2, "/usr/bin/no-such-program")
    end = launcher.hear()
    assert end["code"] == 127
    assert "/usr/bin/no-such-program: not found" in str(end["tail"])


def test_a_sandbox_that_cannot_be_created_is_the_fault_of_the_arena(launcher: Talk, tier_2: Sandbox) -> None:
    bundle = launcher.folder / "own"
    wanted = launch(LOOK, tier_2, {"BALLCOURT_SOCKET": "/nowhere/arena.sock"}, bundle)
    launcher.say(spawn=1, **asdict(wanted))
    end = launcher.hear()
    assert end["ours"]
    assert str(end["reason"]).startswith("the sandbox could not be created: ")


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_scratch_space_is_limited(launcher: Talk, tier_2: Sandbox, folder: str) -> None:
    assert run(launcher, tier_2, filling(folder))["tail"] == f"No space left on device {LIMITS.tmp_mb}\n"


@pytest.mark.slow
def test_the_size_of_files_is_limited(launcher: Talk, tier_2: Sandbox) -> None:
    assert run(launcher, tier_2, LARGE_FILE)["tail"] == f"{LIMITS.file_mb}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "taken",
    [
        "[bytearray(b'x') * (1 << 20) for _ in range(2000)]",
        "[os.write(os.memfd_create('x'), bytes(15 << 20)) for _ in range(100)]",
    ],
)
def test_memory_is_limited(launcher: Talk, tier_2: Sandbox, taken: str) -> None:
    end = run(launcher, tier_2, f"import os; {taken}; print('held it all')")
    assert "held it all" not in str(end["tail"])
    assert end["limits"] == {"OUT_OF_MEMORY": "it used more than 200 MB of memory; at most 200 are allowed"}


@pytest.mark.slow
def test_a_bot_with_too_many_processes_ends(launcher: Talk, tier_2: Sandbox) -> None:
    code = """if True:
        import os, time
        for _ in range(1000):
            if os.fork() == 0:
                time.sleep(3600)
        print('had them all')
    """
    end = run(launcher, tier_2, code)
    assert "had them all" not in str(end["tail"])
    assert end["code"] != 0


@pytest.mark.slow
def test_a_bot_may_have_the_processes_it_is_allowed(launcher: Talk, tier_2: Sandbox) -> None:
    code = f"""if True:
        import os, threading, time
        for _ in range({LIMITS.processes} // 2 - 1):
            if os.fork() == 0:
                time.sleep(3600)
        for _ in range({LIMITS.processes} // 2):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
        print('had them all')
    """
    assert run(launcher, tier_2, code)["tail"] == "had them all\n"


@pytest.mark.slow
def test_a_hanging_bot_is_ended_with_all_its_processes(launcher: Talk, tier_2: Sandbox) -> None:
    code = """if True:
        import os, signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.fork()
        os.setsid() if os.getpid() != 1 else None
        print('hanging', flush=True)
        time.sleep(3600)
    """
    start(launcher, tier_2, sys.executable, "-c", code)
    assert wait_until(lambda: len(launcher.traces.processes()) > 3)
    launcher.say(kill=1)
    end = launcher.hear()
    assert not end["by_itself"]
    assert wait_until(lambda: set(launcher.traces.processes()) == {launcher.process.pid})


@pytest.mark.slow
def test_the_processor_time_of_a_bot_is_known(launcher: Talk, tier_2: Sandbox) -> None:
    begun = time.process_time()
    sum(range(20_000_000))
    took_us = (time.process_time() - begun) * 1e6
    run(launcher, tier_2, "sum(range(20_000_000))")
    assert launcher.cpu_us > took_us / 2


def test_a_bot_without_a_folder_for_its_bundle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a folder of its own"):
        launch(LOOK, Sandbox(2, LIMITS), {"BALLCOURT_SOCKET": str(tmp_path / "arena.sock")})
