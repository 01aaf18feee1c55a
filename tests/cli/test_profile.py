"""`ballcourt play --profile`: what bots spent their time on."""

import json
import pstats
from pathlib import Path

import pytest

from ballcourt.arena.debug.profile import times_by_kind
from ballcourt.arena.records.store import read_record
from tests.arena.conftest import need_sandbox
from tests.cli.conftest import Refused, Run


@pytest.mark.slow
def test_a_profile_names_the_kinds_of_question_and_the_functions_that_cost_most(
    processes: None, succeeds: Run, place: Path
) -> None:
    shown = succeeds("play bluff ./low ./low --record-dir on --profile --json")
    values = json.loads(shown.stdout)
    record = read_record(Path(values["record"]))
    first, second = values["profile"]
    for seat, profile in enumerate((first, second)):
        assert profile["bot"] == "low 1"
        assert [kind["kind"] for kind in profile["kinds"]] == [kind.kind for kind in times_by_kind(record, seat)]
    assert sum(kind["answers"] for kind in first["kinds"]) == values["seats"][0]["decisions"]
    asked = sum(seat["decisions"] for seat in values["seats"])
    costs = {name: calls for (_, _, name), (_, calls, *_) in pstats.Stats(first["file"]).stats.items()}  # type: ignore[attr-defined]
    assert costs["choose"] == asked, "two processes of one bot are added up"
    assert any("choose  bots/honest.py:" in cost["function"] for cost in first["functions"])
    assert (second["file"], second["functions"]) == (first["file"], [])
    assert {path.suffix for path in (place / "on").iterdir()} == {".match", ".prof"}


@pytest.mark.slow
def test_a_bot_that_writes_no_profile_has_its_kinds_of_question(processes: None, succeeds: Run, place: Path) -> None:
    program = place / "low" / "bot.toml"
    program.write_text(program.read_text().replace("['", "['env', '-u', 'BALLCOURT_PROFILE', '"))
    shown = succeeds("play bluff ./low ./any --record-dir on --profile")
    assert "low 1, seat 0: its time by kind of question" in shown.stdout
    assert [path.name.partition("-seat")[2] for path in (place / "on").glob("*.prof")] == ["1-any.prof"]
    assert "all functions: python -m pstats on/" in shown.stdout


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [(("--sandbox", "1"), "use --sandbox 0"), (("--resume", "x.saved"), "give only --resume FILE")],
)
def test_a_profile_that_cannot_be_had_is_refused(refused: Refused, flags: tuple[str, str], sentence: str) -> None:
    if "--sandbox" in flags:
        need_sandbox()
    match = () if "--resume" in flags else ("bluff", "./low", "./low")
    assert sentence in refused("play", *match, "--profile", *flags)
