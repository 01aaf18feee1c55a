"""Matches of games that are not installed here, as strangers kept them: in a terminal, a page, a frame, a notebook."""

import lzma
from html import unescape
from pathlib import Path
from typing import Any

from ballcourt import Session
from ballcourt.arena.files import parse_json
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.store import checksum, read_record, write_record
from ballcourt.arena.replays.beside import write_beside
from ballcourt.arena.replays.kept import SUFFIX, Replay, keep
from ballcourt.arena.replays.page import page
from ballcourt.notebook import record_html
from tests.arena.recorded import Lowest
from tests.attacks.attack import Ground, deed
from tests.attacks.classes.words import NASTY, SCRIPT, command, harm_of

WORDS = f"{SCRIPT}{NASTY}"
GAMES = {"another rules": ("bluff", "99"), "another game": ("strange", "1")}
"""A game with other rules than those that are installed, which its own drawing draws, and one that is not."""
LOOKS = ("show {}", "show {} --at 2", "show {} --at 2 --json", "html {} --output match.html")


def _spoiled(value: Any, key: str = "") -> Any:  # noqa: ANN401  # JSON values
    """Return a value of kept views with a stranger's words in place of all that are only shown."""
    if isinstance(value, dict):
        return {name: _spoiled(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_spoiled(inner, key) for inner in value]
    return WORDS if isinstance(value, str) and key not in ("op", "ops", "format", "record") else value


def _kept(folder: Path, game: str, rules: str) -> Path:
    """Write a record of a game that is not installed, and views of it that a stranger has tampered with."""
    record = play_in_process("bluff", [Session(Lowest()), Session(Lowest())], options={"rounds": "3"}, seed=5)
    file = write_record(folder, record)
    keep(record, file)
    views = parse_json(lzma.decompress(file.with_suffix(SUFFIX).read_bytes()))
    record.game, record.rules_version = game, rules
    file = write_record(folder, record)
    write_beside(file, SUFFIX, {**_spoiled(views), "record": checksum(record)})
    return file


@deed("views of games that are not here")
def _views(ground: Ground) -> list[str]:
    """Give an author a match that only what a stranger kept can show; every word of that is a script or an escape."""
    problems = []
    with ground.folder() as folder:
        for what, (game, rules) in GAMES.items():
            file = _kept(folder / game, game, rules)
            runs = [command(folder, "replay", *look.format(file).split()) for look in LOOKS]
            kept = command(folder, "replay", "keep", str(file))
            problems += [f"{what}: {harm}" for harm in harm_of(*runs, kept)]
            problems += [f"{what}: refused: {run.stderr}" for run in runs if run.returncode]
            problems += [] if kept.returncode == 1 else [f"{what}: what a stranger kept was replaced"]
            record = read_record(file)
            framed = record_html(record)
            shown = [
                page(Replay(record, file).documents()).text,
                unescape(framed),
            ]  # what is in the frame of a notebook
            shown += [path.read_text(encoding="utf-8") for path in folder.glob("match.html")]
            problems += [f"{what}: a page runs their script" for text in shown if SCRIPT in text or "\x1b" in text]
    return problems


ATTACKS = (_views,)
