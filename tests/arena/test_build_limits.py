"""The limits of a build that the organiser sets: what happens to a build that exceeds one, and what one took."""

import json
import os
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from ballcourt.arena.bots.bot import Bot, load_bot
from ballcourt.arena.building import watching
from ballcourt.arena.building.builds import built
from ballcourt.arena.building.steps import BuildError
from ballcourt.arena.faults import notes_of
from ballcourt.arena.ladder.arrivals.exam import Arriving, checked
from ballcourt.arena.processes import cache
from ballcourt.arena.processes.cache import CacheError, locked, notes_on, place_to_build, scratch_folder
from ballcourt.arena.sandbox.tiers import BuildLimits, Sandbox
from tests.arena.conftest import PATIENCE_S, Traces, wait_until
from tests.serving import serving

MB = 1 << 20
FILL = """
for number in range(1000):
    with open(f"filler{number}", "wb") as file:
        file.write(bytes(1 << 20))
"""
FILL_UNSEEN = """
import os, time
kept = []
for number in range(1000):
    kept.append(open("filler", "wb", buffering=0))
    os.unlink("filler")
    kept[-1].write(bytes(1 << 20))
    time.sleep(0.01)
"""
FILL_WITH_ENTRIES = """
for number in range(100_000):
    open(f"empty{number}", "w").close()
"""
FILL_HOME = """
import os, pathlib
(pathlib.Path(os.environ["BALLCOURT_BUILD_CACHE"]) / "filler").write_bytes(bytes(17 << 20))
"""
FILL_CLOSED = """
import os
os.mkdir("closed")
with open("closed/filler", "wb") as file:
    file.write(bytes(15 << 20))
open("filler", "wb").write(bytes(2 << 20))
os.chmod("closed", 0)
"""
DAEMONS = """
import os, time
for _ in range(40):
    try:
        if os.fork() == 0:
            os.setsid()
            time.sleep(3600)
    except OSError:
        break
time.sleep(3600)
"""
THREADS = """
import threading
gate = threading.Event()
for _ in range(40):
    threading.Thread(target=gate.wait, daemon=True).start()
gate.wait()
"""
LINKED = """
import os
with open("large", "wb") as file:
    file.write(bytes(10 << 20))
os.link("large", "again")
"""
ASK = """
import urllib.request
proxy = urllib.request.getproxies()["http"].removeprefix("http://")
request = urllib.request.Request("http://{place}/library")
request.set_proxy(proxy, "http")
try:
    print(len(urllib.request.build_opener(urllib.request.ProxyHandler({{}})).open(request).read()))
except OSError as error:
    print(error)
import time
time.sleep({sleep})
"""

Write = Callable[[str], Bot]


@pytest.fixture(params=[pytest.param(0, marks=pytest.mark.slow), 1, pytest.param(2, marks=pytest.mark.slow)])
def tier(request: pytest.FixtureRequest) -> Iterator[int]:
    """Each tier."""
    if request.param:
        request.getfixturevalue(f"tier_{request.param}")
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def write(traces: Traces, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a bot whose build step is this Python code; in the end nothing of a build may run."""
    monkeypatch.setenv("BALLCOURT_CACHE", str(traces.folder / "cache"))

    def write(code: str) -> Bot:
        folder = traces.folder / "mia"
        folder.mkdir()
        (folder / "b.py").write_text(f"# {traces.folder}\n{code}")
        lines = ('name = "mia"', 'version = "1"', 'command = ["{python}"]', 'build = ["{python}", "b.py"]')
        (folder / "bot.toml").write_text("\n".join(lines))
        return load_bot(folder)

    yield write
    assert traces.processes() == {}


def complaint(bot: Bot, tier: int, limits: BuildLimits) -> str:
    """Return why a bot is not built; nothing of its build may be left."""
    with pytest.raises(BuildError) as failed:
        built(bot, Sandbox(tier, build=limits))
    folder = cache.cache_folder()
    left = [path for part in ("builds", "homes") for path in (folder / part).glob("*")]
    assert left == []
    return "\n".join((str(failed.value), *notes_of(failed.value)))


def library(size: int) -> AbstractContextManager[str]:
    """Serve this number of bytes on loopback; yield HOST:PORT."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode() + bytes(size))

    return serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler))


def test_a_build_that_takes_too_long_ends(write: Write, tier: int) -> None:
    message = complaint(write("import time; time.sleep(3600)"), tier, BuildLimits(time_s=1))
    assert "b.py' took longer than 1 s; make it quicker, or ask the organiser for more: sandbox.build.time_s" in message


@pytest.mark.slow
@pytest.mark.parametrize("code", [FILL, FILL_UNSEEN, FILL_WITH_ENTRIES, FILL_HOME, FILL_CLOSED])
def test_a_build_that_fills_the_disk_ends(write: Write, tier: int, code: str) -> None:
    message = complaint(write(code), tier, BuildLimits(disk_mb=16))
    assert "b.py' took more than 16 MB on the disk; let it leave less, or ask" in message.splitlines()[0]
    assert not (cache.cache_folder() / "scratch" / "mia").exists(), "the next build does not begin with a full disk"


def test_two_names_of_one_file_count_once(write: Write, tier: int) -> None:
    assert built(write(LINKED), Sandbox(tier, build=BuildLimits(disk_mb=16))).folder.is_dir()


def test_a_build_with_too_many_processes_ends(write: Write, tier: int) -> None:
    message = complaint(write(DAEMONS), tier, BuildLimits(processes=30))
    assert "b.py' had 30 processes and threads at the same time, with those of its sandbox; let it" in message


def test_a_build_that_fails_because_it_may_start_no_thread_is_told_whom_to_ask(
    write: Write, tier_1: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK_S", 3600)  # or a look may find all its threads before it has failed
    message = complaint(write(THREADS), tier_1.tier, BuildLimits(processes=30)).splitlines()[0]
    assert "it ended with the words 'can't start new thread'; at most 30 processes and threads are allowed" in message
    assert message.endswith("let it run fewer, or ask the organiser for more: sandbox.build.processes)")


def test_a_build_that_needs_too_much_memory_is_told_whom_to_ask(write: Write, tier: int) -> None:
    message = complaint(write("bytearray(1 << 30)"), tier, BuildLimits(memory_mb=200))
    assert "at most 200 MB of memory are allowed" in message or "more than 200 MB of memory; at most 200 are" in message
    assert "allowed; let it need less, or ask the organiser for more: sandbox.build.memory_mb" in message


def test_a_build_that_fetches_too_much_ends(write: Write, confined: Sandbox) -> None:
    with library(3 * MB) as place:
        limits = BuildLimits(fetch_mb=1, hosts=(place,))
        message = complaint(write(ASK.format(place=place, sleep=3600)), confined.tier, limits)
    assert "b.py' exchanged more than 1 MB with other machines; let it fetch less, or ask" in message.splitlines()[0]


@pytest.mark.slow
@pytest.mark.parametrize("is_named", [False, True])
def test_a_build_reaches_a_host_that_the_organiser_names(write: Write, confined: Sandbox, is_named: bool) -> None:
    with library(2 * MB) as place:
        hosts = (place,) if is_named else ()
        bot = built(write(ASK.format(place=place, sleep=0)), Sandbox(confined.tier, build=BuildLimits(hosts=hosts)))
    notes = notes_on(bot.folder)
    assert notes
    assert list(notes.hosts) == [*hosts]
    assert sum(notes.hosts.values()) >= 2 * MB * is_named
    assert notes.describe().endswith(f" s; exchanged 2.0 MB with {place}" if is_named else " s")


def test_a_build_leaves_notes_on_what_it_took(write: Write, tier: int, capsys: pytest.CaptureFixture[str]) -> None:
    bot = built(write(""), Sandbox(tier))
    table = json.loads(bot.folder.with_suffix(".done").read_text())
    assert table["seconds"] > 0
    assert table["hosts"] == {}
    assert f"built mia 1 in {table['seconds']:.1f} s" in capsys.readouterr().err


def test_a_build_waits_until_fewer_than_the_most_run(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bot, one = write(""), Sandbox(build=BuildLimits(at_once=1))
    monkeypatch.setattr(cache, "PATIENCE_S", 0)
    with place_to_build(1):
        with pytest.raises(CacheError, match=r"other builds have run for 0 s; end them, or raise sandbox\.build\.at"):
            built(bot, one)
        with place_to_build(2):
            pass
    assert built(bot, one).folder.is_dir()
    assert "waiting for other builds" not in capsys.readouterr().err.splitlines()[-1]


def test_of_each_owner_one_bot_is_built_at_a_time(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "PATIENCE_S", 0)
    bot = write("")
    with place_to_build(4, "reds"):
        with pytest.raises(CacheError, match="other builds have run"):
            built(replace(bot, owner="reds"))
        assert built(replace(bot, owner="blues")).folder.is_dir()
    assert built(replace(bot, owner="reds")).folder.is_dir()


@pytest.mark.usefixtures("write")  # with a cache of its own
def test_an_owner_who_waited_comes_after_those_who_wait_for_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    order, lines = list[str](), list[str]()

    def all_wait() -> bool:
        lines.extend(capsys.readouterr().err.splitlines())
        return len(lines) == len(owners)

    def build(owner: str) -> None:
        with place_to_build(1, owner):
            order.append(owner)

    owners = ("reds", "reds", "reds", "blues")
    threads = [threading.Thread(target=build, args=(owner,)) for owner in owners]
    with place_to_build(1, "reds"):
        for thread in threads:
            thread.start()
        assert wait_until(all_wait), lines
    for thread in threads:
        thread.join(PATIENCE_S)
    assert order == ["blues", "reds", "reds", "reds"]


@pytest.mark.parametrize("is_held", [False, True])
def test_only_unconfined_builds_wait_for_one_of_the_same_name(
    write: Write, tier: int, is_held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write("")
    monkeypatch.setattr(cache, "PATIENCE_S", 0)
    with locked(scratch_folder(bot.name)) if is_held else nullcontext():
        waits = is_held and not tier
        with pytest.raises(CacheError, match=r"cannot use .*mia") if waits else nullcontext():
            built(bot, Sandbox(tier))


def test_a_build_never_takes_the_last_of_the_disk(write: Write, tier: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter([10 * MB])
    monkeypatch.setattr("ballcourt.arena.building.watching._free", lambda _: next(left, 4 * MB))
    message = complaint(write("import time; time.sleep(3600)"), tier, BuildLimits(disk_mb=1000))
    assert "b.py' was ended because only 4 MB were left on the file system of the cache; free some, or name" in message


def test_the_exam_of_a_ladder_holds_a_build_to_its_limits(write: Write, traces: Traces, tier: int) -> None:
    bot = write("import time; time.sleep(3600)")
    table = {"tier": tier, "build": {"time_s": 1}}
    asked = {"source": "", "output": "", "copy_to": str(bot.folder), "setups": [{"game": ["bluff"]}], "sandbox": table}
    reason = checked(Arriving.model_validate_json(json.dumps(asked)))[0].paragraph
    assert "b.py' took longer than 1 s; make it quicker" in reason


def test_files_in_memory_are_not_taken_for_removed_ones_on_the_disk(tmp_path: Path) -> None:
    watch, own = watching.Watch(BuildLimits(disk_mb=16), (tmp_path,)), [os.getpid()]
    with os.fdopen(os.memfd_create("mine"), "wb") as in_memory:
        in_memory.write(bytes(20 * MB))
        in_memory.flush()
        assert watch.disk_excess(own) == ""
    with TemporaryFile(dir=tmp_path) as on_disk:
        on_disk.write(bytes(20 * MB))
        on_disk.flush()
        assert "more than 16 MB on the disk" in watch.disk_excess(own)
