"""Where the points of players came from: the score sheets that belong to each scene of a match."""

from collections.abc import Callable, Iterator, Sequence
from math import isclose
from re import sub
from typing import TYPE_CHECKING, Final, TypeAlias

from ballcourt.arena.printable import printable
from ballcourt.arena.replays.operations import scene_after
from ballcourt.engine.core.state import Gain
from ballcourt.engine.core.view.scene import Question, Scene

if TYPE_CHECKING:
    from ballcourt.arena.replays.document import Document

Sheet: TypeAlias = dict[str, float]
"""The points of a player by what they were given for."""

FIRST: Final = "from the beginning"
OTHERS: Final = "others' actions"


def first_sheets(scene: Scene) -> list[Sheet]:
    """Return the sheets of a match that begins: players may have points already."""
    return [{FIRST: player["score"]} if player["score"] else {} for player in scene["players"]]


def sheets_after(
    sheets: Sequence[Sheet], answered: Callable[[], str], seat: int, gains: Sequence[Gain], after: Scene
) -> list[Sheet]:
    """Return the sheets after a decision of a seat, during which the rules gave `gains`.

    They add up to the points that the scene after it shows. Where the gains do not, because a game keeps no account or
    hides points, the change counts for the question that was `answered`, which is then asked for. A sheet therefore
    reveals nothing that the scenes hide.
    """
    made = []
    for player, (sheet, shown) in enumerate(zip(sheets, after["players"], strict=True)):
        own = [(source, points) for one, points, source in gains if one == player]
        change = shown["score"] - sum(sheet.values())
        if not isclose(sum(points for _, points in own), change, abs_tol=1e-9):
            own = [(answered() if player == seat else OTHERS, change)]
        made.append(_added(sheet, own))
    return made


def asked(question: Question | None) -> str:
    """Return the kind of a question in words; empty without one."""
    return sub(r"(?<=[a-z])(?=[A-Z])", " ", question["kind"]).lower() if question else ""


def rows(sheets: Sequence[Sheet]) -> list[tuple[str, list[float]]]:
    """Return the sources, those with most points first, and what each player has of them."""
    names = {source: max(abs(sheet.get(source, 0.0)) for sheet in sheets) for sheet in sheets for source in sheet}
    ordered = sorted(names, key=lambda source: (-names[source], source))
    return [(source, [sheet.get(source, 0.0) for sheet in sheets]) for source in ordered]


def sheet_lines(replay: "Document", number: int) -> Iterator[str]:
    """Yield the sheets before a decision as a table for a terminal; a sentence if they are not known."""
    scene = scene_after(replay["first"], replay["steps"][:number])
    sheets = scene.get("sources")
    if sheets is None:
        yield "it is not known where the points came from: the match was kept without that"
        return
    seats = [seat["bot"] for seat in replay["seats"]]
    names = [*seats, *(player["name"] for player in scene["players"][len(seats) :])]
    table = [*rows(sheets), ("in all", [player["score"] for player in scene["players"]])]
    wide = max(len(source) for source, _ in table)
    yield " ".join([" " * wide, *(f"{printable(name)[:12]:>12}" for name in names)])
    for source, points in table:
        yield " ".join([f"{printable(source):<{wide}}", *(f"{one:>12g}" if one else " " * 12 for one in points)])


def _added(sheet: Sheet, gains: Sequence[tuple[str, float]]) -> Sheet:
    made = dict(sheet)
    for source, points in gains:
        if points:
            made[source] = made.get(source, 0.0) + points
    return made
