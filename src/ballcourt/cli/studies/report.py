"""`ballcourt study report`: what a game is like, from its matches."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from ballcourt.arena.extras import needs
from ballcourt.arena.files import in_place_of
from ballcourt.arena.records.game_report import GameReport, check_game, moments, random_match
from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.folder.named import named_files
from ballcourt.arena.tournament.folder.output import make_output
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.flags import Json
from ballcourt.cli.output import columns, dump, note, say, working
from ballcourt.engine.registry import find_game

SHOWN_ACTIONS = 20


def report(
    name: Annotated[str, argument("GAME", "One of the installed games.")],
    paths: Annotated[
        list[Path] | None,
        argument(
            "[RECORD]...",
            "Record files, folders with record files, or output folders; without any, random matches are played.",
        ),
    ] = None,
    matches: Annotated[int, option("How many random matches.", min=1)] = 100,
    seats: Annotated[int | None, option("Of random matches; default: the fewest.")] = None,
    seed: Annotated[int, option("Of the first random match; the others count on from it.", min=0)] = 1,
    plot: Annotated[Path | None, option("Draw plots into this folder, as SVG files.", "FOLDER")] = None,
    as_json: Json = False,
) -> None:
    """Show how a game plays: length, choices, scores, the advantage of seats, first moves, and how actions fare.

    A return is the share of opponents beaten less the share lost to; ± is a 95 % interval. With --json, nothing is
    left out. --plot draws lengths, score curves, seats and actions; it needs the extra `web`: pip install
    'ballcourt[web]'.

    \b
    Examples:
      ballcourt study report tzolkin runs/cup
      ballcourt study report maya --seats 3 --matches 500
      ballcourt study report maya runs/cup --plot plots
    """
    game = find_game(name)
    if plot:
        needs("web", "jinja2")
        make_output(plot)
    found = GameReport(game)
    with working("reading matches"):
        for path in named_files(paths) if paths else ():
            record = read_record(path)
            check_game(record, game)
            found.add(moments(record))
        for number in range(0 if paths else matches):
            found.add(random_match(game, game.seat_counts[0] if seats is None else seats, seed + number))
    values = found.values()
    if as_json:
        dump(values)
    else:
        say(_lines(values))
    if plot:
        from ballcourt.leaderboard.pages.charts import as_file  # these need an extra
        from ballcourt.leaderboard.pages.game_charts import game_charts

        for name, chart in game_charts(values, found.lengths).items():
            with in_place_of(plot / f"{name}.svg") as file:
                file.write_text(as_file(chart), encoding="utf-8")
            note(f"plot: {plot / name}.svg")


def _lines(values: dict[str, Any]) -> Iterator[str]:
    decisions, choices, first = values["decisions"], values["choices"], values["first_move"]
    yield f"{values['game']}, rules {values['rules_version']}, matches: {values['matches']}"
    yield (
        f"{decisions['per_match']:.0f} decisions per match ({decisions['least']} to {decisions['most']}), "
        f"{values['forced']:.0%} of them forced; otherwise {choices['mean']:.1f} choices, at most {choices['most']}"
    )
    yield (
        f"first moves: {first['different']} different ones, entropy {first['entropy_bits']:.2f} bits, "
        f"most often {first['most_common']}"
    )
    yield ""
    yield from columns([("question", "per match", "forced", "choices", "most"), *map(_question, values["questions"])])
    yield ""
    yield from columns([("seat", "of", "return", "score"), *map(_seat, values["seats"])])
    yield ""
    tenths = [f"{tenth * 10} %" for tenth in range(11)]
    curves = values["score_curves"].items()
    yield from columns([("score after", *tenths), *[(who, *[f"{p:.1f}" for p in points]) for who, points in curves]])
    yield ""
    actions = values["actions"]
    yield from columns([("action", "per match", "used by", "return"), *map(_action, actions[:SHOWN_ACTIONS])])
    if len(actions) > SHOWN_ACTIONS:
        yield f"and {len(actions) - SHOWN_ACTIONS} rarer actions: see --json"


def _question(row: dict[str, Any]) -> tuple[str, ...]:
    numbers = f"{row['per_match']:.1f}", f"{row['forced']:.0%}", f"{row['choices']:.1f}", str(row["most"])
    return row["name"], *numbers


def _seat(row: dict[str, Any]) -> tuple[str, ...]:
    return str(row["seat"]), str(row["seats"]), _estimate(row["return"], 2), _estimate(row["score"], 1)


def _action(row: dict[str, Any]) -> tuple[str, ...]:
    return row["name"], f"{row['per_match']:.1f}", f"{row['used_by']:.0%}", _estimate(row["return"], 2)


def _estimate(value: dict[str, Any], digits: int) -> str:
    half = "" if value["interval"] is None else f" ± {value['interval']:.{digits}f}"
    return f"{value['mean']:.{digits}f}{half}"
