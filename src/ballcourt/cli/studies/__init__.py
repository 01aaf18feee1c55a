"""Studies of results: one file each, found by scanning this folder.

`head_to_head.py` is `ballcourt study head-to-head`: a function with the name of the file, whose parameters are the
flags and whose docstring is the help. A study elsewhere registers such a function in the entry point group
`ballcourt.studies`.
"""

import pkgutil
from functools import cache
from importlib import import_module

from ballcourt.cli.declaring import Declaration, Panel, check_address_space

ENTRY_POINTS = "ballcourt.studies"


class Studies(Panel):
    """The group of all studies, whose modules are imported when it is asked for."""

    def __init__(self) -> None:
        super().__init__("Commands", help="Study results: who beats whom, seats, ratings over time, teams, machines.")

    @property
    def declared(self) -> dict[str, Declaration | Panel]:
        """The studies by name, those that come with Ballcourt first."""
        return found()


@cache
def found() -> dict[str, Declaration | Panel]:
    """Return all studies by name, those that come with Ballcourt first."""
    from importlib.metadata import entry_points  # it takes long, and the help of all commands does without

    check_address_space()
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    every = {name: getattr(import_module(f"{__name__}.{name}"), name) for name in names}
    every |= {point.name: point.load() for point in entry_points(group=ENTRY_POINTS)}
    return {name.replace("_", "-"): Declaration(study) for name, study in every.items()}
