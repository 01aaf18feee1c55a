"""Lets a class write its bots and play a ladder in the sandbox, and prints the ranks."""

import argparse

from tests.arena.conftest import folder_of_all
from tests.authors.classroom import AUTHORS, attend

parser = argparse.ArgumentParser(prog="python -m tests.authors", description=__doc__)
languages = sorted({author.language for author in AUTHORS})
parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help=f"of {', '.join(languages)}; all by default")
parser.add_argument("--tier", type=int, choices=(0, 1, 2), default=1, help="how the bots are confined")
chosen = parser.parse_args()
if unknown := {*chosen.languages} - {*languages}:
    parser.error(f"there are no authors who write {', '.join(sorted(unknown))}; the others: {', '.join(languages)}")
with folder_of_all() as place:
    attending = [author for author in AUTHORS if author.language in (chosen.languages or languages)]
    ranks = attend(attending, place, chosen.tier)
for name, rank in sorted(ranks.items(), key=lambda item: item[1]):
    print(f"{rank:3} {name}")
if missing := {author.name for author in attending} - {*ranks}:
    raise SystemExit(f"without a rank: {', '.join(sorted(missing))}")
