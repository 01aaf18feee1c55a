"""What a bot in tier 1 cannot reach, use up or leave behind; each attempt succeeds without the sandbox."""

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.processes.tree import generations
from ballcourt.arena.records.store import read_record
from ballcourt.arena.sandbox.tiers import Limits, Sandbox, launch
from tests.arena.conftest import LARGE_FILE, PATIENCE_S, Talk, filling, fixture_bot, wait_until
from tests.arena.users import ordinarily
from tests.bots import prying
from tests.bots.prying import TREASURE

MB = 1 << 20
SOCKET = {"BALLCOURT_SOCKET": "/tmp/arena.sock"}
LOOK = fixture_bot("prying.py")


def own(talk: Talk) -> list[int]:
    """The pids of the bots' own processes."""
    return [pid for generation in islice(generations(talk.process.pid), 3, None) for pid in generation]


def catches_sigterm(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    caught = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def run(talk: Talk, sandbox: Sandbox, code: str) -> dict[str, object]:
    """Run Python code as a bot; return how it exited."""
    return run_bot(talk, sandbox, replace(LOOK, command=(sys.executable, "-c", code)))


def run_bot(talk: Talk, sandbox: Sandbox, bot: Bot) -> dict[str, object]:
    environment = {"BALLCOURT_SOCKET": str(talk.folder / "arena.sock"), "BALLCOURT_TOKEN": "mine"}
    talk.say(spawn=1, **asdict(launch(bot, sandbox, environment)))
    return talk.hear()


def test_a_confined_bot_reaches_nothing(launcher: Talk, treasures: Path, tier_1: Sandbox) -> None:
    assert run_bot(launcher, tier_1, LOOK) == {
        "exited": 1,
        "code": 0,
        "tail": "",
        "by_itself": True,
        "limits": {},
        "lacked_processes": False,
    }


def test_an_unconfined_process_reaches_whatever_its_user_can(launcher: Talk, treasures: Path) -> None:
    found = str(run_bot(launcher, Sandbox(), fixture_bot("prying.py", str(treasures)))["tail"])
    assert f"read {treasures}/rival/{TREASURE}-rival" in found
    assert f"read {treasures}/runs/records/{TREASURE}-records" in found
    assert "connected to another program" in found
    assert "opened the memory of the arena" in found


def test_a_confined_bot_sees_little_of_the_machine(launcher: Talk, tier_1: Sandbox) -> None:
    code = """if True:
        import os, resource, socket
        print(sorted(n for n in os.listdir('/proc') if n.isdigit())[0], socket.gethostname(), os.getuid())
        print(os.environ['HOME'], os.listdir('/tmp') , sorted(k for k in os.environ if 'BALL' in k))
    """
    lines = str(run(launcher, tier_1, code)["tail"]).splitlines()
    assert lines[0] == "1 ballcourt 60999"
    assert lines[1].startswith("/tmp [")
    assert lines[1].endswith("['BALLCOURT_SOCKET', 'BALLCOURT_TOKEN']")


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_scratch_space_is_limited(launcher: Talk, tier_1: Sandbox, folder: str) -> None:
    assert run(launcher, tier_1, filling(folder))["tail"] == f"No space left on device {tier_1.limits.tmp_mb}\n"


def test_the_size_of_files_is_limited(launcher: Talk, tier_1: Sandbox) -> None:
    assert run(launcher, tier_1, LARGE_FILE)["tail"] == f"{tier_1.limits.file_mb}\n"


def test_the_number_of_processes_and_threads_is_limited(launcher: Talk, tier_1: Sandbox) -> None:
    code = """if True:
        import os, signal, time
        started = 0
        try:
            while started < 1000:
                if os.fork() == 0:
                    time.sleep(3600)
                started += 1
        except OSError as error:
            print(error.strerror, started)
    """
    error, _, started = str(run(launcher, tier_1, code)["tail"]).strip().rpartition(" ")
    assert error == "Resource temporarily unavailable"
    assert 10 < int(started) < tier_1.limits.processes


@pytest.mark.parametrize("tier", [0, 1])
def test_a_process_that_ran_out_of_memory_is_recognised_by_its_last_output(
    launcher: Talk, tier_1: Sandbox, tier: int
) -> None:
    sandbox = tier_1 if tier else Sandbox(0, Limits(memory_mb=tier_1.limits.memory_mb))
    end = run(launcher, sandbox, "bytearray(1 << 30)")
    assert end["code"] == 1
    words = "it ended with the words 'MemoryError'; at most 200 MB of memory are allowed"
    assert end["limits"] == {"OUT_OF_MEMORY": words}


@pytest.mark.parametrize(
    "attack",
    [
        "import mmap, time; m = mmap.mmap(-1, 400 << 20); [m.write(bytes(1 << 20) * 100) for _ in range(3)]; "
        "time.sleep(60)",
        "import os, time; [os.fork() for _ in range(2)]; b = os.urandom(1 << 20) * 120; time.sleep(60)",
    ],
    ids=["shared", "of several processes"],
)
def test_memory_outside_process_limits_is_measured(launcher: Talk, tier_1: Sandbox, attack: str) -> None:
    end = run(launcher, tier_1, attack)
    assert end["code"] == -signal.SIGKILL
    assert "at most 200 are allowed" in str(end["limits"])


def test_memory_shared_by_several_processes_is_counted_once(launcher: Talk, tier_1: Sandbox) -> None:
    code = """if True:
        import os, time
        shared = os.urandom(1 << 20) * 100
        children = [os.fork() for _ in range(3)]
        time.sleep(0.7)
    """
    assert run(launcher, tier_1, code)["limits"] == {}


@pytest.mark.slow
@pytest.mark.parametrize("tier", [0, 1])
@pytest.mark.parametrize(
    ("first", "ended_by"),
    [("", signal.SIGXCPU), ("import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n", signal.SIGKILL)],
    ids=["by default", "although it ignores the signal"],
)
def test_a_process_that_used_up_its_cpu_time_is_reported_as_such(
    launcher: Talk, tier_1: Sandbox, tier: int, first: str, ended_by: int
) -> None:
    limits = replace(tier_1.limits, cpu_s=1)
    sandbox = replace(tier_1, limits=limits) if tier else Sandbox(0, Limits(cpu_s=1))
    end = run(launcher, sandbox, f"{first}while True: pass")
    assert end["code"] == -ended_by
    assert end["limits"] == {"OUT_OF_CPU_TIME": "at most 1 s are allowed, over all its matches"}


def test_other_exits_are_not_blamed_on_memory(launcher: Talk, tier_1: Sandbox) -> None:
    assert run(launcher, tier_1, "raise ValueError")["limits"] == {}
    assert run(launcher, tier_1, "print('MemoryError')")["limits"] == {}


@pytest.mark.parametrize(("code", "reported"), [("exit(7)", 7), ("import os; os.kill(os.getpid(), 11)", -11)])
def test_an_exit_code_passes_through_the_wrappers(launcher: Talk, tier_1: Sandbox, code: str, reported: int) -> None:
    assert run(launcher, tier_1, code)["code"] == reported


def test_a_confined_bot_is_asked_to_exit_before_it_is_killed(launcher: Talk, tier_1: Sandbox) -> None:
    code = "import signal, sys, time; signal.signal(15, lambda *_: sys.exit(9)); print(1, flush=True); time.sleep(3600)"
    started = launch(replace(LOOK, command=(sys.executable, "-c", code)), tier_1, SOCKET)
    launcher.say(spawn=1, **asdict(started))
    assert wait_until(lambda: any(catches_sigterm(pid) for pid in own(launcher)))
    launcher.say(kill=1)
    assert launcher.hear()["code"] == 9


def test_a_sandbox_that_cannot_be_created_is_not_the_bots_fault(launcher: Talk, tier_1: Sandbox) -> None:
    started = launch(LOOK, replace(tier_1, readable=("/no/such/folder",)), SOCKET)
    launcher.say(spawn=1, **asdict(started))
    end = launcher.hear()
    assert end["ours"] is True
    assert end["reason"].startswith("the sandbox could not be created: bwrap: Can't find source path /no/such/folder")


def test_a_bot_cannot_pretend_that_its_sandbox_failed(launcher: Talk, tier_1: Sandbox) -> None:
    end = run(launcher, tier_1, "print('bwrap: Creating new namespace failed'); exit(1)")
    assert (end["exited"], end["code"]) == (1, 1)


def test_a_bot_that_ends_its_own_sandbox_has_ended_by_itself(launcher: Talk, tier_1: Sandbox) -> None:
    end = run(launcher, tier_1, "import os, signal; os.kill(-1, signal.SIGKILL); os._exit(9)")
    assert (end["exited"], end["by_itself"]) == (1, True)


def test_a_daemon_does_not_outlive_its_launcher(launcher: Talk, tier_1: Sandbox) -> None:
    code = """if True:
        import os, time
        if not os.fork():
            os.setsid()
            if not os.fork():
                time.sleep(3600)
            os._exit(0)
        os.wait()
        time.sleep(3600)
    """
    started = launch(replace(LOOK, command=(sys.executable, "-c", code)), tier_1, SOCKET)
    launcher.say(spawn=1, **asdict(started))
    assert wait_until(lambda: len(own(launcher)) == 2)
    pids = own(launcher)
    launcher.process.kill()
    assert wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
    launcher.process.wait(PATIENCE_S)
    launcher.folder.rmdir()


@pytest.mark.slow
def test_bots_are_confined_for_an_ordinary_user_too(tier_1: Sandbox, treasures: Path) -> None:
    treasures.chmod(0o777)
    bot = treasures / "prying"
    bot.mkdir()
    (bot / "bot.toml").write_text('name = "prying"\nversion = "1"\ncommand = ["{python}", "prying.py"]\n')
    shutil.copy(prying.__file__, bot)
    command = [sys.executable, "-P", "-m", "ballcourt"]
    command += ["play", "bluff", str(bot), str(bot), "--sandbox", "1", "--record-dir", "kept", "--json"]
    done = subprocess.run(
        ordinarily(command, load_bot(bot)),
        cwd=treasures,
        env={**os.environ, "HOME": str(treasures), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    record = read_record(treasures / values["record"])
    assert [fault.stderr_tail for fault in record.faults] == ["", ""], "they end at once and have nothing to say"
    assert values["sandbox"]["tier"] == 1
