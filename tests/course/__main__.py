"""Lets a course enter a contest and play its finals, and prints the outcome of each student's bot."""

import argparse

from tests.arena.conftest import folder_of_all
from tests.course.afternoon import HOSTILE, spend, students

parser = argparse.ArgumentParser(prog="python -m tests.course", description=__doc__)
parser.add_argument("--contestants", type=int, default=30, metavar="N", help="how many students; three are hostile")
chosen = parser.parse_args()
if chosen.contestants <= len(HOSTILE):
    parser.error(f"--contestants is {chosen.contestants}; it must be more than {len(HOSTILE)}")
with folder_of_all() as place:
    found = spend(place, students(chosen.contestants))
for handle, state in found.states.items():
    print(f"{handle:12} {state:10} {next(iter(found.reports[handle]), '').partition(chr(10))[0][:90]}")
print(f"the finals had {len(found.entrants)} entrants; {found.verified.strip()}")
