"""The command that starts a program in bubblewrap, and a check whether this machine can run it.

The program, a bot or its build step, sees what its `View` mounts, and a /tmp and /dev/shm of limited size. It has no
capabilities, sees only its own processes, cannot make namespaces, and is refused system calls that no bot needs (see
`ballcourt.arena.sandbox.seccomp`).

bwrap needs no privileges: it makes a user namespace. Run by root, the bot's user would be the machine's root, whose
processes the kernel does not count; so root's bwrap builds the view and starts a second one as a user that owns
nothing.
"""

import functools
import os
import platform
import re
import resource
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ballcourt.arena.sandbox import seccomp

BOT_USER = "60999"  # an id that no distribution assigns; every bot runs as this user in the sandbox
SOCKET_FOLDER = "/run/ballcourt"
HOME = "/tmp"  # noqa: S108
SCRATCH = ("/dev/shm", HOME)  # noqa: S108
STATUS = "{status}"
"""Placeholder for the file descriptor where bwrap reports that the bot was started."""
FILTER_LOCAL, FILTER_ONLINE = "{local}", "{online}"
"""Placeholders for the one with its filter of system calls, without and with the network."""
FAMILIES = {FILTER_LOCAL: seccomp.LOCAL, FILTER_ONLINE: seccomp.ONLINE}
"""The socket families that each filter allows."""

OLDEST_BWRAP = (0, 8)  # --disable-userns
OLDEST_KERNEL = (5, 14)  # counts processes by user namespace
TOOLS = ("bwrap", "prlimit", "setpriv")

NAMESPACES = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
USER = ("--unshare-user", "--disable-userns", "--uid", BOT_USER, "--gid", BOT_USER)
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone")


@dataclass(frozen=True)
class View:
    """What a confined program sees of the machine, and what it may use."""

    directory: Path
    """Where it is started."""
    readable: Mapping[Path, Path]
    """What it may read: the path inside, and the path outside."""
    writable: tuple[Path, ...] = ()
    """Folders it may write to, with the same path inside and outside."""
    network: bool = False
    """Whether it has the machine's network."""
    processes: int = 0
    """The maximum of processes and threads; 0 means unlimited."""
    tmp_bytes: int = 0
    """The size of /tmp, and of /dev/shm; 0 means unlimited."""


def wrapped(command: Sequence[str], view: View, *, as_root: bool | None = None) -> list[str]:
    """Return the command that runs another in a sandbox; `as_root` says whether root runs it, by default as we do."""
    most = _allowed(view.processes)
    counted = ["prlimit", f"--nproc={most}:{most}", "--", *command] if view.processes else [*command]
    namespaces = NAMESPACES if view.network else (*NAMESPACES, "--unshare-net")
    last = ["--json-status-fd", STATUS, "--seccomp", FILTER_ONLINE if view.network else FILTER_LOCAL, *USER]
    if not (os.geteuid() == 0 if as_root is None else as_root):
        return ["bwrap", *last, *namespaces, *_file_system(view), "--", *counted]
    to_nobody = ["setpriv", f"--reuid={BOT_USER}", f"--regid={BOT_USER}", "--clear-groups"]
    may = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    inner = ["bwrap", *last, "--die-with-parent", "--dev-bind", "/", "/", "--chdir", str(view.directory)]
    return ["bwrap", *namespaces, *may, *_file_system(view), "--", *to_nobody, *inner, "--", *counted]


def _allowed(processes: int) -> int:
    """Return the number, or our own limit if that is lower, because a limit cannot be raised."""
    most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    return processes if most == resource.RLIM_INFINITY else min(processes, most)


def wrappers(*, as_root: bool | None = None) -> int:
    """Return the number of process generations above the bot's own: bwrap, its init, and root's second bwrap."""
    return 3 if (os.geteuid() == 0 if as_root is None else as_root) else 2


def plugged(command: Sequence[str]) -> tuple[list[str], list[int], int]:
    """Open the file descriptors of a wrapped command.

    Returns the command, the descriptors it inherits, to be closed once it runs, and the one to read for `was_started`.
    """
    status, told = os.pipe()
    filtering, written = os.pipe()
    families = next(families for part, families in FAMILIES.items() if part in command)
    os.write(written, seccomp.program(families=families))  # a pipe holds more than that
    os.close(written)
    places = {STATUS: str(told)} | dict.fromkeys(FAMILIES, str(filtering))
    return [places.get(part, part) for part in command], [told, filtering], status


def was_started(status: bytes) -> bool:
    """Whether bwrap reported that it started the bot; it reports an exit code only then."""
    return b'"exit-code"' in status


@functools.cache
def missing() -> str:
    """Return why this machine cannot run bots in bubblewrap, and what to do; empty if it can."""
    if platform.system() != "Linux":
        return f"bubblewrap needs Linux, and this is {platform.system()}"
    if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < OLDEST_KERNEL:
        return f"it needs Linux {_dotted(OLDEST_KERNEL)} or newer, and this is {os.uname().release}"
    if not seccomp.supports(platform.machine()):
        return f"the system calls of {platform.machine()} are not known; it works on {', '.join(seccomp.REFUSED)}"
    for tool in TOOLS:
        if not shutil.which(tool):
            package = "bubblewrap" if tool == "bwrap" else "util-linux"
            return f"there is no program '{tool}'; install it (apt install {package}, or dnf install {package})"
    version = _output(["bwrap", "--version"])
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < OLDEST_BWRAP:
        return f"it needs bubblewrap {_dotted(OLDEST_BWRAP)} or newer, and this is {version}"
    return _trial()


def _trial() -> str:
    """Start the program `true` like a bot; return why that failed, or an empty string."""
    readable = {path: path for path in system_paths()}
    command = wrapped(["true"], View(Path("/"), readable, processes=64, tmp_bytes=1 << 20))
    told, inherited, status = plugged(command)
    try:
        done = subprocess.run(told, capture_output=True, text=True, errors="replace", pass_fds=inherited, check=False)
    finally:
        for descriptor in (*inherited, status):
            os.close(descriptor)
    if done.returncode == 0:
        return ""
    return f"bwrap failed with '{done.stderr.strip()}'; {_remedy()}"


def _remedy() -> str:
    """Return how to allow namespaces, judging by the kernel's settings."""
    forbidding = {
        "kernel/unprivileged_userns_clone": "0",
        "kernel/apparmor_restrict_unprivileged_userns": "1",
        "user/max_user_namespaces": "0",
    }
    for setting, value in forbidding.items():
        name = setting.replace("/", ".")
        if _output_of(Path("/proc/sys") / setting) == value:
            wanted = {"0": "1", "1": "0"}[value] if name != "user.max_user_namespaces" else "10000"
            return f"allow user namespaces: sysctl {name}={wanted}, or run the arena as root"
    return "allow it to make namespaces: in a container, give the container that right (docker run --privileged)"


def system_paths() -> list[Path]:
    """List the existing folders of the system's programs and libraries, and the settings of its loader."""
    java = Path("/etc").glob("java-*")
    paths = [*map(Path, SYSTEM), *(Path("/etc") / name for name in ETC), *sorted(java)]
    return [path for path in paths if path.exists()]


def _file_system(view: View) -> Iterator[str]:
    """Yield the arguments for the file system, outer folders first; what is in /tmp is mounted onto the new one."""
    size = ("--size", str(view.tmp_bytes)) if view.tmp_bytes else ()
    yield from ("--die-with-parent", "--hostname", "ballcourt")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for scratch in SCRATCH:
        yield from ("--perms", "1777", *size, "--tmpfs", scratch)
    mounts = {inside: ("--ro-bind", outside) for inside, outside in view.readable.items()}
    mounts |= {folder: ("--bind", folder) for folder in view.writable}
    for folder in sorted({parent for path in mounts for parent in path.parents[:-1]}):
        yield from (
            "--perms",
            "0755",
            "--dir",
            str(folder),
        )  # else a mounted file's parents could not be entered
    for inside, (how, outside) in sorted(mounts.items()):
        yield from (how, str(outside), str(inside))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(view.directory))


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _output_of(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _dotted(version: Iterable[int]) -> str:
    return ".".join(map(str, version))
