"""`ballcourt tune`: it plays, survives being interrupted, and refuses in a sentence."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ballcourt.arena.sandbox import walls
from ballcourt.evaluation import tuning
from ballcourt.evaluation.ledger import Ledger
from tests.cli.conftest import Refused, Run, write_bot

DECLARED = "[parameters.nerve]\ndefault = 0.5\nleast = 0.0\nmost = 1.0\n"
LENGTH = ("--steps", "2", "--deals", "1", "--checks", "2", "--workers", "1")
SHORT = ("tune", "./mine", "--game", "bluff", "--seats", "2", *LENGTH, "--output", "out")


@pytest.fixture
def mine(place: Path) -> Path:
    """A bot with a parameter."""
    file = write_bot(place / "mine", "mine", script="tunable.py") / "bot.toml"
    file.write_text(file.read_text() + DECLARED)
    return file


def rows(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as base:
        return base.execute("SELECT deals, number, share, matches FROM block ORDER BY deals, number").fetchall()


@pytest.mark.slow
def test_a_search_that_is_interrupted_goes_on_and_ends_alike(succeeds: Run, place: Path, mine: Path) -> None:
    whole = succeeds(*SHORT, "--json")
    found = json.loads(whole.stdout)
    assert found["checks"] == 2
    assert 0 <= found["low"] <= found["share"] <= found["high"] <= 1
    kept = rows(place / "out" / tuning.FILE)
    with closing(sqlite3.connect(place / "out" / tuning.FILE)) as base, base:  # as if it had been killed before
        base.execute("DELETE FROM block WHERE (deals, number) > (SELECT deals, number FROM block LIMIT 1)")
    again = succeeds(*SHORT)
    assert rows(place / "out" / tuning.FILE) == kept
    assert "bot.toml says nerve = 0.5" in again.stdout
    assert f'args = ["nerve={found["values"]["nerve"]}"]' in again.stdout


@pytest.mark.slow
def test_what_is_strict_fails_if_a_bot_loses_its_seat(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "demand", lambda tier: None)  # any machine is good enough
    file = write_bot(place / "mine", "mine", "crashes", script="misbehaving.py") / "bot.toml"
    file.write_text(file.read_text() + DECLARED)
    result = run(*SHORT, "--strict")
    assert (result.exit_code, "bot.toml says nerve = 0.5" in result.stdout) == (1, True), result.output


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (("./low", "--game", "bluff"), "low declares no parameters; add tables such as [parameters.depth]"),
        (("./mine", "--game", "chess"), "chess"),
        (("./mine", "--game", "bluff", "--parameter", "verve"), "it has no parameter 'verve'; its parameters: "),
        (("./mine", "--game", "bluff", "--output", "/proc/nowhere"), "cannot make the output folder /proc/nowhere"),
    ],
)
def test_wrong_input_is_one_sentence(refused: Refused, mine: Path, changed: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("tune", *changed)


def test_a_search_that_differs_by_the_type_of_a_value_alone_is_another(run: Run, place: Path, mine: Path) -> None:
    assert run(*SHORT).exit_code == 0
    with closing(Ledger(place / "out" / tuning.FILE)) as ledger:
        (question,) = ledger.questions()
        about = json.loads(question)
        name, value = next((name, value) for name, value in about.items() if type(value) is int)
        ledger._base.execute("UPDATE question SET key = ?", [json.dumps(about | {name: float(value)})])
    done = run(*SHORT)
    assert (
        done.exit_code,
        f"holds another search, where {name} is {float(value)}" in " ".join(done.stderr.split()),
    ) == (
        2,
        True,
    ), done.output


def test_a_folder_with_another_search_is_refused(run: Run, place: Path, mine: Path) -> None:
    (place / "out").mkdir()
    with closing(Ledger(place / "out" / tuning.FILE)) as ledger:
        ledger.seed(json.dumps({"format": tuning.FORMAT, "bot": "another"}))
    done = run(*SHORT)
    assert (done.exit_code, "holds another search, where bot is 'another'" in " ".join(done.stderr.split())) == (
        2,
        True,
    )


@pytest.mark.slow
def test_a_share_that_no_match_can_give_is_refused(succeeds: Run, refused: Refused, place: Path, mine: Path) -> None:
    succeeds(*SHORT)
    with closing(sqlite3.connect(place / "out" / tuning.FILE)) as base, base:
        base.execute("UPDATE block SET share = 1e308")
    assert "is damaged: the share of block 0 is 1e+308" in refused(*SHORT)


def test_a_value_out_of_range_is_refused_in_a_tournament(refused: Refused, place: Path, mine: Path) -> None:
    (place / "cup.toml").write_text(
        'game = "bluff"\nbots = ["./low"]\nseats = 2\n[[bot]]\npath = "./mine"\nargs = ["nerve=2"]\n'
    )
    assert "nerve is '2'; it must be a number from 0.0 to 1.0" in refused("tournament cup.toml")
