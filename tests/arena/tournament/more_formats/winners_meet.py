"""A format in two stages: neighbours play each other, then the best of each table meet, in one block per round."""

from collections.abc import Iterable, Sequence

from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    Schedule,
    ScheduleError,
)


def schedule(field: Field, length: Length, _options: FormatOptions) -> Schedule:
    """Return the two stages. Raises ScheduleError unless the winners fill a table."""
    return WinnersMeet(field, length)


class WinnersMeet(Schedule):
    """The first stage is always one block per table; the length only sets the rounds of the winners."""

    def __init__(self, field: Field, length: Length) -> None:
        if field.seats == 1 or field.entrants != field.seats**2:
            raise ScheduleError(f"{field.seats} winners meet if there are {field.seats**2} bots")
        self._field = field
        self.round_size = field.seats
        self.block_size = field.seats
        self.blocks = max(length.blocks(self.round_size, self.block_size), field.seats + 1)

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the tables of neighbours; then, given their results, the blocks of the winners."""
        seats = self._field.seats
        if not results:
            neighbours = [tuple(range(table * seats, (table + 1) * seats)) for table in range(seats)]
            return [self._field.rotated(index, 0, order) for index, order in enumerate(neighbours)]
        if len(results) == self.blocks:
            return []
        winners = tuple(_winner(played) for played in results[:seats])
        return [self._field.rotated(index, 1, winners) for index in range(seats, self.blocks)]


def _winner(played: PlayedBlock) -> int:
    places = dict.fromkeys(played.block.tables[0], 0)
    for match in played.matches:
        for entrant, outcome in zip(match.table, match.outcomes, strict=True):
            places[entrant] += outcome.placement
    return min(places, key=lambda entrant: (places[entrant], entrant))
