"""Build steps that attack the organiser, the machine's other users, or the builds of others."""

import os
import socket
import socketserver
import stat
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

from ballcourt.engine.core import WrongInput
from tests.attacks.attack import Ground, Need, deed
from tests.attacks.strangers import caching, heard, loaded, stranger
from tests.serving import serving

PASSPHRASE = "open sesame"
LEAVE_IN_HOME = """
import os, pathlib
home = pathlib.Path(os.environ.get("BALLCOURT_BUILD_CACHE", pathlib.Path.home()))
notes = home / ".compiler"
assert not notes.exists(), "POISONED"
notes.write_text("poison")
"""
TELL_ALL = """
import os, pathlib
print(*os.environ.items())
for path in pathlib.Path.home().rglob("*"):
    print(path, path.read_text() if path.is_file() else "")
raise SystemExit(1)
"""
LEAVE_TOOL = """
import os, shutil
shutil.copy("/bin/sh", "sh")
os.chmod("sh", 0o6777)
os.mkdir("open")
os.chmod("open", 0o777)
"""
REACH_OUT = """
import socket, sys
REACHED = []
def reach(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as client:
        client.settimeout(5)
        try:
            client.connect(address)
            REACHED.append(address)
        except OSError:
            pass
port = {port}
for host in ("127.0.0.1", "0.0.0.0", "{outside}"):
    reach(socket.AF_INET, (host, port))
for host in ("10.0.0.1", "192.168.0.1", "169.254.169.254"):
    reach(socket.AF_INET, (host, port), socket.SOCK_DGRAM)  # sends nothing, but needs a route
reach(socket.AF_INET6, ("::1", port))
reach(socket.AF_UNIX, chr(0) + "{abstract}")
reach(socket.AF_UNIX, "{path}")
def ask(line):
    with socket.create_connection(("127.0.0.1", 3128)) as proxy:
        proxy.settimeout(60)
        proxy.sendall((line + " HTTP/1.1\\r\\n\\r\\n").encode())
        try:
            answer = proxy.recv(100).decode()
        except TimeoutError:  # it waits for the server, which does not answer
            sys.exit(f"REACHED {{[*REACHED, line]}}")
    if not answer.startswith(("HTTP/1.1 4", "HTTP/1.1 502")):
        REACHED.append(line)
names = ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "0.0.0.0", "[::]", "2130706433", "0x7f000001", "0177.0.0.1"]
names += ["127.1", "127.255.255.254", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"]
names += ["{outside}", "10.0.0.1", "192.168.0.1", "169.254.169.254", "[fd00:ec2::254]", "100.100.100.200"]
for name in names:
    ask(f"CONNECT {{name}}:{{port}}")
    ask(f"CONNECT {{name}}:443")
    ask(f"GET http://{{name}}:{{port}}/")
print(sys.argv[0], "REACHED", REACHED)
raise SystemExit(1)
"""
GO_ON = """
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)", "{mark}"], start_new_session=True)
"""
BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
FILL = """
import os
kept = []
while True:
    kept.append(open("filler", "wb", buffering=0))
    os.unlink("filler")
    kept[-1].write(bytes(1 << 20))
"""
DOWNLOAD = """
import socket
while True:
    with socket.create_connection(("127.0.0.1", 3128)) as proxy:
        proxy.sendall(b"CONNECT {place} HTTP/1.1\\r\\n\\r\\n")
        while proxy.recv(1 << 16):
            pass
"""
SLEEP = "import time; time.sleep(3600)"
HOG = "kept = [bytearray(1 << 20) for _ in range(1 << 20)]"
LINK_OUT = """
import os
os.symlink("{target}", "link")
"""


def failed_build(ground: Ground, folder: Path, code: str, **limits: object) -> str:
    """Build a bot in the sandbox; return why that failed, with its output, or an empty string."""
    sandbox = replace(ground.sandbox, build=replace(ground.sandbox.build, **limits))  # type: ignore[arg-type]
    path = stranger(folder, ["{python}", "honest.py"], build=["{python}", "b.py"], files={"b.py": code})
    try:
        loaded(path, sandbox)
    except WrongInput as error:
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    return ""


@contextmanager
def environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Set variables of our environment for a while."""
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


@deed("poisons the home of a build", Need.CONFINEMENT)
def poison_the_home(ground: Ground) -> list[str]:
    """Leave something in the home of the build for another bot of the same name."""
    with ground.folder() as folder, caching(folder / "cache"):
        message = [failed_build(ground, folder / who, f"{LEAVE_IN_HOME}\n# {who}") for who in ("one", "other")]
        assert message[0] == "", message[0]
        return (
            ["a build found what another had left"] if "POISONED" in message[1] else [message[1]] if message[1] else []
        )


@deed("a passphrase in the settings", Need.CONFINEMENT)
def passphrase_in_settings(ground: Ground) -> list[str]:
    """Read the organiser's settings of package managers."""
    with ground.folder() as folder, caching(folder / "cache"):
        home = folder / "home"
        for name, text in (
            (".npmrc", f"registry=https://mirror/\n//mirror/:phrase={PASSPHRASE}\n"),
            (".config/pip/pip.conf", f"[global]\nkeyring-phrase = {PASSPHRASE}\n"),
            (".m2/settings.xml", f"<settings><servers><phrase>{PASSPHRASE}</phrase></servers></settings>"),
        ):  # fmt: skip
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text)
        with environment({"HOME": str(home)}):
            message = failed_build(ground, folder / "bot", TELL_ALL)
        assert "HOME" in message, message
        return ["a build got a passphrase"] if PASSPHRASE in message else []


@deed("a passphrase in the environment", Need.CONFINEMENT)
def passphrase_in_environment(ground: Ground) -> list[str]:
    """Read the organiser's variables."""
    hidden = "swordfish"
    variables = {"MAVEN_OPTS": f"-Dkeystore={hidden}", "HTTP_PROXY": f"http://me:{hidden}@proxy", "PHRASE": hidden}
    with ground.folder() as folder, caching(folder / "cache"), environment(variables):
        message = failed_build(ground, folder / "bot", TELL_ALL)
        assert "HOME" in message, message
        return ["a build got a passphrase"] if hidden in message else []


@deed("leaves a setuid program", Need.CONFINEMENT)
def leave_a_setuid_program(ground: Ground) -> list[str]:
    """Leave a program with the rights of the arena's user, and a folder where all may write, to the machine's users."""
    with ground.folder() as folder, caching(folder / "cache"):
        if message := failed_build(ground, folder / "bot", LEAVE_TOOL):
            return [message]
        left = [path for path in (folder / "cache").rglob("*") if not path.is_symlink()]
        problems = [f"left {path}" for path in left if path.lstat().st_mode & (stat.S_ISUID | stat.S_ISGID | 0o002)]
        doors = [path for path in (folder / "cache").iterdir() if path.stat().st_mode & 0o077]
        return problems + [f"others may enter {path}" for path in doors]


@deed("leaves a pipe in its build", Need.CONFINEMENT)
def leave_a_pipe(ground: Ground) -> list[str]:
    """Leave something that blocks a process which copies the build. In gVisor, none of that reaches the disk."""
    with ground.folder() as folder, caching(folder / "cache") as cache:
        message = failed_build(ground, folder / "bot", "import os; os.mkfifo('weights')")
        is_refused = "weights, in the folder of a bot, is neither a file nor" in message
        is_left = any(path.is_fifo() for path in cache.rglob("*"))
        return [] if is_refused or not (message or is_left) else [f"the message is: {message}"]


@deed("goes on after its build", Need.CONFINEMENT)
def go_on_after_the_build(ground: Ground) -> list[str]:
    """Leave a daemon that could change the bot once it is hashed."""
    with ground.folder() as folder, caching(folder / "cache"):
        if message := failed_build(ground, folder / "bot", GO_ON.format(mark=ground.traces.folder)):
            return [message]
        return [f"{command} goes on" for command in ground.traces.processes().values() if "3600" in command]


@deed("a link out of its build", Need.CONFINEMENT)
def link_out_of_the_build(ground: Ground) -> list[str]:
    """Have the build make a link to a file of the organiser, which the bot reads."""
    with ground.folder() as folder, caching(folder / "cache"):
        secret = folder / "secret"
        secret.write_text("gold")
        build = LINK_OUT.format(target=secret)
        look = "import sys; sys.exit(open('link').read())"
        files = {"b.py": build, "look.py": look}
        path = stranger(folder / "bot", ["{python}", "look.py"], build=["{python}", "b.py"], files=files)
        try:
            [message] = heard(ground.sandbox, loaded(path, ground.sandbox))
        except WrongInput:
            return []
        return ["read a file of the organiser"] if "gold" in message else []


@deed("reaches what listens on this machine", Need.CONFINEMENT)
def reach_out(ground: Ground) -> list[str]:
    """Connect to servers of this machine, its network and its cloud, directly and through the proxy in any spelling."""
    name = f"attacked-{os.getpid()}"
    with (
        ground.folder() as folder,
        caching(folder / "cache"),
        socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True) as server,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
    ):
        abstract.bind(f"\0{name}")
        named.bind(str(folder / "open"))
        (folder / "open").chmod(0o777)
        for listener in (server, abstract, named):
            listener.listen()
        outside = {
            "port": server.getsockname()[1],
            "outside": _own_address(),
            "abstract": name,
            "path": folder / "open",
        }
        message = failed_build(ground, folder / "bot", REACH_OUT.format(**outside))
        assert "REACHED" in message, message
        silent = [] if "was refused: localhost" in message else ["the log does not say what was refused"]
        return silent if "REACHED []" in message else [*silent, message.partition("REACHED ")[2].splitlines()[0]]


def _exceeding(ground: Ground, code: str, words: str, **limits: object) -> list[str]:
    """Build a bot that exceeds a limit of builds; it must end with these words, and leave nothing."""
    with ground.folder() as folder, caching(folder / "cache") as cache:
        message = failed_build(ground, folder / "bot", code, **limits)
        problems = [] if words in message.partition("\n")[0] else [f"the message is: {message[:500]}"]
        left = [path for part in ("builds", "homes") for path in (cache / part).glob("*")]
        return problems + [f"left {path}" for path in left]


@deed("fork bomb in its build", Need.CONFINEMENT)
def bomb_in_the_build(ground: Ground) -> list[str]:
    """Start processes without end."""
    return _exceeding(ground, BOMB, "had 48 processes and threads at the same time")


@deed("disk filler in its build", Need.CONFINEMENT)
def fill_the_disk_in_the_build(ground: Ground) -> list[str]:
    """Write files that have no name any more."""
    return _exceeding(ground, FILL, "took more than 32 MB on the disk")


@deed("memory hog in its build", Need.CONFINEMENT)
def hog_memory_in_the_build(ground: Ground) -> list[str]:
    """Take memory without end."""
    return _exceeding(ground, HOG, "at most 256 ")


@deed("sleeps in its build", Need.CONFINEMENT)
def sleep_in_the_build(ground: Ground) -> list[str]:
    """Never end."""
    return _exceeding(ground, SLEEP, "took longer than 2 s", time_s=2)


@deed("downloads without end", Need.CONFINEMENT)
def download_in_the_build(ground: Ground) -> list[str]:
    """Fetch from a host that the organiser has named, over many connections."""
    with endless() as place:
        return _exceeding(ground, DOWNLOAD.format(place=place), "exchanged more than 1 MB", hosts=(place,))


def endless() -> AbstractContextManager[str]:
    """Serve bytes without end on loopback, 256 KB at a time; yield HOST:PORT."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(bytes(1 << 18))

    return serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler))


def _own_address() -> str:
    """Return an address of this machine besides loopback, where it has one; asking sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.2"
        return str(probe.getsockname()[0])


ATTACKS = (
    poison_the_home,
    passphrase_in_settings,
    passphrase_in_environment,
    leave_a_setuid_program,
    leave_a_pipe,
    go_on_after_the_build,
    link_out_of_the_build,
    reach_out,
    bomb_in_the_build,
    fill_the_disk_in_the_build,
    hog_memory_in_the_build,
    sleep_in_the_build,
    download_in_the_build,
)
