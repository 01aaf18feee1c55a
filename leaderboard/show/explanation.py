"""What a reader of a table needs to know, in a few sentences below it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from ballcourt.leaderboard.model.scale import Z95, lead_for
from ballcourt.leaderboard.model.standings import Board
from ballcourt.leaderboard.show.terminal import columns_left_out

if TYPE_CHECKING:
    from ballcourt.leaderboard.model.certainty import CyclicShare

LEAD_75: Final = lead_for(0.75)
LEAD_90: Final = lead_for(0.9)
MOST_NAMED: Final = 5


def explanation(board: Board, width: int | None) -> Iterator[str]:
    """Yield what a table of this width (None: as wide as it needs) and its marks mean, a paragraph for each subject."""
    yield from own_decisions({str(row.entrant): row.own for row in board.rows})
    if len(board.rows) < 2:
        return
    yield f"A bot {LEAD_75:.1f} points ahead is placed above in 75% of the tables; {LEAD_90:.1f} points ahead, in 90%."
    yield (
        '"ranks": those that the results leave open, at 95% confidence for all bots together and whenever one looks; '
        '"=": this one and the next better one may be in the other order.'
    )
    yield (
        '"beaten": mean share of opponents placed lower. "wins": share of matches won; a tie is divided in both. '
        '"score": mean points; a lost seat counts below all others of its table.'
    )
    if any(row.by_points for row in board.rows):
        yield (
            '"by points": how far ahead of the mean of the field, given the opponents, with its 95% interval; "!": '
            "ahead of the next better rank, so points and places disagree."
        )
    if width is not None and (left_out := columns_left_out(board, width)):
        yield f"This window is too narrow for: {', '.join(left_out)}."
    yield from warnings(board)
    if board.cycles:
        yield _about_cycles(board.cycles)


def warnings(board: Board) -> Iterator[str]:
    """Yield what of a table is less certain than it looks, a sentence each."""
    if board.groups > 1:
        yield f"These bots are in {board.groups} groups, and no match connects them: between groups, ranks are guesses."
    yield from board.cautions


def own_decisions(shares: Mapping[str, float]) -> Iterator[str]:
    """Yield which of these did not choose all of their actions themselves, as they say; `shares` are from 0 to 1."""
    fell_back = sorted((share, name) for name, share in shares.items() if share < 1)
    if fell_back:
        named = [f"{name} {min(share, 0.99):.0%}" for share, name in fell_back[:MOST_NAMED]]
        more = [f"{len(fell_back) - MOST_NAMED} more"] if len(fell_back) > MOST_NAMED else []
        yield f"DECISIONS THAT BOTS CHOSE THEMSELVES, as they fell back in others: {', '.join(named + more)}."


def _about_cycles(cycles: "CyclicShare") -> str:
    margin = Z95 * cycles.error
    if cycles.share <= margin:
        most = max(cycles.share, 0.0) + margin
        return (
            f"No sign of cycles (rock, paper, scissors): a ranking fits all but {most:.0%} of the differences at most."
        )
    misfit = f"{cycles.share:.0%} ± {margin:.0%} of the differences between the bots fit no ranking"
    if len(cycles.mix) == 1:
        ((best, _),) = cycles.mix
        return f"{misfit}. Still, {best} is placed above each of the others in most tables."
    mix = ", ".join(f"{entrant} {share:.0%}" for entrant, share in cycles.mix)
    return (
        f"{misfit}: they are like rock, paper, scissors. No bot is placed above this mix in more than half of the "
        f"tables: {mix}."
    )
