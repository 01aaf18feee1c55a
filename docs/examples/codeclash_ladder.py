"""A ladder for CodeClash: the rungs of a game as branches with bots, which a model climbs one after another.

    python docs/examples/codeclash_ladder.py maya ~/workspace --seats 2 > configs/ladder/rungs/ballcourt.yaml

The repository is the one that `/workspace` of CodeClash's containers is cloned from (see codeclash_arena.py); its work
tree is not touched. Each rung becomes a branch such as `human/ballcourt/maya-2-2-seats-03`, and what is printed is the
list `ladder` of a configuration for `codeclash ladder run`, the weakest first. The bots play by work and not by the
clock, as in `ballcourt evaluate --rungs`.
"""

import subprocess
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from importlib import import_module
from pathlib import Path

from ballcourt import Bot
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.rungs.climb import Rungs, find_rungs

PREFIX = "human/ballcourt"
"""CodeClash takes the branches of its ladders from `human/`."""
MANIFEST = """\
name = "{name}"
version = "1"
command = ["{{python}}", "bot.py"]
games = ["{game}"]
"""
PROGRAM = '''\
"""{called}: rung {rung} of {rungs}."""

from ballcourt import Parameters, run
from {module} import {kind}


class Rung({kind}):
    parameters = Parameters({{**{kind}.parameters, {parameters}}})

    def match_started(self) -> None:
        self.match.clock.work = {work}
        super().match_started()


if __name__ == "__main__":
    run(Rung)
'''


def files_of(rungs: Rungs, rung: int) -> dict[str, str]:
    """Return the files of a bot that plays as a rung does, by their names."""
    table = rungs.tables[rung - 1]
    module = import_module(f"ballcourt.bots.{resolve_bot(table.path).home.name}.bot")
    own = (value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__)
    kind = next(value.__name__ for value in own if issubclass(value, Bot))
    parameters = (f'"{name}": {value}' for name, value in (word.split("=") for word in table.args))
    program = PROGRAM.format(
        called=rungs.called(rung),
        rung=rung,
        rungs=rungs.name,
        module=module.__name__,
        kind=kind,
        parameters=", ".join(parameters),
        work=table.clock.work or 0,
    )
    return {"bot.py": program, "bot.toml": MANIFEST.format(name=f"rung-{rung}", game=rungs.file.game)}


def make_branch(repository: Path, branch: str, files: dict[str, str], about: str) -> None:
    """Make a branch whose only commit has these files, or give it that commit. Raises CalledProcessError."""

    def git(*words: str, given: str = "") -> str:
        done = subprocess.run(
            ["git", "-C", str(repository), *words], input=given, text=True, check=True, stdout=subprocess.PIPE
        )
        return done.stdout.strip()

    blobs = {name: git("hash-object", "-w", "--stdin", given=text) for name, text in files.items()}
    tree = git("mktree", given="".join(f"100644 blob {blob}\t{name}\n" for name, blob in sorted(blobs.items())))
    git("update-ref", f"refs/heads/{branch}", git("commit-tree", tree, "-m", about))


def main() -> None:
    """Make the branches, and print the list of rungs as YAML."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("repository", type=Path)
    parser.add_argument("--seats", type=int, default=2)
    given = parser.parse_args()
    try:
        rungs = find_rungs(given.game, given.seats)
        rungs.file.check(rungs.name)
        for rung in range(1, len(rungs.tables) + 1):
            branch = f"{PREFIX}/{rungs.name}-{rungs.seats}-seats-{rung:02}"
            make_branch(given.repository, branch, files_of(rungs, rung), f"Play as {rungs.called(rung)}")
            print(f"- agent: dummy\n  branch_init: {branch}")  # noqa: T201
    except (WrongInput, subprocess.CalledProcessError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
