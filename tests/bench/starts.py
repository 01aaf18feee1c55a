"""Where the time of an evaluation goes: `python -m tests.bench.starts [--rounds N] [--before COMMAND [--check WORD]]`.

The same bot is checked and played in a tournament, which was the way before there was an evaluator, and evaluated. All
figures are processor time of all processes together, as clocks tell more of what else the machine does.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from itertools import count
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

import psutil

from ballcourt import Evaluator
from ballcourt.evaluation.assessment import Budget, verdict_of
from ballcourt.evaluation.ledger import KeptBlock

GAME: Final = "maya"
RIVAL: Final = "greedy"
MANIFEST: Final = 'name = "mine"\nversion = "{}"\ncommand = ["{{python}}", "bot.py"]\n'
PROGRAM: Final = """\
from ballcourt import run
from ballcourt.bots.greedy.bot import GreedyBot


class Mine(GreedyBot):
    pass


if __name__ == "__main__":
    run(Mine)
"""
FEW, MANY = 2, 22
"""Matches; the difference is what further ones cost."""
HERE: Final = [sys.executable, "-m", "ballcourt"]
VERSIONS: Final = count()
"""Every candidate is another one."""


def main() -> None:
    """Measure in turns and print the medians."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.starts", description="Where the time goes.")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of measurements (default 3)")
    parser.add_argument("--before", default=shlex.join(HERE), help="the command of another installation")
    parser.add_argument("--check", default="check bot", help="how it calls its check (default 'check bot')")
    arguments = parser.parse_args()
    before, check = shlex.split(arguments.before), shlex.split(arguments.check)
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for _ in range(arguments.rounds):
            for what, took in (*old_way(before, check), *by_command(), *in_process()):
                found.setdefault(what, []).append(took)
    for what, figures in found.items():
        sys.stdout.write(f"{what:60}{median(figures):9.3f} s\n")


def old_way(command: Sequence[str], check: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Check a bot and play it in a tournament; yield what each step takes."""
    bot = written()
    checked = of_command([*command, *check, bot, "--game", GAME, "--sandbox", "1"])
    yield "before: check", checked
    few, many = (of_command([*command, *tournament(bot, matches)]) for matches in (FEW, MANY))
    match = (many - few) / (MANY - FEW)
    table = of_command([*command, "leaderboard", f"runs/{bot[2:]}-{MANY}"])
    yield "before: a command, its workers, the start of bots, a table", few - FEW * match
    yield "before: of that, a table by a command of its own", table
    yield "before: a match", match
    yield f"before: check and {FEW} matches, in all", checked + few


def tournament(bot: str, matches: int) -> list[str]:
    """Return a tournament of two bots."""
    played = ["--game", GAME, "--seats", "2", "--matches", str(matches), "--seed", "1", "--workers", "1"]
    bots = ["--bot", bot, "--bot", RIVAL, "--sandbox", "1"]
    return ["tournament", *played, *bots, "--output", f"runs/{bot[2:]}-{matches}"]


def by_command() -> Iterator[tuple[str, float]]:
    """Evaluate a bot by the command; yield what each step takes."""
    first, second = written(), written()
    few, many = (of_command([*HERE, *evaluation(*asked)]) for asked in ((first, FEW), (second, MANY)))
    match = (many - few) / (MANY - FEW)
    yield "command: imports", of_command([sys.executable, "-c", "import ballcourt.cli.evaluate"])
    yield "command: imports, its worker, the start of bots", few - FEW * match
    yield "command: a match", match
    yield f"command: {FEW} matches, in all", few
    yield "command: the same question again", of_command([*HERE, *evaluation(first, FEW)])


def evaluation(bot: str, matches: int) -> list[str]:
    """Return an evaluation of a bot."""
    asked = ["--game", GAME, "--against", RIVAL, "--workers", "1", "--seed", "1", "--budget", f"{matches} matches"]
    return ["evaluate", bot, *asked, "--cache", f"kept-{bot[2:]}.sqlite"]


def in_process() -> Iterator[tuple[str, float]]:
    """Evaluate one bot after another; yield what each step takes."""
    with Evaluator(GAME, opponents=[RIVAL], workers=1, seed=1) as arena:

        def answer(bot: str, matches: int) -> float:
            return spent(lambda: arena.evaluate(bot, f"{matches} matches"))

        first, other, broken = written(), written(), written("import nothing_at_all")
        few = answer(first, FEW)
        match = answer(first, MANY) / (MANY - FEW)
        yield "in a process: its worker, the start of all bots", few - FEW * match
        yield "in a process: a match", match
        yield "in a process: the next candidate, without its matches", answer(other, FEW) - FEW * match
        yield "in a process: a broken one", answer(broken, FEW)
        yield "in a process: the same question again", answer(first, FEW)
    yield "in a process: an interval and a verdict on 200 matches", weighing()


def weighing() -> float:
    """Return how long it takes to weigh the blocks of an evaluation."""
    blocks = [KeptBlock(number % 3 / 2, 2, 2, 0, 0, 0, 0) for number in range(100)]
    began = process_time()
    verdict_of(blocks, Budget(matches=200, better_than=0.5))
    return process_time() - began


def written(before: str = "") -> str:
    """Write a bot as strong as the rival; return its folder."""
    folder = Path(f"mine{next(VERSIONS)}")
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST.format(folder.name))
    (folder / "bot.py").write_text(f"{before}\n{PROGRAM}")
    return f"./{folder}"


def of_command(command: Sequence[str]) -> float:
    """Run a command; return its processor time in seconds, with that of all that it started."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{shlex.join(command)}: exit code {child.returncode}")
    return used.ru_utime + used.ru_stime


def spent(work: Callable[[], object]) -> float:
    """Do some work; return the processor time of this process and of all that descend from it, in seconds."""
    began = _so_far()
    work()
    return _so_far() - began


def _so_far() -> float:
    me = psutil.Process()
    return sum(sum(process.cpu_times()[:4]) for process in (me, *me.children(recursive=True)))


if __name__ == "__main__":
    main()
