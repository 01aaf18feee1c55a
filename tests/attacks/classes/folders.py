"""Bots whose folders mislead, block or exhaust what reads, hashes or copies them, or play another program."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.ladder.arrivals.admission import Admission
from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.ladder.arrivals.interface import Refused
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.roster import Roster
from ballcourt.arena.workers.queue import Voided
from ballcourt.arena.workers.runner import Runner
from ballcourt.engine.core import WrongInput
from tests.arena.conftest import fixture_bot
from tests.arena.ladder.in_process import Looked
from tests.arena.matches import match_of
from tests.attacks.attack import Deed, Ground, Need, deed
from tests.attacks.classes.words import command
from tests.attacks.in_match import GAME, HONEST, OPTIONS, PATIENT, SEED
from tests.attacks.strangers import caching, heard, loaded, stranger
from tests.bots.prying import TREASURE

PATIENCE = ["timeout", "--kill-after=5", "30", "prlimit", "--as=2000000000", "--"]
"""Nothing about a single folder takes so long, or so much memory."""
LOOK = """
import sys
try:
    print("found", open(sys.argv[1]).read(), flush=True)
except OSError:
    print("nothing", flush=True)
sys.exit(4)
"""


def trap(way: str) -> Callable[[Callable[[Path], None]], Deed]:
    """Make an attack of a function that puts something into a bot's folder, which the arena must refuse at once."""

    def made(lay: Callable[[Path], None]) -> Deed:
        def harms(ground: Ground) -> list[str]:
            with ground.folder() as folder:
                lay(stranger(folder / "bot", ["{python}", "honest.py"], build=["true"]))
                run = command(folder, "play", "bluff", "./bot", "twin=./bot", before=PATIENCE)
                refused = run.returncode == 2 and len(run.stderr.splitlines()) == 1
                problems = _in_a_ladder(folder) if refused else [f"ended with {run.returncode}: {run.stderr[-200:]}"]
                subprocess.run(["rm", "-rf", folder / "bot"], check=True)  # at any depth
                return problems

        return Deed(way, harms)

    return made


def _in_a_ladder(inbox: Path) -> list[str]:
    """Return the harm if a ladder that watches this folder does not refuse the bot in it."""
    settings = LadderFile.model_validate({"game": "bluff", "bots": inbox, "output": inbox / ".out"})
    settings.output.mkdir(exist_ok=True)
    ladder = Admission(settings, Inbox(inbox), Looked, look_s=0.0)
    try:
        found = [outcome for _ in range(3) for outcome in ladder.step(Roster(()))]
    except (RuntimeError, ArithmeticError, OSError) as error:
        return [f"ended a ladder: {type(error).__name__}"]
    return [] if any(isinstance(outcome, Refused) for outcome in found) else [f"a ladder answered {found}"]


@trap("a pipe for a bot.toml")
def pipe(folder: Path) -> None:
    """Make the arena wait for a writer."""
    (folder / "bot.toml").unlink()
    os.mkfifo(folder / "bot.toml")


@trap("a device for a bot.toml")
def device(folder: Path) -> None:
    """Make the arena read without end."""
    (folder / "bot.toml").unlink()
    (folder / "bot.toml").symlink_to("/dev/zero")


@trap("a key of many dots")
def key_of_many_dots(folder: Path) -> None:
    """Make a parser work for minutes on a small file."""
    file = folder / "bot.toml"
    file.write_text(f"{file.read_text()}{'a.' * 30_000}a = 1\n")


@trap("a number without end")
def number_without_end(folder: Path) -> None:
    """Declare a parameter with more digits than a float has."""
    with (folder / "bot.toml").open("a") as file:
        file.write(f"[parameters.depth]\ndefault = 1\nleast = 0\nmost = 1{'0' * 400}\n")


@trap("thousands of patterns")
def thousands_of_patterns(folder: Path) -> None:
    """Have each of many files compared with each of many patterns."""
    with (folder / "bot.toml").open("a") as file:
        file.write(f"ignore = {[f'y{number:x}*' for number in range(6000)]}\n")
    for number in range(5000):
        (folder / f"zzz{number}").touch()


@trap("a directory that loops")
def directory_that_loops(folder: Path) -> None:
    """Start in a link that leads back to itself."""
    (folder / "loop").symlink_to("loop")
    _start_in(folder, "loop/in")


@trap("a directory of smileys")
def directory_of_smileys(folder: Path) -> None:
    """Start in a folder whose name is short in letters and too long in bytes."""
    _start_in(folder, "\U0001f600" * 100)


def _start_in(folder: Path, directory: str) -> None:
    """Name the directory in place of a build, which could have made it."""
    file = folder / "bot.toml"
    file.write_text(file.read_text().replace('build = ["true"]', f'directory = "{directory}"'))


@trap("a path longer than any may be")
def path_too_long(folder: Path) -> None:
    """Nest a few folders with long names, so that no path leads to what is in the last one."""
    _nest(folder, ["d" * 250] * 30)


@trap("a pipe in a folder")
def pipe_inside(folder: Path) -> None:
    """Make a copy wait."""
    os.mkfifo(folder / "weights")


@trap("a terabyte that takes no room")
def sparse(folder: Path) -> None:
    """Make the arena read a sparse file into memory."""
    with (folder / "weights").open("wb") as file:
        file.truncate(1 << 40)


@trap("folders without end")
def deep(folder: Path) -> None:
    """Nest folders deeper than a recursion may go; names stay short enough for paths."""
    _nest(folder, ["d"] * 1500)


def _nest(folder: Path, names: Sequence[str]) -> None:
    """Make a folder in a folder, and so on."""
    handle = os.open(folder, os.O_RDONLY)
    for name in names:
        os.mkdir(name, dir_fd=handle)
        below = os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(handle)


@deed("sh as its command", Need.CONFINEMENT)
def sh_as_its_command(ground: Ground) -> list[str]:
    """Have the root folder taken for the installation of the program."""
    with ground.folder() as folder, caching(folder / "cache"):
        (folder / TREASURE).write_text("gold")
        look = f"cat {folder / TREASURE} /etc/passwd; exit 4"
        path = stranger(folder / "bot", ["/bin/sh", "-c", look])
        return [*_unless_refused(ground, path, "gold"), *_unless_refused(ground, path, "root:")]


@deed("a link to an environment", Need.CONFINEMENT)
def a_link_to_an_environment(ground: Ground) -> list[str]:
    """Have another Python installation of the organiser mounted by a link in the bot's folder."""
    with ground.folder() as folder, caching(folder / "cache"):
        environment = folder / "venv"
        (environment / "bin").mkdir(parents=True)
        (environment / "pyvenv.cfg").touch()
        (environment / "bin" / "python").symlink_to(sys.executable)
        (environment / TREASURE).write_text("gold")
        path = stranger(folder / "bot", ["./python", "look.py", str(environment / TREASURE)], files={"look.py": LOOK})
        (path / "python").symlink_to(environment / "bin" / "python")
        return _unless_refused(ground, path, "gold")


@deed("a link out of its folder", Need.CONFINEMENT)
def a_link_out_of_its_folder(ground: Ground) -> list[str]:
    """Have a file of the organiser copied or mounted by a link in the bot's folder."""
    with ground.folder() as folder, caching(folder / "cache"):
        (folder / TREASURE).write_text("gold")
        path = stranger(folder / "bot", ["{python}", "look.py", "link"], files={"look.py": LOOK})
        (path / "link").symlink_to(folder / TREASURE)
        return _unless_refused(ground, path, "gold")


@deed("a brain that is not hashed", Need.CONFINEMENT)
def a_brain_that_is_not_hashed(ground: Ground) -> list[str]:
    """Play another program under the hash of a known one, by a file of version control, which the hash leaves out."""
    with ground.folder() as folder, caching(folder / "cache"):
        brain = ".git/brain"
        path = stranger(folder / "bot", ["{python}", "look.py", brain], files={"look.py": LOOK, brain: "smarter"})
        return _unless_refused(ground, path, "smarter")


@deed("a program swapped after the hash", Need.CONFINEMENT)
def a_program_swapped_after_the_hash(ground: Ground) -> list[str]:
    """Change the program once its hash is known."""
    with ground.folder() as folder, caching(folder / "cache"):
        files = {"look.py": LOOK, "brain": "hashed"}
        path = stranger(folder / "bot", ["{python}", "look.py", "brain"], files=files)
        bot = loaded(path, ground.sandbox)
        (path / "brain").write_text("swapped")
        [answer] = heard(ground.sandbox, bot)
        return ["played what was not hashed"] if "swapped" in answer else []


def _unless_refused(ground: Ground, path: Path, treasure: str) -> list[str]:
    """Return the harm if a bot, played in the sandbox, prints a treasure; none if it is refused."""
    try:
        [answer] = heard(ground.sandbox, loaded(path, ground.sandbox))
    except WrongInput:
        return []
    except ArenaError as error:
        return [f"ended the run: {error}"]
    return [f"saw {answer}"] if treasure in answer else []


@deed("hidden folders without end", Need.CONFINEMENT)
def hidden_folders_without_end(ground: Ground) -> list[str]:
    """Nest folders where neither the hash nor the copy of the bot looks."""

    def lay(path: Path) -> None:
        _nest(path, [".d"] * 1500)

    return _unless_its_own_fault(ground, lay)


@deed("starts in a hidden folder", Need.CONFINEMENT)
def starts_in_a_hidden_folder(ground: Ground) -> list[str]:
    """Start in a folder that exists and is not part of what is copied."""

    def lay(path: Path) -> None:
        (path / ".inside").mkdir()
        _write_on(path, 'directory = ".inside"')

    return _unless_its_own_fault(ground, lay)


@deed("starts in a folder that is not built", Need.CONFINEMENT)
def starts_in_a_folder_that_is_not_built(ground: Ground) -> list[str]:
    """Name a folder that the build should have made."""
    return _unless_its_own_fault(ground, lambda path: _write_on(path, 'build = ["true"]', 'directory = "out"'))


@deed("a large file whose name is not text", Need.CONFINEMENT)
def a_name_that_is_no_text(ground: Ground) -> list[str]:
    """Have a file mounted whose name is not UTF-8, so that no settings can hold it."""

    def lay(path: Path) -> None:
        with (path / os.fsdecode(b"\xff")).open("wb") as file:
            file.truncate(33 << 20)

    return _unless_its_own_fault(ground, lay)


@deed("more files than can be mounted", Need.CONFINEMENT)
def more_files_than_can_be_mounted(ground: Ground) -> list[str]:
    """Have thousands of files that are too much to be copied for each process."""

    def lay(path: Path) -> None:
        for number in range(4200):
            with (path / f"{number}").open("wb") as file:
                file.truncate(100_000)

    return _unless_its_own_fault(ground, lay)


def _write_on(path: Path, *lines: str) -> None:
    with (path / "bot.toml").open("a") as file:
        file.writelines(f"{line}\n" for line in lines)


def _unless_its_own_fault(ground: Ground, lay: Callable[[Path], None]) -> list[str]:
    """Return the harm unless a bot, with what was put into its folder, is refused, plays, or loses its own seat."""
    with ground.folder() as folder, caching(folder / "cache"):
        path = stranger(folder / "bot", ["{python}", "honest.py"])
        lay(path)
        try:
            table = (loaded(path, ground.sandbox), fixture_bot(HONEST))
            match = match_of("own fault", GAME, OPTIONS, SEED, table, PATIENT, sandbox=ground.sandbox)
            with Runner(workers=1) as runner:
                events = [*runner.run_blocks([[match]])]
        except WrongInput:
            return []
        except (ArenaError, RecursionError) as error:
            return [f"ended the run: {error}"]
        finally:
            subprocess.run(["rm", "-rf", path], check=True)  # at any depth
        return [f"voided the match: {event.reason}" for event in events if isinstance(event, Voided)]


@deed("a copy with the same hash")
def a_copy_with_the_same_hash(ground: Ground) -> list[str]:
    """Differ from a public bot in what plays, but not in the hash, so that the build of one is played as the other."""
    changes: dict[str, Callable[[Path], object]] = {
        "a mode": lambda folder: (folder / "tool").chmod(0o644),
        "a link": lambda folder: (folder / "link").symlink_to("tool"),
        "an empty folder": lambda folder: (folder / "empty").mkdir(),
    }
    problems = []
    with ground.folder() as folder:
        for number, (what, change) in enumerate(changes.items()):
            paths = [folder / f"{number}" / name for name in ("public", "copy")]
            for path in paths:
                stranger(path, ["{python}", "honest.py"], build=["./tool"], files={"tool": "#!/bin/sh\n"})
                (path / "tool").chmod(0o755)
            change(paths[1])
            if len({load_bot(path).content_hash for path in paths}) == 1:
                problems.append(f"{what} is not in the hash")
    return problems


ATTACKS = (
    pipe,
    device,
    key_of_many_dots,
    number_without_end,
    thousands_of_patterns,
    directory_that_loops,
    directory_of_smileys,
    path_too_long,
    pipe_inside,
    sparse,
    deep,
    sh_as_its_command,
    a_link_to_an_environment,
    a_link_out_of_its_folder,
    a_brain_that_is_not_hashed,
    a_program_swapped_after_the_hash,
    hidden_folders_without_end,
    starts_in_a_hidden_folder,
    starts_in_a_folder_that_is_not_built,
    a_name_that_is_no_text,
    more_files_than_can_be_mounted,
    a_copy_with_the_same_hash,
)
