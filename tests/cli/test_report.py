"""`ballcourt study report`: what a game is like."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Refused, Run


@pytest.mark.slow
def test_random_matches_are_played_when_no_records_are_named(succeeds: Run) -> None:
    shown = succeeds("study report bluff --matches 30 --seats 3")
    assert "bluff, rules 1, matches: 30" in shown.stdout
    assert "9 decisions per match (9 to 9), 0% of them forced; otherwise 3.0 choices, at most 3" in shown.stdout
    values = json.loads(succeeds("study report bluff --matches 30 --seats 3 --json").stdout)
    assert [seat["seats"] for seat in values["seats"]] == [3, 3, 3]


def test_records_are_read_and_those_of_other_games_refused(succeeds: Run, refused: Refused) -> None:
    succeeds("play bluff ./low ./any --record-dir kept --sandbox 0")
    assert "bluff, rules 1, matches: 1" in succeeds("study report bluff kept").stdout
    assert "is one of bluff, not of maya; leave it out" in refused("study report maya kept")


def test_wrong_input_is_one_sentence(refused: Refused) -> None:
    for words, sentence in (
        (("study", "report", "chess"), "there is no game 'chess'"),
        (("study", "report", "bluff", "nowhere"), "there is no nowhere; give record files"),
        (("study", "report", "bluff", "--seats", "9"), "bluff is not played by 9"),
    ):
        assert sentence in refused(*words)


@pytest.mark.slow
def test_plots_are_drawn_into_a_folder(succeeds: Run, refused: Refused, tmp_path: Path) -> None:
    shown = succeeds("study", "report", "bluff", "--matches", "3", "--json", "--plot", str(tmp_path / "a" / "plots"))
    assert json.loads(shown.stdout)["matches"] == 3
    assert {path.name for path in (tmp_path / "a" / "plots").iterdir()} == {
        f"{name}.svg" for name in ("actions", "lengths", "scores", "seats")
    }
    (tmp_path / "file").touch()
    assert f"cannot make the output folder {tmp_path / 'file'}" in refused(
        "study", "report", "bluff", "--matches", "3", "--plot", str(tmp_path / "file")
    )


def test_without_the_extra_a_sentence_says_what_to_install(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert "run pip install 'ballcourt[web]'" in refused("study report bluff --matches 3 --plot plots")
