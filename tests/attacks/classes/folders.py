"""Bots whose folders mislead, block or exhaust whoever reads, hashes or copies them, or play another program."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.faults import ArenaError
from ballcourt.engine.core import WrongInput
from tests.attacks.attack import Deed, Ground, Need, deed
from tests.attacks.classes.words import command
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
                subprocess.run(["rm", "-rf", folder / "bot"], check=True)  # at any depth
                refused = run.returncode == 2 and len(run.stderr.splitlines()) == 1
                return [] if refused else [f"ended with {run.returncode}: {run.stderr[-200:]}"]

        return Deed(way, harms)

    return made


@trap("a pipe for a bot.toml")
def pipe(folder: Path) -> None:
    """Make the arena wait for somebody who writes."""
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
    handle = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=handle)
        below = os.open("d", os.O_RDONLY, dir_fd=handle)
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
    """Play another program under the hash of a known one, by a hidden file."""
    with ground.folder() as folder, caching(folder / "cache"):
        path = stranger(folder / "bot", ["{python}", "look.py", ".brain"], files={"look.py": LOOK, ".brain": "smarter"})
        return _unless_refused(ground, path, "smarter")


@deed("a program swapped after the hash", Need.CONFINEMENT)
def a_program_swapped_after_the_hash(ground: Ground) -> list[str]:
    """Change the program once its hash is known."""
    with ground.folder() as folder, caching(folder / "cache"):
        files = {"look.py": LOOK, "brain": "hashed"}
        path = stranger(folder / "bot", ["{python}", "look.py", "brain"], files=files)
        bot = loaded(path, ground.sandbox)
        (path / "brain").write_text("swapped")
        [said] = heard(ground.sandbox, bot)
        return ["played what was not hashed"] if "swapped" in said else []


def _unless_refused(ground: Ground, path: Path, treasure: str) -> list[str]:
    """Return the harm if a bot, played in the sandbox, prints a treasure; none if it is refused."""
    try:
        [said] = heard(ground.sandbox, loaded(path, ground.sandbox))
    except WrongInput:
        return []
    except ArenaError as error:
        return [f"ended the run: {error}"]
    return [f"saw {said}"] if treasure in said else []


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
    pipe_inside,
    sparse,
    deep,
    sh_as_its_command,
    a_link_to_an_environment,
    a_link_out_of_its_folder,
    a_brain_that_is_not_hashed,
    a_program_swapped_after_the_hash,
    a_copy_with_the_same_hash,
)
