"""The command that starts a program in bubblewrap, and a check whether this machine can run it.

The program, a bot or its build step, sees what its `FileView` mounts and a /tmp and /dev/shm of limited size. It has no
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
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ballcourt.arena.python import our_prefixes, our_python
from ballcourt.arena.sandbox import seccomp
from ballcourt.arena.sandbox.cgroups import text
from ballcourt.arena.sandbox.registries import PROXY_HOST, PROXY_PORT

BOT_USER = "60999"  # an id that no distribution assigns; every bot is this user in the sandbox, builds also outside
SOCKET_FOLDER = "/run/ballcourt"
DOOR = "proxy"
"""The Unix socket in that folder through which a build hands a listener to its proxy."""
HOME = "/tmp"  # noqa: S108
SCRATCH = ("/dev/shm", HOME)  # noqa: S108
OWN_FOLDERS = (SOCKET_FOLDER, *SCRATCH, "/dev", "/proc")
"""Folders that each confined program has to itself."""
ENTRY, ENTRY_INSIDE = Path(__file__).with_name("entry.py"), Path("/run/ballcourt-entry.py")
"""The program that takes the last step into the sandbox: the file, and where it is in there."""
FIRST_USER, USERS = 0x70000000, 1 << 27
"""Ids that no system assigns (https://systemd.io/UIDS-GIDS). Each bot that root starts has one, outside of the sandbox.

The kernel counts some things by user: pipes, inotify, pending signals. Ids are random, so two bots may have the same
one, but none can choose whose.
"""
FILTERED = "--seccomp"
"""The argument before the file descriptor with the filter of system calls."""
FILTER_BOT, FILTER_BUILD = "{bot}", "{build}"
"""Placeholders for that descriptor."""
FILTERS = {FILTER_BOT: False, FILTER_BUILD: True}
"""Whether each filter allows the calls that only builds need."""

COUNTED = {"RLIMIT_NOFILE": 1024, "RLIMIT_SIGPENDING": 256}
"""Limits of every bot on what the kernel counts by user or for the whole machine: open files, queued signals."""
OLDEST_BWRAP = (0, 8)  # --disable-userns
OLDEST_KERNEL = (5, 14)  # counts processes by user namespace
TOOLS = ("bwrap", "setpriv")
TRIAL_S = 30.0
"""How long `bwrap` and `runsc` may take in a trial, or to say their version."""

NAMESPACES = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--unshare-net")
USER = ("--unshare-user", "--disable-userns", "--uid", BOT_USER, "--gid", BOT_USER)
EMPTY = Path(__file__).parents[2] / "py.typed"
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone")


@dataclass(frozen=True)
class FileView:
    """What a confined program sees of the machine, and what it may use."""

    directory: Path
    """Where it is started. If there is no such folder, the program ends at once."""
    readable: Mapping[Path, Path]
    """What it may read: the path inside, and the path outside."""
    writable: tuple[Path, ...] = ()
    """Folders it may write to, with the same path inside and outside."""
    proxy: Path | None = None
    """The folder of the proxy by which a build fetches libraries. Bots have none: their network leads nowhere."""
    processes: int = 0
    """The maximum of processes and threads; 0 means unlimited."""
    file_bytes: int = 0
    """The size of the largest file it may write; 0 means unlimited."""
    user: int = 0
    """The user outside of the sandbox, if root starts it; 0 means one of its own."""
    tmp_bytes: int = 0
    """The size of /tmp, and of /dev/shm; 0 means unlimited."""
    hidden: tuple[Path, ...] = ()
    """Files and folders among those that it may read that are empty inside."""


def wrapped(command: Sequence[str], view: FileView, *, as_root: bool | None = None) -> list[str]:
    """Return the command that runs another in a sandbox; `as_root` says whether root runs it, by default as we do."""
    wanted = {"RLIMIT_NPROC": view.processes, "RLIMIT_FSIZE": view.file_bytes} | ({} if view.proxy else COUNTED)
    limits = ",".join(limit for name, number in wanted.items() for limit in _limit(name, number))
    door = f"{PROXY_HOST}:{PROXY_PORT}={SOCKET_FOLDER}/{DOOR}" if view.proxy else ""
    entered = [our_python(), "-I", "-S", str(ENTRY_INSIDE), limits, door, str(view.directory), *command]
    last = [FILTERED, FILTER_BUILD if view.proxy else FILTER_BOT, *USER]
    if not (os.geteuid() == 0 if as_root is None else as_root):
        return ["bwrap", *last, *NAMESPACES, *_file_system(view), "--", *entered]
    user = view.user or FIRST_USER + secrets.randbelow(USERS)
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    may = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    inner = ["bwrap", *last, "--die-with-parent", "--dev-bind", "/", "/"]
    return ["bwrap", *NAMESPACES, *may, *_file_system(view), "--", *as_user, *inner, "--", *entered]


def _limit(name: str, number: int) -> list[str]:
    """Return the argument that sets a limit, or our own if that is lower, because a limit cannot be raised."""
    import resource  # Windows lacks it

    most = resource.getrlimit(getattr(resource, name))[1]
    allowed = number if most == resource.RLIM_INFINITY else min(number, most)
    return [f"{name}={allowed}"] if number else []


def wrappers() -> int:
    """Return the number of process generations above the bot's own: bwrap, its init, and root's second bwrap."""
    return 3 if os.geteuid() == 0 else 2


class Plugged(NamedTuple):
    """A wrapped command, and the file descriptors that were opened for it."""

    command: list[str]
    inherited: tuple[int, ...]
    """The filter of system calls if it names one, which it inherits; to be closed once it runs."""
    stdin: int
    """Its standard input; to be closed once it runs."""
    status: int
    """The other end of that, from which something is read once the program itself was started."""


def plugged(command: Sequence[str]) -> Plugged:
    """Open the file descriptors of a wrapped command, of which the words of the program are the last."""
    status, stdin = os.pipe()
    if FILTERED not in command:
        return Plugged([*command], (), stdin, status)
    before = command.index(FILTERED) + 1
    filtering, written = os.pipe()
    os.write(written, seccomp.program(spying=FILTERS[command[before]]))  # a pipe holds more than that
    os.close(written)
    return Plugged([*command[:before], str(filtering), *command[before + 1 :]], (filtering,), stdin, status)


@functools.cache
def missing() -> str:
    """Return why this machine cannot run bots in bubblewrap, and what to do; empty if it can."""
    if platform.system() != "Linux":
        return f"bubblewrap needs Linux, and this is {platform.system()}"
    if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < OLDEST_KERNEL:
        return f"it needs Linux {_dotted(OLDEST_KERNEL)} or newer, and this is {os.uname().release}"
    if platform.machine() not in seccomp.MACHINES:
        return f"the system calls of {platform.machine()} are not known; it works on {', '.join(seccomp.MACHINES)}"
    for tool in TOOLS:
        if not shutil.which(tool):
            package = "bubblewrap" if tool == "bwrap" else "util-linux"
            return f"there is no program '{tool}'; install it (apt install {package}, or dnf install {package})"
    version = version_of("bwrap")
    number = re.match(r"bubblewrap (\d+)\.(\d+)", version)
    if not number or tuple(map(int, number.groups())) < OLDEST_BWRAP:
        return f"it needs bubblewrap {_dotted(OLDEST_BWRAP)} or newer, and this is {version}"
    return _trial()


def _trial() -> str:
    """Start the program `true` like a bot; return why that failed, or an empty string."""
    readable = {path: path for path in system_paths()}
    command = wrapped(["true"], FileView(Path("/"), readable, processes=64, tmp_bytes=1 << 20))
    return failure_of("bwrap", command, f"; {_remedy()}")


def failure_of(program: str, command: Sequence[str], remedy: str = "") -> str:
    """Run a wrapped command like a bot; return why `program` failed and the remedy, or an empty string."""
    try:
        done = run_plugged(command)
    except subprocess.TimeoutExpired:
        return f"a trial with {program} did not end within {TRIAL_S:g} s"
    return f"{program} failed with '{done.stderr.strip()}'{remedy}" if done.returncode else ""


def run_plugged(
    command: Sequence[str], environment: Mapping[str, str] | None = None, directory: str = "/"
) -> subprocess.CompletedProcess[str]:
    """Run a command, wrapped or not, by default with our environment. Raises TimeoutExpired after `TRIAL_S`."""
    plugs = plugged(command)
    try:
        return subprocess.run(
            plugs.command,
            stdin=plugs.stdin,
            env=environment,
            cwd=directory,
            capture_output=True,
            text=True,
            errors="replace",
            pass_fds=plugs.inherited,
            timeout=TRIAL_S,
            check=False,
        )
    finally:
        for descriptor in (*plugs.inherited, plugs.stdin, plugs.status):
            os.close(descriptor)


def opened_door(folder: Path, *, listens: bool = False) -> socket.socket:
    """Return the Unix socket in the folder that a build sees. Raises OSError.

    It is for the listener of the build; one that itself `listens` is in place of that.
    """
    folder.chmod(0o755)
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM if listens else socket.SOCK_DGRAM)
    door.setblocking(False)
    door.bind(str(folder / DOOR))
    if listens:
        door.listen(128)
    (folder / DOOR).chmod(0o666)
    return door


def received(door: socket.socket) -> socket.socket:
    """Return the listener that a build has handed over. Raises OSError if there is none."""
    _, descriptors, _, _ = socket.recv_fds(door, 1, 1)
    if not descriptors:
        raise OSError("the message has no socket")
    listener = socket.socket(fileno=descriptors[0])
    if not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        listener.close()
        raise OSError("the socket does not listen")
    return listener


@functools.cache
def proxy_failure() -> str:
    """Return why this machine cannot give builds a network of their own with a proxy; empty if it can."""
    if sentence := missing():
        return sentence
    with tempfile.TemporaryDirectory(prefix="ballcourt-") as place, opened_door(Path(place)) as door:
        readable = {path: path for path in system_paths()}
        view = FileView(Path("/"), readable, processes=64, tmp_bytes=1 << 20, proxy=Path(place))
        if sentence := failure_of("bwrap", wrapped(["true"], view)):
            return sentence
        try:
            received(door).close()
        except OSError as error:
            return f"a trial handed over no listener: {error}"
    return ""


def _remedy() -> str:
    """Return how to allow namespaces, judging by the kernel's settings."""
    forbidding = {
        "kernel/unprivileged_userns_clone": "0",
        "kernel/apparmor_restrict_unprivileged_userns": "1",
        "user/max_user_namespaces": "0",
    }
    for setting, value in forbidding.items():
        name = setting.replace("/", ".")
        if text(Path("/proc/sys") / setting).strip() == value:
            wanted = {"0": "1", "1": "0"}[value] if name != "user.max_user_namespaces" else "10000"
            return f"allow user namespaces: sysctl {name}={wanted}, or run the arena as root"
    return "allow it to make namespaces: in a container, give the container that right (docker run --privileged)"


def system_paths() -> list[Path]:
    """List the existing folders of the system's programs and libraries, and the settings of its loader."""
    java = Path("/etc").glob("java-*")
    paths = [*map(Path, SYSTEM), *(Path("/etc") / name for name in ETC), *sorted(java)]
    return [path for path in paths if path.exists()]


def _file_system(view: FileView) -> Iterator[str]:
    """Yield the arguments for the file system, outer folders first; what is in /tmp is mounted onto the new one."""
    size = ("--size", str(view.tmp_bytes)) if view.tmp_bytes else ()
    yield from ("--die-with-parent", "--hostname", "ballcourt")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for scratch in SCRATCH:
        yield from ("--perms", "1777", *size, "--tmpfs", scratch)
    entering = {path: path for path in our_prefixes()} | {ENTRY_INSIDE: ENTRY}
    proxy = {Path(SOCKET_FOLDER): view.proxy} if view.proxy else {}
    mounts = {inside: ("--ro-bind", outside) for inside, outside in (entering | {**view.readable} | proxy).items()}
    mounts |= {folder: ("--bind", folder) for folder in view.writable}
    outermost = [path for path in mounts if mounts.keys().isdisjoint(path.parents)]
    for folder in sorted({parent for path in outermost for parent in path.parents[:-1]}):
        yield from ("--perms", "0755", "--dir", str(folder))  # else a mounted file's parents could not be entered
    folders = [path for path in view.hidden if path.is_dir()]
    mounts |= {path: ("--ro-bind", EMPTY) for path in view.hidden if path not in folders}
    for inside, how in sorted({**mounts, **dict.fromkeys(folders, ("--tmpfs",))}.items()):
        yield from (*map(str, how), str(inside))
    yield from (word for folder in folders for word in ("--remount-ro", str(folder)))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/")


def version_of(program: str) -> str:
    """Return what `program --version` prints, or that it did not end."""
    command = [program, "--version"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=TRIAL_S, check=False).stdout.strip()
    except subprocess.TimeoutExpired:
        return f"unknown ('{' '.join(command)}' did not end within {TRIAL_S:g} s)"


def _dotted(version: Iterable[int]) -> str:
    return ".".join(map(str, version))
