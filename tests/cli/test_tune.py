"""`ballcourt tune`: it plays, survives being interrupted, and refuses in a sentence."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.sandbox import walls
from ballcourt.evaluation import tuning
from tests.cli.conftest import Run, files, write_bot

DECLARED = "[parameters.nerve]\ndefault = 0.5\nleast = 0.0\nmost = 1.0\n"
LENGTH = ("--steps", "2", "--deals", "1", "--checks", "2", "--workers", "1")
SHORT = ("tune", "./mine", "--game", "bluff", "--seats", "2", *LENGTH, "--output", "out")


@pytest.fixture
def mine(place: Path) -> Path:
    """A bot with a parameter."""
    file = write_bot(place / "mine", "mine", script="tunable.py") / "bot.toml"
    file.write_text(file.read_text() + DECLARED)
    return file


@pytest.mark.slow
def test_a_search_that_is_interrupted_goes_on_and_ends_alike(run: Run, place: Path, mine: Path) -> None:
    whole = run(*SHORT, "--json")
    assert whole.exit_code == 0, whole.output
    found = json.loads(whole.stdout)
    assert found["checks"] == 2
    assert 0 <= found["low"] <= found["share"] <= found["high"] <= 1
    lines = (place / "out" / tuning.FILE).read_text().splitlines(keepends=True)
    (place / "out" / tuning.FILE).write_text("".join(lines[:2]) + lines[2][:7])  # as a crash leaves it
    again = run(*SHORT)
    assert again.exit_code == 0, again.output
    assert (place / "out" / tuning.FILE).read_text() == "".join(lines)
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
def test_wrong_input_is_one_sentence(
    run: Run, place: Path, mine: Path, changed: tuple[str, ...], sentence: str
) -> None:
    before = files(place)
    done = run("tune", *changed)
    assert (done.exit_code, sentence in " ".join(done.stderr.split())) == (2, True), done.stderr
    assert files(place) == before


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"format": "ballcourt-tuning-1", "bot": "another"}', "out holds another search, where bot is 'another'"),
        ("[]", "is damaged in line 1"),
    ],
)
def test_a_folder_with_another_search_is_refused(run: Run, place: Path, mine: Path, line: str, sentence: str) -> None:
    (place / "out").mkdir()
    (place / "out" / tuning.FILE).write_text(f"{line}\n")
    done = run(*SHORT)
    assert (done.exit_code, sentence in done.stderr.replace("\n", " ")) == (2, True), done.stderr


def test_a_value_out_of_range_is_refused_in_a_tournament(run: Run, place: Path, mine: Path) -> None:
    (place / "cup.toml").write_text(
        'game = "bluff"\nbots = ["./low"]\nseats = 2\n[[bot]]\npath = "./mine"\nargs = ["nerve=2"]\n'
    )
    done = run("tournament", "cup.toml")
    assert (done.exit_code, "nerve is '2'; it must be a number from 0.0 to 1.0" in done.stderr) == (2, True)
