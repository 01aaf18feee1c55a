"""Attempts to know what a bot must not know: of the machine, of other bots, of other matches."""

from dataclasses import replace
from pathlib import Path

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.building.builds import ready
from ballcourt.engine.core import WrongInput
from tests.attacks.attack import Ground, Need, deed
from tests.attacks.in_match import SAME_KERNEL, InMatch
from tests.attacks.strangers import caching, heard, heard_in, loaded, stranger, told

TALKING = "talking.py"
UNHURRIED = {"match_start_ms": 120_000}
"""A clock with which a bot can try many seeds when a match starts, on any machine."""
WHICH_FILE = """
import os, sys
found = os.stat(__file__)
print("file", found.st_dev, found.st_ino, found.st_ctime_ns, flush=True)
sys.exit(4)
"""


def two_bots(folder: Path, *arguments: str) -> list[str]:
    """Write two bots that run a script of hostile bots; return their folders."""
    return [
        str(stranger(folder / name, ["{python}", TALKING, *arguments], name=name)) for name in ("stranger", "another")
    ]


@deed("guesses the seed")
def guess_the_seed(ground: Ground) -> list[str]:
    """Try all short seeds of the tournament until one gives the `bot_seed` that the bot got."""
    with ground.folder() as folder:
        bots = two_bots(folder, "guesses the seed")
        typed = heard_in(folder / "typed", bots=bots, seed=7, clock=UNHURRIED)
        drawn = heard_in(folder / "drawn", bots=bots, clock=UNHURRIED)
        problems = [] if "found the seed 7" in told(typed) else ["the attack itself does not work"]
        mode = (folder / "drawn" / "seed").stat().st_mode & 0o777
        problems += [f"others may read the seed: {mode:o}"] if mode != 0o600 else []
        return problems + (["found a seed that was drawn"] if "found the seed" in told(drawn) else [])


@deed("knows the next rotation")
def know_the_next_rotation(ground: Ground) -> list[str]:
    """Remember the cards of one rotation in the next, in a process that lives on."""
    with ground.folder() as folder:
        records = heard_in(folder / "out", bots=two_bots(folder, "honest"), seed=7)
        dealt = [record.opening_hash for record in records]
        assert {record.lifetime for record in records} == {"tournament"}, "so that they can remember"
        return [] if len(set(dealt)) == len(dealt) else ["the same cards were dealt to bots that may remember them"]


@deed("asks for the same deal again")
def ask_for_the_same_deal_again(ground: Ground) -> list[str]:
    """Have a tournament file give the same deal to bots that may remember it."""
    with ground.folder() as folder:
        try:
            heard_in(folder / "out", bots=two_bots(folder, "honest"), seeds="block", lifetime="tournament")
        except WrongInput as error:
            return [] if "would know the cards" in str(error) else [str(error)]
        return ["the same cards were dealt to bots that may remember them"]


@deed("a file shared between matches", Need.CONFINEMENT)
def a_file_shared_between_matches(ground: Ground) -> list[str]:
    """Leave traces in the kernel's cache of a file that the bot's next process reads too."""
    with ground.folder() as folder, caching(folder / "cache"):
        bot = loaded(stranger(folder / "bot", ["{python}", "which.py"], files={"which.py": WHICH_FILE}), ground.sandbox)
        first, second = heard(ground.sandbox, bot, bot)
        assert "file " in first, first
        return ["two processes of a bot had the same file"] if first == second else []


@deed("a file shared with a twin", Need.CONFINEMENT)
def a_file_shared_with_a_twin(ground: Ground) -> list[str]:
    """Talk to a copy under another name through the folder of both."""
    with ground.folder() as folder, caching(folder / "cache"):
        path = stranger(folder / "bot", ["{python}", "which.py"], files={"which.py": WHICH_FILE})
        one, other = ready([load_bot(path), replace(load_bot(path), name="twin")], ground.sandbox)
        first, second = heard(ground.sandbox, one, other)
        return ["two entrants had the same file"] if first == second else []


ATTACKS = (
    InMatch("pries", "OK", needs=SAME_KERNEL),
    InMatch("talks by locks", "OK", script=TALKING, needs=SAME_KERNEL),
    InMatch("talks by leases", "OK", script=TALKING, needs=SAME_KERNEL),
    InMatch("talks by notices", "OK", script=TALKING, needs=SAME_KERNEL),
    InMatch("asks what is cached", "OK", script=TALKING, needs=SAME_KERNEL),
    guess_the_seed,
    know_the_next_rotation,
    ask_for_the_same_deal_again,
    a_file_shared_between_matches,
    a_file_shared_with_a_twin,
)
