"""Tournaments without matches: results follow from strengths."""

from collections.abc import Callable, Sequence

from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    PlayedBlock,
    PlayedMatch,
    Schedule,
    SeatOutcome,
    keyed_seatings,
)

Strength = Callable[[int], float]


def by_index(entrant: int) -> float:
    """Return the strength of an entrant in a field listed from the strongest to the weakest."""
    return -float(entrant)


def course(schedule: Schedule, strength: Strength = by_index) -> list[list[PlayedBlock]]:
    """Play a schedule to its end and return its stages. The stronger always place above the weaker; equals tie."""
    results: list[PlayedBlock] = []
    stages = []
    while stage := [played(block, strength) for block in schedule.stage(results)]:
        assert [result.block.index for result in stage] == list(range(len(results), len(results) + len(stage)))
        results += stage
        stages.append(stage)
    assert len(results) == schedule.blocks if schedule.is_exact else len(results) <= schedule.blocks
    return stages


def played(block: Block, strength: Strength) -> PlayedBlock:
    """Return a block with its results."""
    return PlayedBlock(
        block, tuple(PlayedMatch(key, table, _outcomes(table, strength)) for key, table in keyed_seatings(block))
    )


def tables(stage: Sequence[PlayedBlock]) -> list[tuple[int, ...]]:
    """Return who sat at the table of each block, sorted."""
    return [tuple(sorted(result.block.tables[0])) for result in stage]


def _outcomes(table: tuple[int, ...], strength: Strength) -> tuple[SeatOutcome, ...]:
    scores = [strength(entrant) for entrant in table]
    return tuple(SeatOutcome(1 + sum(other > score for other in scores), score, fault=False) for score in scores)
