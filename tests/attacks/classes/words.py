"""Words that strangers choose: names, versions, output, records and tournament files that harm their readers."""

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from ballcourt import Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.store import HASH_BYTES, read_record, write_record
from ballcourt.v1.protocol_pb2 import Evaluation, Mark, RankedAction, Termination
from ballcourt.v1.record_pb2 import MatchRecord, Package, RivalResult
from tests.arena.conftest import BOTS
from tests.arena.recorded import Lowest
from tests.arena.test_printable import is_number
from tests.attacks.attack import Ground, deed
from tests.attacks.in_match import HONEST, ONLY_CONFINED

ROOT = Path(__file__).parents[3]
HARMLESS = {"\n", "\t"}
NASTY = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202egpj.exe\u2066"
FORMULAS = ("=", "+", "-", "@")
PATHS = os.environ.get("PYTHONPATH", "").split(os.pathsep)
LONGEST = 20_000
"""Characters that a command may print about a single small input."""


def command(folder: Path, *arguments: str, before: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    """Run the command of a person who handles a stranger's files, behind the words `before`."""
    return subprocess.run(
        [*before, sys.executable, "-m", "ballcourt", *arguments],
        cwd=folder,
        env={
            **os.environ,
            "BALLCOURT_CACHE": str(folder / "cache"),
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), *PATHS])),
        },
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
    )


def harmful(printed: str) -> str:
    """Return what in a command's output reaches the terminal as more than letters; empty if nothing does."""
    shapeless = {char for char in printed if unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in HARMLESS}
    if shapeless:
        return f"printed {sorted(map(ascii, shapeless))}"
    return f"printed {len(printed)} characters" if len(printed) > LONGEST else ""


def write_bot(folder: Path, manifest: str) -> Path:
    """Write a bot with this bot.toml, whose other entries are honest."""
    folder.mkdir()
    honest = {
        "name": 'name = "stranger"',
        "version": 'version = "1"',
        "command": f"command = {json.dumps([sys.executable, str(BOTS / HONEST), 'low'])}",
    }
    given = {line.split(" = ")[0]: line for line in manifest.splitlines()}
    (folder / "bot.toml").write_text("\n".join((honest | given).values()) + "\n", encoding="utf-8")
    return folder


def harm_of(*runs: subprocess.CompletedProcess[str]) -> list[str]:
    """Return what is harmful in the output of commands, and which of them ended with a traceback."""
    found = [f"{' '.join(run.args[3:5])} {harm}" for run in runs if (harm := harmful(run.stdout + run.stderr))]
    return found + [
        f"{' '.join(run.args[3:5])} failed: {run.stderr[-200:]}" for run in runs if "Traceback" in run.stderr
    ]


def entry(key: str, value: str) -> str:
    """Return a line of bot.toml."""
    return f"{key} = {json.dumps(value)}"


@deed("escapes in a name")
def escapes_in_a_name(ground: Ground) -> list[str]:
    """Name bots, versions and authors with escapes, DEL, marks of direction, formulas, or without end."""
    problems = []
    with ground.folder() as folder:
        words = {"name": [NASTY, "a\x7f", "=1+1", "x" * 60_000], "version": ["\u202egnp.exe", "two\nlines"]}
        for number, (key, word) in enumerate((key, word) for key, given in words.items() for word in given):
            write_bot(folder / f"bot{number}", entry(key, word))
            run = command(folder, "play", "bluff", f"./bot{number}", f"twin=./bot{number}")
            problems += harm_of(run)
            if run.returncode != 2 or f"{key} is " not in run.stderr:
                problems.append(f"a bot with the {key} {word[:20]!r} was accepted")
        problems += [f"left {path.name}" for path in folder.iterdir() if not path.name.startswith("bot")]
    return problems


@deed("escapes in a build's output")
def escapes_in_build_output(ground: Ground) -> list[str]:
    """Print escapes while being built, and fail."""
    with ground.folder() as folder:
        script = f"import sys; sys.stdout.write({NASTY!a} * 3); sys.exit(1)"
        write_bot(folder / "bot", f"build = {json.dumps([sys.executable, '-c', script])}")
        runs = [command(folder, *words) for words in (["play", "bluff", "./bot", "a=./bot"], ["check", "bot", "./bot"])]
        return harm_of(*runs) + [f"hid why: {run.stderr}" for run in runs if "owned" not in run.stdout + run.stderr]


@deed("escapes in its output")
def escapes_in_output(ground: Ground) -> list[str]:
    """Print escapes and crash: they reach the organiser by `play`, `replay faults` and the bundle."""
    with ground.folder() as folder:
        script = f"import sys; sys.stderr.write({NASTY!a} * 9); sys.exit(1)"
        write_bot(folder / "bot", f"command = {json.dumps([sys.executable, '-c', script])}")
        played = command(folder, "play", "bluff", "./bot", "twin=./bot", "--record-dir", "records")
        [record] = (folder / "records").iterdir()
        shown = [command(folder, "replay", *words, str(record)) for words in (["show"], ["faults", "--output", "for"])]
        written = [file for file in folder.glob("for/*/*.txt") if harmful(file.read_text(encoding="utf-8"))]
        return harm_of(played, *shown) + [f"{file.name} holds escapes" for file in written]


def strange_record(folder: Path) -> Path:
    """Write a record as a stranger may make it, with words that no bot of this arena may have."""
    record: MatchRecord = play_in_process("bluff", [Session(Lowest()), Session(Lowest())], seed=5, key="strange")
    for entrant, formula in zip(record.entrants, FORMULAS, strict=False):
        entrant.name, entrant.version, entrant.author = f"{formula}cmd|' /C calc'!A0{NASTY}", NASTY, NASTY
    record.results[0].termination = Termination.TERMINATION_CRASH
    record.faults.add(
        seat=0, decision=1, termination=Termination.TERMINATION_CRASH, detail=f"{NASTY}\n", stderr_tail=NASTY * 100
    )
    record.arena = record.host.cpu = NASTY
    record.decisions.thoughts[0] = NASTY
    return write_record(folder / "theirs" / "records", record)


@deed("escapes in a record")
def escapes_in_a_record(ground: Ground) -> list[str]:
    """Give the organiser a record whose every word is an escape: show, verify, faults, and its leaderboard."""
    with ground.folder() as folder:
        file = str(strange_record(folder))
        looks = ("replay show", "replay show --json", "replay faults", "study report bluff")
        runs = [command(folder, *look.split(), file) for look in looks]
        tables = [command(folder, "leaderboard", "theirs", form) for form in ("--rebuild", "--csv")]
        cells = [cell for row in csv.reader(io.StringIO(tables[1].stdout)) for cell in row]
        formulas = [cell for cell in cells if cell.startswith(FORMULAS) and not is_number(cell)]
        return harm_of(*runs, *tables) + [f"the cell {cell[:20]!r} is a formula" for cell in formulas]


SCRIPT = "</script><script>owned()</script><img src=x onerror=owned()>"
EVALUATIONS = (
    Evaluation(values=[float("nan"), float("inf")]),
    Evaluation(values=[1e308, -1e308]),
    Evaluation(values=[0.5] * 5_000),
    Evaluation(ranked=[RankedAction(action=4294967295, value=float("nan"))] * 5_000),
    Evaluation(marks=[Mark(place=word, label=word) for word in (NASTY, SCRIPT, "../..")]),
    Evaluation(marks=[Mark(place=NASTY * 9, label=NASTY * 9)] * 100),
)
"""What no bot of this arena can say about a position."""


@deed("thoughts in a record")
def thoughts_in_a_record(ground: Ground) -> list[str]:
    """Give an author an honest match with hostile thoughts, to be shown, judged and learned from."""
    record = play_in_process("bluff", [Session(Lowest()), Session(Lowest())], options={"rounds": "3"}, seed=5)
    for index in range(len(record.decisions.actions)):
        record.decisions.evaluations[index].CopyFrom(EVALUATIONS[index % len(EVALUATIONS)])
        record.decisions.thoughts[index] = f"{SCRIPT}{NASTY}"
    with ground.folder() as folder:
        file = str(write_record(folder / "theirs", record))
        shows = ("show", "show --at 2", "html --output match.html", "evaluate --work 2", "html --output judged.html")
        runs = [command(folder, "replay", *words.split(), file) for words in shows]
        pages = [folder / "match.html", folder / "judged.html"]
        scripts = [page.name for page in pages if page.exists() and SCRIPT in page.read_text(encoding="utf-8")]
        failed = [run.stderr for run in runs if run.returncode]
        return (
            harm_of(*runs) + [f"{page} runs their script" for page in scripts] + [f"refused: {why}" for why in failed]
        )


def _with_numbers(record: MatchRecord) -> Iterator[tuple[str, MatchRecord]]:
    """Yield copies of a record in which a number or a word is one that the arena would not write."""
    for what, change in CHANGES.items():
        changed = MatchRecord()
        changed.CopyFrom(record)
        change(changed)
        yield what, changed


def _cut_short(record: MatchRecord, count: int) -> None:
    """Leave a record only its first decisions."""
    made = record.decisions
    for part in (made.seats, made.actions, made.think_us, made.decided_by):
        del part[count:]
    made.hashes = made.hashes[: HASH_BYTES * count]


LONG = NASTY * 50_000
UNFINISHED: dict[str, Callable[[MatchRecord], object]] = {
    "none": lambda record: _cut_short(record, 0),
    "few": lambda record: _cut_short(record, 5),
}
CHANGES: dict[str, Callable[[MatchRecord], object]] = UNFINISHED | {
    "place": lambda record: setattr(record.results[0], "placement", 1 << 31),
    "score": lambda record: setattr(record.results[0], "score", 1e15),
    "termination": lambda record: setattr(record.results[0], "termination", 999),
    "action": lambda record: record.decisions.actions.__setitem__(3, 1 << 31),
    "game": lambda record: setattr(record, "game", LONG),
    "rules": lambda record: record.MergeFrom(MatchRecord(rules_version="99", rules_package=Package(name=LONG))),
    "option": lambda record: record.options.update({LONG: LONG}),
    "rivals": lambda record: record.MergeFrom(MatchRecord(rivals=[RivalResult(name=NASTY, placement=9)] * 100_000)),
}


@deed("numbers in a record")
def numbers_in_a_record(ground: Ground) -> list[str]:
    """Give an author records to learn from that do not follow from their decisions, or end too early."""
    with ground.folder() as folder:
        honest = play_in_process("maya", [Session(Lowest()), Session(Lowest())], seed=5, key="strange")
        problems = []
        for what, record in _with_numbers(honest):
            file = str(write_record(folder / "theirs", record))
            look = "study report maya" if what in UNFINISHED else "replay show"
            looks = (f"replay export {file} --output {what}", f"{look} {file}")
            runs = [command(folder, *words.split()) for words in looks]
            problems += [f"{what}: {harm}" for harm in harm_of(*runs)]
            problems += [f"{what}: it was exported"] if (folder / what).exists() else []
            problems += [f"{what}: it was counted"] if what in UNFINISHED and runs[-1].returncode != 2 else []
        return problems


@deed("numbers in a search")
def numbers_in_a_search(ground: Ground) -> list[str]:
    """Give an author a bot to tune with a strange range, and a folder in which a search has gone on strangely."""
    with ground.folder() as folder:
        ranges = (
            "default = 1e15\nleast = 1e15\nmost = 1000000000000000.125\nscale = 'log'",
            "default = 5e-324\nleast = 5e-324\nmost = 1e15\nscale = 'log'",
        )
        tuning = ("--game", "bluff", "--seats", "2", "--steps", "1", "--deals", "1", "--checks", "1", "--workers", "1")
        runs = []
        for number, one in enumerate(ranges):
            place = write_bot(folder / f"bot{number}", "")
            with (place / "bot.toml").open("a") as file:
                file.write(f"[parameters.depth]\n{one}\n")
            runs.append(command(folder, "tune", str(place), *tuning, "--output", f"out{number}"))
        search = folder / "out1" / "tuning.sqlite"
        problems = []
        for share in ("1e308", "'NaN'", "-1", "x'00'"):
            with closing(sqlite3.connect(search)) as base, base:
                base.execute(f"UPDATE block SET share = {share}")
            runs.append(command(folder, "tune", str(folder / "bot1"), *tuning, "--output", "out1"))
            problems += [] if runs[-1].returncode == 2 else [f"a search with the share {share} goes on"]
        with closing(sqlite3.connect(search)) as base, base:
            base.execute("UPDATE question SET key = ?", (json.dumps({"format": "ballcourt-tuning-2", "bot": LONG}),))
        runs.append(command(folder, "tune", str(folder / "bot1"), *tuning, "--output", "out1"))
        return problems + harm_of(*runs)


BEYOND_BOUNDS = (
    'bots = ["~nobody-here/bot", "random"]',
    'bots = ["./loop", "random"]',
    f'bots = ["./{"a" * 5000}", "random"]',
    f"rounds = 0x{'f' * 5000}",
    f"options = {{rounds = 0x{'f' * 5000}}}",
    f'faults = {{illegal = "retry {"9" * 5000}"}}',
    f'sandbox = {{tier = 1, readable = ["/{"a" * 5000}"]}}',
    'output = "~nobody-here/out"\nrounds = 0',
)
"""Lines of a tournament file with numbers and paths that no program can use."""


@deed("a tournament file beyond bounds", *ONLY_CONFINED)
def tournament_file_beyond_bounds(ground: Ground) -> list[str]:
    """Give the organiser a file that is refused in one sentence, whatever is wrong with it."""
    with ground.folder() as folder:
        (folder / "loop").symlink_to("loop")
        problems = []
        for line in BEYOND_BOUNDS:
            bots = "" if line.startswith("bots") else 'bots = ["first-legal", "random"]\n'
            (folder / "strange.toml").write_text(f'game = "bluff"\n{bots}{line}\n', encoding="utf-8")
            run = command(folder, "tournament", "strange.toml", "--plan")
            problems += harm_of(run)
            if run.returncode != 2 or len(run.stderr.splitlines()) != 1:
                problems.append(f"{line[:40]} ended with {run.returncode}: {run.stderr[-200:]}")
        return problems


@deed("an unsafe tournament file", *ONLY_CONFINED)
def unsafe_tournament_file(ground: Ground) -> list[str]:
    """Give the organiser a file that opens the sandbox: it must be said before play, and flags must close it."""
    with ground.folder() as folder:
        write_bot(folder / "bot", "")
        (folder / "strange.toml").write_text(
            f'game = "bluff"\nbots = ["./bot", "twin=./bot"]\nworkers = 1\ndatabase = "sqlite:///{folder}/theirs.sqlite"\n'
            "[sandbox]\ntier = 0\nmemory_mb = 0\nprocesses = 0\n",
            encoding="utf-8",
        )
        start = ("tournament", "strange.toml", "--sandbox", "1", "--output")
        opened = command(folder, *start, "opened", "--set", f"sandbox.readable=['{BOTS}']")
        flags = [
            "--set",
            "sandbox.memory_mb=300",
            "--set",
            "sandbox.processes=40",
            "--set",
            "database=none",
            "--set",
            f"sandbox.readable=['{BOTS}']",
        ]
        (folder / "theirs.sqlite").unlink(missing_ok=True)
        closed = command(folder, *start, "closed", *flags)
        cautions = [line for line in opened.stderr.splitlines() if line.startswith("caution: ")]
        problems = harm_of(opened, closed)
        problems += [] if len(cautions) == 3 else [f"said only {cautions}"]
        problems += ["played on with their database"] if (folder / "theirs.sqlite").exists() else []
        kept = [read_record(file).sandbox_limits for file in (folder / "closed" / "records").iterdir()]
        problems += [] if {(limits.memory_mb, limits.processes) for limits in kept} == {(300, 40)} else [f"kept {kept}"]
        return problems


ATTACKS = (
    escapes_in_a_name,
    escapes_in_build_output,
    escapes_in_output,
    escapes_in_a_record,
    thoughts_in_a_record,
    numbers_in_a_record,
    numbers_in_a_search,
    unsafe_tournament_file,
    tournament_file_beyond_bounds,
)
