"""Wrong input of every kind: one sentence on stderr, exit code 2, nothing written."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.model import Event
from ballcourt.cli import commands
from ballcourt.cli.commands import PANELS
from ballcourt.engine import registry
from tests.arena.conftest import PATIENCE_S
from tests.cli.conftest import Refused, Run, every

WRONG = [
    ("play chess ./low ./any", "there is no game 'chess'; it must be one of"),
    ("play bluff ./low nobody", "there is no bot 'nobody'; known bots:"),
    ("play bluff ./low ./nowhere", "nowhere does not exist; a bot is a folder"),
    ("play bluff ./low ./low ./low ./low ./low", "bluff is not played by 5; it takes 1, 2, 3, 4 seats"),
    ("play bluff ./low ./any -o colour=red", "bluff has no option 'colour'; it has rounds"),
    ("play bluff ./low ./any -o rounds=2", "option rounds of bluff is '2'; it must be one of 1, 3, 100"),
    ("play bluff ./low ./any -o rounds", "'rounds' is not of the form NAME=VALUE"),
    ("play bluff ./low ./any --clock cap_ms=soon", "cap_ms is 'soon'; it must be a whole number"),
    ("play bluff ./low ./any --clock cap_ms=nan", "clock.cap_ms is 'nan'; it must be a whole number from 1"),
    ("play bluff ./low ./any --clock cap_ms=true", "clock.cap_ms is True; it must be a whole number from 1"),
    (
        "play bluff ./low ./any --set clok.cap_ms=9",
        "the key 'clok' cannot be set here; known keys: clock, sandbox, logs (did",
    ),
    ("play bluff x=./low x=./any", "two seats are called x; give one of them another label"),
    ("contest new c --unconfined --url cup --game bluff", "c/contest.toml: url is 'cup'; it must be an address"),
    ("docs contests", "(did you mean contest?)"),
    ("play bluff ./low ./any --clock cap=3", "clock has the unknown key 'cap'; known keys: startup_ms"),
    ("play bluff ./low ./any --clock cap_ms=0", "clock.cap_ms is 0; it must be a whole number from 1 to 86400000"),
    ("play bluff ./low ./any --sandbox 7", "sandbox.tier is 7; it must be a whole number from 0 to 2"),
    ("play bluff ./low ./any --set sandbox.processes=9", "processes needs tier 1, and the tier is 0"),
    (
        "play bluff ./low ./any --set sandbox.memory_mb=-4",
        "sandbox.memory_mb is -4; it must be a whole number from 0 to",
    ),
    (
        "play bluff ./low ./any --set sandbox.memory_mb=1",
        "memory_mb is 1, with which no bot starts; it must be 0, no limit",
    ),
    ("play bluff ./low ./any --set sandbox.disk=9", "sandbox has the unknown key 'disk'; known keys: tier, memory_mb"),
    ("play bluff ./low ./any --record-dir typo.toml", "no record can be written to typo.toml: File exists"),
    ("play bluff ./low ./any --record-dir /proc/kept", "no record can be written to /proc/kept: No such file"),
    ("play blufff ./low ./any", "(did you mean bluff?)"),
    ("play bluff ./low radnom", "(did you mean random?)"),
    ("play bluff ./low ./any -o round=3", "bluff has no option 'round'; it has rounds (did you mean rounds?)"),
    (
        "play bluff ./low ./any --rounds 3",
        "No such option: --rounds; an option of the game is written --option rounds=VALUE, a key of a tournament",
    ),
    ("play bluff ./low ./any --seed abc", "Invalid value for '--seed': it is 'abc'; it must be a whole number"),
    ("check game bluff --matches 1.5", "Invalid value for '--matches': it is '1.5'; it must be a whole number"),
    ("check game bluff --matches 0", "Invalid value for '--matches': it is '0'; it must be at least 1"),
    ("serve runs --port 65536", "Invalid value for '--port': it is '65536'; it must be at most 65535"),
    ("admin worker tcp://127.0.0.1:1 --wait soon", "Invalid value for '--wait': it is 'soon'; it must be a number"),
    ("admin worker tcp://127.0.0.1:1 --wait nan", "Invalid value for '--wait': it is 'nan'; it must be at most 86400"),
    ("play bluff ./low ./any --seed -3", "seed is -3; it must be a whole number from 0"),
    ("play bluff ./low =./low", "'=./low' is not LABEL=BOT; give both"),
    ("play bluff ./low twin=remote:low", "gives a label to a remote bot"),
    ("play bluff", "give a game and its bots, such as: ballcourt play maya greedy random"),
    ("tournament", "no game is named; give game"),
    ("tournament --game bluff", "no bots are named; give bots"),
    ("tournament none.toml", "cannot read none.toml: No such file"),
    ("tournament broken.toml", "broken.toml is not valid TOML"),
    ("tournament typo.toml", "typo.toml has the unknown key 'botz'; known keys: game, seats"),
    ("tournament --game bluff --bot ./low --bot ./low", "bot low 1 is named twice"),
    ("tournament --game bluff --bot ./low --bot ./any --seats 3", "3 seats cannot be filled by 2 different bots"),
    ("tournament --game bluff --bot ./low --bot ./any --rounds 0", "rounds is 0; it must be a whole number from 1"),
    (
        "tournament --game bluff --bot ./low --bot ./any --rounds 1 --matches 2",
        "gives rounds and matches; give",
    ),
    (
        "tournament --game bluff --bot ./low --bot ./any --format ladder",
        "format is 'ladder'; it must be one of adaptive, balanced",
    ),
    ("tournament --game bluff --bot ./low --bot ./any --set database=nonsense", "'nonsense' is not a database URL"),
    ("tournament --game bluff --bot ./low --bot ./any --set database=sqlite:///typo.toml", "is not a database"),
    ("leaderboard", "there is no tournament in ./runs"),
    ("leaderboard nowhere", "there is no leaderboard nowhere"),
    ("leaderboard typo.toml", "sqlite:///typo.toml is damaged or no leaderboard"),
    ("leaderboard chess://host/name", "chess://host/name is for the database 'chess'"),
    ("study head-to-head nowhere", "there is no leaderboard nowhere"),
    ("study head-to-head low a b c", "3 bots are named; name two at most"),
    ("study head-to-head low --json --csv", "give one of --json and --csv"),
    ("leaderboard low --rebuild", "low is not the output folder of a tournament: it has no records"),
    ("leaderboard low --json --csv", "give one of --json, --csv and --markdown"),
    ("leaderboard low --json --markdown", "give one of --json, --csv and --markdown"),
    ("replay show none.match", "none.match cannot be read: No such file"),
    ("replay show typo.toml", "typo.toml is not a match record"),
    ("replay verify typo.toml none.match", "there is no none.match; give record files, or folders with"),
    ("replay verify low", "there are no records (*.match) in low"),
    (
        "new-bot mine --lang cobol",
        "there is no starter in 'cobol'; available languages: cpp, go, java, python, rust, typescript",
    ),
    ("new-bot random", "'random' is a bot that comes with Ballcourt; choose another name"),
    ("new-bot mine --game chess", "there is no game 'chess'; it must be one of"),
    ("check sdk low", "low holds the bot low, but an SDK's mirror bot is called mirror"),
    ("play bluff ./low ./any --set rounds=3", "the key 'rounds' cannot be set here; known keys: clock, sandbox"),
    ("tournament --game bluff --set botz=3", "the command line has the unknown key 'botz'; known keys: game, seats"),
    ("tournament --game bluff --set rounds", "'rounds' is not of the form KEY=VALUE, such as rounds=3"),
    ("tournament --rounds 2 --set rounds=3", "'rounds' is given twice, as 2 and 3"),
    ("tournament --cluster local:1 --set cluster.tls=1", "cluster.tls is 1; cluster.ca, cluster.cert, cluster.key are"),
    ("games chess", "there is no game 'chess'; it must be one of"),
    ("gmaes", "No such command 'gmaes'"),
]


@pytest.mark.parametrize(("line", "sentence"), WRONG)
def test_wrong_input_is_explained_and_nothing_is_written(
    refused: Refused, place: Path, line: str, sentence: str
) -> None:
    (place / "broken.toml").write_text("game = [")
    (place / "typo.toml").write_text('game = "bluff"\nbotz = ["./low"]\n')
    assert sentence in refused(line)


def test_an_announced_game_that_cannot_be_loaded_is_named(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(registry.ENVIRONMENT, "nowhere.at.all:GAME")
    registry.registered.cache_clear()
    assert "BALLCOURT_GAMES names 'nowhere.at.all:GAME', which cannot be loaded as module:GAME" in refused("games")


@pytest.mark.parametrize("words", [words for words, _ in every()], ids=" ".join)
def test_every_command_has_help(succeeds: Run, words: tuple[str, ...]) -> None:
    result = succeeds(*words, "--help")
    assert result.stdout.startswith(f"Usage: ballcourt {' '.join(words)} ")


def test_the_help_of_a_group_begins_like_that_of_its_commands(run: Run) -> None:
    for words, found in every():
        begins = " ".join(run(*words, "--help").stdout.partition("\n\n")[2].split())
        assert found.summary and begins.startswith(found.summary), words


PLAIN = """
import sys
from ballcourt.arena.extras import EXTRAS
for _, modules in EXTRAS.values():
    sys.modules |= dict.fromkeys(modules)  # as if they were not installed
from tests.cli.conftest import every
print(sum(bool(found.made(words[-1])) for words, found in every()))
"""


def test_a_plain_installation_shows_the_help_of_every_command() -> None:
    command = [sys.executable, "-c", PLAIN]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40


def test_help_shows_at_most_29_commands_and_whole_sentences(run: Run) -> None:
    shown = run("--help").stdout
    assert sum(map(len, PANELS.values())) <= 29
    assert [title for title in PANELS if f"\n{title}:\n" not in shown] == []
    assert "..." not in shown.partition("[ARGS]...")[2]


def test_a_tournament_has_at_most_20_options_in_panels(run: Run) -> None:
    shown = run("tournament --help").stdout
    options = re.findall(r"^  (?:-o, )?--([a-z-]+)", shown, re.MULTILINE)
    assert len(options) <= 20
    assert re.findall(r"^([A-Z]\w+):$", shown, re.MULTILINE)[:4] == ["Event", "Length", "Bots", "Machines"]


def test_commands_that_sentences_advise_exist() -> None:
    sources = [path.read_text() for path in Path(commands.__file__).parents[1].rglob("*.py")]
    advised = {
        tuple(str(word.value) for word in call.args if isinstance(word, ast.Constant))
        for source in sources
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "command"
    }
    assert ("study", "machines") in advised
    known = {words for words, _ in every()}
    assert [words for words in advised if words and not {words[:1], words[:2]} & known] == []


def test_set_takes_any_key_of_a_tournament_file(succeeds: Run, place: Path) -> None:
    cup = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--plan", "--json")
    shown = succeeds(
        *cup, "--set", "rounds=3", "--set", "stop=±1.0", "--set", "clock.cap_ms=2000", "--set", "lifetime=match"
    )
    assert json.loads(shown.stdout)["stop"] == ["±1"]


@pytest.mark.parametrize("words", [[], ["replay"], ["study"], ["contest"]], ids=" ".join)
def test_the_help_of_a_group_imports_no_command(words: list[str]) -> None:
    asked = f"import sys; from ballcourt.cli.commands import app; app([*{words}, '--help'], standalone_mode=False)"
    slow = {"grpc", "numpy", "scipy", "sqlalchemy", "rich", "pydantic", "google.protobuf", "ballcourt.cli.flags"}
    loaded = f"print({slow} & {{*sys.modules}}, file=sys.stderr)"
    command = [sys.executable, "-c", f"{asked}; {loaded}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert done.stderr == "set()\n"


def test_the_help_of_a_flag_that_is_a_key_of_a_tournament_file_is_that_of_the_model(run: Run) -> None:
    shown = " ".join(run("tournament --help").stdout.split())
    for key in ("game", "bots", "seats", "seed", "rounds", "blocks", "matches", "workers"):
        assert " ".join(str(Event.model_fields[key].description).split()) in shown


@pytest.mark.slow
def test_an_evaluation_does_not_import_the_libraries_of_databases_and_clusters() -> None:
    loaded = "print({'sqlalchemy', 'ballcourt.cli.running', 'distributed'} & {*sys.modules})"
    command = [sys.executable, "-c", f"import sys; from ballcourt.cli import evaluate; {loaded}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.slow
def test_playing_does_not_import_the_libraries_for_ratings_and_a_worker_none_for_settings() -> None:
    working = "import sys; from ballcourt.arena.workers import worker; print({'pydantic'} & {*sys.modules})"
    playing = f"{working}; from ballcourt.cli import progress, running"
    leaderboard = "ballcourt.leaderboard"
    reading = f"import {leaderboard}.model.standings, {leaderboard}.show.terminal, {leaderboard}.store.database"
    loaded = "print({'numpy', 'scipy'} & {*sys.modules})"
    command = [sys.executable, "-c", f"{playing}; {reading}; {loaded}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert done.stdout == "set()\nset()\n"


def test_the_versions_are_printed(succeeds: Run) -> None:
    result = succeeds("--version")
    arena, rules = result.stdout.splitlines()
    assert re.fullmatch(r"ballcourt \d+\.\d+\.\d+", arena)
    listed = ", ".join(f"{name} {game.rules_version}" for name, game in registry.games().items())
    assert re.fullmatch(rf"rules: {listed}; (interpreted|compiled), CPython \d+\.\d+\.\d+", rules)
