"""Build steps in tiers 1 and 2: what they cannot reach, change or leave behind, and what they get."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, BotError, load_bot
from ballcourt.arena.building.builds import built, ready
from ballcourt.arena.fetching.configured import answered
from ballcourt.arena.sandbox import registries
from ballcourt.arena.sandbox.tiers import GVISOR, Sandbox, SandboxError
from ballcourt.arena.sandbox.toolchains import TOOLCHAINS
from tests.arena.conftest import PATIENCE_S, Traces, wait_until
from tests.arena.sandbox.test_gvisor import OF_ITS_OWN_KERNEL
from tests.arena.users import ordinarily
from tests.bots import prying
from tests.bots.prying import TREASURE
from tests.needs import lack
from tests.serving import serving

Write = Callable[..., Bot]

PRY = """
import os, pathlib
os.environ["BALLCOURT_TOKEN"] = "none"
import prying
found = {*prying.files(HOME), *prying.files(RUNS)}
if CONFINED:
    found |= {*prying.processes(), *prying.system_files(), *prying.privileges(), *prying.calls()}
places = ("/", "/etc", "/usr", "/dev", "/var/tmp") if CONFINED else ()
for path in (pathlib.Path(folder, "ballcourt-treasure-written") for folder in (HOME, *places)):
    if prying.works(lambda: path.write_text("x")):
        path.unlink()
        found.add(f"wrote into {path.parent}")
prying.works(lambda: pathlib.Path(os.getcwd()).with_name("neighbour").write_text("x"))  # confined: in its own /tmp
found -= OWN
print(*sorted(found), sep=chr(10))
exit(1 if found else 0)
"""
DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 100)
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(3600)", MARK])
    os._exit(0)
os.wait()
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty home of an organiser; the build cache is elsewhere."""
    for variable, _, _ in TOOLCHAINS:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def write(tmp_path: Path, home: Path) -> Write:
    """Writes a bot whose build step is Python code or another command."""

    def write(code: str, name: str = "mia", step: tuple[str, ...] = ("{python}", "build.py")) -> Bot:
        folder = tmp_path / "bots" / name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(prying.__file__, folder)
        (folder / "build.py").write_text(code)
        toml = f'name = "{name}"\nversion = "1"\ncommand = ["{{python}}", "-c", ""]\nbuild = {list(step)}\n'
        (folder / "bot.toml").write_text(toml)
        return load_bot(folder)

    return write


def complaint(bot: Bot, sandbox: Sandbox) -> str:
    """Return the output of a bot's build step, which must fail."""
    with pytest.raises(BotError) as failed:
        built(bot, sandbox)
    return "\n".join([str(failed.value), *getattr(failed.value, "__notes__", ())])


def running(mark: str) -> Iterator[int]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "cmdline").read_bytes().split(b"\0"):
                yield int(process.name)
        except OSError:
            continue  # it ended meanwhile


@pytest.mark.parametrize("tier", [0, 1])
def test_only_an_unconfined_build_reaches_the_files_of_the_organiser(
    tmp_path: Path, home: Path, write: Write, confined: Sandbox, tier: int
) -> None:
    runs = tmp_path / "runs"
    for place in (home / ".ssh", runs):
        place.mkdir()
        (place / TREASURE).write_text("seed = 7")
    own = OF_ITS_OWN_KERNEL if confined.tier == GVISOR else set()
    bot = write(f"HOME, RUNS, CONFINED, OWN = {str(home)!r}, {str(runs)!r}, {tier}, {{*{[*own]}}}\n{PRY}")
    if tier:
        built(bot, confined)
    else:
        reached = [f"read {home}/.ssh/{TREASURE}", f"read {runs}/{TREASURE}", f"wrote into {home}"]
        assert complaint(bot, Sandbox()).splitlines()[1:] == [f"| {line}" for line in reached]
    assert (tmp_path / "cache" / "builds" / "neighbour").exists() == (not tier)


def test_a_build_sees_no_other_bot_and_no_other_build(tmp_path: Path, write: Write, confined: Sandbox) -> None:
    built(write("", "bob"), confined)
    places = [str(tmp_path / place) for place in ("", "cache/builds", "cache/homes")]
    bot = write(f"import os; print(*map(os.listdir, {places})); exit(1)")
    assert complaint(bot, confined).splitlines()[1:] == [f"| ['cache'] ['{bot.content_hash}'] ['{bot.content_hash}']"]


@pytest.mark.parametrize("tier", [0, 1])
def test_a_daemon_does_not_outlive_the_build(
    tmp_path: Path, write: Write, confined: Sandbox, traces: Traces, tier: int
) -> None:
    mark = f"daemon of {tmp_path}"
    built(write(DAEMON.replace("MARK", repr(mark))), confined if tier else Sandbox())
    assert wait_until(lambda: not [*running(mark)] and not traces.processes())


def test_a_build_ends_with_the_arena(tmp_path: Path, write: Write, confined: Sandbox, traces: Traces) -> None:
    mark = f"build of {tmp_path}"
    bot = write(
        "open('begun', 'w'); import os, sys; "
        f"os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(3600)', {mark!r}])"
    )
    program = f"""if True:
        from ballcourt.arena.bots.bot import load_bot
        from ballcourt.arena.building.builds import built
        from ballcourt.arena.sandbox.tiers import Sandbox
        built(load_bot({str(bot.folder)!r}), Sandbox({confined.tier}))
    """
    arena = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
    assert wait_until(lambda: bool([*tmp_path.glob("cache/builds/*/begun")]))
    arena.kill()
    arena.wait(PATIENCE_S)
    assert wait_until(lambda: not [*running(mark)] and not traces.processes())


def test_only_an_unconfined_build_reaches_what_listens_on_this_machine(
    write: Write, confined: Sandbox, tmp_path: Path
) -> None:
    name = f"\0{TREASURE}-{tmp_path.name}"
    with socket.create_server(("127.0.0.1", 0)) as open_to_all, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(name)
        abstract.listen()
        code = f"""if True:
            import socket
            for family, address in ((socket.AF_INET, {open_to_all.getsockname()!r}), (socket.AF_UNIX, {name!r})):
                with socket.socket(family) as client:
                    print("got", client.connect_ex(address))
            exit(1)
        """
        assert complaint(write(code), Sandbox()).count("got 0") == 2
        assert complaint(write(code), confined).splitlines()[1:] == ["| got 111", "| got 111"], "refused"


@pytest.mark.slow
@pytest.mark.parametrize("is_named", [False, True])
def test_a_build_reaches_a_server_through_the_proxy_only_if_the_organiser_has_named_it(
    write: Write, confined: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    (tmp_path / "library").write_text("of great use")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as place:
        if is_named:
            monkeypatch.setenv("PIP_INDEX_URL", f"http://{place}/simple")
        answered.cache_clear()
        code = f"""if True:
            import urllib.error, urllib.request
            proxy = urllib.request.getproxies()["http"].removeprefix("http://")
            request = urllib.request.Request("http://{place}/library")
            request.set_proxy(proxy, "http")
            try:
                print(urllib.request.build_opener(urllib.request.ProxyHandler({{}})).open(request).read().decode())
            except urllib.error.HTTPError as error:
                print(error.code, error.read().decode())
            exit(1)
        """
        output = complaint(write(code), confined)
    answered.cache_clear()
    closed = f"{place} is closed to builds: it is an address of this machine, and no registry that a package manager"
    if is_named:
        assert "| of great use" in output
        assert f"exchanged 0.2 KB with {place}" in output
    else:
        assert f"| 403 {closed}" in output
        assert f"was refused: {closed}" in output


def test_a_built_copy_is_readable_by_the_bot_and_owned_by_the_arena(write: Write, confined: Sandbox) -> None:
    code = """if True:
        import os
        os.mkdir("closed")
        for name in ("closed/model", "tool"):
            open(name, "w").close()
        os.chmod("closed/model", 0o600)
        os.chmod("tool", 0o6777)
        os.chmod("closed", 0o700)
    """
    (bot,) = ready([write(code)], confined)
    tool, model = bot.folder / "tool", bot.folder / "closed" / "model"
    assert {path.stat().st_uid for path in (bot.folder, tool, model)} == {os.geteuid()}
    if os.geteuid() == 0:
        assert [oct(path.stat().st_mode & 0o7777) for path in (tool, model)] == ["0o755", "0o644"]


@pytest.mark.slow
def test_no_build_finds_what_another_one_left_in_its_home(tmp_path: Path, write: Write, confined: Sandbox) -> None:
    code = """if True:
        import os, pathlib
        notes = pathlib.Path(os.environ["BALLCOURT_BUILD_CACHE"]) / "notes"
        print("there were notes" if notes.exists() else "there were none", notes.parent == pathlib.Path.home())
        notes.touch()
        exit(1)
    """
    for _ in range(2):
        assert "there were none True" in complaint(write(code), confined)
    assert not [*(tmp_path / "cache" / "homes").iterdir()]


CACHES = (".npm", ".cargo/registry", "go/pkg/mod", ".cache/go-build", ".m2/repository", ".cache/pip", ".gradle")
"""Where npm, cargo, go, Maven, pip and Gradle keep what they fetch, in a home."""


@pytest.mark.slow
def test_no_package_manager_of_one_build_finds_what_that_of_another_has_kept(write: Write, confined: Sandbox) -> None:
    """A build writes wherever it can, and the next one, of another author, sees nothing of it."""
    skipped = {"/proc", "/sys"}
    if confined.tier == GVISOR:  # where a walk takes its time
        skipped |= prying.TEDIOUS | {sys.prefix, sys.base_prefix}
    code = f"""if True:
        import contextlib, os, pathlib
        for cache in {CACHES}:
            (pathlib.Path.home() / cache).mkdir(parents=True, exist_ok=True)
        found = written = 0
        for place, folders, files in os.walk("/"):
            folders[:] = [name for name in folders if os.path.join(place, name) not in {skipped}]
            found += "ballcourt-kept" in files
            with contextlib.suppress(OSError):
                pathlib.Path(place, "ballcourt-kept").touch()
                written += 1
        exit(f"found {{found}}, wrote in {{written}} folders" if found or written <= {len(CACHES)} else LAST)
    """
    built(write(code.replace("LAST", "0"), "one"), confined)
    assert "ended with exit code 7" in complaint(write(code.replace("LAST", "7"), "another"), confined)


def test_a_build_learns_where_libraries_are_and_nothing_else_of_the_settings(
    home: Path, write: Write, confined: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registries, "prefixes", lambda: [home / "system"])
    for name, text in (
        ("system/etc/npmrc", "strict-ssl=true\n//mirror/npm/:_authToken=open sesame\n"),
        ("system/etc/pip.conf", "[global]\nindex-url = https://me:mine@mirror\n"),
        (".npmrc", "registry=http://mirror/npm\n//mirror/npm/:phrase=open sesame\n"),
        (".config/pip/pip.conf", "index-url = https://me:mine@mirror\n"),
        (".cargo/credentials.toml", "named = 'nowhere'\n"),
    ):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    code = """if True:
        import pathlib
        for path in sorted(path for path in pathlib.Path.home().rglob("*") if path.is_file()):
            if path.name != "settings.xml":
                print(path.read_text(), end="")
        exit(1)
    """
    assert complaint(write(code), confined).splitlines()[1:] == ["| strict-ssl=true", "| registry=http://mirror/npm"]


def test_a_build_gets_only_the_variables_its_tools_need(
    write: Write, confined: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"GOPROXY": "http://mirror", "npm_config_registry": "http://npm"}
    for name in ("http_proxy", "ALL_PROXY", "CARGO_HTTP_PROXY"):
        monkeypatch.setenv(name, "http://me:hunter2@proxy:3128")
    monkeypatch.setenv("MAVEN_OPTS", "-Xmx1g -Dphrase=hunter2")
    monkeypatch.setattr("ballcourt.arena.building.steps.QUOTED_LINES", 100)
    kept = ("NPM_TOKEN", "CARGO_REGISTRY_TOKEN", "AWS_SECRET_ACCESS_KEY", "BALLCOURT_TOKEN", "GOOGLE_API_KEY")
    for name, value in (given | dict.fromkeys(kept, "hunter2")).items():
        monkeypatch.setenv(name, value)
    output = complaint(write("import os; [print(f'{k}={v}') for k, v in os.environ.items()]; exit(1)"), confined)
    assert [name for name, value in given.items() if f"{name}={value}" not in output] == []
    assert "hunter2" not in output


def test_a_toolchain_in_the_home_is_visible_but_not_its_neighbours(
    home: Path, write: Write, confined: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in ((".cargo/bin/cargo", "#!/bin/sh\necho compiling"), (".cargo/credentials.toml", "secret")):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{home}/.cargo/bin:{os.environ['PATH']}")
    code = f"import os, subprocess; subprocess.run(['cargo']); print(os.listdir('{home}/.cargo')); exit(1)"
    assert complaint(write(code), confined).splitlines()[1:] == ["| compiling", "| ['bin']"]


def test_a_program_not_visible_to_a_build_is_named(home: Path, write: Write, confined: Sandbox) -> None:
    program = home / "tools" / "compile"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    bot = write("", step=(str(program),))
    with pytest.raises(SandboxError, match=rf"is built by {program}, which builds in the sandbox do not see; name"):
        built(bot, confined)
    assert built(bot, Sandbox(confined.tier, readable=(str(program.parent),))).folder.is_dir()


def test_a_build_that_lacks_a_program_learns_which_parts_of_path_are_hidden(
    home: Path, write: Write, confined: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{home}:{os.environ['PATH']}")
    output = complaint(write("", step=("sh", "-c", "make-it-good")), confined)
    assert "make-it-good: not found" in output
    assert f"of the PATH not {home}" in output.splitlines()[-1]


@pytest.mark.parametrize("tier", [0, 1])
def test_a_failed_build_leaves_nothing_even_in_folders_without_permissions(
    tmp_path: Path, write: Write, confined: Sandbox, tier: int
) -> None:
    code = "import os; os.makedirs('a/b'); os.chmod('a', 0); print('no compiler here'); exit(3)"
    output = complaint(write(code), confined if tier else Sandbox())
    assert output.splitlines()[0].endswith("build.py' ended with exit code 3")
    assert output.splitlines()[1:] == ["| no compiler here"]
    assert [*(tmp_path / "cache" / "builds").iterdir()] == []


def test_a_bot_that_was_built_unconfined_plays_in_a_sandbox(write: Write, confined: Sandbox) -> None:
    bot = write("import os; print(os.environ['HOME'])")
    assert built(bot) == built(bot, confined)


def test_builds_are_confined_for_an_ordinary_user_too(
    write: Write, confined: Sandbox, traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In gVisor it is user 0 without capabilities, and the control groups that tier 2 needs are left out."""
    traces.folder.chmod(0o777)
    bot = write("import os, pathlib; pathlib.Path('printed').write_text(f'{os.getuid()} {os.getpid() < 10}')")
    shutil.copytree(bot.folder, traces.folder / "mia")
    monkeypatch.setenv("BALLCOURT_CACHE", str(traces.folder / "cache"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    program = f"""if True:
        from ballcourt.arena.bots.bot import load_bot
        from ballcourt.arena.building.builds import ready
        from ballcourt.arena.sandbox import gvisor
        from ballcourt.arena.sandbox.tiers import Sandbox
        gvisor.missing = gvisor._trial
        (bot,) = ready([load_bot({str(traces.folder / "mia")!r})], Sandbox({confined.tier}))
        print((bot.folder / "printed").read_text())
    """
    command = ordinarily([sys.executable, "-P", "-c", program], load_bot(traces.folder / "mia"))
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if confined.tier == GVISOR and "tier 2 is not available: runsc failed" in done.stderr:
        lack("gvisor", "it does not start for an ordinary user")
    assert (done.returncode, done.stdout) == (0, f"{60999 if confined.tier == 1 else 0} True\n"), done.stderr
