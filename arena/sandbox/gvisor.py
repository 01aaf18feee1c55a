"""The command that starts a program in gVisor, and a check whether this machine can run it.

gVisor (`runsc`) is a kernel in an ordinary process. A program's system calls go to it, and it makes few of its own; so
a hole in the machine's kernel is out of a program's reach. The program has no capabilities and no network but its
own loopback, and sees what its `FileView` mounts and a /tmp and /dev/shm of limited size.

All processes of a sandbox are in the control group of its program. Only groups limit its memory and processes, and
only frozen ones stay stopped, so gVisor is used where there are some. It does not enforce RLIMIT_DATA nor RLIMIT_NPROC.
"""

import functools
import json
import os
import re
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ballcourt.arena.python import our_prefixes, our_python
from ballcourt.arena.sandbox import bubblewrap
from ballcourt.arena.sandbox.bubblewrap import (
    BOT_USER,
    DOOR,
    EMPTY,
    ENTRY,
    ENTRY_INSIDE,
    SCRATCH,
    SOCKET_FOLDER,
    FileView,
    system_paths,
)
from ballcourt.arena.sandbox.cgroups import found, passed_on
from ballcourt.arena.sandbox.registries import PROXY_HOST, PROXY_PORT

WRAPPERS = 1
"""The number of process generations above those that answer SIGTERM."""
MEMORY_MB = 64
"""What the sandbox itself takes of the memory of its control group."""
THREADS = 160
"""How many threads the sandbox itself has at most, in its control group."""
THREADS_EACH = 5
"""How many processes and threads of this machine a process in the sandbox takes; a thread takes fewer."""
OLDEST = 20221201  # --host-uds
INHERITED = ("PATH", "LANG")
NAMESPACES = ("pid", "network", "ipc", "uts", "mount")
STARTED = 'echo >&0 && cd "$1" && shift && exec "$@" < /dev/null'
"""The shell command that reports on its standard input that a program is next, enters its folder and becomes it."""
BUNDLED = 'mkdir -p "$1/rootfs" && printf %s "$2" > "$1/config.json" && shift 2 && exec "$@"'
"""The shell command that writes a bundle before it becomes another command."""
TRIAL = "import socket; socket.socket(socket.AF_UNIX).connect('{}'); open('{}', 'w').close()"


def bundled(command: Sequence[str], settings: str, folder: Path) -> list[str]:
    """Return the command that writes a bundle with these settings to a folder, and then runs another command."""
    return ["sh", "-c", BUNDLED, "sh", str(folder), settings, *command]


def run(folder: Path) -> list[str]:
    """Return the command that runs the bundle in a folder; what gVisor notes about it is there too."""
    name = f"ballcourt-{secrets.token_hex(8)}"  # the whole machine may have only one of that name
    rootless = [] if os.geteuid() == 0 else ["--rootless"]
    flags = [f"--root={folder / 'state'}", "--network=none", "--ignore-cgroups", "--host-uds=open", *rootless]
    return ["runsc", *flags, "run", "--bundle", str(folder), name]


def settings(
    command: Sequence[str], view: FileView, environment: Mapping[str, str], rlimits: Mapping[str, int] | None = None
) -> str:
    """Return the settings of a bundle: the config.json of the runtime specification of the Open Container Initiative.

    See https://github.com/opencontainers/runtime-spec/blob/v1.0.2/config.md.
    """
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    user = 0 if view.writable and os.geteuid() else int(BOT_USER)  # rootless, only 0 can own files outside
    entered = ["/bin/sh", "-c", STARTED, "sh", str(view.directory), *command]
    if view.proxy:
        door = f"{PROXY_HOST}:{PROXY_PORT}>{SOCKET_FOLDER}/{DOOR}"
        entered = [our_python(), "-I", "-S", str(ENTRY_INSIDE), "", door, str(view.directory), *command]
    process = {
        "user": {"uid": user, "gid": user},
        "args": entered,
        "env": [f"{name}={value}" for name, value in (inherited | {**environment}).items()],
        "cwd": "/",
        "capabilities": {},
        "noNewPrivileges": True,
        "rlimits": [{"type": name, "soft": most, "hard": most} for name, most in (rlimits or {}).items()],
    }
    return json.dumps(
        {
            "ociVersion": "1.0.2",
            "process": process,
            "root": {"path": "rootfs", "readonly": True},
            "hostname": "ballcourt",
            "mounts": [*_mounts(view)],
            "linux": {"namespaces": [{"type": kind} for kind in NAMESPACES]},
        }
    )


def _mounts(view: FileView) -> Iterator[dict[str, object]]:
    """Yield the mounts, outer folders first."""
    yield {"destination": "/proc", "type": "proc", "source": "proc"}
    yield {"destination": "/dev", "type": "tmpfs", "source": "tmpfs"}
    size = [f"size={view.tmp_bytes}"] if view.tmp_bytes else []
    for scratch in SCRATCH:
        yield {"destination": scratch, "type": "tmpfs", "source": "tmpfs", "options": ["mode=1777", *size]}
    proxy = {Path(SOCKET_FOLDER): view.proxy, ENTRY_INSIDE: ENTRY} if view.proxy else {}
    seen = {**view.readable, **proxy, **dict.fromkeys(view.hidden, EMPTY), **{path: path for path in view.writable}}
    for inside, outside in sorted(seen.items()):
        if outside == EMPTY and inside.is_dir():
            yield {"destination": str(inside), "type": "tmpfs", "source": "tmpfs", "options": ["ro"]}
        else:
            options = ["rbind", "rw" if inside in view.writable else "ro"]
            yield {"destination": str(inside), "type": "bind", "source": str(outside), "options": options}


@functools.cache
def missing() -> str:
    """Return why this machine cannot build and run bots in gVisor, and what to do; empty if it can."""
    if sentence := bubblewrap.missing():
        return f"archives are unpacked in tier 1, and {sentence}"
    if not shutil.which("runsc"):
        return "there is no program 'runsc'; install it (apt install runsc, or see https://gvisor.dev/docs)"
    date = re.search(r"\d{8}", bubblewrap.version_of("runsc"))
    if date and int(date[0]) < OLDEST:
        return f"it needs gVisor of {OLDEST} or newer, and this is {date[0]}"
    places = passed_on(found())
    if not (places.freezer and places.memory and places.pids):
        return "only control groups limit it, and not all are there; see 'limits' of `ballcourt doctor` for a remedy"
    return _trial()


def _trial() -> str:
    """Start a program that connects to a socket of ours and writes a file; return why that failed, or nothing."""
    with tempfile.TemporaryDirectory(prefix="ballcourt-") as place, socket.socket(socket.AF_UNIX) as listening:
        outside, written = Path(place, "sockets"), Path(place, "written")
        outside.mkdir()
        written.mkdir()
        written.chmod(0o777)
        listening.bind(str(outside / "trial"))
        (outside / "trial").chmod(0o666)
        listening.listen()
        Path(place).chmod(0o755)
        readable = {path: path for path in (*system_paths(), *our_prefixes())} | {Path(SOCKET_FOLDER): outside}
        view = FileView(Path("/"), readable, (written,), tmp_bytes=1 << 20)
        command = [our_python(), "-I", "-S", "-c", TRIAL.format(f"{SOCKET_FOLDER}/trial", written / "file")]
        bundle = Path(place, "bundle")
        return bubblewrap.failure_of("runsc", bundled(run(bundle), settings(command, view, {}), bundle))
