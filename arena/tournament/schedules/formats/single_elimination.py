"""Single elimination: who loses a block is out. `knockout.py` has the rules."""

from ballcourt.arena.tournament.schedules.knockout import Knockout
from ballcourt.arena.tournament.schedules.schedule import Field, FormatOptions, Length, Schedule


def schedule(field: Field, length: Length, _options: FormatOptions) -> Schedule:
    """Return the elimination of a field. Raises ScheduleError for one seat, and for a length."""
    return Knockout(field, length, lives=1)
