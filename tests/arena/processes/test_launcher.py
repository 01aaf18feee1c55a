"""The launcher, driven by its line protocol: what it starts, reports and cleans up."""

import errno
import os
import resource
import signal
import subprocess
import sys

import pytest

from ballcourt.arena.processes.launcher import shortage
from ballcourt.arena.sandbox.cgroups import found
from tests.arena.conftest import Talk, wait_until

BY_ITSELF = {"by_itself": True, "limits": {}, "lacked_processes": False}


def test_the_folder_of_a_launcher_is_private_and_has_a_short_path(launcher: Talk) -> None:
    assert launcher.folder.stat().st_mode & 0o777 == 0o700
    assert len(str(launcher.folder)) < 90


def test_an_exit_is_reported_with_its_code_and_the_last_output(launcher: Talk) -> None:
    launcher.spawn(1, "import sys; print('out', flush=True); sys.stderr.write('err'); sys.exit(7)")
    assert launcher.hear() == {**BY_ITSELF, "exited": 1, "code": 7, "tail": "out\nerr"}


def test_only_the_end_of_a_flood_of_output_is_kept(launcher: Talk) -> None:
    launcher.spawn(1, "print('x' * 1_000_000 + 'last', end='')")
    report = launcher.hear()
    assert len(report["tail"]) == 16 * 1024
    assert report["tail"].endswith("xlast")


def test_what_a_process_has_printed_since_the_last_time_is_told_even_of_a_flood(launcher: Talk) -> None:
    launcher.spawn(1, "import time; print('x' * 20_000, end='first', flush=True); time.sleep(600)")
    launcher.spawn(2, "while True: print('x' * 100_000)")
    told = ""
    while not told.endswith("first"):
        launcher.say(news=1)
        reply = launcher.hear()
        assert reply.keys() == {"news", "printed"}
        told = (told + reply["printed"])[-16 * 1024 :]
    assert len(told) == 16 * 1024
    launcher.say(news=1)
    assert launcher.hear() == {"news": 1, "printed": ""}
    launcher.say(news=2)
    assert launcher.hear()["news"] == 2


def test_a_flood_of_output_does_not_delay_other_starts(launcher: Talk) -> None:
    launcher.spawn(1, "while True: print('x' * 100_000)")
    launcher.spawn(2, "print('here')")
    assert launcher.hear() == {**BY_ITSELF, "exited": 2, "code": 0, "tail": "here\n"}


def test_a_failed_start_is_reported_with_its_reason(launcher: Talk) -> None:
    launcher.say(spawn=1, command=["no-such-program"], directory="/", environment={})
    report = launcher.hear()
    assert report["failed"] == 1
    assert report["reason"].startswith("could not start 'no-such-program' in /: ")
    launcher.spawn(2, "", directory="/no/such/folder")
    assert "No such file or directory: '/no/such/folder'" in launcher.hear()["reason"]


@pytest.mark.skipif(not found().memory, reason="this machine lets us make no control group for memory")
def test_a_bot_whose_files_do_not_fit_into_its_memory_is_at_fault_for_a_sandbox_that_is_not_made(
    launcher: Talk,
) -> None:
    copying = [sys.executable, "-c", "b = bytearray(b'x') * (200 << 20)"]  # to a file system in memory
    launcher.say(spawn=1, command=copying, directory="/", environment={}, memory_mb=40, wrappers=2)
    end = launcher.hear()
    assert (end.get("code"), end.get("limits")) == (
        -signal.SIGKILL,
        {"OUT_OF_MEMORY": "it used more than 40 MB of memory; at most 40 are allowed"},
    )


def test_a_machine_without_descriptors_is_not_the_bots_fault(launcher: Talk) -> None:
    soft, hard = resource.prlimit(launcher.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(launcher.process.pid, resource.RLIMIT_NOFILE, (3, hard))
    launcher.spawn(1, "")
    report = launcher.hear()
    resource.prlimit(launcher.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
    assert report["ours"]
    assert report["reason"].endswith("the launcher may not open more files (see ulimit -n)")


@pytest.mark.parametrize(
    ("code", "lacking"),
    [
        (errno.EAGAIN, "no more processes may be started (see ulimit -u, and pids.max in a container)"),
        (errno.ENOMEM, "there is no memory left for another process"),
        (errno.EMFILE, "the launcher may not open more files (see ulimit -n)"),
        (errno.ENFILE, "the whole machine may not open more files"),
        (errno.ENOENT, ""),
        (errno.EACCES, ""),
    ],
)
def test_only_some_errors_are_a_shortage_of_the_machine(code: int, lacking: str) -> None:
    assert shortage(OSError(code, os.strerror(code))) == lacking


def test_the_environment_is_clean(launcher: Talk) -> None:
    launcher.spawn(1, "import os; print(*sorted(os.environ))")
    names = set(launcher.hear()["tail"].split())
    assert names <= {"BALLCOURT_TOKEN", "FOLDER", "PATH", "HOME", "LANG", "LC_CTYPE"}


def test_standard_input_is_empty_and_core_files_are_off(launcher: Talk) -> None:
    launcher.spawn(1, "import resource, sys; print(sys.stdin.read(), resource.getrlimit(resource.RLIMIT_CORE))")
    assert launcher.hear()["tail"] == " (0, 0)\n"


def test_a_bot_that_wakes_up_preempts_no_process(launcher: Talk) -> None:
    launcher.spawn(1, "import os; print(os.sched_getscheduler(0) == os.SCHED_BATCH)")
    assert launcher.hear()["tail"] == "True\n"


def test_a_kill_ends_the_whole_process_group(launcher: Talk) -> None:
    launcher.spawn(1, "import os, time; os.fork(); print(1, flush=True); time.sleep(3600)")
    assert wait_until(lambda: len([c for c in launcher.traces.processes().values() if "3600" in c]) == 2)
    launcher.say(kill=1)
    assert launcher.hear()["code"] == -15
    assert wait_until(lambda: "3600" not in str(launcher.traces.processes()))


def test_an_exit_is_reported_with_the_cpu_time_including_children(launcher: Talk) -> None:
    burn = "import os, time\nif not os.fork():\n while time.process_time() < 0.2: pass\n os._exit(0)\nos.wait()"
    launcher.spawn(1, burn)
    assert launcher.hear()["exited"] == 1
    assert launcher.cpu_us >= 190_000
    assert 1 in launcher.pids


def test_a_stopped_bot_is_terminated_as_gracefully_as_any_other(launcher: Talk) -> None:
    ready = launcher.folder / "ready"
    polite = "import signal, sys, time; signal.signal(15, lambda *_: sys.exit(3)); "
    launcher.spawn(1, f"{polite} open({str(ready)!r}, 'w'); time.sleep(3600)")
    launcher.spawn(2, "print('the first has started')")
    assert launcher.hear()["exited"] == 2
    assert wait_until(ready.exists)
    os.kill(launcher.pids[1], signal.SIGSTOP)
    launcher.say(kill=1)
    assert launcher.hear()["code"] == 3


def test_a_bot_that_ignores_sigterm_is_killed(launcher: Talk) -> None:
    ready = launcher.folder / "ready"
    launcher.spawn(
        1, f"import signal, time; signal.signal(15, signal.SIG_IGN); open({str(ready)!r}, 'w'); time.sleep(3600)"
    )
    assert wait_until(ready.exists)
    launcher.say(kill=1)
    assert launcher.hear()["code"] == -9


def test_a_daemon_is_killed_with_its_own_bot_only(launcher: Talk) -> None:
    daemon = (
        "import os, time\nif not os.fork():\n os.setsid()\n if not os.fork(): time.sleep(3600)\n os._exit(0)\nos.wait()"
    )
    launcher.spawn(1, daemon + "; time.sleep(1800)")
    assert wait_until(lambda: len([c for c in launcher.traces.processes().values() if "1800" in c]) == 2)
    launcher.spawn(2, "print('another bot ends')")
    assert launcher.hear()["exited"] == 2
    assert len([c for c in launcher.traces.processes().values() if "1800" in c]) == 2
    launcher.say(kill=1)
    assert launcher.hear()["exited"] == 1
    assert wait_until(lambda: "1800" not in str(launcher.traces.processes()))


def test_a_daemon_whose_token_is_no_text_is_killed_too(launcher: Talk) -> None:
    daemon = """if True:
        import ctypes, os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                fields = open('/proc/self/stat').read().rpartition(')')[2].split()
                start, end = int(fields[47]), int(fields[48])
                place = start + ctypes.string_at(start, end - start).index(b'token 1')
                ctypes.memset(place, 0xFF, 7)
                os.write(1, b'hidden')
                time.sleep(3600)
            os._exit(0)
        os.wait()
        time.sleep(3600)
    """
    launcher.spawn(1, daemon)
    launcher.spawn(2, "pass")  # when it ends, the launcher looks for orphans
    assert launcher.hear()["exited"] == 2
    launcher.say(kill=1)
    assert launcher.hear()["exited"] == 1
    assert wait_until(lambda: set(launcher.traces.processes()) == {launcher.process.pid})


def test_end_of_input_ends_all_processes(launcher: Talk) -> None:
    launcher.spawn(1, "import time; time.sleep(3600)")
    launcher.spawn(2, "import os, time; os.setsid() if not os.fork() else 0; time.sleep(3600)")
    assert wait_until(lambda: len([c for c in launcher.traces.processes().values() if "3600" in c]) == 3)


def test_the_launcher_never_imports_grpc() -> None:
    code = "import sys, ballcourt.arena.processes.launcher; print('grpc' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"
