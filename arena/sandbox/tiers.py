"""The sandbox of a bot: its tier, its limits, and the command that starts a process in it.

Tier 0 is a plain process. Tier 1 wraps it in bubblewrap (see `arena.sandbox.bubblewrap`): no network, its own process
space, and no files except the system's and its own. Its build step is wrapped too, with compilers and a proxy to
registries added. Tier 2 builds and runs a bot in gVisor instead (see `arena.sandbox.gvisor`). A
container or a virtual machine around the worker is up to the organiser.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.image import own_part, shared_files
from ballcourt.arena.bots.packages import read_package_list
from ballcourt.arena.extras import needs_linux
from ballcourt.arena.sandbox import gvisor
from ballcourt.arena.sandbox.bubblewrap import (
    BOT_USER,
    HOME,
    OWN_FOLDERS,
    SOCKET_FOLDER,
    FileView,
    missing,
    wrapped,
    wrappers,
)
from ballcourt.arena.sandbox.launch import Launch
from ballcourt.arena.sandbox.registries import hidden_settings
from ballcourt.arena.sandbox.toolchains import build_variables, without_links
from ballcourt.arena.sandbox.visible import build_objection, build_paths, objection, visible_paths
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import SandboxLimits

MB = 1 << 20
TIERS = (0, 1, 2)
MOST = 1 << 24
"""The largest number a limit can be."""
LEAST_MEMORY_MB = 8
"""The smallest limit on memory: with less, not even the runtime of a bot starts."""
GVISOR = 2
CONFINED_ONLY = ("processes", "tmp_mb", "readable")
PROXIED_ONLY = ("fetch_mb", "hosts")
"""The limits of a build that hold where it has a proxy."""
PUBLIC = "*"
"""The word for every public host."""


class SandboxError(WrongInput):
    """This machine cannot confine bots as asked, or a bot cannot run confined; the sentence says what to do."""


@dataclass(frozen=True)
class Limits:
    """What the processes of one bot may use; 0 means unlimited. Raises SandboxError for an invalid number."""

    memory_mb: int = 0
    """The data of each process, and the memory of all together."""
    processes: int = 0
    """Simultaneous processes and threads."""
    file_mb: int = 0
    """The largest file."""
    tmp_mb: int = 0
    """The size of /tmp, and of /dev/shm."""
    cpu_s: int = 0
    """Processor time of one process, over all its matches."""

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if type(value) is not int or not 0 <= value <= MOST:
                raise SandboxError(f"{limit.name} is {value!r}; it must be a whole number from 0, no limit, to {MOST}")
        if 0 < self.memory_mb < LEAST_MEMORY_MB:
            raise SandboxError(
                f"memory_mb is {self.memory_mb}, with which no bot starts; it must be 0, no limit, or at least "
                f"{LEAST_MEMORY_MB}; a Python bot needs about 100"
            )

    def rlimits(self) -> dict[str, int]:
        """Return the limits of each process, by name of the resource. RLIMIT_AS would stop node and go."""
        wanted = {
            "RLIMIT_DATA": self.memory_mb * MB,
            "RLIMIT_FSIZE": self.file_mb * MB,
            "RLIMIT_CPU": self.cpu_s,
        }
        return {name: value for name, value in wanted.items() if value} | {"RLIMIT_CORE": 0}

    def to_message(self) -> SandboxLimits:
        """Return the limits as a message of the record."""
        return SandboxLimits(**asdict(self))


TIER_1 = Limits(memory_mb=1024, processes=128, file_mb=64, tmp_mb=64)
"""The default limits of a bot in tier 1; the clock bounds its processor time."""
BUILD_TMP_MB = 2048
"""The most that a build has as /tmp, and as /dev/shm, which are in memory."""
BUILD_TAIL_BYTES = 128 * 1024
"""How many bytes of a build step's output are kept; the first of a compiler's errors is often the important one."""
COPIED = 'cp -Rp "$1" "$2" && shift 2 && exec "$@"'
"""The shell command that copies a folder before it becomes another command."""
BUILD_CACHE = "BALLCOURT_BUILD_CACHE"
"""The environment variable of the folder that is kept between the builds of a bot."""


@dataclass(frozen=True)
class BuildLimits:
    """What one build may use; 0 means unlimited."""

    time_s: int = 1200
    memory_mb: int = 0
    processes: int = 0
    disk_mb: int = 0
    fetch_mb: int = 0
    at_once: int = 4
    """How many builds run at the same time, of all commands that share a cache."""
    hosts: tuple[str, ...] = ()
    """What a confined build may reach besides the configured registries."""
    packages: str = ""
    """The file of the Python packages of which the environments of bots may consist; empty: any."""

    def of_processes(self) -> Limits:
        """Return those that the kernel enforces. Raises SandboxError."""
        tmp_mb = min(self.disk_mb or BUILD_TMP_MB, BUILD_TMP_MB)
        return Limits(memory_mb=self.memory_mb, processes=self.processes, file_mb=self.disk_mb, tmp_mb=tmp_mb)


BUILD = BuildLimits(memory_mb=8192, processes=4096, disk_mb=8192, fetch_mb=8192, hosts=(PUBLIC,))
"""The default limits of a build in tier 1: room for a compiler per processor, and their output."""


@dataclass(frozen=True)
class Sandbox:
    """The confinement of the bots of a match; none by default."""

    tier: int = 0
    limits: Limits = field(default_factory=Limits)
    readable: tuple[str, ...] = ()
    """Absolute paths that a bot may read besides the system's and its own."""
    build: BuildLimits = field(default_factory=BuildLimits)

    def to_table(self) -> dict[str, object]:
        """Return it as the table [sandbox] of a tournament file."""
        own = {"tier": self.tier, **asdict(self.limits), "readable": list(self.readable)}
        build = {name: value for name, value in asdict(self.build).items() if value != ""}
        return {**own, "build": {**build, "hosts": list(self.build.hosts)}}

    def describe(self) -> str:
        """Return it in a few words."""
        limits = [f"{name} {value}" for name, value in asdict(self.limits).items() if value]
        return ", ".join([f"sandbox tier {self.tier}", *limits])

    def cautions(self) -> list[str]:
        """Return in which ways it is weaker than the tier is by default, a sentence each, and the flag against it."""
        if not self.tier:
            return []
        sentences = [
            f"{who} have no limit on {name}; --set {table}.{name}={usual[name]} sets the usual one"
            for who, table, own, usual in (
                ("bots", "sandbox", asdict(self.limits), asdict(TIER_1)),
                ("builds", "sandbox.build", asdict(self.build), asdict(BUILD)),
            )
            for name, value in own.items()
            if name != "hosts" and usual[name] and not value
        ]
        if named := [host for host in self.build.hosts if host != PUBLIC]:
            sentences.append(
                f"builds may reach {', '.join(named)}; --set sandbox.build.hosts='[\"{PUBLIC}\"]' takes it back"
            )
        if self.readable:
            sentences.append(
                f"bots and their builds may read {', '.join(self.readable)}; --set sandbox.readable=[] takes it back"
            )
        return sentences


NO_SANDBOX = Sandbox()


def sandbox_of(values: Mapping[str, object]) -> Sandbox:
    """Make a sandbox from the table of a tournament file; each tier has its own defaults. Raises SandboxError."""
    given = dict(values)
    build = dict(given.pop("build", {}))  # type: ignore[call-overload]
    tier = given.pop("tier", 0)
    if tier not in TIERS:
        raise SandboxError(f"sandbox: tier is {tier!r}; it must be 0, plain processes, 1, bubblewrap, or 2, gVisor")
    for name in CONFINED_ONLY:
        if tier == 0 and name in given:
            raise SandboxError(f"sandbox: {name} needs tier 1, and the tier is 0; give tier = 1, or leave {name} out")
    for name in PROXIED_ONLY:
        if tier == 0 and name in build:
            raise SandboxError(
                f"sandbox: build.{name} needs tier 1, and the tier is 0, where builds use the network of this machine; "
                f"give tier = 1, or leave {name} out"
            )
    readable = given.pop("readable", ())
    known = asdict(TIER_1 if tier else Limits())
    try:
        limits = Limits(**{**known, **given})
    except SandboxError as error:
        raise SandboxError(f"sandbox: {error}") from None
    return Sandbox(tier, limits, tuple(readable), _build_limits(build, is_confined=tier > 0))  # type: ignore[arg-type]


def _build_limits(given: Mapping[str, object], *, is_confined: bool) -> BuildLimits:
    limits = replace(BUILD if is_confined else BuildLimits(), **given)  # type: ignore[arg-type]
    try:
        limits.of_processes()
    except SandboxError as error:
        raise SandboxError(f"sandbox: build.{error}") from None
    return limits


def unavailable(tier: int) -> str:
    """Return why this machine cannot offer a tier, and what to do; empty if it can."""
    if tier and sys.platform != "linux":
        return "it needs Linux"
    if tier == GVISOR:
        return gvisor.missing()
    return missing() if tier else ""


def require(sandbox: Sandbox) -> None:
    """Raise SandboxError if this machine cannot offer the sandbox, and OtherSystem for limits where there are none.

    Raises PackageListError for a list of packages that cannot be used.
    """
    if sandbox != NO_SANDBOX:
        needs_linux("sandbox: tiers and limits need")
    if sandbox.build.packages:
        read_package_list(Path(sandbox.build.packages))
    if not sandbox.tier:
        return
    if sentence := unavailable(sandbox.tier):
        raise SandboxError(f"sandbox tier {sandbox.tier} is not available: {sentence}")
    for path in map(Path, sandbox.readable):
        if not os.path.exists(path):  # noqa: PTH110  # Path raises for a name that is too long
            raise SandboxError(f"sandbox: readable names {path}, which does not exist")
        if own := next((folder for folder in OWN_FOLDERS if Path(folder).is_relative_to(path)), ""):
            raise SandboxError(
                f"sandbox: readable names {path}, but every bot has a {own} of its own; name what bots need in {path}"
            )


def check_startable(bot: Bot, sandbox: Sandbox) -> None:
    """Raise SandboxError if a bot is known to be unable to start in the sandbox."""
    if sandbox.tier and (sentence := objection(bot, sandbox.readable)):
        raise SandboxError(f"sandbox: {sentence}")


def launch(bot: Bot, sandbox: Sandbox, environment: Mapping[str, str], own: Path | None = None) -> Launch:
    """Return how to start a bot with these variables; its socket must be alone in its folder.

    If the bot has an image, the start copies it to `own`, which does not exist yet. Tier 2 needs that folder anyway.
    """
    if not sandbox.tier:
        rlimits, memory_mb = sandbox.limits.rlimits(), sandbox.limits.memory_mb
        return Launch([*bot.command], str(bot.directory), dict(environment), rlimits, memory_mb, 0)
    socket = Path(environment["BALLCOURT_SOCKET"])
    inside = {"HOME": HOME, "BALLCOURT_SOCKET": f"{SOCKET_FOLDER}/{socket.name}"}
    readable = {path: path for path in visible_paths(bot, sandbox.readable)} | {Path(SOCKET_FOLDER): socket.parent}
    copy = own / "bot" if own and sandbox.tier == GVISOR else own
    copying: list[str] = []
    if bot.image and copy:
        readable[bot.home] = copy
        readable |= {bot.home / path: bot.image / "shared" / path for path in shared_files(bot.image)}
        copying = ["sh", "-c", COPIED, "sh", str(own_part(bot.image)), str(copy)]
    hidden = hidden_settings([path for path in readable if path != bot.home], sandbox.readable)
    view, variables = FileView(bot.directory, readable, hidden=tuple(hidden)), {**environment, **inside}
    if sandbox.tier == GVISOR:
        if not own:
            raise ValueError("in tier 2 a bot needs a folder of its own")
        return _in_gvisor(bot.command, view, variables, sandbox.limits, own, copying)
    started = _confined(bot.command, view, variables, sandbox.limits)
    return replace(started, command=[*copying, *started.command])


@dataclass(frozen=True)
class BuildPlan:
    """What a build step runs, where, and in which virtual environment."""

    command: tuple[str, ...]
    directory: Path
    venv: Path | None = None


def launch_build(
    bot: str, plan: BuildPlan, writable: tuple[Path, ...], home: Path, sandbox: Sandbox, proxy: Path
) -> Launch:
    """Return how to run a build step of a bot with this name.

    A confined step fetches libraries through the proxy that has this folder, and may write only to the writable
    folders, of which its home is one. Raises SandboxError if it could not start.
    """
    limits, command = sandbox.build.of_processes(), plan.command
    if not sandbox.tier:
        own, most = os.environ | {BUILD_CACHE: str(home)}, limits.memory_mb
        started = Launch([*command], str(plan.directory), own, limits.rlimits(), most, 0, limits.processes)
        return replace(started, tail_bytes=BUILD_TAIL_BYTES)
    paths = build_paths(sandbox.readable, plan.venv)
    if sentence := build_objection(bot, command, plan.directory, [*paths, *writable]):
        raise SandboxError(f"sandbox: {sentence}")
    readable = {path: path for path in paths}
    hidden = tuple(hidden_settings(paths, sandbox.readable))
    view = FileView(plan.directory, readable, writable, proxy=proxy, user=int(BOT_USER), hidden=hidden)
    variables = build_variables(home) | {BUILD_CACHE: str(home)}
    if sandbox.tier == GVISOR:
        variables["PATH"] = without_links(os.environ.get("PATH", os.defpath))
        started = _in_gvisor(command, view, variables, limits, proxy.with_name("bundle"), [])
    else:
        started = _confined(command, view, variables, limits)
    return replace(started, tail_bytes=BUILD_TAIL_BYTES)


def _confined(command: Sequence[str], view: FileView, environment: dict[str, str], limits: Limits) -> Launch:
    limited = replace(view, processes=limits.processes, file_bytes=limits.file_mb * MB, tmp_bytes=limits.tmp_mb * MB)
    rlimits = limits.rlimits()
    rlimits.pop("RLIMIT_FSIZE", None)  # what is copied for the bot may be larger than what it may write
    return Launch(wrapped(command, limited), "/", environment, rlimits, limits.memory_mb, wrappers(), limits.processes)


def _in_gvisor(
    command: Sequence[str],
    view: FileView,
    environment: dict[str, str],
    limits: Limits,
    own: Path,
    first: Sequence[str],
) -> Launch:
    """Return how to run a command in gVisor, with its bundle in `own`; `first` is a command that becomes another."""
    rlimits = {"RLIMIT_FSIZE": limits.file_mb * MB, "RLIMIT_CPU": limits.cpu_s}
    limited = replace(view, tmp_bytes=limits.tmp_mb * MB)
    settings = gvisor.settings(command, limited, environment, {name: most for name, most in rlimits.items() if most})
    return Launch(
        gvisor.bundled([*first, *gvisor.run(own)], settings, own),
        "/",
        environment,
        {"RLIMIT_CORE": 0},
        limits.memory_mb,
        gvisor.WRAPPERS,
        limits.processes and gvisor.THREADS + limits.processes * gvisor.THREADS_EACH,
        sandbox_mb=gvisor.MEMORY_MB,
    )
